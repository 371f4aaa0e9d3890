/* The transport to a coprocessor that Linux shows as a UIO device: "uio:/dev/uio0". Its registers are mapped into this
 * process. STATUS is polled, because an interrupt costs more than most operations take. Whoever may open the file may
 * use the device. The kernel's uio_pdrv_genirq makes such a file for a node of the device tree
 * (boards/pynq_z2/monpro.dtso).
 *
 * The file stays open and locked (flock) as long as the engine is: two drivers on one device would overwrite each other's
 * operands. A child of fork() shares the lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock() */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "device/transports/mmio.h"
#include "device/transports/posix/posix.h"

#define REGISTER_BYTES 128u
#define ASSUMED_MHZ 100u /* time-outs are in cycles of a clock that Linux does not know */

typedef struct mapping {
    int file; /* open as long as the engine is: its lock keeps others out */
    void *memory;
    size_t size;
} mapping;

static uint64_t cycles(void *context)
{
    (void)context;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) / (1000u / ASSUMED_MHZ);
}

static void close_mapping(void *context)
{
    mapping *map = context;
    (void)munmap(map->memory, map->size);
    (void)close(map->file); /* and with it the lock */
    free(map);
}

monpro_status monpro_uio_open(monpro_engine **engine, const char *path, const char *spec, monpro_error *error)
{
    const int file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
    if (file < 0) {
        return monpro_fail(error, MONPRO_ERR_FILE, "%s: %s", path, strerror(errno));
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        const bool taken = errno == EWOULDBLOCK;
        (void)monpro_fail(error, MONPRO_ERR_FILE, "%s %s", path,
                          taken ? "is in use: another engine, of this process or another one, has it open"
                                : "cannot be locked");
        (void)close(file);
        return MONPRO_ERR_FILE;
    }
    mapping *map = calloc(1, sizeof *map);
    if (map == NULL) {
        (void)close(file);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the device's mapping");
    }
    map->file = file;
    map->size = (size_t)sysconf(_SC_PAGESIZE);
    map->memory = mmap(NULL, map->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const int why = errno;
    struct stat what;
    const bool short_file = fstat(file, &what) == 0 && S_ISREG(what.st_mode) && what.st_size < (off_t)REGISTER_BYTES;
    if (map->memory == MAP_FAILED) {
        (void)close(file);
        free(map);
        return monpro_fail(error, MONPRO_ERR_FILE, "%s cannot be mapped: %s", path, strerror(why));
    }
    if (short_file) { /* reading beyond the end would be fatal */
        close_mapping(map);
        return monpro_fail(error, MONPRO_ERR_DEVICE_ABSENT, "%s is a file of less than %u bytes", path,
                           (unsigned)REGISTER_BYTES);
    }
    const monpro_mmio mmio = {
        .registers = map->memory,
        .size = REGISTER_BYTES,
        .cycles = cycles,
        .close = close_mapping,
        .context = map,
    };
    return monpro_mmio_open(engine, &mmio, spec, error);
}
