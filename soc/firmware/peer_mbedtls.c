/* The library to compare with: mbedTLS's own exponentiation, as its RSA uses it, on the same processor. The sources are
 * those of a published package, unchanged. python/monpro/soc/peer.py has them fetched.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <mbedtls/bignum.h>
#include <mbedtls/version.h>

#include "platform.h"
#include "report.h"
#include "tasks.h"

void task_peer(const task *t)
{
    static uint8_t result[512];
    mbedtls_mpi n, base, exponent, power;
    uint64_t cycles = 0;
    mbedtls_mpi_init(&n);
    mbedtls_mpi_init(&base);
    mbedtls_mpi_init(&exponent);
    mbedtls_mpi_init(&power);
    int failed = mbedtls_mpi_read_binary(&n, t->field[0].bytes, t->field[0].size) != 0 ||
                 mbedtls_mpi_read_binary(&base, t->field[1].bytes, t->field[1].size) != 0 ||
                 mbedtls_mpi_read_binary(&exponent, t->field[2].bytes, t->field[2].size) != 0;
    if (!failed) {
        const uint64_t start = platform_cycles();
        failed = mbedtls_mpi_exp_mod(&power, &base, &exponent, &n, NULL) != 0;
        cycles = platform_cycles() - start;
    }
    failed = failed || mbedtls_mpi_write_binary(&power, result, t->field[0].size) != 0;
    task_report(t, "modexp", failed ? MONPRO_ERR_MEMORY : MONPRO_OK, cycles);
    if (failed) {
        report_text("mbedTLS could not do it");
    } else {
        report_word("library", "mbedTLS-" MBEDTLS_VERSION_STRING);
        report_bytes("out", result, t->field[0].size);
    }
    report_end();
    mbedtls_mpi_free(&n);
    mbedtls_mpi_free(&base);
    mbedtls_mpi_free(&exponent);
    mbedtls_mpi_free(&power);
}
