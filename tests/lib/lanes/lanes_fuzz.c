/* Fuzzes the batch interface: bytes become a batch of jobs, mostly legal, and every engine of lanes has to say the same
 * as soft. For libFuzzer (-fsanitize=fuzzer). With LANES_FUZZ_MAIN it is a program that runs the files it is given.
 *
 * A job is a head of six bytes, and then the bytes of its numbers, as many as are left. The head has the lengths of
 * modulus, base and exponent; flags with scheme and window; shaping of the modulus; room for the result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lanes_cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_JOBS = 20, HEAD = 6, LONGEST = 72, ENGINES = 3 };

static operand take(const uint8_t **data, size_t *size, size_t length)
{
    operand made = make_operand(length);
    const size_t there = length < *size ? length : *size;
    memcpy(made.bytes, *data, there);
    *data += there;
    *size -= there;
    return made;
}

static monpro_job take_job(const uint8_t **data, size_t *size)
{
    const operand head = take(data, size, HEAD);
    const uint8_t *const h = head.bytes;
    const operand modulus = take(data, size, h[0] % LONGEST), base = take(data, size, h[1] % LONGEST);
    const operand exponent = take(data, size, h[2] % 12);
    if (modulus.size > 0 && h[4] % 8 != 0) { /* else any number, even ones too */
        modulus.bytes[modulus.size - 1] |= 1;
        modulus.bytes[0] |= h[4] % 2 != 0 ? 0x80 : 0;
    }
    if (modulus.size > 0 && base.size >= modulus.size && h[4] % 16 != 1) {
        memset(base.bytes, 0, base.size - modulus.size + 1); /* below a modulus with no zero in front */
    }
    monpro_job job = make_case(modulus, base, exponent, h[3] & 1u, 0);
    job.scheme = (monpro_scheme)(h[3] / 2 % 8);
    job.window = h[3] / 16 % 8;
    free(job.result);
    job.result_len = modulus.size + h[5] % 5 - (h[5] % 32 == 9 && modulus.size > 0);
    job.result = make_operand(job.result_len).bytes;
    free(head.bytes);
    return job;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static monpro_engine *soft, *engines[ENGINES];
    static const char *const specs[ENGINES] = {"lanes:threads=1", "lanes:threads=2", "lanes:isa=portable,threads=1"};
    monpro_job jobs[MAX_JOBS];
    size_t count = 0;
    if (soft == NULL) {
        soft = open_engine("soft");
        for (size_t i = 0; i < ENGINES; i++) {
            engines[i] = open_engine(specs[i]);
        }
    }
    while (count < MAX_JOBS && size > 0) {
        jobs[count++] = take_job(&data, &size);
    }
    for (size_t i = 0; i < ENGINES; i++) {
        if (compare_with_soft(engines[i], soft, jobs, count) != 0) {
            abort();
        }
    }
    free_jobs(jobs, count);
    return 0;
}

#if defined(LANES_FUZZ_MAIN)
int main(int argc, char **argv)
{
    static uint8_t data[1 << 16];
    for (int i = 1; i < argc; i++) {
        FILE *const file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        (void)LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
        (void)fclose(file);
    }
    return 0;
}
#endif
