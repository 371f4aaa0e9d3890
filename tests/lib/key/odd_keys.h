/* Keys that libcrypto does not make by itself.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_ODD_KEYS_H
#define MONPRO_ODD_KEYS_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>

#include "test.h"

static inline BIGNUM *prime(int bits)
{
    BIGNUM *made = BN_new();
    BIGNUM *e = BN_new(), *rest = BN_new();
    BN_CTX *context = BN_CTX_new();
    BN_set_word(e, 65537);
    do { /* only the highest bit is set for sure, so that a product can have either length */
        do {
            BN_rand(made, bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD);
        } while (BN_check_prime(made, context, NULL) != 1);
        BN_mod(rest, made, e, context);
    } while (BN_is_one(rest));
    BN_free(e);
    BN_free(rest);
    BN_CTX_free(context);
    return made;
}

/* The key of p and q in this order, with e = 65537. */
static inline monpro_key *key_of(const BIGNUM *p, const BIGNUM *q)
{
    BN_CTX *context = BN_CTX_new();
    BIGNUM *n = BN_new(), *e = BN_new(), *d = BN_new(), *dp = BN_new(), *dq = BN_new(), *qinv = BN_new();
    BIGNUM *p1 = BN_dup(p), *q1 = BN_dup(q), *phi = BN_new();
    BN_set_word(e, 65537);
    BN_mul(n, p, q, context);
    BN_sub_word(p1, 1);
    BN_sub_word(q1, 1);
    BN_mul(phi, p1, q1, context);
    BN_mod_inverse(d, e, phi, context);
    BN_mod(dp, d, p1, context);
    BN_mod(dq, d, q1, context);
    BN_mod_inverse(qinv, q, p, context);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n);
    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e);
    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_D, d);
    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_FACTOR1, p);
    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_FACTOR2, q);
    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_EXPONENT1, dp);
    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_EXPONENT2, dq);
    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, qinv);
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *pkey = NULL;
    CHECK(EVP_PKEY_fromdata_init(maker) == 1 && EVP_PKEY_fromdata(maker, &pkey, EVP_PKEY_KEYPAIR, parameters) == 1);
    unsigned char *der = NULL;
    const int size = i2d_PrivateKey(pkey, &der);
    monpro_key *key = NULL;
    REQUIRE(monpro_key_read(&key, der, (size_t)size, NULL, NULL));
    OPENSSL_free(der);
    EVP_PKEY_free(pkey);
    EVP_PKEY_CTX_free(maker);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    BIGNUM *const all[] = {n, e, d, dp, dq, qinv, p1, q1, phi};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        BN_clear_free(all[i]);
    }
    BN_CTX_free(context);
    return key;
}

/* A key with primes and a modulus of such lengths; if the primes have the same, p is above q or not. */
static inline monpro_key *odd_key(int p_bits, int q_bits, int n_bits, bool p_above_q)
{
    BIGNUM *p = NULL, *q = NULL, *n = BN_new();
    BN_CTX *context = BN_CTX_new();
    do {
        BN_free(p);
        BN_free(q);
        p = prime(p_bits);
        q = prime(q_bits);
        BN_mul(n, p, q, context);
    } while (BN_num_bits(n) != n_bits || (p_bits == q_bits && (BN_cmp(p, q) > 0) != p_above_q));
    monpro_key *key = key_of(p, q);
    BN_free(p);
    BN_free(q);
    BN_free(n);
    BN_CTX_free(context);
    return key;
}

#endif
