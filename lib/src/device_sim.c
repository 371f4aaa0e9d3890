/* The transport to a simulated coprocessor: a model behind sim/monpro_sim.h, loaded into this process.
 *
 * "sim:NAME..." asks the program `monpro model` (or $MONPRO_PROGRAM) for the path of the model, which builds it if need
 * be; "sim:PATH.so" names a model that is there. Several models may be loaded at once: each is bound by its own handle,
 * none by name. */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "model_program.h"
#include "monpro_sim.h"
#include "status.h"

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
    if (s->library != NULL) {
        (void)dlclose(s->library);
    }
    free(s);
}

/* *function = the symbol. Copied as bytes: ISO C has no cast from an object pointer to a function pointer. */
static int find_function(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static monpro_status load(simulated *s, const char *path, const char *trace, monpro_error *error)
{
    s->library = dlopen(path, RTLD_LOCAL | RTLD_NOW);
    if (s->library == NULL) {
        return monpro_fail(error, MONPRO_ERR_BUILD, "the model cannot be loaded: %s", dlerror());
    }
    if (!find_function(s->library, "monpro_sim_abi", &s->abi) ||
        !find_function(s->library, "monpro_sim_create", &s->create) ||
        !find_function(s->library, "monpro_sim_destroy", &s->destroy) ||
        !find_function(s->library, "monpro_sim_write", &s->write) ||
        !find_function(s->library, "monpro_sim_read", &s->read) ||
        !find_function(s->library, "monpro_sim_wait", &s->wait)) {
        return monpro_fail(error, MONPRO_ERR_BUILD, "%s is no Monpro model: a function is missing", path);
    }
    const uint32_t abi = s->abi();
    if (abi != MONPRO_SIM_ABI) {
        return monpro_fail(error, MONPRO_ERR_BUILD, "%s has model interface %u; this library needs %u", path,
                           (unsigned)abi, (unsigned)MONPRO_SIM_ABI);
    }
    s->sim = s->create(trace);
    if (s->sim == NULL && trace != NULL) {
        return monpro_fail(error, MONPRO_ERR_FILE, "%s cannot be written, or the model was built without tracing", trace);
    }
    if (s->sim == NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the model");
    }
    return MONPRO_OK;
}

/* Splits "NAME,K=V,trace=FILE,K=V" in place: what is left is "NAME,K=V,K=V"; returns FILE, or NULL. */
static const char *take_trace(char *spec, char *trace, size_t size)
{
    static const char key[] = ",trace=";
    char *found = strstr(spec, key);
    if (found == NULL) {
        return NULL;
    }
    char *value = found + sizeof key - 1;
    char *end = value + strcspn(value, ",");
    const char after = *end;
    *end = '\0';
    monpro_copy_text(trace, size, value);
    *end = after;
    memmove(found, end, strlen(end) + 1);
    return trace;
}

monpro_status monpro_sim_open(monpro_engine **engine, const char *spec, monpro_error *error)
{
    enum { SPEC_SIZE = 4096 };
    char name[SPEC_SIZE], trace_buffer[SPEC_SIZE], path[SPEC_SIZE], full_spec[SPEC_SIZE];
    if (strlen(spec) >= SPEC_SIZE - sizeof "sim:") {
        return monpro_fail(error, MONPRO_ERR_PARAMETER, "the specification is longer than %u characters",
                           (unsigned)(SPEC_SIZE - sizeof "sim:"));
    }
    monpro_copy_text(name, sizeof name, spec);
    monpro_copy_text(full_spec, sizeof full_spec, "sim:");
    monpro_copy_text(full_spec + 4, sizeof full_spec - 4, spec);
    const char *trace = take_trace(name, trace_buffer, sizeof trace_buffer);
    if (strchr(name, '/') != NULL) {
        monpro_copy_text(path, sizeof path, name);
    } else {
        const monpro_status status = monpro_model_path(path, sizeof path, name, trace != NULL, error);
        if (status != MONPRO_OK) {
            return status;
        }
    }
    simulated *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the model");
    }
    const monpro_status status = load(s, path, trace, error);
    if (status != MONPRO_OK) {
        sim_close(s);
        return status;
    }
    const monpro_transport transport = {sim_read, sim_write, sim_wait, sim_close, s};
    return monpro_device_open(engine, &transport, full_spec, error);
}
