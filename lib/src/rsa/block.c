/* An RSA private operation of a block c < n, except for its exponentiations:
 *
 *     b  = c * r^e mod n                               blinding
 *     m1 = (b mod p)^dP mod p,  m2 = (b mod q)^dQ mod q    on the engine
 *     m' = m2 + q * ((m1 - m2) * qInv mod p)           Garner
 *     m  = m' / r mod n
 *
 * An engine that has the CRT does the two lines in the middle in one operation. It does so for primes of one length and
 * n of exactly twice that length. Without CRT: m' = b^d mod n.
 *
 * b mod p is REDC(b) * R^2 by one more product. For that b < n = p * q < p * R suffices; p and q share R.
 *
 * Constant time: all arithmetic on secrets is that of limbs.h and montgomery.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rsa/block.h"

#include <string.h>

#include "base/wipe.h"
#include "key/blinding.h"

/* bytes = number mod p, for a number below n in the limbs of n. */
static void reduce(uint8_t *bytes, size_t size, const monpro_limb *number, size_t limbs, const monpro_mont *m)
{
    monpro_limb wide[2 * MONPRO_MAX_LIMBS], residue[MONPRO_MAX_LIMBS];
    memset(wide, 0, 2 * m->limbs * sizeof *wide);
    memcpy(wide, number, limbs * sizeof *wide);
    monpro_mont_redc(residue, wide, m);
    monpro_mont_enter(residue, residue, m);
    monpro_limbs_to_bytes(bytes, size, residue, m->limbs);
    monpro_wipe(wide, 2 * m->limbs * sizeof *wide);
    monpro_wipe(residue, m->limbs * sizeof *residue);
}

monpro_status monpro_rsa_block_begin(monpro_rsa_block *block, monpro_key *key, const uint8_t *in, monpro_error *error)
{
    const monpro_mont *n = &key->mont_n;
    monpro_limb number[MONPRO_MAX_LIMBS], factor[MONPRO_MAX_LIMBS];
    if (block->blinding) {
        const monpro_status status = monpro_blinding_take(key, factor, block->unblind, error);
        if (status != MONPRO_OK) {
            return status;
        }
    }
    monpro_limbs_from_bytes(number, n->limbs, in, key->size);
    if (block->blinding) {
        monpro_mont_mul(number, number, factor, n);
    }
    if (block->form == MONPRO_RSA_HALVES) {
        reduce(block->base_p, key->p_size, number, n->limbs, &key->mont_p);
        reduce(block->base_q, key->q_size, number, n->limbs, &key->mont_q);
    } else {
        monpro_limbs_to_bytes(block->base_p, key->size, number, n->limbs);
    }
    monpro_wipe(number, n->limbs * sizeof *number);
    monpro_wipe(factor, n->limbs * sizeof *factor);
    return MONPRO_OK;
}

/* Garner: number = m2 + q * ((m1 - m2) / q mod p), below n; wide has the limbs of both halves. */
static void recombine(monpro_limb *wide, const monpro_key *key, const monpro_rsa_block *block)
{
    const size_t limbs = key->mont_p.limbs;
    monpro_limb m1[MONPRO_MAX_LIMBS], m2[MONPRO_MAX_LIMBS], h[MONPRO_MAX_LIMBS];
    monpro_limb addend[2 * MONPRO_MAX_LIMBS];
    memset(addend, 0, 2 * limbs * sizeof *addend);
    monpro_limbs_from_bytes(m1, limbs, block->power_p, key->p_size);
    monpro_limbs_from_bytes(addend, limbs, block->power_q, key->q_size);
    monpro_mont_mul(m1, m1, key->qinv_p, &key->mont_p);
    monpro_mont_mul(m2, addend, key->qinv_p, &key->mont_p); /* m2 < R is enough, as 1/q < p */
    monpro_limbs_sub_mod(h, m1, m2, key->mont_p.n, limbs);
    monpro_limbs_mul(wide, h, limbs, key->mont_q.n, limbs);
    (void)monpro_limbs_add(wide, wide, addend, 2 * limbs);
    monpro_wipe(m1, limbs * sizeof *m1);
    monpro_wipe(m2, limbs * sizeof *m2);
    monpro_wipe(h, limbs * sizeof *h);
    monpro_wipe(addend, 2 * limbs * sizeof *addend);
}

void monpro_rsa_block_finish(monpro_rsa_block *block, const monpro_key *key)
{
    monpro_limb number[2 * MONPRO_MAX_LIMBS];
    if (block->form == MONPRO_RSA_HALVES) {
        recombine(number, key, block);
    } else {
        monpro_limbs_from_bytes(number, key->mont_n.limbs, block->power_p, key->size);
    }
    if (block->blinding) {
        monpro_mont_mul(number, number, block->unblind, &key->mont_n);
    }
    monpro_limbs_to_bytes(block->result, key->size, number, key->mont_n.limbs);
    monpro_wipe(number, sizeof number);
}
