/* Whole RSA operations: a padding around one raw operation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "base/secret.h"
#include "base/status.h"
#include "base/wipe.h"
#include "key/key.h"
#include "rsa/padding.h"

/* The settings of a call, with all members of today's struct, from those of a caller built with an older header. */
typedef struct request {
    monpro_rsa_settings settings;
    bool known;
} request;

static request request_of(const monpro_rsa_settings *given)
{
    /* What a caller of the first header with settings knows. */
    const size_t least = offsetof(monpro_rsa_settings, prehashed) + sizeof given->prehashed;
    request made = {.known = given == NULL || (given->size >= least && given->size <= sizeof *given)};
    if (given != NULL && made.known) {
        memcpy(&made.settings, given, given->size);
    }
    return made;
}

static monpro_rsa_settings settings_of(const monpro_rsa_options *options)
{
    monpro_rsa_settings made = {.size = sizeof made};
    if (options != NULL) {
        made.options = *options;
    }
    return made;
}

/* The output of an operation. It may be the input's buffer: nothing is written to it before its end. */
typedef struct output {
    uint8_t *bytes;
    size_t room;
    size_t *length;
} output;

/* Starts an operation: no error, nothing spent, no output yet. */
static output begin(uint8_t *out, size_t *out_len, const request *asked, monpro_error *error)
{
    const monpro_rsa_options *const options = &asked->settings.options;
    const output started = {out, out_len == NULL ? 0 : *out_len, out_len};
    monpro_error_reset(error);
    if (options->counters != NULL) {
        memset(options->counters, 0, sizeof *options->counters);
    }
    if (options->check_counters != NULL) {
        memset(options->check_counters, 0, sizeof *options->check_counters);
    }
    if (out_len != NULL) {
        *out_len = 0;
    }
    return started;
}

static monpro_status check_arguments(const request *asked, const monpro_engine *engine, const monpro_key *key,
                                     const uint8_t *in, size_t in_len, const output *out, monpro_error *error)
{
    if (!asked->known) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "the settings' size is that of no version of this library");
    }
    if (engine == NULL || key == NULL || (in == NULL && in_len != 0) || (out->bytes == NULL && out->room != 0) ||
        out->length == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine, key, input, output or its length is NULL");
    }
    return MONPRO_OK;
}

static monpro_status check_room(const output *out, size_t needed, monpro_error *error)
{
    if (out->room >= needed) {
        return MONPRO_OK;
    }
    *out->length = needed;
    return monpro_fail(error, MONPRO_ERR_BUFFER, "room for %u bytes of output; it has %u", (unsigned)out->room,
                       (unsigned)needed);
}

/* Ends an operation: its output's length, or on an error zeroes. */
static monpro_status finish(const output *out, monpro_status status, size_t length)
{
    if (status == MONPRO_OK) {
        *out->length = length;
    } else if (out->bytes != NULL) {
        monpro_wipe(out->bytes, out->room);
    }
    return status;
}

monpro_status monpro_sign_with(monpro_engine *engine, monpro_key *key, const uint8_t *message, size_t message_len,
                               uint8_t *signature, size_t *signature_len, const monpro_rsa_settings *settings,
                               monpro_error *error)
{
    const request asked = request_of(settings);
    settings = &asked.settings;
    uint8_t block[MONPRO_MAX_BYTES];
    const output out = begin(signature, signature_len, &asked, error);
    monpro_status status = check_arguments(&asked, engine, key, message, message_len, &out, error);
    status = status != MONPRO_OK ? status : check_room(&out, key->size, error);
    status = status != MONPRO_OK ? status : monpro_padding_check(settings, false, error);
    status = status != MONPRO_OK ? status : monpro_padding_sign(key, settings, message, message_len, block, error);
    status = status != MONPRO_OK ? status
                                 : monpro_rsa_private(engine, key, block, signature, 1, &settings->options, error);
    monpro_wipe(block, sizeof block);
    return finish(&out, status, status == MONPRO_OK ? key->size : 0);
}

monpro_status monpro_verify_with(monpro_engine *engine, const monpro_key *key, const uint8_t *message,
                                 size_t message_len, const uint8_t *signature, size_t signature_len,
                                 const monpro_rsa_settings *settings, monpro_error *error)
{
    const request asked = request_of(settings);
    settings = &asked.settings;
    uint8_t block[MONPRO_MAX_BYTES];
    size_t no_length = 0;
    const output none = begin(NULL, &no_length, &asked, error);
    monpro_status status = check_arguments(&asked, engine, key, message, message_len, &none, error);
    if (status == MONPRO_OK && signature == NULL) {
        status = monpro_fail(error, MONPRO_ERR_ARGUMENT, "signature is NULL");
    }
    status = status != MONPRO_OK ? status : monpro_padding_check(settings, false, error);
    if (status == MONPRO_OK &&
        (signature_len != key->size || monpro_ct_less(signature, key->n, key->size) == 0)) {
        status = monpro_fail(error, MONPRO_ERR_SIGNATURE,
                             "the signature does not verify: it is not of the key's %u bytes, or not below its modulus",
                             (unsigned)key->size);
    }
    status = status != MONPRO_OK ? status
                                 : monpro_rsa_public(engine, key, signature, block, 1, &settings->options, error);
    return status != MONPRO_OK ? status
                               : monpro_padding_verify(key, settings, message, message_len, block, error);
}

monpro_status monpro_encrypt_with(monpro_engine *engine, const monpro_key *key, const uint8_t *message,
                                  size_t message_len, uint8_t *ciphertext, size_t *ciphertext_len,
                                  const monpro_rsa_settings *settings, monpro_error *error)
{
    const request asked = request_of(settings);
    settings = &asked.settings;
    uint8_t block[MONPRO_MAX_BYTES];
    const output out = begin(ciphertext, ciphertext_len, &asked, error);
    monpro_status status = check_arguments(&asked, engine, key, message, message_len, &out, error);
    status = status != MONPRO_OK ? status : check_room(&out, key->size, error);
    status = status != MONPRO_OK ? status : monpro_padding_check(settings, true, error);
    status = status != MONPRO_OK ? status : monpro_padding_encrypt(key, settings, message, message_len, block, error);
    status = status != MONPRO_OK ? status
                                 : monpro_rsa_public(engine, key, block, ciphertext, 1, &settings->options, error);
    monpro_wipe(block, sizeof block);
    return finish(&out, status, status == MONPRO_OK ? key->size : 0);
}

monpro_status monpro_decrypt_with(monpro_engine *engine, monpro_key *key, const uint8_t *ciphertext,
                                  size_t ciphertext_len, uint8_t *message, size_t *message_len,
                                  const monpro_rsa_settings *settings, monpro_error *error)
{
    const request asked = request_of(settings);
    settings = &asked.settings;
    uint8_t block[MONPRO_MAX_BYTES], plain[MONPRO_MAX_BYTES];
    size_t plain_len = 0;
    const output out = begin(message, message_len, &asked, error);
    monpro_status status = check_arguments(&asked, engine, key, ciphertext, ciphertext_len, &out, error);
    status = status != MONPRO_OK ? status : monpro_padding_check(settings, true, error);
    if (status == MONPRO_OK &&
        (ciphertext_len != key->size ||
         monpro_verdict(monpro_ct_less(ciphertext, key->n, key->size)) == 0)) { /* the caller sees it in the status */
        status = monpro_fail(error, MONPRO_ERR_CIPHERTEXT,
                             "the ciphertext has %u bytes; a block of this key has %u and is below its modulus",
                             (unsigned)ciphertext_len, (unsigned)key->size);
    }
    status = status != MONPRO_OK ? status
                                 : monpro_rsa_private(engine, key, ciphertext, block, 1, &settings->options, error);
    status = status != MONPRO_OK ? status
                                 : monpro_padding_decrypt(key, settings, block, plain, &plain_len, error);
    status = status != MONPRO_OK ? status : check_room(&out, plain_len, error);
    if (status == MONPRO_OK && plain_len != 0) {
        memcpy(message, plain, plain_len);
    }
    monpro_wipe(block, sizeof block);
    monpro_wipe(plain, sizeof plain);
    return finish(&out, status, plain_len);
}

/* ---- the same with options only ------------------------------------------------------------------------------- */

monpro_status monpro_sign(monpro_engine *engine, monpro_key *key, const uint8_t *message, size_t message_len,
                          uint8_t *signature, size_t *signature_len, const monpro_rsa_options *options,
                          monpro_error *error)
{
    const monpro_rsa_settings settings = settings_of(options);
    return monpro_sign_with(engine, key, message, message_len, signature, signature_len, &settings, error);
}

monpro_status monpro_verify(monpro_engine *engine, const monpro_key *key, const uint8_t *message, size_t message_len,
                            const uint8_t *signature, size_t signature_len, const monpro_rsa_options *options,
                            monpro_error *error)
{
    const monpro_rsa_settings settings = settings_of(options);
    return monpro_verify_with(engine, key, message, message_len, signature, signature_len, &settings, error);
}

monpro_status monpro_encrypt(monpro_engine *engine, const monpro_key *key, const uint8_t *message, size_t message_len,
                             uint8_t *ciphertext, size_t *ciphertext_len, const monpro_rsa_options *options,
                             monpro_error *error)
{
    const monpro_rsa_settings settings = settings_of(options);
    return monpro_encrypt_with(engine, key, message, message_len, ciphertext, ciphertext_len, &settings, error);
}

monpro_status monpro_decrypt(monpro_engine *engine, monpro_key *key, const uint8_t *ciphertext, size_t ciphertext_len,
                             uint8_t *message, size_t *message_len, const monpro_rsa_options *options,
                             monpro_error *error)
{
    const monpro_rsa_settings settings = settings_of(options);
    return monpro_decrypt_with(engine, key, ciphertext, ciphertext_len, message, message_len, &settings, error);
}
