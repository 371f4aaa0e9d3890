/* Keys are read from strict DER only, and the public exponent is short, unless the caller asks for more.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "key/der.h"
#include "test.h"

enum { ROOM = 4096 };

static monpro_key_options allowing(uint32_t flags)
{
    return (monpro_key_options){.size = sizeof(monpro_key_options), .flags = flags};
}

static monpro_status read_flags(const uint8_t *data, size_t size, uint32_t flags)
{
    monpro_key *key = NULL;
    const monpro_key_options options = allowing(flags);
    const monpro_status status = monpro_key_read_with(&key, data, size, &options, NULL);
    CHECK((key != NULL) == (status == MONPRO_OK));
    monpro_key_free(key);
    return status;
}

/* Every form is strict, in DER and PEM; a byte after DER is an error, text around PEM is not. */
static void test_forms(const monpro_key *key)
{
    uint8_t data[ROOM];
    for (monpro_key_form form = MONPRO_KEY_PRIVATE_PKCS8; form <= MONPRO_KEY_PUBLIC_PKCS1; form++) {
        for (int der = 0; der < 2; der++) {
            size_t size = ROOM;
            REQUIRE(monpro_key_write(key, form, der, NULL, data, &size, NULL));
            EXPECT(MONPRO_OK, read_flags(data, size, 0));
            data[size] = der ? 0 : '\n';
            EXPECT(der ? MONPRO_ERR_KEY_ENCODING : MONPRO_OK, read_flags(data, size + 1, 0));
            EXPECT(MONPRO_OK, read_flags(data, size + 1, MONPRO_KEY_ANY_ENCODING));
        }
    }
}

/* The version of PKCS#1, which libcrypto does not look at: the byte after the SEQUENCE's head of four bytes and 02 01. */
static void test_version(const monpro_key *key)
{
    uint8_t data[ROOM];
    size_t size = ROOM;
    REQUIRE(monpro_key_write(key, MONPRO_KEY_PRIVATE_PKCS1, 1, NULL, data, &size, NULL));
    data[6] = 2;
    EXPECT(MONPRO_ERR_KEY_ENCODING, read_flags(data, size, 0));
}

static void test_flaws(void)
{
    static const struct {
        const char *name;
        uint8_t der[16];
        size_t len;
        bool strict;
    } cases[] = {
        {"public", {0x30, 6, 2, 1, 3, 2, 1, 3}, 8, true},
        {"trailing", {0x30, 6, 2, 1, 3, 2, 1, 3, 0}, 9, false},
        {"indefinite", {0x30, 0x80, 2, 1, 3, 2, 1, 3, 0, 0}, 10, false},
        {"long length", {0x30, 0x81, 6, 2, 1, 3, 2, 1, 3}, 9, false},
        {"leading zero of a length", {0x30, 0x82, 0, 6, 2, 1, 3, 2, 1, 3}, 10, false},
        {"cut", {0x30, 7, 2, 1, 3, 2, 1, 3}, 8, false},
        {"cut inside", {0x30, 6, 2, 1, 3, 2, 2, 3}, 8, false},
        {"cut head", {0x30}, 1, false},
        {"negative", {0x30, 6, 2, 1, 3, 2, 1, 0x83}, 8, false},
        {"not minimal", {0x30, 7, 2, 1, 3, 2, 2, 0, 3}, 9, false},
        {"minimal with a zero", {0x30, 7, 2, 1, 3, 2, 2, 0, 0x83}, 9, true},
        {"no bytes", {0x30, 5, 2, 1, 3, 2, 0}, 7, false},
        {"long tag", {0x30, 3, 0x1f, 1, 0}, 5, false},
        {"version 0", {0x30, 9, 2, 1, 0, 2, 1, 3, 2, 1, 3}, 11, true},
        {"version 2", {0x30, 9, 2, 1, 2, 2, 1, 3, 2, 1, 3}, 11, false},
        {"wrapped", {0x30, 9, 2, 1, 0, 0x30, 0, 4, 2, 0x30, 0}, 11, true},
        {"wrapped, trailing", {0x30, 10, 2, 1, 0, 0x30, 0, 4, 3, 0x30, 0, 0}, 12, false},
        {"bits", {0x30, 7, 0x30, 0, 3, 3, 0, 0x30, 0}, 9, true},
        {"bits, not whole", {0x30, 7, 0x30, 0, 3, 3, 1, 0x30, 0}, 9, false},
        {"bits, none", {0x30, 4, 0x30, 0, 3, 0}, 6, false},
        {"bits, negative", {0x30, 10, 0x30, 0, 3, 6, 0, 0x30, 3, 2, 1, 0x80}, 12, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const flaw = monpro_der_flaw(cases[i].der, cases[i].len);
        if ((flaw == NULL) != cases[i].strict) {
            fprintf(stderr, "%s: %s\n", cases[i].name, flaw == NULL ? "no flaw" : flaw);
            test_failures++;
        }
    }
}

static void test_exponent(void)
{
    uint8_t data[ROOM] = {0x30, 0x4e, 2, 0x41, 0, 0xff};
    data[2 + 2 + 0x41 - 1] = 1; /* an odd modulus of 512 bits */
    uint8_t *const e = data + 2 + 2 + 0x41;
    e[0] = 2;
    e[1] = 9;
    e[2] = 1;
    e[10] = 1; /* of 65 bits */
    EXPECT(MONPRO_ERR_KEY_EXPONENT, read_flags(data, 0x50, 0));
    EXPECT(MONPRO_OK, read_flags(data, 0x50, MONPRO_KEY_LONG_EXPONENT));
    data[1] = 0x4d;
    e[1] = 8; /* of 57 bits */
    memmove(e + 3, e + 4, 7);
    e[9] = 1;
    EXPECT(MONPRO_OK, read_flags(data, 0x4f, 0));
}

static EVP_PKEY *rsa_pss_key(void)
{
    EVP_PKEY *made = NULL;
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, "RSA-PSS", NULL);
    CHECK(EVP_PKEY_keygen_init(maker) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(maker, 1024) == 1 &&
          EVP_PKEY_generate(maker, &made) == 1);
    EVP_PKEY_CTX_free(maker);
    return made;
}

/* What is no RSA key is named. */
static void test_others(void)
{
    static const struct {
        const char *type, *word;
    } cases[] = {{"EC", "of EC;"}, {"ED25519", "of ED25519;"}, {"X25519", "of X25519;"}, {"RSA-PSS", "RSASSA-PSS"}};
    monpro_error error;
    monpro_key *key = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char *der = NULL;
        EVP_PKEY *other = strcmp(cases[i].type, "EC") == 0        ? EVP_EC_gen("P-256")
                          : strcmp(cases[i].type, "RSA-PSS") == 0 ? rsa_pss_key()
                                                                  : EVP_PKEY_Q_keygen(NULL, NULL, cases[i].type);
        const int size = i2d_PUBKEY(other, &der);
        CHECK(size > 0);
        EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read(&key, der, (size_t)size, NULL, &error));
        CHECK(strstr(error.message, cases[i].word) != NULL);
        OPENSSL_free(der);
        EVP_PKEY_free(other);
    }
    static const char certificate[] = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read(&key, (const uint8_t *)certificate, strlen(certificate), NULL, &error));
    CHECK(strstr(error.message, "a certificate") != NULL);
    EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read(&key, NULL, 0, NULL, &error));
    CHECK(strstr(error.message, "empty") != NULL);
}

static void test_options(void)
{
    monpro_key *key = NULL;
    monpro_key_options options = allowing(4);
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_read_with(&key, (const uint8_t *)"x", 1, &options, NULL));
    options = (monpro_key_options){0};
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_key_read_with(&key, (const uint8_t *)"x", 1, &options, NULL));
    EXPECT(MONPRO_ERR_KEY_FORMAT, monpro_key_read_with(&key, (const uint8_t *)"x", 1, NULL, NULL));
}

int main(void)
{
    monpro_key *key = NULL;
    REQUIRE(monpro_key_generate(&key, 1024, 65537, NULL));
    test_forms(key);
    test_version(key);
    test_flaws();
    test_exponent();
    test_others();
    test_options();
    monpro_key_free(key);
    return test_result();
}
