/* Keys: every form there and back, and every relation between the numbers broken once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "test.h"

enum { ROOM = 8192 };

static BN_CTX *context;

/* The numbers of a private key, to be broken. */
typedef struct parts {
    BIGNUM *n, *e, *d, *p, *q, *dp, *dq, *qinv;
} parts;

/* All numbers from p, q and e. */
static parts complete(const BIGNUM *p, const BIGNUM *q, unsigned long e)
{
    parts k = {BN_new(), BN_new(), BN_new(), BN_dup(p), BN_dup(q), BN_new(), BN_new(), BN_new()};
    BIGNUM *p1 = BN_dup(p), *q1 = BN_dup(q), *phi = BN_new();
    BN_sub_word(p1, 1);
    BN_sub_word(q1, 1);
    BN_mul(phi, p1, q1, context);
    BN_mul(k.n, p, q, context);
    BN_set_word(k.e, e);
    if (BN_mod_inverse(k.d, k.e, phi, context) == NULL) {
        BN_zero(k.d);
    }
    BN_mod(k.dp, k.d, p1, context);
    BN_mod(k.dq, k.d, q1, context);
    if (BN_cmp(p, q) == 0 || BN_mod_inverse(k.qinv, q, p, context) == NULL) {
        BN_one(k.qinv);
    }
    BN_free(p1);
    BN_free(q1);
    BN_free(phi);
    return k;
}

static void free_parts(parts *k)
{
    BIGNUM *all[] = {k->n, k->e, k->d, k->p, k->q, k->dp, k->dq, k->qinv};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        BN_free(all[i]);
    }
}

/* Reads the key made of the parts; with_private: as PKCS#1 private, else public. */
static monpro_status read_parts(const parts *k, bool with_private, monpro_error *error)
{
    RSA *rsa = RSA_new();
    unsigned char *der = NULL;
    monpro_key *key = NULL;
    RSA_set0_key(rsa, BN_dup(k->n), BN_dup(k->e), with_private ? BN_dup(k->d) : NULL);
    if (with_private) {
        RSA_set0_factors(rsa, BN_dup(k->p), BN_dup(k->q));
        RSA_set0_crt_params(rsa, BN_dup(k->dp), BN_dup(k->dq), BN_dup(k->qinv));
    }
    const int size = with_private ? i2d_RSAPrivateKey(rsa, &der) : i2d_RSAPublicKey(rsa, &der);
    RSA_free(rsa);
    if (size <= 0) {
        fprintf(stderr, "cannot encode a key\n");
        exit(1);
    }
    const monpro_status status = monpro_key_read(&key, der, (size_t)size, NULL, error);
    CHECK((key != NULL) == (status == MONPRO_OK));
    CHECK(error->status == status && (status == MONPRO_OK || error->message[0] != '\0'));
    monpro_key_free(key);
    OPENSSL_free(der);
    return status;
}

static BIGNUM *prime(int bits)
{
    BIGNUM *p = BN_new();
    do { /* p - 1 prime to 3 and to 65537, which serve as e */
        BN_generate_prime_ex(p, bits, 0, NULL, NULL, NULL);
    } while (BN_mod_word(p, 3) == 1 || BN_mod_word(p, 65537) == 1);
    return p;
}

#define EXPECT_BROKEN(expected, ...) \
    do { \
        parts k = complete(p, q, 65537); \
        monpro_error error; \
        __VA_ARGS__; \
        EXPECT(expected, read_parts(&k, true, &error)); \
        free_parts(&k); \
    } while (0)

static void test_relations(void)
{
    BIGNUM *p = prime(256), *q = prime(256), *r = prime(256), *small = prime(128), *longer = prime(400);
    BIGNUM *near = prime(320), *composite = BN_new();
    EXPECT_BROKEN(MONPRO_OK, (void)k);
    EXPECT_BROKEN(MONPRO_OK, BN_swap(k.p, k.q); BN_swap(k.dp, k.dq); BN_mod_inverse(k.qinv, k.q, k.p, context));
    EXPECT_BROKEN(MONPRO_ERR_KEY_PRODUCT, BN_add_word(k.n, 2));
    EXPECT_BROKEN(MONPRO_ERR_KEY_PRODUCT, BN_copy(k.p, r));
    EXPECT_BROKEN(MONPRO_ERR_KEY_EQUAL_PRIMES, BN_copy(k.q, k.p));
    EXPECT_BROKEN(MONPRO_ERR_KEY_EQUAL_PRIMES, BN_copy(k.q, k.p); BN_sqr(k.n, k.p, context));
    EXPECT_BROKEN(MONPRO_ERR_KEY_DP, BN_add_word(k.dp, 2));
    EXPECT_BROKEN(MONPRO_ERR_KEY_DP, BN_add(k.dp, k.dp, k.p); BN_sub_word(k.dp, 1)); /* right modulo p - 1, too large */
    EXPECT_BROKEN(MONPRO_ERR_KEY_DQ, BN_add_word(k.dq, 2));
    EXPECT_BROKEN(MONPRO_ERR_KEY_QINV, BN_add_word(k.qinv, 1));
    EXPECT_BROKEN(MONPRO_ERR_KEY_QINV, BN_add(k.qinv, k.qinv, k.p));
    EXPECT_BROKEN(MONPRO_ERR_KEY_D, BN_add_word(k.d, 2));
    EXPECT_BROKEN(MONPRO_ERR_MODULUS_EVEN, BN_add_word(k.n, 1));
    EXPECT_BROKEN(MONPRO_ERR_KEY_EXPONENT, BN_zero(k.e));
    EXPECT_BROKEN(MONPRO_ERR_KEY_EXPONENT, BN_one(k.e));
    EXPECT_BROKEN(MONPRO_ERR_KEY_EXPONENT, BN_set_word(k.e, 65536));
    EXPECT_BROKEN(MONPRO_ERR_KEY_EXPONENT, BN_copy(k.e, k.n));
    EXPECT_BROKEN(MONPRO_ERR_KEY_PRIMES, BN_zero(k.p));
    EXPECT_BROKEN(MONPRO_ERR_KEY_PRIMES, BN_zero(k.p); BN_zero(k.q); BN_zero(k.dp); BN_zero(k.dq); BN_zero(k.qinv));
    EXPECT_BROKEN(MONPRO_ERR_KEY_PRIMES, BN_copy(k.q, k.n); BN_one(k.p));
    EXPECT_BROKEN(MONPRO_ERR_KEY_PRIMES, free_parts(&k); k = complete(longer, p, 65537)); /* 400 and 256 bits */
    EXPECT_BROKEN(MONPRO_OK, free_parts(&k); k = complete(near, p, 65537));               /* 320 and 256 bits */
    EXPECT_BROKEN(MONPRO_OK, free_parts(&k); k = complete(p, near, 65537));
    /* p a product of two primes, and everything fits but that: phi is then that of three primes. (With q, n
     * would at times be a bit too short.) */
    BN_mul(composite, small, small, context);
    EXPECT_BROKEN(MONPRO_ERR_KEY_PRIMES, free_parts(&k); k = complete(composite, near, 65537));
    EXPECT_BROKEN(MONPRO_ERR_KEY_PRIMES, free_parts(&k); k = complete(near, composite, 65537));
    EXPECT_BROKEN(MONPRO_ERR_KEY_SIZE, free_parts(&k); k = complete(small, small, 3));
    BIGNUM *all[] = {p, q, r, small, longer, near, composite};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        BN_free(all[i]);
    }
}

static void test_public_sizes(void)
{
    static const struct {
        int bits;
        monpro_status expected;
    } sizes[] = {{511, MONPRO_ERR_KEY_SIZE}, {512, MONPRO_OK}, {4095, MONPRO_OK}, {4096, MONPRO_OK},
                 {4097, MONPRO_ERR_KEY_SIZE}, {16384, MONPRO_ERR_KEY_SIZE}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        parts k = {.n = BN_new(), .e = BN_new()};
        monpro_error error;
        BN_rand(k.n, sizes[i].bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD);
        BN_set_word(k.e, 65537);
        EXPECT(sizes[i].expected, read_parts(&k, false, &error));
        free_parts(&k);
    }
}

static void test_three_primes(void)
{
    EVP_PKEY *pkey = NULL;
    unsigned char *der = NULL;
    monpro_key *key = NULL;
    EVP_PKEY_CTX *generator = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY_keygen_init(generator);
    EVP_PKEY_CTX_set_rsa_keygen_bits(generator, 1024);
    EVP_PKEY_CTX_set_rsa_keygen_primes(generator, 3);
    CHECK(EVP_PKEY_generate(generator, &pkey) == 1);
    const int size = i2d_PrivateKey(pkey, &der);
    EXPECT(MONPRO_ERR_KEY_PRIMES, monpro_key_read(&key, der, (size_t)size, NULL, NULL));
    OPENSSL_free(der);
    EVP_PKEY_free(pkey);
    EVP_PKEY_CTX_free(generator);
}

static void test_other_kinds(void)
{
    monpro_key *key = NULL;
    unsigned char *der = NULL;
    EVP_PKEY *ec = EVP_EC_gen("P-256");
    const int size = i2d_PrivateKey(ec, &der);
    EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read(&key, der, (size_t)size, NULL, NULL));
    CHECK(key == NULL);
    OPENSSL_free(der);
    EVP_PKEY_free(ec);
    EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read(&key, NULL, 0, NULL, NULL));
    EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read(&key, (const uint8_t *)"not a key", 9, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_read(&key, NULL, 9, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_read(NULL, (const uint8_t *)"", 0, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_read_file(&key, NULL, NULL, NULL));
    EXPECT(MONPRO_ERR_FILE, monpro_key_read_file(&key, "/nowhere/key.pem", NULL, NULL));
    EXPECT(MONPRO_ERR_FILE, monpro_key_read_file(&key, "/", NULL, NULL));
    EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read_file(&key, "/dev/zero", NULL, NULL)); /* never ends */
}

static void test_forms(void)
{
    monpro_key *key, *again;
    uint8_t data[ROOM], second[ROOM];
    size_t size, second_size, asked;
    REQUIRE(monpro_key_generate(&key, 1024, 3, NULL));
    CHECK(monpro_key_bits(key) == 1024 && monpro_key_is_private(key));
    for (int form = MONPRO_KEY_PRIVATE_PKCS8; form <= MONPRO_KEY_PUBLIC_PKCS1; form++) {
        for (int der = 0; der < 2; der++) {
            const monpro_key_form f = (monpro_key_form)form;
            const bool is_private = form <= MONPRO_KEY_PRIVATE_PKCS1;
            EXPECT(MONPRO_OK, monpro_key_write(key, f, der, NULL, NULL, &asked, NULL));
            size = sizeof data;
            EXPECT(MONPRO_OK, monpro_key_write(key, f, der, NULL, data, &size, NULL));
            CHECK(size == asked);
            EXPECT(MONPRO_OK, monpro_key_read(&again, data, size, "not needed", NULL));
            CHECK(monpro_key_bits(again) == 1024 && monpro_key_is_private(again) == (is_private ? 1 : 0));
            second_size = sizeof second;
            EXPECT(MONPRO_OK, monpro_key_write(again, f, der, NULL, second, &second_size, NULL));
            CHECK(second_size == size && memcmp(data, second, size) == 0);
            second_size = sizeof second;
            EXPECT(is_private ? MONPRO_OK : MONPRO_ERR_KEY_PUBLIC,
                   monpro_key_write(again, MONPRO_KEY_PRIVATE_PKCS8, 0, NULL, second, &second_size, NULL));
            monpro_key_free(again);
            second_size = size - 1;
            EXPECT(MONPRO_ERR_BUFFER, monpro_key_write(key, f, der, NULL, second, &second_size, NULL));
            CHECK(second_size == size && all_zero(second, size - 1));
            for (size_t cut = 0; cut < size; cut += 1 + size / 50) { /* truncated anywhere */
                if (!der && cut >= size - 2) {
                    break; /* a PEM file without its last line end is whole */
                }
                EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read(&again, data, cut, NULL, NULL));
            }
            if (form != MONPRO_KEY_PRIVATE_PKCS8) {
                size = sizeof data;
                EXPECT(MONPRO_ERR_UNSUPPORTED, monpro_key_write(key, f, der, "secret", data, &size, NULL));
                continue;
            }
            size = sizeof data;
            EXPECT(MONPRO_OK, monpro_key_write(key, f, der, "secret", data, &size, NULL));
            EXPECT(MONPRO_OK, monpro_key_read(&again, data, size, "secret", NULL));
            monpro_key_free(again);
            EXPECT(MONPRO_ERR_KEY_PASSPHRASE, monpro_key_read(&again, data, size, NULL, NULL));
            EXPECT(MONPRO_ERR_KEY_WRONG_PASSPHRASE, monpro_key_read(&again, data, size, "Secret", NULL));
            EXPECT(MONPRO_ERR_KEY_WRONG_PASSPHRASE, monpro_key_read(&again, data, size, "", NULL));
        }
    }
    size = sizeof data;
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_write(key, (monpro_key_form)4, 0, NULL, data, &size, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_write(key, MONPRO_KEY_PUBLIC_SPKI, 0, NULL, data, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_write(NULL, MONPRO_KEY_PUBLIC_SPKI, 0, NULL, data, &size, NULL));
    monpro_key_free(key);
    monpro_key_free(NULL);
    CHECK(monpro_key_bits(NULL) == 0 && !monpro_key_is_private(NULL));
}

static void test_generate(void)
{
    monpro_key *key = NULL;
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_generate(NULL, 1024, 65537, NULL));
    EXPECT(MONPRO_ERR_KEY_SIZE, monpro_key_generate(&key, 448, 65537, NULL));
    EXPECT(MONPRO_ERR_KEY_SIZE, monpro_key_generate(&key, 1000, 65537, NULL));
    EXPECT(MONPRO_ERR_KEY_SIZE, monpro_key_generate(&key, 4160, 65537, NULL));
    EXPECT(MONPRO_ERR_KEY_EXPONENT, monpro_key_generate(&key, 1024, 0, NULL));
    EXPECT(MONPRO_ERR_KEY_EXPONENT, monpro_key_generate(&key, 1024, 1, NULL));
    EXPECT(MONPRO_ERR_KEY_EXPONENT, monpro_key_generate(&key, 1024, 65536, NULL));
    CHECK(key == NULL);
    EXPECT(MONPRO_OK, monpro_key_generate(&key, 512, 0xffffffffffffffc5u, NULL));
    monpro_key_free(key);
}

int main(void)
{
    context = BN_CTX_new();
    test_relations();
    test_public_sizes();
    test_three_primes();
    test_other_kinds();
    test_forms();
    test_generate();
    BN_CTX_free(context);
    return test_result();
}
