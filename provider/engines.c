/* The engine of a process, and raw RSA by it or by the default provider.
 *
 * A process opens the engine when it first needs it. A child of fork() finds that what is there belongs to its parent and
 * makes its own: a server that opens its configuration in a master and works in children has an engine in each. What was
 * the parent's stays as it is, because its threads are not in the child.
 *
 * Threads: an engine serves one thread at a time, so there is a lock around it. "gather:" has none, because it takes calls
 * from many threads and makes batches of them. "soft" has an engine for each thread that is in it at a time. What is asked
 * for in asynchronous jobs is done by a thread of its own (jobs.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* clock_gettime */

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/process.h"
#include "provider.h"

enum { RETRY_SECONDS = 1, POOL = 64, LENGTHS = 3, TRIES = 4, MOST_TOGETHER = 64 };

/* How fast lone operations of a length are, by the engine [0] and by OpenSSL [1]. */
typedef struct pace {
    atomic_uint tries[2];
    _Atomic uint64_t least_ns[2];
} pace;

struct process {
    uint64_t number;
    pthread_mutex_t lock;        /* of what follows, and of an engine for one thread at a time */
    monpro_engine *shared;
    monpro_error error;          /* of the last try to open it, or of its last operation */
    time_t closed_until;         /* no try to open it before */
    unsigned users;              /* of a shared engine that is in use without the lock */
    _Atomic(monpro_engine *) pool[POOL]; /* of "soft", those not in use */
    _Atomic(jobs *) jobs;        /* of asynchronous jobs; NULL: none yet */
    atomic_uint inside;          /* private operations under way */
    pace paces[LENGTHS];
};

static process *current(provider *p)
{
    process *had = atomic_load(&p->process);
    if (had != NULL && had->number == monpro_process()) {
        return had;
    }
    process *made = OPENSSL_zalloc(sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->number = monpro_process();
    (void)pthread_mutex_init(&made->lock, NULL);
    if (!atomic_compare_exchange_strong(&p->process, &had, made)) {
        (void)pthread_mutex_destroy(&made->lock);
        OPENSSL_free(made);
        return had;
    }
    return made;
}

static uint64_t now_ns(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static time_t now(void)
{
    return (time_t)(now_ns() / 1000000000);
}

void engine_close(provider *p)
{
    process *had = atomic_load(&p->process);
    if (had == NULL || had->number != monpro_process()) {
        return; /* the parent's */
    }
    jobs_stop(atomic_load(&had->jobs));
    monpro_engine_close(had->shared);
    for (size_t i = 0; i < POOL; i++) {
        monpro_engine_close(atomic_load(&had->pool[i]));
    }
    (void)pthread_mutex_destroy(&had->lock);
    OPENSSL_free(had);
}

/* ---- by the engine --------------------------------------------------------------------------------------------- */

static monpro_status with(monpro_engine *engine, monpro_key *clone, operation kind, unsigned char *block,
                          monpro_error *error)
{
    return kind == OPERATION_PUBLIC ? monpro_rsa_public(engine, clone, block, block, 1, NULL, error)
                                    : monpro_rsa_private(engine, clone, block, block, 1, NULL, error);
}

static monpro_status in_pool(provider *p, process *here, monpro_key *clone, operation kind, unsigned char *block,
                             monpro_error *error)
{
    monpro_engine *engine = NULL;
    for (size_t i = 0; i < POOL && engine == NULL; i++) {
        engine = atomic_exchange(&here->pool[i], NULL);
    }
    monpro_status status = engine != NULL ? MONPRO_OK : monpro_engine_open(&engine, p->engine, error);
    if (status != MONPRO_OK) {
        return status;
    }
    status = with(engine, clone, kind, block, error);
    for (size_t i = 0; i < POOL && engine != NULL; i++) {
        monpro_engine *empty = NULL;
        if (atomic_compare_exchange_strong(&here->pool[i], &empty, engine)) {
            engine = NULL;
        }
    }
    monpro_engine_close(engine);
    return status;
}

/* Whether an error is the device's, which may be another one, or work again, when it is opened anew. */
static bool is_of_device(monpro_status status)
{
    return status <= MONPRO_ERR_DEVICE_ABSENT && status >= MONPRO_ERR_DEVICE_FAULT;
}

/* The shared engine, opened if it has to be. The lock is held. */
static monpro_status open_shared(const provider *p, process *here, monpro_error *error)
{
    if (here->shared == NULL && now() >= here->closed_until &&
        monpro_engine_open(&here->shared, p->engine, &here->error) != MONPRO_OK) {
        here->shared = NULL;
        here->closed_until = now() + RETRY_SECONDS;
    }
    if (here->shared == NULL) {
        *error = here->error;
        return error->status;
    }
    return MONPRO_OK;
}

/* Somebody goes out of the shared engine with that status. A device that is gone is closed by the last one. The lock is
 * held. */
static void leave_shared(process *here, monpro_status status, const monpro_error *error)
{
    here->users--;
    if (is_of_device(status) && here->users == 0) {
        monpro_engine_close(here->shared);
        here->shared = NULL;
        here->error = *error;
        here->closed_until = now() + RETRY_SECONDS;
    }
}

static monpro_status in_shared(provider *p, process *here, monpro_key *clone, operation kind, unsigned char *block,
                               monpro_error *error)
{
    const bool gathers = strncmp(p->engine, "gather:", 7) == 0;
    (void)pthread_mutex_lock(&here->lock);
    monpro_status status = open_shared(p, here, error);
    if (status == MONPRO_OK) {
        monpro_engine *const engine = here->shared;
        here->users++;
        if (gathers) {
            (void)pthread_mutex_unlock(&here->lock);
        }
        status = with(engine, clone, kind, block, error);
        if (gathers) {
            (void)pthread_mutex_lock(&here->lock);
        }
        leave_shared(here, status, error);
    }
    (void)pthread_mutex_unlock(&here->lock);
    return status;
}

static monpro_status by_engine(key *one, operation kind, unsigned char *block, monpro_error *error)
{
    provider *const p = one->provider;
    process *const here = current(p);
    monpro_key *const clone = here == NULL ? NULL : key_borrow(one, error);
    if (clone == NULL) {
        error->status = here == NULL ? MONPRO_ERR_MEMORY : error->status;
        return error->status;
    }
    const monpro_status status = strcmp(p->engine, "soft") == 0 ? in_pool(p, here, clone, kind, block, error)
                                                                : in_shared(p, here, clone, kind, block, error);
    key_give_back(one, clone);
    return status;
}

/* Private operations of asynchronous jobs, at once on an engine that gathers. */
static void together(provider *p, process *here, job_request *const group[], size_t count)
{
    monpro_rsa_job asked[MOST_TOGETHER];
    monpro_error error = {MONPRO_OK, ""};
    (void)pthread_mutex_lock(&here->lock);
    const monpro_status opened = open_shared(p, here, &error);
    monpro_engine *const engine = here->shared;
    here->users += opened == MONPRO_OK;
    (void)pthread_mutex_unlock(&here->lock);
    for (size_t i = 0; i < count; i++) {
        asked[i] = (monpro_rsa_job){.in = group[i]->block, .out = group[i]->block, .status = opened};
        asked[i].key = opened == MONPRO_OK ? key_borrow(group[i]->key, &group[i]->error) : NULL;
    }
    if (opened == MONPRO_OK) {
        /* A job without a key is refused by itself, and leaves the others alone. */
        const monpro_status status = monpro_rsa_private_batch(engine, asked, count, NULL, &error);
        (void)pthread_mutex_lock(&here->lock);
        leave_shared(here, status, &error);
        (void)pthread_mutex_unlock(&here->lock);
    }
    for (size_t i = 0; i < count; i++) {
        if (asked[i].key != NULL || opened != MONPRO_OK) {
            group[i]->error = error; /* the words are those of the first that failed */
            group[i]->error.status = asked[i].status;
        }
        group[i]->status = group[i]->error.status;
        if (asked[i].key != NULL) {
            key_give_back(group[i]->key, asked[i].key);
        }
    }
}

static void by_engine_for_jobs(void *context, job_request *first)
{
    provider *const p = context;
    process *const here = current(p);
    const bool gathers = strncmp(p->engine, "gather:", 7) == 0;
    job_request *group[MOST_TOGETHER];
    size_t count = 0;
    for (job_request *one = first; one != NULL; one = one->next) {
        if (!gathers || one->kind == OPERATION_PUBLIC) {
            one->status = by_engine(one->key, one->kind, one->block, &one->error);
        } else {
            group[count++] = one;
        }
        if (count == MOST_TOGETHER || (count > 0 && one->next == NULL)) {
            together(p, here, group, count);
            count = 0;
        }
    }
}

/* By the engine, on a thread of its own if the caller is in an asynchronous job. */
static monpro_status ask_engine(key *one, operation kind, unsigned char *block, size_t size, monpro_error *error)
{
    if (!jobs_is_in_one()) {
        return by_engine(one, kind, block, error);
    }
    process *const here = current(one->provider);
    jobs *all = here == NULL ? NULL : atomic_load(&here->jobs);
    if (here != NULL && all == NULL) {
        jobs *const made = jobs_start(by_engine_for_jobs, one->provider);
        if (!atomic_compare_exchange_strong(&here->jobs, &all, made)) {
            jobs_stop(made); /* another thread was first */
        } else {
            all = made;
        }
    }
    if (all == NULL) {
        *error = (monpro_error){MONPRO_ERR_MEMORY, "no memory, or no thread for asynchronous jobs"};
        return error->status;
    }
    return jobs_do(all, one, kind, block, size, error);
}

/* ---- by the default provider ----------------------------------------------------------------------------------- */

static int by_default(const key *one, operation kind, unsigned char *block, size_t size)
{
    size_t length = size;
    int ok = 0;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(one->provider->context, one->real, NULL);
    if (ctx != NULL && kind == OPERATION_PUBLIC) {
        ok = EVP_PKEY_encrypt_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_NO_PADDING) == 1 &&
             EVP_PKEY_encrypt(ctx, block, &length, block, size) == 1;
    } else if (ctx != NULL) {
        ok = EVP_PKEY_decrypt_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_NO_PADDING) == 1 &&
             EVP_PKEY_decrypt(ctx, block, &length, block, size) == 1;
    }
    EVP_PKEY_CTX_free(ctx);
    return ok && length == size;
}

int padding_mode(EVP_PKEY_CTX *ctx)
{
    int mode = 0;
    OSSL_PARAM asked[] = {OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_PAD_MODE, &mode), OSSL_PARAM_construct_end()};
    return EVP_PKEY_CTX_get_params(ctx, asked) == 1 ? mode : 0;
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

void engine_count(provider *p, unsigned counter)
{
    (void)atomic_fetch_add(&p->counters->of[counter].value, 1);
}

static size_t length_of(size_t size)
{
    return (size_t)(size > 256) + (size > 384);
}

static unsigned counter_of(operation kind, size_t size)
{
    if (kind == OPERATION_PUBLIC) {
        return COUNTER_PUBLIC;
    }
    return (kind == OPERATION_SIGN ? COUNTER_SIGN_2048 : COUNTER_DECRYPT_2048) + (unsigned)length_of(size);
}

/* ---- alone ------------------------------------------------------------------------------------------------------ */

visit engine_enter(provider *p)
{
    visit one = {.process = current(p)};
    if (one.process != NULL) {
        one.is_alone = atomic_fetch_add(&one.process->inside, 1) == 0;
        one.start_ns = now_ns();
    }
    return one;
}

void engine_leave(const visit *one, size_t size, unsigned counter, bool is_done)
{
    if (one->process == NULL) {
        return;
    }
    (void)atomic_fetch_sub(&one->process->inside, 1);
    if (!one->is_alone || !is_done || (counter != ENGINE_ASKED && counter != COUNTER_DEFAULT_ALONE)) {
        return;
    }
    pace *const at = &one->process->paces[length_of(size)];
    const size_t who = counter == COUNTER_DEFAULT_ALONE;
    const uint64_t took_ns = now_ns() - one->start_ns;
    uint64_t least_ns = atomic_load(&at->least_ns[who]);
    while ((least_ns == 0 || took_ns < least_ns) &&
           !atomic_compare_exchange_weak(&at->least_ns[who], &least_ns, took_ns)) {
    }
    if (atomic_load(&at->tries[who]) < TRIES) {
        (void)atomic_fetch_add(&at->tries[who], 1);
    }
}

void engine_dropped(provider *p)
{
    process *const here = current(p);
    if (here != NULL) {
        (void)atomic_fetch_sub(&here->inside, 1);
    }
}

bool engine_is_left(provider *p, size_t size)
{
    process *const here = p->alone == ALONE_ENGINE || p->flaw[0] != '\0' ? NULL : current(p);
    /* In a job nobody knows yet: the other connections of its thread come when it pauses. */
    if (here == NULL || atomic_load(&here->inside) > 0 || (p->alone == ALONE_AUTO && jobs_is_in_one())) {
        return false;
    }
    const pace *const at = &here->paces[length_of(size)];
    const unsigned engine = atomic_load(&at->tries[0]), openssl = atomic_load(&at->tries[1]);
    if (p->alone == ALONE_OPENSSL || engine < TRIES || openssl < TRIES) {
        return p->alone == ALONE_OPENSSL || openssl < engine;
    }
    return atomic_load(&at->least_ns[1]) < atomic_load(&at->least_ns[0]);
}

unsigned engine_refusal(key *one, operation kind)
{
    const provider *const p = one->provider;
    if (p->flaw[0] != '\0') {
        return ENGINE_ASKED; /* and engine_raw() says what is wrong */
    }
    if (kind == OPERATION_PUBLIC && !p->public_by_engine) {
        return COUNTER_DEFAULT_PUBLIC;
    }
    const key_forms *const forms = key_forms_of(one);
    const bool is_taken = forms != NULL && forms->identity != NULL && (kind == OPERATION_PUBLIC || forms->is_taken);
    return is_taken ? ENGINE_ASKED : COUNTER_DEFAULT_KEY;
}

/* Whether a block is not below the modulus, which the default provider says in its own words. */
static bool is_of_block(monpro_status status)
{
    return status == MONPRO_ERR_BASE_RANGE || status == MONPRO_ERR_CIPHERTEXT;
}

/* Whether a status says that the engine is well and does not take this key. */
static bool is_of_key(monpro_status status)
{
    return status == MONPRO_ERR_MODULUS_SHORT || status == MONPRO_ERR_MODULUS_LONG ||
           status == MONPRO_ERR_EXPONENT_LONG || (status <= MONPRO_ERR_KEY_FORMAT && status >= MONPRO_ERR_KEY_ENCODING);
}

int engine_raw(key *one, operation kind, unsigned char *block, size_t size)
{
    provider *const p = one->provider;
    unsigned char input[KEY_BYTES];
    monpro_error error = {MONPRO_OK, ""};
    if (p->flaw[0] != '\0') {
        OPENSSL_cleanse(block, size);
        return provider_fail(p, REASON_CONFIGURATION, "%s", p->flaw);
    }
    memcpy(input, block, size); /* a failed operation leaves zeroes in its block */
    const monpro_status status = ask_engine(one, kind, block, size, &error);
    int ok = status == MONPRO_OK;
    if (ok) {
        engine_count(p, counter_of(kind, size));
    } else if (is_of_block(status)) {
        memcpy(block, input, size);
        ok = by_default(one, kind, block, size);
    } else if (is_of_key(status) || p->falls_back) {
        engine_count(p, is_of_key(status) ? COUNTER_DEFAULT_KEY : COUNTER_DEFAULT_ENGINE);
        memcpy(block, input, size);
        ok = by_default(one, kind, block, size);
    } else {
        engine_count(p, COUNTER_FAILED);
        (void)provider_fail(p, REASON_ENGINE, "engine \"%s\": %s (%s)", p->engine, error.message,
                            monpro_status_name(status));
    }
    OPENSSL_cleanse(input, sizeof input);
    if (!ok) {
        OPENSSL_cleanse(block, size);
    }
    return ok;
}
