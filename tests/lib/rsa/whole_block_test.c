/* PKCS#1 v1.5 verification looks at the whole block. A signature over a block that differs from the right one in any
 * one byte is wrong. A block of another length is wrong, too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rsa/padding.h"
#include "test.h"

enum { BITS = 1024, SIZE = BITS / 8 };

static const uint8_t message[] = "the whole block";

int main(void)
{
    monpro_engine *engine = open_engine("soft");
    monpro_key *key = NULL;
    uint8_t block[SIZE], wrong[SIZE], signature[2 * SIZE] = {0};
    const monpro_rsa_options options = {.padding = MONPRO_PADDING_PKCS1};
    const monpro_rsa_settings settings = {.size = sizeof settings, .options = options};
    REQUIRE(monpro_key_generate(&key, BITS, 3, NULL)); /* small exponents are what forgers like */
    REQUIRE(monpro_padding_sign(key, &settings, message, sizeof message, block, NULL));
    REQUIRE(monpro_rsa_private(engine, key, block, signature, 1, NULL, NULL));
    REQUIRE(monpro_verify(engine, key, message, sizeof message, signature, SIZE, &options, NULL));
    for (size_t size = 0; size <= 2 * SIZE; size++) {
        EXPECT(size == SIZE ? MONPRO_OK : MONPRO_ERR_SIGNATURE,
               monpro_verify(engine, key, message, sizeof message, signature, size, &options, NULL));
    }
    for (size_t place = 0; place < SIZE; place++) {
        memcpy(wrong, block, SIZE);
        wrong[place] ^= 1;
        if (memcmp(wrong, key->n, SIZE) >= 0) { /* above the modulus nobody can sign it */
            continue;
        }
        REQUIRE(monpro_rsa_private(engine, key, wrong, signature, 1, NULL, NULL));
        EXPECT(MONPRO_ERR_SIGNATURE, monpro_verify(engine, key, message, sizeof message, signature, SIZE, &options, NULL));
    }
    monpro_key_free(key);
    monpro_engine_close(engine);
    return test_result();
}
