/* Constant time of the engine of lanes, by memcheck, as constant_time_test.c has it for soft. Moduli, bases and secret
 * exponents are marked secret. A branch or an address that depends on one is an error of valgrind's.
 *
 *   valgrind --error-exitcode=99 lanes_constant_time_test SPEC
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lanes_cases.h"
#include "key/secret_keys.h"

#if !defined(MONPRO_VALGRIND)
#error "built with MONPRO_VALGRIND only"
#endif

enum { JOBS = 5 };

/* Of batches across keys: halves that fill a vector and leave some over; and too few of a kind for one. */
static const uint32_t same_bits[] = {512, 512, 512, 512, 512}, mixed_bits[] = {512, 1024, 512, 1024};

static void hide_jobs(const monpro_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        monpro_secret(jobs[i].modulus, jobs[i].modulus_len);
        monpro_secret(jobs[i].base, jobs[i].base_len);
        if ((jobs[i].flags & MONPRO_EXPONENT_PUBLIC) == 0) {
            monpro_secret(jobs[i].exponent, jobs[i].exponent_len);
        }
    }
}

/* So many of a length and a window, JOBS at most: a vector and a rest, or too few for one; every result still secret when
 * it comes out, and then right. */
static void test(monpro_engine *engine, monpro_engine *soft, size_t count, size_t bits, uint32_t window, uint32_t flags)
{
    uint64_t randomness = bits + window;
    monpro_job jobs[JOBS];
    uint8_t expected[JOBS][CASE_BYTES];
    for (unsigned i = 0; i < count; i++) {
        const operand modulus = make_modulus(bits, i % 4, &randomness);
        const operand exponent = make_exponent(24, flags == 0 ? 2 : 0, &randomness);
        jobs[i] = make_case(modulus, make_base(&modulus, i, &randomness), exponent, flags, window);
    }
    REQUIRE(monpro_modexp_batch(soft, jobs, count, NULL));
    for (size_t i = 0; i < count; i++) {
        memcpy(expected[i], jobs[i].result, jobs[i].result_len);
    }
    hide_jobs(jobs, count);
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, jobs, count, NULL));
    for (size_t i = 0; i < count; i++) {
        CHECK(is_secret(jobs[i].result, jobs[i].result_len));
        monpro_public(jobs[i].result, jobs[i].result_len);
        CHECK(memcmp(expected[i], jobs[i].result, jobs[i].result_len) == 0);
    }
    free_jobs(jobs, count);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: lanes_constant_time_test SPEC\n");
        return 2;
    }
    monpro_engine *soft = open_engine("soft"), *engine;
    if (monpro_engine_open(&engine, argv[1], NULL) == MONPRO_ERR_UNSUPPORTED) {
        printf("left out, as this machine or build does not have it: %s\n", argv[1]);
        return 0;
    }
    for (uint32_t window = 0; window <= 5; window++) {
        test(engine, soft, JOBS, 200 + 37 * window, window, 0);
        test(engine, soft, 1 + window % 3, 200 + 37 * window, window, 0);
    }
    test(engine, soft, JOBS, 300, 0, MONPRO_EXPONENT_PUBLIC);
    test(engine, soft, 2, 300, 0, MONPRO_EXPONENT_PUBLIC);
    test(engine, soft, JOBS, 1900, 5, 0);
    test(engine, soft, 2, 1900, 5, 0);
    test_secret_batch(engine, same_bits, sizeof same_bits / sizeof *same_bits);
    test_secret_batch(engine, mixed_bits, sizeof mixed_bits / sizeof *mixed_bits);
    monpro_engine_close(engine);
    monpro_engine_close(soft);
    return test_result();
}
