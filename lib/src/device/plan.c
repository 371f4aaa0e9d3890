/* The plan of an operation. See device/plan.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/plan.h"

#include "base/status.h"
#include "device/entry_numbers.h"
#include "device/lengths.h"
#include "device/products.h"
#include "device/regs.h"
#include "engine/schemes.h"

/* The numbers of the schemes in CONFIG and PARAM_FEATURES, by monpro_scheme. */
#define ROW(NAME, name, number, longest) [MONPRO_SCHEME_##NAME] = (number),
static const uint32_t scheme_numbers[MONPRO_SCHEMES_ROWS] = {MONPRO_SCHEMES_LIST(ROW)};
#undef ROW

uint32_t monpro_plan_configuration(const monpro_operation *operation)
{
    const uint32_t window = operation->window == 0 ? 1 : operation->window; /* 1: of no meaning to the scheme */
    const uint32_t leave = MONPRO_REGS_PUT(CONFIG_LEAVE, monpro_plan_leave(operation));
    return MONPRO_REGS_PUT(CONFIG_SCHEME, scheme_numbers[operation->scheme]) | MONPRO_REGS_PUT(CONFIG_WINDOW, window) |
           MONPRO_REGS_PUT(CONFIG_PUBLIC, operation->is_public) | MONPRO_REGS_PUT(CONFIG_CRT, operation->crt != NULL) |
           leave;
}

uint32_t monpro_plan_leave(const monpro_operation *operation)
{
    if (operation->crt == NULL && !operation->is_modulus_secret) {
        return MONPRO_REGS_LEAVE_KEEP;
    }
    return operation->crt != NULL || operation->again ? MONPRO_REGS_LEAVE_LOCK : MONPRO_REGS_LEAVE_WIPE;
}

uint32_t monpro_plan_schemes(uint32_t features)
{
    uint32_t found = 0;
    for (uint32_t scheme = MONPRO_SCHEME_DEFAULT + 1; scheme < MONPRO_SCHEMES_ROWS; scheme++) {
        found |= (MONPRO_REGS_GET(features, PARAM_FEATURES_SCHEMES) >> scheme_numbers[scheme] & 1u) << scheme;
    }
    return found;
}

static monpro_status put_register(const monpro_sink *to, uint32_t address, uint32_t value, monpro_error *error)
{
    return to->write(to->context, address, value, error);
}

static monpro_status put_slot(const monpro_sink *to, uint32_t slot, const uint8_t *bytes, size_t size, uint32_t count,
                              monpro_error *error)
{
    return to->operand(to->context, MONPRO_REGS_PUT(OPERAND_SLOT, slot), bytes, size, count, error);
}

/* Setting the length makes the device forget every operand. */
static monpro_status put_length(const monpro_sink *to, const monpro_engine_info *info, uint32_t modulus_bits,
                                monpro_error *error)
{
    const uint32_t words = monpro_device_modulus_words(info, modulus_bits);
    return put_register(to, MONPRO_REGS_LENGTH_OFFSET, MONPRO_REGS_PUT(LENGTH_WORDS, words), error);
}

/* The numbers of an operation, after its length and its configuration. */
static monpro_status put_numbers(const monpro_sink *to, const monpro_engine_info *info, const monpro_operation *operation,
                                 monpro_held held, monpro_error *error)
{
    const monpro_crt_key *crt = operation->crt;
    const uint32_t bits = operation->modulus_bits, exponent_count = (operation->exponent_bits + 31) / 32;
    const uint32_t count = monpro_device_bus_words(info, monpro_device_operand_words(info, bits));
    const uint32_t base_count =
        crt == NULL ? count : monpro_device_bus_words(info, 2 * monpro_device_digits(info, bits));
    if (held == MONPRO_HELD_NOTHING) {
        MONPRO_TRY(put_slot(to, MONPRO_REGS_SLOT_MODULUS, operation->modulus, operation->modulus_len, count, error));
    }
    if (held == MONPRO_HELD_NOTHING && crt != NULL) {
        MONPRO_TRY(put_slot(to, MONPRO_REGS_SLOT_MODULUS_Q, crt->q, operation->modulus_len, count, error));
    }
    MONPRO_TRY(put_slot(to, MONPRO_REGS_SLOT_BASE, operation->base, operation->base_len, base_count, error));
    if (held == MONPRO_HELD_KEY) {
        return MONPRO_OK;
    }
    MONPRO_TRY(put_slot(to, MONPRO_REGS_SLOT_EXPONENT, operation->exponent, operation->exponent_len, exponent_count,
                        error));
    if (crt != NULL) {
        MONPRO_TRY(put_slot(to, MONPRO_REGS_SLOT_EXPONENT_Q, crt->dq, crt->prime_len, exponent_count, error));
        MONPRO_TRY(put_slot(to, MONPRO_REGS_SLOT_INVERSE, crt->qinv, crt->prime_len, count, error));
    }
    return MONPRO_OK;
}

monpro_status monpro_plan_operation(const monpro_sink *to, const monpro_engine_info *info,
                                    const monpro_operation *operation, monpro_held held, monpro_error *error)
{
    if (held == MONPRO_HELD_NOTHING) {
        MONPRO_TRY(put_length(to, info, operation->modulus_bits, error));
    }
    if (held != MONPRO_HELD_KEY) {
        MONPRO_TRY(put_register(to, MONPRO_REGS_EXPONENT_OFFSET, MONPRO_REGS_PUT(EXPONENT_BITS, operation->exponent_bits),
                                error));
        MONPRO_TRY(put_register(to, MONPRO_REGS_CONFIG_OFFSET, monpro_plan_configuration(operation), error));
    }
    MONPRO_TRY(put_numbers(to, info, operation, held, error));
    return put_register(to, MONPRO_REGS_COMMAND_OFFSET, MONPRO_REGS_COMMAND_START_MASK, error);
}

monpro_status monpro_plan_entries(const monpro_sink *to, const monpro_engine_info *info, const monpro_operation *operation,
                                  bool warm, monpro_error *error)
{
    if (!warm) {
        MONPRO_TRY(put_length(to, info, operation->modulus_bits, error));
        MONPRO_TRY(monpro_constants_put(to, info, operation, error));
    }
    return to->operand(to->context, monpro_entry_operand(MONPRO_ENTRY_BASE), operation->base, operation->base_len,
                       monpro_entry_words(info, operation->modulus_bits), error);
}
