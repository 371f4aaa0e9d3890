/* Filling in a monpro_error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_STATUS_H
#define MONPRO_STATUS_H

#include "monpro/monpro.h"

#if defined(__GNUC__)
#define MONPRO_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define MONPRO_FORMAT(text, first)
#endif

/* Writes the status and the sentence into error, if there is one, and returns the status, so that a check reads
 * `return monpro_fail(error, MONPRO_ERR_..., "...")`. The format knows %s, %u and %08x only: it has to work on bare
 * metal. What is too long is cut. */
monpro_status monpro_fail(monpro_error *error, monpro_status status, const char *format, ...) MONPRO_FORMAT(3, 4);

/* A step of a function that ends with the first failure. */
#define MONPRO_TRY(call) \
    do { \
        const monpro_status try_status = (call); \
        if (try_status != MONPRO_OK) { \
            return try_status; \
        } \
    } while (0)

/* Starts a call: no error yet. */
void monpro_error_reset(monpro_error *error);

#endif
