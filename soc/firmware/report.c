/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include "platform.h"

static uint32_t crc;

static void put(char c)
{
    crc ^= (uint8_t)c;
    for (unsigned bit = 0; bit < 8; bit++) {
        crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
    }
    platform_put(c);
}

static void put_text(const char *text)
{
    while (*text != '\0') {
        put(*text++);
    }
}

static void put_hex(uint32_t value, unsigned digits, void (*to)(char))
{
    while (digits-- > 0) {
        to("0123456789abcdef"[value >> (4 * digits) & 15u]);
    }
}

static void put_name(const char *name)
{
    put(' ');
    put_text(name);
    put('=');
}

void report_begin(const char *kind)
{
    platform_put('$');
    crc = UINT32_MAX;
    put_text(kind);
}

void report_number(const char *name, uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put_name(name);
    while (count > 0) {
        put(digits[--count]);
    }
}

void report_word(const char *name, const char *value)
{
    put_name(name);
    put_text(value);
}

void report_bytes(const char *name, const uint8_t *bytes, size_t size)
{
    put_name(name);
    for (size_t i = 0; i < size; i++) {
        put_hex(bytes[i], 2, put);
    }
}

void report_text(const char *text)
{
    report_word("text", text);
}

void report_end(void)
{
    const uint32_t check = ~crc;
    platform_put('*');
    put_hex(check, 8, platform_put);
    platform_put('\n');
}
