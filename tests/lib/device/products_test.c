/* The streams of products.c over a small modulus: every exponent of up to nine bits, with and without leading zeros, by
 * every scheme and window. The entries are as in a device. The result must be right, and the counts as in products.h.
 * Of a secret exponent only the bit `first` of a choice may show.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/products.h"
#include "test.h"

enum { N = 64007, R_BITS = 16, ENTRIES = 5 + 64, MOST_BITS = 9, MOST_COMMANDS = 4096, MISSING = -1 };

static const monpro_scheme schemes[] = {MONPRO_SCHEME_FIXED_WINDOW, MONPRO_SCHEME_BINARY, MONPRO_SCHEME_RIGHT_TO_LEFT,
                                        MONPRO_SCHEME_SLIDING_WINDOW, MONPRO_SCHEME_LADDER};

typedef struct stream {
    monpro_product commands[MOST_COMMANDS];
    size_t count, products, choices;
    int64_t result;
} stream;

static uint64_t power(uint64_t x, uint64_t e)
{
    uint64_t r = 1;
    for (uint64_t i = 0; i < e; i++) {
        r = r * x % N;
    }
    return r;
}

static int64_t montgomery_product(int64_t x, int64_t y)
{
    int64_t r = x * y;
    for (int i = 0; i < R_BITS; i++) {
        r = (r + (r % 2 != 0 ? N : 0)) / 2;
    }
    return r % N;
}

/* Runs a stream over entries that are missing but for those that the caller of products.h provides. */
static void run(stream *s, monpro_scheme scheme, uint32_t window, uint64_t e, size_t bits, bool is_public, uint32_t base)
{
    uint8_t bytes[2] = {(uint8_t)(e >> 8), (uint8_t)e};
    const monpro_exponent exponent = {bytes, sizeof bytes, bits};
    const int64_t r = (1 << R_BITS) % N;
    int64_t entry[ENTRIES];
    monpro_products p;
    for (size_t i = 0; i < ENTRIES; i++) {
        entry[i] = MISSING;
    }
    entry[MONPRO_ENTRY_BASE] = base;
    entry[MONPRO_ENTRY_ONE] = 1;
    entry[MONPRO_ENTRY_RR] = r * r % N;
    s->count = s->products = s->choices = 0;
    monpro_products_init(&p, scheme, window, &exponent, is_public);
    for (monpro_product c; monpro_products_next(&p, &c) && s->count < MOST_COMMANDS;) {
        s->commands[s->count++] = c;
        if (c.x >= ENTRIES || c.y >= ENTRIES || c.to >= ENTRIES || entry[c.x] == MISSING || entry[c.y] == MISSING ||
            c.to == MONPRO_ENTRY_ONE || c.to == MONPRO_ENTRY_RR || c.first > 1 || (!c.choose && c.first != 0)) {
            CHECK(!"a command names an entry that it must not");
            break;
        }
        *(c.choose ? &s->choices : &s->products) += 1;
        entry[c.to] = !c.choose ? montgomery_product(entry[c.x], entry[c.y]) : c.first != 0 ? entry[c.x] : entry[c.y];
    }
    monpro_product after;
    CHECK(!monpro_products_next(&p, &after));
    CHECK(p.exponent.bytes == NULL && p.digit == 0 && p.left == 0);
    s->result = entry[MONPRO_ENTRY_ACCUMULATOR];
}

static size_t bit_length(uint64_t e)
{
    size_t bits = 0;
    for (; e != 0; e >>= 1) {
        bits++;
    }
    return bits;
}

static size_t weight(uint64_t e)
{
    return e == 0 ? 0 : (size_t)(e & 1) + weight(e >> 1);
}

/* Squares, and windows after the first, of a sliding window: by strings of digits, not as products.c does it. */
static size_t sliding_products(uint64_t e, size_t k)
{
    size_t squares = 0, windows = 0;
    for (size_t left = bit_length(e); left > 0;) {
        size_t size = (e >> (left - 1) & 1) == 0 ? 1 : left < k ? left : k;
        const uint64_t window = e >> (left - size) & (((uint64_t)1 << size) - 1);
        for (uint64_t w = window; w != 0 && w % 2 == 0; w /= 2) {
            size--;
        }
        windows += window != 0 ? 1 : 0;
        squares += windows == 1 && window != 0 ? 0 : size;
        left -= size;
    }
    return squares + windows - 1;
}

static size_t expected_products(monpro_scheme scheme, size_t k, uint64_t e, size_t bits, bool is_public)
{
    switch (scheme) {
    case MONPRO_SCHEME_FIXED_WINDOW:
        return ((size_t)1 << k) + 1 + ((bits + k - 1) / k - 1) * (k + 1);
    case MONPRO_SCHEME_SLIDING_WINDOW:
        return e == 0 ? 3 : ((size_t)1 << (k - 1)) + 1 + (k > 1 ? 1 : 0) + sliding_products(e, k);
    case MONPRO_SCHEME_LADDER:
        return 2 * bits + 3;
    default:
        return !is_public ? 2 * bits + 1 : e == 0 ? 3 : bit_length(e) + weight(e);
    }
}

static size_t expected_choices(monpro_scheme scheme, size_t k, uint64_t e, size_t bits, bool is_public)
{
    switch (scheme) {
    case MONPRO_SCHEME_FIXED_WINDOW:
        return (bits + k - 1) / k * (((size_t)1 << k) - 1);
    case MONPRO_SCHEME_LADDER:
        return bits + 1;
    case MONPRO_SCHEME_RIGHT_TO_LEFT:
        return is_public ? e != 0 : bits;
    default:
        return scheme == MONPRO_SCHEME_BINARY && !is_public ? bits : 0;
    }
}

static void check_stream(const stream *s, monpro_scheme scheme, uint32_t window, uint64_t e, size_t bits, bool is_public,
                         uint32_t base)
{
    if (s->result != (int64_t)power(base, e) ||
        s->products != expected_products(scheme, window, e, bits, is_public) ||
        s->choices != expected_choices(scheme, window, e, bits, is_public)) {
        fprintf(stderr, "scheme %d window %u %s exponent %u of %zu bits: result %d, %zu products, %zu choices\n",
                (int)scheme, window, is_public ? "public" : "secret", (unsigned)e, bits, (int)s->result, s->products,
                s->choices);
        test_failures++;
    }
}

/* But for `first`. */
static bool same_commands(const stream *a, const stream *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const monpro_product *x = &a->commands[i], *y = &b->commands[i];
        same = x->x == y->x && x->y == y->y && x->to == y->to && x->choose == y->choose;
    }
    return same;
}

static void test_exponents(monpro_scheme scheme, uint32_t window, size_t bits)
{
    static stream zeros, s;
    const bool has_secret = scheme != MONPRO_SCHEME_SLIDING_WINDOW;
    size_t differing = 0;
    for (uint64_t e = 0; e < (uint64_t)1 << bits; e++) {
        const uint32_t base = (uint32_t)(2 + 7919 * e) % N;
        run(&s, scheme, window, e, bits, true, base);
        check_stream(&s, scheme, window, e, bits, true, base);
        if (!has_secret) {
            continue;
        }
        run(&s, scheme, window, e, bits, false, base);
        check_stream(&s, scheme, window, e, bits, false, base);
        if (e == 0) {
            zeros = s;
            continue;
        }
        CHECK(same_commands(&zeros, &s));
        for (size_t i = 0; i < s.count; i++) {
            differing += s.commands[i].first != zeros.commands[i].first;
        }
    }
    CHECK(!has_secret || differing > 0); /* the exponent goes in somewhere */
}

static void test_bases(void)
{
    static const uint32_t bases[] = {0, 1, 2, N - 1};
    static stream s;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        for (size_t j = 0; j < sizeof bases / sizeof *bases; j++) {
            for (uint64_t e = 0; e < 9; e++) {
                run(&s, schemes[i], 2, e, 4, true, bases[j]);
                check_stream(&s, schemes[i], 2, e, 4, true, bases[j]);
            }
        }
    }
}

static void test_largest_window(void)
{
    static const struct {
        uint32_t entries, fixed, sliding;
    } cases[] = {{5, 0, 0}, {6, 0, 1}, {7, 1, 2}, {8, 1, 2}, {9, 2, 3}, {12, 2, 3}, {13, 3, 4}, {21, 4, 5}, {32, 4, 5},
                 {37, 5, 6}, {69, 6, 6}, {1000, 6, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(monpro_products_largest_window(cases[i].entries, MONPRO_SCHEME_FIXED_WINDOW) == cases[i].fixed);
        CHECK(monpro_products_largest_window(cases[i].entries, MONPRO_SCHEME_SLIDING_WINDOW) == cases[i].sliding);
        CHECK(monpro_products_largest_window(cases[i].entries, MONPRO_SCHEME_BINARY) == 0);
    }
}

int main(void)
{
    for (size_t bits = 1; bits <= MOST_BITS; bits++) {
        for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
            const bool has_window =
                schemes[i] == MONPRO_SCHEME_FIXED_WINDOW || schemes[i] == MONPRO_SCHEME_SLIDING_WINDOW;
            for (uint32_t window = 1; window <= (has_window ? MONPRO_MAX_WINDOW : 1u); window++) {
                test_exponents(schemes[i], window, bits);
            }
        }
    }
    test_bases();
    test_largest_window();
    return test_result();
}
