/* The firmware. It does what the host has put into ROM, task by task, and reports each with the cycles that it took by
 * the processor's own counter. Software and coprocessor are the library's engines, from the same sources as on any
 * other system.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "engine/soft.h"
#include "key/key.h"
#include "platform.h"
#include "base/process.h"
#include "base/random.h"
#include "report.h"
#include "base/status.h"
#include "tasks.h"
#include "base/wipe.h"

static monpro_error error;
static uint8_t result[MONPRO_MAX_BYTES];

/* There is no source of randomness in this system: private operations run without blinding, and say so. */
uint64_t monpro_process(void)
{
    return 1; /* there is one */
}

monpro_status monpro_random(uint8_t *bytes, size_t size, monpro_error *why)
{
    memset(bytes, 0, size);
    return monpro_fail(why, MONPRO_ERR_RANDOM, "this system has no source of random bytes");
}

static const char *engine_name(const task *t)
{
    return t->engine == TASK_SOFT ? "soft" : "device";
}

void task_report(const task *t, const char *what, monpro_status status, uint64_t cycles)
{
    report_begin("result");
    report_number("task", t->number);
    report_word("what", what);
    report_word("engine", t->kind == TASK_PEER ? "peer" : engine_name(t));
    report_word("status", monpro_status_name(status));
    report_number("cycles", cycles);
}

static void report_counters(const monpro_counters *c)
{
    report_number("span", device_span());
    report_number("operations", c->operations);
    report_number("warm", c->warm);
    report_number("products", c->products);
    report_number("load", c->cycles_load);
    report_number("precompute", c->cycles_precompute);
    report_number("exponentiate", c->cycles_exponentiate);
    report_number("read", c->cycles_read);
}

static monpro_status open_engine(const task *t, monpro_engine **engine)
{
    static monpro_engine *soft;
    monpro_error_reset(&error);
    if (t->engine == TASK_DEVICE) {
        return device_engine(engine, (t->flags & TASK_DMA) != 0, &error);
    }
    const monpro_status status = soft == NULL ? monpro_soft_open(&soft, &error) : MONPRO_OK;
    *engine = soft;
    return status;
}

/* ---- exponentiation ------------------------------------------------------------------------------------------ */

static void modexp(const task *t)
{
    monpro_engine *engine = NULL;
    uint64_t cycles = 0;
    monpro_job job = {
        .modulus = t->field[0].bytes, .modulus_len = t->field[0].size,
        .base = t->field[1].bytes, .base_len = t->field[1].size,
        .exponent = t->field[2].bytes, .exponent_len = t->field[2].size,
        .result = result, .result_len = t->field[0].size,
        .flags = (t->flags & TASK_PUBLIC) != 0 ? MONPRO_EXPONENT_PUBLIC : 0,
        .scheme = (monpro_scheme)t->scheme, .window = t->window,
    };
    monpro_status status = open_engine(t, &engine);
    if (status == MONPRO_OK) {
        device_span_reset();
        const uint64_t start = platform_cycles();
        status = monpro_modexp_batch(engine, &job, 1, &error);
        cycles = platform_cycles() - start;
    }
    task_report(t, "modexp", status, cycles);
    if (status == MONPRO_OK) {
        report_number("scheme", job.used_scheme);
        report_number("window", job.used_window);
        report_counters(&job.counters);
        report_bytes("out", result, job.result_len);
    } else {
        report_text(error.message);
    }
    report_end();
}

/* ---- RSA ----------------------------------------------------------------------------------------------------- */

static uint32_t bit_length(const task_field *number)
{
    uint32_t bits = (uint32_t)(8 * number->size);
    for (unsigned top = number->bytes[0]; bits != 0 && (top & 0x80u) == 0; top <<= 1) {
        bits--;
    }
    return bits;
}

/* A key from its numbers, without leading zeros, in the order of TASK_RSA_PRIVATE. They come from a key that the host has
 * checked. */
static void make_key(monpro_key *key, const task *t)
{
    const bool is_private = t->kind == TASK_RSA_PRIVATE;
    memset(key, 0, sizeof *key);
    key->size = t->field[0].size;
    key->bits = bit_length(&t->field[0]);
    key->e_size = t->field[1].size;
    key->is_private = is_private;
    memcpy(key->n, t->field[0].bytes, key->size);
    memcpy(key->e, t->field[1].bytes, key->e_size);
    monpro_key_prepare_public(key);
    if (!is_private) {
        return;
    }
    memcpy(key->d, t->field[2].bytes, t->field[2].size);
    key->p_size = t->field[3].size;
    key->q_size = t->field[4].size;
    key->p_bits = bit_length(&t->field[3]);
    key->q_bits = bit_length(&t->field[4]);
    memcpy(key->p, t->field[3].bytes, key->p_size);
    memcpy(key->q, t->field[4].bytes, key->q_size);
    memcpy(key->dp, t->field[5].bytes, key->p_size);
    memcpy(key->dq, t->field[6].bytes, key->q_size);
    monpro_key_prepare_private(key, t->field[7].bytes);
}

static void rsa(const task *t)
{
    static monpro_key key;
    const bool is_private = t->kind == TASK_RSA_PRIVATE;
    const uint8_t *block = t->field[t->fields - 1].bytes; /* is_whole() has counted them */
    monpro_counters counters = {0}, check_counters = {0};
    const monpro_rsa_options options = {
        .no_crt = (t->flags & TASK_NO_CRT) != 0,
        .no_blinding = 1,
        .counters = &counters,
        .check_counters = &check_counters,
    };
    monpro_engine *engine = NULL;
    uint64_t cycles = 0;
    monpro_status status = open_engine(t, &engine);
    if (status == MONPRO_OK) {
        make_key(&key, t);
        device_span_reset();
        const uint64_t start = platform_cycles();
        status = is_private ? monpro_rsa_private(engine, &key, block, result, 1, &options, &error)
                            : monpro_rsa_public(engine, &key, block, result, 1, &options, &error);
        cycles = platform_cycles() - start;
    }
    task_report(t, is_private ? "private" : "public", status, cycles);
    if (status == MONPRO_OK) {
        report_counters(&counters);
        report_bytes("out", result, key.size);
    } else {
        report_text(error.message);
    }
    report_end();
    monpro_wipe(&key, sizeof key);
}

/* ---- the list ------------------------------------------------------------------------------------------------ */

/* Reads a task; returns what is behind it, or NULL if it cannot be one. */
static const uint32_t *read_task(task *t, const uint32_t *word, uint32_t number)
{
    *t = (task){number, word[0], word[1], word[2], word[3], word[4], word[5], {{0}}};
    if (t->fields > TASK_MAX_FIELDS) {
        return NULL;
    }
    const uint32_t *sizes = word + 6;
    word = sizes + t->fields;
    for (uint32_t i = 0; i < t->fields; i++) {
        t->field[i] = (task_field){(const uint8_t *)word, sizes[i]};
        word += (sizes[i] + 3) / 4;
    }
    return word;
}

/* Whether the task has the fields that its kind asks for, of lengths that fit each other and the buffers here. What another
 * library takes is its own. */
static bool is_whole(const task *t)
{
    const task_field *f = t->field;
    const uint32_t fields = t->kind == TASK_RSA_PRIVATE ? 9 : t->kind == TASK_PEER ? t->fields : 3;
    if (t->fields != fields) {
        return false;
    }
    for (uint32_t i = 0; i < fields; i++) {
        if (f[i].size == 0 || f[i].size > MONPRO_MAX_BYTES) {
            return false;
        }
    }
    switch ((task_kind)t->kind) {
    case TASK_RSA_PUBLIC:
        return f[2].size == f[0].size;
    case TASK_RSA_PRIVATE:
        return f[8].size == f[0].size && f[2].size <= f[0].size && f[5].size == f[3].size && f[6].size == f[4].size &&
               f[7].size == f[3].size;
    default:
        return true;
    }
}

static void refuse(const task *t)
{
    monpro_error_reset(&error);
    const monpro_status status = monpro_fail(&error, MONPRO_ERR_ARGUMENT, "a task of kind %u with these %u fields: a number "
                                             "is missing, or has another length than it must have",
                                             (unsigned)t->kind, (unsigned)t->fields);
    task_report(t, "task", status, 0);
    report_text(error.message);
    report_end();
}

/* False if there is no such kind. */
static bool run(const task *t)
{
    if (t->kind >= TASK_MODEXP && t->kind <= TASK_STREAM && !is_whole(t)) {
        refuse(t);
        return true;
    }
    switch ((task_kind)t->kind) {
    case TASK_MODEXP:
        modexp(t);
        return true;
    case TASK_RSA_PUBLIC:
    case TASK_RSA_PRIVATE:
        rsa(t);
        return true;
    case TASK_MISUSE:
        task_misuse(t);
        return true;
    case TASK_PEER:
        task_peer(t);
        return true;
    case TASK_STREAM:
        task_stream(t);
        return true;
    }
    return false;
}

int main(void)
{
    const uint32_t *word = platform_tasks + 2;
    const uint32_t count = platform_tasks[0] == TASKS_MAGIC ? platform_tasks[1] : 0;
    report_begin("hello");
    report_word("version", monpro_version());
    report_number("limb_bits", MONPRO_LIMB_BITS);
    report_number("tasks", count);
    report_end();
    uint32_t done = 0;
    while (done < count && word != NULL) {
        task t;
        word = read_task(&t, word, done);
        if (word == NULL || !run(&t)) {
            break;
        }
        done++;
    }
    device_close();
    report_begin("end");
    report_number("done", done);
    report_number("cycles", platform_cycles());
    report_end();
    return 0;
}
