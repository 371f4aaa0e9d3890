/* What every C test shares: checks that go on after a failure, and a record of the statuses that were provoked.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_TEST_H
#define MONPRO_TEST_H

#include <monpro/monpro.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            test_failures++; \
        } \
    } while (0)

/* Calls, compares the status, and records it: test_c.py checks that every status of the header is seen somewhere. */
#define EXPECT(expected, call) \
    do { \
        const monpro_status got_ = (call); \
        if (got_ == (expected)) { \
            printf("saw %s\n", monpro_status_name(got_)); \
        } else { \
            fprintf(stderr, "%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, monpro_status_name(got_), \
                    monpro_status_name(expected)); \
            test_failures++; \
        } \
    } while (0)

/* A setup step without which the test makes no sense. */
#define REQUIRE(call) \
    do { \
        if ((call) != MONPRO_OK) { \
            fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #call); \
            exit(1); \
        } \
    } while (0)

static inline bool all_zero(const uint8_t *bytes, size_t size)
{
    uint8_t any = 0;
    for (size_t i = 0; i < size; i++) {
        any |= bytes[i];
    }
    return any == 0;
}

static inline monpro_engine *open_engine(const char *spec)
{
    monpro_engine *engine = NULL;
    monpro_error error;
    if (monpro_engine_open(&engine, spec, &error) != MONPRO_OK) {
        fprintf(stderr, "cannot open %s: %s\n", spec, error.message);
        exit(1);
    }
    return engine;
}

static inline int test_result(void)
{
    if (test_failures != 0) {
        fprintf(stderr, "%d checks failed\n", test_failures);
    }
    return test_failures == 0 ? 0 : 1;
}

#endif
