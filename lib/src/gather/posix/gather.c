/* The engine `gather`: leader and followers.
 *
 * A call puts its request into a queue. If nobody works, the caller becomes the leader: it takes what fits together from
 * the queue, does it as one batch on the engine inside, and wakes those whose requests are done. Everybody else sleeps.
 * A leader whose own request is done leaves, and wakes the oldest sleeper to lead on. The engine has no thread of its
 * own, and a lone caller does its request at once.
 *
 * With wait_us a leader waits before it takes a batch, if fewer callers are there than shared the batch before: those
 * are on their way back. Nobody is waited for who was not there before.
 *
 * Only the leader touches the engine inside, the room for a batch and the keys' blinding. The lock guards all else.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "gather/gather.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "base/status.h"
#include "engine/engine.h"
#include "gather/batch.h"
#include "gather/posix/spec.h"

/* A request in the queue, in a batch, or done. */
typedef struct request {
    monpro_asked asked;       /* the first member: a batch is a list of these */
    struct request *behind;   /* in the queue */
    struct request *next_ticket;
    monpro_ticket ticket;     /* 0: a call, which sleeps until it is done */
    int descriptor;           /* of the caller's, or -1 */
    bool told;                /* the descriptor is written to once */
    bool finished;
    pthread_cond_t wake;      /* finished, or to lead */
} request;

typedef struct gather {
    atomic_uint_least64_t process; /* whose all this is: see enter() */
    monpro_opener open;
    monpro_gather_spec spec;
    monpro_batch_room room;
    monpro_engine *inner;
    bool is_software;

    pthread_mutex_t lock;
    pthread_cond_t arrived;   /* for a leader that waits */
    bool led, waiting;
    request *oldest, **newest; /* the queue */
    size_t queued_jobs, queued_calls;
    size_t company;           /* calls that were there at the end of the last batch, those in it included */
    request *tickets;
    monpro_ticket last_ticket;
    monpro_counters counters;
    monpro_gathering gathering;
} gather;

/* ---- fork ------------------------------------------------------------------------------------------------------- */

static bool init_arrived(pthread_cond_t *arrived)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    const bool good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(arrived, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return good;
}

/* What a process starts with: nobody inside. A child forgets the queue and the tickets of its parent,
 * whose callers are not here. */
static bool start(gather *g)
{
    g->led = g->waiting = false;
    g->oldest = NULL;
    g->newest = &g->oldest;
    g->queued_jobs = g->queued_calls = g->company = 0;
    g->tickets = NULL;
    memset(&g->gathering, 0, sizeof g->gathering);
    memset(&g->counters, 0, sizeof g->counters);
    return pthread_mutex_init(&g->lock, NULL) == 0 && init_arrived(&g->arrived);
}

/* In a child of fork(). The parent may have been at work with the engine inside: what that left in software is wiped. A
 * device is the parent's and is left alone. */
static void renew(gather *g)
{
    if (g->is_software) {
        monpro_engine_abandon(g->inner);
    }
    g->inner = NULL; /* the next batch opens one */
    (void)start(g);
}

/* Every call comes in by this. The first one after a fork() makes the child's engine. `~process` stands for a process in
 * which a thread is just doing so: a fork() in the middle of that is seen too. */
static void enter(gather *g)
{
    const uint64_t process = monpro_process();
    uint_least64_t owner = atomic_load(&g->process);
    while (owner != process) {
        if (owner != ~process && atomic_compare_exchange_strong(&g->process, &owner, ~process)) {
            renew(g);
            atomic_store(&g->process, process);
        } else {
            (void)sched_yield();
        }
        owner = atomic_load(&g->process);
    }
    (void)pthread_mutex_lock(&g->lock);
}

static void leave(gather *g)
{
    (void)pthread_mutex_unlock(&g->lock);
}

/* ---- the queue, under the lock ---------------------------------------------------------------------------------- */

static void wake(request *one)
{
    if (one->ticket != 0 && one->descriptor >= 0 && !one->told) {
        const uint64_t unit = 1;
        one->told = write(one->descriptor, &unit, sizeof unit) == (ssize_t)sizeof unit;
    }
    (void)pthread_cond_signal(&one->wake);
}

/* Whether a leader has nobody more to wait for. */
static bool is_company_there(const gather *g)
{
    return g->queued_calls >= g->company || g->queued_jobs >= g->room.most;
}

static void put(gather *g, request *one)
{
    one->behind = NULL;
    *g->newest = one;
    g->newest = &one->behind;
    g->queued_jobs += one->asked.work.count;
    g->queued_calls += one->ticket == 0;
    if (g->waiting && is_company_there(g)) {
        (void)pthread_cond_signal(&g->arrived);
    }
}

/* Takes the oldest request, and those behind it that fit, `most` jobs in all. */
static request *take(gather *g, size_t *calls)
{
    request *const first = g->oldest;
    monpro_asked **end = &first->asked.next;
    size_t jobs = first->asked.work.count;
    request **link = &g->oldest;
    *calls = 0;
    while (*link != NULL) {
        request *const one = *link;
        const size_t count = one->asked.work.count;
        if (one != first && (!monpro_asked_fit(&first->asked, &one->asked) || jobs + count > g->room.most)) {
            link = &one->behind;
            continue;
        }
        *link = one->behind;
        if (one != first) {
            jobs += count;
            *end = &one->asked;
            end = &one->asked.next;
        }
        *calls += one->ticket == 0;
    }
    *end = NULL;
    g->newest = link;
    g->queued_jobs -= jobs;
    g->queued_calls -= *calls;
    return first;
}

static void count_batch(gather *g, const monpro_asked *first)
{
    size_t jobs = 0, fill = 0;
    for (const monpro_asked *one = first; one != NULL; one = one->next) {
        jobs += one->work.count;
        g->gathering.requests++;
    }
    while (fill + 1 < MONPRO_FILLS && jobs >> (fill + 1) != 0) {
        fill++;
    }
    g->gathering.jobs += jobs;
    g->gathering.batches++;
    g->gathering.lone += first->next == NULL;
    g->gathering.fills[fill]++;
}

/* ---- the leader ------------------------------------------------------------------------------------------------- */

static void wait_for_company(gather *g)
{
    if (g->spec.wait_us == 0 || g->queued_calls == 0 || is_company_there(g)) {
        return;
    }
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    const uint64_t ns = (uint64_t)until.tv_nsec + g->spec.wait_us * 1000u;
    until.tv_sec += (time_t)(ns / 1000000000u);
    until.tv_nsec = (long)(ns % 1000000000u);
    int late = 0;
    g->waiting = true;
    while (late == 0 && !is_company_there(g)) {
        late = pthread_cond_timedwait(&g->arrived, &g->lock, &until);
    }
    g->waiting = false;
    g->gathering.waits++;
    g->gathering.waits_in_vain += late != 0;
}

/* Every request of a list ends with the same error. */
static void refuse(monpro_asked *first, const monpro_error *why)
{
    for (monpro_asked *one = first; one != NULL; one = one->next) {
        const monpro_work *const work = &one->work;
        for (size_t i = 0; i < work->count; i++) {
            if (work->kind == MONPRO_WORK_POWERS) {
                monpro_job_fail(&work->powers[i], why->status);
            } else {
                monpro_rsa_refuse(&work->blocks[i], why->status);
            }
        }
        one->status = why->status;
        one->error = *why;
    }
}

static void run_batch(gather *g, monpro_asked *first)
{
    if (g->inner == NULL) {
        monpro_error error, why;
        if (g->open(&g->inner, g->spec.inner, &error) != MONPRO_OK) {
            (void)monpro_fail(&why, error.status, "gather cannot open %s in a child of fork(): %s", g->spec.inner,
                              error.message);
            refuse(first, &why);
            return;
        }
    }
    monpro_batch_run(g->inner, &g->room, first);
}

/* Whoever may lead on: the oldest call, which sleeps; and all tickets, as nobody knows which thread asks for one next. */
static void wake_next(const gather *g)
{
    bool is_first = true;
    for (request *one = g->oldest; one != NULL; one = one->behind) {
        if (one->ticket != 0 || is_first) {
            wake(one);
        }
        is_first = is_first && one->ticket != 0;
    }
}

/* One batch. The lock is held before and after, and not while the engine inside works. */
static void lead(gather *g)
{
    size_t calls = 0;
    g->led = true;
    wait_for_company(g);
    request *const batch = take(g, &calls);
    leave(g);
    run_batch(g, &batch->asked);
    (void)pthread_mutex_lock(&g->lock);
    if (g->inner != NULL) {
        (void)monpro_engine_counters(g->inner, &g->counters);
    }
    count_batch(g, &batch->asked);
    for (monpro_asked *one = &batch->asked; one != NULL;) {
        request *const done = (request *)one;
        one = one->next; /* a caller that is awake takes its request with it */
        done->finished = true;
        wake(done);
    }
    g->company = calls + g->queued_calls;
    g->led = false;
    wake_next(g);
}

/* Until a request is done: leads, or sleeps while somebody leads. */
static void see_through(gather *g, request *own)
{
    while (!own->finished) {
        if (g->led) {
            (void)pthread_cond_wait(&own->wake, &g->lock);
        } else {
            lead(g);
        }
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static monpro_status run(void *state, const monpro_work *work, monpro_error *error)
{
    gather *const g = state;
    request own = {.asked = {.work = *work}, .descriptor = -1, .wake = PTHREAD_COND_INITIALIZER};
    enter(g);
    put(g, &own);
    see_through(g, &own);
    leave(g);
    (void)pthread_cond_destroy(&own.wake);
    if (own.asked.status != MONPRO_OK && error != NULL) {
        *error = own.asked.error;
    }
    return own.asked.status;
}

/* ---- tickets ---------------------------------------------------------------------------------------------------- */

static monpro_status submit(void *state, const monpro_work *work, int descriptor, monpro_ticket *ticket,
                            monpro_error *error)
{
    gather *const g = state;
    if (work->count == 0) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "a request to an engine that gathers has one job at least");
    }
    request *const made = calloc(1, sizeof *made);
    if (made == NULL || pthread_cond_init(&made->wake, NULL) != 0) {
        free(made);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for a request");
    }
    made->asked.work = *work;
    made->descriptor = descriptor;
    enter(g);
    made->ticket = *ticket = ++g->last_ticket;
    made->next_ticket = g->tickets;
    g->tickets = made;
    put(g, made);
    if (!g->led) {
        wake(made); /* to lead */
    }
    leave(g);
    return MONPRO_OK;
}

static request **find(gather *g, monpro_ticket ticket)
{
    request **link = &g->tickets;
    while (*link != NULL && (*link)->ticket != ticket) {
        link = &(*link)->next_ticket;
    }
    return link;
}

static void forget(request *one)
{
    (void)pthread_cond_destroy(&one->wake);
    free(one);
}

static monpro_status poll_ticket(void *state, monpro_ticket ticket, int *finished)
{
    gather *const g = state;
    enter(g);
    request *const one = *find(g, ticket);
    if (one != NULL && !one->finished && !g->led) {
        lead(g);
    }
    *finished = one != NULL && one->finished;
    leave(g);
    return one != NULL ? MONPRO_OK : MONPRO_ERR_ARGUMENT;
}

static monpro_status wait_for_ticket(void *state, monpro_ticket ticket, monpro_error *error)
{
    gather *const g = state;
    enter(g);
    request *const one = *find(g, ticket);
    if (one != NULL) {
        see_through(g, one);
        *find(g, ticket) = one->next_ticket; /* found again: others came and went meanwhile */
    }
    leave(g);
    if (one == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "no request has the ticket %u", (unsigned)ticket);
    }
    const monpro_status status = one->asked.status;
    if (status != MONPRO_OK && error != NULL) {
        *error = one->asked.error;
    }
    forget(one);
    return status;
}

/* ---- what it has done ------------------------------------------------------------------------------------------- */

static void give_counters(void *state, monpro_counters *counters)
{
    gather *const g = state;
    enter(g);
    *counters = g->counters;
    leave(g);
}

static void give_gathering(void *state, monpro_gathering *gathering)
{
    gather *const g = state;
    enter(g);
    *gathering = g->gathering;
    leave(g);
}

/* ---- open and close --------------------------------------------------------------------------------------------- */

static void close_gather(void *state)
{
    gather *const g = state;
    const monpro_error closed = {.status = MONPRO_ERR_UNSUPPORTED, .message = "the engine was closed"};
    enter(g); /* in a child it leaves the parent's device alone */
    leave(g);
    while (g->tickets != NULL) {
        request *const one = g->tickets;
        g->tickets = one->next_ticket;
        one->asked.next = NULL;
        if (!one->finished) {
            refuse(&one->asked, &closed);
        }
        forget(one);
    }
    monpro_engine_close(g->inner);
    (void)pthread_cond_destroy(&g->arrived);
    (void)pthread_mutex_destroy(&g->lock);
    free(g->room.powers);
    free(g->room.blocks);
    free(g->room.spent);
    free(g);
}

static monpro_status fill_in(gather *g, const char *spec, monpro_engine_info *info, monpro_error *error)
{
    static const char prefix[] = "gather:";
    MONPRO_TRY(monpro_gather_parse(&g->spec, spec, error));
    g->room.most = g->spec.most;
    g->room.powers = calloc(g->room.most, sizeof *g->room.powers);
    g->room.blocks = calloc(g->room.most, sizeof *g->room.blocks);
    g->room.spent = calloc(g->room.most, sizeof *g->room.spent);
    if (g->room.powers == NULL || g->room.blocks == NULL || g->room.spent == NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the batches of gather");
    }
    MONPRO_TRY(g->open(&g->inner, g->spec.inner, error));
    (void)monpro_engine_query(g->inner, info);
    g->is_software = info->elements == 0;
    monpro_copy_text(info->spec, sizeof info->spec, prefix);
    monpro_copy_text(info->spec + sizeof prefix - 1, sizeof info->spec - (sizeof prefix - 1), spec);
    return MONPRO_OK;
}

monpro_status monpro_gather_open(monpro_engine **engine, const char *spec, monpro_opener open, monpro_error *error)
{
    static const monpro_shared_ops ops = {run,           submit,         poll_ticket, wait_for_ticket,
                                          give_counters, give_gathering, close_gather};
    monpro_engine_info info;
    gather *const g = calloc(1, sizeof *g);
    if (g == NULL || !start(g)) {
        free(g);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for gather");
    }
    g->open = open;
    atomic_init(&g->process, monpro_process());
    const monpro_status status = fill_in(g, spec, &info, error);
    if (status != MONPRO_OK) {
        close_gather(g);
        return status;
    }
    return monpro_shared_create(engine, &ops, g, &info, error);
}
