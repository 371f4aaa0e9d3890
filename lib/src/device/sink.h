/* Where the accesses of a plan go: to the registers at once, or into a packet.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SINK_H
#define MONPRO_SINK_H

#include "monpro/monpro.h"

typedef struct monpro_sink {
    /* Writes a register. */
    monpro_status (*write)(void *context, uint32_t address, uint32_t value, monpro_error *error);
    /* Writes `count` words of a big-endian number into what OPERAND = `operand` selects, zeros at the top. */
    monpro_status (*operand)(void *context, uint32_t operand, const uint8_t *bytes, size_t size, uint32_t count,
                             monpro_error *error);
    void *context;
} monpro_sink;

#endif
