/* Threads of the library block all signals: under a profiling timer every handler runs on a thread of the program, and the
 * caller's own mask is what it was.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* gettid() */

#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

#include "test.h"

enum { JOBS = 64, BYTES = 256, WANTED = 40, ROUNDS = 400 };

static pid_t main_thread;
static atomic_int here, elsewhere;

static void handle(int number)
{
    (void)number;
    atomic_fetch_add(gettid() == main_thread ? &here : &elsewhere, 1);
}

static void run_round(monpro_engine *engine)
{
    static uint8_t modulus[BYTES], base[BYTES], exponent[BYTES], results[JOBS][BYTES];
    static monpro_job jobs[JOBS];
    memset(modulus, 0xff, BYTES);
    memset(base, 0x5a, BYTES);
    memset(exponent, 0xa5, BYTES);
    for (size_t i = 0; i < JOBS; i++) {
        jobs[i] = (monpro_job){.modulus = modulus,
                               .modulus_len = BYTES,
                               .base = base,
                               .base_len = BYTES,
                               .exponent = exponent,
                               .exponent_len = BYTES / 8,
                               .result = results[i],
                               .result_len = BYTES};
    }
    REQUIRE(monpro_modexp_batch(engine, jobs, JOBS, NULL));
}

int main(void)
{
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {0};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigset_t before, after;
    main_thread = gettid();
    monpro_engine *engine = open_engine("lanes:threads=4");
    CHECK(sigaction(SIGPROF, &action, NULL) == 0);
    CHECK(sigprocmask(SIG_SETMASK, NULL, &before) == 0);
    CHECK(setitimer(ITIMER_PROF, &often, NULL) == 0);
    for (size_t i = 0; i < ROUNDS && atomic_load(&here) + atomic_load(&elsewhere) < WANTED; i++) {
        run_round(engine);
    }
    CHECK(setitimer(ITIMER_PROF, &never, NULL) == 0);
    CHECK(sigprocmask(SIG_SETMASK, NULL, &after) == 0);
    CHECK(atomic_load(&here) > 0);
    CHECK(atomic_load(&elsewhere) == 0);
    for (int number = 1; number < SIGRTMIN; number++) {
        CHECK(sigismember(&before, number) == sigismember(&after, number));
    }
    monpro_engine_close(engine);
    return test_result();
}
