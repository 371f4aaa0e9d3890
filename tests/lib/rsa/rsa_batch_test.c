/* RSA batches across keys: keys of all lengths and forms side by side, bad requests and faults among good ones, what
 * the engine is asked for and in which order.
 *   rsa_batch_test PATH-OF-THE-FAKE-MODEL
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/rand.h>

#include "key/key.h"
#include "key/odd_keys.h"

enum { KEYS = 6, MOST = 20, MAX_BYTES = 512, GUARD = 8 };

static const char *model;
static monpro_key *keys[KEYS], *public_key;

/* ---- batches ----------------------------------------------------------------------------------------------------- */

/* A batch and what has to come of it. Outputs have memory of exactly their length and a guard behind it. */
typedef struct batch {
    size_t count;
    monpro_rsa_job jobs[MOST];
    uint8_t in[MOST][MAX_BYTES], out[MOST][MAX_BYTES + GUARD], expected[MOST][MAX_BYTES];
} batch;

static uint64_t randomness = 11;

static uint64_t next_random(void)
{
    randomness = randomness * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return randomness >> 33;
}

/* Job i has keys[which[i]], or any. Its block is the public power of what has to come back, by software. */
static batch *make_batch(monpro_engine *soft, size_t count, const size_t *which)
{
    batch *b = calloc(1, sizeof *b);
    if (b == NULL) {
        exit(1);
    }
    b->count = count;
    for (size_t i = 0; i < count; i++) {
        monpro_key *key = keys[which != NULL ? which[i] : next_random() % KEYS];
        for (size_t j = 1; j < key->size; j++) {
            b->expected[i][j] = (uint8_t)next_random();
        }
        memset(b->out[i], 0xa5, sizeof b->out[i]);
        b->jobs[i] = (monpro_rsa_job){.key = key, .in = b->in[i], .out = b->out[i], .status = MONPRO_ERR_FILE};
        REQUIRE(monpro_rsa_public(soft, key, b->expected[i], b->in[i], 1, NULL, NULL));
    }
    return b;
}

static bool has_guard(const batch *b, size_t i, size_t size)
{
    uint8_t guard[GUARD];
    memset(guard, 0xa5, sizeof guard);
    return memcmp(b->out[i] + size, guard, sizeof guard) == 0;
}

static bool is_right(const batch *b, size_t i)
{
    const size_t size = b->jobs[i].key->size;
    return b->jobs[i].status == MONPRO_OK && memcmp(b->out[i], b->expected[i], size) == 0 && has_guard(b, i, size);
}

/* A failed job has an output of zeroes. */
static bool is_failed(const batch *b, size_t i, monpro_status status)
{
    const size_t size = b->jobs[i].key->size;
    return b->jobs[i].status == status && all_zero(b->out[i], size) && has_guard(b, i, size);
}

/* All are right but the one that failed. */
static void check_others(const batch *b, size_t but)
{
    for (size_t i = 0; i < b->count; i++) {
        CHECK(i == but || is_right(b, i));
    }
}

/* ---- what the engine is asked for --------------------------------------------------------------------------------- */

/* The linker puts this before the library's own: it counts the calls, looks at their order, and has one of the jobs
 * fail, or come to a wrong result. */
static struct {
    size_t calls, jobs[4];
    bool scattered;        /* a modulus came again after another */
    bool checks;           /* the fault below is in the check, else in the powers */
    size_t at;             /* of which job; SIZE_MAX: none */
    monpro_status status;  /* MONPRO_OK: a wrong result */
    uint8_t wrong;         /* its bytes; 0: one bit of it */
} seen;

monpro_status __real_monpro_modexp_batch(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_error *error);
monpro_status __wrap_monpro_modexp_batch(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_error *error);

static bool is_scattered(const monpro_job *jobs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j + 1 < i && jobs[i].modulus != jobs[i - 1].modulus; j++) {
            if (jobs[i].modulus == jobs[j].modulus) {
                return true;
            }
        }
    }
    return false;
}

monpro_status __wrap_monpro_modexp_batch(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_error *error)
{
    monpro_status status = __real_monpro_modexp_batch(engine, jobs, count, error);
    seen.jobs[seen.calls++ % 4] = count;
    seen.scattered = seen.scattered || is_scattered(jobs, count);
    if (seen.at < count && seen.checks == (jobs[0].flags == MONPRO_EXPONENT_PUBLIC)) {
        monpro_job *job = &jobs[seen.at];
        if (seen.status != MONPRO_OK) {
            memset(job->result, 0, job->result_len);
            (void)snprintf(error->message, sizeof error->message, "a fault on purpose");
            error->status = status = job->status = seen.status;
        } else if (seen.wrong != 0) {
            memset(job->result, seen.wrong, job->result_len);
        } else {
            job->result[job->result_len - 1] ^= 4;
        }
    }
    return status;
}

static void see(size_t at, bool checks, monpro_status status, uint8_t wrong)
{
    memset(&seen, 0, sizeof seen);
    seen.at = at;
    seen.checks = checks;
    seen.status = status;
    seen.wrong = wrong;
}

static void see_nothing(void)
{
    see(SIZE_MAX, false, MONPRO_OK, 0);
}

/* ---- good batches -------------------------------------------------------------------------------------------------- */

static void test_sizes(monpro_engine *engine, monpro_engine *soft)
{
    static const monpro_rsa_options hows[] = {{0}, {.no_blinding = 1}, {.no_crt = 1}};
    for (size_t count = 1; count <= MOST; count++) {
        batch *b = make_batch(soft, count, NULL);
        monpro_counters counters, check;
        monpro_error error;
        monpro_rsa_options how = hows[count % 3];
        const uint64_t each = how.no_crt ? 1 : 2;
        how.counters = &counters;
        how.check_counters = &check;
        see_nothing();
        EXPECT(MONPRO_OK, monpro_rsa_private_batch(engine, b->jobs, count, &how, &error));
        check_others(b, MOST);
        CHECK(error.status == MONPRO_OK && counters.operations == (each + 1) * count && check.operations == count);
        CHECK(seen.calls == 2 && seen.jobs[0] == each * count && seen.jobs[1] == count && !seen.scattered);
        see_nothing();
        for (size_t i = 0; i < count; i++) { /* and back, in place */
            b->jobs[i].in = b->out[i];
        }
        EXPECT(MONPRO_OK, monpro_rsa_public_batch(engine, b->jobs, count, &how, NULL));
        CHECK(seen.calls == 1 && seen.jobs[0] == count && !seen.scattered);
        CHECK(counters.operations == count && check.operations == 0);
        for (size_t i = 0; i < count; i++) {
            const size_t size = b->jobs[i].key->size;
            CHECK(b->jobs[i].status == MONPRO_OK && memcmp(b->out[i], b->in[i], size) == 0 && has_guard(b, i, size));
        }
        EXPECT(MONPRO_OK, monpro_rsa_private_batch(engine, b->jobs, count, NULL, NULL)); /* in place */
        check_others(b, MOST);
        free(b);
    }
}

/* The jobs of a key are apart, and the engine gets them together: all modulo p, all modulo q. */
static void test_order(monpro_engine *engine, monpro_engine *soft)
{
    static const size_t which[] = {0, 1, 0, 2, 1, 0, 2, 2, 1, 0};
    batch *b = make_batch(soft, 10, which);
    see_nothing();
    EXPECT(MONPRO_OK, monpro_rsa_private_batch(engine, b->jobs, 10, NULL, NULL));
    CHECK(seen.calls == 2 && !seen.scattered);
    check_others(b, MOST);
    free(b);
}

/* ---- bad requests --------------------------------------------------------------------------------------------------- */

typedef enum bad { NO_KEY, NO_IN, NO_OUT, PUBLIC_KEY, AT_MODULUS, BAD_KINDS } bad;

/* Makes a job of the batch one that is refused, and says how. */
static monpro_status spoil(batch *b, size_t at, bad kind)
{
    monpro_rsa_job *job = &b->jobs[at];
    switch (kind) {
    case NO_KEY:
        job->key = NULL;
        return MONPRO_ERR_ARGUMENT;
    case NO_IN:
        job->in = NULL;
        return MONPRO_ERR_ARGUMENT;
    case NO_OUT:
        job->out = NULL;
        return MONPRO_ERR_ARGUMENT;
    case PUBLIC_KEY:
        job->key = public_key;
        return MONPRO_ERR_KEY_PUBLIC;
    default:
        memcpy(b->in[at], job->key->n, job->key->size);
        return MONPRO_ERR_BASE_RANGE;
    }
}

static void check_refused(const batch *b, size_t at, bad kind, monpro_status status)
{
    if (kind == NO_KEY || kind == NO_OUT) { /* of a length that nobody knows, or nowhere: untouched */
        CHECK(b->jobs[at].status == status && has_guard(b, at, 0));
    } else {
        CHECK(is_failed(b, at, status));
    }
}

static void test_bad_requests(monpro_engine *engine, monpro_engine *soft)
{
    enum { COUNT = 5 };
    monpro_error error;
    char place[40];
    for (bad kind = 0; kind < BAD_KINDS; kind++) {
        for (size_t at = 0; at < COUNT; at++) {
            batch *b = make_batch(soft, COUNT, NULL);
            const monpro_status status = spoil(b, at, kind);
            (void)snprintf(place, sizeof place, "block %zu of %d: ", at + 1, (int)COUNT);
            EXPECT(status, monpro_rsa_private_batch(engine, b->jobs, COUNT, NULL, &error));
            CHECK(error.status == status && strncmp(error.message, place, strlen(place)) == 0);
            check_refused(b, at, kind, status);
            check_others(b, at);
            for (size_t i = 0; i < COUNT && kind != PUBLIC_KEY; i++) { /* one that a public operation takes */
                memset(b->out[i], 0xa5, sizeof b->out[i]);
                if (i != at) {
                    memcpy(b->in[i], b->expected[i], MAX_BYTES); /* whatever it was, it is below the modulus */
                    REQUIRE(monpro_rsa_public(soft, b->jobs[i].key, b->in[i], b->expected[i], 1, NULL, NULL));
                }
            }
            if (kind != PUBLIC_KEY) {
                EXPECT(status, monpro_rsa_public_batch(engine, b->jobs, COUNT, NULL, &error));
                CHECK(error.status == status && strncmp(error.message, place, strlen(place)) == 0);
                check_refused(b, at, kind, status);
                check_others(b, at);
            }
            free(b);
        }
    }
}

/* The first in the caller's order is the call's, whenever it was found; all may be bad, and one alone. */
static void test_which_error(monpro_engine *engine, monpro_engine *soft)
{
    monpro_error error;
    batch *b = make_batch(soft, 6, NULL);
    (void)spoil(b, 4, AT_MODULUS);
    (void)spoil(b, 5, NO_IN);
    EXPECT(MONPRO_ERR_BASE_RANGE, monpro_rsa_private_batch(engine, b->jobs, 6, NULL, &error));
    CHECK(strstr(error.message, "block 5 of 6: ") != NULL && is_failed(b, 5, MONPRO_ERR_ARGUMENT));
    (void)spoil(b, 2, PUBLIC_KEY);
    b->jobs[2].in = b->in[2];
    EXPECT(MONPRO_ERR_KEY_PUBLIC, monpro_rsa_private_batch(engine, b->jobs, 6, NULL, &error));
    CHECK(strstr(error.message, "block 3 of 6: ") != NULL);
    CHECK(is_right(b, 0) && is_right(b, 1) && is_right(b, 3) && is_failed(b, 4, MONPRO_ERR_BASE_RANGE));
    see(0, false, MONPRO_ERR_DEVICE_TIMEOUT, 0); /* found after those; the engine gets the first job first */
    EXPECT(MONPRO_ERR_DEVICE_TIMEOUT, monpro_rsa_private_batch(engine, b->jobs, 6, NULL, &error));
    CHECK(strcmp(error.message, "block 1 of 6: a fault on purpose") == 0);
    see(0, true, MONPRO_OK, 0);
    EXPECT(MONPRO_ERR_CHECK, monpro_rsa_private_batch(engine, b->jobs, 6, NULL, &error));
    CHECK(error.status == MONPRO_ERR_CHECK && strcmp(error.message, monpro_strerror(MONPRO_ERR_CHECK)) == 0);
    see_nothing();
    for (size_t i = 0; i < 6; i++) {
        b->jobs[i].in = NULL;
    }
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_private_batch(engine, b->jobs, 6, NULL, &error));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_public_batch(engine, b->jobs, 1, NULL, &error));
    CHECK(strstr(error.message, "block") == NULL && seen.calls == 0);
    free(b);
}

static void test_no_engine(monpro_engine *engine, monpro_engine *soft)
{
    monpro_error error;
    monpro_counters counters = {.operations = 9}, check = {.operations = 9};
    const monpro_rsa_options options = {.counters = &counters, .check_counters = &check};
    batch *b = make_batch(soft, 3, NULL);
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_private_batch(NULL, b->jobs, 3, &options, &error));
    CHECK(error.status == MONPRO_ERR_ARGUMENT && counters.operations == 0 && check.operations == 0);
    for (size_t i = 0; i < 3; i++) {
        CHECK(is_failed(b, i, MONPRO_ERR_ARGUMENT));
        memset(b->out[i], 0xa5, sizeof b->out[i]);
    }
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_public_batch(NULL, b->jobs, 3, NULL, NULL));
    CHECK(is_failed(b, 2, MONPRO_ERR_ARGUMENT));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_private_batch(engine, NULL, 3, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_public_batch(engine, NULL, 3, NULL, NULL));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_rsa_private_batch(NULL, NULL, 0, NULL, NULL));
    EXPECT(MONPRO_OK, monpro_rsa_private_batch(engine, NULL, 0, NULL, &error));
    EXPECT(MONPRO_OK, monpro_rsa_public_batch(engine, NULL, 0, NULL, NULL));
    free(b);
}

/* ---- faults --------------------------------------------------------------------------------------------------------- */

/* One power, or one check, comes out wrong or does not come out: one job fails, its key's blinding is dropped, and all
 * else is right, the same key's other jobs too. */
static void test_fault(monpro_engine *engine, monpro_engine *soft, bool checks, monpro_status fault, uint8_t wrong,
                       const monpro_rsa_options *options)
{
    static const size_t which[] = {0, 2, 1, 0, 4};
    enum { COUNT = sizeof which / sizeof *which };
    const monpro_status expected = fault == MONPRO_OK || (checks && fault == MONPRO_ERR_BASE_RANGE) ? MONPRO_ERR_CHECK
                                                                                                     : fault;
    const size_t powers = checks || (options != NULL && options->no_crt) ? COUNT : 2 * COUNT;
    size_t failures[COUNT] = {0};
    batch *b = make_batch(soft, COUNT, which);
    for (size_t at = 0; at < powers; at++) {
        monpro_error error;
        size_t failed = COUNT;
        for (size_t i = 0; i < COUNT; i++) {
            memset(b->out[i], 0xa5, sizeof b->out[i]);
        }
        REQUIRE(monpro_rsa_private_batch(engine, b->jobs, COUNT, NULL, NULL)); /* now there is a pair to be dropped */
        see(at, checks, fault, wrong);
        EXPECT(expected, monpro_rsa_private_batch(engine, b->jobs, COUNT, options, &error));
        see_nothing();
        for (size_t i = 0; i < COUNT; i++) {
            failed = b->jobs[i].status != MONPRO_OK ? i : failed;
        }
        CHECK(failed < COUNT && is_failed(b, failed, expected));
        check_others(b, failed);
        for (size_t i = 0; i < COUNT; i++) {
            const uint8_t *pair = (const uint8_t *)&b->jobs[i].key->blinding;
            CHECK(all_zero(pair, sizeof b->jobs[i].key->blinding) == (which[i] == which[failed]));
        }
        CHECK(error.status == expected);
        if (expected == MONPRO_ERR_CHECK) { /* and no more is said */
            CHECK(strcmp(error.message, monpro_strerror(MONPRO_ERR_CHECK)) == 0);
        } else {
            CHECK(strstr(error.message, "a fault on purpose") != NULL && strncmp(error.message, "block ", 6) == 0);
        }
        failures[failed]++;
    }
    for (size_t i = 0; i < COUNT; i++) { /* each job in its turn */
        CHECK(failures[i] == powers / COUNT);
    }
    free(b);
}

static void test_faults(monpro_engine *engine, monpro_engine *soft)
{
    static const monpro_rsa_options bare = {.no_crt = 1, .no_blinding = 1};
    test_fault(engine, soft, false, MONPRO_OK, 0, NULL);
    test_fault(engine, soft, false, MONPRO_OK, 0xff, &bare); /* a result that is not below n: its check is refused */
    test_fault(engine, soft, true, MONPRO_OK, 0, NULL);
    test_fault(engine, soft, false, MONPRO_ERR_DEVICE_TIMEOUT, 0, NULL);
    test_fault(engine, soft, true, MONPRO_ERR_DEVICE_BUS, 0, NULL);
    test_fault(engine, soft, false, MONPRO_ERR_BASE_RANGE, 0, NULL);
    test_fault(engine, soft, true, MONPRO_ERR_BASE_RANGE, 0, NULL);
}

/* A key that is wrong in itself: all of its jobs fail, and those of no other. */
static void test_damaged_key(monpro_engine *engine, monpro_engine *soft)
{
    static const size_t which[] = {1, 3, 1, 0, 3};
    batch *b = make_batch(soft, 5, which);
    keys[3]->dq[keys[3]->q_size - 1] ^= 2;
    EXPECT(MONPRO_ERR_CHECK, monpro_rsa_private_batch(engine, b->jobs, 5, NULL, NULL));
    keys[3]->dq[keys[3]->q_size - 1] ^= 2;
    CHECK(is_failed(b, 1, MONPRO_ERR_CHECK) && is_failed(b, 4, MONPRO_ERR_CHECK));
    CHECK(is_right(b, 0) && is_right(b, 2) && is_right(b, 3));
    free(b);
}

static int no_random_bytes(unsigned char *bytes, int size)
{
    (void)bytes;
    (void)size;
    return 0;
}

/* A key that has no blinding pair fails, and one that has goes on. */
static void test_no_random(monpro_engine *engine, monpro_engine *soft)
{
    static const RAND_METHOD broken = {.bytes = no_random_bytes, .pseudorand = no_random_bytes};
    static const size_t which[] = {2, 1, 2, 1};
    const RAND_METHOD *const working = RAND_get_rand_method();
    monpro_error error;
    batch *b = make_batch(soft, 4, which);
    memset(&keys[1]->blinding, 0, sizeof keys[1]->blinding);
    memset(&keys[2]->blinding, 0, sizeof keys[2]->blinding);
    REQUIRE(monpro_rsa_private_batch(engine, &b->jobs[0], 1, NULL, NULL));
    RAND_set_rand_method(&broken);
    EXPECT(MONPRO_ERR_RANDOM, monpro_rsa_private_batch(engine, b->jobs, 4, NULL, &error));
    RAND_set_rand_method(working);
    CHECK(strncmp(error.message, "block 2 of 4: ", 14) == 0);
    CHECK(is_right(b, 0) && is_failed(b, 1, MONPRO_ERR_RANDOM) && is_right(b, 2) && is_failed(b, 3, MONPRO_ERR_RANDOM));
    free(b);
}

/* ---- devices ---------------------------------------------------------------------------------------------------------- */

static monpro_engine *open_fake(const char *mode)
{
    char spec[1000];
    (void)snprintf(spec, sizeof spec, "sim:%s", model);
    (void)setenv("MONPRO_FAKE", mode, 1);
    return open_engine(spec);
}

/* All forms in one batch: keys[0] is too short for halves, keys[1] goes to the device whole, keys[3] in halves. */
static void test_forms(monpro_engine *soft)
{
    static const size_t which[] = {3, 0, 1, 3, 1, 0, 3};
    batch *b = make_batch(soft, 7, which);
    monpro_engine *fake = open_fake("crt,long_only");
    monpro_counters counters, check;
    const monpro_rsa_options options = {.counters = &counters, .check_counters = &check};
    see_nothing();
    EXPECT(MONPRO_OK, monpro_rsa_private_batch(fake, b->jobs, 7, &options, NULL));
    check_others(b, MOST);
    CHECK(seen.calls == 2 && seen.jobs[0] == 2 + 2 * 3 && seen.jobs[1] == 7 && !seen.scattered);
    CHECK(counters.operations == 2 + 2 + 2 * 3 + 7 && check.operations == 7);
    /* Cold are both primes of keys[1] at once, p and q of keys[3], n of keys[0]; and n of each of three. */
    CHECK(counters.warm == 1 + 4 + 1 + check.warm && check.warm == 7 - 3);
    monpro_engine_close(fake);
    free(b);
}

static void test_device_faults(monpro_engine *soft)
{
    static const struct {
        const char *mode;
        monpro_status wide, halves; /* of a key that goes to the device whole, and of one in halves */
    } cases[] = {
        {"crt,wrong_result", MONPRO_ERR_CHECK, MONPRO_OK},
        {"crt,wrong_half", MONPRO_ERR_CHECK, MONPRO_OK},
        {"crt,wrong_check", MONPRO_ERR_CHECK, MONPRO_ERR_CHECK},
        {"crt,never_done", MONPRO_ERR_DEVICE_TIMEOUT, MONPRO_ERR_DEVICE_TIMEOUT},
        {"crt,no_result", MONPRO_ERR_DEVICE_FAULT, MONPRO_ERR_DEVICE_FAULT},
        {"short_only", MONPRO_ERR_MODULUS_LONG, MONPRO_ERR_MODULUS_LONG},
    };
    static const size_t which[] = {3, 1, 3, 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        batch *b = make_batch(soft, 4, which);
        monpro_engine *fake = open_fake(cases[i].mode);
        monpro_error error;
        const monpro_status first = cases[i].halves != MONPRO_OK ? cases[i].halves : cases[i].wide;
        EXPECT(first, monpro_rsa_private_batch(fake, b->jobs, 4, NULL, &error));
        CHECK(error.status == first);
        for (size_t j = 0; j < 4; j++) {
            const monpro_status expected = which[j] == 1 ? cases[i].wide : cases[i].halves;
            CHECK(expected == MONPRO_OK ? is_right(b, j) : is_failed(b, j, expected));
        }
        monpro_engine_close(fake);
        free(b);
    }
}

/* A key that is too long for the device leaves a shorter one alone. */
static void test_too_long(monpro_engine *soft)
{
    static const size_t which[] = {0, 1, 0};
    monpro_engine *fake = open_fake("short_only");
    batch *b = make_batch(soft, 3, which);
    monpro_error error;
    EXPECT(MONPRO_ERR_MODULUS_LONG, monpro_rsa_private_batch(fake, b->jobs, 3, NULL, &error));
    CHECK(strstr(error.message, "block 2 of 3: the key has 1024 bits") != NULL);
    CHECK(is_failed(b, 1, MONPRO_ERR_MODULUS_LONG));
    check_others(b, 1);
    EXPECT(MONPRO_ERR_MODULUS_LONG, monpro_rsa_public_batch(fake, b->jobs, 3, NULL, &error));
    CHECK(b->jobs[0].status == MONPRO_OK && is_failed(b, 1, MONPRO_ERR_MODULUS_LONG));
    monpro_engine_close(fake);
    free(b);
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

static void test_engine(const char *spec, monpro_engine *soft)
{
    monpro_engine *engine;
    const monpro_status status = monpro_engine_open(&engine, spec, NULL);
    if (status == MONPRO_ERR_UNSUPPORTED) {
        printf("left out, as this machine or build does not have it: %s\n", spec);
        return;
    }
    REQUIRE(status);
    test_sizes(engine, soft);
    test_order(engine, soft);
    test_bad_requests(engine, soft);
    test_which_error(engine, soft);
    test_no_engine(engine, soft);
    test_faults(engine, soft);
    test_damaged_key(engine, soft);
    test_no_random(engine, soft);
    monpro_engine_close(engine);
    printf("%s: done\n", spec);
}

int main(int argc, char **argv)
{
    uint8_t der[2048];
    size_t size = sizeof der;
    if (argc != 2) {
        fprintf(stderr, "usage: rsa_batch_test FAKE-MODEL\n");
        return 2;
    }
    model = argv[1];
    see_nothing();
    REQUIRE(monpro_key_generate(&keys[0], 512, 3, NULL));
    REQUIRE(monpro_key_generate(&keys[1], 1024, 65537, NULL));
    keys[2] = odd_key(512, 512, 1024, false); /* whose primes go with those before */
    keys[3] = odd_key(520, 504, 1024, true);
    keys[4] = odd_key(325, 381, 705, false); /* of other counts of digits each */
    REQUIRE(monpro_key_generate(&keys[5], 1088, 65537, NULL));
    REQUIRE(monpro_key_write(keys[1], MONPRO_KEY_PUBLIC_SPKI, 1, NULL, der, &size, NULL));
    REQUIRE(monpro_key_read(&public_key, der, size, NULL, NULL));
    monpro_engine *soft = open_engine("soft");
    test_engine("soft", soft);
    test_engine("lanes:isa=scalar,threads=2", soft);
    test_engine("lanes:isa=portable,threads=2", soft);
    test_engine("lanes:isa=avx2,threads=1", soft);
    test_engine("lanes:isa=avx512ifma,threads=2", soft);
    test_forms(soft);
    test_device_faults(soft);
    test_too_long(soft);
    monpro_engine_close(soft);
    monpro_key_free(public_key);
    for (size_t i = 0; i < KEYS; i++) {
        monpro_key_free(keys[i]);
    }
    return test_result();
}
