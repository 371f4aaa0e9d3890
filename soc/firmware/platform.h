/* The system that the firmware runs on: LiteX with VexRiscv. Addresses come from soc_map.h, which is made from the system
 * itself when it is built.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FIRMWARE_PLATFORM_H
#define MONPRO_FIRMWARE_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

/* From the linker script: the ends of the heap, and what the host asks for. */
extern uint8_t platform_heap[], platform_heap_end[];
extern const uint32_t platform_tasks[];

/* The processor's counter of clock cycles. */
uint64_t platform_cycles(void);

/* Whether the coprocessor's interrupt line is high, from the processor's own register: no bus access. */
bool platform_interrupt(void);

/* Lets the line through LiteX's event manager to that register. The processor is not interrupted: firmware polls. */
void platform_enable_interrupt(void);

void platform_put(char c);

/* The end of a program that met a trap it does not know. */
void platform_died(uint32_t cause, uint32_t address, uint32_t value);

#endif
