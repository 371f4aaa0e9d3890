/* libmonpro from a C program of ten lines: 3^65537 mod N on the engine that is named.   modexp [soft|sim:small]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <monpro/monpro.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    uint8_t modulus[16] = {0xff, [15] = 0x61}, base[1] = {3}, exponent[3] = {1, 0, 1}, result[16];
    monpro_job job = {modulus, 16, base, 1, exponent, 3, result, 16, .flags = MONPRO_EXPONENT_PUBLIC};
    monpro_engine *engine;
    monpro_error error;
    if (monpro_engine_open(&engine, argc > 1 ? argv[1] : "soft", &error) != MONPRO_OK ||
        monpro_modexp_batch(engine, &job, 1, &error) != MONPRO_OK) return fprintf(stderr, "%s\n", error.message), 1;
    for (int i = 0; i < 16; i++) printf("%02x%s", result[i], i == 15 ? "\n" : "");
    monpro_engine_close(engine);
    return 0;
}
