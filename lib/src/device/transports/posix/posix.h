/* Transports that need an operating system.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_POSIX_H
#define MONPRO_POSIX_H

#include "engine/engine.h"
#include "monpro/transport.h"

/* Binds the functions of a model of a coprocessor, opened with dlopen(), and creates a simulation of it. `path` names it
 * in messages. `trace` is the file of its waveform, or NULL. Takes the library over, also on an error (closing it). */
monpro_status monpro_sim_transport(monpro_transport *transport, void *library, const char *path, const char *trace,
                                   monpro_error *error);

/* Maps the registers of a UIO device, or of a file that stands for one, and opens an engine on them. */
monpro_status monpro_uio_open(monpro_engine **engine, const char *path, const char *spec, monpro_error *error);

#endif
