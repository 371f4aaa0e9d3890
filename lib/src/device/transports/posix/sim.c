/* The transport to a simulated coprocessor: a model behind sim/monpro_sim.h, loaded into this process. Several models
 * may be loaded at once. Each is bound by its own handle, none by name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <stdlib.h>

#include "base/status.h"
#include "device/transports/posix/posix.h"
#include "model/library.h"
#include "monpro_sim.h"

_Static_assert(MONPRO_BUS_SLVERR == (int)MONPRO_SIM_SLVERR && MONPRO_BUS_DECERR == (int)MONPRO_SIM_DECERR &&
                   MONPRO_BUS_HANG == (int)MONPRO_SIM_HANG,
               "the transport's results are the simulator's");

typedef struct simulated {
    void *library;
    monpro_sim *sim;
    /* The functions of the model, by their names in monpro_sim.h. */
    uint32_t (*abi)(void);
    monpro_sim *(*create)(const char *trace_path);
    void (*destroy)(monpro_sim *sim);
    int (*write)(monpro_sim *sim, uint32_t address, uint32_t value);
    int (*read)(monpro_sim *sim, uint32_t address, uint32_t *value);
    uint64_t (*wait)(monpro_sim *sim, uint64_t cycles);
} simulated;

static monpro_bus sim_read(void *context, uint32_t address, uint32_t *value)
{
    const simulated *s = context;
    return (monpro_bus)s->read(s->sim, address, value);
}

static monpro_bus sim_write(void *context, uint32_t address, uint32_t value)
{
    const simulated *s = context;
    return (monpro_bus)s->write(s->sim, address, value);
}

static uint64_t sim_wait(void *context, uint64_t cycles)
{
    const simulated *s = context;
    return s->wait(s->sim, cycles);
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

static monpro_status load(simulated *s, const char *path, const char *trace, monpro_error *error)
{
    if (!monpro_sim_function(s->library, "monpro_sim_abi", &s->abi) ||
        !monpro_sim_function(s->library, "monpro_sim_create", &s->create) ||
        !monpro_sim_function(s->library, "monpro_sim_destroy", &s->destroy) ||
        !monpro_sim_function(s->library, "monpro_sim_write", &s->write) ||
        !monpro_sim_function(s->library, "monpro_sim_read", &s->read) ||
        !monpro_sim_function(s->library, "monpro_sim_wait", &s->wait)) {
        return monpro_sim_missing(path, error);
    }
    MONPRO_TRY(monpro_sim_check_abi(path, s->abi(), MONPRO_SIM_ABI, error));
    s->sim = s->create(trace);
    return monpro_sim_check_created(s->sim, trace, error);
}

monpro_status monpro_sim_transport(monpro_transport *transport, void *library, const char *path, const char *trace,
                                   monpro_error *error)
{
    simulated *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)dlclose(library);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the model");
    }
    s->library = library;
    const monpro_status status = load(s, path, trace, error);
    if (status != MONPRO_OK) {
        sim_close(s);
        return status;
    }
    *transport = (monpro_transport){sim_read, sim_write, sim_wait, sim_close, s};
    return MONPRO_OK;
}
