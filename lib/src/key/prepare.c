/* What the software around an engine precomputes from a key's numbers. Constant time; freestanding.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/wipe.h"
#include "key/key.h"

static void init_mont(monpro_mont *m, const uint8_t *bytes, size_t size, size_t limbs, uint32_t bits)
{
    monpro_limb number[MONPRO_MAX_LIMBS];
    monpro_limbs_from_bytes(number, limbs, bytes, size);
    monpro_mont_init(m, number, limbs, bits);
    monpro_wipe(number, sizeof number);
}

void monpro_key_prepare_public(monpro_key *key)
{
    init_mont(&key->mont_n, key->n, key->size, monpro_limbs_for_bits(key->bits), key->bits);
}

void monpro_key_prepare_private(monpro_key *key, const uint8_t *qinv)
{
    const size_t limbs = monpro_limbs_for_bits(key->p_bits > key->q_bits ? key->p_bits : key->q_bits);
    init_mont(&key->mont_p, key->p, key->p_size, limbs, key->p_bits);
    init_mont(&key->mont_q, key->q, key->q_size, limbs, key->q_bits);
    monpro_limbs_from_bytes(key->qinv, limbs, qinv, key->p_size);
    monpro_mont_enter(key->qinv_p, key->qinv, &key->mont_p);
}
