/* Natural numbers of a fixed count of limbs, least significant limb first.
 *
 * A limb has 64 bits where the compiler has a 128-bit product, else 32 (or with MONPRO_LIMB32 defined). Unless a bound
 * is stated, operands are any numbers of `limbs` limbs, and r may be the same as an operand.
 * Constant time: all functions, in everything but the counts of limbs and bytes. Conditions are masks (see wipe.h).
 * Freestanding: memcpy and memset only; no allocation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_LIMBS_H
#define MONPRO_LIMBS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SIZEOF_INT128__) && !defined(MONPRO_LIMB32)
#define MONPRO_LIMB_BITS 64
typedef uint64_t monpro_limb;
__extension__ typedef unsigned __int128 monpro_wide;
#else
#define MONPRO_LIMB_BITS 32
typedef uint32_t monpro_limb;
typedef uint64_t monpro_wide;
#endif

/* The longest modulus of the soft engine and of keys. Firmware may lower it to save memory. */
#ifndef MONPRO_MAX_BITS
#define MONPRO_MAX_BITS 4096
#endif
#define MONPRO_MAX_LIMBS (MONPRO_MAX_BITS / MONPRO_LIMB_BITS)
#define MONPRO_MAX_BYTES (MONPRO_MAX_BITS / 8)

static inline size_t monpro_limbs_for_bits(size_t bits)
{
    return (bits + MONPRO_LIMB_BITS - 1) / MONPRO_LIMB_BITS;
}

/* r = the big-endian number in bytes[0..size). Bytes beyond the limbs are dropped; the caller knows them to be zero. */
void monpro_limbs_from_bytes(monpro_limb *r, size_t limbs, const uint8_t *bytes, size_t size);

/* bytes[0..size) = a, big-endian, zeros in front. Limbs beyond the bytes are dropped. */
void monpro_limbs_to_bytes(uint8_t *bytes, size_t size, const monpro_limb *a, size_t limbs);

/* r = a + b modulo 2^(bits of r); returns the carry, 0 or 1. */
monpro_limb monpro_limbs_add(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, size_t limbs);

/* r = a - b modulo 2^(bits of r); returns the borrow, 0 or 1. */
monpro_limb monpro_limbs_sub(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, size_t limbs);

/* r = mask ? a : b, for a mask of all ones or zero. */
void monpro_limbs_select(monpro_limb *r, monpro_limb mask, const monpro_limb *a, const monpro_limb *b, size_t limbs);

/* r = (top : a) / 2, top being the bit that comes in at the top, 0 or 1. */
void monpro_limbs_halve(monpro_limb *r, monpro_limb top, const monpro_limb *a, size_t limbs);

/* r = a - b mod n, for a, b < n. */
void monpro_limbs_sub_mod(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, const monpro_limb *n,
                          size_t limbs);

/* r = (top : a) mod n, for (top : a) < 2n: one subtraction of n, always computed. */
void monpro_limbs_reduce_once(monpro_limb *r, monpro_limb top, const monpro_limb *a, const monpro_limb *n,
                              size_t limbs);

/* r = 2a + bit mod n, for a < n and a bit that leaves 2a + bit < 2n. */
void monpro_limbs_double_mod(monpro_limb *r, const monpro_limb *a, monpro_limb bit, const monpro_limb *n,
                             size_t limbs);

/* r = a / 2 mod n, for a < n and an odd n: (a + n) / 2 if a is odd. */
void monpro_limbs_halve_mod(monpro_limb *r, const monpro_limb *a, const monpro_limb *n, size_t limbs);

/* r[0..a_limbs + b_limbs) = a * b, by rows. r is no operand. */
void monpro_limbs_mul(monpro_limb *r, const monpro_limb *a, size_t a_limbs, const monpro_limb *b, size_t b_limbs);

/* r = a^-1 mod n for odd n and a < n. Returns all ones if there is an inverse; else zero, and r means nothing. r may not
 * be an operand. (invert.c) */
monpro_limb monpro_limbs_invert(monpro_limb *r, const monpro_limb *a, const monpro_limb *n, size_t limbs);

#endif
