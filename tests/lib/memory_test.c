/* Every allocation of the library fails once. MEMORY comes back, nothing leaks or crashes (the sanitizers watch), and
 * the next call works. What the library frees holds no secret number of the key and no half of a result. The linker
 * puts these functions before malloc, calloc and free (--wrap).
 *
 *   memory_test PATH-OF-THE-FAKE-MODEL
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <malloc.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <unistd.h>

#include "key/key.h"
#include "test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __real_free(void *memory);
void __wrap_free(void *memory);

static long allocations_left = -1; /* negative: no limit */

static bool refuse(void)
{
    if (allocations_left < 0) {
        return false;
    }
    if (allocations_left == 0) {
        return true;
    }
    allocations_left--;
    return false;
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

/* The low ends of p, q, dP, dQ, qInv and the result modulo each prime: as bytes, and as limbs are stored. */
enum { NUMBERS = 5, SECRETS = 2 * (NUMBERS + 2), SECRET_BYTES = 16, PRIME_BYTES = 64 };
static uint8_t secrets[SECRETS][SECRET_BYTES], p_bytes[PRIME_BYTES];
static bool watching;
static long watched_bytes;

void __wrap_free(void *memory)
{
    if (watching && memory != NULL) {
        const uint8_t *bytes = memory;
        const size_t size = malloc_usable_size(memory);
        watched_bytes += (long)size;
        for (size_t i = 0; i + SECRET_BYTES <= size; i++) {
            for (size_t j = 0; j < SECRETS; j++) {
                if (memcmp(bytes + i, secrets[j], SECRET_BYTES) == 0) {
                    fprintf(stderr, "secret %zu is at %zu of %zu bytes that are freed\n", j, i, size);
                    test_failures++;
                }
            }
        }
    }
    __real_free(memory);
}

static char device[1000]; /* an engine's specification: the fake model, with the CRT */
static monpro_engine *engine;
static monpro_key *key, *other_key;
static uint8_t der[4096], block[128], out[128];
static size_t der_size = sizeof der;

static monpro_status open_soft(void)
{
    monpro_engine *other = NULL;
    const monpro_status status = monpro_engine_open(&other, "soft", NULL);
    monpro_engine_close(other);
    return status;
}

static monpro_status open_sim(void)
{
    monpro_engine *other = NULL;
    const monpro_status status = monpro_engine_open(&other, device, NULL);
    monpro_engine_close(other);
    return status;
}

static monpro_status read_key(void)
{
    monpro_key *other = NULL;
    const monpro_status status = monpro_key_read(&other, der, der_size, NULL, NULL);
    monpro_key_free(other);
    return status;
}

static monpro_status read_file(void)
{
    monpro_key *other = NULL;
    return monpro_key_read_file(&other, "/dev/null", NULL, NULL);
}

static monpro_status private_operation(void)
{
    memset(out, 0xa5, sizeof out);
    const monpro_status status = monpro_rsa_private(engine, key, block, out, 1, NULL, NULL);
    CHECK(all_zero(out, sizeof out) == (status != MONPRO_OK));
    return status;
}

static monpro_status device_operation(void)
{
    monpro_engine *fake = NULL;
    monpro_status status = monpro_engine_open(&fake, device, NULL);
    memset(out, 0xa5, sizeof out);
    if (status == MONPRO_OK) {
        status = monpro_rsa_private(fake, key, block, out, 1, NULL, NULL);
        CHECK(all_zero(out, sizeof out) == (status != MONPRO_OK));
    }
    monpro_engine_close(fake);
    return status;
}

static monpro_status public_operation(void)
{
    memset(out, 0xa5, sizeof out);
    const monpro_status status = monpro_rsa_public(engine, key, block, out, 1, NULL, NULL);
    CHECK(all_zero(out, sizeof out) == (status != MONPRO_OK));
    return status;
}

static monpro_status batch_of_both(monpro_status (*call)(monpro_engine *, monpro_rsa_job *, size_t,
                                                         const monpro_rsa_options *, monpro_error *))
{
    uint8_t others[sizeof out];
    monpro_rsa_job jobs[2] = {{.key = key, .in = block, .out = out}, {.key = other_key, .in = block, .out = others}};
    memset(out, 0xa5, sizeof out);
    memset(others, 0xa5, sizeof others);
    const monpro_status status = call(engine, jobs, 2, NULL, NULL);
    CHECK(all_zero(out, sizeof out) == (jobs[0].status != MONPRO_OK));
    CHECK(all_zero(others, sizeof others) == (jobs[1].status != MONPRO_OK));
    CHECK(status == (jobs[0].status != MONPRO_OK ? jobs[0].status : jobs[1].status));
    return status;
}

static monpro_status private_batch(void)
{
    return batch_of_both(monpro_rsa_private_batch);
}

static monpro_status public_batch(void)
{
    return batch_of_both(monpro_rsa_public_batch);
}

/* Fails the first allocation, then the second, and so on, until the call goes as it goes with memory enough. */
static void starve(const char *name, monpro_status (*call)(void), monpro_status normal, long at_least)
{
    long failures = 0;
    for (;; failures++) {
        allocations_left = failures;
        const monpro_status status = call();
        allocations_left = -1;
        if (status == normal) {
            break;
        }
        EXPECT(MONPRO_ERR_MEMORY, status);
        if (failures > 100) {
            break;
        }
    }
    if (failures < at_least || failures > 100) {
        fprintf(stderr, "%s: %ld allocations failed\n", name, failures);
        test_failures++;
    }
}

static void take_secret(size_t index, const BIGNUM *value)
{
    uint8_t bytes[PRIME_BYTES];
    CHECK(BN_bn2binpad(value, bytes, PRIME_BYTES) == PRIME_BYTES);
    memcpy(secrets[2 * index], bytes + PRIME_BYTES - SECRET_BYTES, SECRET_BYTES);
    CHECK(BN_bn2lebinpad(value, bytes, PRIME_BYTES) == PRIME_BYTES);
    memcpy(secrets[2 * index + 1], bytes, SECRET_BYTES);
}

/* `out` holds a result. */
static void take_secrets(void)
{
    static const char *const names[NUMBERS] = {OSSL_PKEY_PARAM_RSA_FACTOR1, OSSL_PKEY_PARAM_RSA_FACTOR2,
                                               OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
                                               OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
    const unsigned char *from = der;
    EVP_PKEY *pkey = d2i_AutoPrivateKey(NULL, &from, (long)der_size);
    BN_CTX *context = BN_CTX_new();
    BIGNUM *power = BN_bin2bn(out, sizeof out, NULL), *half = BN_new();
    for (size_t i = 0; i < NUMBERS; i++) {
        BIGNUM *number = NULL;
        CHECK(EVP_PKEY_get_bn_param(pkey, names[i], &number) == 1);
        take_secret(i, number);
        if (i < 2) {
            BN_mod(half, power, number, context);
            take_secret(NUMBERS + i, half);
        }
        if (i == 0) {
            CHECK(BN_bn2binpad(number, p_bytes, PRIME_BYTES) == PRIME_BYTES);
        }
        BN_free(number);
    }
    BN_free(half);
    BN_free(power);
    BN_CTX_free(context);
    EVP_PKEY_free(pkey);
}

/* Everything the library does with a private key, from reading it from a file to closing the engine. The halves of the
 * result are known in advance only without blinding. */
static void test_freed_memory(const char *mode)
{
    (void)setenv("MONPRO_FAKE", mode, 1);
    const monpro_rsa_options options = {.no_blinding = 1};
    const uint8_t one = 1;
    uint8_t result[PRIME_BYTES], wrong[sizeof block];
    char path[] = "/tmp/memory_test.XXXXXX";
    const int file = mkstemp(path);
    monpro_key *other = NULL;
    CHECK(file >= 0 && write(file, der, der_size) == (ssize_t)der_size && close(file) == 0);
    REQUIRE(monpro_rsa_private(engine, key, block, out, 1, NULL, NULL));
    take_secrets();
    monpro_job job = {.modulus = p_bytes, .modulus_len = PRIME_BYTES, .base = &one, .base_len = 1,
                      .exponent = &one, .exponent_len = 1, .result = result, .result_len = sizeof result};
    watching = true;
    monpro_engine *soft = open_engine("soft");
    EXPECT(MONPRO_OK, monpro_key_read_file(&other, path, NULL, NULL));
    EXPECT(MONPRO_OK, monpro_rsa_private(soft, other, block, out, 1, &options, NULL));
    EXPECT(MONPRO_OK, monpro_modexp_batch(soft, &job, 1, NULL));
    key->dp[PRIME_BYTES - 1] ^= 2; /* of a wrong half the other is as secret as ever */
    monpro_rsa_job jobs[2] = {{.key = other, .in = block, .out = out}, {.key = key, .in = block, .out = wrong}};
    EXPECT(MONPRO_ERR_CHECK, monpro_rsa_private_batch(soft, jobs, 2, &options, NULL));
    key->dp[PRIME_BYTES - 1] ^= 2;
    CHECK(jobs[0].status == MONPRO_OK);
    monpro_engine_close(soft);
    monpro_engine *fake = open_engine(device);
    EXPECT(MONPRO_OK, monpro_rsa_private(fake, other, block, out, 1, &options, NULL));
    monpro_engine_close(fake);
    fake = open_engine(device);
    EXPECT(MONPRO_OK, monpro_modexp_batch(fake, &job, 1, NULL)); /* the driver still knows p when it is closed */
    monpro_engine_close(fake);
    monpro_key_free(other);
    watching = false;
    CHECK(watched_bytes > 10000);
    CHECK(remove(path) == 0);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: memory_test FAKE-MODEL\n");
        return 2;
    }
    (void)snprintf(device, sizeof device, "sim:%s", argv[1]);
    (void)setenv("MONPRO_FAKE", "crt", 1);
    engine = open_engine("soft");
    block[127] = 5;
    REQUIRE(monpro_key_generate(&key, 1024, 65537, NULL));
    REQUIRE(monpro_key_generate(&other_key, 1024, 3, NULL));
    REQUIRE(monpro_key_write(key, MONPRO_KEY_PRIVATE_PKCS8, 1, NULL, der, &der_size, NULL));
    starve("open_soft", open_soft, MONPRO_OK, 2);
    starve("open_sim", open_sim, MONPRO_OK, 3);
    starve("read_key", read_key, MONPRO_OK, 3);
    starve("read_file", read_file, MONPRO_ERR_KEY_FORMAT, 1);
    starve("private_operation", private_operation, MONPRO_OK, 4);
    starve("device_operation", device_operation, MONPRO_OK, 6);
    starve("public_operation", public_operation, MONPRO_OK, 2);
    starve("private_batch", private_batch, MONPRO_OK, 6);
    starve("public_batch", public_batch, MONPRO_OK, 4);
    test_freed_memory("crt");
    test_freed_memory("products");
    test_freed_memory("products,exact");
    monpro_key_free(other_key);
    monpro_key_free(key);
    monpro_engine_close(engine);
    return test_result();
}
