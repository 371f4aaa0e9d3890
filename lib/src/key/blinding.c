/* Base blinding: (c * r^e)^d / r = c^d mod n. What the engine sees is therefore independent of c.
 *
 * r is uniform from 1 to n - 1. A pair (r^e, 1/r) is used once and then squared. After MONPRO_BLINDING_USES uses r is
 * drawn anew. A child of fork() draws its own r at once; the parent goes on with its pair.
 *
 * Constant time: everything in r. The time of r^e tells e, which is public. The draw repeats until r < n, which tells
 * nothing of the r that is used.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "key/blinding.h"

#include <string.h>

#include "base/process.h"
#include "base/random.h"
#include "base/secret.h"
#include "base/wipe.h"
#include "bignum/modexp.h"

/* r = uniform from 1 to n - 1. */
static monpro_status draw(const monpro_key *key, monpro_limb *r, monpro_error *error)
{
    static const uint8_t zero[MONPRO_MAX_BYTES];
    uint8_t bytes[MONPRO_MAX_BYTES];
    const unsigned spare_bits = (unsigned)(8 * key->size - key->bits);
    monpro_status status;
    do {
        status = monpro_random(bytes, key->size, error);
        monpro_secret(bytes, key->size);
        bytes[0] &= (uint8_t)(0xffu >> spare_bits);
        /* A draw that is thrown away may show: the next is independent of it. */
    } while (status == MONPRO_OK && (monpro_verdict(monpro_ct_less(bytes, key->n, key->size)) == 0 ||
                                     monpro_verdict(monpro_ct_equal(bytes, zero, key->size)) != 0));
    monpro_limbs_from_bytes(r, key->mont_n.limbs, bytes, key->size);
    monpro_wipe(bytes, sizeof bytes);
    return status;
}

/* New r. The inverse of their product gives their inverses (Montgomery's trick): with P_i = r_0 ... r_i / R^i,
 *     1/r_i = (1/P_i) * P_(i-1) / R,  1/P_(i-1) = (1/P_i) * r_i / R. */
static monpro_status draw_some(monpro_key *key, monpro_error *error)
{
    enum { LAST = MONPRO_BLINDING_DRAWN - 1 };
    const monpro_mont *m = &key->mont_n;
    monpro_blinding *blinding = &key->blinding;
    monpro_limb inverse[MONPRO_MAX_LIMBS];
    monpro_limb invertible;
    do { /* a second round would mean that an r has a factor of n */
        for (size_t i = 0; i <= LAST; i++) {
            const monpro_status status = draw(key, blinding->next_r[i], error);
            if (status != MONPRO_OK) {
                return status;
            }
        }
        memcpy(blinding->next_inverse[0], blinding->next_r[0], m->limbs * sizeof *inverse);
        for (size_t i = 1; i <= LAST; i++) {
            monpro_mont_mul(blinding->next_inverse[i], blinding->next_inverse[i - 1], blinding->next_r[i], m);
        }
        invertible = monpro_limbs_invert(inverse, blinding->next_inverse[LAST], m->n, m->limbs);
    } while (monpro_verdict(invertible) == 0); /* so are the next r of these */
    for (size_t i = LAST; i > 0; i--) {
        monpro_mont_mul(blinding->next_inverse[i], inverse, blinding->next_inverse[i - 1], m);
        monpro_mont_mul(inverse, inverse, blinding->next_r[i], m);
    }
    memcpy(blinding->next_inverse[0], inverse, m->limbs * sizeof *inverse);
    blinding->drawn = MONPRO_BLINDING_DRAWN;
    monpro_wipe(inverse, sizeof inverse);
    return MONPRO_OK;
}

static monpro_status renew(monpro_key *key, monpro_error *error)
{
    const monpro_mont *m = &key->mont_n;
    monpro_blinding *blinding = &key->blinding;
    if (blinding->drawn == 0) {
        const monpro_status status = draw_some(key, error);
        if (status != MONPRO_OK) {
            return status;
        }
    }
    monpro_limb *const r = blinding->next_r[--blinding->drawn], *const inverse = blinding->next_inverse[blinding->drawn];
    const monpro_exponent e = {key->e, key->e_size, 8 * key->e_size};
    monpro_modexp_binary_vartime(blinding->factor, r, &e, m);
    monpro_mont_enter(blinding->factor, blinding->factor, m);
    monpro_mont_enter(blinding->inverse, inverse, m);
    blinding->uses_left = MONPRO_BLINDING_USES;
    monpro_wipe(r, m->limbs * sizeof *r);
    monpro_wipe(inverse, m->limbs * sizeof *inverse);
    return MONPRO_OK;
}

monpro_status monpro_blinding_take(monpro_key *key, monpro_limb *factor, monpro_limb *inverse, monpro_error *error)
{
    const monpro_mont *m = &key->mont_n;
    monpro_blinding *blinding = &key->blinding;
    const uint64_t process = monpro_process();
    if (blinding->process != process) { /* a child of fork(): the parent has the same pair */
        monpro_blinding_drop(key);
        blinding->process = process;
    }
    if (blinding->uses_left == 0) {
        const monpro_status status = renew(key, error);
        if (status != MONPRO_OK) {
            return status;
        }
    }
    memcpy(factor, blinding->factor, m->limbs * sizeof *factor);
    memcpy(inverse, blinding->inverse, m->limbs * sizeof *inverse);
    monpro_mont_sqr(blinding->factor, blinding->factor, m);
    monpro_mont_sqr(blinding->inverse, blinding->inverse, m);
    blinding->uses_left--;
    return MONPRO_OK;
}

void monpro_blinding_drop(monpro_key *key)
{
    monpro_wipe(&key->blinding, sizeof key->blinding);
}
