/* A batch of requests on the engine inside: jobs are copied together, done, and their outcome is copied back.
 *
 * A request learns nothing of the others that it went with. Its error is about its own jobs, and its counters too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gather/batch.h"

#include <string.h>

#include "base/status.h"
#include "engine/engine.h"

bool monpro_asked_fit(const monpro_asked *a, const monpro_asked *b)
{
    return a->work.kind == b->work.kind && !a->work.no_crt == !b->work.no_crt &&
           !a->work.no_blinding == !b->work.no_blinding;
}

static monpro_rsa_options options_of(const monpro_work *work)
{
    return (monpro_rsa_options){.no_crt = work->no_crt, .no_blinding = work->no_blinding};
}

static monpro_status status_of(const monpro_work *work, size_t index)
{
    return work->kind == MONPRO_WORK_POWERS ? work->powers[index].status : work->blocks[index].status;
}

/* ---- one request alone ------------------------------------------------------------------------------------------ */

static void run_alone(monpro_engine *inner, monpro_asked *asked)
{
    monpro_work *const work = &asked->work;
    if (work->kind == MONPRO_WORK_POWERS) {
        asked->status = monpro_modexp_batch(inner, work->powers, work->count, &asked->error);
        return;
    }
    monpro_rsa_options options = options_of(work);
    options.counters = work->counters;
    options.check_counters = work->check_counters;
    asked->status = monpro_rsa_run(inner, work->blocks, work->count, work->kind == MONPRO_WORK_PRIVATE,
                                   work->all_or_none, &options, NULL, &asked->error);
}

/* ---- errors ----------------------------------------------------------------------------------------------------- */

/* Whether a job was refused for what it is, before anything was computed. */
static bool is_refusal(monpro_status status)
{
    return status == MONPRO_ERR_ARGUMENT || status == MONPRO_ERR_BUFFER || status == MONPRO_ERR_KEY_PUBLIC ||
           (status <= MONPRO_ERR_MODULUS_ZERO && status >= MONPRO_ERR_SCHEME);
}

/* The sentence about a job. Of a batch the engine describes the first failure only. A job that was refused is refused
 * again, and nothing is computed; what failed in another way is not tried again. */
static void describe(monpro_engine *inner, const monpro_work *work, size_t index, monpro_error *why)
{
    const monpro_status status = status_of(work, index);
    (void)monpro_fail(why, status, "%s", monpro_strerror(status));
    if (!is_refusal(status)) {
        return;
    }
    if (work->kind == MONPRO_WORK_POWERS) {
        monpro_job again = work->powers[index];
        (void)monpro_modexp_batch(inner, &again, 1, why);
    } else {
        monpro_rsa_job again = work->blocks[index];
        const monpro_rsa_options options = options_of(work);
        (void)monpro_rsa_run(inner, &again, 1, work->kind == MONPRO_WORK_PRIVATE, false, &options, NULL, why);
    }
}

/* The status and the error of a request: those of its first job that failed. */
static void conclude(monpro_engine *inner, monpro_asked *asked)
{
    const monpro_work *const work = &asked->work;
    size_t index = 0;
    while (index < work->count && status_of(work, index) == MONPRO_OK) {
        index++;
    }
    monpro_error_reset(&asked->error);
    asked->status = MONPRO_OK;
    if (index == work->count) {
        return;
    }
    monpro_error why;
    describe(inner, work, index, &why);
    asked->status = status_of(work, index);
    if (work->count == 1 || asked->status == MONPRO_ERR_CHECK) {
        (void)monpro_fail(&asked->error, asked->status, "%s", why.message);
    } else {
        (void)monpro_fail(&asked->error, asked->status, "%s %u of %u: %s",
                          work->kind == MONPRO_WORK_POWERS ? "job" : "block", (unsigned)index + 1,
                          (unsigned)work->count, why.message);
    }
}

/* ---- many requests ---------------------------------------------------------------------------------------------- */

static void run_powers(monpro_engine *inner, const monpro_batch_room *room, monpro_asked *first)
{
    size_t count = 0;
    for (const monpro_asked *one = first; one != NULL; one = one->next) {
        memcpy(&room->powers[count], one->work.powers, one->work.count * sizeof *room->powers);
        count += one->work.count;
    }
    (void)monpro_modexp_batch(inner, room->powers, count, NULL);
    count = 0;
    for (monpro_asked *one = first; one != NULL; one = one->next) {
        memcpy(one->work.powers, &room->powers[count], one->work.count * sizeof *room->powers);
        count += one->work.count;
        conclude(inner, one);
    }
}

static void give_counters(const monpro_asked *asked, const monpro_rsa_spent *spent)
{
    const monpro_work *const work = &asked->work;
    monpro_rsa_spent sum = {0};
    const size_t counted = work->all_or_none && asked->status != MONPRO_OK ? 0 : work->count;
    for (size_t i = 0; i < counted; i++) {
        monpro_counters_add(&sum.all, &spent[i].all);
        monpro_counters_add(&sum.check, &spent[i].check);
    }
    if (work->counters != NULL) {
        *work->counters = sum.all;
    }
    if (work->check_counters != NULL) {
        *work->check_counters = sum.check;
    }
}

static void run_blocks(monpro_engine *inner, const monpro_batch_room *room, monpro_asked *first)
{
    const monpro_rsa_options options = options_of(&first->work);
    size_t count = 0;
    for (const monpro_asked *one = first; one != NULL; one = one->next) {
        memcpy(&room->blocks[count], one->work.blocks, one->work.count * sizeof *room->blocks);
        count += one->work.count;
    }
    (void)monpro_rsa_run(inner, room->blocks, count, first->work.kind == MONPRO_WORK_PRIVATE, false, &options,
                         room->spent, NULL);
    count = 0;
    for (monpro_asked *one = first; one != NULL; one = one->next) {
        memcpy(one->work.blocks, &room->blocks[count], one->work.count * sizeof *room->blocks);
        conclude(inner, one);
        give_counters(one, &room->spent[count]);
        count += one->work.count;
    }
}

void monpro_batch_run(monpro_engine *inner, const monpro_batch_room *room, monpro_asked *first)
{
    if (first->next == NULL) {
        run_alone(inner, first);
    } else if (first->work.kind == MONPRO_WORK_POWERS) {
        run_powers(inner, room, first);
    } else {
        run_blocks(inner, room, first);
    }
}
