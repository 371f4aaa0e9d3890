/* Encryption and decryption. OAEP and raw decryption are the engine's, with the default provider's padding. Decryption of
 * PKCS#1 v1.5, RSA key exchange of TLS among it, is the default provider's as a whole: what it answers to a wrong padding
 * (implicit rejection, from OpenSSL 3.2 on) follows from the private key, which the identity key does not have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <string.h>

#include "provider.h"

typedef struct enciphering {
    provider *provider;
    key *key;
    unsigned refusal;       /* ENGINE_ASKED, or the counter */
    EVP_PKEY_CTX *real;     /* with the real key; has every parameter, and is asked for them */
    EVP_PKEY_CTX *identity; /* the same with the identity key; NULL: the engine is not asked */
} enciphering;

static void *new_enciphering(void *handle)
{
    enciphering *const made = OPENSSL_zalloc(sizeof *made);
    if (made != NULL) {
        made->provider = handle;
    }
    return made;
}

static void empty(enciphering *c)
{
    EVP_PKEY_CTX_free(c->real);
    EVP_PKEY_CTX_free(c->identity);
    c->real = c->identity = NULL;
}

static void free_enciphering(void *handle)
{
    enciphering *const c = handle;
    if (c != NULL) {
        empty(c);
        key_free(c->key);
        OPENSSL_free(c);
    }
}

static void *duplicate(void *handle)
{
    const enciphering *const from = handle;
    enciphering *const made = new_enciphering(from->provider);
    if (made == NULL) {
        return NULL;
    }
    made->key = from->key == NULL ? NULL : key_take(from->key);
    made->refusal = from->refusal;
    made->real = from->real == NULL ? NULL : EVP_PKEY_CTX_dup(from->real);
    made->identity = from->identity == NULL ? NULL : EVP_PKEY_CTX_dup(from->identity);
    if ((from->real != NULL && made->real == NULL) || (from->identity != NULL && made->identity == NULL)) {
        free_enciphering(made);
        return NULL;
    }
    return made;
}

static int set_params(void *handle, const OSSL_PARAM params[])
{
    const enciphering *const c = handle;
    return params == NULL || params[0].key == NULL ||
           (c->real != NULL && EVP_PKEY_CTX_set_params(c->real, params) == 1 &&
            (c->identity == NULL || EVP_PKEY_CTX_set_params(c->identity, params) == 1));
}

static int begin(enciphering *c, key *one, operation kind, int (*init)(EVP_PKEY_CTX *), const OSSL_PARAM params[])
{
    if (one != NULL) {
        (void)key_take(one);
        key_free(c->key);
        c->key = one;
    }
    if (c->key == NULL || c->key->real == NULL || (kind == OPERATION_DECRYPT && !c->key->is_private)) {
        return provider_fail(c->provider, REASON_KEY, "no key, or a public one where a private one is needed");
    }
    empty(c);
    c->real = EVP_PKEY_CTX_new_from_pkey(c->provider->context, c->key->real, NULL);
    if (c->real == NULL || init(c->real) != 1) {
        return 0;
    }
    c->refusal = engine_refusal(c->key, kind);
    if (c->refusal == ENGINE_ASKED) {
        const key_forms *const forms = key_forms_of(c->key);
        EVP_PKEY *const identity = forms != NULL && forms->identity != NULL ? forms->identity : c->key->real;
        c->identity = EVP_PKEY_CTX_new_from_pkey(c->provider->context, identity, NULL);
        if (c->identity == NULL || init(c->identity) != 1) {
            return 0;
        }
    }
    return set_params(c, params);
}

static int begin_encrypt(void *handle, void *one, const OSSL_PARAM params[])
{
    return begin(handle, one, OPERATION_PUBLIC, EVP_PKEY_encrypt_init, params);
}

static int begin_decrypt(void *handle, void *one, const OSSL_PARAM params[])
{
    return begin(handle, one, OPERATION_DECRYPT, EVP_PKEY_decrypt_init, params);
}

static int encrypt(void *handle, unsigned char *out, size_t *length, size_t room, const unsigned char *in,
                   size_t in_length)
{
    const enciphering *const c = handle;
    *length = room;
    if (c->real == NULL) {
        return 0;
    }
    if (c->identity == NULL || out == NULL) {
        if (out != NULL) {
            engine_count(c->provider, c->refusal);
        }
        return EVP_PKEY_encrypt(c->real, out, length, in, in_length) == 1;
    }
    return EVP_PKEY_encrypt(c->identity, out, length, in, in_length) == 1 &&
           engine_raw(c->key, OPERATION_PUBLIC, out, *length);
}

/* Whether the engine decrypts this one; if not, it is counted. */
static bool is_for_engine(const enciphering *c, size_t in_length)
{
    const int mode = padding_mode(c->real);
    if (c->identity == NULL) {
        engine_count(c->provider, c->refusal);
        return false;
    }
    if (mode != RSA_PKCS1_OAEP_PADDING && mode != RSA_NO_PADDING) {
        engine_count(c->provider, COUNTER_DEFAULT_PADDING);
        return false;
    }
    /* A text of another length is an error, and the default provider's to say. */
    return in_length == (size_t)EVP_PKEY_get_size(c->key->real) && in_length <= KEY_BYTES;
}

static int by_engine(const enciphering *c, unsigned char *out, size_t *length, const unsigned char *in, size_t in_length)
{
    unsigned char block[KEY_BYTES];
    if (in_length > sizeof block) {
        return 0;
    }
    memcpy(block, in, in_length);
    const int ok = engine_raw(c->key, OPERATION_DECRYPT, block, in_length) &&
                   EVP_PKEY_decrypt(c->identity, out, length, block, in_length) == 1;
    OPENSSL_cleanse(block, sizeof block);
    return ok;
}

static int decrypt(void *handle, unsigned char *out, size_t *length, size_t room, const unsigned char *in,
                   size_t in_length)
{
    const enciphering *const c = handle;
    *length = room;
    if (c->real == NULL) {
        return 0;
    }
    if (out == NULL || (c->provider->flaw[0] == '\0' && !is_for_engine(c, in_length))) {
        return EVP_PKEY_decrypt(c->real, out, length, in, in_length) == 1;
    }
    const bool is_left = engine_is_left(c->provider, in_length);
    const visit here = engine_enter(c->provider);
    if (is_left) {
        engine_count(c->provider, COUNTER_DEFAULT_ALONE);
    }
    const int ok = is_left ? EVP_PKEY_decrypt(c->real, out, length, in, in_length) == 1
                           : by_engine(c, out, length, in, in_length);
    engine_leave(&here, in_length, is_left ? COUNTER_DEFAULT_ALONE : ENGINE_ASKED, ok);
    return ok;
}

static int get_params(void *handle, OSSL_PARAM params[])
{
    const enciphering *const c = handle;
    return c->real != NULL && EVP_PKEY_CTX_get_params(c->real, params) == 1;
}

static const OSSL_PARAM *gettable(void *handle, void *p)
{
    (void)handle;
    return EVP_ASYM_CIPHER_gettable_ctx_params(((const provider *)p)->cipher);
}

static const OSSL_PARAM *settable(void *handle, void *p)
{
    (void)handle;
    return EVP_ASYM_CIPHER_settable_ctx_params(((const provider *)p)->cipher);
}

#define FUNCTION(id, function) {id, (void (*)(void))(function)}
static const OSSL_DISPATCH functions[] = {
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_NEWCTX, new_enciphering),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_FREECTX, free_enciphering),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_DUPCTX, duplicate),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, begin_encrypt),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_ENCRYPT, encrypt),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, begin_decrypt),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_DECRYPT, decrypt),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS, get_params),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS, gettable),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS, set_params),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS, settable),
    {0, NULL}
};

const OSSL_ALGORITHM provider_ciphers[] = {
    {"RSA:rsaEncryption:1.2.840.113549.1.1.1", "provider=monpro", functions, "RSA encryption by an engine of Monpro"},
    {NULL, NULL, NULL, NULL}
};
