/* RSA over devices: who does the CRT, what a device is given, and that a faulty one never gets a wrong result released.
 *   rsa_device_test PATH-OF-THE-FAKE-MODEL
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "engine/engine.h"
#include "device/regs.h"
#include "key/odd_keys.h"

enum { MAX_BYTES = 512, MAX_COUNT = 3 };

static const char *model;

static monpro_engine *open_fake(const char *mode)
{
    char spec[1000];
    (void)snprintf(spec, sizeof spec, "sim:%s", model);
    (void)setenv("MONPRO_FAKE", mode, 1);
    return open_engine(spec);
}

/* The linker puts this before the library's own: it counts the operations that an engine does by the CRT, and keeps the
 * last base. */
static struct {
    size_t count, size;
    uint8_t base[MAX_BYTES];
} seen;

monpro_status __real_monpro_engine_crt(monpro_engine *engine, const monpro_crt_key *key, const uint8_t *base,
                                       uint8_t *result, size_t size, monpro_counters *counters, monpro_error *error);
monpro_status __wrap_monpro_engine_crt(monpro_engine *engine, const monpro_crt_key *key, const uint8_t *base,
                                       uint8_t *result, size_t size, monpro_counters *counters, monpro_error *error);

monpro_status __wrap_monpro_engine_crt(monpro_engine *engine, const monpro_crt_key *key, const uint8_t *base,
                                       uint8_t *result, size_t size, monpro_counters *counters, monpro_error *error)
{
    seen.count++;
    seen.size = size;
    memcpy(seen.base, base, size);
    return __real_monpro_engine_crt(engine, key, base, result, size, counters, error);
}

/* ---- who does the CRT ---------------------------------------------------------------------------------------- */

/* The private operation of `count` blocks on a fake device is that of software; returns what it spent. */
static monpro_counters same_as_soft(const char *mode, monpro_key *key, size_t count, const monpro_rsa_options *how,
                                    monpro_counters *check)
{
    uint8_t in[MAX_COUNT * MAX_BYTES], out[MAX_COUNT * MAX_BYTES], expected[MAX_COUNT * MAX_BYTES];
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    monpro_engine *fake = open_fake(mode), *soft = open_engine("soft");
    monpro_counters counters;
    monpro_rsa_options options = how == NULL ? (monpro_rsa_options){0} : *how;
    for (size_t i = 0; i < count * size; i++) {
        in[i] = i % size == 0 ? 0 : (uint8_t)(3 + 7 * i);
    }
    REQUIRE(monpro_rsa_private(soft, key, in, expected, count, NULL, NULL));
    options.counters = &counters;
    options.check_counters = check;
    seen.count = 0;
    EXPECT(MONPRO_OK, monpro_rsa_private(fake, key, in, out, count, &options, NULL));
    CHECK(memcmp(out, expected, count * size) == 0);
    monpro_engine_close(fake);
    monpro_engine_close(soft);
    return counters;
}

static void test_crt_in_the_device(monpro_key *key)
{
    monpro_counters check;
    monpro_counters spent = same_as_soft("crt", key, 1, NULL, &check);
    CHECK(seen.count == 1 && spent.operations == 2 && check.operations == 1 && spent.warm == 0);
    CHECK(check.cycles_load > 0 && spent.cycles_load > 2 * check.cycles_load); /* five operands, and n, x, e */
    spent = same_as_soft("crt", key, MAX_COUNT, NULL, &check);
    CHECK(seen.count == MAX_COUNT && spent.operations == 2 * MAX_COUNT && check.operations == MAX_COUNT);
    CHECK(spent.warm == 2 * (MAX_COUNT - 1) && check.warm == MAX_COUNT - 1); /* p and q stay, and then n */
    spent = same_as_soft("crt,never_warm", key, MAX_COUNT, NULL, NULL);
    CHECK(spent.operations == 2 * MAX_COUNT && spent.warm == 0);
    spent = same_as_soft("crt,small_table", key, 1, NULL, NULL);
    CHECK(seen.count == 1 && spent.operations == 2);
    const monpro_rsa_options plain = {.no_blinding = 1};
    (void)same_as_soft("crt", key, 1, &plain, NULL);
    CHECK(seen.count == 1);
}

static void test_crt_elsewhere(monpro_key *key)
{
    monpro_counters check;
    monpro_counters spent = same_as_soft("crt,halves", key, 1, NULL, &check); /* the design has none */
    CHECK(seen.count == 0 && spent.operations == 3 && check.operations == 1);
    spent = same_as_soft("crt,no_table", key, 1, NULL, NULL); /* no window fits, and a CRT has to have one */
    CHECK(seen.count == 0 && spent.operations == 3);
    const monpro_rsa_options whole = {.no_crt = 1};
    spent = same_as_soft("crt", key, 1, &whole, &check);
    CHECK(seen.count == 0 && spent.operations == 2 && check.operations == 1);
    spent = same_as_soft("", key, 1, NULL, &check);
    CHECK(seen.count == 0 && spent.operations == 3 && check.operations == 1);
}

/* A device of single products has no CRT; halves too short for it are not asked of it. */
static void test_products(monpro_key *key)
{
    static const char *const modes[] = {"products", "products,exact"};
    const monpro_rsa_options whole = {.no_crt = 1};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        monpro_counters check;
        const uint64_t halves = monpro_key_bits(key) < 1024 ? 1 : 2;
        monpro_counters spent = same_as_soft(modes[i], key, 1, NULL, &check);
        CHECK(seen.count == 0 && spent.operations == halves + 1 && check.operations == 1);
        CHECK(check.products == (monpro_key_bits(key) == 512 ? 4 : 19)); /* e = 3, or 65537: see main() */
        spent = same_as_soft(modes[i], key, MAX_COUNT, NULL, &check);
        /* Cold are p, q and then n; or n alone. */
        CHECK(spent.warm == (halves + 1) * MAX_COUNT - (halves == 1 ? 1 : 3));
        CHECK(check.warm == (halves == 1 ? MAX_COUNT : MAX_COUNT - 1));
        spent = same_as_soft(modes[i], key, 1, &whole, &check);
        CHECK(spent.operations == 2);
    }
}

/* Primes of whatever lengths: the device does those of one length whose product has exactly twice that. */
static void test_lengths(void)
{
    static const struct {
        int p_bits, q_bits, n_bits;
        bool p_above_q, in_device;
    } cases[] = {
        {512, 512, 1024, true, true},  {512, 512, 1024, false, true}, {515, 515, 1030, false, true},
        {512, 512, 1023, true, false}, {520, 504, 1024, true, false}, {504, 520, 1024, false, false},
        {512, 513, 1024, false, false}, {256, 256, 512, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        monpro_key *key = odd_key(cases[i].p_bits, cases[i].q_bits, cases[i].n_bits, cases[i].p_above_q);
        const monpro_counters spent = same_as_soft("crt", key, 2, NULL, NULL);
        CHECK(seen.count == (cases[i].in_device ? 2 : 0));
        CHECK(spent.operations == (cases[i].in_device ? 4 : 6));
        monpro_key_free(key);
    }
}

/* A device for which the halves are too short computes by d; one that is too small for n says so. */
static void test_ranges(monpro_key *key)
{
    uint8_t block[MAX_BYTES] = {0, 7}, out[MAX_BYTES];
    if (monpro_key_bits(key) < 800) {
        CHECK(same_as_soft("long_only", key, 1, NULL, NULL).operations == 2);
        CHECK(same_as_soft("crt,long_only", key, 1, NULL, NULL).operations == 2 && seen.count == 0);
        CHECK(same_as_soft("crt,short_only", key, 1, NULL, NULL).operations == 2 && seen.count == 1);
        return;
    }
    static const char *const modes[] = {"short_only", "crt,short_only"};
    for (size_t i = 0; i < 2; i++) {
        monpro_engine *engine = open_fake(modes[i]);
        EXPECT(MONPRO_ERR_MODULUS_LONG, monpro_rsa_private(engine, key, block, out, 1, NULL, NULL));
        monpro_engine_close(engine);
    }
}

/* What was submitted before runs before. */
static void test_in_turn(monpro_key *key)
{
    uint8_t modulus[64], base[1] = {3}, exponent[1] = {5}, result[64], block[MAX_BYTES] = {0, 7}, out[MAX_BYTES];
    monpro_engine *engine = open_fake("crt");
    monpro_counters counters;
    const monpro_rsa_options options = {.counters = &counters};
    monpro_ticket ticket;
    int finished = 1;
    memset(modulus, 0xf1, sizeof modulus);
    monpro_job job = {.modulus = modulus, .modulus_len = sizeof modulus, .base = base, .base_len = 1,
                      .exponent = exponent, .exponent_len = 1, .result = result, .result_len = sizeof result};
    REQUIRE(monpro_submit(engine, &job, 1, &ticket, NULL));
    REQUIRE(monpro_poll(engine, ticket, &finished)); /* now the device is in the middle of it */
    CHECK(!finished);
    EXPECT(MONPRO_OK, monpro_rsa_private(engine, key, block, out, 1, &options, NULL));
    CHECK(job.status == MONPRO_OK && result[sizeof result - 1] == 243);
    EXPECT(MONPRO_OK, monpro_wait(engine, ticket, NULL));
    CHECK(counters.warm == 0);
    monpro_engine_close(engine);
}

/* What is warm is told apart: p as a modulus of its own is not p of a CRT, and another q is another pair. */
static void test_warm(void)
{
    enum { PRIME = 64 };
    uint8_t p[PRIME], q[2][PRIME], one[PRIME] = {0}, three[1] = {3}, base[2 * PRIME] = {0}, result[2 * PRIME];
    BIGNUM *numbers[3] = {prime(8 * PRIME), prime(8 * PRIME), prime(8 * PRIME)};
    uint8_t *const bytes[3] = {p, q[0], q[1]};
    for (size_t i = 0; i < 3; i++) {
        BN_bn2binpad(numbers[i], bytes[i], PRIME);
        BN_free(numbers[i]);
    }
    one[PRIME - 1] = 1;
    base[2 * PRIME - 1] = 9;
    /* With dP = dQ = 1 and qInv = 1 the result is 9 whatever else is computed: 9 + q * ((9 - 9) * 1 mod p). */
    const monpro_crt_key keys[2] = {{p, q[0], one, one, one, PRIME, 8 * PRIME},
                                    {p, q[1], one, one, one, PRIME, 8 * PRIME}};
    const struct {
        size_t key; /* 2: an exponentiation modulo p */
        uint64_t warm;
    } steps[] = {{0, 0}, {0, 1}, {2, 0}, {2, 1}, {0, 0}, {1, 0}, {1, 1}, {2, 0}, {1, 0}};
    monpro_engine *engine = open_fake("crt");
    CHECK(monpro_engine_takes_crt(engine, 8 * PRIME) && !monpro_engine_takes_crt(engine, 127) &&
          monpro_engine_takes_crt(engine, 2048) && !monpro_engine_takes_crt(engine, 2049));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        monpro_counters counters;
        memset(result, 0xa5, sizeof result);
        if (steps[i].key == 2) {
            monpro_job job = {.modulus = p, .modulus_len = PRIME, .base = three, .base_len = 1, .exponent = three,
                              .exponent_len = 1, .result = result, .result_len = PRIME};
            EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &job, 1, NULL));
            CHECK(result[PRIME - 1] == 27);
            counters = job.counters;
        } else {
            EXPECT(MONPRO_OK,
                   monpro_engine_crt(engine, &keys[steps[i].key], base, result, sizeof result, &counters, NULL));
            CHECK(memcmp(result, base, sizeof result) == 0);
            const uint32_t config = (uint32_t)counters.products;
            CHECK(MONPRO_REGS_GET(config, CONFIG_CRT) == 1 && MONPRO_REGS_GET(config, CONFIG_PUBLIC) == 0);
            CHECK(MONPRO_REGS_GET(config, CONFIG_SCHEME) == MONPRO_REGS_SCHEME_FIXED_WINDOW);
            CHECK(MONPRO_REGS_GET(config, CONFIG_WINDOW) == 5);
        }
        CHECK(counters.warm == steps[i].warm);
    }
    monpro_engine_close(engine);

    monpro_counters counters;
    engine = open_fake("crt,miscount"); /* found out after the result was read */
    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_engine_crt(engine, &keys[0], base, result, sizeof result, &counters, NULL));
    CHECK(all_zero(result, sizeof result) && counters.operations == 0);
    monpro_engine_close(engine);
}

/* The engine sees r^e * 1 and never 1, and a fresh one each time. */
static void test_blinding(monpro_key *key)
{
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    uint8_t block[MAX_BYTES] = {0}, out[MAX_BYTES], last[MAX_BYTES] = {0};
    const monpro_rsa_options plain = {.no_blinding = 1};
    monpro_engine *engine = open_fake("crt");
    block[size - 1] = 1;
    for (int i = 0; i < 5; i++) {
        seen.count = 0;
        REQUIRE(monpro_rsa_private(engine, key, block, out, 1, NULL, NULL));
        CHECK(seen.count == 1 && seen.size == size && memcmp(out, block, size) == 0);
        CHECK(memcmp(seen.base, block, size) != 0 && memcmp(seen.base, last, size) != 0);
        memcpy(last, seen.base, size);
    }
    REQUIRE(monpro_rsa_private(engine, key, block, out, 1, &plain, NULL));
    CHECK(memcmp(seen.base, block, size) == 0);
    monpro_engine_close(engine);
}

/* ---- faults -------------------------------------------------------------------------------------------------- */

/* Private operations through a faulty device, one and several; then through a good engine with the same key. */
static void test_fault(const char *mode, monpro_status expected, monpro_key *key)
{
    uint8_t in[MAX_COUNT * MAX_BYTES], out[MAX_COUNT * MAX_BYTES];
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    const bool crt = strncmp(mode, "crt", 3) == 0;
    monpro_engine *engine = open_fake(mode), *soft = open_engine("soft");
    monpro_counters counters, check;
    const monpro_rsa_options options = {.counters = &counters, .check_counters = &check};
    const monpro_rsa_options plain = {.counters = &counters, .check_counters = &check, .no_blinding = 1};
    for (size_t count = 1; count <= MAX_COUNT; count += MAX_COUNT - 1) {
        for (int blinding = 0; blinding < 2; blinding++) {
            memset(in, 0, sizeof in);
            for (size_t i = 0; i < count; i++) {
                in[i * size + 1] = 7;
            }
            seen.count = 0;
            memset(out, 0xa5, sizeof out);
            EXPECT(expected, monpro_rsa_private(engine, key, in, out, count, blinding ? &options : &plain, NULL));
            CHECK(all_zero(out, count * size) && counters.operations == 0 && check.operations == 0);
            CHECK((seen.count != 0) == crt);
        }
    }
    size_t length = MAX_BYTES;
    memset(out, 0xa5, sizeof out);
    EXPECT(expected, monpro_sign(engine, key, in, size, out, &length, NULL, NULL));
    CHECK(length == 0 && all_zero(out, MAX_BYTES));
    EXPECT(MONPRO_OK, monpro_rsa_private(soft, key, in, out, 1, &options, NULL));
    monpro_engine_close(soft);
    monpro_engine_close(engine);
}

static void test_faults(monpro_key *key)
{
    static const struct {
        const char *mode;
        monpro_status expected;
    } cases[] = {
        {"wrong_result", MONPRO_ERR_CHECK},
        {"wrong_half", MONPRO_ERR_CHECK},
        {"result_too_large", MONPRO_ERR_CHECK},
        {"never_done", MONPRO_ERR_DEVICE_TIMEOUT},
        {"products,wrong_result", MONPRO_ERR_CHECK},
        {"products,exact,wrong_result", MONPRO_ERR_CHECK},
        {"products,no_result", MONPRO_ERR_DEVICE_FAULT},
        {"crt,wrong_result", MONPRO_ERR_CHECK}, /* the CRT alone is wrong, the check right */
        {"crt,wrong_half", MONPRO_ERR_CHECK},   /* the half modulo q */
        {"crt,wrong_check", MONPRO_ERR_CHECK},  /* and the other way round */
        {"crt,result_too_large", MONPRO_ERR_CHECK},
        {"crt,never_done", MONPRO_ERR_DEVICE_TIMEOUT},
        {"crt,no_result", MONPRO_ERR_DEVICE_FAULT},
        {"crt,miscount", MONPRO_ERR_DEVICE_FAULT},
        {"crt,data_decerr", MONPRO_ERR_DEVICE_BUS},
        {"crt,fault", MONPRO_ERR_DEVICE_FAULT},
        {"crt,error3", MONPRO_ERR_DEVICE_FAULT},
        {"crt,error4", MONPRO_ERR_BASE_RANGE},
        {"crt,error7", MONPRO_ERR_SCHEME},
        {"crt,error9", MONPRO_ERR_DEVICE_FAULT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_fault(cases[i].mode, cases[i].expected, key);
    }
}

/* Of blocks that come out together or not at all the first fault is the last operation; of a batch of jobs each has its
 * own. */
static void test_given_up(monpro_key *key)
{
    enum { COUNT = 3 };
    const size_t size = (monpro_key_bits(key) + 7) / 8;
    uint8_t in[COUNT * MAX_BYTES] = {0}, out[COUNT * MAX_BYTES];
    monpro_rsa_job jobs[COUNT];
    monpro_engine *engine = open_fake("crt,fault");
    seen.count = 0;
    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_rsa_private(engine, key, in, out, COUNT, NULL, NULL));
    CHECK(seen.count == 1 && all_zero(out, COUNT * size));
    for (size_t i = 0; i < COUNT; i++) {
        jobs[i] = (monpro_rsa_job){.key = key, .in = in, .out = out + i * size};
    }
    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_rsa_private_batch(engine, jobs, COUNT, NULL, NULL));
    CHECK(seen.count == 1 + COUNT && all_zero(out, COUNT * size));
    monpro_engine_close(engine);
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {512, 1024};
    if (argc != 2) {
        fprintf(stderr, "usage: rsa_device_test FAKE-MODEL\n");
        return 2;
    }
    model = argv[1];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        monpro_key *key;
        REQUIRE(monpro_key_generate(&key, sizes[i], i == 0 ? 3 : 65537, NULL));
        test_crt_in_the_device(key);
        test_crt_elsewhere(key);
        test_products(key);
        test_ranges(key);
        test_in_turn(key);
        test_blinding(key);
        test_faults(key);
        test_given_up(key);
        monpro_key_free(key);
    }
    test_lengths();
    test_warm();
    return test_result();
}
