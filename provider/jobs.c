/* Requests of asynchronous jobs, and the thread that has them done.
 *
 * A job pauses until its request is done; meanwhile its thread begins other jobs. The thread here takes all requests that
 * have come and has them done at once. A request that is done signals the descriptor (an eventfd) that the wait context
 * of its job has; flag and signal change under one lock, so that a job which is resumed early pauses again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sigset_t */

#include <openssl/async.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/process.h"
#include "provider.h"

struct jobs {
    uint64_t process;
    pthread_mutex_t lock; /* of all that follows, and of the requests' flags */
    pthread_cond_t come;
    size_t users; /* who may come back here: the owner, and each request that is not freed */
    job_request *first, **last;
    bool stops;
    pthread_t thread;
    job_worker *work;
    void *context;
};

/* What the wait context of a connection keeps for us until it is freed. */
typedef struct waiter {
    int descriptor;
    job_request *open; /* that of the job, while it pauses */
} waiter;

static const char name_of_ours; /* whose address is our name in a wait context */

/* One user less; the last one frees. The lock is held, and is free afterwards. */
static void leave(jobs *all)
{
    const bool is_last = --all->users == 0;
    (void)pthread_mutex_unlock(&all->lock);
    if (is_last) {
        (void)pthread_cond_destroy(&all->come);
        (void)pthread_mutex_destroy(&all->lock);
        OPENSSL_free(all);
    }
}

static void free_request(job_request *one)
{
    key_free(one->key);
    OPENSSL_clear_free(one, sizeof *one);
}

/* ---- the thread ------------------------------------------------------------------------------------------------- */

static void finish(jobs *all, job_request *first)
{
    (void)pthread_mutex_lock(&all->lock);
    for (job_request *one = first, *next; one != NULL; one = next) {
        next = one->next;
        const uint64_t signal = 1;
        one->is_done = true;
        if (one->is_left) {
            free_request(one);
            all->users--; /* the owner is one, too, and waits for this thread */
        } else {
            (void)!write(one->descriptor, &signal, sizeof signal);
        }
    }
    (void)pthread_mutex_unlock(&all->lock);
}

static void *run(void *handle)
{
    jobs *const all = handle;
    (void)pthread_mutex_lock(&all->lock);
    for (;;) {
        while (all->first == NULL && !all->stops) {
            (void)pthread_cond_wait(&all->come, &all->lock);
        }
        job_request *const taken = all->first;
        if (taken == NULL) {
            break;
        }
        const bool stops = all->stops;
        all->first = NULL;
        all->last = &all->first;
        (void)pthread_mutex_unlock(&all->lock);
        if (!stops) {
            all->work(all->context, taken);
        }
        finish(all, taken);
        (void)pthread_mutex_lock(&all->lock);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

jobs *jobs_start(job_worker *work, void *context)
{
    jobs *const all = OPENSSL_zalloc(sizeof *all);
    sigset_t every, before;
    if (all == NULL) {
        return NULL;
    }
    all->process = monpro_process();
    all->users = 1;
    all->last = &all->first;
    all->work = work;
    all->context = context;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->come, NULL);
    (void)sigfillset(&every); /* the program's handlers run on its own threads */
    (void)pthread_sigmask(SIG_SETMASK, &every, &before);
    const int failed = pthread_create(&all->thread, NULL, run, all);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed != 0) {
        (void)pthread_cond_destroy(&all->come);
        (void)pthread_mutex_destroy(&all->lock);
        OPENSSL_free(all);
        return NULL;
    }
    return all;
}

void jobs_stop(jobs *all)
{
    if (all == NULL || all->process != monpro_process()) {
        return;
    }
    (void)pthread_mutex_lock(&all->lock);
    all->stops = true;
    (void)pthread_cond_signal(&all->come);
    (void)pthread_mutex_unlock(&all->lock);
    (void)pthread_join(all->thread, NULL);
    (void)pthread_mutex_lock(&all->lock);
    leave(all);
}

/* ---- the jobs --------------------------------------------------------------------------------------------------- */

/* The wait context ends. The request of a job that was never resumed is left to whoever is last with it. */
static void end_wait(ASYNC_WAIT_CTX *ctx, const void *name, OSSL_ASYNC_FD descriptor, void *custom)
{
    waiter *const own = custom;
    job_request *const open = own->open;
    (void)ctx;
    (void)name;
    if (open != NULL && open->jobs->process == monpro_process()) {
        jobs *const all = open->jobs;
        engine_dropped(open->key->provider);
        (void)pthread_mutex_lock(&all->lock);
        open->is_left = true;
        if (open->is_done) {
            free_request(open);
            leave(all);
        } else {
            (void)pthread_mutex_unlock(&all->lock);
        }
    }
    (void)close(descriptor);
    OPENSSL_free(own);
}

bool jobs_is_in_one(void)
{
    return ASYNC_get_current_job() != NULL;
}

/* The waiter of a wait context, made if there is none; NULL: it cannot be had. */
static waiter *waiter_of(ASYNC_WAIT_CTX *ctx)
{
    OSSL_ASYNC_FD descriptor;
    void *had = NULL;
    if (ASYNC_WAIT_CTX_get_fd(ctx, &name_of_ours, &descriptor, &had) == 1) {
        return had;
    }
    waiter *const made = OPENSSL_zalloc(sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (made->descriptor < 0 ||
        ASYNC_WAIT_CTX_set_wait_fd(ctx, &name_of_ours, made->descriptor, made, end_wait) != 1) {
        if (made->descriptor >= 0) {
            (void)close(made->descriptor);
        }
        OPENSSL_free(made);
        return NULL;
    }
    return made;
}

/* Pauses until the request is done. It pauses at least once: haproxy 2.6 crashes if a job has set a descriptor and ends
 * without. False: the job was resumed in a child of fork(), where nobody works for it. */
static bool pause_for(waiter *own, job_request *open)
{
    jobs *const all = open->jobs;
    bool is_done = false;
    uint64_t signals;
    own->open = open;
    while (!is_done) {
        const bool has_paused = ASYNC_pause_job() == 1;
        if (all->process != monpro_process()) {
            break;
        }
        (void)pthread_mutex_lock(&all->lock);
        is_done = open->is_done;
        (void)pthread_mutex_unlock(&all->lock);
        if (!has_paused && !is_done) {
            (void)sched_yield(); /* it cannot pause, so it waits here */
        }
    }
    own->open = NULL;
    (void)!read(own->descriptor, &signals, sizeof signals);
    return is_done;
}

monpro_status jobs_do(jobs *all, key *one, operation kind, unsigned char *block, size_t size, monpro_error *error)
{
    job_request *const open = OPENSSL_zalloc(sizeof *open);
    waiter *const own = open == NULL ? NULL : waiter_of(ASYNC_get_wait_ctx(ASYNC_get_current_job()));
    if (own == NULL) {
        OPENSSL_free(open);
        *error = (monpro_error){MONPRO_ERR_MEMORY, "no memory or no descriptor for an asynchronous job"};
        return error->status;
    }
    open->descriptor = own->descriptor;
    open->jobs = all;
    open->key = key_take(one);
    open->kind = kind;
    open->size = size;
    open->error = (monpro_error){MONPRO_ERR_UNSUPPORTED, "the engine was closed"};
    open->status = open->error.status;
    memcpy(open->block, block, size);
    (void)pthread_mutex_lock(&all->lock);
    all->users++;
    *all->last = open;
    all->last = &open->next;
    (void)pthread_cond_signal(&all->come);
    (void)pthread_mutex_unlock(&all->lock);
    if (!pause_for(own, open)) { /* the request is the parent's */
        *error = (monpro_error){MONPRO_ERR_UNSUPPORTED, "an asynchronous job went on in a child of fork()"};
        return error->status;
    }
    memcpy(block, open->block, size);
    *error = open->error;
    const monpro_status status = open->status;
    free_request(open);
    (void)pthread_mutex_lock(&all->lock);
    leave(all);
    return status;
}
