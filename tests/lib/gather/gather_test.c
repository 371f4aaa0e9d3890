/* The engine `gather`: calls of many threads against direct results, requests that fail alone, a lone caller, tickets and
 * their descriptors, and fork().
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

enum { KEYS = 5, CASES = 10, THREADS = 8, ROUNDS = 40, CHILDREN = 6, LONGEST = 96 };

/* The sanitizers' own locks do not survive a fork() in the middle of other threads' work. Under them nobody works then. */
#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS_FEATURE(address_sanitizer)
enum { WORKING = 0 };
#else
enum { WORKING = THREADS };
#endif

/* A block, and what comes out under a key. */
typedef struct known {
    monpro_key *key;
    size_t size;
    uint8_t in[LONGEST], powered[LONGEST], opened[LONGEST]; /* in^e and in^d */
} known;

static known cases[CASES];
static monpro_key *keys[KEYS];
static const uint8_t modulus[] = {0xff, 0x01, 0x61}, base[] = {0x03}, exponent[] = {0x01, 0x00, 0x01};

static void make_cases(void)
{
    static const uint32_t bits[KEYS] = {512, 512, 576, 640, 768};
    monpro_engine *const soft = open_engine("soft");
    for (size_t i = 0; i < KEYS; i++) {
        REQUIRE(monpro_key_generate(&keys[i], bits[i], 65537, NULL));
    }
    for (size_t i = 0; i < CASES; i++) {
        known *const one = &cases[i];
        one->key = keys[i % KEYS];
        one->size = monpro_key_bits(one->key) / 8;
        for (size_t j = 1; j < one->size; j++) {
            one->in[j] = (uint8_t)(17 * i + 29 * j + i * j * j);
        }
        REQUIRE(monpro_rsa_public(soft, one->key, one->in, one->powered, 1, NULL, NULL));
        REQUIRE(monpro_rsa_private(soft, one->key, one->in, one->opened, 1, NULL, NULL));
    }
    monpro_engine_close(soft);
}

static monpro_job power(uint8_t *result)
{
    return (monpro_job){.modulus = modulus, .modulus_len = sizeof modulus, .base = base, .base_len = sizeof base,
                        .exponent = exponent, .exponent_len = sizeof exponent, .flags = MONPRO_EXPONENT_PUBLIC,
                        .result = result, .result_len = sizeof modulus};
}

static bool power_is_right(const uint8_t *result)
{
    uint64_t value = 1;
    for (int i = 0; i < 16; i++) {
        value = (i == 0 ? 3 * 3 : value * value) % 0xff0161;
    }
    value = value * 3 % 0xff0161;
    return result[0] == (value >> 16) && result[1] == (uint8_t)(value >> 8) && result[2] == (uint8_t)value;
}

/* ---- many threads ------------------------------------------------------------------------------------------------ */

typedef struct caller {
    pthread_t thread;
    monpro_engine *engine;
    unsigned number;
    unsigned wrong, requests;
} caller;

/* One request of a kind that changes from round to round; gives whether its outcome was right. */
static bool ask(monpro_engine *engine, unsigned turn)
{
    const known *const one = &cases[turn % CASES];
    uint8_t out[LONGEST] = {0}, too_large[LONGEST];
    monpro_error error;
    monpro_counters counters;
    const monpro_rsa_options options = {.counters = &counters};
    switch (turn % 5) {
    case 0:
    case 1:
        return monpro_rsa_private(engine, one->key, one->in, out, 1, &options, &error) == MONPRO_OK &&
               memcmp(out, one->opened, one->size) == 0 && counters.operations == 3;
    case 2:
        return monpro_rsa_public(engine, one->key, one->in, out, 1, &options, &error) == MONPRO_OK &&
               memcmp(out, one->powered, one->size) == 0 && counters.operations == 1;
    case 3: {
        monpro_job job = power(out);
        return monpro_modexp_batch(engine, &job, 1, &error) == MONPRO_OK && power_is_right(out) &&
               job.used_scheme == MONPRO_SCHEME_BINARY;
    }
    default:
        memset(too_large, 0xff, sizeof too_large);
        memset(out, 1, sizeof out);
        return monpro_rsa_private(engine, one->key, too_large, out, 1, NULL, &error) == MONPRO_ERR_BASE_RANGE &&
               strcmp(error.message, "the block is not below the key's modulus") == 0 && all_zero(out, one->size);
    }
}

static void *call_often(void *of)
{
    caller *const self = of;
    for (unsigned round = 0; round < ROUNDS; round++) {
        self->wrong += !ask(self->engine, self->number * 7 + round);
        self->requests++;
    }
    return NULL;
}

static void start_callers(caller *callers, size_t count, monpro_engine *engine)
{
    for (size_t i = 0; i < count; i++) {
        callers[i] = (caller){.engine = engine, .number = (unsigned)i};
        CHECK(pthread_create(&callers[i].thread, NULL, call_often, &callers[i]) == 0);
    }
}

static void join_callers(caller *callers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK(pthread_join(callers[i].thread, NULL) == 0);
        CHECK(callers[i].wrong == 0);
        CHECK(callers[i].requests == ROUNDS);
    }
}

static void test_threads(const char *spec)
{
    monpro_engine *const engine = open_engine(spec);
    caller callers[THREADS];
    monpro_gathering seen;
    uint64_t filled = 0;
    start_callers(callers, THREADS, engine);
    join_callers(callers, THREADS);
    EXPECT(MONPRO_OK, monpro_engine_gathering(engine, &seen));
    for (size_t i = 0; i < MONPRO_FILLS; i++) {
        filled += seen.fills[i];
    }
    CHECK(seen.requests == THREADS * ROUNDS && seen.jobs == THREADS * ROUNDS);
    CHECK(filled == seen.batches && seen.lone <= seen.batches && seen.batches <= seen.requests);
    CHECK(seen.waits_in_vain <= seen.waits);
    monpro_engine_close(engine);
}

static void *call_once(void *of)
{
    caller *const self = of;
    self->wrong += !ask(self->engine, self->number);
    return NULL;
}

static void *call_long(void *of)
{
    enum { BLOCKS = 200 };
    static uint8_t blocks[BLOCKS * LONGEST];
    caller *const self = of;
    const monpro_rsa_options options = {.no_crt = 1};
    self->wrong += monpro_rsa_private(self->engine, keys[KEYS - 1], blocks, blocks, BLOCKS, &options, NULL) != MONPRO_OK;
    return NULL;
}

/* Callers of each kind come while a leader is at work, and nobody comes after them: one leads on after the other. */
static void test_followers(void)
{
    monpro_engine *const engine = open_engine("gather:soft");
    caller callers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        const struct timespec under_way = {.tv_nsec = 10000000};
        callers[i] = (caller){.engine = engine, .number = i};
        CHECK(pthread_create(&callers[i].thread, NULL, i == 0 ? call_long : call_once, &callers[i]) == 0);
        (void)nanosleep(&under_way, NULL);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        CHECK(pthread_join(callers[i].thread, NULL) == 0);
        CHECK(callers[i].wrong == 0);
    }
    monpro_engine_close(engine);
}

/* Nobody else is there: every call is a batch of its own, and none waits, however long wait_us is. */
static void test_lone_caller(void)
{
    monpro_engine *const engine = open_engine("gather:soft,wait_us=1000000");
    monpro_gathering seen;
    monpro_counters counters;
    for (unsigned turn = 0; turn < 8; turn++) {
        CHECK(ask(engine, turn));
    }
    REQUIRE(monpro_engine_gathering(engine, &seen));
    CHECK(seen.requests == 8 && seen.batches == 8 && seen.lone == 8 && seen.fills[0] == 8 && seen.waits == 0);
    REQUIRE(monpro_engine_counters(engine, &counters));
    CHECK(counters.operations > 8);
    monpro_engine_close(engine);
}

/* ---- tickets ----------------------------------------------------------------------------------------------------- */

static bool is_readable(int descriptor)
{
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    return poll(&one, 1, 0) == 1;
}

/* Requests of one thread are one batch. The bad ones among them fail alone, and by their own words. */
static void test_tickets(const char *spec)
{
    enum { BAD = 4, PAIR = 7 };
    monpro_engine *const engine = open_engine(spec);
    monpro_rsa_job jobs[CASES + 1];
    uint8_t out[CASES + 1][LONGEST], too_large[LONGEST];
    monpro_ticket tickets[CASES];
    monpro_counters counters[CASES];
    int descriptors[CASES], finished = 0;
    monpro_gathering seen;
    monpro_error error;
    memset(too_large, 0xff, sizeof too_large);
    memset(out, 1, sizeof out);
    for (size_t i = 0; i < CASES; i++) {
        const monpro_rsa_options options = {.counters = &counters[i]};
        const size_t count = i == PAIR ? 2 : 1, at = i > PAIR ? i + 1 : i;
        descriptors[i] = eventfd(0, EFD_NONBLOCK);
        jobs[at] = (monpro_rsa_job){.key = cases[i].key, .in = i == BAD ? too_large : cases[i].in, .out = out[at]};
        if (i == PAIR) {
            jobs[at + 1] = (monpro_rsa_job){.key = cases[i].key, .in = too_large, .out = out[at + 1]};
        }
        REQUIRE(monpro_rsa_private_submit(engine, &jobs[at], count, &options, descriptors[i], &tickets[i], NULL));
    }
    CHECK(is_readable(descriptors[0]) && is_readable(descriptors[CASES - 1]));
    for (size_t i = CASES; i-- > 0;) { /* in any order */
        const size_t at = i > PAIR ? i + 1 : i;
        const monpro_status expected = i == BAD || i == PAIR ? MONPRO_ERR_BASE_RANGE : MONPRO_OK;
        EXPECT(expected, monpro_wait(engine, tickets[i], &error));
        CHECK(i == BAD ? all_zero(out[at], cases[i].size) : memcmp(out[at], cases[i].opened, cases[i].size) == 0);
        CHECK(i != BAD || strcmp(error.message, "the block is not below the key's modulus") == 0);
        CHECK(i != PAIR || strcmp(error.message, "block 2 of 2: the block is not below the key's modulus") == 0);
        CHECK(i != PAIR || (jobs[PAIR].status == MONPRO_OK && all_zero(out[PAIR + 1], cases[i].size)));
        CHECK(counters[i].operations == (i == BAD ? 0 : 3));
        CHECK(is_readable(descriptors[i]) && close(descriptors[i]) == 0);
    }
    REQUIRE(monpro_engine_gathering(engine, &seen));
    CHECK(seen.batches == 1 && seen.requests == CASES && seen.jobs == CASES + 1 && seen.fills[3] == 1);
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_wait(engine, tickets[0], &error));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_poll(engine, tickets[0], &finished));
    monpro_engine_close(engine);
}

/* The queue of exponentiations works on this engine too; no more than `most` jobs are one batch. */
static void test_queue(void)
{
    monpro_engine *const engine = open_engine("gather:soft,most=4");
    monpro_job jobs[9];
    uint8_t results[9][sizeof modulus];
    monpro_ticket tickets[9];
    monpro_gathering seen;
    int finished = 0;
    for (size_t i = 0; i < 9; i++) {
        jobs[i] = power(results[i]);
        REQUIRE(monpro_submit(engine, &jobs[i], 1, &tickets[i], NULL));
    }
    EXPECT(MONPRO_OK, monpro_poll(engine, tickets[8], &finished));
    CHECK(finished == 0);
    EXPECT(MONPRO_OK, monpro_wait(engine, tickets[8], NULL));
    for (size_t i = 0; i < 8; i++) {
        REQUIRE(monpro_poll(engine, tickets[i], &finished));
        CHECK(finished == 1);
        REQUIRE(monpro_wait(engine, tickets[i], NULL));
        CHECK(power_is_right(results[i]));
    }
    REQUIRE(monpro_modexp_batch(engine, jobs, 9, NULL)); /* more than `most` in one call are one batch */
    REQUIRE(monpro_engine_gathering(engine, &seen));
    CHECK(seen.batches == 4 && seen.fills[2] == 2 && seen.fills[0] == 1 && seen.fills[3] == 1);
    monpro_engine_close(engine);
}

static void test_close_with_tickets(void)
{
    monpro_engine *const engine = open_engine("gather:soft");
    uint8_t result[sizeof modulus] = {1}, out[LONGEST] = {1};
    monpro_job job = power(result);
    monpro_rsa_job block = {.key = cases[0].key, .in = cases[0].in, .out = out};
    monpro_ticket ticket;
    REQUIRE(monpro_submit(engine, &job, 1, &ticket, NULL));
    REQUIRE(monpro_rsa_public_submit(engine, &block, 1, NULL, -1, &ticket, NULL));
    monpro_engine_close(engine);
    CHECK(job.status == MONPRO_ERR_UNSUPPORTED && all_zero(result, sizeof result));
    CHECK(block.status == MONPRO_ERR_UNSUPPORTED && all_zero(out, sizeof out));
}

/* ---- fork -------------------------------------------------------------------------------------------------------- */

/* A child that comes in the middle of its parent's work does its own work, alone and by many threads. */
static void test_fork(const char *spec)
{
    monpro_engine *const engine = open_engine(spec);
    caller callers[THREADS], own[2];
    pid_t children[CHILDREN];
    monpro_ticket ticket;
    uint8_t result[sizeof modulus];
    monpro_job job = power(result);
    start_callers(callers, WORKING, engine);
    REQUIRE(monpro_submit(engine, &job, 1, &ticket, NULL));
    for (size_t i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            test_failures = 0;
            EXPECT(MONPRO_ERR_ARGUMENT, monpro_wait(engine, ticket, NULL)); /* the parent's */
            CHECK(ask(engine, 0));
            start_callers(own, 2, engine);
            join_callers(own, 2);
            monpro_engine_close(engine);
            _exit(test_failures == 0 ? 0 : 1);
        }
    }
    join_callers(callers, WORKING);
    for (size_t i = 0; i < CHILDREN; i++) {
        int status = 1;
        CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
    }
    REQUIRE(monpro_wait(engine, ticket, NULL));
    CHECK(power_is_right(result));
    monpro_engine_close(engine);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void test_refused(void)
{
    static const struct {
        const char *spec;
        monpro_status status;
    } bad[] = {
        {"gather:", MONPRO_ERR_ENGINE}, {"gather:most=3", MONPRO_ERR_ENGINE}, {"gather:gather:soft", MONPRO_ERR_ENGINE},
        {"gather:nothing", MONPRO_ERR_ENGINE}, {"gather:soft,most=0", MONPRO_ERR_PARAMETER},
        {"gather:soft,most=", MONPRO_ERR_PARAMETER}, {"gather:soft,most=4097", MONPRO_ERR_PARAMETER},
        {"gather:soft,wait_us=1000001", MONPRO_ERR_PARAMETER}, {"gather:soft,wait_us=-1", MONPRO_ERR_PARAMETER},
        {"gather:lanes:threads=0,most=4", MONPRO_ERR_PARAMETER}, {"gather:soft,colour=red", MONPRO_ERR_ENGINE},
    };
    monpro_engine *engine = NULL;
    monpro_ticket ticket;
    monpro_gathering seen;
    uint8_t out[LONGEST] = {1};
    monpro_rsa_job job = {.key = cases[0].key, .in = cases[0].in, .out = out};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        EXPECT(bad[i].status, monpro_engine_open(&engine, bad[i].spec, NULL));
        CHECK(engine == NULL);
    }
    char overlong[300];
    memset(overlong, 'x', sizeof overlong);
    memcpy(overlong, "gather:sim:", 11);
    overlong[sizeof overlong - 1] = '\0';
    EXPECT(MONPRO_ERR_PARAMETER, monpro_engine_open(&engine, overlong, NULL));
    engine = open_engine("soft");
    EXPECT(MONPRO_ERR_UNSUPPORTED, monpro_rsa_private_submit(engine, &job, 1, NULL, -1, &ticket, NULL));
    CHECK(job.status == MONPRO_ERR_UNSUPPORTED && all_zero(out, cases[0].size));
    EXPECT(MONPRO_ERR_UNSUPPORTED, monpro_engine_gathering(engine, &seen));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_engine_gathering(NULL, &seen));
    monpro_engine_close(engine);
    engine = open_engine("gather:lanes:threads=1,most=8");
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_private_submit(engine, NULL, 1, NULL, -1, &ticket, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_submit(engine, NULL, 0, &ticket, NULL));
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, NULL, 0, NULL));
    EXPECT(MONPRO_OK, monpro_rsa_private_batch(engine, NULL, 0, NULL, NULL));
    monpro_engine_close(engine);
}

int main(void)
{
    (void)alarm(120); /* a caller that sleeps on is a failure */
    make_cases();
    test_followers();
    test_threads("gather:soft");
    test_threads("gather:lanes:threads=2,most=5");
    test_threads("gather:lanes,wait_us=200");
    test_lone_caller();
    test_tickets("gather:soft");
    test_tickets("gather:lanes");
    test_queue();
    test_close_with_tickets();
    test_fork("gather:soft");
    test_fork("gather:lanes:threads=2");
    test_refused();
    for (size_t i = 0; i < KEYS; i++) {
        monpro_key_free(keys[i]);
    }
    return test_result();
}
