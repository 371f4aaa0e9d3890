/* Which process this is: its number, and how many forks lie between it and the first process. The number alone is not
 * enough, because the system may use it again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "base/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_uint_least32_t forks;

static void count_fork(void)
{
    atomic_fetch_add(&forks, 1);
}

static void begin(void)
{
    (void)pthread_atfork(NULL, NULL, count_fork); /* without memory for it, the number is still there */
}

uint64_t monpro_process(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, begin);
    return (uint64_t)atomic_load(&forks) << 32 | (uint32_t)getpid();
}
