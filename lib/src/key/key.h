/* A key: its numbers, and what the software around the engine precomputes from them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_KEY_H
#define MONPRO_KEY_H

#include <stdbool.h>

#include "bignum/montgomery.h"
#include "monpro/monpro.h"

#define MONPRO_KEY_MIN_BITS 512
#define MONPRO_KEY_MAX_BITS MONPRO_MAX_BITS
/* The primes' lengths differ by no more than this: both halves of a CRT fit one count of limbs, nearly of equal cost. */
#define MONPRO_KEY_MAX_IMBALANCE_BITS 64

/* Blinding: c is multiplied by r^e, the result by 1/r. A pair serves a few uses, squared after each, which gives the
 * pair of r^2. Some r are drawn at once, as one inversion does for them all. */
#define MONPRO_BLINDING_USES 32
#define MONPRO_BLINDING_DRAWN 4
typedef struct monpro_blinding {
    uint64_t process;                        /* that drew it: the other side of a fork draws its own */
    unsigned uses_left;                      /* of the pair; 0: a new r is needed */
    unsigned drawn;                          /* that have not been used: the first of those below */
    monpro_limb factor[MONPRO_MAX_LIMBS];    /* r^e in Montgomery form */
    monpro_limb inverse[MONPRO_MAX_LIMBS];   /* 1/r in Montgomery form */
    monpro_limb next_r[MONPRO_BLINDING_DRAWN][MONPRO_MAX_LIMBS], next_inverse[MONPRO_BLINDING_DRAWN][MONPRO_MAX_LIMBS];
} monpro_blinding;

struct monpro_key {
    struct evp_pkey_st *pkey; /* libcrypto's form (EVP_PKEY), for writing; NULL on bare metal */
    uint32_t bits;
    bool is_private;
    size_t size;    /* bytes of n, and of d */
    size_t e_size;
    uint8_t n[MONPRO_MAX_BYTES], e[MONPRO_MAX_BYTES];
    monpro_mont mont_n;
    /* Private keys only. p and dp have p_size bytes; q and dq q_size. */
    uint8_t d[MONPRO_MAX_BYTES];
    size_t p_size, q_size;
    uint32_t p_bits, q_bits;
    uint8_t p[MONPRO_MAX_BYTES], q[MONPRO_MAX_BYTES], dp[MONPRO_MAX_BYTES], dq[MONPRO_MAX_BYTES];
    monpro_mont mont_p, mont_q;           /* of the same count of limbs */
    monpro_limb qinv[MONPRO_MAX_LIMBS];   /* 1/q mod p */
    monpro_limb qinv_p[MONPRO_MAX_LIMBS]; /* the same in Montgomery form */
    monpro_blinding blinding;
};

/* Takes the numbers of an RSA key from libcrypto's form, checks every relation between them, and fills the key in.
 * `pkey` stays the caller's. */
monpro_status monpro_key_adopt(monpro_key *key, struct evp_pkey_st *pkey, monpro_error *error);

/* Fills in what follows from the other numbers: mont_n; and of a private key mont_p, mont_q, qinv and qinv_p, from qinv's
 * p_size bytes. Nothing is checked. Freestanding. */
void monpro_key_prepare_public(monpro_key *key);
void monpro_key_prepare_private(monpro_key *key, const uint8_t *qinv);

#endif
