/* Opening an engine by its name: the one place that knows all implementations.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/status.h"
#include "device/transports/posix/posix.h"
#include "engine/soft.h"
#include "gather/gather.h"
#include "lanes/engine.h"
#include "open/sim.h"

monpro_status monpro_engine_open(monpro_engine **engine, const char *spec, monpro_error *error)
{
    monpro_error_reset(error);
    if (engine == NULL || spec == NULL) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "engine or spec is NULL");
    }
    *engine = NULL;
    if (strcmp(spec, "soft") == 0) {
        return monpro_soft_open(engine, error);
    }
    if (strcmp(spec, "lanes") == 0 || strncmp(spec, "lanes:", 6) == 0) {
        return monpro_lanes_open(engine, spec[5] == ':' ? spec + 6 : "", error);
    }
    if (strncmp(spec, "sim:", 4) == 0) {
        return monpro_sim_open(engine, spec + 4, error);
    }
    if (strncmp(spec, "uio:", 4) == 0) {
        return monpro_uio_open(engine, spec + 4, spec, error);
    }
    if (strncmp(spec, "gather:", 7) == 0) {
        return monpro_gather_open(engine, spec + 7, monpro_engine_open, error);
    }
    return monpro_fail(error, MONPRO_ERR_ENGINE, "no engine \"%s\"; there are: soft, lanes[:parameter=value...], "
                       "sim:DESIGN[,parameter=value...], uio:DEVICE, gather:ENGINE[,most=N][,wait_us=N]", spec);
}
