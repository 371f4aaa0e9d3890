/* Counters in shared memory: children of a process count into the same numbers, and with a file so do other processes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_NOFOLLOW, MAP_ANONYMOUS */

#include <errno.h>
#include <fcntl.h>
#include <openssl/params.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "provider.h"

static const char file_head[24] = "monpro provider stat 1\n";
static const char *const names[] = {
#define X(name, text) text,
    PROVIDER_COUNTERS(X)
#undef X
};

/* An open file of the right length, which is ours or empty; -1 with errno. */
static int open_file(const char *path)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    struct stat about;
    char head[sizeof file_head];
    if (fd < 0) {
        return -1;
    }
    int flaw = fstat(fd, &about) != 0 ? errno : 0;
    if (flaw == 0 && !S_ISREG(about.st_mode)) {
        flaw = EINVAL;
    }
    if (flaw == 0 && about.st_size != 0 && (about.st_size != (off_t)sizeof(counters) ||
        pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head ||
        (head[0] != '\0' && memcmp(head, file_head, sizeof head) != 0))) {
        flaw = EEXIST; /* somebody's file, which stays as it is */
    }
    if (flaw == 0 && ftruncate(fd, sizeof(counters)) != 0) {
        flaw = errno;
    }
    if (flaw != 0) {
        (void)close(fd);
        errno = flaw;
        return -1;
    }
    return fd;
}

counters *counters_open(const char *path)
{
    const int fd = path == NULL ? -1 : open_file(path);
    if (path != NULL && fd < 0) {
        return NULL;
    }
    counters *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
    if (fd >= 0) {
        (void)close(fd);
    }
    if (all == MAP_FAILED) {
        return NULL;
    }
    memcpy(all->head, file_head, sizeof all->head);
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        memcpy(all->of[i].name, names[i], strlen(names[i]));
    }
    return all;
}

void counters_close(counters *all)
{
    if (all != NULL) {
        (void)munmap(all, sizeof *all);
    }
}

const OSSL_PARAM *counters_gettable(void)
{
    static const OSSL_PARAM list[] = {
        OSSL_PARAM_utf8_ptr("name", NULL, 0),
        OSSL_PARAM_utf8_ptr("version", NULL, 0),
        OSSL_PARAM_utf8_ptr("buildinfo", NULL, 0),
        OSSL_PARAM_int("status", NULL),
#define X(name, text) OSSL_PARAM_uint64(text, NULL),
        PROVIDER_COUNTERS(X)
#undef X
        OSSL_PARAM_END
    };
    return list;
}

int counters_get(const counters *all, OSSL_PARAM params[])
{
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        OSSL_PARAM *const wanted = OSSL_PARAM_locate(params, names[i]);
        if (wanted != NULL && !OSSL_PARAM_set_uint64(wanted, atomic_load(&all->of[i].value))) {
            return 0;
        }
    }
    return 1;
}
