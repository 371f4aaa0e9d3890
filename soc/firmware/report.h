/* What the firmware says: lines of the form
 *
 *     $kind name=value name=value ... text=what is left of the line*0123abcd
 *
 * The last eight digits are the CRC-32 (as in zlib) of what stands between $ and *. Values have no spaces. Only the
 * value of `text` may have them; it is the last one. python/monpro/soc/lines.py reads these lines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FIRMWARE_REPORT_H
#define MONPRO_FIRMWARE_REPORT_H

#include <stddef.h>
#include <stdint.h>

void report_begin(const char *kind);
void report_number(const char *name, uint64_t value);
void report_word(const char *name, const char *value);
void report_bytes(const char *name, const uint8_t *bytes, size_t size); /* hexadecimal */
void report_text(const char *text);                                     /* the last field */
void report_end(void);

#endif
