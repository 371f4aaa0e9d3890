/* Blinding over fork(): after two forks each child blinds by a factor of its own, and so does the parent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "key/blinding.h"
#include "key/key.h"
#include "test.h"

enum { ROUNDS = 20, SIDES = 3 };

static monpro_key *key;

/* The next factor of this process, through a pipe where it is a child. */
static void take(monpro_limb *factor)
{
    monpro_limb inverse[MONPRO_MAX_LIMBS];
    REQUIRE(monpro_blinding_take(key, factor, inverse, NULL));
}

static void take_in_a_child(monpro_limb *factor, size_t size)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        take(factor);
        _exit(write(ends[1], factor, size) == (ssize_t)size ? 0 : 1);
    }
    int status = 1;
    CHECK(child > 0 && read(ends[0], factor, size) == (ssize_t)size);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

int main(void)
{
    monpro_limb factors[SIDES][MONPRO_MAX_LIMBS];
    REQUIRE(monpro_key_generate(&key, 1024, 65537, NULL));
    const size_t size = key->mont_n.limbs * sizeof(monpro_limb);
    for (int round = 0; round < ROUNDS; round++) {
        take(factors[0]); /* there is a pair when the forks come */
        take_in_a_child(factors[0], size);
        take_in_a_child(factors[1], size);
        take(factors[2]);
        CHECK(memcmp(factors[0], factors[1], size) != 0);
        CHECK(memcmp(factors[0], factors[2], size) != 0);
        CHECK(memcmp(factors[1], factors[2], size) != 0);
    }
    monpro_key_free(key);
    return test_result();
}
