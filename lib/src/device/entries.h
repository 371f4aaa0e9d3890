/* The program of a device with entries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_ENTRIES_H
#define MONPRO_ENTRIES_H

#include "device/access.h"

/* Starts an operation, and goes a step on with it: as begin() and advance() of monpro_engine_ops. */
monpro_status monpro_device_start_products(monpro_device *dev, const monpro_operation *operation, monpro_error *error);
monpro_status monpro_device_step_products(monpro_device *dev, const monpro_operation *operation, uint64_t until,
                                          bool *finished, monpro_counters *counters, monpro_error *error);

#endif
