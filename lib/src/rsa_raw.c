/* Raw RSA over a batch of blocks.
 *
 * Private, for each block c < n:
 *     b  = c * r^e mod n                               blinding
 *     m1 = (b mod p)^dP mod p,  m2 = (b mod q)^dQ mod q    on the engine: all halves modulo p, then all modulo q,
 *                                                      so that an engine keeps the constants of its modulus
 *     m' = m2 + q * ((m1 - m2) * qInv mod p)           Garner
 *     m  = m' / r mod n
 * and m is released only if m^e mod n, on the same engine, is c: a faulty half would give the factors of n away.
 * An engine that has the CRT, for primes of one length and n of exactly twice that, does the two lines in the middle
 * in one operation. Without CRT: m' = b^d mod n.
 *
 * b mod p is REDC(b) * R^2 by one more product, for which b < n = p * q < p * R suffices; p and q share R.
 * Constant time: all arithmetic on secrets is that of limbs.h and montgomery.h. */
#include <stdlib.h>
#include <string.h>

#include "blinding.h"
#include "engine.h"
#include "key.h"
#include "secret.h"
#include "status.h"
#include "wipe.h"

static const monpro_counters nothing;

/* Who does the CRT. */
typedef enum form {
    FORM_WHOLE,  /* nobody: one exponentiation by d */
    FORM_HALVES, /* this file, around two exponentiations */
    FORM_ENGINE  /* the engine, in one operation */
} form;

typedef struct block {
    uint8_t base_p[MONPRO_MAX_BYTES], base_q[MONPRO_MAX_BYTES];   /* if not in halves, base_p is the whole b */
    uint8_t power_p[MONPRO_MAX_BYTES], power_q[MONPRO_MAX_BYTES]; /* and power_p the whole m' */
    uint8_t result[MONPRO_MAX_BYTES], check[MONPRO_MAX_BYTES];
    monpro_limb unblind[MONPRO_MAX_LIMBS];
} block;

typedef struct private_run {
    monpro_engine *engine;
    monpro_key *key;
    const uint8_t *in;
    size_t count;
    form form;
    bool blinding;
    block *blocks;
    monpro_job *jobs; /* 2 * count */
    monpro_counters counters, check_counters; /* of both together, and of the check */
} private_run;

static monpro_job make_job(const uint8_t *modulus, size_t size, const uint8_t *base, const uint8_t *exponent,
                           size_t exponent_len, uint8_t *result)
{
    return (monpro_job){
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

static monpro_status run_jobs(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_counters *counters,
                              monpro_error *error)
{
    const monpro_status status = monpro_modexp_batch(engine, jobs, count, error);
    for (size_t i = 0; i < count; i++) {
        monpro_counters_add(counters, &jobs[i].counters);
    }
    return status;
}

/* bytes = number mod p, for a number below n in the limbs of n. */
static void reduce(uint8_t *bytes, size_t size, const monpro_limb *number, size_t limbs, const monpro_mont *m)
{
    monpro_limb wide[2 * MONPRO_MAX_LIMBS], residue[MONPRO_MAX_LIMBS];
    memset(wide, 0, 2 * m->limbs * sizeof *wide);
    memcpy(wide, number, limbs * sizeof *wide);
    monpro_mont_redc(residue, wide, m);
    monpro_mont_enter(residue, residue, m);
    monpro_limbs_to_bytes(bytes, size, residue, m->limbs);
    monpro_wipe(wide, 2 * m->limbs * sizeof *wide);
    monpro_wipe(residue, m->limbs * sizeof *residue);
}

/* Blinds a block and fills in its bases. */
static monpro_status prepare(private_run *run, size_t index, monpro_error *error)
{
    monpro_key *key = run->key;
    const monpro_mont *n = &key->mont_n;
    const uint8_t *in = run->in + index * key->size;
    block *b = &run->blocks[index];
    monpro_limb number[MONPRO_MAX_LIMBS], factor[MONPRO_MAX_LIMBS];
    if (monpro_verdict(monpro_ct_less(in, key->n, key->size)) == 0) { /* the caller sees it in the status */
        return monpro_fail(error, MONPRO_ERR_BASE_RANGE, "block %u of %u is not below the key's modulus",
                           (unsigned)index + 1, (unsigned)run->count);
    }
    monpro_limbs_from_bytes(number, n->limbs, in, key->size);
    if (run->blinding) {
        const monpro_status status = monpro_blinding_take(key, factor, b->unblind, error);
        if (status != MONPRO_OK) {
            return status;
        }
        monpro_mont_mul(number, number, factor, n);
    }
    if (run->form == FORM_HALVES) {
        reduce(b->base_p, key->p_size, number, n->limbs, &key->mont_p);
        reduce(b->base_q, key->q_size, number, n->limbs, &key->mont_q);
    } else {
        monpro_limbs_to_bytes(b->base_p, key->size, number, n->limbs);
    }
    monpro_wipe(number, n->limbs * sizeof *number);
    monpro_wipe(factor, n->limbs * sizeof *factor);
    return MONPRO_OK;
}

static monpro_status exponentiate_in_engine(private_run *run, monpro_error *error)
{
    const monpro_key *key = run->key;
    uint8_t qinv[MONPRO_MAX_BYTES];
    const monpro_crt_key crt = {
        .p = key->p, .q = key->q, .dp = key->dp, .dq = key->dq, .qinv = qinv,
        .prime_len = key->p_size, .prime_bits = key->p_bits,
    };
    monpro_status status = MONPRO_OK;
    monpro_limbs_to_bytes(qinv, key->p_size, key->qinv, key->mont_p.limbs);
    for (size_t i = 0; i < run->count && status == MONPRO_OK; i++) {
        block *b = &run->blocks[i];
        monpro_counters counters;
        status = monpro_engine_crt(run->engine, &crt, b->base_p, b->power_p, key->size, &counters, error);
        monpro_counters_add(&run->counters, &counters);
    }
    monpro_wipe(qinv, sizeof qinv);
    return status;
}

static monpro_status exponentiate(private_run *run, monpro_error *error)
{
    const monpro_key *key = run->key;
    if (run->form == FORM_ENGINE) {
        return exponentiate_in_engine(run, error);
    }
    for (size_t i = 0; i < run->count; i++) {
        block *b = &run->blocks[i];
        if (run->form == FORM_HALVES) {
            run->jobs[i] = make_job(key->p, key->p_size, b->base_p, key->dp, key->p_size, b->power_p);
            run->jobs[run->count + i] = make_job(key->q, key->q_size, b->base_q, key->dq, key->q_size, b->power_q);
        } else {
            run->jobs[i] = make_job(key->n, key->size, b->base_p, key->d, key->size, b->power_p);
        }
    }
    return run_jobs(run->engine, run->jobs, run->form == FORM_HALVES ? 2 * run->count : run->count, &run->counters,
                    error);
}

/* Garner: number = m2 + q * ((m1 - m2) / q mod p), below n; wide has the limbs of both halves. */
static void recombine(monpro_limb *wide, const monpro_key *key, const block *b)
{
    const size_t limbs = key->mont_p.limbs;
    monpro_limb m1[MONPRO_MAX_LIMBS], m2[MONPRO_MAX_LIMBS], h[MONPRO_MAX_LIMBS];
    monpro_limb addend[2 * MONPRO_MAX_LIMBS];
    memset(addend, 0, 2 * limbs * sizeof *addend);
    monpro_limbs_from_bytes(m1, limbs, b->power_p, key->p_size);
    monpro_limbs_from_bytes(addend, limbs, b->power_q, key->q_size);
    monpro_mont_mul(m1, m1, key->qinv_p, &key->mont_p);
    monpro_mont_mul(m2, addend, key->qinv_p, &key->mont_p); /* m2 < R is enough, as 1/q < p */
    monpro_limbs_sub_mod(h, m1, m2, key->mont_p.n, limbs);
    monpro_limbs_mul(wide, h, limbs, key->mont_q.n, limbs);
    (void)monpro_limbs_add(wide, wide, addend, 2 * limbs);
    monpro_wipe(m1, limbs * sizeof *m1);
    monpro_wipe(m2, limbs * sizeof *m2);
    monpro_wipe(h, limbs * sizeof *h);
    monpro_wipe(addend, 2 * limbs * sizeof *addend);
}

static void complete(const private_run *run, block *b)
{
    const monpro_key *key = run->key;
    monpro_limb number[2 * MONPRO_MAX_LIMBS];
    if (run->form == FORM_HALVES) {
        recombine(number, key, b);
    } else {
        monpro_limbs_from_bytes(number, key->mont_n.limbs, b->power_p, key->size);
    }
    if (run->blinding) {
        monpro_mont_mul(number, number, b->unblind, &key->mont_n);
    }
    monpro_limbs_to_bytes(b->result, key->size, number, key->mont_n.limbs);
    monpro_wipe(number, sizeof number);
}

/* Every result, raised to e on the same engine, is its block again; else CHECK. */
static monpro_status check(private_run *run, monpro_error *error)
{
    const monpro_key *key = run->key;
    for (size_t i = 0; i < run->count; i++) {
        block *b = &run->blocks[i];
        run->jobs[i] = make_job(key->n, key->size, b->result, key->e, key->e_size, b->check);
        run->jobs[i].flags = MONPRO_EXPONENT_PUBLIC;
    }
    const monpro_status status = run_jobs(run->engine, run->jobs, run->count, &run->check_counters, error);
    monpro_counters_add(&run->counters, &run->check_counters);
    /* A result that is not even below n is as wrong as one that fails the comparison. */
    if (status != MONPRO_OK && status != MONPRO_ERR_BASE_RANGE) {
        return status;
    }
    uint64_t equal = UINT64_MAX;
    for (size_t i = 0; i < run->count; i++) {
        equal &= monpro_ct_equal(run->blocks[i].check, run->in + i * key->size, key->size);
    }
    /* That some result was wrong shows in the status; where it was wrong does not. */
    if (status != MONPRO_OK || monpro_verdict(equal) == 0) {
        return monpro_fail(error, MONPRO_ERR_CHECK, "%s", monpro_strerror(MONPRO_ERR_CHECK));
    }
    return MONPRO_OK;
}

static monpro_status run_private(private_run *run, monpro_error *error)
{
    monpro_status status = MONPRO_OK;
    for (size_t i = 0; i < run->count && status == MONPRO_OK; i++) {
        status = prepare(run, i, error);
    }
    if (status == MONPRO_OK) {
        status = exponentiate(run, error);
    }
    if (status != MONPRO_OK) {
        return status;
    }
    for (size_t i = 0; i < run->count; i++) {
        complete(run, &run->blocks[i]);
    }
    return check(run, error);
}

/* The one place that decides who does the CRT. An engine may be too large for the halves (then the exponentiation is by
 * d) or too small for n. What it depends on are lengths, which are no secret. */
static monpro_status choose_form(private_run *run, const monpro_rsa_options *options, monpro_error *error)
{
    monpro_engine_info info;
    const monpro_key *key = run->key;
    (void)monpro_engine_query(run->engine, &info);
    run->blinding = options == NULL || !options->no_blinding;
    const bool crt = options == NULL || !options->no_crt;
    if (!crt || key->p_bits < info.min_bits || key->q_bits < info.min_bits) {
        run->form = FORM_WHOLE;
    } else if (key->p_bits == key->q_bits && key->bits == 2 * key->p_bits &&
               monpro_engine_takes_crt(run->engine, key->p_bits)) {
        run->form = FORM_ENGINE;
    } else {
        run->form = FORM_HALVES;
    }
    if (key->bits > info.max_bits) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_LONG, "the key has %u bits; %s takes at most %u",
                           (unsigned)key->bits, info.spec, (unsigned)info.max_bits);
    }
    return MONPRO_OK;
}

static void give_counters(const monpro_rsa_options *options, const monpro_counters *counters,
                          const monpro_counters *check_counters)
{
    if (options != NULL && options->counters != NULL) {
        *options->counters = *counters;
    }
    if (options != NULL && options->check_counters != NULL) {
        *options->check_counters = *check_counters;
    }
}

/* The length of the output is the key's: without a key it cannot be zeroed. */
static monpro_status null_argument(const monpro_key *key, uint8_t *out, size_t count, monpro_error *error)
{
    if (key != NULL && out != NULL) {
        monpro_wipe(out, count * key->size);
    }
    return monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine, key, in or out is NULL");
}

static monpro_status allocate(private_run *run, monpro_error *error)
{
    if (run->count <= SIZE_MAX / 2 / sizeof(block)) {
        run->blocks = calloc(run->count, sizeof(block));
        run->jobs = calloc(2 * run->count, sizeof(monpro_job));
    }
    if (run->blocks == NULL || run->jobs == NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for %u blocks", (unsigned)run->count);
    }
    return MONPRO_OK;
}

monpro_status monpro_rsa_private(monpro_engine *engine, monpro_key *key, const uint8_t *in, uint8_t *out, size_t count,
                                 const monpro_rsa_options *options, monpro_error *error)
{
    monpro_error_reset(error);
    give_counters(options, &nothing, &nothing);
    if (engine == NULL || key == NULL || ((in == NULL || out == NULL) && count != 0)) {
        return null_argument(key, out, count, error);
    }
    if (count == 0) {
        return MONPRO_OK;
    }
    private_run run = {.engine = engine, .key = key, .in = in, .count = count};
    monpro_status status = MONPRO_OK;
    if (!key->is_private) {
        status = monpro_fail(error, MONPRO_ERR_KEY_PUBLIC, "%s", monpro_strerror(MONPRO_ERR_KEY_PUBLIC));
    }
    status = status != MONPRO_OK ? status : choose_form(&run, options, error);
    status = status != MONPRO_OK ? status : allocate(&run, error);
    status = status != MONPRO_OK ? status : run_private(&run, error);
    if (status == MONPRO_OK) {
        for (size_t i = 0; i < count; i++) {
            memcpy(out + i * key->size, run.blocks[i].result, key->size);
        }
        give_counters(options, &run.counters, &run.check_counters);
    } else {
        monpro_wipe(out, count * key->size);
        monpro_blinding_drop(key);
    }
    if (run.blocks != NULL) {
        monpro_wipe(run.blocks, count * sizeof(block));
    }
    free(run.blocks);
    free(run.jobs);
    return status;
}

monpro_status monpro_rsa_public(monpro_engine *engine, const monpro_key *key, const uint8_t *in, uint8_t *out,
                                size_t count, const monpro_rsa_options *options, monpro_error *error)
{
    monpro_counters counters = nothing;
    monpro_error_reset(error);
    give_counters(options, &nothing, &nothing);
    if (engine == NULL || key == NULL || ((in == NULL || out == NULL) && count != 0)) {
        return null_argument(key, out, count, error);
    }
    if (count == 0) {
        return MONPRO_OK;
    }
    monpro_job *jobs = calloc(count, sizeof *jobs);
    if (jobs == NULL) {
        memset(out, 0, count * key->size);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for %u blocks", (unsigned)count);
    }
    for (size_t i = 0; i < count; i++) {
        jobs[i] = make_job(key->n, key->size, in + i * key->size, key->e, key->e_size, out + i * key->size);
        jobs[i].flags = MONPRO_EXPONENT_PUBLIC;
    }
    const monpro_status status = run_jobs(engine, jobs, count, &counters, error);
    free(jobs);
    if (status == MONPRO_OK) {
        give_counters(options, &counters, &nothing);
    } else {
        memset(out, 0, count * key->size);
    }
    return status;
}
