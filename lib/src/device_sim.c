/* The transport to a simulated coprocessor: a model behind sim/monpro_sim.h, loaded into this process. (A model of a
 * stream kernel is found here as well; dataflow_sim.c goes on with it.)
 *
 * "sim:NAME..." asks the program `monpro model` (or $MONPRO_PROGRAM) for the path of the model, which builds it if need
 * be; "sim:PATH.so" names a model that is there. Several models may be loaded at once: each is bound by its own handle,
 * none by name. */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "engine_dataflow.h"
#include "model_program.h"
#include "monpro_sim.h"
#include "sim_library.h"
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

/* Splits "NAME,K=V,trace=FILE,K=V" in place, for the key ",trace=": what is left is "NAME,K=V,K=V"; returns FILE, or
 * NULL. */
static const char *take_option(char *spec, const char *key, char *option, size_t size)
{
    char *found = strstr(spec, key);
    if (found == NULL) {
        return NULL;
    }
    char *value = found + strlen(key);
    char *end = value + strcspn(value, ",");
    const char after = *end;
    *end = '\0';
    monpro_copy_text(option, size, value);
    *end = after;
    memmove(found, end, strlen(end) + 1);
    return option;
}

static monpro_status open_stream(monpro_engine **engine, void *library, const char *path, const char *trace,
                                 const char *form, const char *full_spec, monpro_error *error)
{
    const char letter = form == NULL ? 'c' : form[0];
    monpro_stream stream;
    if (letter < 'a' || letter > 'f' || (form != NULL && form[1] != '\0')) {
        (void)dlclose(library);
        return monpro_fail(error, MONPRO_ERR_PARAMETER, "no form \"%s\" of products; there are: a, b, c, d, e, f",
                           form);
    }
    const monpro_status status = monpro_dataflow_sim_open(&stream, library, path, trace, error);
    return status != MONPRO_OK ? status
                               : monpro_dataflow_engine_open(engine, &stream, (monpro_dataflow_form)(letter - 'a'),
                                                             full_spec, error);
}

monpro_status monpro_sim_open(monpro_engine **engine, const char *spec, monpro_error *error)
{
    enum { SPEC_SIZE = 4096 };
    char name[SPEC_SIZE], trace_buffer[SPEC_SIZE], path[SPEC_SIZE], full_spec[SPEC_SIZE], form_buffer[SPEC_SIZE];
    if (strlen(spec) >= SPEC_SIZE - sizeof "sim:") {
        return monpro_fail(error, MONPRO_ERR_PARAMETER, "the specification is longer than %u characters",
                           (unsigned)(SPEC_SIZE - sizeof "sim:"));
    }
    monpro_copy_text(name, sizeof name, spec);
    monpro_copy_text(full_spec, sizeof full_spec, "sim:");
    monpro_copy_text(full_spec + 4, sizeof full_spec - 4, spec);
    const char *trace = take_option(name, ",trace=", trace_buffer, sizeof trace_buffer);
    const char *form = take_option(name, ",form=", form_buffer, sizeof form_buffer);
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
    void *library = s->library = dlopen(path, RTLD_LOCAL | RTLD_NOW);
    if (library == NULL) {
        free(s);
        return monpro_fail(error, MONPRO_ERR_BUILD, "the model cannot be loaded: %s", dlerror());
    }
    if (dlsym(library, "monpro_sim_stream_abi") != NULL) {
        free(s);
        return open_stream(engine, library, path, trace, form, full_spec, error);
    }
    if (form != NULL) {
        sim_close(s);
        return monpro_fail(error, MONPRO_ERR_PARAMETER, "form is for a design with streams");
    }
    const monpro_status status = load(s, path, trace, error);
    if (status != MONPRO_OK) {
        sim_close(s);
        return status;
    }
    const monpro_transport transport = {sim_read, sim_write, sim_wait, sim_close, s};
    return monpro_device_open(engine, &transport, full_spec, error);
}
