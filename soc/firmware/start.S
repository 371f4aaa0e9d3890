# SPDX-License-Identifier: Apache-2.0
# Reset: stack, cleared memory, trap vector, main. The program runs from ROM, its data is in RAM.
    .section .text.start, "ax"
    .globl _start
_start:
    la      sp, platform_stack_top
    la      t0, platform_trap
    csrw    mtvec, t0
    la      t0, platform_data_rom
    la      t1, platform_data
    la      t2, platform_data_end
1:  bgeu    t1, t2, 2f
    lw      t3, 0(t0)
    sw      t3, 0(t1)
    addi    t0, t0, 4
    addi    t1, t1, 4
    j       1b
2:  la      t1, platform_bss
    la      t2, platform_bss_end
3:  bgeu    t1, t2, 4f
    sw      zero, 0(t1)
    addi    t1, t1, 4
    j       3b
4:  call    main
5:  j       5b

# Nothing here is meant to trap (the bus does not: VexRiscv's Wishbone port drops its errors, and an access that nobody
# answers reads as ones). A trap ends the program with a line that names it.
    .balign 4
platform_trap:
    csrr    a0, mcause
    csrr    a1, mepc
    csrr    a2, mtval
    call    platform_died
6:  j       6b
