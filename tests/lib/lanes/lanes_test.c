/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200112L /* setenv() */
/* The engine of lanes against soft, bit for bit: operands that carry far, every digit boundary, batches of any size,
 * mixed lengths, bad requests among good ones; with every instruction set that there is. */
#include "lanes_cases.h"

enum { PUBLIC = MONPRO_EXPONENT_PUBLIC };

static uint64_t randomness = 7;

/* ---- directed cases -------------------------------------------------------------------------------------------- */

/* Lengths at which the count of digits changes (of 28, 29 and 52 bits, two bits being spare), and their neighbours. */
static void test_digit_boundaries(monpro_engine *lanes, monpro_engine *soft)
{
    static const unsigned digit_bits[] = {28, 29, 52}, digits[] = {1, 2, 3, 4, 5, 8, 9, 12, 13};
    for (size_t i = 0; i < sizeof digit_bits / sizeof *digit_bits; i++) {
        for (size_t j = 0; j < sizeof digits / sizeof *digits; j++) {
            monpro_job jobs[20];
            size_t count = 0;
            for (int off = -3; off <= 1; off++) {
                const size_t bits = digit_bits[i] * digits[j] + (size_t)off;
                for (unsigned kind = 0; kind < 4; kind++) {
                    const operand modulus = make_modulus(bits, kind, &randomness);
                    const operand base = make_base(&modulus, (unsigned)(count % 6), &randomness);
                    jobs[count] = make_case(modulus, base, make_exponent(48, (unsigned)(count % 3), &randomness),
                                            count % 5 == 4 ? PUBLIC : 0, 0);
                    count++;
                }
            }
            CHECK(compare_with_soft(lanes, soft, jobs, count) == 0);
            free_jobs(jobs, count);
        }
    }
}

/* Each base with each kind of modulus, at the lengths that matter. */
static void test_carries(monpro_engine *lanes, monpro_engine *soft, const size_t *lengths, size_t count_lengths,
                         size_t exponent_bits)
{
    for (size_t i = 0; i < count_lengths; i++) {
        monpro_job jobs[24];
        size_t count = 0;
        for (unsigned kind = 0; kind < 4; kind++) {
            for (unsigned of_base = 0; of_base < 6; of_base++) {
                const operand modulus = make_modulus(lengths[i], kind, &randomness);
                const operand base = make_base(&modulus, of_base, &randomness);
                jobs[count++] = make_case(modulus, base, make_exponent(exponent_bits, of_base % 3, &randomness), 0, 0);
            }
        }
        CHECK(compare_with_soft(lanes, soft, jobs, count) == 0);
        free_jobs(jobs, count);
    }
}

/* Exponents of 64k and 64k + 1 bits, zero, one; secret and public; each window. */
static void test_exponents(monpro_engine *lanes, monpro_engine *soft)
{
    static const size_t lengths[] = {1, 2, 17, 63, 64, 65, 127, 128, 129, 192, 193};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        monpro_job jobs[16];
        for (unsigned j = 0; j < 16; j++) {
            const operand modulus = make_modulus(160, j % 4, &randomness);
            const operand base = make_base(&modulus, 2 + j % 4, &randomness);
            operand exponent = make_exponent(lengths[i], j % 3, &randomness);
            if (j == 9) {
                memset(exponent.bytes, 0, exponent.size);
            }
            jobs[j] = make_case(modulus, base, exponent, j % 8 >= 4 ? PUBLIC : 0, j % 8 < 6 ? 0 : 1 + (uint32_t)(i % 6));
        }
        CHECK(compare_with_soft(lanes, soft, jobs, 16) == 0);
        free_jobs(jobs, 16);
    }
}

/* The same public exponent for all: a vector of them goes bit by bit. */
static void test_shared_exponent(monpro_engine *lanes, monpro_engine *soft, size_t bits)
{
    static const uint8_t exponents[][3] = {{1, 0, 1}, {0, 0, 3}, {0, 0, 1}, {0, 0, 0}};
    monpro_job jobs[36];
    for (unsigned i = 0; i < 36; i++) {
        const operand modulus = make_modulus(bits, i % 4, &randomness);
        const operand exponent = make_operand(3);
        memcpy(exponent.bytes, exponents[i / 9], 3);
        jobs[i] = make_case(modulus, make_base(&modulus, i % 6, &randomness), exponent, PUBLIC, 0);
    }
    CHECK(compare_with_soft(lanes, soft, jobs, 36) == 0);
    free_jobs(jobs, 36);
}

/* Powers that are zero though the base is not: a kernel leaves the modulus itself. 3^10 modulo 3^20. */
static void test_zero_powers(monpro_engine *lanes, monpro_engine *soft)
{
    static const uint8_t n[] = {0xcf, 0xd4, 0x1b, 0x91}, x[] = {0x00, 0x00, 0xe6, 0xa9};
    monpro_job jobs[8];
    for (unsigned i = 0; i < 8; i++) {
        const operand modulus = make_operand(sizeof n), base = make_operand(sizeof x), exponent = make_operand(1);
        memcpy(modulus.bytes, n, sizeof n);
        memcpy(base.bytes, x, sizeof x);
        exponent.bytes[0] = (uint8_t)(2 + i % 2);
        jobs[i] = make_case(modulus, base, exponent, i < 4 ? 0 : PUBLIC, 0);
    }
    CHECK(compare_with_soft(lanes, soft, jobs, 8) == 0);
    CHECK(all_zero(jobs[0].result, sizeof n) && all_zero(jobs[7].result, sizeof n));
    free_jobs(jobs, 8);
}

/* One, two and three of a kind: too few for a vector of numbers, and where digits are in one vector's lanes, lengths at
 * which their count (of 52 bits, 54 being spare) or that of vectors changes. Two of lengths that do not go together. */
static void test_few(monpro_engine *lanes, monpro_engine *soft, bool full)
{
    static const unsigned digits[] = {2, 3, 7, 8, 9, 15, 16, 17, 24, 25, 32, 33, 48, 49, 64, 65, 79};
    for (size_t i = 0; i < (full ? sizeof digits / sizeof *digits : 7); i++) {
        for (unsigned kind = 0; kind < 4; kind++) {
            for (size_t count = 1; count <= 3; count++) {
                monpro_job jobs[3];
                for (unsigned j = 0; j < count; j++) {
                    const size_t bits = 52 * digits[i] - 55 + next_random(&randomness) % 3;
                    const operand modulus = make_modulus(bits, kind, &randomness);
                    const operand base = make_base(&modulus, (kind + j + i) % 6, &randomness);
                    jobs[j] = make_case(modulus, base, make_exponent(33, (kind + j) % 3, &randomness),
                                        (kind + i) % 3 == 0 ? PUBLIC : 0, 0);
                }
                CHECK(compare_with_soft(lanes, soft, jobs, count) == 0);
                free_jobs(jobs, count);
            }
        }
    }
}

/* ---- batches ---------------------------------------------------------------------------------------------------- */

static monpro_job random_case(size_t bits, uint32_t flags, uint32_t window)
{
    const operand modulus = make_modulus(bits, 3, &randomness);
    return make_case(modulus, make_base(&modulus, 5, &randomness), make_exponent(72, 2, &randomness), flags, window);
}

/* 1 to 9 requests, and more than an engine takes at once, of lengths and windows in disorder. */
static void test_batch_sizes(monpro_engine *lanes, monpro_engine *soft)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 65, 140};
    monpro_job jobs[140];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t j = 0; j < counts[i]; j++) {
            const size_t bits = i < 8 ? 128 : 96 + 32 * (next_random(&randomness) % 4);
            jobs[j] = random_case(bits, j % 7 == 6 ? PUBLIC : 0, i < 8 ? 0 : (uint32_t)(next_random(&randomness) % 4));
        }
        CHECK(compare_with_soft(lanes, soft, jobs, counts[i]) == 0);
        free_jobs(jobs, counts[i]);
    }
}

/* What is wrong with one does not touch the others. */
static void test_bad_requests(monpro_engine *lanes, monpro_engine *soft)
{
    monpro_job jobs[13];
    monpro_error error;
    for (size_t i = 0; i < 13; i++) {
        jobs[i] = random_case(200, 0, 0);
    }
    uint8_t *const even = (uint8_t *)(uintptr_t)jobs[2].modulus, *const large = (uint8_t *)(uintptr_t)jobs[5].base;
    even[jobs[2].modulus_len - 1] &= 0xfe;
    memset(large, 0xff, jobs[5].base_len);
    jobs[6].exponent_len = 0;
    jobs[9].result_len--;
    jobs[12].window = 7;
    CHECK(compare_with_soft(lanes, soft, jobs, 13) == 0);
    EXPECT(MONPRO_ERR_MODULUS_EVEN, monpro_modexp_batch(lanes, jobs, 13, &error));
    CHECK(strstr(error.message, "job 3 of 13") != NULL);
    CHECK(jobs[2].status == MONPRO_ERR_MODULUS_EVEN && jobs[5].status == MONPRO_ERR_BASE_RANGE);
    CHECK(jobs[6].status == MONPRO_ERR_EXPONENT_EMPTY && jobs[9].status == MONPRO_ERR_BUFFER);
    CHECK(jobs[12].status == MONPRO_ERR_SCHEME && all_zero(jobs[5].result, jobs[5].result_len));
    CHECK(jobs[0].status == MONPRO_OK && !all_zero(jobs[0].result, jobs[0].result_len));
    free_jobs(jobs, 13);
}

/* Jobs are done as if one after the other: one may take the result of another, or be written over by it. */
static void test_shared_buffers(monpro_engine *lanes, monpro_engine *soft)
{
    static const uint8_t exponent[] = {3};
    monpro_engine *const engines[] = {soft, lanes};
    uint8_t chained[2][128], beside[2][128];
    monpro_status second[2];
    for (size_t i = 0; i < 2; i++) {
        uint8_t n[128], x[128], y[128] = {0}, z[128] = {0};
        memset(n, 0xff, sizeof n);
        memset(x, 0x5a, sizeof x);
        monpro_job jobs[2] = {{.modulus = n, .modulus_len = 128, .base = x, .base_len = 128, .exponent = exponent,
                               .exponent_len = 1, .result = y, .result_len = 128}};
        jobs[1] = jobs[0];
        jobs[1].base = y;
        jobs[1].result = z;
        REQUIRE(monpro_modexp_batch(engines[i], jobs, 2, NULL));
        memcpy(chained[i], z, sizeof z);
        jobs[0].result = n; /* the second one's modulus */
        jobs[1].base = x;
        (void)monpro_modexp_batch(engines[i], jobs, 2, NULL);
        second[i] = jobs[1].status;
        memcpy(beside[i], z, sizeof z);
    }
    CHECK(memcmp(chained[0], chained[1], sizeof *chained) == 0 && !all_zero(chained[0], sizeof *chained));
    CHECK(second[0] == second[1] && memcmp(beside[0], beside[1], sizeof *beside) == 0);
}

/* Schemes that only the scalar code has, and a result longer than its modulus. */
static void test_schemes(monpro_engine *lanes, monpro_engine *soft)
{
    monpro_job jobs[12];
    for (unsigned i = 0; i < 12; i++) {
        jobs[i] = random_case(130, i % 2 == 0 ? 0 : PUBLIC, 0);
        jobs[i].scheme = (monpro_scheme)(i / 2 % 6);
        if (i % 3 == 0) {
            free(jobs[i].result);
            jobs[i].result_len += 5;
            jobs[i].result = make_operand(jobs[i].result_len).bytes;
        }
    }
    CHECK(compare_with_soft(lanes, soft, jobs, 12) == 0);
    CHECK(jobs[8].status == MONPRO_ERR_SCHEME && jobs[9].status == MONPRO_OK); /* sliding window, secret and public */
    free_jobs(jobs, 12);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static void test_options(void)
{
    static const char *const wrong[] = {"lanes:isa=mmx", "lanes:isa=", "lanes:threads=0", "lanes:threads=65",
                                        "lanes:threads=4294967297", "lanes:threads=2x", "lanes:threads=", "lanes:speed=9",
                                        "lanes:,", "lanes:threads=000000000000000000000000000012",
                                        "lanes:isa=avx2_and_something_that_is_longer_than_any"};
    monpro_engine *engine;
    monpro_engine_info info;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EXPECT(MONPRO_ERR_PARAMETER, monpro_engine_open(&engine, wrong[i], NULL));
        CHECK(engine == NULL);
    }
    EXPECT(MONPRO_ERR_ENGINE, monpro_engine_open(&engine, "laneses", NULL));
    engine = open_engine("lanes:threads=3,isa=scalar");
    CHECK(monpro_engine_query(engine, &info) == MONPRO_OK && strcmp(info.spec, "lanes:isa=scalar,threads=3") == 0);
    CHECK(info.max_bits == 4096 && info.crt == 0);
    monpro_engine_close(engine);
}

/* A processor's features can be hidden, but not added to. */
static void test_hiding(void)
{
    monpro_engine *engine;
    monpro_engine_info info;
    CHECK(setenv("MONPRO_LANES_MOST", "scalar", 1) == 0);
    engine = open_engine("lanes:threads=1");
    CHECK(monpro_engine_query(engine, &info) == MONPRO_OK && strcmp(info.spec, "lanes:isa=scalar,threads=1") == 0);
    monpro_engine_close(engine);
    EXPECT(MONPRO_ERR_UNSUPPORTED, monpro_engine_open(&engine, "lanes:isa=avx2", NULL));
    EXPECT(MONPRO_ERR_UNSUPPORTED, monpro_engine_open(&engine, "lanes:isa=avx512ifma", NULL));
    CHECK(setenv("MONPRO_LANES_MOST", "avx2", 1) == 0);
    EXPECT(MONPRO_ERR_UNSUPPORTED, monpro_engine_open(&engine, "lanes:isa=avx512ifma", NULL));
    CHECK(setenv("MONPRO_LANES_MOST", "AVX2", 1) == 0); /* hides nothing, and says so */
    EXPECT(MONPRO_ERR_PARAMETER, monpro_engine_open(&engine, "lanes", NULL));
    CHECK(unsetenv("MONPRO_LANES_MOST") == 0);
}

/* With an instruction set that this machine may lack. */
static void test_isa(const char *spec, monpro_engine *soft, bool full)
{
    static const size_t short_lengths[] = {64, 65, 511, 512, 513}, long_lengths[] = {1024, 1536, 1796, 2048, 3072, 4096};
    monpro_engine *lanes;
    const monpro_status status = monpro_engine_open(&lanes, spec, NULL);
    if (status == MONPRO_ERR_UNSUPPORTED) {
        printf("left out, as this machine or build does not have it: %s\n", spec);
        return;
    }
    REQUIRE(status);
    test_digit_boundaries(lanes, soft);
    test_few(lanes, soft, full);
    test_carries(lanes, soft, short_lengths, 5, 40);
    test_carries(lanes, soft, long_lengths, full ? 6 : 2, 24);
    test_exponents(lanes, soft);
    test_shared_exponent(lanes, soft, 300);
    test_shared_exponent(lanes, soft, 1800);
    test_zero_powers(lanes, soft);
    test_batch_sizes(lanes, soft);
    test_bad_requests(lanes, soft);
    test_shared_buffers(lanes, soft);
    test_schemes(lanes, soft);
    monpro_engine_close(lanes);
    printf("%s: done\n", spec);
}

int main(void)
{
    monpro_engine *soft = open_engine("soft");
    test_options();
    test_hiding();
    test_isa("lanes:isa=scalar,threads=1", soft, false);
    test_isa("lanes:isa=portable,threads=2", soft, false);
    test_isa("lanes:isa=avx2,threads=1", soft, true);
    test_isa("lanes:isa=avx2,threads=4", soft, false);
    test_isa("lanes:isa=avx512ifma,threads=2", soft, true);
    test_isa("lanes", soft, false);
    monpro_engine_close(soft);
    return test_result();
}
