/* Random bytes come from libcrypto's private generator, which the system seeds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"

#include <openssl/err.h>
#include <openssl/rand.h>

#include "base/status.h"

monpro_status monpro_random(uint8_t *bytes, size_t size, monpro_error *error)
{
    (void)ERR_set_mark();
    const int got = RAND_priv_bytes(bytes, (int)size);
    (void)ERR_pop_to_mark();
    if (got != 1) {
        return monpro_fail(error, MONPRO_ERR_RANDOM, "libcrypto's generator gave no random bytes");
    }
    return MONPRO_OK;
}
