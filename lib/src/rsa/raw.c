/* Raw RSA over a batch of blocks. Each block is under a key of its own, or many are under one.
 *
 * A private operation takes these steps:
 * 1. Every block is blinded and reduced (rsa/block.c).
 * 2. The engine is asked for all powers at once.
 * 3. The results are put together.
 * 4. Each result is released only if result^e mod n, on the same engine, is its block again. A faulty half would give
 *    the factors of n away.
 *
 * All checks go at once too, so an engine that works side by side has all of them to choose from. The halves of one key
 * stand together, all modulo p and then all modulo q, so an engine that keeps the constants of a modulus has them at
 * hand.
 *
 * A block that fails leaves the others alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/secret.h"
#include "base/status.h"
#include "base/wipe.h"
#include "engine/engine.h"
#include "engine/shared.h"
#include "key/blinding.h"
#include "rsa/block.h"
#include "rsa/raw.h"

static const monpro_counters nothing;

typedef struct batch {
    monpro_engine *engine;
    monpro_engine_info info;
    monpro_rsa_job *jobs; /* the caller's; one whose status is MONPRO_OK goes on */
    size_t count;
    size_t first;         /* that failed; count if none has. Its error is the call's */
    bool is_private, all_or_none;
    const monpro_rsa_options *options; /* never NULL */
    monpro_rsa_spent *each; /* NULL, or of every job what it spent */
    monpro_error *error;
    monpro_rsa_job **order; /* those that were admitted, key by key */
    size_t admitted;
    monpro_rsa_block *blocks; /* in that order; NULL for public operations */
    monpro_job *powers;       /* for the engine; `listed` of them */
    monpro_rsa_job **owners;  /* whose power it is */
    size_t listed;
    monpro_counters counters, check_counters; /* of both together, and of the check */
} batch;

/* A job ends with an error. If a check failed, the error says no more than that. */
static void fail(batch *b, monpro_rsa_job *job, monpro_status status, const char *why)
{
    const size_t index = (size_t)(job - b->jobs);
    job->status = status;
    if (index >= b->first) {
        return;
    }
    b->first = index;
    if (b->count == 1 || status == MONPRO_ERR_CHECK) {
        (void)monpro_fail(b->error, status, "%s", why);
    } else {
        (void)monpro_fail(b->error, status, "block %u of %u: %s", (unsigned)index + 1, (unsigned)b->count, why);
    }
}

/* A job spent something. */
static void charge(batch *b, const monpro_rsa_job *job, const monpro_counters *spent, bool checking)
{
    monpro_counters_add(&b->counters, spent);
    if (checking) {
        monpro_counters_add(&b->check_counters, spent);
    }
    if (b->each != NULL) {
        monpro_rsa_spent *const own = &b->each[job - b->jobs];
        monpro_counters_add(&own->all, spent);
        if (checking) {
            monpro_counters_add(&own->check, spent);
        }
    }
}

/* Nothing will come out, so that nothing more is to be computed. */
static bool given_up(const batch *b)
{
    return b->all_or_none && b->first != b->count;
}

/* ---- before ---------------------------------------------------------------------------------------------------- */

static monpro_status check_job(const batch *b, const monpro_rsa_job *job, monpro_error *why)
{
    const monpro_key *key = job->key;
    if (b->engine == NULL || key == NULL || job->in == NULL || job->out == NULL) {
        return monpro_fail(why, MONPRO_ERR_ARGUMENT, "engine, key, in or out is NULL");
    }
    if (b->is_private && !key->is_private) {
        return monpro_fail(why, MONPRO_ERR_KEY_PUBLIC, "%s", monpro_strerror(MONPRO_ERR_KEY_PUBLIC));
    }
    if (key->bits > b->info.max_bits) {
        return monpro_fail(why, MONPRO_ERR_MODULUS_LONG, "the key has %u bits; %s takes at most %u",
                           (unsigned)key->bits, b->info.spec, (unsigned)b->info.max_bits);
    }
    if (monpro_verdict(monpro_ct_less(job->in, key->n, key->size)) == 0) { /* the caller sees it in the status */
        return monpro_fail(why, MONPRO_ERR_BASE_RANGE, "the block is not below the key's modulus");
    }
    return MONPRO_OK;
}

static void admit(batch *b)
{
    monpro_error why;
    for (size_t i = 0; i < b->count; i++) {
        monpro_rsa_job *job = &b->jobs[i];
        job->status = check_job(b, job, &why);
        if (job->status == MONPRO_OK) {
            b->admitted++;
        } else {
            fail(b, job, job->status, why.message);
        }
    }
}

static bool allocate(batch *b)
{
    const size_t powers = b->is_private ? 2 * b->admitted : b->admitted;
    if (b->admitted <= SIZE_MAX / 2 / sizeof(monpro_rsa_block)) {
        b->order = calloc(b->admitted, sizeof *b->order);
        b->powers = calloc(powers, sizeof *b->powers);
        b->owners = calloc(powers, sizeof *b->owners);
        b->blocks = b->is_private ? calloc(b->admitted, sizeof *b->blocks) : NULL;
    }
    return b->order != NULL && b->powers != NULL && b->owners != NULL && (b->blocks != NULL || !b->is_private);
}

static void release(batch *b)
{
    if (b->blocks != NULL) {
        monpro_wipe(b->blocks, b->admitted * sizeof *b->blocks);
    }
    free(b->blocks);
    free(b->owners);
    free(b->powers);
    free(b->order);
}

/* Jobs of one key come to stand together; the keys in no order that matters. */
static void put_in_order(batch *b)
{
    size_t count = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->jobs[i].status == MONPRO_OK) {
            b->order[count++] = &b->jobs[i];
        }
    }
    for (size_t placed = 0; placed < count;) {
        const monpro_key *const key = b->order[placed]->key;
        for (size_t i = placed; i < count; i++) {
            monpro_rsa_job *const job = b->order[i];
            if (job->key == key) {
                b->order[i] = b->order[placed];
                b->order[placed++] = job;
            }
        }
    }
}

/* ---- on the engine --------------------------------------------------------------------------------------------- */

static void list(batch *b, monpro_rsa_job *owner, const uint8_t *modulus, size_t size, const uint8_t *base,
                 const uint8_t *exponent, size_t exponent_len, uint8_t *result)
{
    b->owners[b->listed] = owner;
    b->powers[b->listed++] = (monpro_job){
        .modulus = modulus,
        .modulus_len = size,
        .base = base,
        .base_len = size,
        .exponent = exponent,
        .exponent_len = exponent_len,
        .result = result,
        .result_len = size,
    };
}

/* Modulo a prime. */
static void list_half(batch *b, monpro_rsa_job *owner, const uint8_t *prime, size_t size, const uint8_t *base,
                      const uint8_t *exponent, uint8_t *result)
{
    list(b, owner, prime, size, base, exponent, size, result);
    b->powers[b->listed - 1].flags = MONPRO_MODULUS_SECRET;
}

static void list_public(batch *b, monpro_rsa_job *owner, const uint8_t *base, uint8_t *result)
{
    const monpro_key *key = owner->key;
    list(b, owner, key->n, key->size, base, key->e, key->e_size, result);
    b->powers[b->listed - 1].flags = MONPRO_EXPONENT_PUBLIC;
}

/* Has the engine do what is listed. A result that in a check is not even below n is as wrong as one that fails the
 * comparison. */
static void run_listed(batch *b, bool checking)
{
    monpro_error error;
    bool told = false; /* the engine describes its first failure, and no other */
    if (b->listed == 0) {
        return;
    }
    (void)monpro_modexp_batch(b->engine, b->powers, b->listed, &error);
    for (size_t i = 0; i < b->listed; i++) {
        const monpro_status status = b->powers[i].status;
        charge(b, b->owners[i], &b->powers[i].counters, checking);
        if (status != MONPRO_OK && b->owners[i]->status == MONPRO_OK) {
            if (checking && status == MONPRO_ERR_BASE_RANGE) {
                fail(b, b->owners[i], MONPRO_ERR_CHECK, monpro_strerror(MONPRO_ERR_CHECK));
            } else {
                fail(b, b->owners[i], status, told ? monpro_strerror(status) : error.message);
            }
        }
        told = told || status != MONPRO_OK;
    }
    b->listed = 0;
}

/* The one place that decides who does the CRT. An engine may be too large for the halves: then the exponentiation is by
 * d. What it depends on are lengths, which are no secret. */
static monpro_rsa_form choose_form(const batch *b, const monpro_key *key)
{
    if (b->options->no_crt || key->p_bits < b->info.min_bits || key->q_bits < b->info.min_bits) {
        return MONPRO_RSA_WHOLE;
    }
    return key->p_bits == key->q_bits && key->bits == 2 * key->p_bits && monpro_engine_takes_crt(b->engine, key->p_bits)
               ? MONPRO_RSA_ENGINE
               : MONPRO_RSA_HALVES;
}

static void run_in_engine(batch *b, monpro_rsa_job *job, monpro_rsa_block *block)
{
    const monpro_key *key = job->key;
    uint8_t qinv[MONPRO_MAX_BYTES];
    const monpro_crt_key crt = {
        .p = key->p, .q = key->q, .dp = key->dp, .dq = key->dq, .qinv = qinv,
        .prime_len = key->p_size, .prime_bits = key->p_bits,
    };
    monpro_counters counters;
    monpro_error error;
    monpro_error_reset(&error);
    monpro_limbs_to_bytes(qinv, key->p_size, key->qinv, key->mont_p.limbs);
    const monpro_status status =
        monpro_engine_crt(b->engine, &crt, block->base_p, block->power_p, key->size, &counters, &error);
    charge(b, job, &counters, false);
    monpro_wipe(qinv, sizeof qinv);
    if (status != MONPRO_OK) {
        fail(b, job, status, error.message);
    }
}

/* Lists the powers of the jobs `from` to before `to`, which are all jobs of a key. An engine that does the CRT does them
 * here and now. */
static void list_powers(batch *b, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) { /* modulo p, or n */
        monpro_rsa_job *job = b->order[i];
        monpro_rsa_block *block = &b->blocks[i];
        const monpro_key *key = job->key;
        if (job->status != MONPRO_OK || given_up(b)) {
            continue;
        }
        if (block->form == MONPRO_RSA_ENGINE) {
            run_in_engine(b, job, block);
        } else if (block->form == MONPRO_RSA_HALVES) {
            list_half(b, job, key->p, key->p_size, block->base_p, key->dp, block->power_p);
        } else {
            list(b, job, key->n, key->size, block->base_p, key->d, key->size, block->power_p);
        }
    }
    for (size_t i = from; i < to; i++) {
        monpro_rsa_block *block = &b->blocks[i];
        const monpro_key *key = b->order[i]->key;
        if (b->order[i]->status == MONPRO_OK && block->form == MONPRO_RSA_HALVES) {
            list_half(b, b->order[i], key->q, key->q_size, block->base_q, key->dq, block->power_q);
        }
    }
}

static void begin_blocks(batch *b)
{
    monpro_error error;
    monpro_error_reset(&error);
    for (size_t i = 0; i < b->admitted && !given_up(b); i++) {
        monpro_rsa_job *job = b->order[i];
        b->blocks[i].form = choose_form(b, job->key);
        b->blocks[i].blinding = !b->options->no_blinding;
        const monpro_status status = monpro_rsa_block_begin(&b->blocks[i], job->key, job->in, &error);
        if (status != MONPRO_OK) {
            fail(b, job, status, error.message);
        }
    }
}

static void check_results(batch *b)
{
    for (size_t i = 0; i < b->admitted; i++) {
        if (b->order[i]->status == MONPRO_OK) {
            list_public(b, b->order[i], b->blocks[i].result, b->blocks[i].check);
        }
    }
    run_listed(b, true);
    for (size_t i = 0; i < b->admitted; i++) {
        monpro_rsa_job *job = b->order[i];
        /* That a result was wrong shows in the status; where it was wrong does not. */
        if (job->status == MONPRO_OK &&
            monpro_verdict(monpro_ct_equal(b->blocks[i].check, job->in, job->key->size)) == 0) {
            fail(b, job, MONPRO_ERR_CHECK, monpro_strerror(MONPRO_ERR_CHECK));
        }
    }
}

static void run_private(batch *b)
{
    begin_blocks(b);
    for (size_t from = 0, to; from < b->admitted && !given_up(b); from = to) {
        for (to = from + 1; to < b->admitted && b->order[to]->key == b->order[from]->key; to++) {
        }
        list_powers(b, from, to);
    }
    if (!given_up(b)) {
        run_listed(b, false);
    }
    if (!given_up(b)) {
        for (size_t i = 0; i < b->admitted; i++) {
            if (b->order[i]->status == MONPRO_OK) {
                monpro_rsa_block_finish(&b->blocks[i], b->order[i]->key);
            }
        }
        check_results(b);
    }
    for (size_t i = 0; i < b->admitted; i++) {
        const monpro_rsa_job *job = b->order[i];
        if (job->status == MONPRO_OK && !given_up(b)) {
            memcpy(job->out, b->blocks[i].result, job->key->size);
        } else {
            monpro_blinding_drop(job->key);
        }
    }
}

static void run_public(batch *b)
{
    for (size_t i = 0; i < b->admitted; i++) {
        list_public(b, b->order[i], b->order[i]->in, b->order[i]->out);
    }
    run_listed(b, false);
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static void give_counters(const monpro_rsa_options *options, const monpro_counters *counters,
                          const monpro_counters *check_counters)
{
    if (options->counters != NULL) {
        *options->counters = *counters;
    }
    if (options->check_counters != NULL) {
        *options->check_counters = *check_counters;
    }
}

void monpro_rsa_refuse(monpro_rsa_job *job, monpro_status status)
{
    job->status = status;
    if (job->key != NULL && job->out != NULL) {
        monpro_wipe(job->out, job->key->size);
    }
}

monpro_work monpro_rsa_work(monpro_rsa_job *jobs, size_t count, bool is_private, bool all_or_none,
                            const monpro_rsa_options *options)
{
    monpro_work made = {
        .kind = is_private ? MONPRO_WORK_PRIVATE : MONPRO_WORK_PUBLIC,
        .blocks = jobs, .count = count, .all_or_none = all_or_none,
    };
    if (options != NULL) {
        made.no_crt = options->no_crt;
        made.no_blinding = options->no_blinding;
        made.counters = options->counters;
        made.check_counters = options->check_counters;
    }
    return made;
}

monpro_status monpro_rsa_run(monpro_engine *engine, monpro_rsa_job *jobs, size_t count, bool is_private,
                             bool all_or_none, const monpro_rsa_options *options, monpro_rsa_spent *each,
                             monpro_error *error)
{
    static const monpro_rsa_options none;
    void *state = NULL;
    const monpro_shared_ops *const shared = monpro_engine_shared(engine, &state);
    if (shared != NULL && count != 0) {
        const monpro_work work = monpro_rsa_work(jobs, count, is_private, all_or_none, options);
        monpro_error_reset(error);
        return shared->run(state, &work, error);
    }
    batch b = {.engine = engine, .jobs = jobs, .count = count, .first = count, .is_private = is_private,
               .all_or_none = all_or_none, .error = error,
               .options = options == NULL ? &none : options, .each = each};
    if (each != NULL) {
        memset(each, 0, count * sizeof *each);
    }
    monpro_error_reset(error);
    give_counters(b.options, &nothing, &nothing);
    (void)monpro_engine_query(engine, &b.info);
    admit(&b);
    if (b.admitted != 0 && (b.admitted == count || !all_or_none)) {
        if (allocate(&b)) {
            put_in_order(&b);
            (is_private ? run_private : run_public)(&b);
        } else {
            for (size_t i = 0; i < count; i++) {
                if (jobs[i].status == MONPRO_OK) {
                    fail(&b, &jobs[i], MONPRO_ERR_MEMORY, "no memory for the blocks");
                }
            }
        }
        release(&b);
    }
    for (size_t i = 0; i < count; i++) {
        if (jobs[i].status != MONPRO_OK) {
            monpro_rsa_refuse(&jobs[i], jobs[i].status);
        }
    }
    if (b.first == count || !all_or_none) {
        give_counters(b.options, &b.counters, &b.check_counters);
    }
    return b.first == count ? MONPRO_OK : jobs[b.first].status;
}
