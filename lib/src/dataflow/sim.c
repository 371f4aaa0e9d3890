/* The stream to a simulated kernel: a model behind sim/monpro_sim_stream.h, loaded into this process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "dataflow/engine.h"
#include "model/library.h"

typedef struct simulated {
    void *library;
    monpro_sim_stream *sim;
    /* The functions of the model, by their names in monpro_sim_stream.h. */
    uint32_t (*abi)(void);
    uint32_t (*lanes)(void);
    uint32_t (*digits)(void);
    monpro_sim_stream *(*create)(const char *trace_path);
    void (*destroy)(monpro_sim_stream *sim);
    void (*reset)(monpro_sim_stream *sim);
    void (*transfer)(monpro_sim_stream *sim, monpro_sim_transfer *transfer);
    uint64_t (*cycles)(const monpro_sim_stream *sim);
} simulated;

static void sim_transfer(void *context, monpro_sim_transfer *transfer)
{
    const simulated *s = context;
    s->transfer(s->sim, transfer);
}

static void sim_reset(void *context)
{
    const simulated *s = context;
    s->reset(s->sim);
}

static uint64_t sim_cycles(void *context)
{
    const simulated *s = context;
    return s->cycles(s->sim);
}

static void sim_close(void *context)
{
    simulated *s = context;
    if (s->sim != NULL) {
        s->destroy(s->sim);
    }
    (void)dlclose(s->library);
    free(s);
}

static monpro_status bind(simulated *s, const char *path, const char *trace, monpro_error *error)
{
    if (!monpro_sim_function(s->library, "monpro_sim_stream_abi", &s->abi) ||
        !monpro_sim_function(s->library, "monpro_sim_stream_lanes", &s->lanes) ||
        !monpro_sim_function(s->library, "monpro_sim_stream_digits", &s->digits) ||
        !monpro_sim_function(s->library, "monpro_sim_stream_create", &s->create) ||
        !monpro_sim_function(s->library, "monpro_sim_stream_destroy", &s->destroy) ||
        !monpro_sim_function(s->library, "monpro_sim_stream_reset", &s->reset) ||
        !monpro_sim_function(s->library, "monpro_sim_stream_transfer", &s->transfer) ||
        !monpro_sim_function(s->library, "monpro_sim_stream_cycles", &s->cycles)) {
        return monpro_sim_missing(path, error);
    }
    MONPRO_TRY(monpro_sim_check_abi(path, s->abi(), MONPRO_SIM_STREAM_ABI, error));
    const uint32_t lanes = s->lanes(), digits = s->digits();
    if (lanes == 0 || lanes > MONPRO_DATAFLOW_MAX_LANES || digits == 0 || digits > MONPRO_DATAFLOW_MAX_DIGITS) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "impossible parameters: %u lanes, %u digits",
                           (unsigned)lanes, (unsigned)digits);
    }
    s->sim = s->create(trace);
    return monpro_sim_check_created(s->sim, trace, error);
}

monpro_status monpro_dataflow_sim_open(monpro_stream *stream, void *library, const char *path, const char *trace,
                                       monpro_error *error)
{
    simulated *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)dlclose(library);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the model");
    }
    s->library = library;
    const monpro_status status = bind(s, path, trace, error);
    if (status != MONPRO_OK) {
        sim_close(s);
        return status;
    }
    *stream = (monpro_stream){.lanes = s->lanes(), .max_digits = s->digits(), .transfer = sim_transfer,
                              .reset = sim_reset, .cycles = sim_cycles, .close = sim_close, .context = s};
    return MONPRO_OK;
}
