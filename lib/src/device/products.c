/* A modular exponentiation as a stream of single Montgomery products. See products.h.
 *
 * A stream has phases, and a phase has steps. A call of next() gives what follows from both and from the rest of the
 * exponent. A phase that has no more to give returns false, and the next phase begins with step 0.
 *
 * The first factor of an accumulator may already be in an entry (a base, or a power from a table). Then there is no
 * copy. `accumulator` says where the factor is, and the first product that it goes into puts its result into
 * MONPRO_ENTRY_ACCUMULATOR.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/products.h"

#include "base/wipe.h"
#include "device/regs.h"
#include "engine/schemes.h"

enum { ACCUMULATOR = MONPRO_ENTRY_ACCUMULATOR, BASE = MONPRO_ENTRY_BASE, SCRATCH = MONPRO_ENTRY_SCRATCH,
       ONE = MONPRO_ENTRY_ONE, RR = MONPRO_ENTRY_RR, TABLE = MONPRO_ENTRY_TABLE };

uint32_t monpro_products_largest_window(uint32_t entries, monpro_scheme scheme)
{
    uint32_t window = 0;
    if (!monpro_scheme_is_in(scheme, MONPRO_SCHEMES_WITH_WINDOW)) {
        return 0;
    }
    const unsigned halved = monpro_scheme_is_in(scheme, MONPRO_SCHEMES_OF_ODD_POWERS) ? 1 : 0;
    while (window < MONPRO_MAX_WINDOW && TABLE + (1u << (window + 1 - halved)) <= entries) {
        window++;
    }
    return window;
}

/* What a phase gives, as PRODUCT takes it: with NEXT set, or NONE. In one word, as software that feeds a queue has few
 * cycles for each. An entry has the 8 bits from one field of PRODUCT to the next: more than any device has, but software
 * over other multipliers may have them. */
typedef uint32_t command;
#define ENTRY_BITS 0xFFu
_Static_assert(MONPRO_REGS_PRODUCT_Y_SHIFT - MONPRO_REGS_PRODUCT_X_SHIFT >= 8 &&
               MONPRO_REGS_PRODUCT_TO_SHIFT - MONPRO_REGS_PRODUCT_Y_SHIFT >= 8 &&
               MONPRO_REGS_PRODUCT_CHOOSE_SHIFT - MONPRO_REGS_PRODUCT_TO_SHIFT >= 8 &&
               TABLE + (1u << MONPRO_MAX_WINDOW) <= ENTRY_BITS, "an entry fits between two fields");
#define NEXT MONPRO_PRODUCTS_NEXT
#define NONE 0u

static command multiply(uint32_t to, uint32_t x, uint32_t y)
{
    return NEXT | x << MONPRO_REGS_PRODUCT_X_SHIFT | y << MONPRO_REGS_PRODUCT_Y_SHIFT |
           to << MONPRO_REGS_PRODUCT_TO_SHIFT;
}

/* to = first ? x : y. `first` may be a secret, so nothing here may depend on it. */
static command choose(uint32_t to, unsigned first, uint32_t x, uint32_t y)
{
    return multiply(to, x, y) | MONPRO_REGS_PRODUCT_CHOOSE_MASK | MONPRO_REGS_PUT(PRODUCT_FIRST, first);
}

/* The accumulator times an entry, or its square. */
static command multiply_into(monpro_products *p, uint32_t factor)
{
    const command next = multiply(ACCUMULATOR, p->accumulator, factor);
    p->accumulator = ACCUMULATOR;
    return next;
}

static command square(monpro_products *p)
{
    return multiply_into(p, p->accumulator);
}

static unsigned bit(const monpro_products *p, size_t place)
{
    return monpro_exponent_digit(&p->exponent, place, 1);
}

/* ---- into Montgomery form, and the table --------------------------------------------------------------------- */

/* Where the base is in Montgomery form: power 1 of a table, if there is one. */
static uint32_t base_entry(const monpro_products *p)
{
    return p->scheme == MONPRO_SCHEME_FIXED_WINDOW     ? TABLE + 1
           : p->scheme == MONPRO_SCHEME_SLIDING_WINDOW ? TABLE
                                                       : BASE;
}

static command enter(monpro_products *p)
{
    const bool starts_from_one = !p->is_public || p->left == 0 || p->scheme == MONPRO_SCHEME_FIXED_WINDOW ||
                                 p->scheme == MONPRO_SCHEME_LADDER;
    switch (p->step++) {
    case 0:
        return multiply(base_entry(p), BASE, RR);
    case 1:
        p->accumulator = ACCUMULATOR;
        return starts_from_one ? multiply(p->scheme == MONPRO_SCHEME_FIXED_WINDOW ? TABLE : ACCUMULATOR, ONE, RR) : NONE;
    default:
        return NONE;
    }
}

/* Fixed window: powers 0 and 1 are there, and 2 to 2^k - 1 follow. Sliding window: power 1 is there; its square, and
 * from that the odd ones to 2^k - 1. */
static command fill_table(monpro_products *p)
{
    const unsigned i = p->step++;
    if (p->left == 0) {
        return NONE;
    }
    if (p->scheme == MONPRO_SCHEME_FIXED_WINDOW && i + 2 < 1u << p->window) {
        const uint32_t power = i + 2;
        return power % 2 == 0 ? multiply(TABLE + power, TABLE + power / 2, TABLE + power / 2)
                              : multiply(TABLE + power, TABLE + power - 1, TABLE + 1);
    }
    if (p->scheme == MONPRO_SCHEME_SLIDING_WINDOW && p->window > 1 && i < 1u << (p->window - 1)) {
        return i == 0 ? multiply(SCRATCH, TABLE, TABLE) : multiply(TABLE + i, TABLE + i - 1, SCRATCH);
    }
    return NONE;
}

/* ---- secret exponents ---------------------------------------------------------------------------------------- */

/* The first bit chooses between one and the base; then for each a square, a product and a choice. */
static command binary(monpro_products *p)
{
    if (p->left == 0) {
        return NONE;
    }
    if (p->left == p->exponent.bits) {
        p->left--;
        return choose(ACCUMULATOR, bit(p, p->left), BASE, ACCUMULATOR);
    }
    switch (p->step++) {
    case 0:
        return multiply(ACCUMULATOR, ACCUMULATOR, ACCUMULATOR);
    case 1:
        return multiply(SCRATCH, ACCUMULATOR, BASE);
    default:
        p->step = 0;
        p->left--;
        return choose(ACCUMULATOR, bit(p, p->left), SCRATCH, ACCUMULATOR);
    }
}

/* The same from the other end, where it is the base that is squared. */
static command right_to_left(monpro_products *p)
{
    const size_t place = p->exponent.bits - p->left;
    if (p->left == 0) {
        return NONE;
    }
    if (place == 0) {
        p->left--;
        return choose(ACCUMULATOR, bit(p, place), BASE, ACCUMULATOR);
    }
    switch (p->step++) {
    case 0:
        return multiply(BASE, BASE, BASE);
    case 1:
        return multiply(SCRATCH, ACCUMULATOR, BASE);
    default:
        p->step = 0;
        p->left--;
        return choose(ACCUMULATOR, bit(p, place), SCRATCH, ACCUMULATOR);
    }
}

/* The ladder has r0 and r1 = r0 * base. A bit b replaces them by r_b^2 and r0 * r1. Here they are one square S, in the
 * accumulator's entry, and one product P, in the base's entry. After a bit b, r_b = S and the other is P. So the next bit
 * squares S if it is equal to b, else P, and one choice is enough. At first b = 0, S = one, P = the base. */
static command ladder(monpro_products *p)
{
    const unsigned before = p->digit;
    if (p->left == 0) { /* the result is r0 */
        return p->step++ == 0 ? choose(ACCUMULATOR, before, BASE, ACCUMULATOR) : NONE;
    }
    switch (p->step++) {
    case 0:
        return choose(SCRATCH, before ^ bit(p, p->left - 1), BASE, ACCUMULATOR);
    case 1:
        return multiply(BASE, BASE, ACCUMULATOR);
    default:
        p->step = 0;
        p->left--;
        p->digit = bit(p, p->left);
        return multiply(ACCUMULATOR, SCRATCH, SCRATCH);
    }
}

/* For each digit k squares, a choice for each entry of the table but the first, and a product. The first digit is what
 * is over a multiple of k bits, if anything is, and the accumulator is what it chooses. */
static command fixed_window(monpro_products *p)
{
    const bool is_first = p->left == p->exponent.bits;
    const size_t over = p->exponent.bits % p->window;
    const unsigned digit_bits = is_first && over != 0 ? (unsigned)over : p->window;
    const unsigned squares = is_first ? 0 : p->window, choices = (1u << p->window) - 1;
    const uint32_t chosen = is_first ? ACCUMULATOR : SCRATCH;
    if (p->left == 0) {
        return NONE;
    }
    const unsigned step = p->step++;
    if (step < squares) {
        return multiply(ACCUMULATOR, ACCUMULATOR, ACCUMULATOR);
    }
    if (step < squares + choices) {
        const unsigned power = step - squares + 1;
        const unsigned digit = monpro_exponent_digit(&p->exponent, p->left - digit_bits, digit_bits);
        const unsigned equal = (unsigned)(monpro_ct_is_zero(digit ^ power) & 1u);
        if (is_first && power == choices) {
            p->left -= digit_bits;
            p->step = 0;
        }
        return choose(chosen, equal, TABLE + power, power == 1 ? TABLE : chosen);
    }
    p->left -= digit_bits;
    p->step = 0;
    return multiply(ACCUMULATOR, ACCUMULATOR, SCRATCH);
}

/* ---- public exponents ---------------------------------------------------------------------------------------- */

/* The top bit is set, and the accumulator is the base to begin with. */
static command binary_public(monpro_products *p)
{
    if (p->left != 0 && p->left == p->exponent.bits) {
        p->left--;
        p->accumulator = BASE;
    }
    if (p->step == 1) {
        p->step = 0;
        return multiply_into(p, BASE);
    }
    if (p->left == 0) {
        return NONE;
    }
    p->left--;
    p->step = bit(p, p->left);
    return square(p);
}

/* The base is squared up to the top bit; the lowest set bit copies it, each later one multiplies by it. */
static command right_to_left_public(monpro_products *p)
{
    while (p->left != 0) {
        const size_t place = p->exponent.bits - p->left;
        if (p->step == 0 && place != 0) {
            p->step = 1;
            return multiply(BASE, BASE, BASE);
        }
        p->step = 0;
        p->left--;
        if (bit(p, place) != 0) {
            const bool is_first = p->count++ == 0;
            return is_first ? choose(ACCUMULATOR, 1, BASE, BASE) : multiply(ACCUMULATOR, ACCUMULATOR, BASE);
        }
    }
    return NONE;
}

/* A zero bit is a square. At a set bit stands the longest window of at most k bits that ends in a set one too: as many
 * squares, and a product by its odd power. */
static command sliding_window(monpro_products *p)
{
    if (p->count > 0) {
        p->count--;
        return square(p);
    }
    if (p->digit != 0) {
        const uint32_t power = TABLE + p->digit / 2;
        p->digit = 0;
        return multiply_into(p, power);
    }
    if (p->left == 0) {
        return NONE;
    }
    const bool is_first = p->left == p->exponent.bits;
    if (bit(p, p->left - 1) == 0) {
        p->left--;
        return square(p);
    }
    unsigned size = p->left < p->window ? (unsigned)p->left : p->window;
    while (bit(p, p->left - size) == 0) {
        size--;
    }
    p->left -= size;
    p->digit = monpro_exponent_digit(&p->exponent, p->left, size);
    if (is_first) {
        p->accumulator = TABLE + p->digit / 2;
        p->digit = 0;
        return sliding_window(p);
    }
    p->count = size - 1;
    return square(p);
}

/* ---- the stream ---------------------------------------------------------------------------------------------- */

static command exponentiate(monpro_products *p)
{
    switch (p->scheme) {
    case MONPRO_SCHEME_FIXED_WINDOW:
        return fixed_window(p);
    case MONPRO_SCHEME_SLIDING_WINDOW:
        return sliding_window(p);
    case MONPRO_SCHEME_LADDER:
        return ladder(p);
    case MONPRO_SCHEME_RIGHT_TO_LEFT:
        return p->is_public ? right_to_left_public(p) : right_to_left(p);
    default:
        return p->is_public ? binary_public(p) : binary(p);
    }
}

static command leave(monpro_products *p)
{
    return p->step++ == 0 ? multiply(ACCUMULATOR, p->accumulator, ONE) : NONE;
}

void monpro_products_init(monpro_products *p, monpro_scheme scheme, uint32_t window, const monpro_exponent *exponent,
                          bool is_public)
{
    *p = (monpro_products){.exponent = *exponent, .scheme = scheme, .window = window, .is_public = is_public};
    p->left = exponent->bits;
    if (is_public && scheme != MONPRO_SCHEME_FIXED_WINDOW && scheme != MONPRO_SCHEME_LADDER) {
        while (p->left > 0 && bit(p, p->left - 1) == 0) {
            p->left--;
        }
        p->exponent.bits = p->left;
    }
}

enum { PHASE_EXPONENTIATE = 2 };

uint32_t monpro_products_word(monpro_products *p)
{
    static command (*const phases[])(monpro_products *) = {enter, fill_table, [PHASE_EXPONENTIATE] = exponentiate, leave};
    while (p->phase < sizeof phases / sizeof *phases) {
        const command next = phases[p->phase](p);
        if (next != NONE) {
            return next;
        }
        p->phase++;
        p->step = 0;
    }
    monpro_wipe(p, sizeof *p);
    p->phase = sizeof phases / sizeof *phases;
    return NONE;
}

/* The choices of a fixed window's digit as fixed_window() gives them, all but the last, in one loop: a device takes a few
 * cycles for each. As many as are next, or as `room`. */
static size_t choices_of_digit(monpro_products *p, uint32_t *words, size_t room)
{
    const bool is_first = p->left == p->exponent.bits;
    const size_t over = p->exponent.bits % p->window;
    const unsigned digit_bits = is_first && over != 0 ? (unsigned)over : p->window;
    const unsigned squares = is_first ? 0 : p->window, last = (1u << p->window) - 1;
    const uint32_t chosen = is_first ? ACCUMULATOR : SCRATCH;
    if (p->left == 0 || p->step < squares || p->step - squares + 1 >= last) {
        return 0;
    }
    const unsigned digit = monpro_exponent_digit(&p->exponent, p->left - digit_bits, digit_bits);
    unsigned power = p->step - squares + 1;
    size_t count = 0;
    for (; count < room && power < last; count++, power++) {
        const unsigned equal = (unsigned)(monpro_ct_is_zero(digit ^ power) & 1u);
        words[count] = choose(chosen, equal, TABLE + power, power == 1 ? TABLE : chosen) & ~NEXT;
    }
    p->step += (unsigned)count;
    return count;
}

size_t monpro_products_words(monpro_products *p, uint32_t *words, size_t room, size_t *choices)
{
    size_t count = 0, copies = 0;
    while (count < room) {
        if (p->phase == PHASE_EXPONENTIATE && p->scheme == MONPRO_SCHEME_FIXED_WINDOW) {
            const size_t more = choices_of_digit(p, words + count, room - count);
            copies += more;
            count += more;
            if (count == room) {
                break;
            }
        }
        const command next = monpro_products_word(p);
        if (next == NONE) {
            break;
        }
        copies += MONPRO_REGS_GET(next, PRODUCT_CHOOSE);
        words[count++] = next & ~NEXT;
    }
    *choices = copies;
    return count;
}

bool monpro_products_next(monpro_products *p, monpro_product *product)
{
    const command next = monpro_products_word(p);
    if (next == NONE) {
        return false;
    }
    *product = (monpro_product){
        .x = next >> MONPRO_REGS_PRODUCT_X_SHIFT & ENTRY_BITS, .y = next >> MONPRO_REGS_PRODUCT_Y_SHIFT & ENTRY_BITS,
        .to = next >> MONPRO_REGS_PRODUCT_TO_SHIFT & ENTRY_BITS, .choose = MONPRO_REGS_GET(next, PRODUCT_CHOOSE) != 0,
        .first = MONPRO_REGS_GET(next, PRODUCT_FIRST),
    };
    return true;
}
