/* The engine interface: the queue of batches over an implementation. It knows no implementation; open/open.c does.
 *
 * The queue is cooperative, without threads. Work is done inside monpro_poll() and monpro_wait(), always on the oldest
 * unfinished job. So batches finish in the order of submission.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/wipe.h"
#include "engine/shared.h"

typedef struct batch {
    struct batch *next;
    monpro_ticket ticket;
    monpro_job *jobs;
    size_t count;
    size_t finished;      /* jobs that have */
    monpro_status status; /* of the first job that failed, and its message */
    monpro_error error;
} batch;

struct monpro_engine {
    const monpro_shared_ops *shared; /* of an engine that many threads use: it has no queue here, and no ops */
    const monpro_engine_ops *ops;
    void *state;
    monpro_engine_info info;
    monpro_counters counters;
    batch *oldest;              /* every batch not yet waited for, finished ones too */
    monpro_ticket last_ticket;
    bool running;               /* `operation` is under way: the first unfinished job of the first unfinished batch */
    monpro_operation operation;
};

void monpro_counters_add(monpro_counters *total, const monpro_counters *part)
{
    total->operations += part->operations;
    total->warm += part->warm;
    total->products += part->products;
    total->cycles_load += part->cycles_load;
    total->cycles_precompute += part->cycles_precompute;
    total->cycles_exponentiate += part->cycles_exponentiate;
    total->cycles_read += part->cycles_read;
}

void monpro_copy_text(char *to, size_t size, const char *from)
{
    size_t i = 0;
    for (; i + 1 < size && from[i] != '\0'; i++) {
        to[i] = from[i];
    }
    to[i] = '\0';
}

/* ---- create, close, ask ---------------------------------------------------------------------------------------- */

monpro_status monpro_engine_create(monpro_engine **engine, const monpro_engine_ops *ops, void *state,
                                   const monpro_engine_info *info, monpro_error *error)
{
    monpro_engine *made = calloc(1, sizeof *made);
    if (made == NULL) {
        ops->close(state);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for an engine");
    }
    made->ops = ops;
    made->state = state;
    made->info = *info;
    *engine = made;
    return MONPRO_OK;
}

monpro_status monpro_shared_create(monpro_engine **engine, const monpro_shared_ops *ops, void *state,
                                   const monpro_engine_info *info, monpro_error *error)
{
    monpro_engine *made = calloc(1, sizeof *made);
    if (made == NULL) {
        ops->close(state);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for an engine");
    }
    made->shared = ops;
    made->state = state;
    made->info = *info;
    *engine = made;
    return MONPRO_OK;
}

const monpro_shared_ops *monpro_engine_shared(const monpro_engine *engine, void **state)
{
    if (engine == NULL || engine->shared == NULL) {
        return NULL;
    }
    *state = engine->state;
    return engine->shared;
}

void monpro_job_fail(monpro_job *job, monpro_status status)
{
    job->status = status;
    job->used_scheme = MONPRO_SCHEME_DEFAULT;
    job->used_window = 0;
    memset(&job->counters, 0, sizeof job->counters);
    if (job->result != NULL) {
        monpro_wipe(job->result, job->result_len);
    }
}

static void fail_jobs(monpro_job *jobs, size_t from, size_t count, monpro_status status)
{
    for (size_t i = from; i < count; i++) {
        monpro_job_fail(&jobs[i], status);
    }
}

static void close_engine(monpro_engine *engine, bool fails_jobs)
{
    if (engine->shared != NULL) {
        engine->shared->close(engine->state);
    } else {
        engine->ops->close(engine->state);
    }
    while (engine->oldest != NULL) {
        batch *current = engine->oldest;
        if (fails_jobs) {
            fail_jobs(current->jobs, current->finished, current->count, MONPRO_ERR_UNSUPPORTED);
        }
        engine->oldest = current->next;
        free(current);
    }
    monpro_wipe(engine, sizeof *engine);
    free(engine);
}

void monpro_engine_close(monpro_engine *engine)
{
    if (engine != NULL) {
        close_engine(engine, true);
    }
}

void monpro_engine_abandon(monpro_engine *engine)
{
    if (engine != NULL) {
        close_engine(engine, false);
    }
}

monpro_status monpro_engine_query(const monpro_engine *engine, monpro_engine_info *info)
{
    if (engine == NULL || info == NULL) {
        return MONPRO_ERR_ARGUMENT;
    }
    *info = engine->info;
    return MONPRO_OK;
}

monpro_status monpro_engine_counters(const monpro_engine *engine, monpro_counters *counters)
{
    if (engine == NULL || counters == NULL) {
        return MONPRO_ERR_ARGUMENT;
    }
    if (engine->shared != NULL) {
        engine->shared->counters(engine->state, counters);
    } else {
        *counters = engine->counters;
    }
    return MONPRO_OK;
}

monpro_status monpro_engine_gathering(const monpro_engine *engine, monpro_gathering *gathering)
{
    if (engine == NULL || gathering == NULL) {
        return MONPRO_ERR_ARGUMENT;
    }
    memset(gathering, 0, sizeof *gathering);
    if (engine->shared == NULL) {
        return MONPRO_ERR_UNSUPPORTED;
    }
    engine->shared->gathering(engine->state, gathering);
    return MONPRO_OK;
}

/* ---- the queue ----------------------------------------------------------------------------------------------- */

static void finish_job(monpro_engine *engine, batch *current, monpro_status status, const monpro_error *error)
{
    const size_t index = current->finished++;
    monpro_job *job = &current->jobs[index];
    engine->running = false;
    if (status == MONPRO_OK) {
        job->status = MONPRO_OK;
        job->used_scheme = engine->operation.scheme;
        job->used_window = engine->operation.window;
        monpro_wipe(job->result, job->result_len - engine->operation.result_len); /* zeros in front */
        monpro_counters_add(&engine->counters, &job->counters);
        return;
    }
    monpro_job_fail(job, status);
    if (current->status == MONPRO_OK) {
        current->status = status;
        if (current->count == 1) {
            current->error = *error;
        } else {
            (void)monpro_fail(&current->error, status, "job %u of %u: %s", (unsigned)index + 1,
                              (unsigned)current->count, error->message);
        }
    }
}

static bool overlap(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    return (uintptr_t)a < (uintptr_t)b + b_size && (uintptr_t)b < (uintptr_t)a + a_size;
}

/* Whether the result of one is written over a buffer of the other. */
static bool writes_over(const monpro_job *one, const monpro_job *other)
{
    return overlap(one->result, one->result_len, other->modulus, other->modulus_len) ||
           overlap(one->result, one->result_len, other->base, other->base_len) ||
           overlap(one->result, one->result_len, other->exponent, other->exponent_len) ||
           overlap(one->result, one->result_len, other->result, other->result_len);
}

/* Jobs are done as if one after the other: what shares a result's buffer with one before does not go beside it. */
static bool is_independent(const monpro_job *jobs, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        good = !writes_over(&jobs[i], &jobs[count]) && !writes_over(&jobs[count], &jobs[i]);
    }
    return good;
}

/* As many unfinished jobs of a batch as go together, from the oldest on, to their ends. */
static void work_on_group(monpro_engine *engine, batch *current)
{
    monpro_job *jobs = &current->jobs[current->finished];
    const size_t left = current->count - current->finished;
    monpro_operation group[MONPRO_MAX_GROUP];
    monpro_counters counters[MONPRO_MAX_GROUP];
    size_t count = 0;
    monpro_error error;
    monpro_status status = MONPRO_OK;
    monpro_error_reset(&error);
    memset(counters, 0, sizeof counters);
    for (; count < left && count < MONPRO_MAX_GROUP; count++) {
        if (!is_independent(jobs, count)) {
            break;
        }
        memset(&jobs[count].counters, 0, sizeof jobs[count].counters);
        status = monpro_job_check(&jobs[count], &engine->info, engine->ops, engine->state, &group[count], &error);
        if (status != MONPRO_OK || !engine->ops->fits(&group[0], &group[count])) {
            break; /* it is looked at again as the first of those that are left */
        }
    }
    if (count == 0) {
        finish_job(engine, current, status, &error);
        return;
    }
    monpro_error_reset(&error);
    status = engine->ops->run(engine->state, group, count, counters, &error);
    for (size_t i = 0; i < count; i++) {
        engine->operation = group[i];
        jobs[i].counters = counters[i];
        finish_job(engine, current, status, &error);
    }
}

/* Whether the job behind this one is of the same key: then it names the same numbers of the caller's. */
static bool key_is_used_again(const batch *current)
{
    const monpro_job *const job = &current->jobs[current->finished], *const next = job + 1;
    return current->finished + 1 < current->count && next->modulus == job->modulus &&
           next->modulus_len == job->modulus_len && next->exponent == job->exponent &&
           next->exponent_len == job->exponent_len && next->flags == job->flags && next->scheme == job->scheme &&
           next->window == job->window;
}

/* One slice of work on the oldest unfinished job of a batch that has one; to the job's end if `block`. */
static void work(monpro_engine *engine, batch *current, bool block)
{
    if (engine->ops->run != NULL) {
        work_on_group(engine, current);
        return;
    }
    monpro_job *job = &current->jobs[current->finished];
    monpro_error error;
    monpro_status status = MONPRO_OK;
    monpro_error_reset(&error);
    if (!engine->running) {
        memset(&job->counters, 0, sizeof job->counters);
        status = monpro_job_check(job, &engine->info, engine->ops, engine->state, &engine->operation, &error);
        if (status == MONPRO_OK) {
            engine->operation.again = key_is_used_again(current);
            status = engine->ops->begin(engine->state, &engine->operation, &error);
        }
        engine->running = status == MONPRO_OK;
    }
    bool finished = status != MONPRO_OK;
    if (!finished) {
        status = engine->ops->advance(engine->state, &engine->operation, block, &finished, &job->counters, &error);
    }
    if (finished || status != MONPRO_OK) {
        finish_job(engine, current, status, &error);
    }
}

/* The first batch with unfinished jobs; NULL if there is none. */
static batch *first_unfinished(monpro_engine *engine)
{
    batch *current = engine->oldest;
    while (current != NULL && current->finished == current->count) {
        current = current->next;
    }
    return current;
}

static batch **find(monpro_engine *engine, monpro_ticket ticket)
{
    batch **link = &engine->oldest;
    while (*link != NULL && (*link)->ticket != ticket) {
        link = &(*link)->next;
    }
    return link;
}

monpro_status monpro_submit(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_ticket *ticket,
                            monpro_error *error)
{
    monpro_error_reset(error);
    if (jobs == NULL && count != 0) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "jobs is NULL");
    }
    if (engine == NULL || ticket == NULL) {
        fail_jobs(jobs, 0, count, MONPRO_ERR_ARGUMENT);
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine or ticket is NULL");
    }
    if (engine->shared != NULL) {
        const monpro_work work = {.kind = MONPRO_WORK_POWERS, .powers = jobs, .count = count};
        const monpro_status status = engine->shared->submit(engine->state, &work, -1, ticket, error);
        if (status != MONPRO_OK) {
            fail_jobs(jobs, 0, count, status);
        }
        return status;
    }
    batch *made = calloc(1, sizeof *made);
    if (made == NULL) {
        fail_jobs(jobs, 0, count, MONPRO_ERR_MEMORY);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for a batch");
    }
    made->jobs = jobs;
    made->count = count;
    made->ticket = *ticket = ++engine->last_ticket;
    batch **link = &engine->oldest;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = made;
    return MONPRO_OK;
}

monpro_status monpro_poll(monpro_engine *engine, monpro_ticket ticket, int *finished)
{
    if (engine == NULL || finished == NULL) {
        return MONPRO_ERR_ARGUMENT;
    }
    *finished = 0;
    if (engine->shared != NULL) {
        return engine->shared->poll(engine->state, ticket, finished);
    }
    const batch *asked = *find(engine, ticket);
    if (asked == NULL) {
        return MONPRO_ERR_ARGUMENT;
    }
    if (asked->finished != asked->count) {
        work(engine, first_unfinished(engine), false);
    }
    *finished = asked->finished == asked->count;
    return MONPRO_OK;
}

monpro_status monpro_wait(monpro_engine *engine, monpro_ticket ticket, monpro_error *error)
{
    monpro_error_reset(error);
    if (engine == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine is NULL");
    }
    if (engine->shared != NULL) {
        return engine->shared->wait(engine->state, ticket, error);
    }
    batch **link = find(engine, ticket);
    batch *asked = *link;
    if (asked == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "no batch has the ticket %u", (unsigned)ticket);
    }
    while (asked->finished != asked->count) {
        work(engine, first_unfinished(engine), true);
    }
    const monpro_status status = asked->status;
    if (status != MONPRO_OK && error != NULL) {
        *error = asked->error;
    }
    *link = asked->next;
    free(asked);
    return status;
}

/* ---- RSA private operations in one --------------------------------------------------------------------------- */

bool monpro_engine_takes_crt(const monpro_engine *engine, uint32_t prime_bits)
{
    const monpro_engine_info *info = &engine->info;
    return info->crt != 0 && prime_bits >= info->min_bits && prime_bits <= info->max_bits / 2 &&
           (info->schemes >> MONPRO_SCHEME_FIXED_WINDOW & 1u) != 0 &&
           engine->ops->largest_window(engine->state, prime_bits, MONPRO_SCHEME_FIXED_WINDOW, true) != 0;
}

monpro_status monpro_engine_crt(monpro_engine *engine, const monpro_crt_key *key, const uint8_t *base, uint8_t *result,
                                size_t size, monpro_counters *counters, monpro_error *error)
{
    monpro_operation operation = {
        .modulus = key->p, .modulus_len = key->prime_len, .modulus_bits = key->prime_bits,
        .base = base, .base_len = size,
        .exponent = key->dp, .exponent_len = key->prime_len, .exponent_bits = key->prime_bits,
        .scheme = MONPRO_SCHEME_FIXED_WINDOW,
        .result = result, .result_len = size,
        .crt = key,
    };
    memset(counters, 0, sizeof *counters);
    for (batch *earlier = first_unfinished(engine); earlier != NULL; earlier = first_unfinished(engine)) {
        work(engine, earlier, true);
    }
    monpro_status status = monpro_job_window(0, &engine->info, engine->ops, engine->state, &operation, error);
    if (status == MONPRO_OK) {
        status = engine->ops->begin(engine->state, &operation, error);
    }
    bool finished = false;
    while (status == MONPRO_OK && !finished) {
        status = engine->ops->advance(engine->state, &operation, true, &finished, counters, error);
    }
    if (status == MONPRO_OK) {
        monpro_counters_add(&engine->counters, counters);
    } else {
        memset(counters, 0, sizeof *counters);
        monpro_wipe(result, size);
    }
    return status;
}

monpro_status monpro_modexp_batch(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_error *error)
{
    if (engine != NULL && engine->shared != NULL && (jobs != NULL || count == 0)) {
        const monpro_work work = {.kind = MONPRO_WORK_POWERS, .powers = jobs, .count = count};
        monpro_error_reset(error);
        return count == 0 ? MONPRO_OK : engine->shared->run(engine->state, &work, error);
    }
    monpro_ticket ticket;
    const monpro_status status = monpro_submit(engine, jobs, count, &ticket, error);
    return status == MONPRO_OK ? monpro_wait(engine, ticket, error) : status;
}
