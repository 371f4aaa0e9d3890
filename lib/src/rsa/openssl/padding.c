/* Paddings, by libcrypto.
 *
 * OpenSSL 3 offers padding without the RSA operation only through functions that it calls deprecated. They are used in
 * this file alone. libcrypto's checks of OAEP and PKCS#1 v1.5 are constant-time up to their one verdict.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "rsa/padding.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <string.h>

#include "base/random.h"
#include "base/secret.h"
#include "base/status.h"
#include "base/wipe.h"

/* PKCS#1 v1.5: 00 01|02, eight bytes or more, 00. */
enum { PKCS1_OVERHEAD = 11 };

/* ---- why libcrypto failed ------------------------------------------------------------------------------------ */

/* Sets a mark in libcrypto's queue of errors, and an error of ours behind it: what is last there afterwards, and not this,
 * is what the next call says. ERR_pop_to_mark() takes it away. */
static void listen(void)
{
    (void)ERR_set_mark();
    ERR_raise(ERR_LIB_USER, 1);
}

/* Whether the last call gave one of these reasons. If it gave none, it had no memory. */
static bool said(int library, const int *reasons, size_t count)
{
    const unsigned long last = ERR_peek_last_error();
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found |= ERR_GET_LIB(last) == library && ERR_GET_REASON(last) == reasons[i];
    }
    return found;
}

/* A padding that could not be made: without random bytes, or else without memory. */
static monpro_status not_padded(monpro_error *error)
{
    uint8_t byte;
    const monpro_status status = monpro_random(&byte, sizeof byte, error);
    return status != MONPRO_OK ? status : monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to pad the message");
}

/* ---- digests ------------------------------------------------------------------------------------------------- */

static monpro_status fetch(EVP_MD **digest, const char *name, monpro_error *error)
{
    *digest = EVP_MD_fetch(NULL, name, NULL);
    if (*digest == NULL && EVP_get_digestbyname(name) != NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the digest %s", name);
    }
    /* What has no object identifier is none of RFC 8017's: "md5-sha1", and "null", for whose hash of no bytes
     * libcrypto's MGF1 would never end. */
    if (*digest == NULL || (EVP_MD_get_flags(*digest) & EVP_MD_FLAG_XOF) != 0 ||
        OBJ_length(OBJ_nid2obj(EVP_MD_get_type(*digest))) == 0) {
        EVP_MD_free(*digest);
        *digest = NULL;
        return monpro_fail(error, MONPRO_ERR_DIGEST, "no digest \"%s\" for RSA; sha256, sha384, sha512, sha3-256 are some",
                           name);
    }
    return MONPRO_OK;
}

/* The digest of the message, or of OAEP's label, and that of MGF1. */
typedef struct digests {
    EVP_MD *message, *mgf1;
} digests;

static void free_digests(digests *used)
{
    EVP_MD_free(used->message);
    EVP_MD_free(used->mgf1);
}

static monpro_status fetch_digests(digests *used, const monpro_rsa_settings *settings, monpro_error *error)
{
    const char *name = settings->options.digest;
    if (name == NULL) {
        name = settings->options.padding == MONPRO_PADDING_OAEP ? "sha1" : "sha256";
    }
    MONPRO_TRY(fetch(&used->message, name, error));
    return fetch(&used->mgf1, settings->mgf1_digest == NULL ? name : settings->mgf1_digest, error);
}

/* hash = the digest of the message, or the message if it is a digest already. */
static monpro_status digest_message(const EVP_MD *digest, const monpro_rsa_settings *settings, const uint8_t *message,
                                    size_t message_len, uint8_t *hash, monpro_error *error)
{
    if (settings->prehashed) {
        const size_t size = (size_t)EVP_MD_get_size(digest);
        if (message_len != size) {
            return monpro_fail(error, MONPRO_ERR_DIGEST, "a digest of %s has %u bytes; %u were given",
                               EVP_MD_get0_name(digest), (unsigned)size, (unsigned)message_len);
        }
        memcpy(hash, message, size);
        return MONPRO_OK;
    }
    if (EVP_Digest(message, message_len, hash, NULL, digest, NULL) != 1) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "libcrypto could not digest the message");
    }
    return MONPRO_OK;
}

/* DigestInfo (RFC 8017, 9.2): the digest's identifier and the hash in DER. */
static monpro_status digest_info(const EVP_MD *digest, const uint8_t *hash, uint8_t **der, size_t *size,
                                 monpro_error *error)
{
    X509_SIG *info = X509_SIG_new();
    X509_ALGOR *algorithm = NULL;
    ASN1_OCTET_STRING *value = NULL;
    int length = -1;
    *der = NULL;
    if (info != NULL) {
        X509_SIG_getm(info, &algorithm, &value);
        if (X509_ALGOR_set0(algorithm, OBJ_nid2obj(EVP_MD_get_type(digest)), V_ASN1_NULL, NULL) == 1 &&
            ASN1_OCTET_STRING_set(value, hash, EVP_MD_get_size(digest)) == 1) {
            length = i2d_X509_SIG(info, der);
        }
        X509_SIG_free(info);
    }
    if (length <= 0) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for a DigestInfo");
    }
    *size = (size_t)length;
    return MONPRO_OK;
}

static monpro_status too_long(size_t length, size_t room, const char *what, monpro_error *error)
{
    return monpro_fail(error, MONPRO_ERR_MESSAGE_LONG, "%s has %u bytes; this key and padding leave room for %u", what,
                       (unsigned)length, (unsigned)room);
}

/* Padding none: the message is the block. */
static monpro_status copy_block(const monpro_key *key, const uint8_t *message, size_t message_len, uint8_t *block,
                                monpro_error *error)
{
    if (message_len > key->size) {
        return too_long(message_len, key->size, "the message", error);
    }
    if (message_len < key->size) {
        return monpro_fail(error, MONPRO_ERR_PADDING, "without padding the message has to have the key's %u bytes; it has %u",
                           (unsigned)key->size, (unsigned)message_len);
    }
    memcpy(block, message, message_len);
    if (monpro_verdict(monpro_ct_less(block, key->n, key->size)) == 0) { /* the caller sees it in the status */
        memset(block, 0, key->size);
        return monpro_fail(error, MONPRO_ERR_BASE_RANGE, "without padding the message has to be below the key's modulus");
    }
    return MONPRO_OK;
}

static monpro_status wrong_padding(monpro_padding padding, const char *operation, const char *allowed,
                                   monpro_error *error)
{
    static const char *const names[] = {"none", "pkcs1", "oaep", "pss"};
    return monpro_fail(error, MONPRO_ERR_PADDING, "the padding %s is not for %s; %s are",
                       (unsigned)padding < sizeof names / sizeof *names ? names[padding] : "(unknown)", operation,
                       allowed);
}

static bool is_signature_padding(monpro_padding padding)
{
    return padding == MONPRO_PADDING_NONE || padding == MONPRO_PADDING_PKCS1 || padding == MONPRO_PADDING_PSS;
}

static bool is_encryption_padding(monpro_padding padding)
{
    return padding == MONPRO_PADDING_NONE || padding == MONPRO_PADDING_PKCS1 || padding == MONPRO_PADDING_OAEP;
}

/* Whether what is set beside the options belongs to the padding: nothing that was asked for is left aside. */
static monpro_status check_settings(const monpro_rsa_settings *settings, bool encryption, monpro_error *error)
{
    const monpro_padding padding = settings->options.padding;
    if (settings->mgf1_digest != NULL && padding != MONPRO_PADDING_OAEP && padding != MONPRO_PADDING_PSS) {
        return monpro_fail(error, MONPRO_ERR_PADDING, "a digest for MGF1 goes with the paddings oaep and pss only");
    }
    if ((unsigned)settings->salt > MONPRO_SALT_BYTES ||
        (settings->salt_len != 0 && settings->salt != MONPRO_SALT_BYTES)) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "no such kind of salt, or a length of salt without that kind");
    }
    if (settings->salt != MONPRO_SALT_DEFAULT && padding != MONPRO_PADDING_PSS) {
        return monpro_fail(error, MONPRO_ERR_PADDING, "a salt goes with the padding pss only");
    }
    if (settings->prehashed && (encryption || padding == MONPRO_PADDING_NONE)) {
        return monpro_fail(error, MONPRO_ERR_PADDING, "a digest is signed with the paddings pkcs1 and pss only");
    }
    return MONPRO_OK;
}

monpro_status monpro_padding_check(const monpro_rsa_settings *settings, bool encryption, monpro_error *error)
{
    const monpro_padding padding = settings->options.padding;
    if (encryption ? !is_encryption_padding(padding) : !is_signature_padding(padding)) {
        return encryption ? wrong_padding(padding, "encryption", "none, pkcs1 and oaep", error)
                          : wrong_padding(padding, "signatures", "none, pkcs1 and pss", error);
    }
    MONPRO_TRY(check_settings(settings, encryption, error));
    if (padding == MONPRO_PADDING_OAEP && ((settings->options.label == NULL && settings->options.label_len != 0) ||
                                           settings->options.label_len > INT_MAX)) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "the label is NULL, or absurdly long");
    }
    if (padding == MONPRO_PADDING_NONE || (encryption && padding == MONPRO_PADDING_PKCS1)) {
        return MONPRO_OK; /* no digest */
    }
    digests used = {0};
    listen();
    const monpro_status status = fetch_digests(&used, settings, error);
    free_digests(&used);
    (void)ERR_pop_to_mark();
    return status;
}

/* ---- signatures ---------------------------------------------------------------------------------------------- */

static monpro_status sign_pkcs1(const monpro_key *key, const EVP_MD *digest, const uint8_t *hash, uint8_t *block,
                                monpro_error *error)
{
    uint8_t *der = NULL;
    size_t size = 0;
    monpro_status status = digest_info(digest, hash, &der, &size, error);
    if (status == MONPRO_OK && size + PKCS1_OVERHEAD > key->size) {
        status = too_long(size, key->size - PKCS1_OVERHEAD, "the DigestInfo", error);
    }
    if (status == MONPRO_OK && RSA_padding_add_PKCS1_type_1(block, (int)key->size, der, (int)size) != 1) {
        status = monpro_fail(error, MONPRO_ERR_MEMORY, "libcrypto could not pad the digest");
    }
    OPENSSL_free(der);
    return status;
}

/* libcrypto's PSS functions want the key's modulus, for its length. */
static RSA *public_rsa(const monpro_key *key)
{
    RSA *rsa = RSA_new();
    BIGNUM *n = BN_bin2bn(key->n, (int)key->size, NULL), *e = BN_bin2bn(key->e, (int)key->e_size, NULL);
    if (rsa != NULL && n != NULL && e != NULL && RSA_set0_key(rsa, n, e, NULL) == 1) {
        return rsa;
    }
    BN_free(n);
    BN_free(e);
    RSA_free(rsa);
    return NULL;
}

static monpro_status sign_pss(const monpro_key *key, const digests *used, const monpro_rsa_settings *settings,
                              const uint8_t *hash, uint8_t *block, monpro_error *error)
{
    const size_t digest_len = (size_t)EVP_MD_get_size(used->message), room = (key->bits - 1 + 7) / 8;
    if (settings->salt == MONPRO_SALT_ANY) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "any length of salt is for verifying; signing needs one");
    }
    if (digest_len + 2 > room) {
        return too_long(digest_len + 2, room, "the digest", error);
    }
    const size_t most = room - digest_len - 2;
    const size_t salt = settings->salt == MONPRO_SALT_BYTES     ? settings->salt_len
                        : settings->salt == MONPRO_SALT_LONGEST ? most
                                                                : digest_len;
    if (salt > most) {
        return too_long(salt, most, "the salt", error);
    }
    RSA *rsa = public_rsa(key);
    const bool padded = rsa != NULL && RSA_padding_add_PKCS1_PSS_mgf1(rsa, block, hash, used->message, used->mgf1,
                                                                      (int)salt) == 1;
    RSA_free(rsa);
    return padded ? MONPRO_OK : not_padded(error);
}

static monpro_status wrong_signature(monpro_error *error)
{
    return monpro_fail(error, MONPRO_ERR_SIGNATURE, "%s", monpro_strerror(MONPRO_ERR_SIGNATURE));
}

/* The length that the salt of a signature must have, in libcrypto's terms. NEVER is longer than any salt. */
static int expected_salt(const monpro_key *key, const digests *used, const monpro_rsa_settings *settings)
{
    enum { NEVER = INT_MAX };
    const size_t digest_len = (size_t)EVP_MD_get_size(used->message), room = (key->bits - 1 + 7) / 8;
    switch (settings->salt) {
    case MONPRO_SALT_DIGEST:
        return (int)digest_len;
    case MONPRO_SALT_LONGEST:
        return digest_len + 2 > room ? NEVER : (int)(room - digest_len - 2);
    case MONPRO_SALT_BYTES:
        return settings->salt_len > room ? NEVER : (int)settings->salt_len;
    default:
        return RSA_PSS_SALTLEN_AUTO;
    }
}

static monpro_status verify_pss(const monpro_key *key, const digests *used, const monpro_rsa_settings *settings,
                                const uint8_t *hash, const uint8_t *block, monpro_error *error)
{
    RSA *rsa = public_rsa(key);
    if (rsa == NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to verify");
    }
    static const int wrong[] = {RSA_R_BAD_SIGNATURE, RSA_R_FIRST_OCTET_INVALID, RSA_R_LAST_OCTET_INVALID,
                                RSA_R_SLEN_RECOVERY_FAILED, RSA_R_SLEN_CHECK_FAILED, RSA_R_DATA_TOO_LARGE};
    const bool valid = RSA_verify_PKCS1_PSS_mgf1(rsa, hash, used->message, used->mgf1, block,
                                                 expected_salt(key, used, settings)) == 1;
    RSA_free(rsa);
    if (!valid && !said(ERR_LIB_RSA, wrong, sizeof wrong / sizeof *wrong)) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to verify");
    }
    return valid ? MONPRO_OK : wrong_signature(error);
}

monpro_status monpro_padding_sign(const monpro_key *key, const monpro_rsa_settings *settings, const uint8_t *message,
                                  size_t message_len, uint8_t *block, monpro_error *error)
{
    if (settings->options.padding == MONPRO_PADDING_NONE) {
        return copy_block(key, message, message_len, block, error);
    }
    digests used = {0};
    uint8_t hash[EVP_MAX_MD_SIZE];
    listen();
    monpro_status status = fetch_digests(&used, settings, error);
    if (status == MONPRO_OK) {
        status = digest_message(used.message, settings, message, message_len, hash, error);
    }
    if (status == MONPRO_OK) {
        status = settings->options.padding == MONPRO_PADDING_PSS ? sign_pss(key, &used, settings, hash, block, error)
                                                                 : sign_pkcs1(key, used.message, hash, block, error);
    }
    free_digests(&used);
    (void)ERR_pop_to_mark();
    return status;
}

monpro_status monpro_padding_verify(const monpro_key *key, const monpro_rsa_settings *settings, const uint8_t *message,
                                    size_t message_len, const uint8_t *block, monpro_error *error)
{
    if (settings->options.padding != MONPRO_PADDING_PSS) {
        /* Deterministic: what would have been signed, compared whole. */
        uint8_t expected[MONPRO_MAX_BYTES];
        const monpro_status status = monpro_padding_sign(key, settings, message, message_len, expected, error);
        if (status != MONPRO_OK) {
            return status;
        }
        return monpro_ct_equal(block, expected, key->size) != 0 ? MONPRO_OK : wrong_signature(error);
    }
    digests used = {0};
    uint8_t hash[EVP_MAX_MD_SIZE];
    listen();
    monpro_status status = fetch_digests(&used, settings, error);
    if (status == MONPRO_OK) {
        status = digest_message(used.message, settings, message, message_len, hash, error);
    }
    if (status == MONPRO_OK) {
        status = verify_pss(key, &used, settings, hash, block, error);
    }
    free_digests(&used);
    (void)ERR_pop_to_mark();
    return status;
}

/* ---- encryption ---------------------------------------------------------------------------------------------- */

static monpro_status encrypt_padded(const monpro_key *key, const monpro_rsa_settings *settings, const digests *used,
                                    const uint8_t *message, size_t message_len, uint8_t *block, monpro_error *error)
{
    const size_t overhead = used == NULL ? PKCS1_OVERHEAD : 2 * (size_t)EVP_MD_get_size(used->message) + 2;
    const size_t room = overhead < key->size ? key->size - overhead : 0;
    if (message_len > room || overhead > key->size) {
        return too_long(message_len, room, "the message", error);
    }
    const uint8_t *from = message_len == 0 ? (const uint8_t *)"" : message;
    const monpro_rsa_options *const o = &settings->options;
    const int size = (int)key->size, length = (int)message_len;
    const int padded = used == NULL
                           ? RSA_padding_add_PKCS1_type_2(block, size, from, length)
                           : RSA_padding_add_PKCS1_OAEP_mgf1(block, size, from, length, o->label, (int)o->label_len,
                                                             used->message, used->mgf1);
    return padded == 1 ? MONPRO_OK : not_padded(error);
}

monpro_status monpro_padding_encrypt(const monpro_key *key, const monpro_rsa_settings *settings, const uint8_t *message,
                                     size_t message_len, uint8_t *block, monpro_error *error)
{
    if (settings->options.padding == MONPRO_PADDING_NONE) {
        return copy_block(key, message, message_len, block, error);
    }
    digests used = {0};
    listen();
    monpro_status status = MONPRO_OK;
    if (settings->options.padding == MONPRO_PADDING_OAEP) {
        status = fetch_digests(&used, settings, error);
    }
    if (status == MONPRO_OK) {
        status = encrypt_padded(key, settings, used.message == NULL ? NULL : &used, message, message_len, block, error);
    }
    free_digests(&used);
    (void)ERR_pop_to_mark();
    return status;
}

/* The length of the message in a block, or below 0. libcrypto's checks do not say whether they had no memory, and looking
 * into its errors would be a branch on what it keeps secret. A block is refused only after a second check, because memory
 * may have run out for the first one alone. */
static int take_off(const monpro_key *key, const monpro_rsa_settings *settings, const digests *used,
                    const uint8_t *block, uint8_t *message)
{
    const monpro_rsa_options *const o = &settings->options;
    const int size = (int)key->size;
    int length = -1;
    for (int looks = 0; looks < 2 && length < 0; looks++) {
        length = used == NULL ? RSA_padding_check_PKCS1_type_2(message, size, block, size, size)
                              : RSA_padding_check_PKCS1_OAEP_mgf1(message, size, block, size, size, o->label,
                                                                  (int)o->label_len, used->message, used->mgf1);
        /* Whether there is a message, and its length, are what the caller gets; libcrypto computed both with masks. */
        monpro_public(&length, sizeof length);
    }
    return length;
}

/* DECRYPT, or MEMORY if there is still none for what a check of the padding needs. The probe is libcrypto's: a compiler
 * may take a malloc() that is only freed for one that succeeds, and leave it out. */
static monpro_status refuse(const monpro_key *key, monpro_error *error)
{
    void *const probe = OPENSSL_malloc(4 * key->size);
    if (probe == NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to take the padding off");
    }
    OPENSSL_free(probe);
    return monpro_fail(error, MONPRO_ERR_DECRYPT, "%s", monpro_strerror(MONPRO_ERR_DECRYPT));
}

monpro_status monpro_padding_decrypt(const monpro_key *key, const monpro_rsa_settings *settings, const uint8_t *block,
                                     uint8_t *message, size_t *message_len, monpro_error *error)
{
    if (settings->options.padding == MONPRO_PADDING_NONE) {
        memcpy(message, block, key->size);
        *message_len = key->size;
        return MONPRO_OK;
    }
    digests used = {0};
    listen();
    monpro_status status = MONPRO_OK;
    if (settings->options.padding == MONPRO_PADDING_OAEP) {
        status = fetch_digests(&used, settings, error);
    }
    if (status == MONPRO_OK) {
        const int length = take_off(key, settings, used.message == NULL ? NULL : &used, block, message);
        if (length < 0) {
            monpro_wipe(message, key->size);
            status = refuse(key, error);
        } else {
            *message_len = (size_t)length;
        }
    }
    free_digests(&used);
    (void)ERR_pop_to_mark();
    return status;
}
