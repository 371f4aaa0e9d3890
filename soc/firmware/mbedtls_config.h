/* mbedTLS for the firmware: big numbers alone, from the C library of the firmware.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FIRMWARE_MBEDTLS_CONFIG_H
#define MONPRO_FIRMWARE_MBEDTLS_CONFIG_H

#define MBEDTLS_BIGNUM_C
#define MBEDTLS_HAVE_ASM
#define MBEDTLS_MPI_WINDOW_SIZE 6 /* the largest, and the fastest for these lengths */

#endif
