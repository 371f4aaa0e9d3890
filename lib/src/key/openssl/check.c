/* Taking the numbers of a key over, and checking them. Each relation has a status of its own.
 *
 * The checks are libcrypto's big-number arithmetic on numbers that were just read from a file. They are not claimed to
 * be constant-time (docs/api.md). The primality test is a Fermat test to base 2, by our own constant-time
 * exponentiation. It is there to find damage and confusion, not a forger of pseudoprimes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/wipe.h"
#include "bignum/modexp.h"
#include "key/key.h"

/* More than any key that is allowed: for longer numbers libcrypto has its own limit of 16384 bits. */
enum { MAX_NUMBER_BYTES = 2048 };

typedef struct numbers {
    BIGNUM *n, *e, *d, *p, *q, *dp, *dq, *qinv;
} numbers;

static void free_numbers(numbers *x)
{
    BN_clear_free(x->n);
    BN_clear_free(x->e);
    BN_clear_free(x->d);
    BN_clear_free(x->p);
    BN_clear_free(x->q);
    BN_clear_free(x->dp);
    BN_clear_free(x->dq);
    BN_clear_free(x->qinv);
}

/* *value = the number of that name, or NULL if the key has none. False: there was no memory for it, which must not make a
 * private key look like a public one. */
static bool take(EVP_PKEY *pkey, const char *name, BIGNUM **value)
{
    uint8_t bytes[MAX_NUMBER_BYTES] = {0};
    OSSL_PARAM wanted[] = {OSSL_PARAM_construct_BN(name, bytes, sizeof bytes), OSSL_PARAM_construct_end()};
    bool known = EVP_PKEY_get_params(pkey, wanted) == 1;
    *value = NULL;
    if (known && OSSL_PARAM_modified(wanted) != 0) {
        known = OSSL_PARAM_get_BN(wanted, value) == 1;
    }
    monpro_wipe(bytes, sizeof bytes);
    return known;
}

static bool take_all(EVP_PKEY *pkey, numbers *x, BIGNUM **third)
{
    return take(pkey, OSSL_PKEY_PARAM_RSA_N, &x->n) && take(pkey, OSSL_PKEY_PARAM_RSA_E, &x->e) &&
           take(pkey, OSSL_PKEY_PARAM_RSA_D, &x->d) && take(pkey, OSSL_PKEY_PARAM_RSA_FACTOR1, &x->p) &&
           take(pkey, OSSL_PKEY_PARAM_RSA_FACTOR2, &x->q) && take(pkey, OSSL_PKEY_PARAM_RSA_EXPONENT1, &x->dp) &&
           take(pkey, OSSL_PKEY_PARAM_RSA_EXPONENT2, &x->dq) && take(pkey, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, &x->qinv) &&
           take(pkey, OSSL_PKEY_PARAM_RSA_FACTOR3, third);
}

static monpro_status wrong_size(unsigned bits, monpro_error *error)
{
    return monpro_fail(error, MONPRO_ERR_KEY_SIZE, "the key has %u bits; %u to %u are allowed", bits,
                       (unsigned)MONPRO_KEY_MIN_BITS, (unsigned)MONPRO_KEY_MAX_BITS);
}

static monpro_status check_public(const numbers *x, monpro_error *error)
{
    if (x->n == NULL || x->e == NULL) {
        return monpro_fail(error, MONPRO_ERR_KEY_FORMAT, "the key lacks its modulus or its public exponent");
    }
    const unsigned bits = (unsigned)BN_num_bits(x->n);
    if (bits < MONPRO_KEY_MIN_BITS || bits > MONPRO_KEY_MAX_BITS) {
        return wrong_size(bits, error);
    }
    if (BN_is_negative(x->n) || !BN_is_odd(x->n)) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_EVEN, "the key's modulus is even");
    }
    if (BN_is_negative(x->e) || !BN_is_odd(x->e) || BN_is_one(x->e) || BN_cmp(x->e, x->n) >= 0) {
        return monpro_fail(error, MONPRO_ERR_KEY_EXPONENT,
                           "the public exponent is 0, 1, even, or not below the modulus");
    }
    return MONPRO_OK;
}

/* Sets *holds to whether a * b = 1 mod m. */
static bool is_inverse(const BIGNUM *a, const BIGNUM *b, const BIGNUM *m, BN_CTX *context, bool *holds)
{
    BIGNUM *product = BN_new();
    const bool done = product != NULL && BN_mod_mul(product, a, b, m, context) == 1;
    *holds = done && BN_is_one(product);
    BN_clear_free(product);
    return done;
}

/* All relations of a private key but the primality of p and q. */
static monpro_status check_private(const numbers *x, monpro_error *error)
{
    if (x->p == NULL || x->q == NULL || x->dp == NULL || x->dq == NULL || x->qinv == NULL || BN_is_zero(x->p) ||
        BN_is_zero(x->q)) {
        return monpro_fail(error, MONPRO_ERR_KEY_PRIMES, "the key does not hold its two primes and their exponents");
    }
    if (BN_cmp(x->p, x->q) == 0) {
        return monpro_fail(error, MONPRO_ERR_KEY_EQUAL_PRIMES, "p and q are equal");
    }
    const int imbalance = BN_num_bits(x->p) - BN_num_bits(x->q);
    BN_CTX *context = BN_CTX_secure_new();
    BIGNUM *p1 = BN_dup(x->p), *q1 = BN_dup(x->q), *product = BN_new();
    bool dp = false, dq = false, qinv = false, d_p = false, d_q = false;
    monpro_status status = MONPRO_OK;
    if (context == NULL || p1 == NULL || q1 == NULL || product == NULL || !BN_mul(product, x->p, x->q, context) ||
        !BN_sub_word(p1, 1) || !BN_sub_word(q1, 1)) {
        status = monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to check the key");
    } else if (BN_cmp(product, x->n) != 0) {
        status = monpro_fail(error, MONPRO_ERR_KEY_PRODUCT, "the modulus is not the product of p and q");
    } else if (BN_is_one(x->p) || BN_is_one(x->q) || BN_is_negative(x->p) || imbalance > MONPRO_KEY_MAX_IMBALANCE_BITS ||
               -imbalance > MONPRO_KEY_MAX_IMBALANCE_BITS) {
        status = monpro_fail(error, MONPRO_ERR_KEY_PRIMES, "the lengths of p and q differ by more than %u bits",
                             (unsigned)MONPRO_KEY_MAX_IMBALANCE_BITS);
    } else if (!is_inverse(x->d, x->e, p1, context, &d_p) || !is_inverse(x->d, x->e, q1, context, &d_q) ||
               !is_inverse(x->dp, x->e, p1, context, &dp) || !is_inverse(x->dq, x->e, q1, context, &dq) ||
               !is_inverse(x->qinv, x->q, x->p, context, &qinv)) {
        status = monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to check the key");
    } else if (!d_p || !d_q || BN_is_negative(x->d) || BN_cmp(x->d, x->n) >= 0) {
        status = monpro_fail(error, MONPRO_ERR_KEY_D, "d * e is not 1 modulo p - 1 and q - 1, or d is not below n");
    } else if (!dp || BN_is_negative(x->dp) || BN_cmp(x->dp, x->p) >= 0) {
        status = monpro_fail(error, MONPRO_ERR_KEY_DP, "dP * e is not 1 modulo p - 1, or dP is not below p");
    } else if (!dq || BN_is_negative(x->dq) || BN_cmp(x->dq, x->q) >= 0) {
        status = monpro_fail(error, MONPRO_ERR_KEY_DQ, "dQ * e is not 1 modulo q - 1, or dQ is not below q");
    } else if (!qinv || BN_is_negative(x->qinv) || BN_cmp(x->qinv, x->p) >= 0) {
        status = monpro_fail(error, MONPRO_ERR_KEY_QINV, "qInv * q is not 1 modulo p, or qInv is not below p");
    }
    BN_clear_free(product);
    BN_clear_free(q1);
    BN_clear_free(p1);
    BN_CTX_free(context);
    return status;
}

static bool to_bytes(uint8_t *bytes, size_t size, const BIGNUM *value)
{
    return BN_bn2binpad(value, bytes, (int)size) >= 0;
}

/* Sets *passed to whether 2^(m-1) = 1 mod m. */
static bool fermat(const monpro_mont *m, const uint8_t *bytes, size_t size, uint32_t bits, bool *passed)
{
    const size_t table_bytes = monpro_modexp_table_limbs(m->limbs, MONPRO_MAX_WINDOW) * sizeof(monpro_limb);
    monpro_limb *table = malloc(table_bytes);
    uint8_t minus_one[MONPRO_MAX_BYTES];
    monpro_limb power[MONPRO_MAX_LIMBS] = {2};
    if (table == NULL) {
        return false;
    }
    memcpy(minus_one, bytes, size);
    minus_one[size - 1] &= 0xfe; /* m is odd */
    const monpro_exponent exponent = {minus_one, size, bits};
    monpro_modexp_fixed_window(power, power, &exponent, monpro_modexp_window(bits, MONPRO_MAX_WINDOW, NULL), table, m);
    monpro_limb difference = power[0] ^ 1u;
    for (size_t i = 1; i < m->limbs; i++) {
        difference |= power[i];
    }
    *passed = monpro_ct_is_zero(difference) != 0;
    monpro_wipe(minus_one, sizeof minus_one);
    monpro_wipe(power, sizeof power);
    free(table); /* wiped by the exponentiation */
    return true;
}

static monpro_status fill_public(monpro_key *key, const numbers *x, monpro_error *error)
{
    key->bits = (uint32_t)BN_num_bits(x->n);
    key->size = (size_t)BN_num_bytes(x->n);
    key->e_size = (size_t)BN_num_bytes(x->e);
    if (!to_bytes(key->n, key->size, x->n) || !to_bytes(key->e, key->e_size, x->e)) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the key's numbers");
    }
    monpro_key_prepare_public(key);
    return MONPRO_OK;
}

static monpro_status fill_private(monpro_key *key, const numbers *x, monpro_error *error)
{
    uint8_t qinv[MONPRO_MAX_BYTES];
    key->p_bits = (uint32_t)BN_num_bits(x->p);
    key->q_bits = (uint32_t)BN_num_bits(x->q);
    key->p_size = (size_t)BN_num_bytes(x->p);
    key->q_size = (size_t)BN_num_bytes(x->q);
    if (!to_bytes(key->d, key->size, x->d) || !to_bytes(key->p, key->p_size, x->p) ||
        !to_bytes(key->q, key->q_size, x->q) || !to_bytes(key->dp, key->p_size, x->dp) ||
        !to_bytes(key->dq, key->q_size, x->dq) || !to_bytes(qinv, key->p_size, x->qinv)) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the key's numbers");
    }
    monpro_key_prepare_private(key, qinv);
    monpro_wipe(qinv, sizeof qinv);
    bool p_prime = false, q_prime = false;
    if (!fermat(&key->mont_p, key->p, key->p_size, key->p_bits, &p_prime) ||
        !fermat(&key->mont_q, key->q, key->q_size, key->q_bits, &q_prime)) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to check the key's primes");
    }
    if (!p_prime || !q_prime) {
        return monpro_fail(error, MONPRO_ERR_KEY_PRIMES, "%s is not a prime", p_prime ? "q" : "p");
    }
    key->is_private = true;
    return MONPRO_OK;
}

/* Takes the numbers and checks all of them but whether p and q are primes. */
static monpro_status take_and_check(EVP_PKEY *pkey, numbers *x, monpro_error *error)
{
    BIGNUM *third = NULL;
    monpro_status status = take_all(pkey, x, &third)
                               ? check_public(x, error)
                               : monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the key's numbers");
    if (status == MONPRO_OK && third != NULL) {
        status = monpro_fail(error, MONPRO_ERR_KEY_PRIMES, "the key has more than two primes");
    }
    if (status == MONPRO_OK && x->d != NULL) {
        status = check_private(x, error);
    }
    BN_clear_free(third);
    return status;
}

monpro_status monpro_key_adopt(monpro_key *key, EVP_PKEY *pkey, monpro_error *error)
{
    numbers x = {0};
    if (EVP_PKEY_get_bits(pkey) > 8 * MAX_NUMBER_BYTES) {
        return wrong_size((unsigned)EVP_PKEY_get_bits(pkey), error);
    }
    (void)ERR_set_mark(); /* asking a public key for d leaves an error behind */
    monpro_status status = take_and_check(pkey, &x, error);
    if (status != MONPRO_OK && status != MONPRO_ERR_MEMORY) {
        /* libcrypto gives one factor for another when it has no memory for their list, and does not say so. */
        free_numbers(&x);
        memset(&x, 0, sizeof x);
        status = take_and_check(pkey, &x, error);
    }
    if (status == MONPRO_OK) {
        monpro_error_reset(error);
        status = fill_public(key, &x, error);
    }
    if (status == MONPRO_OK && x.d != NULL) {
        status = fill_private(key, &x, error);
    }
    free_numbers(&x);
    (void)ERR_pop_to_mark();
    return status;
}
