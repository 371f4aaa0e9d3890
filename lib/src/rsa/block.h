/* The arithmetic around the exponentiations of one RSA private operation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_RSA_BLOCK_H
#define MONPRO_RSA_BLOCK_H

#include <stdbool.h>

#include "key/key.h"

/* Who does the CRT. */
typedef enum monpro_rsa_form {
    MONPRO_RSA_WHOLE,  /* nobody: one exponentiation by d */
    MONPRO_RSA_HALVES, /* rsa/block.c, around two exponentiations */
    MONPRO_RSA_ENGINE  /* the engine, in one operation */
} monpro_rsa_form;

typedef struct monpro_rsa_block {
    monpro_rsa_form form;
    bool blinding;
    uint8_t base_p[MONPRO_MAX_BYTES], base_q[MONPRO_MAX_BYTES];   /* if not in halves, base_p is the whole b */
    uint8_t power_p[MONPRO_MAX_BYTES], power_q[MONPRO_MAX_BYTES]; /* and power_p the whole m' */
    uint8_t result[MONPRO_MAX_BYTES], check[MONPRO_MAX_BYTES];
    monpro_limb unblind[MONPRO_MAX_LIMBS];
} monpro_rsa_block;

/* Blinds `in`, a number below n of the key's size, and fills in the bases. form and blinding are set. */
monpro_status monpro_rsa_block_begin(monpro_rsa_block *block, monpro_key *key, const uint8_t *in, monpro_error *error);

/* The result of the powers; not checked. */
void monpro_rsa_block_finish(monpro_rsa_block *block, const monpro_key *key);

#endif
