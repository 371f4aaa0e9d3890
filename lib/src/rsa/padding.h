/* Paddings, by libcrypto. Every block has the key's length in bytes. monpro_padding_check() comes before the others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_PADDING_H
#define MONPRO_PADDING_H

#include "key/key.h"

/* Whether the settings are right for encryption, or for signatures: before anything is computed. */
monpro_status monpro_padding_check(const monpro_rsa_settings *settings, bool encryption, monpro_error *error);

/* Makes the block that is signed. The message is digested here, unless it is a digest already or the padding is none. */
monpro_status monpro_padding_sign(const monpro_key *key, const monpro_rsa_settings *settings, const uint8_t *message,
                                  size_t message_len, uint8_t *block, monpro_error *error);

/* Whether the block that a signature opens to belongs to the message: OK or SIGNATURE. */
monpro_status monpro_padding_verify(const monpro_key *key, const monpro_rsa_settings *settings, const uint8_t *message,
                                    size_t message_len, const uint8_t *block, monpro_error *error);

/* What is encrypted, from the message. */
monpro_status monpro_padding_encrypt(const monpro_key *key, const monpro_rsa_settings *settings, const uint8_t *message,
                                     size_t message_len, uint8_t *block, monpro_error *error);

/* The message in a decrypted block; message has room for the key's length. One error, DECRYPT, whatever is wrong. */
monpro_status monpro_padding_decrypt(const monpro_key *key, const monpro_rsa_settings *settings, const uint8_t *block,
                                     uint8_t *message, size_t *message_len, monpro_error *error);

#endif
