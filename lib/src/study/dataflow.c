/* Batches through the dataflow kernel and the host's parts of them, counted and timed. See monpro/dataflow.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "monpro/dataflow.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bignum/montgomery.h"
#include "dataflow/engine.h"
#include "study/run.h"
#include "base/status.h"
#include "model/library.h"

enum { LIMB_DIGITS = MONPRO_LIMB_BITS / 32, MAX_LIMBS = MONPRO_DATAFLOW_MAX_DIGITS / LIMB_DIGITS };
_Static_assert((int)MAX_LIMBS <= (int)MONPRO_MAX_LIMBS, "the library takes as many digits as the kernel");

struct monpro_dataflow_kernel {
    monpro_dataflow df;
};

/* A job's numbers as the parts of it want them. */
typedef struct numbers {
    const monpro_dataflow_job *job;
    size_t s, limbs;     /* of a number */
    uint32_t *digits;    /* a, b, n, and a product of twice the length, of each block */
    const uint32_t **a, **b, **n;
    uint32_t **product;
    uint32_t *inverse;
    uint32_t *stream;    /* rows in or out */
    size_t rows;
    char *contexts;      /* of SOS */
    size_t context_size;
    monpro_mont *mont;   /* of the library */
    monpro_limb *wide;   /* a, b and a product, of each block */
} numbers;

static monpro_dataflow_form form_of(const monpro_dataflow_job *job)
{
    return (monpro_dataflow_form)(job->form - 'a');
}

/* ---- numbers ------------------------------------------------------------------------------------------------- */

static void read_digits(uint32_t *r, const uint8_t *bytes, size_t digits)
{
    for (size_t i = 0; i < digits; i++, r++) {
        const uint8_t *at = bytes + 4 * (digits - 1 - i);
        *r = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
}

static void write_digits(uint8_t *bytes, const uint32_t *digits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = bytes + 4 * (count - 1 - i);
        at[0] = (uint8_t)(digits[i] >> 24);
        at[1] = (uint8_t)(digits[i] >> 16);
        at[2] = (uint8_t)(digits[i] >> 8);
        at[3] = (uint8_t)digits[i];
    }
}

static uint32_t inverse_of(uint32_t n)
{
    uint32_t inverse = n; /* right in 3 bits, and in twice as many each time */
    for (unsigned bits = 3; bits < 32; bits *= 2) {
        inverse *= 2 - n * inverse;
    }
    return 0 - inverse;
}

static monpro_dataflow_batch batch_of(const numbers *x)
{
    return (monpro_dataflow_batch){
        .form = form_of(x->job), .digits = x->s, .blocks = x->job->blocks, .a = x->a, .b = x->b, .n = x->n,
        .inverse = x->inverse, .product = x->product,
    };
}

static void forget(numbers *x)
{
    free(x->digits);
    free(x->a);
    free(x->b);
    free(x->n);
    free(x->product);
    free(x->inverse);
    free(x->stream);
    free(x->contexts);
    free(x->mont);
    free(x->wide);
}

static bool allocate(numbers *x, const monpro_dataflow_job *job)
{
    const size_t blocks = job->blocks, s = job->digits;
    *x = (numbers){.job = job, .s = s, .limbs = (s + LIMB_DIGITS - 1) / LIMB_DIGITS,
                   .context_size = monpro_scanning_sos_size()};
    x->digits = calloc(blocks, 5 * s * sizeof *x->digits);
    x->a = calloc(blocks, sizeof *x->a);
    x->b = calloc(blocks, sizeof *x->b);
    x->n = calloc(blocks, sizeof *x->n);
    x->product = calloc(blocks, sizeof *x->product);
    x->inverse = calloc(blocks, sizeof *x->inverse);
    return x->digits != NULL && x->a != NULL && x->b != NULL && x->n != NULL && x->product != NULL &&
           x->inverse != NULL;
}

static void load(numbers *x)
{
    const monpro_dataflow_job *job = x->job;
    const size_t s = x->s;
    for (size_t k = 0; k < job->blocks; k++) {
        uint32_t *of = x->digits + 5 * s * k;
        read_digits(of, job->a + 4 * s * k, s);
        read_digits(of + s, job->b + 4 * s * k, s);
        if (job->n != NULL) {
            read_digits(of + 2 * s, job->n + 4 * s * k, s);
            x->inverse[k] = inverse_of(of[2 * s]);
        }
        x->a[k] = of;
        x->b[k] = of + s;
        x->n[k] = of + 2 * s;
        x->product[k] = of + 3 * s;
    }
}

static void give_results(const numbers *x, size_t digits)
{
    for (size_t k = 0; k < x->job->blocks; k++) {
        write_digits(x->job->result + 4 * digits * k, x->product[k], digits);
    }
}

/* ---- checks -------------------------------------------------------------------------------------------------- */

static monpro_status check(const monpro_dataflow_job *job, bool whole, monpro_error *error)
{
    if (job->form < 'a' || job->form > 'f') {
        return monpro_fail(error, MONPRO_ERR_PARAMETER, "no such form of products; there are a to f");
    }
    if (job->digits == 0 || job->digits > MONPRO_DATAFLOW_MAX_DIGITS || job->blocks == 0) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "a batch has a block or more, of 1 to %u digits",
                           (unsigned)MONPRO_DATAFLOW_MAX_DIGITS);
    }
    const size_t size = (size_t)4 * job->digits * job->blocks;
    if (job->a == NULL || job->a_len != size || job->b == NULL || job->b_len != size ||
        (job->n != NULL ? job->n_len != size : whole)) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "a, b or n is not of %u bytes", (unsigned)size);
    }
    if (job->result == NULL || job->result_len != (whole ? size : 2 * size)) {
        return monpro_fail(error, MONPRO_ERR_BUFFER, "the results take %u bytes", (unsigned)(whole ? size : 2 * size));
    }
    for (size_t k = 0; whole && k < job->blocks; k++) {
        const uint8_t *n = job->n + size / job->blocks * k;
        if ((n[size / job->blocks - 1] & 1u) == 0 || (n[0] & 0x80u) == 0) {
            return monpro_fail(error, MONPRO_ERR_MODULUS_EVEN, "a modulus is even, or does not fill its digits");
        }
    }
    return MONPRO_OK;
}

/* ---- through the kernel -------------------------------------------------------------------------------------- */

monpro_status monpro_dataflow_kernel_open(monpro_dataflow_kernel **kernel, const char *path, monpro_error *error)
{
    monpro_stream stream;
    monpro_error_reset(error);
    if (kernel == NULL || path == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "kernel or path is NULL");
    }
    *kernel = NULL;
    void *library = dlopen(path, RTLD_LOCAL | RTLD_NOW);
    if (library == NULL) {
        return monpro_fail(error, MONPRO_ERR_BUILD, "the model cannot be loaded: %s", dlerror());
    }
    const monpro_status status = monpro_dataflow_sim_open(&stream, library, path, NULL, error);
    if (status != MONPRO_OK) {
        return status;
    }
    monpro_dataflow_kernel *made = calloc(1, sizeof *made);
    if (made == NULL) {
        stream.close(stream.context);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for a kernel");
    }
    monpro_dataflow_open(&made->df, &stream);
    *kernel = made;
    return MONPRO_OK;
}

void monpro_dataflow_kernel_close(monpro_dataflow_kernel *kernel)
{
    if (kernel != NULL) {
        monpro_dataflow_close(&kernel->df);
        free(kernel);
    }
}

uint32_t monpro_dataflow_kernel_lanes(const monpro_dataflow_kernel *kernel)
{
    return kernel->df.stream.lanes;
}

static monpro_status multiply(monpro_dataflow *df, monpro_dataflow_job *job, bool whole, monpro_error *error)
{
    numbers x;
    monpro_status status = allocate(&x, job) ? MONPRO_OK
                                             : monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for %u blocks",
                                                           (unsigned)job->blocks);
    const monpro_dataflow before = *df;
    status = status == MONPRO_OK ? monpro_dataflow_start(df, error) : status;
    if (status == MONPRO_OK) {
        load(&x);
        const monpro_dataflow_batch batch = batch_of(&x);
        status = monpro_dataflow_run(df, &batch, error);
        monpro_dataflow_stop(df);
    }
    if (status == MONPRO_OK) {
        give_results(&x, whole ? x.s : 2 * x.s);
        job->cycles = df->cycles - before.cycles;
        job->runs = df->runs - before.runs;
        job->beats_in = df->beats_in - before.beats_in;
        job->beats_out = df->beats_out - before.beats_out;
    }
    forget(&x);
    return status;
}

static monpro_status begin(monpro_dataflow_job *job, bool whole, monpro_error *error)
{
    monpro_error_reset(error);
    job->cycles = job->runs = job->beats_in = job->beats_out = job->time_ns = 0;
    return check(job, whole, error);
}

static monpro_status end(monpro_dataflow_job *job, monpro_status status)
{
    if (status != MONPRO_OK && job->result != NULL) {
        memset(job->result, 0, job->result_len);
    }
    return status;
}

monpro_status monpro_dataflow_multiply(monpro_dataflow_kernel *kernel, monpro_dataflow_job *job, monpro_error *error)
{
    if (kernel == NULL || job == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "kernel or job is NULL");
    }
    const bool whole = job->form == 'f';
    monpro_status status = begin(job, whole, error);
    if (status == MONPRO_OK && job->lanes != kernel->df.stream.lanes) {
        status = monpro_fail(error, MONPRO_ERR_PARAMETER, "the kernel has %u lanes",
                             (unsigned)kernel->df.stream.lanes);
    }
    return end(job, status == MONPRO_OK ? multiply(&kernel->df, job, whole, error) : status);
}

/* ---- by the host alone --------------------------------------------------------------------------------------- */

/* Memory and constants that a part of the work wants. */
static bool prepare_work(numbers *x, monpro_dataflow_work work)
{
    const size_t blocks = x->job->blocks, lanes = x->job->lanes;
    if (work <= MONPRO_DATAFLOW_SCALAR_WHOLE) {
        x->contexts = calloc(blocks, x->context_size);
        for (size_t k = 0; x->contexts != NULL && k < blocks; k++) {
            monpro_scanning_sos_set(x->contexts + k * x->context_size, x->n[k], x->inverse[k], x->s);
        }
        return x->contexts != NULL;
    }
    if (work <= MONPRO_DATAFLOW_LIBRARY_WHOLE) {
        const size_t size = 4 * x->limbs;
        x->mont = calloc(blocks, sizeof *x->mont);
        x->wide = calloc(blocks, size * sizeof *x->wide);
        for (size_t k = 0; x->mont != NULL && x->wide != NULL && k < blocks; k++) {
            monpro_limb *of = x->wide + size * k, n[MAX_LIMBS];
            monpro_limbs_from_bytes(of, x->limbs, x->job->a + 4 * x->s * k, 4 * x->s);
            monpro_limbs_from_bytes(of + x->limbs, x->limbs, x->job->b + 4 * x->s * k, 4 * x->s);
            if (work == MONPRO_DATAFLOW_LIBRARY_WHOLE) {
                monpro_limbs_from_bytes(n, x->limbs, x->job->n + 4 * x->s * k, 4 * x->s);
                monpro_mont_init(&x->mont[k], n, x->limbs, 32 * x->s);
            }
        }
        return x->mont != NULL && x->wide != NULL;
    }
    const monpro_dataflow_batch batch = batch_of(x);
    const size_t a_lane = (blocks + lanes - 1) / lanes;
    x->rows = a_lane * (work == MONPRO_DATAFLOW_PREPARE ? monpro_dataflow_rows_in(&batch)
                                                        : monpro_dataflow_rows_out(&batch));
    x->stream = calloc(x->rows, 2 * x->s * lanes * sizeof *x->stream);
    return x->stream != NULL;
}

/* What the kernel would send, into x->stream. */
static void answer(numbers *x)
{
    const monpro_dataflow_batch batch = batch_of(x);
    const size_t s = x->s, lanes = x->job->lanes, rows = monpro_dataflow_rows_out(&batch);
    for (size_t row = 0; row < x->rows; row++) {
        for (size_t lane = 0; lane < lanes; lane++) {
            const size_t block = row / rows * lanes + lane;
            if (block >= x->job->blocks) {
                continue;
            }
            const void *sos = x->contexts != NULL ? x->contexts + block * x->context_size : NULL;
            if (batch.form == MONPRO_DATAFLOW_E) {
                monpro_scanning_sos_multiply(sos, x->product[block], x->a[block], x->b[block]);
            } else if (batch.form == MONPRO_DATAFLOW_F) {
                monpro_scanning_sos_product(sos, x->product[block], x->a[block], x->b[block]);
            }
            uint32_t *words = x->stream + 2 * (row * s * lanes + lane);
            for (size_t j = 0; j < s; j++, words += 2 * lanes) {
                const uint64_t u = (uint64_t)x->a[block][j] * x->b[block][row % rows];
                const uint32_t *t = x->product[block];
                words[0] = batch.form == MONPRO_DATAFLOW_E ? t[2 * j] : batch.form == MONPRO_DATAFLOW_F ? t[j]
                                                                                                        : (uint32_t)u;
                words[1] = batch.form == MONPRO_DATAFLOW_E ? t[2 * j + 1] : (uint32_t)(u >> 32);
            }
        }
    }
}

static void each_block(numbers *x, monpro_dataflow_work work)
{
    const size_t limbs = x->limbs;
    for (size_t k = 0; k < x->job->blocks; k++) {
        const void *sos = x->contexts != NULL ? x->contexts + k * x->context_size : NULL;
        monpro_limb *of = x->wide != NULL ? x->wide + 4 * limbs * k : NULL;
        switch (work) {
        case MONPRO_DATAFLOW_SCALAR:
            monpro_scanning_sos_multiply(sos, x->product[k], x->a[k], x->b[k]);
            break;
        case MONPRO_DATAFLOW_SCALAR_WHOLE:
            monpro_scanning_sos_product(sos, x->product[k], x->a[k], x->b[k]);
            break;
        case MONPRO_DATAFLOW_LIBRARY:
            monpro_limbs_mul(of + 2 * limbs, of, limbs, of + limbs, limbs);
            break;
        default:
            monpro_mont_mul(of + 2 * limbs, of, of + limbs, &x->mont[k]);
        }
    }
}

static void each_row(numbers *x, monpro_dataflow_work work)
{
    const monpro_dataflow_batch batch = batch_of(x);
    const uint32_t lanes = x->job->lanes;
    const bool in = work == MONPRO_DATAFLOW_PREPARE;
    const size_t of_block = in ? monpro_dataflow_rows_in(&batch) : monpro_dataflow_rows_out(&batch);
    monpro_dataflow_place place = {0, 0};
    uint32_t *words = x->stream;
    for (size_t row = 0; row < x->rows; row++, words += 2 * x->s * lanes) {
        if (in) {
            monpro_dataflow_fill(words, &batch, lanes, &place);
        } else {
            monpro_dataflow_take(words, &batch, lanes, &place);
        }
        monpro_dataflow_next(&place, of_block);
    }
}

static void finish_work(numbers *x, monpro_dataflow_work work, bool whole)
{
    const size_t digits = whole ? x->s : 2 * x->s;
    for (size_t k = 0; x->wide != NULL && k < x->job->blocks; k++) {
        monpro_limbs_to_bytes(x->job->result + 4 * digits * k, 4 * digits, x->wide + 4 * x->limbs * k + 2 * x->limbs,
                              whole ? x->limbs : 2 * x->limbs);
    }
    if (work == MONPRO_DATAFLOW_PREPARE) {
        memset(x->job->result, 0, x->job->result_len); /* it has none */
    } else if (x->wide == NULL) {
        give_results(x, digits);
    }
}

static monpro_status time_work(monpro_dataflow_job *job, monpro_dataflow_work work, bool whole, monpro_error *error)
{
    numbers x;
    bool ready = allocate(&x, job);
    if (ready) {
        load(&x);
        ready = prepare_work(&x, work);
    }
    if (ready && work == MONPRO_DATAFLOW_RESOLVE) {
        const size_t rows = x.rows;
        ready = prepare_work(&x, MONPRO_DATAFLOW_SCALAR); /* the contexts, for the answer */
        x.rows = rows;
        if (ready) {
            answer(&x);
        }
    }
    if (ready) {
        const uint64_t start_ns = monpro_scanning_now_ns();
        for (uint32_t i = 0; i < job->repeats; i++) {
            if (work < MONPRO_DATAFLOW_PREPARE) {
                each_block(&x, work);
            } else {
                each_row(&x, work);
            }
        }
        job->time_ns = monpro_scanning_now_ns() - start_ns;
        finish_work(&x, work, whole);
    }
    forget(&x);
    return ready ? MONPRO_OK : monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for %u blocks", (unsigned)job->blocks);
}

monpro_status monpro_dataflow_host(monpro_dataflow_job *job, monpro_dataflow_work work, monpro_error *error)
{
    if (job == NULL || (unsigned)work > MONPRO_DATAFLOW_RESOLVE) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "job is NULL, or no such work");
    }
    const bool whole = work == MONPRO_DATAFLOW_SCALAR_WHOLE || work == MONPRO_DATAFLOW_LIBRARY_WHOLE ||
                       (work >= MONPRO_DATAFLOW_PREPARE && job->form == 'f');
    monpro_status status = begin(job, whole, error);
    if (status == MONPRO_OK && (job->repeats == 0 || job->lanes == 0 || job->lanes > MONPRO_DATAFLOW_MAX_LANES)) {
        status = monpro_fail(error, MONPRO_ERR_ARGUMENT, "no repeats, or not 1 to %u lanes",
                             (unsigned)MONPRO_DATAFLOW_MAX_LANES);
    }
    if (status == MONPRO_OK && work == MONPRO_DATAFLOW_LIBRARY_WHOLE && job->digits % LIMB_DIGITS != 0) {
        status = monpro_fail(error, MONPRO_ERR_UNSUPPORTED, "%u digits do not fill limbs of %u bits",
                             (unsigned)job->digits, (unsigned)MONPRO_LIMB_BITS);
    }
    return end(job, status == MONPRO_OK ? time_work(job, work, whole, error) : status);
}
