/* Numbers of a device with entries. See device/entry_numbers.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/entry_numbers.h"

#include <string.h>

#include "base/status.h"
#include "base/wipe.h"
#include "bignum/montgomery.h"
#include "device/lengths.h"
#include "device/products.h"
#include "device/regs.h"

#define BUS_WORD_BITS 32u
#define MOST_ENTRIES 32u /* that PRODUCT can name */

bool monpro_entries_fit(const monpro_engine_info *info)
{
    const uint32_t words = monpro_device_operand_words(info, info->max_bits);
    return info->entries > MONPRO_ENTRY_TABLE && info->entries <= MOST_ENTRIES &&
           4 * monpro_device_bus_words(info, words) <= MONPRO_ENTRY_NUMBER_BYTES &&
           (info->exact == 0 || info->word_bits <= BUS_WORD_BITS);
}

uint32_t monpro_entry_operand(uint32_t entry)
{
    return MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_ENTRY) | MONPRO_REGS_PUT(OPERAND_ENTRY, entry);
}

uint32_t monpro_entry_words(const monpro_engine_info *info, uint32_t modulus_bits)
{
    return monpro_device_bus_words(info, monpro_device_operand_words(info, modulus_bits));
}

size_t monpro_entry_bytes(const monpro_engine_info *info, const monpro_operation *operation)
{
    return 4 * (size_t)monpro_entry_words(info, operation->modulus_bits);
}

/* ---- constants of a modulus ---------------------------------------------------------------------------------- */

/* What goes into slot modulus. */
static void modulus_number(monpro_limb *r, const monpro_engine_info *info, const monpro_mont *m)
{
    memset(r, 0, m->limbs * sizeof *r);
    r[0] = 1;
    for (uint32_t i = 0; i < info->word_bits && info->exact == 0; i++) {
        monpro_limbs_halve_mod(r, r, m->n, m->limbs);
    }
    if (info->exact != 0) {
        memcpy(r, m->n, m->limbs * sizeof *r);
    }
}

/* r = 2^(2 w K) mod n: from the largest power of two below n by doublings to 2^(w K), and the square of that by the
 * library's own Montgomery products. */
static void square_of_r(monpro_limb *r, const monpro_engine_info *info, uint32_t bits, const monpro_mont *m)
{
    const uint32_t r_bits = info->word_bits * monpro_device_digits(info, bits);
    memset(r, 0, m->limbs * sizeof *r);
    r[(bits - 1) / MONPRO_LIMB_BITS] = (monpro_limb)1 << ((bits - 1) % MONPRO_LIMB_BITS);
    for (uint32_t i = bits - 1; i < r_bits; i++) {
        monpro_limbs_double_mod(r, r, 0, m->n, m->limbs);
    }
    monpro_mont_sqr(r, r, m);
    monpro_mont_enter(r, r, m);
}

static monpro_status put_number(const monpro_sink *to, uint32_t operand, const monpro_limb *number, size_t limbs, uint32_t count,
                                monpro_error *error)
{
    uint8_t bytes[MONPRO_MAX_BYTES];
    monpro_limbs_to_bytes(bytes, sizeof bytes, number, limbs);
    const monpro_status status = to->operand(to->context, operand, bytes, sizeof bytes, count, error);
    monpro_wipe(bytes, sizeof bytes);
    return status;
}

/* n', of an exact device. */
static monpro_status put_inverse(const monpro_sink *to, const monpro_engine_info *info, const monpro_mont *m, monpro_error *error)
{
    monpro_limb inverse = m->n0 & (monpro_limb)(UINT32_MAX >> (BUS_WORD_BITS - info->word_bits));
    const monpro_status status = put_number(to, MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_INVERSE), &inverse, 1,
                                            monpro_device_bus_words(info, 1), error);
    monpro_wipe(&inverse, sizeof inverse);
    return status;
}

static monpro_status put_constants(const monpro_sink *to, const monpro_engine_info *info, uint32_t bits, const monpro_mont *m,
                                   monpro_limb *number, monpro_error *error)
{
    static const uint8_t one = 1;
    const uint32_t count = monpro_entry_words(info, bits);
    modulus_number(number, info, m);
    MONPRO_TRY(put_number(to, MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_MODULUS), number, m->limbs, count, error));
    if (info->exact != 0) {
        MONPRO_TRY(put_inverse(to, info, m, error));
    }
    square_of_r(number, info, bits, m);
    MONPRO_TRY(put_number(to, monpro_entry_operand(MONPRO_ENTRY_RR), number, m->limbs, count, error));
    return to->operand(to->context, monpro_entry_operand(MONPRO_ENTRY_ONE), &one, 1, count, error);
}

monpro_status monpro_constants_put(const monpro_sink *to, const monpro_engine_info *info, const monpro_operation *operation,
                                   monpro_error *error)
{
    monpro_limb number[MONPRO_MAX_LIMBS];
    monpro_mont m;
    const size_t limbs = monpro_limbs_for_bits(operation->modulus_bits);
    monpro_limbs_from_bytes(number, limbs, operation->modulus, operation->modulus_len);
    monpro_mont_init(&m, number, limbs, operation->modulus_bits);
    const monpro_status status = put_constants(to, info, operation->modulus_bits, &m, number, error);
    monpro_wipe(number, sizeof number);
    monpro_wipe(&m, sizeof m);
    return status;
}

/* ---- the result ---------------------------------------------------------------------------------------------- */

/* Its upper bits, as many as leave it below N, and then each of the lower ones by a doubling modulo N. */
void monpro_entry_reduce(const monpro_engine_info *info, const monpro_operation *operation, const uint8_t *bytes)
{
    enum { NUMBER_LIMBS = MONPRO_ENTRY_NUMBER_BYTES * 8 / MONPRO_LIMB_BITS + 1 };
    monpro_limb number[NUMBER_LIMBS], n[MONPRO_MAX_LIMBS], r[MONPRO_MAX_LIMBS];
    const uint32_t number_bits = info->word_bits * monpro_device_operand_words(info, operation->modulus_bits);
    const size_t limbs = monpro_limbs_for_bits(operation->modulus_bits);
    const uint32_t lower_bits = number_bits - (operation->modulus_bits - 1);
    const size_t skip = lower_bits / MONPRO_LIMB_BITS, shift = lower_bits % MONPRO_LIMB_BITS;
    monpro_limbs_from_bytes(number, NUMBER_LIMBS, bytes, monpro_entry_bytes(info, operation));
    monpro_limbs_from_bytes(n, limbs, operation->modulus, operation->modulus_len);
    for (size_t i = 0; i < limbs; i++) {
        const monpro_limb low = i + skip < NUMBER_LIMBS ? number[i + skip] : 0;
        const monpro_limb high = i + skip + 1 < NUMBER_LIMBS ? number[i + skip + 1] : 0;
        r[i] = shift == 0 ? low : low >> shift | high << (MONPRO_LIMB_BITS - shift);
    }
    for (uint32_t i = lower_bits; i-- > 0;) {
        const monpro_limb bit = number[i / MONPRO_LIMB_BITS] >> (i % MONPRO_LIMB_BITS) & 1u;
        monpro_limbs_double_mod(r, r, bit, n, limbs);
    }
    monpro_limbs_to_bytes(operation->result, operation->result_len, r, limbs);
    monpro_wipe(number, sizeof number);
    monpro_wipe(n, sizeof n);
    monpro_wipe(r, sizeof r);
}
