/* The driver over fake_model.c: every way in which a device can misbehave, and the protocol when it does not.
 *   device_test PATH-OF-THE-FAKE-MODEL
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "device/regs.h"
#include "test.h"

static const char *model;
static const uint8_t exponent[3] = {1, 0, 1};

typedef struct example {
    uint8_t modulus[64], base[64], result[64], expected[64];
    monpro_job job;
} example;

/* 512 bits; the expected result is the soft engine's. */
static void make_example(example *x, uint8_t seed)
{
    monpro_engine *soft = open_engine("soft");
    for (size_t i = 0; i < 64; i++) {
        x->modulus[i] = (uint8_t)(seed + 7 * i);
        x->base[i] = (uint8_t)(5 * i);
    }
    x->modulus[0] = 0xff;
    x->modulus[63] |= 1;
    x->job = (monpro_job){
        .modulus = x->modulus, .modulus_len = 64, .base = x->base, .base_len = 64,
        .exponent = exponent, .exponent_len = 3, .result = x->expected, .result_len = 64,
    };
    REQUIRE(monpro_modexp_batch(soft, &x->job, 1, NULL));
    x->job.result = x->result;
    monpro_engine_close(soft);
}

static monpro_status open_fake(monpro_engine **engine, const char *mode, const char *suffix, monpro_error *error)
{
    char spec[1000];
    (void)snprintf(spec, sizeof spec, "sim:%s%s", model, suffix);
    (void)setenv("MONPRO_FAKE", mode, 1);
    return monpro_engine_open(engine, spec, error);
}

/* The device cannot be opened. */
static void refuse_open(const char *mode, const char *suffix, monpro_status expected, const char *words)
{
    monpro_engine *engine = NULL;
    monpro_error error;
    EXPECT(expected, open_fake(&engine, mode, suffix, &error));
    CHECK(engine == NULL);
    if (strstr(error.message, words) == NULL) {
        fprintf(stderr, "%s: \"%s\" does not say \"%s\"\n", mode, error.message, words);
        test_failures++;
    }
    monpro_engine_close(engine);
}

/* One operation fails, with those words; the result is empty and the engine can be closed. */
static void refuse_job(const char *mode, monpro_status expected, const char *words)
{
    example x;
    monpro_engine *engine;
    monpro_error error;
    make_example(&x, 1);
    memset(x.result, 0xa5, sizeof x.result);
    REQUIRE(open_fake(&engine, mode, "", &error));
    EXPECT(expected, monpro_modexp_batch(engine, &x.job, 1, &error));
    CHECK(all_zero(x.result, sizeof x.result));
    if (strstr(error.message, words) == NULL) {
        fprintf(stderr, "%s: \"%s\" does not say \"%s\"\n", mode, error.message, words);
        test_failures++;
    }
    monpro_engine_close(engine);
}

static void test_counters(void)
{
    example a, b;
    monpro_engine *engine;
    monpro_engine_info info;
    monpro_counters total;
    make_example(&a, 1);
    make_example(&b, 2);
    REQUIRE(open_fake(&engine, "", "", NULL));
    REQUIRE(monpro_engine_query(engine, &info));
    CHECK(info.min_bits == 128 && info.max_bits == 4096 && info.word_bits == 17 && info.elements == 16);
    CHECK(info.multipliers == 17 && info.table_words == 16384 && info.table_banks == 1 &&
          info.version == (MONPRO_REGS_VERSION_MAJOR_VALUE << 16 | MONPRO_REGS_VERSION_MINOR_VALUE));
    example *const order[] = {&a, &a, &b, &a};
    const uint64_t warm[] = {0, 1, 0, 0};
    uint64_t cold_load = 0;
    for (size_t i = 0; i < 4; i++) {
        example *x = order[i];
        memset(x->result, 0, sizeof x->result);
        EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x->job, 1, NULL));
        CHECK(memcmp(x->result, x->expected, sizeof x->result) == 0);
        CHECK(x->job.counters.operations == 1 && x->job.counters.warm == warm[i]);
        CHECK(x->job.counters.cycles_precompute == 7);
        CHECK(x->job.counters.cycles_exponentiate == 0x100000000u + 200000u);
        CHECK(x->job.counters.products == 48); /* two a bit, and a secret exponent is all of its bytes */
        CHECK(x->job.counters.cycles_read > 0);
        if (i == 0) {
            cold_load = x->job.counters.cycles_load;
        } else if (i == 1) {
            CHECK(x->job.counters.cycles_load < cold_load * 2 / 3); /* no modulus went over the bus */
        }
    }
    a.job.flags = MONPRO_EXPONENT_PUBLIC;
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &a.job, 1, NULL));
    CHECK(a.job.counters.products == 34); /* 17 bits */
    CHECK(memcmp(a.result, a.expected, sizeof a.result) == 0);
    REQUIRE(monpro_engine_counters(engine, &total));
    CHECK(total.operations == 5 && total.warm == 2);
    monpro_engine_close(engine);
}

/* A device that forgets its constants is loaded again, not trusted. */
static void test_never_warm(void)
{
    example x;
    monpro_engine *engine;
    make_example(&x, 3);
    REQUIRE(open_fake(&engine, "never_warm", "", NULL));
    for (int i = 0; i < 2; i++) {
        EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x.job, 1, NULL));
        CHECK(x.job.counters.warm == 0);
        CHECK(memcmp(x.result, x.expected, sizeof x.result) == 0);
    }
    monpro_engine_close(engine);
}

/* An operation takes several slices of polling; closing in the middle of one is allowed. */
static void test_polling(void)
{
    example x;
    monpro_engine *engine;
    monpro_ticket ticket;
    int finished = 0, polls = 0;
    make_example(&x, 4);
    REQUIRE(open_fake(&engine, "", "", NULL));
    REQUIRE(monpro_submit(engine, &x.job, 1, &ticket, NULL));
    while (!finished && polls < 100) {
        EXPECT(MONPRO_OK, monpro_poll(engine, ticket, &finished));
        polls++;
    }
    CHECK(polls > 2 && polls < 10);
    EXPECT(MONPRO_OK, monpro_wait(engine, ticket, NULL));
    CHECK(memcmp(x.result, x.expected, sizeof x.result) == 0);
    REQUIRE(monpro_submit(engine, &x.job, 1, &ticket, NULL));
    EXPECT(MONPRO_OK, monpro_poll(engine, ticket, &finished));
    CHECK(!finished);
    monpro_engine_close(engine);
    CHECK(x.job.status == MONPRO_ERR_UNSUPPORTED && all_zero(x.result, sizeof x.result));
}

/* After a failure the device is wiped and used again. */
static void test_recovery(void)
{
    example x;
    monpro_engine *engine;
    monpro_job bad;
    make_example(&x, 5);
    REQUIRE(open_fake(&engine, "born_busy", "", NULL)); /* it was left in the middle of something */
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x.job, 1, NULL));
    CHECK(memcmp(x.result, x.expected, sizeof x.result) == 0);
    bad = x.job;
    bad.base = x.modulus;
    EXPECT(MONPRO_ERR_BASE_RANGE, monpro_modexp_batch(engine, &bad, 1, NULL)); /* does not reach the device */
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x.job, 1, NULL));
    CHECK(x.job.counters.warm == 1);
    monpro_engine_close(engine);

    REQUIRE(open_fake(&engine, "never_done", "", NULL));
    EXPECT(MONPRO_ERR_DEVICE_TIMEOUT, monpro_modexp_batch(engine, &x.job, 1, NULL));
    EXPECT(MONPRO_ERR_DEVICE_TIMEOUT, monpro_modexp_batch(engine, &x.job, 1, NULL)); /* aborted, started again */
    monpro_engine_close(engine);
    REQUIRE(open_fake(&engine, "never_idle", "", NULL));
    EXPECT(MONPRO_ERR_DEVICE_TIMEOUT, monpro_modexp_batch(engine, &x.job, 1, NULL));
    monpro_error error;
    EXPECT(MONPRO_ERR_DEVICE_TIMEOUT, monpro_modexp_batch(engine, &x.job, 1, &error));
    CHECK(strstr(error.message, "stays busy") != NULL);
    monpro_engine_close(engine);
}

/* What the device has decides what a job may ask for, and what it gets by default. */
static void test_schemes(void)
{
    example x;
    monpro_engine *engine;
    make_example(&x, 6);

    REQUIRE(open_fake(&engine, "small_table", "", NULL)); /* 300 words: 32 a table entry, so 2^3 of them */
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x.job, 1, NULL));
    CHECK(memcmp(x.result, x.expected, sizeof x.result) == 0);
    x.job.window = 3;
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x.job, 1, NULL));
    x.job.window = 4;
    EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, NULL));
    x.job.window = 0;
    monpro_engine_close(engine);

    REQUIRE(open_fake(&engine, "no_table", "", NULL));
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x.job, 1, NULL)); /* binary then, in constant time */
    CHECK(memcmp(x.result, x.expected, sizeof x.result) == 0);
    x.job.scheme = MONPRO_SCHEME_FIXED_WINDOW;
    EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, NULL));
    monpro_engine_close(engine);

    REQUIRE(open_fake(&engine, "no_binary", "", NULL));
    x.job.scheme = MONPRO_SCHEME_BINARY;
    EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, NULL));
    x.job.scheme = MONPRO_SCHEME_DEFAULT;
    x.job.flags = MONPRO_EXPONENT_PUBLIC;
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x.job, 1, NULL));
    CHECK(memcmp(x.result, x.expected, sizeof x.result) == 0);
    x.job.modulus_len = 10;
    x.job.modulus = x.modulus + 54;
    EXPECT(MONPRO_ERR_MODULUS_SHORT, monpro_modexp_batch(engine, &x.job, 1, NULL));
    monpro_engine_close(engine);
}

/* A job with the given scheme; what came to the device is its CONFIG, which that fake gives as its products. */
static uint32_t config_of(monpro_engine *engine, example *x, monpro_scheme scheme, uint32_t window)
{
    x->job.scheme = scheme;
    x->job.window = window;
    memset(x->result, 0, sizeof x->result);
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x->job, 1, NULL));
    CHECK(memcmp(x->result, x->expected, sizeof x->result) == 0);
    return (uint32_t)x->job.counters.products;
}

static void test_every_scheme(void)
{
    static const struct {
        monpro_scheme scheme;
        uint32_t number;
        bool has_window, public_only;
    } cases[] = {
        {MONPRO_SCHEME_FIXED_WINDOW, MONPRO_REGS_SCHEME_FIXED_WINDOW, true, false},
        {MONPRO_SCHEME_BINARY, MONPRO_REGS_SCHEME_BINARY, false, false},
        {MONPRO_SCHEME_RIGHT_TO_LEFT, MONPRO_REGS_SCHEME_RIGHT_TO_LEFT, false, false},
        {MONPRO_SCHEME_SLIDING_WINDOW, MONPRO_REGS_SCHEME_SLIDING_WINDOW, true, true},
        {MONPRO_SCHEME_LADDER, MONPRO_REGS_SCHEME_LADDER, false, false},
        {MONPRO_SCHEME_REPEATED, MONPRO_REGS_SCHEME_REPEATED, false, true},
    };
    example x;
    monpro_engine *engine;
    monpro_engine_info info;
    monpro_error error;
    make_example(&x, 7);
    REQUIRE(open_fake(&engine, "crt,small_table", "", NULL)); /* 300 words: 17 a table entry, so 2^4 of them */
    REQUIRE(monpro_engine_query(engine, &info));
    CHECK(info.word_bits == 36 && info.elements == 32 && info.delay == 1 && info.crt == 1 && info.schemes == 0x7e);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (uint32_t window = 0; window <= 4; window += 4) {
            x.job.flags = MONPRO_EXPONENT_PUBLIC;
            const uint32_t config = config_of(engine, &x, cases[i].scheme, window);
            const uint32_t got = MONPRO_REGS_GET(config, CONFIG_WINDOW);
            CHECK(MONPRO_REGS_GET(config, CONFIG_SCHEME) == cases[i].number);
            CHECK(MONPRO_REGS_GET(config, CONFIG_PUBLIC) == 1 && MONPRO_REGS_GET(config, CONFIG_CRT) == 0);
            CHECK(!cases[i].has_window || (window == 0 ? got >= 1 && got <= 5 : got == window));
            x.job.flags = 0;
            if (!cases[i].public_only) {
                CHECK(MONPRO_REGS_GET(config_of(engine, &x, cases[i].scheme, window), CONFIG_PUBLIC) == 0);
                continue;
            }
            EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, &error)); /* the exponent is a secret */
            CHECK(strstr(error.message, "secret") != NULL && all_zero(x.result, sizeof x.result));
        }
    }
    x.job.flags = MONPRO_EXPONENT_PUBLIC;
    CHECK(MONPRO_REGS_GET(config_of(engine, &x, MONPRO_SCHEME_SLIDING_WINDOW, 5), CONFIG_WINDOW) == 5); /* odd powers */
    x.job.window = 6;
    EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, &error));
    x.job.scheme = MONPRO_SCHEME_FIXED_WINDOW;
    x.job.window = 5;
    EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, &error));
    CHECK(strstr(error.message, "at most 4") != NULL);
    x.job.scheme = MONPRO_SCHEME_REPEATED;
    x.job.window = 0;
    x.job.exponent = x.base; /* 505 bits */
    x.job.exponent_len = sizeof x.base;
    EXPECT(MONPRO_ERR_EXPONENT_LONG, monpro_modexp_batch(engine, &x.job, 1, &error));
    CHECK(strstr(error.message, "at most 32") != NULL);
    monpro_engine_close(engine);

    make_example(&x, 8);
    REQUIRE(open_fake(&engine, "", "", NULL)); /* has two schemes */
    for (uint32_t scheme = MONPRO_SCHEME_RIGHT_TO_LEFT; scheme <= MONPRO_SCHEME_REPEATED; scheme++) {
        x.job.scheme = (monpro_scheme)scheme;
        x.job.flags = MONPRO_EXPONENT_PUBLIC;
        EXPECT(MONPRO_ERR_SCHEME, monpro_modexp_batch(engine, &x.job, 1, &error));
        CHECK(strstr(error.message, "does not have the scheme") != NULL);
    }
    monpro_engine_close(engine);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: device_test FAKE-MODEL\n");
        return 2;
    }
    model = argv[1];
    refuse_open("other_id", "", MONPRO_ERR_DEVICE_ABSENT, "12345678");
    refuse_open("other_version", "", MONPRO_ERR_DEVICE_VERSION, "version 1");
    refuse_open("no_scheme", "", MONPRO_ERR_DEVICE_FAULT, "impossible parameters");
    refuse_open("hang", "", MONPRO_ERR_DEVICE_BUS, "no response");
    refuse_open("write_slverr", "", MONPRO_ERR_DEVICE_BUS, "SLVERR");
    refuse_open("other_abi", "", MONPRO_ERR_BUILD, "interface 2");
    refuse_open("no_memory", "", MONPRO_ERR_MEMORY, "model");
    refuse_open("", ",trace=/nowhere/x.fst", MONPRO_ERR_FILE, "/nowhere/x.fst");
    refuse_open("", ".missing", MONPRO_ERR_BUILD, "cannot be loaded");
    refuse_job("never_done", MONPRO_ERR_DEVICE_TIMEOUT, "status register last read 00000001");
    refuse_job("irq_lies", MONPRO_ERR_DEVICE_FAULT, "interrupt line");
    refuse_job("data_decerr", MONPRO_ERR_DEVICE_BUS, "DECERR");
    refuse_job("no_result", MONPRO_ERR_DEVICE_FAULT, "without a result");
    refuse_job("miscount", MONPRO_ERR_DEVICE_FAULT, "count");
    refuse_job("fault", MONPRO_ERR_DEVICE_FAULT, "misuse");
    refuse_job("error1", MONPRO_ERR_DEVICE_FAULT, "LENGTH.words");
    refuse_job("error2", MONPRO_ERR_MODULUS_EVEN, "even");
    refuse_job("error4", MONPRO_ERR_BASE_RANGE, "base");
    refuse_job("error5", MONPRO_ERR_EXPONENT_LONG, "EXPONENT");
    refuse_job("error6", MONPRO_ERR_SCHEME, "window");
    refuse_job("error7", MONPRO_ERR_SCHEME, "scheme");
    refuse_job("error8", MONPRO_ERR_DEVICE_FAULT, "not written");
    refuse_job("error15", MONPRO_ERR_DEVICE_FAULT, "unknown error; status register 000000f2");
    test_counters();
    test_never_warm();
    test_polling();
    test_recovery();
    test_schemes();
    test_every_scheme();
    return test_result();
}
