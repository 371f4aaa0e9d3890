/* The driver over a device of single products: results by every scheme at many lengths against libcrypto, and what such
 * a device is asked for by default.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "fake_bus.h"

static void test_schemes(const char *mode, uint32_t bits, bool full)
{
    static example x;
    monpro_engine *engine;
    monpro_engine_info info;
    REQUIRE(open_fake(&engine, mode, NULL));
    REQUIRE(monpro_engine_query(engine, &info));
    for (uint32_t scheme = 0; scheme < MONPRO_SCHEME_REPEATED; scheme++) {
        for (uint32_t flags = 0; flags <= MONPRO_EXPONENT_PUBLIC; flags++) {
            make_example(&x, bits, 9, full);
            x.job.scheme = (monpro_scheme)scheme;
            x.job.flags = flags;
            if (scheme != 0 && ((info.schemes >> scheme & 1u) == 0 ||
                                (flags == 0 && scheme == MONPRO_SCHEME_SLIDING_WINDOW))) {
                EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, NULL));
                continue;
            }
            run_right(engine, &x);
        }
    }
    if (!full) {
        make_example(&x, bits, x.size, full); /* an exponent of full length */
        run_right(engine, &x);
    }
    monpro_engine_close(engine);
}

/* Numbers where something may go over an edge. */
static void test_edges(const char *mode)
{
    static const uint8_t exponents[] = {0, 1, 2, 3};
    static example x;
    monpro_engine *engine;
    REQUIRE(open_fake(&engine, mode, NULL));
    for (uint32_t kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < sizeof exponents; i++) {
            for (uint32_t flags = 0; flags <= MONPRO_EXPONENT_PUBLIC; flags++) {
                make_example(&x, 515, 1, true);
                memset(x.base, 0, sizeof x.base);
                x.base[x.size - 1] = (uint8_t)kind;
                if (kind == 2) {
                    memcpy(x.base, x.modulus, x.size);
                    x.base[x.size - 1]--; /* -1 */
                }
                x.exponent[0] = exponents[i];
                x.job.flags = flags;
                expect_power(&x);
                run_right(engine, &x);
            }
        }
    }
    monpro_engine_close(engine);
}

static void test_windows(void)
{
    static example x;
    monpro_engine *engine;
    monpro_error error;
    make_example(&x, 1000, 12, false);
    REQUIRE(open_fake(&engine, "products", NULL));
    for (uint32_t window = 0; window <= 6; window++) {
        for (uint32_t sliding = 0; sliding < 2; sliding++) {
            x.job.scheme = sliding ? MONPRO_SCHEME_SLIDING_WINDOW : MONPRO_SCHEME_FIXED_WINDOW;
            x.job.flags = sliding;
            x.job.window = window;
            if (window <= (sliding ? 5u : 4u)) {
                run_right(engine, &x);
            } else {
                EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, &error));
                CHECK(strstr(error.message, sliding ? "at most 5" : "at most 4") != NULL);
            }
        }
    }
    monpro_engine_close(engine);
}

/* What there is, and what it does when nothing is asked for. */
static void test_information(void)
{
    static example x;
    monpro_engine *engine;
    monpro_engine_info info;
    make_example(&x, 512, 4, false);
    memset(x.exponent, 0xff, 4);
    expect_power(&x);
    REQUIRE(open_fake(&engine, "products", NULL));
    REQUIRE(monpro_engine_query(engine, &info));
    CHECK(info.entries == 32 && info.exact == 0 && info.crt == 0 && info.word_bits == 17 && info.schemes == 0x3e);
    run_right(engine, &x);
    /* A choice of 32 words and 3 cycles is 16 hundredths of a product of 2 rounds of 110: so a window of 2 bits. */
    CHECK(x.job.counters.products == 5 + 15 * 3);
    for (uint32_t bits = 512; bits <= 2048; bits += 512) { /* for long exponents it is one of 3 */
        make_example(&x, bits, bits / 8, false);
        run_right(engine, &x);
        CHECK(x.job.counters.products == 9 + ((bits + 2) / 3 - 1) * 4);
    }
    monpro_engine_close(engine);

    make_example(&x, 512, 4, false);
    memset(x.exponent, 0xff, 4);
    expect_power(&x);
    REQUIRE(open_fake(&engine, "products,exact", NULL));
    REQUIRE(monpro_engine_query(engine, &info));
    CHECK(info.entries == 8 && info.exact == 1 && info.word_bits == 32 && info.schemes == 0x2c);
    bus.count = 0;
    run_right(engine, &x);
    CHECK(x.job.counters.products == 65 && device->operations == 65 + 32); /* binary, secret */
    CHECK(nth_product(3) == 0); /* into Montgomery form, a choice, and then the square of the accumulator */
    x.job.flags = MONPRO_EXPONENT_PUBLIC;
    run_right(engine, &x);
    CHECK(x.job.counters.products == 64);
    monpro_engine_close(engine);
}

int main(void)
{
    static const char *const modes[] = {"products", "products,exact", "products,exact,narrow"};
    static const uint32_t lengths[] = {512, 513, 527, 608, 1000, 1024, 1536, 2047, 2048};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
            test_schemes(modes[i], lengths[j], false);
            test_schemes(modes[i], lengths[j], true);
        }
        test_edges(modes[i]);
    }
    test_windows();
    test_information();
    return test_result();
}
