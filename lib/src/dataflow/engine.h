/* The engine over a dataflow kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_ENGINE_DATAFLOW_H
#define MONPRO_ENGINE_DATAFLOW_H

#include "dataflow/dataflow.h"
#include "engine/engine.h"

/* Takes the stream over, also on an error (closing it). */
monpro_status monpro_dataflow_engine_open(monpro_engine **engine, const monpro_stream *stream,
                                          monpro_dataflow_form form, const char *spec, monpro_error *error);

/* A model of a stream kernel that was opened with dlopen(): the stream to it. `path` and `trace` as for a coprocessor.
 * Takes the library over, also on an error (closing it). */
monpro_status monpro_dataflow_sim_open(monpro_stream *stream, void *library, const char *path, const char *trace,
                                       monpro_error *error);

#endif
