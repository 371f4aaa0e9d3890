/* How fast callers of one engine `gather` are: no test, but the program behind the figures of docs/gather.md.
 *
 *   gather_speed [ENGINE] [BITS] [THREADS] [SECONDS] [WAIT_US]
 *
 * It prints private operations a second for one batch of 64, for one of as many blocks as there are threads, and for that
 * many threads with a call each, in turns; and what a lone call costs beside a direct one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <time.h>

#include "test.h"

enum { MOST = 64, LONGEST = 512, TURNS = 5 };

typedef struct caller {
    pthread_t thread;
    monpro_engine *engine;
    monpro_key *key;
    double until;
    size_t size;
    unsigned long done;
} caller;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* Operations a second of the clock, and of the processor's time. */
typedef struct rate {
    double wall, processor;
} rate;

static rate rate_of(unsigned long done, double start, double processor_start)
{
    return (rate){(double)done / (now() - start),
                  (double)done / (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor_start)};
}

static void sign(monpro_engine *engine, monpro_key *key, size_t size, size_t count)
{
    static _Thread_local uint8_t in[MOST * LONGEST], out[MOST * LONGEST];
    for (size_t i = 0; i < count; i++) {
        in[i * size + 1] = (uint8_t)(i + 1);
    }
    REQUIRE(monpro_rsa_private(engine, key, in, out, count, NULL, NULL));
}

static rate batches(monpro_engine *engine, monpro_key *key, size_t size, size_t count, double seconds)
{
    const double start = now(), processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    size_t done = 0;
    do {
        sign(engine, key, size, count);
        done += count;
    } while (now() < start + seconds);
    return rate_of(done, start, processor);
}

static void *call_on(void *of)
{
    caller *const self = of;
    do {
        sign(self->engine, self->key, self->size, 1);
        self->done++;
    } while (now() < self->until);
    return NULL;
}

static rate calls(monpro_engine *engine, monpro_key *key, size_t size, size_t threads, double seconds)
{
    caller callers[MOST];
    const double start = now(), processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    unsigned long done = 0;
    for (size_t i = 0; i < threads; i++) {
        callers[i] = (caller){.engine = engine, .key = key, .until = start + seconds, .size = size};
        CHECK(pthread_create(&callers[i].thread, NULL, call_on, &callers[i]) == 0);
    }
    for (size_t i = 0; i < threads; i++) {
        CHECK(pthread_join(callers[i].thread, NULL) == 0);
        done += callers[i].done;
    }
    return rate_of(done, start, processor);
}

static rate best(const rate *all)
{
    rate found = {0, 0};
    for (size_t i = 0; i < TURNS; i++) {
        found.wall = all[i].wall > found.wall ? all[i].wall : found.wall;
        found.processor = all[i].processor > found.processor ? all[i].processor : found.processor;
    }
    return found;
}

static void print(const char *name, const rate *all, const rate *against)
{
    const rate own = best(all), other = best(against);
    printf("  %-24s %8.0f %6.2f %10.0f %6.2f\n", name, own.wall, own.wall / other.wall, own.processor,
           own.processor / other.processor);
}

int main(int argc, char **argv)
{
    const char *const inside = argc > 1 ? argv[1] : "lanes";
    const uint32_t bits = argc > 2 ? (uint32_t)atoi(argv[2]) : 2048;
    const size_t threads = argc > 3 ? (size_t)atoi(argv[3]) : 8, size = bits / 8;
    const double seconds = argc > 4 ? atof(argv[4]) : 1;
    char spec[300];
    rate full[TURNS], equal[TURNS], gathered[TURNS], direct[TURNS], lone[TURNS];
    monpro_key *key = NULL;
    monpro_gathering seen;
    (void)snprintf(spec, sizeof spec, "gather:%s,wait_us=%s", inside, argc > 5 ? argv[5] : "0");
    if (threads < 1 || threads > MOST || size > LONGEST) {
        fprintf(stderr, "gather_speed: 1 to %d threads, at most %d bits\n", MOST, 8 * LONGEST);
        return 2;
    }
    REQUIRE(monpro_key_generate(&key, bits, 65537, NULL));
    monpro_engine *const engine = open_engine(inside), *const gather = open_engine(spec);
    for (size_t i = 0; i < TURNS; i++) {
        full[i] = batches(engine, key, size, MOST, seconds / TURNS);
        equal[i] = batches(engine, key, size, threads, seconds / TURNS);
        gathered[i] = calls(gather, key, size, threads, seconds / TURNS);
        direct[i] = batches(engine, key, size, 1, seconds / TURNS);
        lone[i] = batches(gather, key, size, 1, seconds / TURNS);
    }
    REQUIRE(monpro_engine_gathering(gather, &seen));
    printf("%s, RSA-%u, %u threads; private operations, best of %d turns\n", spec, (unsigned)bits, (unsigned)threads,
           TURNS);
    printf("  %-24s %8s %6s %10s %6s\n", "", "a second", "share", "cpu second", "share");
    print("a batch of 64", full, full);
    print("a batch of the threads", equal, full);
    print("the threads, gathered", gathered, full);
    print("one block, direct", direct, direct);
    print("a lone call, gathered", lone, direct);
    printf("  batches by fill (1, 2-3, 4-7, ...):");
    for (size_t i = 0; i < MONPRO_FILLS; i++) {
        printf(" %llu", (unsigned long long)seen.fills[i]);
    }
    printf("; waits %llu, in vain %llu\n", (unsigned long long)seen.waits, (unsigned long long)seen.waits_in_vain);
    monpro_engine_close(gather);
    monpro_engine_close(engine);
    monpro_key_free(key);
    return test_result();
}
