/* Settings of the paddings: the length of PSS's salt, the digest of MGF1, messages that are digests already, and structs of
 * callers that know less or more than this library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

enum { BITS = 1024, SIZE = BITS / 8, DIGEST = 32, LONGEST = SIZE - DIGEST - 2 };

static const uint8_t message[] = "settings";
/* SHA-256 of the message above, its final zero byte included. */
static const uint8_t message_digest[DIGEST] = {
    0x94, 0x36, 0x24, 0xfa, 0x82, 0xa3, 0x29, 0x2d, 0x7b, 0x39, 0x7d, 0xe0, 0x14, 0xf0, 0x46, 0x5e,
    0x8d, 0x2e, 0x3a, 0xab, 0x6c, 0xb8, 0xab, 0x9e, 0x82, 0xab, 0x2d, 0xa5, 0x84, 0xc3, 0xe7, 0xd2};

typedef struct parties {
    monpro_engine *engine;
    monpro_key *key;
} parties;

static monpro_rsa_settings pss(monpro_salt salt, size_t salt_len)
{
    return (monpro_rsa_settings){.size = sizeof(monpro_rsa_settings),
                                 .options = {.padding = MONPRO_PADDING_PSS},
                                 .salt = salt,
                                 .salt_len = salt_len};
}

static monpro_status sign(const parties *of, uint8_t *signature, const monpro_rsa_settings *settings)
{
    size_t length = SIZE;
    return monpro_sign_with(of->engine, of->key, message, sizeof message, signature, &length, settings, NULL);
}

static monpro_status verify(const parties *of, const uint8_t *signature, const monpro_rsa_settings *settings)
{
    return monpro_verify_with(of->engine, of->key, message, sizeof message, signature, SIZE, settings, NULL);
}

/* A signature with each length of salt verifies with that length, and with no other. */
static void test_salts(const parties *of)
{
    static const struct {
        monpro_salt salt;
        size_t given, length;
    } cases[] = {{MONPRO_SALT_DEFAULT, 0, DIGEST},   {MONPRO_SALT_DIGEST, 0, DIGEST}, {MONPRO_SALT_LONGEST, 0, LONGEST},
                 {MONPRO_SALT_BYTES, 0, 0},          {MONPRO_SALT_BYTES, 20, 20},     {MONPRO_SALT_BYTES, DIGEST, DIGEST},
                 {MONPRO_SALT_BYTES, LONGEST, LONGEST}};
    enum { CASES = sizeof cases / sizeof *cases };
    uint8_t signature[SIZE];
    for (size_t i = 0; i < CASES; i++) {
        const monpro_rsa_settings signing = pss(cases[i].salt, cases[i].given), any = pss(MONPRO_SALT_ANY, 0);
        EXPECT(MONPRO_OK, sign(of, signature, &signing));
        EXPECT(MONPRO_OK, verify(of, signature, &any));
        EXPECT(MONPRO_OK, verify(of, signature, &(monpro_rsa_settings){.size = sizeof any, .options = any.options}));
        for (size_t j = 1; j < CASES; j++) { /* not the default, which takes any */
            const monpro_rsa_settings verifying = pss(cases[j].salt, cases[j].given);
            EXPECT(cases[i].length == cases[j].length ? MONPRO_OK : MONPRO_ERR_SIGNATURE,
                   verify(of, signature, &verifying));
        }
    }
}

static void test_salts_that_cannot_be(const parties *of)
{
    uint8_t signature[SIZE];
    const monpro_rsa_settings any = pss(MONPRO_SALT_ANY, 0), none = pss((monpro_salt)5, 0), stray = pss(MONPRO_SALT_DIGEST, 1);
    const monpro_rsa_settings one_more = pss(MONPRO_SALT_BYTES, LONGEST + 1), endless = pss(MONPRO_SALT_BYTES, SIZE_MAX);
    monpro_rsa_settings pkcs1 = pss(MONPRO_SALT_DIGEST, 0);
    pkcs1.options.padding = MONPRO_PADDING_PKCS1;
    EXPECT(MONPRO_ERR_ARGUMENT, sign(of, signature, &any));
    EXPECT(MONPRO_ERR_ARGUMENT, sign(of, signature, &none));
    EXPECT(MONPRO_ERR_ARGUMENT, sign(of, signature, &stray));
    EXPECT(MONPRO_ERR_MESSAGE_LONG, sign(of, signature, &one_more));
    EXPECT(MONPRO_ERR_MESSAGE_LONG, sign(of, signature, &endless));
    CHECK(all_zero(signature, SIZE));
    EXPECT(MONPRO_ERR_PADDING, sign(of, signature, &pkcs1));
    EXPECT(MONPRO_OK, sign(of, signature, &(monpro_rsa_settings){.size = sizeof any, .options = any.options}));
    EXPECT(MONPRO_ERR_SIGNATURE, verify(of, signature, &one_more));
    EXPECT(MONPRO_ERR_SIGNATURE, verify(of, signature, &endless));
}

/* MGF1's digest belongs to the signature and to the ciphertext: another one does not open them. */
static void test_mgf1(const parties *of)
{
    uint8_t block[SIZE], plain[SIZE];
    size_t length = SIZE, plain_len = SIZE;
    monpro_rsa_settings settings = pss(MONPRO_SALT_DEFAULT, 0);
    settings.mgf1_digest = "sha1";
    EXPECT(MONPRO_OK, sign(of, block, &settings));
    EXPECT(MONPRO_OK, verify(of, block, &settings));
    settings.mgf1_digest = NULL;
    EXPECT(MONPRO_ERR_SIGNATURE, verify(of, block, &settings));
    settings.mgf1_digest = "no such digest";
    EXPECT(MONPRO_ERR_DIGEST, verify(of, block, &settings));
    settings.options.padding = MONPRO_PADDING_PKCS1;
    settings.mgf1_digest = "sha1";
    EXPECT(MONPRO_ERR_PADDING, verify(of, block, &settings));
    settings.options.padding = MONPRO_PADDING_OAEP;
    settings.options.digest = "sha256";
    EXPECT(MONPRO_OK, monpro_encrypt_with(of->engine, of->key, message, sizeof message, block, &length, &settings, NULL));
    EXPECT(MONPRO_OK, monpro_decrypt_with(of->engine, of->key, block, SIZE, plain, &plain_len, &settings, NULL));
    CHECK(plain_len == sizeof message && memcmp(plain, message, sizeof message) == 0);
    settings.mgf1_digest = "sha256";
    plain_len = SIZE;
    EXPECT(MONPRO_ERR_DECRYPT, monpro_decrypt_with(of->engine, of->key, block, SIZE, plain, &plain_len, &settings, NULL));
}

/* A signature of a digest is that of its message. */
static void test_prehashed(const parties *of)
{
    uint8_t signature[SIZE], other[SIZE];
    size_t length = SIZE;
    monpro_rsa_settings whole = pss(MONPRO_SALT_DEFAULT, 0), digest = whole;
    digest.prehashed = 1;
    REQUIRE(sign(of, signature, &whole));
    EXPECT(MONPRO_OK, monpro_verify_with(of->engine, of->key, message_digest, DIGEST, signature, SIZE, &digest, NULL));
    whole.options.padding = digest.options.padding = MONPRO_PADDING_PKCS1;
    REQUIRE(sign(of, signature, &whole));
    EXPECT(MONPRO_OK, monpro_sign_with(of->engine, of->key, message_digest, DIGEST, other, &length, &digest, NULL));
    CHECK(memcmp(signature, other, SIZE) == 0);
    EXPECT(MONPRO_ERR_DIGEST, sign(of, other, &digest)); /* not of a digest's length */
    CHECK(all_zero(other, SIZE));
    digest.options.padding = MONPRO_PADDING_NONE;
    EXPECT(MONPRO_ERR_PADDING, sign(of, other, &digest));
    digest.options.padding = MONPRO_PADDING_OAEP;
    length = SIZE;
    EXPECT(MONPRO_ERR_PADDING,
           monpro_encrypt_with(of->engine, of->key, message, sizeof message, other, &length, &digest, NULL));
}

static void test_sizes(const parties *of)
{
    uint8_t signature[SIZE];
    monpro_rsa_settings settings = pss(MONPRO_SALT_DEFAULT, 0);
    const size_t sizes[] = {0, sizeof(monpro_rsa_options), sizeof settings - sizeof(size_t), sizeof settings + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        settings.size = sizes[i];
        EXPECT(MONPRO_ERR_ARGUMENT, sign(of, signature, &settings));
    }
    settings = (monpro_rsa_settings){.size = sizeof settings, .options = {.padding = MONPRO_PADDING_OAEP}};
    EXPECT(MONPRO_ERR_PADDING, sign(of, signature, &settings));
    EXPECT(MONPRO_ERR_PADDING, sign(of, signature, NULL)); /* padding none, for a message of another length */
}

int main(void)
{
    parties of = {open_engine("soft"), NULL};
    REQUIRE(monpro_key_generate(&of.key, BITS, 65537, NULL));
    test_salts(&of);
    test_salts_that_cannot_be(&of);
    test_mgf1(&of);
    test_prehashed(&of);
    test_sizes(&of);
    monpro_key_free(of.key);
    monpro_engine_close(of.engine);
    return test_result();
}
