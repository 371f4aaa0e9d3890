/* Whole RSA operations: a padding around one raw operation. */
#include <string.h>

#include "key.h"
#include "padding.h"
#include "status.h"
#include "wipe.h"

static const monpro_rsa_options default_options;

/* Takes the room that an output has and empties it; false if it cannot be. */
static bool open_output(uint8_t *out, size_t *out_len, size_t *room)
{
    if (out == NULL || out_len == NULL) {
        return false;
    }
    *room = *out_len;
    memset(out, 0, *room);
    *out_len = 0;
    return true;
}

static monpro_status no_room(size_t room, size_t needed, size_t *out_len, monpro_error *error)
{
    *out_len = needed;
    return monpro_fail(error, MONPRO_ERR_BUFFER, "room for %u bytes of output; it has %u", (unsigned)room,
                       (unsigned)needed);
}

static monpro_status null_argument(monpro_error *error)
{
    return monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine, key, message or an output is NULL");
}

monpro_status monpro_sign(monpro_engine *engine, monpro_key *key, const uint8_t *message, size_t message_len,
                          uint8_t *signature, size_t *signature_len, const monpro_rsa_options *options,
                          monpro_error *error)
{
    uint8_t block[MONPRO_MAX_BYTES];
    size_t room;
    monpro_error_reset(error);
    options = options == NULL ? &default_options : options;
    if (engine == NULL || key == NULL || (message == NULL && message_len != 0) ||
        !open_output(signature, signature_len, &room)) {
        return null_argument(error);
    }
    if (room < key->size) {
        return no_room(room, key->size, signature_len, error);
    }
    monpro_status status = monpro_padding_sign(key, options, message, message_len, block, error);
    if (status == MONPRO_OK) {
        status = monpro_rsa_private(engine, key, block, signature, 1, options, error);
    }
    if (status == MONPRO_OK) {
        *signature_len = key->size;
    }
    monpro_wipe(block, sizeof block);
    return status;
}

monpro_status monpro_verify(monpro_engine *engine, const monpro_key *key, const uint8_t *message, size_t message_len,
                            const uint8_t *signature, size_t signature_len, const monpro_rsa_options *options,
                            monpro_error *error)
{
    uint8_t block[MONPRO_MAX_BYTES];
    monpro_error_reset(error);
    options = options == NULL ? &default_options : options;
    if (engine == NULL || key == NULL || (message == NULL && message_len != 0) || signature == NULL) {
        return null_argument(error);
    }
    if (signature_len != key->size || monpro_ct_less(signature, key->n, key->size) == 0) {
        return monpro_fail(error, MONPRO_ERR_SIGNATURE,
                           "the signature does not verify: it is not of the key's %u bytes, or not below its modulus",
                           (unsigned)key->size);
    }
    const monpro_status status = monpro_rsa_public(engine, key, signature, block, 1, options, error);
    return status != MONPRO_OK ? status
                               : monpro_padding_verify(key, options, message, message_len, block, error);
}

monpro_status monpro_encrypt(monpro_engine *engine, const monpro_key *key, const uint8_t *message, size_t message_len,
                             uint8_t *ciphertext, size_t *ciphertext_len, const monpro_rsa_options *options,
                             monpro_error *error)
{
    uint8_t block[MONPRO_MAX_BYTES];
    size_t room;
    monpro_error_reset(error);
    options = options == NULL ? &default_options : options;
    if (engine == NULL || key == NULL || (message == NULL && message_len != 0) ||
        !open_output(ciphertext, ciphertext_len, &room)) {
        return null_argument(error);
    }
    if (room < key->size) {
        return no_room(room, key->size, ciphertext_len, error);
    }
    monpro_status status = monpro_padding_encrypt(key, options, message, message_len, block, error);
    if (status == MONPRO_OK) {
        status = monpro_rsa_public(engine, key, block, ciphertext, 1, options, error);
    }
    if (status == MONPRO_OK) {
        *ciphertext_len = key->size;
    }
    monpro_wipe(block, sizeof block);
    return status;
}

monpro_status monpro_decrypt(monpro_engine *engine, monpro_key *key, const uint8_t *ciphertext, size_t ciphertext_len,
                             uint8_t *message, size_t *message_len, const monpro_rsa_options *options,
                             monpro_error *error)
{
    uint8_t block[MONPRO_MAX_BYTES], plain[MONPRO_MAX_BYTES];
    size_t room, plain_len = 0;
    monpro_error_reset(error);
    options = options == NULL ? &default_options : options;
    if (engine == NULL || key == NULL || ciphertext == NULL || !open_output(message, message_len, &room)) {
        return null_argument(error);
    }
    if (ciphertext_len != key->size || monpro_ct_less(ciphertext, key->n, key->size) == 0) {
        return monpro_fail(error, MONPRO_ERR_CIPHERTEXT,
                           "the ciphertext has %u bytes; a block of this key has %u and is below its modulus",
                           (unsigned)ciphertext_len, (unsigned)key->size);
    }
    monpro_status status = monpro_rsa_private(engine, key, ciphertext, block, 1, options, error);
    if (status == MONPRO_OK) {
        status = monpro_padding_decrypt(key, options, block, plain, &plain_len, error);
    }
    if (status == MONPRO_OK && room < plain_len) {
        status = no_room(room, plain_len, message_len, error);
    } else if (status == MONPRO_OK) {
        memcpy(message, plain, plain_len);
        *message_len = plain_len;
    }
    monpro_wipe(block, sizeof block);
    monpro_wipe(plain, sizeof plain);
    return status;
}
