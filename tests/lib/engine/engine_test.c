/* The engine interface: what it refuses, batches, tickets, and what it leaves behind. Runs on the soft engine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static const uint8_t modulus[16] = {0xf1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17};
static const uint8_t base[16] = {3};
static const uint8_t exponent[2] = {1, 1};

static monpro_job good_job(uint8_t result[16])
{
    return (monpro_job){
        .modulus = modulus, .modulus_len = 16, .base = base, .base_len = 16,
        .exponent = exponent, .exponent_len = 2, .result = result, .result_len = 16,
    };
}

/* Runs one changed job, and a good one after it, which must not suffer. */
static monpro_status run_changed(monpro_engine *engine, const monpro_job *changed)
{
    uint8_t result[600], other[16];
    monpro_job jobs[2] = {*changed, good_job(other)};
    monpro_error error = {MONPRO_OK, ""};
    memset(result, 0xa5, sizeof result);
    if (jobs[0].result != NULL) {
        jobs[0].result = result;
    }
    const monpro_status status = monpro_modexp_batch(engine, jobs, 2, &error);
    CHECK(status == jobs[0].status);
    CHECK(status == error.status);
    CHECK(error.message[0] != '\0');
    CHECK(jobs[0].result == NULL || all_zero(result, jobs[0].result_len));
    CHECK(jobs[0].counters.operations == 0);
    CHECK(jobs[1].status == MONPRO_OK && !all_zero(other, sizeof other));
    return status;
}

/* One field of a good job changed. */
#define EXPECT_REFUSED(expected, ...) \
    do { \
        uint8_t place_[600]; \
        monpro_job job = good_job(place_); \
        __VA_ARGS__; \
        EXPECT(expected, run_changed(engine, &job)); \
    } while (0)

static void test_bad_jobs(monpro_engine *engine)
{
    static const uint8_t zero[16] = {0}, one[2] = {0, 1}, even[16] = {1, 2, 0}, larger[17] = {1};
    static uint8_t huge[600];
    huge[0] = huge[sizeof huge - 1] = 1;

    EXPECT_REFUSED(MONPRO_ERR_ARGUMENT, job.modulus = NULL);
    EXPECT_REFUSED(MONPRO_ERR_ARGUMENT, job.base = NULL);
    EXPECT_REFUSED(MONPRO_ERR_ARGUMENT, job.exponent = NULL);
    EXPECT_REFUSED(MONPRO_ERR_ARGUMENT, job.result = NULL);
    EXPECT_REFUSED(MONPRO_ERR_ARGUMENT, job.flags = 4);
    EXPECT_REFUSED(MONPRO_ERR_MODULUS_ZERO, job.modulus = zero);
    EXPECT_REFUSED(MONPRO_ERR_MODULUS_ZERO, job.modulus_len = 0);
    EXPECT_REFUSED(MONPRO_ERR_MODULUS_ZERO, job.modulus_len = 0; job.modulus = NULL);
    EXPECT_REFUSED(MONPRO_ERR_MODULUS_ONE, job.modulus = one; job.modulus_len = 2);
    EXPECT_REFUSED(MONPRO_ERR_MODULUS_EVEN, job.modulus = even);
    EXPECT_REFUSED(MONPRO_ERR_MODULUS_LONG, job.modulus = huge; job.modulus_len = sizeof huge;
                   job.result_len = sizeof huge);
    EXPECT_REFUSED(MONPRO_ERR_BASE_RANGE, job.base = modulus);
    EXPECT_REFUSED(MONPRO_ERR_BASE_RANGE, job.base = larger; job.base_len = 17);
    EXPECT_REFUSED(MONPRO_ERR_BASE_EMPTY, job.base_len = 0);
    EXPECT_REFUSED(MONPRO_ERR_BASE_EMPTY, job.base_len = 0; job.base = NULL);
    EXPECT_REFUSED(MONPRO_ERR_EXPONENT_EMPTY, job.exponent_len = 0);
    EXPECT_REFUSED(MONPRO_ERR_EXPONENT_LONG, job.exponent = huge; job.exponent_len = sizeof huge);
    EXPECT_REFUSED(MONPRO_ERR_EXPONENT_LONG, job.exponent = huge; job.exponent_len = sizeof huge;
                   job.flags = MONPRO_EXPONENT_PUBLIC);
    EXPECT_REFUSED(MONPRO_ERR_SCHEME, job.scheme = (monpro_scheme)7);
    EXPECT_REFUSED(MONPRO_ERR_SCHEME, job.window = 7);
    EXPECT_REFUSED(MONPRO_ERR_SCHEME, job.window = 7; job.scheme = MONPRO_SCHEME_LADDER);
    EXPECT_REFUSED(MONPRO_ERR_SCHEME, job.scheme = MONPRO_SCHEME_SLIDING_WINDOW); /* the exponent is a secret */
    EXPECT_REFUSED(MONPRO_ERR_SCHEME, job.scheme = MONPRO_SCHEME_REPEATED);
    EXPECT_REFUSED(MONPRO_ERR_EXPONENT_LONG, job.scheme = MONPRO_SCHEME_REPEATED; job.flags = MONPRO_EXPONENT_PUBLIC;
                   job.exponent = modulus; job.exponent_len = sizeof modulus);
    EXPECT_REFUSED(MONPRO_ERR_BUFFER, job.result_len = 15);
}

/* Every scheme gives the same result. */
static void test_schemes(monpro_engine *engine)
{
    uint8_t expected[16], result[16];
    monpro_job job = good_job(expected);
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &job, 1, NULL));
    for (uint32_t scheme = MONPRO_SCHEME_FIXED_WINDOW; scheme <= MONPRO_SCHEME_REPEATED; scheme++) {
        const bool public_only = scheme == MONPRO_SCHEME_SLIDING_WINDOW || scheme == MONPRO_SCHEME_REPEATED;
        for (uint32_t flags = public_only ? MONPRO_EXPONENT_PUBLIC : 0; flags <= MONPRO_EXPONENT_PUBLIC; flags++) {
            job = good_job(result);
            job.scheme = (monpro_scheme)scheme;
            job.flags = flags;
            memset(result, 0, sizeof result);
            EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &job, 1, NULL));
            CHECK(memcmp(result, expected, sizeof result) == 0);
        }
    }
}

/* Leading zeros are no error, wherever they are; nor is a long public exponent that is mostly zeros. */
static void test_leading_zeros(monpro_engine *engine)
{
    static uint8_t long_modulus[700], long_base[700], long_exponent[700];
    uint8_t expected[16], result[16];
    memcpy(long_modulus + 684, modulus, 16);
    memcpy(long_base + 684, base, 16);
    memcpy(long_exponent + 698, exponent, 2);
    monpro_job plain = good_job(expected), padded = good_job(result);
    padded.modulus = long_modulus;
    padded.base = long_base;
    padded.exponent = long_exponent;
    padded.modulus_len = padded.base_len = padded.exponent_len = 700;
    padded.flags = MONPRO_EXPONENT_PUBLIC;
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &plain, 1, NULL));
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &padded, 1, NULL));
    CHECK(memcmp(result, expected, 16) == 0);
    padded.flags = 0; /* as a secret, its 5600 bits would all be processed */
    EXPECT(MONPRO_ERR_EXPONENT_LONG, monpro_modexp_batch(engine, &padded, 1, NULL));
}

static void test_tickets(monpro_engine *engine)
{
    uint8_t results[3][16];
    monpro_job jobs[3] = {good_job(results[0]), good_job(results[1]), good_job(results[2])};
    monpro_ticket first = 0, second = 0, empty = 0;
    monpro_error error;
    int finished = -1;
    jobs[1].base = modulus;
    EXPECT(MONPRO_OK, monpro_submit(engine, jobs, 2, &first, &error));
    EXPECT(MONPRO_OK, monpro_submit(engine, jobs + 2, 1, &second, &error));
    EXPECT(MONPRO_OK, monpro_submit(engine, NULL, 0, &empty, &error));
    CHECK(first != second);
    EXPECT(MONPRO_OK, monpro_poll(engine, second, &finished)); /* works on the first batch: it is older */
    CHECK(finished == 0);
    CHECK(!all_zero(results[0], 16));
    EXPECT(MONPRO_OK, monpro_poll(engine, first, &finished));
    CHECK(finished == 1);
    EXPECT(MONPRO_OK, monpro_wait(engine, second, &error)); /* in any order */
    CHECK(memcmp(results[2], results[0], 16) == 0);
    EXPECT(MONPRO_ERR_BASE_RANGE, monpro_wait(engine, first, &error));
    CHECK(strstr(error.message, "job 2 of 2") != NULL);
    EXPECT(MONPRO_OK, monpro_wait(engine, empty, &error));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_wait(engine, first, &error)); /* the ticket is gone */
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_poll(engine, first, &finished));
}

static void test_close_with_jobs(void)
{
    uint8_t results[2][16];
    monpro_job jobs[2] = {good_job(results[0]), good_job(results[1])};
    monpro_engine *engine = open_engine("soft");
    monpro_ticket ticket;
    int finished;
    memset(results, 0xa5, sizeof results);
    REQUIRE(monpro_submit(engine, jobs, 2, &ticket, NULL));
    REQUIRE(monpro_poll(engine, ticket, &finished));
    monpro_engine_close(engine);
    CHECK(jobs[0].status == MONPRO_OK && !all_zero(results[0], 16));
    EXPECT(MONPRO_ERR_UNSUPPORTED, jobs[1].status);
    CHECK(all_zero(results[1], 16));
}

static void test_null(monpro_engine *engine)
{
    uint8_t result[16];
    monpro_job job = good_job(result);
    monpro_ticket ticket;
    monpro_engine *none = NULL;
    monpro_engine_info info;
    monpro_counters counters;
    int finished;
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_engine_open(NULL, "soft", NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_engine_open(&none, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_submit(NULL, &job, 1, &ticket, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_submit(engine, NULL, 1, &ticket, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_submit(engine, &job, 1, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_poll(NULL, 1, &finished));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_poll(engine, 1, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_wait(NULL, 1, NULL));
    memset(result, 0xa5, sizeof result);
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_modexp_batch(NULL, &job, 1, NULL));
    CHECK(job.status == MONPRO_ERR_ARGUMENT && all_zero(result, sizeof result));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_engine_query(NULL, &info));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_engine_query(engine, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_engine_counters(NULL, &counters));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_engine_counters(engine, NULL));
    monpro_engine_close(NULL);
}

static void test_open(void)
{
    monpro_engine *engine = (monpro_engine *)&engine;
    monpro_error error;
    EXPECT(MONPRO_ERR_ENGINE, monpro_engine_open(&engine, "hard", &error));
    CHECK(engine == NULL);
    CHECK(strstr(error.message, "\"hard\"") != NULL && strstr(error.message, "soft") != NULL);
    EXPECT(MONPRO_ERR_ENGINE, monpro_engine_open(&engine, "", &error));
    EXPECT(MONPRO_ERR_ENGINE, monpro_engine_open(&engine, "soft,x=1", &error));
}

static void test_texts(void)
{
    for (int status = 0; status >= -100; status--) {
        CHECK(monpro_status_name((monpro_status)status) != NULL);
        CHECK(monpro_strerror((monpro_status)status)[0] != '\0');
    }
    CHECK(strcmp(monpro_status_name(MONPRO_ERR_CHECK), "MONPRO_ERR_CHECK") == 0);
    CHECK(strcmp(monpro_version(), MONPRO_VERSION) == 0);
}

int main(void)
{
    monpro_engine *engine = open_engine("soft");
    monpro_counters counters;
    monpro_engine_info info;
    test_bad_jobs(engine);
    test_schemes(engine);
    test_leading_zeros(engine);
    test_tickets(engine);
    test_null(engine);
    REQUIRE(monpro_engine_counters(engine, &counters));
    CHECK(counters.operations == 25 + 11 + 2 + 2); /* the good jobs above, and no other */
    CHECK(counters.cycles_exponentiate == 0);
    REQUIRE(monpro_engine_query(engine, &info));
    CHECK(strcmp(info.spec, "soft") == 0 && info.max_bits == 4096 && info.schemes == 0x7e && info.crt == 0);
    monpro_engine_close(engine);
    test_close_with_jobs();
    test_open();
    test_texts();
    return test_result();
}
