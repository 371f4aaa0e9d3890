/* Memory runs out at every allocation of every call with a key, libcrypto's and the library's own: for that allocation
 * alone, and for all that follow it. Each call then ends in MEMORY, or as it goes with memory enough. A private key is
 * never taken for a public one, and a right signature or ciphertext never for a wrong one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>

#include "key/key.h"
#include "test.h"

enum { BITS = 1024, MOST = 4000 };

/* ---- allocations --------------------------------------------------------------------------------------------- */

static long left = -1;      /* allocations that still succeed; below 0: all do */
static bool once, any_failed; /* once: after one failure all succeed again */

static bool fails(void)
{
    if (left == 0) {
        left = once ? -1 : 0;
        any_failed = true;
        return true;
    }
    left -= left > 0;
    return false;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

static void *crypto_malloc(size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    return fails() ? NULL : __real_malloc(size);
}

static void *crypto_realloc(void *memory, size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    return fails() ? NULL : realloc(memory, size);
}

static void crypto_free(void *memory, const char *file, int line)
{
    (void)file;
    (void)line;
    free(memory);
}

/* ---- calls --------------------------------------------------------------------------------------------------- */

static const uint8_t message[] = "every allocation fails once";
static monpro_engine *engine;
static monpro_key *key;
static uint8_t *encoded;
static size_t encoded_size;
static monpro_padding padding;
static uint8_t signature[BITS / 8], ciphertext[BITS / 8], out[BITS / 8];

static monpro_rsa_options options(void)
{
    const monpro_rsa_options made = {.padding = padding};
    return made;
}

static monpro_status read_private(void)
{
    monpro_key *read = NULL;
    const monpro_status status = monpro_key_read(&read, encoded, encoded_size, NULL, NULL);
    if (status == MONPRO_OK) {
        CHECK(read->is_private);
    }
    monpro_key_free(read);
    return status;
}

static monpro_status sign(void)
{
    const monpro_rsa_options chosen = options();
    size_t size = sizeof out;
    return monpro_sign(engine, key, message, sizeof message, out, &size, &chosen, NULL);
}

static monpro_status verify_signature(const uint8_t *given)
{
    const monpro_rsa_options chosen = options();
    return monpro_verify(engine, key, message, sizeof message, given, sizeof signature, &chosen, NULL);
}

static monpro_status verify(void)
{
    return verify_signature(signature);
}

static monpro_status verify_wrong(void)
{
    return verify_signature(ciphertext);
}

static monpro_status encrypt(void)
{
    const monpro_rsa_options chosen = options();
    size_t size = sizeof out;
    return monpro_encrypt(engine, key, message, sizeof message, out, &size, &chosen, NULL);
}

static monpro_status decrypt_block(const uint8_t *given)
{
    const monpro_rsa_options chosen = options();
    size_t size = sizeof out;
    const monpro_status status = monpro_decrypt(engine, key, given, sizeof ciphertext, out, &size, &chosen, NULL);
    CHECK(status != MONPRO_OK || (size == sizeof message && memcmp(out, message, size) == 0));
    return status;
}

static monpro_status decrypt(void)
{
    return decrypt_block(ciphertext);
}

static monpro_status decrypt_wrong(void)
{
    return decrypt_block(signature);
}

/* ---- */

/* Fails the first allocation, then the second, and so on, until a call has made none that failed. */
static void starve_so(const char *name, monpro_status (*call)(void), monpro_status normal)
{
    const char *const how = once ? "once" : "from then on";
    long count = 0, wrong = 0;
    EXPECT(normal, call()); /* what libcrypto keeps, it has now */
    for (;; count++) {
        left = count;
        any_failed = false;
        const monpro_status status = call();
        left = -1;
        if (status != MONPRO_ERR_MEMORY && status != normal) {
            if (wrong++ == 0) {
                fprintf(stderr, "%s, padding %d: allocation %ld failed %s: %s\n", name, (int)padding, count, how,
                        monpro_status_name(status));
            }
        }
        if (!any_failed || count > MOST) {
            break;
        }
    }
    CHECK(count > 0 && count <= MOST);
    CHECK(wrong == 0);
    printf("%s, padding %d: %ld allocations failed %s, %ld wrong\n", name, (int)padding, count, how, wrong);
}

static void starve(const char *name, monpro_status (*call)(void), monpro_status normal)
{
    once = true;
    starve_so(name, call, normal);
    once = false;
    starve_so(name, call, normal);
}

static void keep(uint8_t *kept, monpro_status status)
{
    REQUIRE(status);
    memcpy(kept, out, sizeof out);
}

int main(void)
{
    CHECK(CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) == 1);
    REQUIRE(monpro_engine_open(&engine, "soft", NULL));
    REQUIRE(monpro_key_generate(&key, BITS, 65537, NULL));
    encoded_size = 0;
    REQUIRE(monpro_key_write(key, MONPRO_KEY_PRIVATE_PKCS8, 1, NULL, NULL, &encoded_size, NULL));
    encoded = malloc(encoded_size);
    REQUIRE(monpro_key_write(key, MONPRO_KEY_PRIVATE_PKCS8, 1, NULL, encoded, &encoded_size, NULL));
    starve("read", read_private, MONPRO_OK);
    static const monpro_padding of_signatures[] = {MONPRO_PADDING_PKCS1, MONPRO_PADDING_PSS};
    static const monpro_padding of_encryption[] = {MONPRO_PADDING_PKCS1, MONPRO_PADDING_OAEP};
    for (size_t i = 0; i < 2; i++) {
        padding = of_encryption[i];
        keep(ciphertext, encrypt());
        padding = of_signatures[i];
        keep(signature, sign());
        starve("sign", sign, MONPRO_OK);
        starve("verify", verify, MONPRO_OK);
        starve("verify a wrong one", verify_wrong, MONPRO_ERR_SIGNATURE);
        padding = of_encryption[i];
        starve("encrypt", encrypt, MONPRO_OK);
        starve("decrypt", decrypt, MONPRO_OK);
        starve("decrypt a wrong one", decrypt_wrong, MONPRO_ERR_DECRYPT);
    }
    free(encoded);
    monpro_key_free(key);
    monpro_engine_close(engine);
    return test_result();
}
