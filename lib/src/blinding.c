/* Base blinding: (c * r^e)^d / r = c^d mod n, so that what the engine sees is independent of c.
 *
 * r is uniform from 1 to n - 1. A pair (r^e, 1/r) is used once and then squared; after MONPRO_BLINDING_USES uses r is
 * drawn anew. Constant time: all of it in r; r^e takes a time that tells the public e. The draw repeats until r < n,
 * which tells nothing of the r that is used. */
#include "blinding.h"

#include <string.h>

#include "modexp.h"
#include "random.h"
#include "secret.h"
#include "wipe.h"

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

static monpro_status renew(monpro_key *key, monpro_error *error)
{
    const monpro_mont *m = &key->mont_n;
    monpro_blinding *blinding = &key->blinding;
    monpro_limb r[MONPRO_MAX_LIMBS];
    monpro_limb invertible;
    do { /* a second round would mean that r has a factor of n */
        const monpro_status status = draw(key, r, error);
        if (status != MONPRO_OK) {
            return status;
        }
        invertible = monpro_limbs_invert(blinding->inverse, r, m->n, m->limbs);
    } while (monpro_verdict(invertible) == 0); /* so is the next r of this one */
    const monpro_exponent e = {key->e, key->e_size, 8 * key->e_size};
    monpro_modexp_binary_vartime(blinding->factor, r, &e, m);
    monpro_mont_enter(blinding->factor, blinding->factor, m);
    monpro_mont_enter(blinding->inverse, blinding->inverse, m);
    blinding->uses_left = MONPRO_BLINDING_USES;
    monpro_wipe(r, sizeof r);
    return MONPRO_OK;
}

monpro_status monpro_blinding_take(monpro_key *key, monpro_limb *factor, monpro_limb *inverse, monpro_error *error)
{
    const monpro_mont *m = &key->mont_n;
    monpro_blinding *blinding = &key->blinding;
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
