/* Whether the file of a key is strict DER (X.690, 10 and 11), beyond what a decoder needs to find the numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_DER_H
#define MONPRO_DER_H

#include <stddef.h>
#include <stdint.h>

/* What is wrong with a key in DER, in words that follow "it has"; NULL: nothing. Known are PKCS#1, PKCS#8, its encrypted
 * form (whose inside is not looked into) and SubjectPublicKeyInfo. */
const char *monpro_der_flaw(const uint8_t *der, size_t len);

#endif
