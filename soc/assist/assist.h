/* The instructions of rtl/cfu: opcode custom-0; funct3 is the form, funct7 what it does. They are volatile, because the
 * unit has a state. One instruction has none, and is not volatile.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_ASSIST_H
#define MONPRO_ASSIST_H

#define ASSIST_NONE 0
#define ASSIST_WORD 1  /* the report's instruction: it serves 32 bits alone */
#define ASSIST_LIMBS 2 /* chained words */
#define ASSIST_HELD 3  /* 128 bits inside */

#ifndef ASSIST
#define ASSIST ASSIST_NONE
#endif

/* The processor takes these instructions for illegal ones until this bit is set; the rest of the register is
 * the mask of interrupts. */
#define ASSIST_ENABLE() __asm__ volatile("csrs 0xbc0, %0" : : "r"(1u << 31))

/* (z odd ? z + m : z) / 2. */
#ifdef __riscv
static inline uint32_t assist_word(uint32_t z, uint32_t m) {
  uint32_t result;
  __asm__(".insn r 0x0b, 0, 0, %0, %1, %2" : "=r"(result) : "r"(z), "r"(m));
  return result;
}
#endif

#define ASSIST_DO(form, op, result, a, b) \
  __asm__ volatile(".insn r 0x0b, " #form ", " #op ", %0, %1, %2" : "=r"(result) : "r"(a), "r"(b))
#define ASSIST_TELL(form, op, a, b) \
  __asm__ volatile(".insn r 0x0b, " #form ", " #op ", x0, %0, %1" : : "r"(a), "r"(b))
#define ASSIST_ASK(form, op, result) \
  __asm__ volatile(".insn r 0x0b, " #form ", " #op ", %0, x0, x0" : "=r"(result))
#define ASSIST_ORDER(form, op) __asm__ volatile(".insn r 0x0b, " #form ", " #op ", x0, x0, x0")

/* T = T + Y, and T = (T odd ? T + M : T) / 2, a word each time. */
#define ASSIST_ADD_FIRST(result, t, y) ASSIST_DO(1, 0, result, t, y)
#define ASSIST_ADD_NEXT(result, t, y) ASSIST_DO(1, 1, result, t, y)
#define ASSIST_HALVE_FIRST(t, m) ASSIST_TELL(1, 2, t, m)
#define ASSIST_HALVE_NEXT(result, t, m) ASSIST_DO(1, 3, result, t, m)
#define ASSIST_HALVE_LAST(result) ASSIST_ASK(1, 4, result)
#define ASSIST_CLEAR() ASSIST_ORDER(1, 5)
#define ASSIST_TOP(result) ASSIST_ASK(1, 6, result)

/* Numbers inside: two words each, then steps and the subtraction, then the words of T. */
#define ASSIST_SET_M(low, high) ASSIST_TELL(2, 0, low, high)
#define ASSIST_SET_M_HIGH(low, high) ASSIST_TELL(2, 1, low, high)
#define ASSIST_SET_Y(low, high) ASSIST_TELL(2, 2, low, high)
#define ASSIST_SET_Y_HIGH(low, high) ASSIST_TELL(2, 3, low, high)
#define ASSIST_SET_T(low, high) ASSIST_TELL(2, 4, low, high)
#define ASSIST_SET_T_HIGH(low, high) ASSIST_TELL(2, 5, low, high)
#define ASSIST_STEP(bits, count) ASSIST_TELL(2, 6, bits, count)
#define ASSIST_REDUCE() ASSIST_ORDER(2, 7)
#define ASSIST_READ_0(result) ASSIST_ASK(2, 8, result)
#define ASSIST_READ_1(result) ASSIST_ASK(2, 9, result)
#define ASSIST_READ_2(result) ASSIST_ASK(2, 10, result)
#define ASSIST_READ_3(result) ASSIST_ASK(2, 11, result)

#endif
