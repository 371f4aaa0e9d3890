/* The specification of an engine `gather`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gather/posix/spec.h"

#include <stdbool.h>
#include <string.h>

#include "base/status.h"

enum { DEFAULT_MOST = 64, LARGEST_MOST = 4096, LONGEST_WAIT_US = 1000000 };

static monpro_status parse_number(const char *text, size_t length, uint64_t least, uint64_t largest, uint64_t *number,
                                  monpro_error *error)
{
    uint64_t value = 0;
    bool good = length > 0;
    for (size_t i = 0; i < length && good; i++) {
        good = text[i] >= '0' && text[i] <= '9' && value <= largest;
        value = 10 * value + (uint64_t)(text[i] - '0');
    }
    if (!good || value < least || value > largest) {
        return monpro_fail(error, MONPRO_ERR_PARAMETER, "gather: most can be 1 to %u, and wait_us 0 to %u",
                           (unsigned)LARGEST_MOST, (unsigned)LONGEST_WAIT_US);
    }
    *number = value;
    return MONPRO_OK;
}

monpro_status monpro_gather_parse(monpro_gather_spec *into, const char *spec, monpro_error *error)
{
    uint64_t most = DEFAULT_MOST;
    size_t used = 0;
    for (const char *part = spec; *part != '\0';) {
        const size_t length = strcspn(part, ",");
        if (strncmp(part, "most=", 5) == 0) {
            MONPRO_TRY(parse_number(part + 5, length - 5, 1, LARGEST_MOST, &most, error));
        } else if (strncmp(part, "wait_us=", 8) == 0) {
            MONPRO_TRY(parse_number(part + 8, length - 8, 0, LONGEST_WAIT_US, &into->wait_us, error));
        } else if (used + length + 2 > sizeof into->inner) {
            return monpro_fail(error, MONPRO_ERR_PARAMETER, "gather: the engine inside has a name that is too long");
        } else {
            if (used != 0) {
                into->inner[used++] = ',';
            }
            memcpy(&into->inner[used], part, length);
            used += length;
        }
        part += length + (part[length] == ',');
    }
    if (used == 0 || strncmp(into->inner, "gather:", 7) == 0) {
        return monpro_fail(error, MONPRO_ERR_ENGINE, "gather:ENGINE[,most=N][,wait_us=N] has one engine inside, such as "
                           "gather:lanes, which does not gather");
    }
    into->most = (size_t)most;
    return MONPRO_OK;
}
