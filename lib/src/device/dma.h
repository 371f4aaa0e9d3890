/* The program of a device with streams: operations go as packets, by a DMA engine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_DMA_H
#define MONPRO_DMA_H

#include "device/access.h"

/* Starts an operation, and goes a step on with it: as begin() and advance() of monpro_engine_ops. */
monpro_status monpro_device_start_packets(monpro_device *dev, const monpro_operation *operation, monpro_error *error);
monpro_status monpro_device_step_packets(monpro_device *dev, const monpro_operation *operation, uint64_t until,
                                         bool *finished, monpro_counters *counters, monpro_error *error);

/* Stops an operation under way, and wipes its buffers. The device is left in doubt. */
void monpro_device_stop_packets(monpro_device *dev);

#endif
