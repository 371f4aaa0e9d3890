/* A job of monpro/scanning.h: its checks, the instance that does it, and the library's own products in the same form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "monpro/scanning.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "bignum/modexp.h"
#include "bignum/montgomery.h"
#include "study/run.h"
#include "base/status.h"
#include "base/wipe.h"

uint64_t monpro_scanning_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t monpro_scanning_clock_ns(void)
{
    enum { READINGS = 64 };
    const uint64_t start_ns = monpro_scanning_now_ns();
    for (unsigned i = 1; i < READINGS; i++) {
        (void)monpro_scanning_now_ns();
    }
    return (monpro_scanning_now_ns() - start_ns) / READINGS;
}

static void library_modulus(monpro_mont *m, const scanning_checked *checked)
{
    monpro_limb n[MONPRO_MAX_LIMBS];
    const size_t limbs = monpro_limbs_for_bits(checked->modulus_bits);
    monpro_limbs_from_bytes(n, limbs, checked->modulus, checked->modulus_len);
    monpro_mont_init(m, n, limbs, checked->modulus_bits);
}

static void library_product(const scanning_checked *checked)
{
    monpro_scanning_job *job = checked->job;
    monpro_mont m;
    monpro_limb a[MONPRO_MAX_LIMBS], b[MONPRO_MAX_LIMBS];
    library_modulus(&m, checked);
    monpro_limbs_from_bytes(a, m.limbs, job->a, job->a_len);
    monpro_limbs_from_bytes(b, m.limbs, job->b, job->b_len);
    const uint64_t start_ns = monpro_scanning_now_ns();
    for (uint64_t i = 0; i < job->repeats; i++) {
        monpro_mont_mul(a, a, b, &m);
    }
    job->time_ns[MONPRO_SCANNING_PART_PRODUCTS] = monpro_scanning_now_ns() - start_ns;
    monpro_limbs_to_bytes(job->result, job->result_len, a, m.limbs);
    monpro_wipe(a, sizeof a);
    monpro_wipe(b, sizeof b);
    monpro_wipe(&m, sizeof m);
}

static void library_modexp(const scanning_checked *checked)
{
    monpro_scanning_job *job = checked->job;
    const monpro_exponent exponent = {job->b, job->b_len, 8 * job->b_len};
    monpro_mont m;
    monpro_limb r[MONPRO_MAX_LIMBS];
    const uint64_t start_ns = monpro_scanning_now_ns();
    library_modulus(&m, checked);
    const uint64_t constants_ns = monpro_scanning_now_ns();
    monpro_limbs_from_bytes(r, m.limbs, job->a, job->a_len);
    monpro_modexp_binary(r, r, &exponent, &m);
    monpro_limbs_to_bytes(job->result, job->result_len, r, m.limbs);
    job->time_ns[MONPRO_SCANNING_PART_CONSTANTS] = constants_ns - start_ns;
    job->time_ns[MONPRO_SCANNING_PART_PRODUCTS] = monpro_scanning_now_ns() - constants_ns;
    monpro_wipe(r, sizeof r);
    monpro_wipe(&m, sizeof m);
}

const scanning_instance monpro_scanning_library = {
    MONPRO_SCANNING_PLAIN, MONPRO_LIMB_BITS, library_product, library_modexp,
};

static const scanning_instance *find(const monpro_scanning_job *job)
{
    if (job->method == MONPRO_SCANNING_LIBRARY) {
        const bool known = job->form == MONPRO_SCANNING_PLAIN && job->digit_bits == MONPRO_LIMB_BITS;
        return known ? &monpro_scanning_library : NULL;
    }
    const struct {
        const scanning_instance *instances;
        size_t count;
    } tables[] = {
        {monpro_scanning_plain, monpro_scanning_plain_count},
        {monpro_scanning_counted, monpro_scanning_counted_count},
        {monpro_scanning_profile, monpro_scanning_profile_count},
    };
    for (size_t table = 0; table < sizeof tables / sizeof *tables; table++) {
        for (size_t i = 0; i < tables[table].count; i++) {
            const scanning_instance *instance = &tables[table].instances[i];
            if (instance->form == job->form && instance->digit_bits == job->digit_bits) {
                return instance;
            }
        }
    }
    return NULL;
}

static void skip_zeros(const uint8_t **bytes, size_t *size)
{
    while (*size > 0 && **bytes == 0) {
        (*bytes)++;
        (*size)--;
    }
}

/* Whether an operand is below the modulus. Its leading zeros are ignored. The time tells its length, not its value. */
static bool below(const uint8_t *bytes, size_t size, const scanning_checked *checked)
{
    uint8_t padded[MONPRO_MAX_BYTES] = {0};
    skip_zeros(&bytes, &size);
    if (size > checked->modulus_len) {
        return false;
    }
    if (size > 0) {
        memcpy(padded + checked->modulus_len - size, bytes, size);
    }
    const bool less = monpro_ct_less(padded, checked->modulus, checked->modulus_len) != 0;
    monpro_wipe(padded, sizeof padded);
    return less;
}

static monpro_status check(scanning_checked *checked, monpro_scanning_job *job, bool modexp, monpro_error *error)
{
    if ((unsigned)job->method > MONPRO_SCANNING_LIBRARY || (unsigned)job->form > MONPRO_SCANNING_CALLED_NO_AB) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "no such method, or no such form of it");
    }
    if (job->modulus == NULL || (job->a == NULL && job->a_len > 0) || (job->b == NULL && job->b_len > 0)) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "NULL with a length");
    }
    if (modexp ? job->repeats != 0 : job->repeats == 0) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT,
                           "a chain has a product or more, an exponentiation has no repeats");
    }
    checked->job = job;
    checked->modulus = job->modulus;
    checked->modulus_len = job->modulus_len;
    skip_zeros(&checked->modulus, &checked->modulus_len);
    if (checked->modulus_len == 0) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_ZERO, "the modulus is zero");
    }
    if (checked->modulus_len == 1 && checked->modulus[0] == 1) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_ONE, "the modulus is one");
    }
    if ((checked->modulus[checked->modulus_len - 1] & 1u) == 0) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_EVEN, "the modulus is even: Montgomery products need an odd one");
    }
    if (checked->modulus_len > MONPRO_MAX_BYTES) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_LONG, "the modulus has more than %u bits",
                           (unsigned)MONPRO_MAX_BITS);
    }
    checked->modulus_bits = 8 * (checked->modulus_len - 1);
    for (unsigned first = checked->modulus[0]; first != 0; first >>= 1) {
        checked->modulus_bits++;
    }
    if (!below(job->a, job->a_len, checked) || (!modexp && !below(job->b, job->b_len, checked))) {
        return monpro_fail(error, MONPRO_ERR_BASE_RANGE, "an operand is not below the modulus");
    }
    if (modexp && job->b_len == 0) {
        return monpro_fail(error, MONPRO_ERR_EXPONENT_EMPTY, "the exponent has no bytes");
    }
    if (job->result_len < checked->modulus_len) {
        return monpro_fail(error, MONPRO_ERR_BUFFER, "the result needs %u bytes", (unsigned)checked->modulus_len);
    }
    return MONPRO_OK;
}

static monpro_status run(monpro_scanning_job *job, bool modexp, monpro_error *error)
{
    scanning_checked checked;
    monpro_error_reset(error);
    if (job == NULL || (job->result == NULL && job->result_len > 0)) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "NULL is no job, and no place for a result");
    }
    memset(job->counts, 0, sizeof job->counts);
    memset(job->time_ns, 0, sizeof job->time_ns);
    monpro_status status = check(&checked, job, modexp, error);
    const scanning_instance *instance = status == MONPRO_OK ? find(job) : NULL;
    if (status == MONPRO_OK && instance == NULL) {
        status = monpro_fail(error, MONPRO_ERR_UNSUPPORTED, "not with digits of %u bits in this build",
                             (unsigned)job->digit_bits);
    }
    if (status != MONPRO_OK) {
        if (job->result_len > 0) {
            memset(job->result, 0, job->result_len);
        }
        return status;
    }
    (modexp ? instance->modexp : instance->product)(&checked);
    return MONPRO_OK;
}

monpro_status monpro_scanning_product(monpro_scanning_job *job, monpro_error *error)
{
    return run(job, false, error);
}

monpro_status monpro_scanning_modexp(monpro_scanning_job *job, monpro_error *error)
{
    return run(job, true, error);
}
