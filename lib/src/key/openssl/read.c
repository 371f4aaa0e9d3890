/* Reading, making and writing keys, in libcrypto's formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/wipe.h"
#include "key/der.h"
#include "key/key.h"

enum { MAX_KEY_FILE = 1 << 20, DER_SEQUENCE = 0x30, MAX_EXPONENT_BYTES = 8 };

static monpro_key *new_key(void)
{
    return calloc(1, sizeof(monpro_key));
}

void monpro_key_free(monpro_key *key)
{
    if (key != NULL) {
        EVP_PKEY_free(key->pkey);
        monpro_wipe(key, sizeof *key);
        free(key);
    }
}

uint32_t monpro_key_bits(const monpro_key *key)
{
    return key == NULL ? 0 : key->bits;
}

int monpro_key_is_private(const monpro_key *key)
{
    return key != NULL && key->is_private;
}

/* A key of libcrypto's form, which becomes the key's own, also on an error. */
static monpro_status make_key(monpro_key **key, EVP_PKEY *pkey, monpro_error *error)
{
    monpro_key *made = new_key();
    if (made == NULL) {
        EVP_PKEY_free(pkey);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for a key");
    }
    made->pkey = pkey;
    const monpro_status status = monpro_key_adopt(made, pkey, error);
    if (status != MONPRO_OK) {
        monpro_key_free(made);
        return status;
    }
    *key = made;
    return MONPRO_OK;
}

/* ---- read ---------------------------------------------------------------------------------------------------- */

typedef struct passphrase_request {
    const char *passphrase;
    bool asked;
} passphrase_request;

/* libcrypto calls this only for an encrypted key: that it was called tells a wrong passphrase from a damaged file. */
static int give_passphrase(char *buffer, size_t size, size_t *length, const OSSL_PARAM parameters[], void *context)
{
    (void)parameters;
    passphrase_request *request = context;
    request->asked = true;
    if (request->passphrase == NULL) {
        return 0;
    }
    *length = strlen(request->passphrase);
    if (*length > size) {
        return 0;
    }
    memcpy(buffer, request->passphrase, *length);
    return 1;
}

/* *pkey = the key of that type in the data, or NULL if there is none; a type of NULL: of any. MEMORY: libcrypto could not begin, or has none at all. */
static monpro_status decode(EVP_PKEY **pkey, const char *type, const uint8_t *data, size_t data_len,
                            passphrase_request *request, monpro_error *error)
{
    enum { PROBE_BYTES = 1 << 16 };
    const unsigned char *from = data;
    size_t left = data_len;
    EVP_PKEY *found = NULL;
    *pkey = NULL;
    OSSL_DECODER_CTX *decoder = OSSL_DECODER_CTX_new_for_pkey(&found, NULL, NULL, type, 0, NULL, NULL);
    void *const probe = OPENSSL_malloc(PROBE_BYTES); /* compilers leave a malloc() out that is only freed */
    const bool ready = decoder != NULL && probe != NULL &&
                       OSSL_DECODER_CTX_set_passphrase_cb(decoder, give_passphrase, request) == 1;
    const bool decoded = ready && data_len != 0 && OSSL_DECODER_from_data(decoder, &from, &left) == 1;
    OSSL_DECODER_CTX_free(decoder);
    OPENSSL_free(probe);
    if (decoded) {
        *pkey = found;
    } else {
        EVP_PKEY_free(found);
    }
    return ready ? MONPRO_OK : monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for a key decoder");
}

static monpro_status check_der(const uint8_t *der, size_t len, monpro_error *error)
{
    const char *const flaw = monpro_der_flaw(der, len);
    return flaw == NULL ? MONPRO_OK : monpro_fail(error, MONPRO_ERR_KEY_ENCODING, "the key is not strict DER: it has %s", flaw);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The first key among the blocks of a PEM file. What a block with a header holds is encrypted, and not DER. */
static monpro_status check_pem(const uint8_t *data, size_t data_len, monpro_error *error)
{
    monpro_status status = MONPRO_OK;
    bool found = false;
    BIO *file = BIO_new_mem_buf(data, (int)data_len);
    while (file != NULL && !found) {
        char *name = NULL, *header = NULL;
        unsigned char *der = NULL;
        long len = 0;
        if (PEM_read_bio(file, &name, &header, &der, &len) != 1) {
            break;
        }
        found = ends_with(name, "PRIVATE KEY") || ends_with(name, "PUBLIC KEY");
        if (found && *header == '\0') {
            status = check_der(der, (size_t)len, error);
        }
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_clear_free(der, (size_t)len);
    }
    const bool ended = file != NULL && !found && ERR_GET_LIB(ERR_peek_last_error()) == ERR_LIB_PEM &&
                       ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    BIO_free(file);
    if (ended) {
        return monpro_fail(error, MONPRO_ERR_KEY_ENCODING, "the key is neither PEM nor DER");
    }
    return found ? status : monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to look at the key's encoding");
}

static bool holds(const uint8_t *data, size_t data_len, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= data_len; i++) {
        if (memcmp(data + i, text, length) == 0) {
            return true;
        }
    }
    return false;
}

/* What is there instead of an RSA key, in an error. */
static monpro_status name_other(const uint8_t *data, size_t data_len, passphrase_request *request, monpro_error *error)
{
    EVP_PKEY *other = NULL;
    (void)ERR_set_mark();
    monpro_status status = decode(&other, NULL, data, data_len, request, error);
    const char *const type = other == NULL ? NULL : EVP_PKEY_get0_type_name(other);
    if (status == MONPRO_OK && type != NULL && EVP_PKEY_is_a(other, "RSA-PSS")) {
        status = monpro_fail(error, MONPRO_ERR_KEY_FORMAT,
                             "the key is for RSASSA-PSS alone (RSA-PSS), which this library does not take: a plain RSA "
                             "key is expected");
    } else if (status == MONPRO_OK && type != NULL && !EVP_PKEY_is_a(other, "RSA")) {
        status = monpro_fail(error, MONPRO_ERR_KEY_FORMAT, "the key is one of %s; an RSA key is expected", type);
    } else if (status == MONPRO_OK && holds(data, data_len, "-----BEGIN CERTIFICATE-----")) {
        status = monpro_fail(error, MONPRO_ERR_KEY_FORMAT,
                             "a certificate, and no key: `openssl x509 -pubkey -noout` takes the public key out of it");
    } else if (status == MONPRO_OK) {
        status = monpro_fail(error, MONPRO_ERR_KEY_FORMAT,
                             "not a whole RSA key: PEM or DER of PKCS#1, PKCS#8 or SubjectPublicKeyInfo is expected");
    }
    EVP_PKEY_free(other);
    (void)ERR_pop_to_mark();
    return status;
}

static monpro_status check_options(const monpro_key_options *options, monpro_error *error)
{
    if (options->size != sizeof *options) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "the options' size is that of no version of this library");
    }
    if ((options->flags & ~(uint32_t)(MONPRO_KEY_LONG_EXPONENT | MONPRO_KEY_ANY_ENCODING)) != 0) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "a flag of the key's options is unknown");
    }
    return MONPRO_OK;
}

/* What a file that libcrypto has decoded may still be refused for; else the key, of which pkey becomes a part. */
static monpro_status accept(monpro_key **key, EVP_PKEY *pkey, const uint8_t *data, size_t data_len, uint32_t flags,
                            monpro_error *error)
{
    monpro_status status = MONPRO_OK;
    if ((flags & MONPRO_KEY_ANY_ENCODING) == 0) {
        (void)ERR_set_mark();
        status = data[0] == DER_SEQUENCE ? check_der(data, data_len, error) : check_pem(data, data_len, error);
        (void)ERR_pop_to_mark();
    }
    if (status != MONPRO_OK) {
        EVP_PKEY_free(pkey);
        return status;
    }
    status = make_key(key, pkey, error);
    if (status == MONPRO_OK && (flags & MONPRO_KEY_LONG_EXPONENT) == 0 && (*key)->e_size > MAX_EXPONENT_BYTES) {
        monpro_key_free(*key);
        *key = NULL;
        status = monpro_fail(error, MONPRO_ERR_KEY_EXPONENT, "the public exponent has more than %u bits",
                             8u * MAX_EXPONENT_BYTES);
    }
    return status;
}

monpro_status monpro_key_read_with(monpro_key **key, const uint8_t *data, size_t data_len,
                                   const monpro_key_options *options, monpro_error *error)
{
    static const monpro_key_options none = {.size = sizeof none};
    monpro_error_reset(error);
    if (key == NULL || (data == NULL && data_len != 0)) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "key or data is NULL");
    }
    *key = NULL;
    options = options == NULL ? &none : options;
    MONPRO_TRY(check_options(options, error));
    if (data_len == 0) {
        return monpro_fail(error, MONPRO_ERR_KEY_FORMAT, "the key is empty");
    }
    if (data_len > MAX_KEY_FILE) {
        return monpro_fail(error, MONPRO_ERR_KEY_FORMAT, "the key is longer than any key");
    }
    EVP_PKEY *pkey = NULL;
    passphrase_request request = {options->passphrase, false};
    (void)ERR_set_mark();
    monpro_status status = decode(&pkey, "RSA", data, data_len, &request, error);
    if (status == MONPRO_OK && pkey == NULL) {
        /* libcrypto does not say whether it had no memory. What it had none for once, it may have now. */
        status = decode(&pkey, "RSA", data, data_len, &request, error);
    }
    (void)ERR_pop_to_mark();
    if (status != MONPRO_OK) {
        return status;
    }
    if (pkey != NULL) {
        return accept(key, pkey, data, data_len, options->flags, error);
    }
    if (request.asked && options->passphrase == NULL) {
        return monpro_fail(error, MONPRO_ERR_KEY_PASSPHRASE, "the key is encrypted: a passphrase is needed");
    }
    if (request.asked) {
        return monpro_fail(error, MONPRO_ERR_KEY_WRONG_PASSPHRASE, "the passphrase does not open the key");
    }
    return name_other(data, data_len, &request, error);
}

monpro_status monpro_key_read(monpro_key **key, const uint8_t *data, size_t data_len, const char *passphrase,
                              monpro_error *error)
{
    const monpro_key_options options = {.size = sizeof options, .passphrase = passphrase};
    return monpro_key_read_with(key, data, data_len, &options, error);
}

monpro_status monpro_key_read_file(monpro_key **key, const char *path, const char *passphrase, monpro_error *error)
{
    monpro_error_reset(error);
    if (key == NULL || path == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "key or path is NULL");
    }
    *key = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return monpro_fail(error, MONPRO_ERR_FILE, "the key file %s cannot be opened", path);
    }
    uint8_t *data = malloc(MAX_KEY_FILE);
    if (data == NULL) {
        (void)fclose(file);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for a key file");
    }
    (void)setvbuf(file, NULL, _IONBF, 0); /* no second copy of a secret */
    const size_t size = fread(data, 1, MAX_KEY_FILE, file);
    monpro_status status;
    if (ferror(file)) {
        status = monpro_fail(error, MONPRO_ERR_FILE, "the key file %s cannot be read", path);
    } else if (size == MAX_KEY_FILE) {
        status = monpro_fail(error, MONPRO_ERR_KEY_FORMAT, "the key file %s is longer than any key", path);
    } else {
        status = monpro_key_read(key, data, size, passphrase, error);
    }
    (void)fclose(file);
    monpro_wipe(data, size);
    free(data);
    return status;
}

/* ---- make ---------------------------------------------------------------------------------------------------- */

monpro_status monpro_key_generate(monpro_key **key, uint32_t bits, uint64_t e, monpro_error *error)
{
    monpro_error_reset(error);
    if (key == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "key is NULL");
    }
    *key = NULL;
    if (bits < MONPRO_KEY_MIN_BITS || bits > MONPRO_KEY_MAX_BITS || bits % 64 != 0) {
        return monpro_fail(error, MONPRO_ERR_KEY_SIZE, "a key of %u bits: %u to %u in steps of 64 are allowed",
                           (unsigned)bits, (unsigned)MONPRO_KEY_MIN_BITS, (unsigned)MONPRO_KEY_MAX_BITS);
    }
    if (e < 3 || e % 2 == 0) {
        return monpro_fail(error, MONPRO_ERR_KEY_EXPONENT, "the public exponent has to be odd and above 2");
    }
    size_t key_bits = bits;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_size_t(OSSL_PKEY_PARAM_RSA_BITS, &key_bits),
        OSSL_PARAM_construct_uint64(OSSL_PKEY_PARAM_RSA_E, &e),
        OSSL_PARAM_construct_end(),
    };
    (void)ERR_set_mark();
    EVP_PKEY *pkey = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    const bool made = context != NULL && EVP_PKEY_keygen_init(context) == 1 &&
                      EVP_PKEY_CTX_set_params(context, parameters) == 1 && EVP_PKEY_generate(context, &pkey) == 1;
    EVP_PKEY_CTX_free(context);
    (void)ERR_pop_to_mark();
    if (!made) {
        EVP_PKEY_free(pkey);
        return monpro_fail(error, MONPRO_ERR_RANDOM, "libcrypto could not make a key");
    }
    return make_key(key, pkey, error);
}

/* ---- write --------------------------------------------------------------------------------------------------- */

static const struct {
    bool is_private;
    const char *structure; /* OpenSSL's name */
} forms[] = {
    [MONPRO_KEY_PRIVATE_PKCS8] = {true, "PrivateKeyInfo"},
    [MONPRO_KEY_PRIVATE_PKCS1] = {true, "type-specific"},
    [MONPRO_KEY_PUBLIC_SPKI] = {false, "SubjectPublicKeyInfo"},
    [MONPRO_KEY_PUBLIC_PKCS1] = {false, "type-specific"},
};

static monpro_status encode(const monpro_key *key, monpro_key_form form, int der, const char *passphrase,
                            unsigned char **data, size_t *size, monpro_error *error)
{
    const int selection = forms[form].is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    (void)ERR_set_mark();
    OSSL_ENCODER_CTX *encoder = OSSL_ENCODER_CTX_new_for_pkey(key->pkey, selection, der ? "DER" : "PEM",
                                                              forms[form].structure, NULL);
    bool encoded = encoder != NULL;
    if (encoded && passphrase != NULL) {
        encoded = OSSL_ENCODER_CTX_set_cipher(encoder, "AES-256-CBC", NULL) == 1 &&
                  OSSL_ENCODER_CTX_set_passphrase(encoder, (const unsigned char *)passphrase, strlen(passphrase)) == 1;
    }
    encoded = encoded && OSSL_ENCODER_to_data(encoder, data, size) == 1;
    OSSL_ENCODER_CTX_free(encoder);
    (void)ERR_pop_to_mark();
    return encoded ? MONPRO_OK : monpro_fail(error, MONPRO_ERR_UNSUPPORTED, "libcrypto could not write the key");
}

monpro_status monpro_key_write(const monpro_key *key, monpro_key_form form, int der, const char *passphrase,
                               uint8_t *out, size_t *out_len, monpro_error *error)
{
    monpro_error_reset(error);
    if (key == NULL || out_len == NULL || (unsigned)form >= sizeof forms / sizeof *forms) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "key or out_len is NULL, or the form is unknown");
    }
    const size_t room = out == NULL ? 0 : *out_len;
    if (out != NULL) {
        memset(out, 0, room);
    }
    *out_len = 0;
    if (forms[form].is_private && !key->is_private) {
        return monpro_fail(error, MONPRO_ERR_KEY_PUBLIC, "a public key cannot be written as a private one");
    }
    if (passphrase != NULL && form != MONPRO_KEY_PRIVATE_PKCS8) {
        return monpro_fail(error, MONPRO_ERR_UNSUPPORTED,
                           "a passphrase goes with PKCS#8 only (PKCS#1's own encryption derives its key by one MD5)");
    }
    unsigned char *data = NULL;
    size_t size = 0;
    monpro_status status = encode(key, form, der, passphrase, &data, &size, error);
    if (status != MONPRO_OK) {
        return status;
    }
    *out_len = size;
    if (out != NULL && room < size) {
        status = monpro_fail(error, MONPRO_ERR_BUFFER, "the key takes %u bytes; there is room for %u", (unsigned)size,
                             (unsigned)room);
    } else if (out != NULL) {
        memcpy(out, data, size);
    }
    OPENSSL_clear_free(data, size);
    return status;
}
