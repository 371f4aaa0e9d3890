/* Which operations go side by side, and on which thread.
 *
 * Operations share a vector if their moduli have as many digits and the same is done with their exponents: a fixed
 * window of one width over about as many bits, or one and the same public exponent. Each lane has its own modulus, base
 * and secret exponent. What is left over goes one by one (modexp.c) if it is too few for a vector to pay.
 *
 * Threads take the next piece of work by an atomic counter. Whatever else they share is only read. They live as long as
 * the call, which is milliseconds: none waits in the background, and none has to survive a fork().
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask() */

#include "lanes/schedule.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "base/secret.h"
#include "engine/soft.h"

enum { NEAR_BITS = 64 }; /* exponents whose lengths differ by less share a vector */

/* A piece of work: one operation by scalar code, or up to a vector of them. */
typedef struct task {
    const monpro_lanes_kernel *kernel; /* NULL: scalar */
    size_t count;
    const monpro_operation *operations[MONPRO_LANES_MAX];
} task;

typedef struct call {
    const monpro_lanes *lanes;
    task tasks[MONPRO_MAX_GROUP];
    size_t count;
    atomic_size_t next;        /* the first task that nobody has */
    atomic_size_t next_worker;
} call;

const monpro_lanes_kernel *monpro_lanes_choose(const monpro_lanes *lanes, size_t bits)
{
    const monpro_lanes_kernel *best = NULL;
    for (size_t i = 0; i < sizeof lanes->kernels / sizeof *lanes->kernels; i++) {
        const monpro_lanes_kernel *const kernel = lanes->kernels[i];
        if (kernel != NULL && monpro_lanes_digits(kernel, bits) <= kernel->max_digits &&
            (best == NULL || monpro_lanes_digits(kernel, bits) < monpro_lanes_digits(best, bits))) {
            best = kernel;
        }
    }
    return best;
}

/* ---- side by side -------------------------------------------------------------------------------------------- */

/* 2^exponent mod n, again if the worker did it last: requests of one key often follow each other. That they do may show
 * in the time, what the key is may not. */
static const monpro_limb *power_of_two(monpro_lanes_worker *worker, size_t exponent, const monpro_limb *n, size_t limbs,
                                       size_t bits)
{
    if (worker->last_bits != bits || worker->last_exponent != exponent ||
        monpro_verdict(monpro_ct_equal((const uint8_t *)worker->last_modulus, (const uint8_t *)n, limbs * sizeof *n)) ==
            0) {
        monpro_lanes_power_of_two(worker->last_power, exponent, n, limbs, bits);
        memcpy(worker->last_modulus, n, limbs * sizeof *n);
        worker->last_bits = bits;
        worker->last_exponent = exponent;
    }
    return worker->last_power;
}

/* Base, R^2 and modulus of an operation into one lane; `before` is the one in the lane before, or NULL. */
static void load_lane(monpro_lanes_worker *worker, const monpro_lanes_kernel *kernel, size_t digits, size_t lane,
                      const monpro_operation *operation, const monpro_operation *before)
{
    uint64_t *const memory = worker->memory;
    const size_t lanes = kernel->lanes, limbs = monpro_limbs_for_bits(operation->modulus_bits);
    const unsigned bits = kernel->digit_bits;
    uint64_t *const base = memory + lane, *const rr = base + digits * lanes, *const n = rr + digits * lanes;
    uint64_t *const n0 = n + digits * lanes;
    monpro_limb modulus[MONPRO_MAX_LIMBS], number[MONPRO_MAX_LIMBS];
    if (before != NULL && before->modulus == operation->modulus && before->modulus_len == operation->modulus_len) {
        for (size_t i = 0; i < digits; i++) { /* of one key, and so all that follows from it */
            n[i * lanes] = (n - 1)[i * lanes];
            rr[i * lanes] = (rr - 1)[i * lanes];
        }
        *n0 = n0[-1];
    } else {
        monpro_limbs_from_bytes(modulus, limbs, operation->modulus, operation->modulus_len);
        monpro_lanes_to_digits(n, lanes, digits, bits, modulus, limbs);
        *n0 = monpro_lanes_negative_inverse(n[0], bits);
        monpro_lanes_to_digits(rr, lanes, digits, bits,
                               power_of_two(worker, 2 * digits * bits, modulus, limbs, operation->modulus_bits), limbs);
        monpro_wipe(modulus, limbs * sizeof *modulus);
    }
    monpro_limbs_from_bytes(number, limbs, operation->base, operation->base_len);
    monpro_lanes_to_digits(base, lanes, digits, bits, number, limbs);
    monpro_wipe(number, limbs * sizeof *number);
}

/* A lane's result, which is at most N, below N. */
static void store_lane(const monpro_lanes_kernel *kernel, const uint64_t *memory, size_t digits, size_t lane,
                       const monpro_operation *operation)
{
    const size_t limbs = monpro_limbs_for_bits(operation->modulus_bits);
    monpro_limb modulus[MONPRO_MAX_LIMBS], number[MONPRO_MAX_LIMBS];
    monpro_limbs_from_bytes(modulus, limbs, operation->modulus, operation->modulus_len);
    monpro_lanes_from_digits(number, limbs, memory + lane, kernel->lanes, digits, kernel->digit_bits);
    monpro_limbs_reduce_once(number, 0, number, modulus, limbs);
    monpro_limbs_to_bytes(operation->result, operation->result_len, number, limbs);
    monpro_wipe(modulus, limbs * sizeof *modulus);
    monpro_wipe(number, limbs * sizeof *number);
}

static void run_vector(monpro_lanes_worker *worker, const task *work)
{
    const monpro_lanes_kernel *const kernel = work->kernel;
    const monpro_operation *const first = work->operations[0];
    monpro_exponent exponents[MONPRO_LANES_MAX];
    monpro_lanes_group group = {
        .digits = monpro_lanes_digits(kernel, first->modulus_bits),
        .used = work->count,
        .window = first->scheme == MONPRO_SCHEME_FIXED_WINDOW ? first->window : 0,
        .exponents = exponents,
        .memory = worker->memory,
    };
    const monpro_operation *operation = NULL;
    for (size_t lane = 0; lane < kernel->lanes; lane++) {
        const monpro_operation *const before = operation;
        operation = work->operations[lane < work->count ? lane : work->count - 1];
        exponents[lane] = (monpro_exponent){operation->exponent, operation->exponent_len, operation->exponent_bits};
        group.bits = operation->exponent_bits > group.bits ? operation->exponent_bits : group.bits;
        load_lane(worker, kernel, group.digits, lane, operation, before);
    }
    kernel->run(&group);
    for (size_t lane = 0; lane < work->count; lane++) {
        store_lane(kernel, worker->memory, group.digits, lane, work->operations[lane]);
    }
    monpro_wipe(worker->memory, kernel->size(group.digits, group.window));
}

/* ---- what goes together --------------------------------------------------------------------------------------- */

static bool near(size_t a, size_t b)
{
    return (a > b ? a - b : b - a) < NEAR_BITS;
}

static bool same_public_exponent(const monpro_operation *a, const monpro_operation *b)
{
    return a->is_public && b->is_public && a->exponent_bits == b->exponent_bits && a->exponent_len == b->exponent_len &&
           memcmp(a->exponent, b->exponent, a->exponent_len) == 0;
}

static bool go_together(const monpro_lanes_kernel *kernel, const monpro_operation *a, const monpro_operation *b)
{
    const bool fixed = a->scheme == MONPRO_SCHEME_FIXED_WINDOW;
    if (monpro_lanes_digits(kernel, a->modulus_bits) != monpro_lanes_digits(kernel, b->modulus_bits) ||
        fixed != (b->scheme == MONPRO_SCHEME_FIXED_WINDOW)) {
        return false;
    }
    return fixed ? a->window == b->window && near(a->exponent_bits, b->exponent_bits) : same_public_exponent(a, b);
}

/* A vector's kernel for an operation; NULL for what only the scalar code does: secret exponents bit by bit. */
static const monpro_lanes_kernel *kernel_of(const monpro_lanes *lanes, const monpro_operation *operation)
{
    return operation->scheme == MONPRO_SCHEME_FIXED_WINDOW || operation->is_public
               ? monpro_lanes_choose(lanes, operation->modulus_bits)
               : NULL;
}

/* Who does an operation with too few others for a vector. NULL: the scalar code. */
static const monpro_lanes_kernel *few_kernel(const monpro_lanes *lanes, const monpro_operation *operation)
{
    const monpro_lanes_kernel *const wide = lanes->wide;
    return wide != NULL && monpro_lanes_digits(wide, operation->modulus_bits) <= wide->max_digits ? wide : NULL;
}

static void add_task(call *c, const task *found)
{
    if (found->kernel == NULL || found->count >= c->lanes->least) {
        c->tasks[c->count++] = *found;
        return;
    }
    for (size_t i = 0; i < found->count;) {
        const monpro_operation *const first = found->operations[i];
        task few = {.kernel = few_kernel(c->lanes, first), .count = 1, .operations = {first}};
        for (i++; i < found->count && few.kernel != NULL && few.count < few.kernel->lanes &&
                  go_together(few.kernel, first, found->operations[i]); i++) {
            few.operations[few.count++] = found->operations[i];
        }
        c->tasks[c->count++] = few;
    }
}

static void make_tasks(call *c, const monpro_operation *operations, size_t count)
{
    bool taken[MONPRO_MAX_GROUP] = {false};
    for (size_t i = 0; i < count; i++) {
        if (taken[i]) {
            continue;
        }
        task found = {.kernel = kernel_of(c->lanes, &operations[i]), .count = 1, .operations = {&operations[i]}};
        for (size_t j = i + 1; found.kernel != NULL && j < count && found.count < found.kernel->lanes; j++) {
            if (!taken[j] && kernel_of(c->lanes, &operations[j]) == found.kernel &&
                go_together(found.kernel, &operations[i], &operations[j])) {
                taken[j] = true;
                found.operations[found.count++] = &operations[j];
            }
        }
        add_task(c, &found);
    }
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

static void *work(void *of)
{
    call *const c = of;
    monpro_lanes_worker *const worker = &c->lanes->workers[atomic_fetch_add(&c->next_worker, 1)];
    for (size_t i = atomic_fetch_add(&c->next, 1); i < c->count; i = atomic_fetch_add(&c->next, 1)) {
        const task *const next = &c->tasks[i];
        if (next->kernel != NULL) {
            run_vector(worker, next);
        } else {
            monpro_soft_modexp(next->operations[0], &worker->modulus, worker->table);
        }
    }
    monpro_wipe(worker->last_modulus, sizeof worker->last_modulus);
    monpro_wipe(worker->last_power, sizeof worker->last_power);
    worker->last_bits = 0;
    return NULL;
}

void monpro_lanes_run(const monpro_lanes *lanes, const monpro_operation *operations, size_t count)
{
    call c = {.lanes = lanes};
    pthread_t threads[MONPRO_LANES_THREADS];
    size_t started = 0;
    sigset_t all, before;
    make_tasks(&c, operations, count);
    /* A new thread inherits the mask: the caller's handlers never run on a thread that the caller does not know. */
    (void)sigfillset(&all);
    const bool masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    while (started + 1 < lanes->threads && started + 1 < c.count &&
           pthread_create(&threads[started], NULL, work, &c) == 0) {
        started++; /* if there are no more, those that are there do it all */
    }
    if (masked) {
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    (void)work(&c);
    while (started > 0) {
        (void)pthread_join(threads[--started], NULL);
    }
}
