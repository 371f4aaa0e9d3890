/* Every allocation of the library fails once: MEMORY comes back, nothing leaks or crashes (the sanitizers watch), and
 * the next call works. The linker puts these functions before malloc and calloc (--wrap). */
#include "test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

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

static monpro_engine *engine;
static monpro_key *key;
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
    return monpro_engine_open(&other, "sim:/nowhere/model.so", NULL);
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

static monpro_status public_operation(void)
{
    memset(out, 0xa5, sizeof out);
    const monpro_status status = monpro_rsa_public(engine, key, block, out, 1, NULL, NULL);
    CHECK(all_zero(out, sizeof out) == (status != MONPRO_OK));
    return status;
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

int main(void)
{
    engine = open_engine("soft");
    block[127] = 5;
    REQUIRE(monpro_key_generate(&key, 1024, 65537, NULL));
    REQUIRE(monpro_key_write(key, MONPRO_KEY_PRIVATE_PKCS8, 1, NULL, der, &der_size, NULL));
    starve("open_soft", open_soft, MONPRO_OK, 2);
    starve("open_sim", open_sim, MONPRO_ERR_BUILD, 1);
    starve("read_key", read_key, MONPRO_OK, 3);
    starve("read_file", read_file, MONPRO_ERR_KEY_FORMAT, 1);
    starve("private_operation", private_operation, MONPRO_OK, 4);
    starve("public_operation", public_operation, MONPRO_OK, 2);
    monpro_key_free(key);
    monpro_engine_close(engine);
    return test_result();
}
