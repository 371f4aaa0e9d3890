/* The numbers that a device with entries takes and gives: constants of a modulus, which the library computes, and the
 * result, which it reduces.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For words of w bits and a product of K digits, R = 2^(w K):
 *     N' = 2^-w mod N      slot modulus; w halvings. Of an exact device N itself
 *     n' = -1/N mod 2^w    slot inverse, of an exact device, whose words have no more bits than DATA
 *     R^2 mod N            entry
 *     1                    entry
 * Constant time in the modulus, which may be a prime, and in the result. */
#ifndef MONPRO_ENTRY_NUMBERS_H
#define MONPRO_ENTRY_NUMBERS_H

#include "bignum/limbs.h"
#include "device/sink.h"
#include "engine/engine.h"

enum { MONPRO_ENTRY_NUMBER_BYTES = MONPRO_MAX_BYTES + 64 }; /* of an entry, with what is beyond the modulus */

/* Whether the library can make do with the entries of a device that has some, and with its words. */
bool monpro_entries_fit(const monpro_engine_info *info);

/* OPERAND for an entry. */
uint32_t monpro_entry_operand(uint32_t entry);

/* Words of the bus of an entry, and bytes. */
uint32_t monpro_entry_words(const monpro_engine_info *info, uint32_t modulus_bits);
size_t monpro_entry_bytes(const monpro_engine_info *info, const monpro_operation *operation);

/* Gives the constants of the operation's modulus to `to`. */
monpro_status monpro_constants_put(const monpro_sink *to, const monpro_engine_info *info, const monpro_operation *operation,
                                   monpro_error *error);

/* operation->result = the number of the last entry modulo N; `bytes` has monpro_entry_bytes() of them. */
void monpro_entry_reduce(const monpro_engine_info *info, const monpro_operation *operation, const uint8_t *bytes);

#endif
