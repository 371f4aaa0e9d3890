/* Runs modular exponentiations from standard input through an engine.
 *   modexp_vectors ENGINE < lines of "MODULUS BASE EXPONENT RESULT" in hexadecimal
 * Each is run with every scheme, as secret and as public, in batches; a mismatch fails the program.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

enum { MAX_BYTES = 520, BATCH = 16 };

typedef struct number {
    uint8_t bytes[MAX_BYTES];
    size_t size;
} number;

typedef struct vector {
    number modulus, base, exponent, result;
} vector;

static bool parse(number *n, const char *hex)
{
    const size_t length = strlen(hex);
    n->size = length / 2;
    if (length % 2 != 0 || n->size > MAX_BYTES) {
        return false;
    }
    for (size_t i = 0; i < n->size; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1) {
            return false;
        }
        n->bytes[i] = (uint8_t)byte;
    }
    return true;
}

static bool read_vector(vector *v)
{
    char modulus[2 * MAX_BYTES + 1], base[2 * MAX_BYTES + 1], exponent[2 * MAX_BYTES + 1], result[2 * MAX_BYTES + 1];
    if (scanf("%1040s %1040s %1040s %1040s", modulus, base, exponent, result) != 4) {
        return false;
    }
    if (!parse(&v->modulus, modulus) || !parse(&v->base, base) || !parse(&v->exponent, exponent) ||
        !parse(&v->result, result)) {
        fprintf(stderr, "a line is not hexadecimal\n");
        exit(1);
    }
    return true;
}

static size_t run(monpro_engine *engine, const vector *vectors, size_t count, uint32_t flags, monpro_scheme scheme,
                  uint32_t window)
{
    monpro_job jobs[BATCH];
    uint8_t results[BATCH][MAX_BYTES];
    monpro_error error;
    memset(results, 0xa5, sizeof results);
    for (size_t i = 0; i < count; i++) {
        const vector *v = &vectors[i];
        /* Every second result has room for more than the modulus: zeros go in front. */
        jobs[i] = (monpro_job){
            .modulus = v->modulus.bytes, .modulus_len = v->modulus.size,
            .base = v->base.bytes, .base_len = v->base.size,
            .exponent = v->exponent.bytes, .exponent_len = v->exponent.size,
            .result = results[i], .result_len = v->modulus.size + 3 * (i % 2),
            .flags = flags, .scheme = scheme, .window = window,
        };
    }
    if (monpro_modexp_batch(engine, jobs, count, &error) != MONPRO_OK) {
        fprintf(stderr, "%s\n", error.message);
        test_failures++;
        return count;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t front = jobs[i].result_len - vectors[i].modulus.size;
        CHECK(all_zero(results[i], front));
        CHECK(memcmp(results[i] + front, vectors[i].result.bytes, vectors[i].result.size) == 0);
        CHECK(jobs[i].counters.operations == 1);
    }
    return count;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: modexp_vectors ENGINE < vectors\n");
        return 2;
    }
    monpro_engine *engine = open_engine(argv[1]);
    static vector vectors[BATCH];
    size_t total = 0, count;
    do {
        count = 0;
        while (count < BATCH && read_vector(&vectors[count])) {
            count++;
        }
        if (count > 0) {
            total += run(engine, vectors, count, 0, MONPRO_SCHEME_DEFAULT, 0);
            total += run(engine, vectors, count, MONPRO_EXPONENT_PUBLIC, MONPRO_SCHEME_DEFAULT, 0);
            total += run(engine, vectors, count, 0, MONPRO_SCHEME_BINARY, 0);
            total += run(engine, vectors, count, 0, MONPRO_SCHEME_FIXED_WINDOW, 1 + (uint32_t)(total % 4));
        }
    } while (count == BATCH);
    printf("%zu exponentiations\n", total);
    monpro_engine_close(engine);
    return total == 0 ? 1 : test_result();
}
