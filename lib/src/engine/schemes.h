/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from regs/monpro.rdl and regs/schemes.toml by regs/generate.py. Do not edit. */
#ifndef MONPRO_SCHEMES_H
#define MONPRO_SCHEMES_H

#include <stdbool.h>
#include <stdint.h>

#include "monpro/monpro.h"

/* The schemes, to make tables and switches from: X(NAME, "name", number, bits).
 * The number is the one in CONFIG.scheme. The bits are the length of the longest exponent, where
 * the scheme sets a limit of its own; else 0. */
#define MONPRO_SCHEMES_LIST(X) \
    X(FIXED_WINDOW, "fixed_window", 0, 0) \
    X(BINARY, "binary", 1, 0) \
    X(RIGHT_TO_LEFT, "right_to_left", 2, 0) \
    X(SLIDING_WINDOW, "sliding_window", 3, 0) \
    X(LADDER, "ladder", 4, 0) \
    X(REPEATED, "repeated", 5, 32)

/* A table that is indexed by monpro_scheme has this many rows. Row 0 is MONPRO_SCHEME_DEFAULT. */
#define MONPRO_SCHEMES_ROWS 7u

/* Sets of schemes. Bit n stands for value n of monpro_scheme, as in monpro_engine_info.schemes. */
#define MONPRO_SCHEMES_ALL 0x7Eu
#define MONPRO_SCHEMES_WITH_WINDOW 0x12u
#define MONPRO_SCHEMES_OF_ODD_POWERS 0x10u /* of those with a window: the table is half as long */
#define MONPRO_SCHEMES_FOR_SECRETS 0x2Eu /* the others take public exponents only */
#define MONPRO_SCHEMES_OF_PRODUCTS 0x3Eu

static inline bool monpro_scheme_is_in(monpro_scheme scheme, uint32_t schemes)
{
    return (schemes >> (uint32_t)scheme & 1u) != 0;
}

/* The values in monpro.h are those of regs/schemes.toml. */
_Static_assert((int)MONPRO_SCHEME_FIXED_WINDOW == 1, "the value of fixed_window");
_Static_assert((int)MONPRO_SCHEME_BINARY == 2, "the value of binary");
_Static_assert((int)MONPRO_SCHEME_RIGHT_TO_LEFT == 3, "the value of right_to_left");
_Static_assert((int)MONPRO_SCHEME_SLIDING_WINDOW == 4, "the value of sliding_window");
_Static_assert((int)MONPRO_SCHEME_LADDER == 5, "the value of ladder");
_Static_assert((int)MONPRO_SCHEME_REPEATED == 6, "the value of repeated");

#endif
