/* Opening a simulated design. Its model is found or built, and bound as what it is: a coprocessor or a kernel of
 * streams.
 *
 * "NAME..." asks the program `monpro model` (or $MONPRO_PROGRAM) for the path of the model, and that program builds it
 * if need be. "PATH.so" names a model that is there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "open/sim.h"

#include <dlfcn.h>
#include <string.h>

#include "base/status.h"
#include "dataflow/engine.h"
#include "device/transports/posix/posix.h"
#include "model/program.h"
#include "monpro/transport.h"

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
    void *library = dlopen(path, RTLD_LOCAL | RTLD_NOW);
    if (library == NULL) {
        return monpro_fail(error, MONPRO_ERR_BUILD, "the model cannot be loaded: %s", dlerror());
    }
    if (dlsym(library, "monpro_sim_stream_abi") != NULL) {
        return open_stream(engine, library, path, trace, form, full_spec, error);
    }
    if (form != NULL) {
        (void)dlclose(library);
        return monpro_fail(error, MONPRO_ERR_PARAMETER, "form is for a design with streams");
    }
    monpro_transport transport;
    MONPRO_TRY(monpro_sim_transport(&transport, library, path, trace, error));
    return monpro_device_open(engine, &transport, full_spec, error);
}
