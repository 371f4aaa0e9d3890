/* Signatures. A context is one of the default provider's, with the identity key where the engine does the arithmetic and
 * with the real key elsewhere. All parameters go through to it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <string.h>

#include "provider.h"

typedef struct signing {
    provider *provider;
    key *key;
    unsigned refusal;    /* ENGINE_ASKED: `inner` and `digest` have the identity key; else the counter */
    EVP_PKEY_CTX *inner; /* own, or with `digest` that one's */
    EVP_PKEY_CTX *real;  /* with the real key beside the identity key in `inner`, for a signature alone; or NULL */
    EVP_MD_CTX *digest;
} signing;

static void *new_signing(void *handle, const char *properties)
{
    (void)properties; /* of the program's library context, not of ours */
    signing *const made = OPENSSL_zalloc(sizeof *made);
    if (made != NULL) {
        made->provider = handle;
    }
    return made;
}

static void empty(signing *s)
{
    if (s->digest != NULL) {
        EVP_MD_CTX_free(s->digest);
    } else {
        EVP_PKEY_CTX_free(s->inner);
    }
    EVP_PKEY_CTX_free(s->real);
    s->digest = NULL;
    s->inner = s->real = NULL;
}

static void free_signing(void *handle)
{
    signing *const s = handle;
    if (s != NULL) {
        empty(s);
        key_free(s->key);
        OPENSSL_free(s);
    }
}

static void *duplicate(void *handle)
{
    const signing *const from = handle;
    signing *const made = new_signing(from->provider, NULL);
    if (made == NULL) {
        return NULL;
    }
    made->key = from->key == NULL ? NULL : key_take(from->key);
    made->refusal = from->refusal;
    bool ok = true;
    if (from->digest != NULL) {
        made->digest = EVP_MD_CTX_new();
        ok = made->digest != NULL && EVP_MD_CTX_copy_ex(made->digest, from->digest) == 1;
        made->inner = ok ? EVP_MD_CTX_get_pkey_ctx(made->digest) : NULL;
    } else if (from->inner != NULL) {
        made->inner = EVP_PKEY_CTX_dup(from->inner);
        made->real = from->real == NULL ? NULL : EVP_PKEY_CTX_dup(from->real);
        ok = made->inner != NULL && (made->real != NULL) == (from->real != NULL);
    }
    if (!ok) {
        free_signing(made);
        return NULL;
    }
    return made;
}

/* ---- begin ----------------------------------------------------------------------------------------------------- */

static size_t size_of(const signing *s)
{
    return (size_t)EVP_PKEY_get_size(s->key->real);
}

/* Sets the key, or keeps the one before if it is NULL. The form that the default provider is to have, or NULL. */
static EVP_PKEY *set_key(signing *s, key *one, operation kind)
{
    if (one != NULL) {
        (void)key_take(one);
        key_free(s->key);
        s->key = one;
    }
    if (s->key == NULL || s->key->real == NULL || (kind == OPERATION_SIGN && !s->key->is_private)) {
        (void)provider_fail(s->provider, REASON_KEY, "no key, or a public one where a private one is needed");
        return NULL;
    }
    empty(s);
    s->refusal = engine_refusal(s->key, kind);
    const key_forms *const forms = s->refusal == ENGINE_ASKED ? key_forms_of(s->key) : NULL;
    return forms != NULL && forms->identity != NULL ? forms->identity : s->key->real;
}

static int set_params(void *handle, const OSSL_PARAM params[])
{
    signing *const s = handle;
    return params == NULL || params[0].key == NULL ||
           (s->inner != NULL && EVP_PKEY_CTX_set_params(s->inner, (OSSL_PARAM *)params) == 1 &&
            (s->real == NULL || EVP_PKEY_CTX_set_params(s->real, (OSSL_PARAM *)params) == 1));
}

static int begin(signing *s, key *one, operation kind, int (*init)(EVP_PKEY_CTX *), const OSSL_PARAM params[])
{
    EVP_PKEY *const form = set_key(s, one, kind);
    s->inner = form == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(s->provider->context, form, NULL);
    if (s->inner == NULL || init(s->inner) != 1) {
        return 0;
    }
    if (kind == OPERATION_SIGN && form != s->key->real && s->provider->alone != ALONE_ENGINE) {
        s->real = EVP_PKEY_CTX_new_from_pkey(s->provider->context, s->key->real, NULL);
        if (s->real == NULL || init(s->real) != 1) {
            return 0;
        }
    }
    return set_params(s, params);
}

static int begin_sign(void *handle, void *one, const OSSL_PARAM params[])
{
    return begin(handle, one, OPERATION_SIGN, EVP_PKEY_sign_init, params);
}

static int begin_verify(void *handle, void *one, const OSSL_PARAM params[])
{
    return begin(handle, one, OPERATION_PUBLIC, EVP_PKEY_verify_init, params);
}

static int begin_recover(void *handle, void *one, const OSSL_PARAM params[])
{
    return begin(handle, one, OPERATION_PUBLIC, EVP_PKEY_verify_recover_init, params);
}

static int begin_digest(signing *s, const char *name, key *one, operation kind, const OSSL_PARAM params[])
{
    EVP_PKEY *form = set_key(s, one, kind);
    if (form != NULL && kind == OPERATION_SIGN && s->refusal == ENGINE_ASKED && engine_is_left(s->provider, size_of(s))) {
        s->refusal = COUNTER_DEFAULT_ALONE;
        form = s->key->real;
    }
    s->digest = form == NULL ? NULL : EVP_MD_CTX_new();
    if (s->digest == NULL) {
        return 0;
    }
    const char *const chosen = name == NULL || *name == '\0' ? NULL : name;
    const int ok = (kind == OPERATION_SIGN ? EVP_DigestSignInit_ex : EVP_DigestVerifyInit_ex)(
        s->digest, &s->inner, chosen, s->provider->context, NULL, form, params);
    EVP_MD_CTX_set_flags(s->digest, EVP_MD_CTX_FLAG_FINALISE); /* the program's context has been copied if need be */
    return ok == 1;
}

static int begin_digest_sign(void *handle, const char *name, void *one, const OSSL_PARAM params[])
{
    return begin_digest(handle, name, one, OPERATION_SIGN, params);
}

static int begin_digest_verify(void *handle, const char *name, void *one, const OSSL_PARAM params[])
{
    return begin_digest(handle, name, one, OPERATION_PUBLIC, params);
}

/* ---- sign ------------------------------------------------------------------------------------------------------ */

/* X9.31 takes the smaller of the two numbers that the power and its opposite are. */
static int take_smaller(const signing *s, unsigned char *signature, size_t size)
{
    BIGNUM *n = NULL, *one = BN_bin2bn(signature, (int)size, NULL), *other = BN_new();
    const int ok = one != NULL && other != NULL &&
                   EVP_PKEY_get_bn_param(s->key->real, OSSL_PKEY_PARAM_RSA_N, &n) == 1 && BN_sub(other, n, one) == 1 &&
                   BN_bn2binpad(BN_cmp(one, other) > 0 ? other : one, signature, (int)size) == (int)size;
    BN_free(n);
    BN_free(one);
    BN_free(other);
    return ok;
}

/* The padded block in `signature` becomes a signature, if it is none yet because of `refusal`. */
static int finish(const signing *s, unsigned refusal, unsigned char *signature, size_t size)
{
    if (refusal != ENGINE_ASKED) {
        engine_count(s->provider, refusal);
        return 1;
    }
    return engine_raw(s->key, OPERATION_SIGN, signature, size) &&
           (padding_mode(s->inner) != RSA_X931_PADDING || take_smaller(s, signature, size));
}

static int sign(void *handle, unsigned char *signature, size_t *length, size_t room, const unsigned char *message,
                size_t message_length)
{
    signing *const s = handle;
    if (signature == NULL) {
        return s->inner != NULL && EVP_PKEY_sign(s->inner, NULL, length, message, message_length) == 1;
    }
    if (s->inner == NULL) {
        return 0;
    }
    const bool is_left = s->real != NULL && engine_is_left(s->provider, size_of(s));
    const unsigned refusal = is_left ? COUNTER_DEFAULT_ALONE : s->refusal;
    const visit here = engine_enter(s->provider);
    *length = room;
    const int ok = EVP_PKEY_sign(is_left ? s->real : s->inner, signature, length, message, message_length) == 1 &&
                   finish(s, refusal, signature, *length);
    engine_leave(&here, size_of(s), refusal, ok);
    return ok;
}

static int update(void *handle, const unsigned char *data, size_t length)
{
    const signing *const s = handle;
    return s->digest != NULL && EVP_DigestUpdate(s->digest, data, length) == 1;
}

static int sign_digest(void *handle, unsigned char *signature, size_t *length, size_t room)
{
    signing *const s = handle;
    if (s->digest == NULL) {
        return 0;
    }
    if (signature == NULL) {
        *length = size_of(s);
        return 1;
    }
    const visit here = engine_enter(s->provider);
    *length = room;
    const int ok = EVP_DigestSignFinal(s->digest, signature, length) == 1 &&
                   finish(s, s->refusal, signature, *length);
    engine_leave(&here, size_of(s), s->refusal, ok);
    return ok;
}

/* ---- verify ---------------------------------------------------------------------------------------------------- */

/* `block` = what the default provider is to look at: with the engine the padded block. A signature that is not as long as
 * the key is given to it as it is, and it says so. 1; 0: it is not right, or the engine failed. */
static int open_signature(const signing *s, unsigned char block[KEY_BYTES], const unsigned char **signature, size_t length)
{
    if (s->refusal != ENGINE_ASKED) {
        engine_count(s->provider, s->refusal);
        return 1;
    }
    if (length != size_of(s) || length > KEY_BYTES) {
        return 1;
    }
    memcpy(block, *signature, length);
    *signature = block;
    return engine_raw(s->key, OPERATION_PUBLIC, block, length);
}

static int verify(void *handle, const unsigned char *signature, size_t length, const unsigned char *message,
                  size_t message_length)
{
    const signing *const s = handle;
    unsigned char block[KEY_BYTES];
    return s->inner != NULL && open_signature(s, block, &signature, length) &&
           EVP_PKEY_verify(s->inner, signature, length, message, message_length) == 1;
}

static int recover(void *handle, unsigned char *message, size_t *length, size_t room, const unsigned char *signature,
                   size_t signature_length)
{
    const signing *const s = handle;
    unsigned char block[KEY_BYTES];
    if (s->inner == NULL || (message != NULL && !open_signature(s, block, &signature, signature_length))) {
        return 0;
    }
    *length = room;
    return EVP_PKEY_verify_recover(s->inner, message, length, signature, signature_length) == 1;
}

static int verify_digest(void *handle, const unsigned char *signature, size_t length)
{
    const signing *const s = handle;
    unsigned char block[KEY_BYTES];
    return s->digest != NULL && open_signature(s, block, &signature, length) &&
           EVP_DigestVerifyFinal(s->digest, signature, length) == 1;
}

/* ---- parameters ------------------------------------------------------------------------------------------------ */

static int get_params(void *handle, OSSL_PARAM params[])
{
    const signing *const s = handle;
    return s->inner != NULL && EVP_PKEY_CTX_get_params(s->inner, params) == 1;
}

static const OSSL_PARAM *gettable(void *handle, void *p)
{
    (void)handle;
    return EVP_SIGNATURE_gettable_ctx_params(((const provider *)p)->signature);
}

static const OSSL_PARAM *settable(void *handle, void *p)
{
    const signing *const s = handle;
    return s != NULL && s->inner != NULL ? EVP_PKEY_CTX_settable_params(s->inner)
                                         : EVP_SIGNATURE_settable_ctx_params(((const provider *)p)->signature);
}

#define FUNCTION(id, function) {id, (void (*)(void))(function)}
static const OSSL_DISPATCH functions[] = {
    FUNCTION(OSSL_FUNC_SIGNATURE_NEWCTX, new_signing),
    FUNCTION(OSSL_FUNC_SIGNATURE_FREECTX, free_signing),
    FUNCTION(OSSL_FUNC_SIGNATURE_DUPCTX, duplicate),
    FUNCTION(OSSL_FUNC_SIGNATURE_SIGN_INIT, begin_sign),
    FUNCTION(OSSL_FUNC_SIGNATURE_SIGN, sign),
    FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_INIT, begin_verify),
    FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY, verify),
    FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT, begin_recover),
    FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_RECOVER, recover),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, begin_digest_sign),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, update),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, sign_digest),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, begin_digest_verify),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, update),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, verify_digest),
    FUNCTION(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_params),
    FUNCTION(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, gettable),
    FUNCTION(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_params),
    FUNCTION(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, settable),
    {0, NULL}
};

const OSSL_ALGORITHM provider_signatures[] = {
    {"RSA:rsaEncryption:1.2.840.113549.1.1.1", "provider=monpro", functions, "RSA signatures by an engine of Monpro"},
    {NULL, NULL, NULL, NULL}
};
