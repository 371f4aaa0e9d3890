/* Functions of a model that was opened with dlopen().
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SIM_LIBRARY_H
#define MONPRO_SIM_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

/* *function = the symbol. Copied as bytes: ISO C has no cast from an object pointer to a function pointer. */
static inline bool monpro_sim_function(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* What is said of a model that lacks a function, and of one with another interface. */
static inline monpro_status monpro_sim_missing(const char *path, monpro_error *error)
{
    return monpro_fail(error, MONPRO_ERR_BUILD, "%s is no Monpro model: a function is missing", path);
}

static inline monpro_status monpro_sim_check_abi(const char *path, uint32_t abi, uint32_t needed, monpro_error *error)
{
    return abi == needed ? MONPRO_OK
                         : monpro_fail(error, MONPRO_ERR_BUILD, "%s has model interface %u; this library needs %u", path,
                                       (unsigned)abi, (unsigned)needed);
}

/* What it means that a model could not be created. */
static inline monpro_status monpro_sim_check_created(const void *sim, const char *trace, monpro_error *error)
{
    if (sim == NULL && trace != NULL) {
        return monpro_fail(error, MONPRO_ERR_FILE, "%s cannot be written, or the model was built without tracing", trace);
    }
    return sim != NULL ? MONPRO_OK : monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the model");
}

#endif
