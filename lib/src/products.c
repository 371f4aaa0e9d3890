/* A modular exponentiation as a stream of single Montgomery products. See products.h.
 *
 * A stream has phases, and a phase steps: what a call of next() gives follows from both and from what is left of the
 * exponent. A phase that has no more to give returns false, and the next one begins with step 0.
 *
 * Where the first factor of an accumulator is in an entry already (a base, or a power from a table), there is no copy:
 * `accumulator` says where it is, and the first product that it goes into puts its result into MONPRO_ENTRY_ACCUMULATOR. */
#include "products.h"

#include "wipe.h"

enum { ACCUMULATOR = MONPRO_ENTRY_ACCUMULATOR, BASE = MONPRO_ENTRY_BASE, SCRATCH = MONPRO_ENTRY_SCRATCH,
       ONE = MONPRO_ENTRY_ONE, RR = MONPRO_ENTRY_RR, TABLE = MONPRO_ENTRY_TABLE };

uint32_t monpro_products_largest_window(uint32_t entries, monpro_scheme scheme)
{
    uint32_t window = 0;
    if (scheme != MONPRO_SCHEME_FIXED_WINDOW && scheme != MONPRO_SCHEME_SLIDING_WINDOW) {
        return 0;
    }
    const unsigned halved = scheme == MONPRO_SCHEME_SLIDING_WINDOW ? 1 : 0;
    while (window < MONPRO_MAX_WINDOW && TABLE + (1u << (window + 1 - halved)) <= entries) {
        window++;
    }
    return window;
}

static bool multiply(monpro_product *out, uint32_t to, uint32_t x, uint32_t y)
{
    *out = (monpro_product){.x = x, .y = y, .to = to};
    return true;
}

/* to = first ? x : y. `first` may be a secret, of which nothing must depend here. */
static bool choose(monpro_product *out, uint32_t to, unsigned first, uint32_t x, uint32_t y)
{
    *out = (monpro_product){.x = x, .y = y, .to = to, .choose = true, .first = first};
    return true;
}

/* The accumulator times an entry, or its square. */
static bool multiply_into(monpro_products *p, monpro_product *out, uint32_t factor)
{
    (void)multiply(out, ACCUMULATOR, p->accumulator, factor);
    p->accumulator = ACCUMULATOR;
    return true;
}

static bool square(monpro_products *p, monpro_product *out)
{
    return multiply_into(p, out, p->accumulator);
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

static bool enter(monpro_products *p, monpro_product *out)
{
    const bool starts_from_one = !p->is_public || p->left == 0 || p->scheme == MONPRO_SCHEME_FIXED_WINDOW ||
                                 p->scheme == MONPRO_SCHEME_LADDER;
    switch (p->step++) {
    case 0:
        return multiply(out, base_entry(p), BASE, RR);
    case 1:
        p->accumulator = ACCUMULATOR;
        return starts_from_one &&
               multiply(out, p->scheme == MONPRO_SCHEME_FIXED_WINDOW ? TABLE : ACCUMULATOR, ONE, RR);
    default:
        return false;
    }
}

/* Fixed window: powers 0 and 1 are there, and 2 to 2^k - 1 follow. Sliding window: power 1 is there; its square, and
 * from that the odd ones to 2^k - 1. */
static bool fill_table(monpro_products *p, monpro_product *out)
{
    const unsigned i = p->step++;
    if (p->left == 0) {
        return false;
    }
    if (p->scheme == MONPRO_SCHEME_FIXED_WINDOW && i + 2 < 1u << p->window) {
        const uint32_t power = i + 2;
        return power % 2 == 0 ? multiply(out, TABLE + power, TABLE + power / 2, TABLE + power / 2)
                              : multiply(out, TABLE + power, TABLE + power - 1, TABLE + 1);
    }
    if (p->scheme == MONPRO_SCHEME_SLIDING_WINDOW && p->window > 1 && i < 1u << (p->window - 1)) {
        return i == 0 ? multiply(out, SCRATCH, TABLE, TABLE) : multiply(out, TABLE + i, TABLE + i - 1, SCRATCH);
    }
    return false;
}

/* ---- secret exponents ---------------------------------------------------------------------------------------- */

/* The first bit chooses between one and the base; then for each a square, a product and a choice. */
static bool binary(monpro_products *p, monpro_product *out)
{
    if (p->left == 0) {
        return false;
    }
    if (p->left == p->exponent.bits) {
        p->left--;
        return choose(out, ACCUMULATOR, bit(p, p->left), BASE, ACCUMULATOR);
    }
    switch (p->step++) {
    case 0:
        return multiply(out, ACCUMULATOR, ACCUMULATOR, ACCUMULATOR);
    case 1:
        return multiply(out, SCRATCH, ACCUMULATOR, BASE);
    default:
        p->step = 0;
        p->left--;
        return choose(out, ACCUMULATOR, bit(p, p->left), SCRATCH, ACCUMULATOR);
    }
}

/* The same from the other end, where it is the base that is squared. */
static bool right_to_left(monpro_products *p, monpro_product *out)
{
    const size_t place = p->exponent.bits - p->left;
    if (p->left == 0) {
        return false;
    }
    if (place == 0) {
        p->left--;
        return choose(out, ACCUMULATOR, bit(p, place), BASE, ACCUMULATOR);
    }
    switch (p->step++) {
    case 0:
        return multiply(out, BASE, BASE, BASE);
    case 1:
        return multiply(out, SCRATCH, ACCUMULATOR, BASE);
    default:
        p->step = 0;
        p->left--;
        return choose(out, ACCUMULATOR, bit(p, place), SCRATCH, ACCUMULATOR);
    }
}

/* The ladder has r0 and r1 = r0 * base; a bit b makes r_b^2 and r0 * r1 of them. Here they are one square S (in the
 * accumulator's entry) and one product P (in the base's): after a bit b, r_b = S and the other is P. So the next bit
 * squares S if it is equal to b, else P, and one choice is enough. At first b = 0, S = one, P = the base. */
static bool ladder(monpro_products *p, monpro_product *out)
{
    const unsigned before = p->digit;
    if (p->left == 0) { /* the result is r0 */
        return p->step++ == 0 && choose(out, ACCUMULATOR, before, BASE, ACCUMULATOR);
    }
    switch (p->step++) {
    case 0:
        return choose(out, SCRATCH, before ^ bit(p, p->left - 1), BASE, ACCUMULATOR);
    case 1:
        return multiply(out, BASE, BASE, ACCUMULATOR);
    default:
        p->step = 0;
        p->left--;
        p->digit = bit(p, p->left);
        return multiply(out, ACCUMULATOR, SCRATCH, SCRATCH);
    }
}

/* For each digit k squares, a choice for each entry of the table but the first, and a product. The first digit is what
 * is over a multiple of k bits, if anything is, and the accumulator is what it chooses. */
static bool fixed_window(monpro_products *p, monpro_product *out)
{
    const bool is_first = p->left == p->exponent.bits;
    const size_t over = p->exponent.bits % p->window;
    const unsigned digit_bits = is_first && over != 0 ? (unsigned)over : p->window;
    const unsigned squares = is_first ? 0 : p->window, choices = (1u << p->window) - 1;
    const uint32_t chosen = is_first ? ACCUMULATOR : SCRATCH;
    if (p->left == 0) {
        return false;
    }
    const unsigned step = p->step++;
    if (step < squares) {
        return multiply(out, ACCUMULATOR, ACCUMULATOR, ACCUMULATOR);
    }
    if (step < squares + choices) {
        const unsigned power = step - squares + 1;
        const unsigned digit = monpro_exponent_digit(&p->exponent, p->left - digit_bits, digit_bits);
        const unsigned equal = (unsigned)(monpro_ct_is_zero(digit ^ power) & 1u);
        if (is_first && power == choices) {
            p->left -= digit_bits;
            p->step = 0;
        }
        return choose(out, chosen, equal, TABLE + power, power == 1 ? TABLE : chosen);
    }
    p->left -= digit_bits;
    p->step = 0;
    return multiply(out, ACCUMULATOR, ACCUMULATOR, SCRATCH);
}

/* ---- public exponents ---------------------------------------------------------------------------------------- */

/* The top bit is set, and the accumulator is the base to begin with. */
static bool binary_public(monpro_products *p, monpro_product *out)
{
    if (p->left != 0 && p->left == p->exponent.bits) {
        p->left--;
        p->accumulator = BASE;
    }
    if (p->step == 1) {
        p->step = 0;
        return multiply_into(p, out, BASE);
    }
    if (p->left == 0) {
        return false;
    }
    p->left--;
    p->step = bit(p, p->left);
    return square(p, out);
}

/* The base is squared up to the top bit; the lowest set bit copies it, each later one multiplies by it. */
static bool right_to_left_public(monpro_products *p, monpro_product *out)
{
    while (p->left != 0) {
        const size_t place = p->exponent.bits - p->left;
        if (p->step == 0 && place != 0) {
            p->step = 1;
            return multiply(out, BASE, BASE, BASE);
        }
        p->step = 0;
        p->left--;
        if (bit(p, place) != 0) {
            const bool is_first = p->count++ == 0;
            return is_first ? choose(out, ACCUMULATOR, 1, BASE, BASE) : multiply(out, ACCUMULATOR, ACCUMULATOR, BASE);
        }
    }
    return false;
}

/* A zero bit is a square. At a set bit stands the longest window of at most k bits that ends in a set one too: as many
 * squares, and a product by its odd power. */
static bool sliding_window(monpro_products *p, monpro_product *out)
{
    if (p->count > 0) {
        p->count--;
        return square(p, out);
    }
    if (p->digit != 0) {
        const uint32_t power = TABLE + p->digit / 2;
        p->digit = 0;
        return multiply_into(p, out, power);
    }
    if (p->left == 0) {
        return false;
    }
    const bool is_first = p->left == p->exponent.bits;
    if (bit(p, p->left - 1) == 0) {
        p->left--;
        return square(p, out);
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
        return sliding_window(p, out);
    }
    p->count = size - 1;
    return square(p, out);
}

/* ---- the stream ---------------------------------------------------------------------------------------------- */

static bool exponentiate(monpro_products *p, monpro_product *out)
{
    switch (p->scheme) {
    case MONPRO_SCHEME_FIXED_WINDOW:
        return fixed_window(p, out);
    case MONPRO_SCHEME_SLIDING_WINDOW:
        return sliding_window(p, out);
    case MONPRO_SCHEME_LADDER:
        return ladder(p, out);
    case MONPRO_SCHEME_RIGHT_TO_LEFT:
        return p->is_public ? right_to_left_public(p, out) : right_to_left(p, out);
    default:
        return p->is_public ? binary_public(p, out) : binary(p, out);
    }
}

static bool leave(monpro_products *p, monpro_product *out)
{
    return p->step++ == 0 && multiply(out, ACCUMULATOR, p->accumulator, ONE);
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

bool monpro_products_next(monpro_products *p, monpro_product *product)
{
    static bool (*const phases[])(monpro_products *, monpro_product *) = {enter, fill_table, exponentiate, leave};
    while (p->phase < sizeof phases / sizeof *phases) {
        if (phases[p->phase](p, product)) {
            return true;
        }
        p->phase++;
        p->step = 0;
    }
    monpro_wipe(p, sizeof *p);
    p->phase = sizeof phases / sizeof *phases;
    return false;
}
