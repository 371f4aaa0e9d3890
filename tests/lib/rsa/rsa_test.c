/* RSA: against libcrypto in both directions for every padding, and what is refused. On the soft engine;
 * rsa_device_test.c is about devices.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "test.h"

enum { MAX_BYTES = 512 };

static EVP_PKEY *peer_key(const monpro_key *key)
{
    uint8_t der[8192];
    size_t size = sizeof der;
    const unsigned char *from = der;
    REQUIRE(monpro_key_write(key, MONPRO_KEY_PRIVATE_PKCS8, 1, NULL, der, &size, NULL));
    return d2i_AutoPrivateKey(NULL, &from, (long)size);
}

static monpro_key *public_half(const monpro_key *key)
{
    uint8_t der[2048];
    size_t size = sizeof der;
    monpro_key *half;
    REQUIRE(monpro_key_write(key, MONPRO_KEY_PUBLIC_SPKI, 1, NULL, der, &size, NULL));
    REQUIRE(monpro_key_read(&half, der, size, NULL, NULL));
    return half;
}

static void fill(uint8_t *bytes, size_t size, uint8_t seed)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(seed + 31 * i);
    }
}

/* ---- against libcrypto --------------------------------------------------------------------------------------- */

static bool peer_verifies(EVP_PKEY *peer, int padding, const char *digest, const uint8_t *message, size_t message_len,
                          const uint8_t *signature, size_t signature_len)
{
    EVP_PKEY_CTX *options = NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_DigestVerifyInit_ex(context, &options, digest, NULL, NULL, peer, NULL);
    EVP_PKEY_CTX_set_rsa_padding(options, padding);
    const bool valid = EVP_DigestVerify(context, signature, signature_len, message, message_len) == 1;
    EVP_MD_CTX_free(context);
    return valid;
}

/* salt: for PSS, its length. */
static size_t peer_signs(EVP_PKEY *peer, int padding, int salt, const char *digest, const uint8_t *message,
                         size_t message_len, uint8_t *signature)
{
    EVP_PKEY_CTX *options = NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t size = MAX_BYTES;
    EVP_DigestSignInit_ex(context, &options, digest, NULL, NULL, peer, NULL);
    EVP_PKEY_CTX_set_rsa_padding(options, padding);
    if (padding == RSA_PKCS1_PSS_PADDING) {
        EVP_PKEY_CTX_set_rsa_pss_saltlen(options, salt);
    }
    CHECK(EVP_DigestSign(context, signature, &size, message, message_len) == 1);
    EVP_MD_CTX_free(context);
    return size;
}

static void test_signatures(monpro_engine *engine, monpro_key *key, EVP_PKEY *peer)
{
    static const char *const digests[] = {NULL, "sha1", "sha384", "sha512", "sha3-256"};
    uint8_t message[1000], signature[MAX_BYTES];
    const uint32_t bits = monpro_key_bits(key);
    const size_t size = (bits + 7) / 8;
    fill(message, sizeof message, 1);
    for (size_t d = 0; d < sizeof digests / sizeof *digests; d++) {
        const char *name = digests[d] == NULL ? "sha256" : digests[d];
        if (bits < 1024 && strcmp(name, "sha1") != 0) {
            continue;
        }
        for (int pss = 0; pss < 2; pss++) {
            if (pss && bits < 1100 && strcmp(name, "sha512") == 0) {
                continue; /* does not fit */
            }
            const monpro_rsa_options options = {.padding = pss ? MONPRO_PADDING_PSS : MONPRO_PADDING_PKCS1,
                                                .digest = digests[d]};
            const int padding = pss ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING;
            size_t length = sizeof signature;
            EXPECT(MONPRO_OK, monpro_sign(engine, key, message, sizeof message, signature, &length, &options, NULL));
            CHECK(length == size);
            CHECK(peer_verifies(peer, padding, name, message, sizeof message, signature, length));
            EXPECT(MONPRO_OK, monpro_verify(engine, key, message, sizeof message, signature, length, &options, NULL));
            message[3] ^= 1;
            EXPECT(MONPRO_ERR_SIGNATURE,
                   monpro_verify(engine, key, message, sizeof message, signature, length, &options, NULL));
            message[3] ^= 1;
            signature[size / 2] ^= 4;
            EXPECT(MONPRO_ERR_SIGNATURE,
                   monpro_verify(engine, key, message, sizeof message, signature, length, &options, NULL));
            for (int salt = 0; salt <= 20; salt += 20) {
                length = peer_signs(peer, padding, salt, name, message, sizeof message, signature);
                EXPECT(MONPRO_OK,
                       monpro_verify(engine, key, message, sizeof message, signature, length, &options, NULL));
            }
        }
    }
}

static size_t peer_crypts(EVP_PKEY *peer, bool encrypt, int padding, const EVP_MD *digest, const char *label,
                          const uint8_t *in, size_t in_len, uint8_t *out)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(peer, NULL);
    size_t size = MAX_BYTES;
    CHECK((encrypt ? EVP_PKEY_encrypt_init(context) : EVP_PKEY_decrypt_init(context)) == 1);
    CHECK(EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1);
    if (padding == RSA_PKCS1_OAEP_PADDING && digest != NULL) {
        CHECK(EVP_PKEY_CTX_set_rsa_oaep_md(context, digest) == 1);
        CHECK(EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) == 1);
        if (label != NULL) {
            CHECK(EVP_PKEY_CTX_set0_rsa_oaep_label(context, OPENSSL_strdup(label), (int)strlen(label)) == 1);
        }
    }
    const int done = encrypt ? EVP_PKEY_encrypt(context, out, &size, in, in_len)
                             : EVP_PKEY_decrypt(context, out, &size, in, in_len);
    CHECK(done == 1);
    EVP_PKEY_CTX_free(context);
    return size;
}

static void test_encryption(monpro_engine *engine, monpro_key *key, EVP_PKEY *peer)
{
    static const struct {
        monpro_padding padding;
        int peer_padding;
        const char *digest, *label;
        size_t overhead;
    } cases[] = {
        {MONPRO_PADDING_PKCS1, RSA_PKCS1_PADDING, NULL, NULL, 11},
        {MONPRO_PADDING_OAEP, RSA_PKCS1_OAEP_PADDING, NULL, NULL, 42}, /* the peer's default */
        {MONPRO_PADDING_OAEP, RSA_PKCS1_OAEP_PADDING, "sha1", NULL, 42},
        {MONPRO_PADDING_OAEP, RSA_PKCS1_OAEP_PADDING, "sha256", NULL, 66},
        {MONPRO_PADDING_OAEP, RSA_PKCS1_OAEP_PADDING, "sha256", "a label", 66},
    };
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (cases[c].overhead > size) {
            continue;
        }
        const size_t lengths[] = {0, 1, size - cases[c].overhead};
        const char *label = cases[c].label;
        const EVP_MD *digest = cases[c].digest == NULL ? NULL : EVP_get_digestbyname(cases[c].digest);
        const monpro_rsa_options options = {.padding = cases[c].padding, .digest = cases[c].digest,
                                            .label = (const uint8_t *)label,
                                            .label_len = label == NULL ? 0 : strlen(label)};
        for (size_t i = 0; i < 3; i++) {
            uint8_t message[MAX_BYTES + 1], ciphertext[MAX_BYTES], plain[MAX_BYTES];
            size_t length = sizeof ciphertext;
            fill(message, sizeof message, (uint8_t)i);
            EXPECT(MONPRO_OK, monpro_encrypt(engine, key, message, lengths[i], ciphertext, &length, &options, NULL));
            size_t plain_len = peer_crypts(peer, false, cases[c].peer_padding, digest, label, ciphertext, length, plain);
            CHECK(plain_len == lengths[i] && memcmp(plain, message, lengths[i]) == 0);
            length = peer_crypts(peer, true, cases[c].peer_padding, digest, label, message, lengths[i], ciphertext);
            plain_len = sizeof plain;
            EXPECT(MONPRO_OK, monpro_decrypt(engine, key, ciphertext, length, plain, &plain_len, &options, NULL));
            CHECK(plain_len == lengths[i] && memcmp(plain, message, lengths[i]) == 0);
            if (lengths[i] > 0) {
                plain_len = lengths[i] - 1;
                EXPECT(MONPRO_ERR_BUFFER,
                       monpro_decrypt(engine, key, ciphertext, length, plain, &plain_len, &options, NULL));
                CHECK(plain_len == lengths[i] && all_zero(plain, lengths[i] - 1));
            }
            ciphertext[size - 1] ^= 1;
            plain_len = sizeof plain;
            monpro_error error;
            if (cases[c].padding == MONPRO_PADDING_OAEP) { /* PKCS#1 may come out right by chance, 1 in 2^16 */
                EXPECT(MONPRO_ERR_DECRYPT,
                       monpro_decrypt(engine, key, ciphertext, length, plain, &plain_len, &options, &error));
                CHECK(plain_len == 0 && all_zero(plain, sizeof plain));
                CHECK(strcmp(error.message, monpro_strerror(MONPRO_ERR_DECRYPT)) == 0);
            }
            length = sizeof ciphertext;
            EXPECT(MONPRO_ERR_MESSAGE_LONG, monpro_encrypt(engine, key, message, lengths[2] + 1, ciphertext, &length,
                                                           &options, NULL));
            CHECK(length == 0 && all_zero(ciphertext, sizeof ciphertext));
        }
    }
}

/* ---- raw ----------------------------------------------------------------------------------------------------- */

static void test_raw(monpro_engine *engine, monpro_key *key, EVP_PKEY *peer)
{
    enum { COUNT = 40 }; /* more than one blinding pair serves */
    static uint8_t in[COUNT * MAX_BYTES], out[COUNT * MAX_BYTES], back[COUNT * MAX_BYTES], other[MAX_BYTES];
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    monpro_counters counters;
    fill(in, sizeof in, 9);
    for (size_t i = 0; i < COUNT; i++) {
        in[i * size] = 0; /* below n */
    }
    memset(in + size, 0, size); /* block 1 is 0, block 2 is 1 */
    memset(in + 2 * size, 0, size);
    in[3 * size - 1] = 1;
    monpro_rsa_options options = {.counters = &counters};
    EXPECT(MONPRO_OK, monpro_rsa_private(engine, key, in, out, COUNT, &options, NULL));
    CHECK(counters.operations == 3 * COUNT);
    EXPECT(MONPRO_OK, monpro_rsa_public(engine, key, out, back, COUNT, &options, NULL));
    CHECK(counters.operations == COUNT);
    CHECK(memcmp(back, in, COUNT * size) == 0);
    (void)peer_crypts(peer, false, RSA_NO_PADDING, NULL, NULL, in, size, other);
    CHECK(memcmp(out, other, size) == 0);
    options.no_crt = 1;
    EXPECT(MONPRO_OK, monpro_rsa_private(engine, key, in, back, 3, &options, NULL));
    CHECK(memcmp(back, out, 3 * size) == 0);
    CHECK(counters.operations == 6);
    options.no_blinding = 1;
    EXPECT(MONPRO_OK, monpro_rsa_private(engine, key, in, back, 3, &options, NULL));
    CHECK(memcmp(back, out, 3 * size) == 0);
    options.no_crt = 0;
    memcpy(back, in, 3 * size); /* in place */
    EXPECT(MONPRO_OK, monpro_rsa_private(engine, key, back, back, 3, &options, NULL));
    CHECK(memcmp(back, out, 3 * size) == 0);
    EXPECT(MONPRO_OK, monpro_rsa_public(engine, key, back, back, 3, &options, NULL));
    CHECK(memcmp(back, in, 3 * size) == 0);
    EXPECT(MONPRO_OK, monpro_rsa_private(engine, key, NULL, NULL, 0, NULL, NULL));
    EXPECT(MONPRO_OK, monpro_rsa_public(engine, key, NULL, NULL, 0, NULL, NULL));
}

static void test_against_peer(monpro_engine *engine, monpro_key *key)
{
    EVP_PKEY *peer = peer_key(key);
    test_signatures(engine, key, peer);
    test_encryption(engine, key, peer);
    test_raw(engine, key, peer);
    EVP_PKEY_free(peer);
}

/* ---- in place, and what the engine sees ------------------------------------------------------------------------ */

/* The message's buffer is also the output's. */
static void test_in_place(monpro_engine *engine, monpro_key *key)
{
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    uint8_t buffer[MAX_BYTES] = "a message", expected[MAX_BYTES];
    const monpro_rsa_options pkcs1 = {.padding = MONPRO_PADDING_PKCS1, .digest = "sha1"};
    size_t length = sizeof buffer;
    EXPECT(MONPRO_OK, monpro_encrypt(engine, key, buffer, 9, buffer, &length, &pkcs1, NULL));
    CHECK(length == size && memcmp(buffer, "a message", 9) != 0);
    length = sizeof buffer;
    EXPECT(MONPRO_OK, monpro_decrypt(engine, key, buffer, size, buffer, &length, &pkcs1, NULL));
    CHECK(length == 9 && memcmp(buffer, "a message", 9) == 0);
    length = sizeof expected;
    EXPECT(MONPRO_OK, monpro_sign(engine, key, buffer, 9, expected, &length, &pkcs1, NULL));
    length = sizeof buffer;
    EXPECT(MONPRO_OK, monpro_sign(engine, key, buffer, 9, buffer, &length, &pkcs1, NULL));
    CHECK(length == size && memcmp(buffer, expected, size) == 0);
}

/* The linker puts this before the engine interface: it keeps what the library asks an engine to compute. */
enum { SEEN_BLOCKS = 4 * 32 + 3 }; /* four factors are drawn at once, each of 32 uses: this is past the second time */
static struct {
    size_t count;
    uint8_t modulus[MAX_BYTES], base[SEEN_BLOCKS][MAX_BYTES];
    size_t size;
} seen;

monpro_status __real_monpro_modexp_batch(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_error *error);
monpro_status __wrap_monpro_modexp_batch(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_error *error);

monpro_status __wrap_monpro_modexp_batch(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_error *error)
{
    if (seen.count < SEEN_BLOCKS && (jobs[0].flags & MONPRO_EXPONENT_PUBLIC) == 0) { /* not the check */
        seen.size = jobs[0].modulus_len;
        memcpy(seen.modulus, jobs[0].modulus, seen.size);
        memcpy(seen.base[seen.count++], jobs[0].base, seen.size);
    }
    return __real_monpro_modexp_batch(engine, jobs, count, error);
}

/* Of the block 1 the engine sees r^e mod p and never 1. A pair serves once and is squared for the next use; after 32
 * uses there is a new one, which is no square of the last; none comes again. */
static void test_blinding(monpro_engine *engine, const monpro_key *key)
{
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    uint8_t block[MAX_BYTES] = {0}, out[MAX_BYTES], der[8192];
    size_t der_size = sizeof der;
    monpro_key *fresh;
    BN_CTX *context = BN_CTX_new();
    BIGNUM *square = BN_new();
    REQUIRE(monpro_key_write(key, MONPRO_KEY_PRIVATE_PKCS8, 1, NULL, der, &der_size, NULL));
    REQUIRE(monpro_key_read(&fresh, der, der_size, NULL, NULL));
    block[size - 1] = 1;
    seen.count = 0;
    for (int i = 0; i < SEEN_BLOCKS; i++) {
        REQUIRE(monpro_rsa_private(engine, fresh, block, out, 1, NULL, NULL));
        CHECK(memcmp(out, block, size) == 0); /* 1^d */
    }
    CHECK(seen.count == SEEN_BLOCKS);
    BIGNUM *p = BN_bin2bn(seen.modulus, (int)seen.size, NULL), *base = NULL;
    for (size_t i = 0; i < SEEN_BLOCKS; i++) {
        base = BN_bin2bn(seen.base[i], (int)seen.size, base);
        CHECK(!BN_is_one(base) && !BN_is_zero(base));
        if (i > 0) {
            CHECK((BN_cmp(base, square) == 0) == (i % 32 != 0));
        }
        BN_mod_sqr(square, base, p, context);
        for (size_t j = 0; j < i; j++) {
            CHECK(memcmp(seen.base[i], seen.base[j], seen.size) != 0);
        }
    }
    seen.count = SEEN_BLOCKS - 1;
    const monpro_rsa_options options = {.no_blinding = 1};
    REQUIRE(monpro_rsa_private(engine, fresh, block, out, 1, &options, NULL));
    BN_bin2bn(seen.base[SEEN_BLOCKS - 1], (int)seen.size, base);
    CHECK(BN_is_one(base));
    BN_free(base);
    BN_free(p);
    BN_free(square);
    BN_CTX_free(context);
    monpro_key_free(fresh);
}

/* ---- what is refused ----------------------------------------------------------------------------------------- */

static void test_refusals(monpro_engine *engine, monpro_key *key)
{
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    monpro_key *half = public_half(key);
    uint8_t block[MAX_BYTES], out[MAX_BYTES];
    size_t length;
    monpro_rsa_options options = {.padding = MONPRO_PADDING_NONE};
    memset(block, 0xff, sizeof block); /* above every modulus */

#define CALL(function, k, in_len) \
    (length = sizeof out, memset(out, 0xa5, sizeof out), function(engine, k, block, in_len, out, &length, &options, NULL))
#define EXPECT_CALL(expected, call) \
    do { \
        EXPECT(expected, call); \
        CHECK(length == 0 && all_zero(out, sizeof out)); \
    } while (0)

    EXPECT_CALL(MONPRO_ERR_BASE_RANGE, CALL(monpro_sign, key, size));
    EXPECT_CALL(MONPRO_ERR_BASE_RANGE, CALL(monpro_encrypt, key, size));
    EXPECT_CALL(MONPRO_ERR_CIPHERTEXT, CALL(monpro_decrypt, key, size));
    EXPECT_CALL(MONPRO_ERR_CIPHERTEXT, CALL(monpro_decrypt, key, size - 1));
    EXPECT_CALL(MONPRO_ERR_MESSAGE_LONG, CALL(monpro_sign, key, size + 1));
    EXPECT_CALL(MONPRO_ERR_PADDING, CALL(monpro_sign, key, size - 1));
    EXPECT(MONPRO_ERR_SIGNATURE, monpro_verify(engine, key, block, 3, block, size, &options, NULL));
    EXPECT(MONPRO_ERR_SIGNATURE, monpro_verify(engine, key, block, 3, block, size - 1, &options, NULL));
    block[0] = 0;
    EXPECT_CALL(MONPRO_ERR_KEY_PUBLIC, CALL(monpro_sign, half, size));
    EXPECT_CALL(MONPRO_ERR_KEY_PUBLIC, CALL(monpro_decrypt, half, size));
    EXPECT(MONPRO_OK, CALL(monpro_encrypt, half, size));
    options.padding = MONPRO_PADDING_OAEP;
    EXPECT_CALL(MONPRO_ERR_PADDING, CALL(monpro_sign, key, 3));
    EXPECT(MONPRO_ERR_PADDING, monpro_verify(engine, key, block, 3, block, size, &options, NULL));
    options.digest = "sha257";
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_encrypt, key, 3));
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_decrypt, key, size));
    options.padding = MONPRO_PADDING_PSS;
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_sign, key, 3));
    EXPECT(MONPRO_ERR_DIGEST, monpro_verify(engine, key, block, 3, block, size, &options, NULL));
    EXPECT_CALL(MONPRO_ERR_PADDING, CALL(monpro_encrypt, key, 3));
    EXPECT_CALL(MONPRO_ERR_PADDING, CALL(monpro_decrypt, key, size));
    options.digest = "shake256";
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_sign, key, 3));
    options.padding = MONPRO_PADDING_PKCS1;
    options.digest = "md5-sha1";
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_sign, key, 3));
    options.digest = "sha512"; /* 83 + 11 bytes, or 64 + 64 + 2, into 64 */
    EXPECT_CALL(MONPRO_ERR_MESSAGE_LONG, CALL(monpro_sign, key, 3));
    options.padding = MONPRO_PADDING_PSS;
    EXPECT_CALL(MONPRO_ERR_MESSAGE_LONG, CALL(monpro_sign, key, 3));
    options.digest = "md5-sha1"; /* has no identifier; "null" has not even a length */
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_sign, key, 3));
    options.digest = "null";
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_sign, key, 3));
    EXPECT(MONPRO_ERR_DIGEST, monpro_verify(engine, key, block, 3, block, size, &options, NULL));
    options.padding = MONPRO_PADDING_OAEP;
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_encrypt, key, 3));
    EXPECT_CALL(MONPRO_ERR_DIGEST, CALL(monpro_decrypt, key, size));
    options.digest = NULL;
    options.label_len = 5;
    EXPECT_CALL(MONPRO_ERR_ARGUMENT, CALL(monpro_encrypt, key, 3));
    EXPECT_CALL(MONPRO_ERR_ARGUMENT, CALL(monpro_decrypt, key, size));
    options.label = block;
    options.label_len = SIZE_MAX;
    EXPECT_CALL(MONPRO_ERR_ARGUMENT, CALL(monpro_encrypt, key, 3));
    EXPECT_CALL(MONPRO_ERR_ARGUMENT, CALL(monpro_decrypt, key, size));
    options = (monpro_rsa_options){.padding = (monpro_padding)9};
    monpro_counters counters, total, before;
    memset(&counters, 0xa5, sizeof counters);
    options.counters = &counters;
    REQUIRE(monpro_engine_counters(engine, &before));
    EXPECT_CALL(MONPRO_ERR_PADDING, CALL(monpro_sign, key, 3));
    EXPECT_CALL(MONPRO_ERR_PADDING, CALL(monpro_encrypt, key, 3));
    EXPECT_CALL(MONPRO_ERR_PADDING, CALL(monpro_decrypt, key, size));
    EXPECT(MONPRO_ERR_PADDING, monpro_verify(engine, key, block, 3, block, size, &options, NULL));
    REQUIRE(monpro_engine_counters(engine, &total));
    CHECK(counters.operations == 0 && total.operations == before.operations); /* nothing was computed */

    length = size - 1;
    EXPECT(MONPRO_ERR_BUFFER, monpro_sign(engine, key, block, size, out, &length, NULL, NULL));
    CHECK(length == size);
    length = size - 1;
    EXPECT(MONPRO_ERR_BUFFER, monpro_encrypt(engine, key, block, size, out, &length, NULL, NULL));
    length = 0;
    EXPECT(MONPRO_ERR_BUFFER, monpro_sign(engine, key, block, size, NULL, &length, NULL, NULL)); /* asks for it */
    CHECK(length == size);
    length = sizeof out;
    memset(out, 0xa5, sizeof out);
    EXPECT_CALL(MONPRO_ERR_ARGUMENT, monpro_sign(NULL, key, block, size, out, &length, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_verify(engine, key, NULL, 1, block, size, NULL, NULL));
    length = size;
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_encrypt(engine, key, block, size, NULL, &length, NULL, NULL));
    CHECK(length == 0);
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_decrypt(engine, key, block, size, out, NULL, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_private(engine, NULL, block, out, 1, NULL, NULL));
    memset(out, 0xa5, sizeof out);
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_private(NULL, key, block, out, 1, NULL, NULL));
    CHECK(all_zero(out, size));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_public(engine, key, NULL, out, 1, NULL, NULL));

    /* One bad block among good ones: nothing comes out, nothing is begun. */
    uint8_t two[2 * MAX_BYTES], results[2 * MAX_BYTES];
    REQUIRE(monpro_engine_counters(engine, &before));
    memset(two, 0xff, sizeof two);
    two[0] = 0;
    memset(results, 0xa5, sizeof results);
    EXPECT(MONPRO_ERR_BASE_RANGE, monpro_rsa_private(engine, key, two, results, 2, NULL, NULL));
    CHECK(all_zero(results, 2 * size));
    memset(results, 0xa5, sizeof results);
    EXPECT(MONPRO_ERR_BASE_RANGE, monpro_rsa_public(engine, key, two, results, 2, NULL, NULL));
    CHECK(all_zero(results, 2 * size));
    REQUIRE(monpro_engine_counters(engine, &total));
    CHECK(total.operations == before.operations);
    monpro_key_free(half);
}

/* ---- no random bytes ------------------------------------------------------------------------------------------ */

static int no_random_bytes(unsigned char *bytes, int size)
{
    (void)bytes;
    (void)size;
    return 0;
}

static void test_no_random(monpro_engine *engine, monpro_key *key)
{
    static const RAND_METHOD broken = {.bytes = no_random_bytes, .pseudorand = no_random_bytes};
    const RAND_METHOD *const working = RAND_get_rand_method();
    uint8_t block[MAX_BYTES] = {0, 7}, out[MAX_BYTES];
    size_t length = sizeof out;
    const monpro_rsa_options pss = {.padding = MONPRO_PADDING_PSS, .digest = "sha1"};
    monpro_key *fresh = NULL;
    RAND_set_rand_method(&broken);
    EXPECT(MONPRO_ERR_RANDOM, monpro_rsa_private(engine, key, block, out, 1, NULL, NULL));
    EXPECT(MONPRO_ERR_RANDOM, monpro_sign(engine, key, block, 3, out, &length, &pss, NULL));
    EXPECT(MONPRO_ERR_RANDOM, monpro_key_generate(&fresh, 512, 3, NULL));
    RAND_set_rand_method(working);
}

int main(void)
{
    static const uint32_t sizes[] = {512, 1024, 2048};
    monpro_engine *engine = open_engine("soft");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        monpro_key *key;
        REQUIRE(monpro_key_generate(&key, sizes[i], i == 0 ? 3 : 65537, NULL));
        test_no_random(engine, key); /* first: later the key holds a blinding pair to go on with */
        test_against_peer(engine, key);
        test_in_place(engine, key);
        if (sizes[i] == 512) {
            test_blinding(engine, key);
            test_refusals(engine, key);
        }
        monpro_key_free(key);
    }
    monpro_engine_close(engine);
    return test_result();
}
