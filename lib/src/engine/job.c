/* The checks of a job: once, here, for every engine.
 *
 * Constant time: in the values of base, modulus and secret exponent. What the modulus is checked for (zero, one, even,
 * its length) may show in the time. The length of the modulus without leading zeros is no secret.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/secret.h"
#include "base/status.h"
#include "base/wipe.h"
#include "bignum/modexp.h"
#include "engine/engine.h"
#include "engine/schemes.h"

/* The length of a modulus or a public exponent. Only the length may show: the verdicts are on copies. */
static uint32_t bit_length(const uint8_t *bytes, size_t size)
{
    size_t first = 0;
    while (first < size && monpro_verdict(bytes[first]) == 0) {
        first++;
    }
    if (first == size) {
        return 0;
    }
    uint32_t bits = (uint32_t)(8 * (size - first - 1));
    for (unsigned top = (unsigned)monpro_verdict(bytes[first]); top != 0; top >>= 1) {
        bits++;
    }
    return bits;
}

static monpro_status check_modulus(const monpro_job *job, const monpro_engine_info *info, monpro_operation *operation,
                                   monpro_error *error)
{
    if (job->modulus_len > UINT32_MAX / 8) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_LONG, "the modulus is absurdly long");
    }
    const uint32_t bits = bit_length(job->modulus, job->modulus_len);
    if (bits == 0) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_ZERO, "the modulus is %s",
                           job->modulus_len == 0 ? "empty" : "zero");
    }
    operation->modulus_bits = bits;
    operation->modulus_len = (bits + 7) / 8;
    operation->modulus = job->modulus + (job->modulus_len - operation->modulus_len);
    if (bits == 1) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_ONE, "the modulus is one");
    }
    if (monpro_verdict(job->modulus[job->modulus_len - 1] & 1u) == 0) { /* one that is secret is odd anyway */
        return monpro_fail(error, MONPRO_ERR_MODULUS_EVEN, "the modulus is even: Montgomery products need an odd one");
    }
    if (bits < info->min_bits || bits > info->max_bits) {
        return monpro_fail(error, bits < info->min_bits ? MONPRO_ERR_MODULUS_SHORT : MONPRO_ERR_MODULUS_LONG,
                           "the modulus has %u bits; %s takes %u to %u", (unsigned)bits, info->spec,
                           (unsigned)info->min_bits, (unsigned)info->max_bits);
    }
    return MONPRO_OK;
}

static monpro_status check_base(const monpro_job *job, monpro_operation *operation, monpro_error *error)
{
    if (job->base_len == 0) {
        return monpro_fail(error, MONPRO_ERR_BASE_EMPTY, "the base has no bytes (zero is one byte)");
    }
    /* Leading zeros are cut down to the modulus' length only: how many there are is the caller's secret. A base
     * shorter than the modulus is below it. */
    const size_t excess = job->base_len > operation->modulus_len ? job->base_len - operation->modulus_len : 0;
    operation->base = job->base + excess;
    operation->base_len = job->base_len - excess;
    uint64_t beyond = 0;
    for (size_t i = 0; i < excess; i++) {
        beyond |= job->base[i];
    }
    uint64_t below = monpro_ct_is_zero(beyond);
    if (operation->base_len == operation->modulus_len) {
        below &= monpro_ct_less(operation->base, operation->modulus, operation->modulus_len);
    }
    if (monpro_verdict(below) == 0) { /* the caller sees it in the status */
        return monpro_fail(error, MONPRO_ERR_BASE_RANGE, "the base is not below the modulus");
    }
    return MONPRO_OK;
}

static monpro_status check_exponent(const monpro_job *job, const monpro_engine_info *info,
                                    monpro_operation *operation, monpro_error *error)
{
    if (job->exponent_len == 0) {
        return monpro_fail(error, MONPRO_ERR_EXPONENT_EMPTY, "the exponent has no bytes (zero is one byte)");
    }
    operation->is_public = (job->flags & MONPRO_EXPONENT_PUBLIC) != 0;
    operation->is_modulus_secret = (job->flags & MONPRO_MODULUS_SECRET) != 0;
    operation->exponent = job->exponent;
    operation->exponent_len = job->exponent_len;
    uint32_t bits = UINT32_MAX;
    if (job->exponent_len <= UINT32_MAX / 8) {
        bits = operation->is_public ? bit_length(job->exponent, job->exponent_len) : 8 * (uint32_t)job->exponent_len;
    }
    if (bits > info->max_bits) {
        return monpro_fail(error, MONPRO_ERR_EXPONENT_LONG, "the exponent has %u bits%s; %s takes at most %u",
                           (unsigned)bits, operation->is_public ? "" : ", leading zeros included (it is a secret)",
                           info->spec, (unsigned)info->max_bits);
    }
    operation->exponent_bits = bits == 0 ? 1 : bits; /* a public zero is processed as one zero bit */
    return MONPRO_OK;
}

monpro_status monpro_job_window(uint32_t asked, const monpro_engine_info *info, const monpro_engine_ops *ops,
                                const void *state, monpro_operation *operation, monpro_error *error)
{
    const bool fixed = operation->scheme == MONPRO_SCHEME_FIXED_WINDOW;
    operation->window = 0;
    if (!monpro_scheme_is_in(operation->scheme, MONPRO_SCHEMES_WITH_WINDOW)) {
        return MONPRO_OK;
    }
    const uint32_t bits = operation->modulus_bits;
    const uint32_t largest = ops->largest_window(state, bits, operation->scheme, operation->crt != NULL);
    if (asked > largest || largest == 0) {
        return monpro_fail(error, MONPRO_ERR_SCHEME, "a window of %u bits; %s has room for at most %u at %u bits",
                           (unsigned)asked, info->spec, (unsigned)largest, (unsigned)bits);
    }
    operation->window = asked;
    if (asked == 0 && fixed) {
        uint32_t look_up_cost[MONPRO_MAX_WINDOW + 1] = {0};
        for (uint32_t window = 1; window <= largest; window++) {
            look_up_cost[window] = ops->look_up_cost(state, bits, window, operation->crt != NULL);
        }
        operation->window = monpro_modexp_window(operation->exponent_bits, largest, look_up_cost);
    } else if (asked == 0) {
        operation->window = monpro_modexp_sliding_window(operation->exponent_bits, largest);
    }
    return MONPRO_OK;
}

static monpro_scheme default_scheme(const monpro_engine_info *info, const monpro_engine_ops *ops, const void *state,
                                    const monpro_operation *operation)
{
    /* Where there is no table at all; what has two multipliers goes from right to left in half the time. Single
     * products have one, and then binary needs fewer numbers. */
    static const monpro_scheme others[] = {MONPRO_SCHEME_RIGHT_TO_LEFT, MONPRO_SCHEME_BINARY, MONPRO_SCHEME_REPEATED};
    const bool has_binary = (info->schemes >> MONPRO_SCHEME_BINARY & 1u) != 0;
    const bool has_table = (info->schemes >> MONPRO_SCHEME_FIXED_WINDOW & 1u) != 0;
    const bool one_at_a_time = info->entries != 0 && has_binary;
    const bool has_window =
        has_table && ops->largest_window(state, operation->modulus_bits, MONPRO_SCHEME_FIXED_WINDOW, false) != 0;
    for (size_t i = 0; !has_table && !one_at_a_time && !(operation->is_public && has_binary) &&
                       i < sizeof others / sizeof *others; i++) {
        if ((info->schemes >> others[i] & 1u) != 0) {
            return others[i];
        }
    }
    return has_binary && (operation->is_public || !has_window) ? MONPRO_SCHEME_BINARY : MONPRO_SCHEME_FIXED_WINDOW;
}

static monpro_status check_scheme(const monpro_job *job, const monpro_engine_info *info, const monpro_engine_ops *ops,
                                  const void *state, monpro_operation *operation, monpro_error *error)
{
#define NAME_OF(NAME, name, number, longest) [MONPRO_SCHEME_##NAME] = name,
#define LONGEST_OF(NAME, name, number, longest) [MONPRO_SCHEME_##NAME] = (longest),
    static const char *const names[MONPRO_SCHEMES_ROWS] = {MONPRO_SCHEMES_LIST(NAME_OF)};
    static const uint32_t longest_exponents[MONPRO_SCHEMES_ROWS] = {MONPRO_SCHEMES_LIST(LONGEST_OF)};
#undef NAME_OF
#undef LONGEST_OF
    const uint32_t asked = (uint32_t)job->scheme;
    if (asked >= MONPRO_SCHEMES_ROWS) {
        return monpro_fail(error, MONPRO_ERR_SCHEME, "scheme %u is unknown", (unsigned)asked);
    }
    operation->scheme = asked == MONPRO_SCHEME_DEFAULT ? default_scheme(info, ops, state, operation) : job->scheme;
    const char *const name = names[operation->scheme];
    const uint32_t longest = longest_exponents[operation->scheme];
    if ((info->schemes >> operation->scheme & 1u) == 0) {
        return monpro_fail(error, MONPRO_ERR_SCHEME, "%s does not have the scheme %s", info->spec, name);
    }
    if (!operation->is_public && !monpro_scheme_is_in(operation->scheme, MONPRO_SCHEMES_FOR_SECRETS)) {
        return monpro_fail(error, MONPRO_ERR_SCHEME, "the time of the scheme %s tells the exponent, which is a secret",
                           name);
    }
    if (longest != 0 && operation->exponent_bits > longest) {
        return monpro_fail(error, MONPRO_ERR_EXPONENT_LONG, "the exponent has %u bits; the scheme %s takes at most %u",
                           (unsigned)operation->exponent_bits, name, (unsigned)longest);
    }
    if (job->window > MONPRO_MAX_WINDOW) {
        return monpro_fail(error, MONPRO_ERR_SCHEME, "a window of %u bits; it can have 1 to %u", (unsigned)job->window,
                           (unsigned)MONPRO_MAX_WINDOW);
    }
    return monpro_job_window(job->window, info, ops, state, operation, error);
}

monpro_status monpro_job_check(const monpro_job *job, const monpro_engine_info *info, const monpro_engine_ops *ops,
                               const void *state, monpro_operation *operation, monpro_error *error)
{
    memset(operation, 0, sizeof *operation);
    if ((job->modulus == NULL && job->modulus_len != 0) || (job->base == NULL && job->base_len != 0) ||
        (job->exponent == NULL && job->exponent_len != 0) || job->result == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "modulus, base, exponent or result is NULL");
    }
    if ((job->flags & ~(uint32_t)(MONPRO_EXPONENT_PUBLIC | MONPRO_MODULUS_SECRET)) != 0) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "unknown flags %08x", (unsigned)job->flags);
    }
    monpro_status status = check_modulus(job, info, operation, error);
    if (status == MONPRO_OK) {
        status = check_base(job, operation, error);
    }
    if (status == MONPRO_OK) {
        status = check_exponent(job, info, operation, error);
    }
    if (status == MONPRO_OK) {
        status = check_scheme(job, info, ops, state, operation, error);
    }
    if (status == MONPRO_OK && job->result_len < operation->modulus_len) {
        return monpro_fail(error, MONPRO_ERR_BUFFER, "room for %u bytes of result; it has %u",
                           (unsigned)job->result_len, (unsigned)operation->modulus_len);
    }
    if (status == MONPRO_OK) {
        operation->result = job->result + (job->result_len - operation->modulus_len);
        operation->result_len = operation->modulus_len;
    }
    return status;
}
