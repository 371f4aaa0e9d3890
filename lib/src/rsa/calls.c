/* The calls of raw RSA: a batch of jobs, each with its own key and status, or of blocks under one key, all or none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/status.h"
#include "base/wipe.h"
#include "key/key.h"
#include "rsa/raw.h"

static monpro_status run_jobs(monpro_engine *engine, monpro_rsa_job *jobs, size_t count, bool is_private,
                              const monpro_rsa_options *options, monpro_error *error)
{
    const bool lacks = engine == NULL || (jobs == NULL && count != 0);
    const monpro_status status =
        monpro_rsa_run(engine, jobs, jobs == NULL ? 0 : count, is_private, false, options, NULL, error);
    return lacks ? monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine or jobs is NULL") : status;
}

monpro_status monpro_rsa_private_batch(monpro_engine *engine, monpro_rsa_job *jobs, size_t count,
                                       const monpro_rsa_options *options, monpro_error *error)
{
    return run_jobs(engine, jobs, count, true, options, error);
}

monpro_status monpro_rsa_public_batch(monpro_engine *engine, monpro_rsa_job *jobs, size_t count,
                                      const monpro_rsa_options *options, monpro_error *error)
{
    return run_jobs(engine, jobs, count, false, options, error);
}

static monpro_status submit(monpro_engine *engine, monpro_rsa_job *jobs, size_t count, bool is_private,
                            const monpro_rsa_options *options, int descriptor, monpro_ticket *ticket,
                            monpro_error *error)
{
    void *state = NULL;
    const monpro_shared_ops *const shared = monpro_engine_shared(engine, &state);
    monpro_status status = MONPRO_OK;
    monpro_error_reset(error);
    if (engine == NULL || ticket == NULL || jobs == NULL || count == 0) {
        status = monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine, jobs or ticket is NULL, or there is no job");
    } else if (shared == NULL) {
        status = monpro_fail(error, MONPRO_ERR_UNSUPPORTED,
                             "this engine takes no requests of RSA to finish later; gather:ENGINE does");
    } else {
        const monpro_work work = monpro_rsa_work(jobs, count, is_private, false, options);
        status = shared->submit(state, &work, descriptor, ticket, error);
    }
    for (size_t i = 0; status != MONPRO_OK && jobs != NULL && i < count; i++) {
        monpro_rsa_refuse(&jobs[i], status);
    }
    return status;
}

monpro_status monpro_rsa_private_submit(monpro_engine *engine, monpro_rsa_job *jobs, size_t count,
                                        const monpro_rsa_options *options, int descriptor, monpro_ticket *ticket,
                                        monpro_error *error)
{
    return submit(engine, jobs, count, true, options, descriptor, ticket, error);
}

monpro_status monpro_rsa_public_submit(monpro_engine *engine, monpro_rsa_job *jobs, size_t count,
                                       const monpro_rsa_options *options, int descriptor, monpro_ticket *ticket,
                                       monpro_error *error)
{
    return submit(engine, jobs, count, false, options, descriptor, ticket, error);
}

static monpro_status run_blocks(monpro_engine *engine, monpro_key *key, const uint8_t *in, uint8_t *out, size_t count,
                                bool is_private, const monpro_rsa_options *options, monpro_error *error)
{
    const bool lacks = engine == NULL || key == NULL || ((in == NULL || out == NULL) && count != 0);
    const size_t jobs_count = lacks ? 0 : count;
    monpro_rsa_job *jobs = jobs_count == 0 ? NULL : calloc(jobs_count, sizeof *jobs);
    for (size_t i = 0; jobs != NULL && i < count; i++) {
        jobs[i] = (monpro_rsa_job){.key = key, .in = in + i * key->size, .out = out + i * key->size};
    }
    /* Without jobs it sets error and counters to nothing. */
    monpro_status status =
        monpro_rsa_run(engine, jobs, jobs == NULL ? 0 : count, is_private, true, options, NULL, error);
    if (lacks) {
        status = monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine, key, in or out is NULL");
    } else if (jobs == NULL && count != 0) {
        status = monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for %u blocks", (unsigned)count);
    }
    free(jobs);
    if (status != MONPRO_OK && key != NULL && out != NULL) { /* without a key its length is unknown */
        monpro_wipe(out, count * key->size);
    }
    return status;
}

monpro_status monpro_rsa_private(monpro_engine *engine, monpro_key *key, const uint8_t *in, uint8_t *out, size_t count,
                                 const monpro_rsa_options *options, monpro_error *error)
{
    return run_blocks(engine, key, in, out, count, true, options, error);
}

monpro_status monpro_rsa_public(monpro_engine *engine, const monpro_key *key, const uint8_t *in, uint8_t *out,
                                size_t count, const monpro_rsa_options *options, monpro_error *error)
{
    /* Which changes no key. */
    return run_blocks(engine, (monpro_key *)(uintptr_t)key, in, out, count, false, options, error);
}
