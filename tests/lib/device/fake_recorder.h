/* A device of single products that is there for the driver alone. It is never busy, keeps what is written, and has a
 * number of its own in the accumulator. Under memcheck it checks that secrets go only into operands and PRODUCT.first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FAKE_RECORDER_H
#define FAKE_RECORDER_H

#include <openssl/bn.h>
#include <valgrind/memcheck.h>

#include "device/access.h"
#include "test.h"

enum { MOST_WORDS = 24, ENTRY_PLACE = 8 }; /* where the entries begin, after the slots */

typedef struct recorder {
    uint32_t written[ENTRY_PLACE + 32][MOST_WORDS], accumulator[MOST_WORDS];
    uint32_t place, position, commands, products, lengths;
    uint32_t hidden; /* commands with a secret in them */
} recorder;

static inline monpro_bus recorder_read(void *context, uint32_t address, uint32_t *value)
{
    recorder *const r = context;
    switch (address) {
    case MONPRO_REG(STATUS):
        *value = MONPRO_REGS_STATUS_WARM_MASK;
        break;
    case MONPRO_REG(DATA):
        *value = r->accumulator[r->position++ % MOST_WORDS];
        break;
    case MONPRO_REG(OPERATIONS):
        *value = r->commands;
        break;
    case MONPRO_REG(PRODUCTS):
        *value = r->products;
        break;
    default:
        *value = 0;
    }
    return MONPRO_BUS_OKAY;
}

static inline monpro_bus recorder_write(void *context, uint32_t address, uint32_t value)
{
    recorder *const r = context;
    uint32_t undefined;
    CHECK(VALGRIND_GET_VBITS(&value, &undefined, sizeof value) == 1);
    switch (address) {
    case MONPRO_REG(OPERAND):
        r->place = MONPRO_REGS_GET(value, OPERAND_SLOT) == MONPRO_REGS_SLOT_ENTRY
                       ? ENTRY_PLACE + MONPRO_REGS_GET(value, OPERAND_ENTRY)
                       : MONPRO_REGS_GET(value, OPERAND_SLOT);
        r->position = 0;
        break;
    case MONPRO_REG(DATA):
        r->written[r->place][r->position++ % MOST_WORDS] = value;
        return MONPRO_BUS_OKAY;
    case MONPRO_REG(PRODUCT):
        r->commands++;
        r->products += MONPRO_REGS_GET(value, PRODUCT_CHOOSE) == 0;
        CHECK((undefined & ~MONPRO_REGS_PRODUCT_FIRST_MASK) == 0);
        CHECK(undefined == 0 || MONPRO_REGS_GET(value, PRODUCT_CHOOSE) != 0);
        r->hidden += undefined != 0;
        return MONPRO_BUS_OKAY;
    case MONPRO_REG(LENGTH):
        r->lengths++;
        break;
    default:
        break;
    }
    CHECK(undefined == 0);
    return MONPRO_BUS_OKAY;
}

static inline uint64_t recorder_wait(void *context, uint64_t cycles)
{
    (void)context;
    return cycles < 8 ? cycles : 8;
}

static inline BIGNUM *words_number(const uint32_t *words)
{
    BIGNUM *const number = BN_new();
    for (size_t i = MOST_WORDS; i-- > 0;) {
        BN_lshift(number, number, 32);
        BN_add_word(number, words[i]);
    }
    return number;
}

#endif
