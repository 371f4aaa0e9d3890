/* Names and sentences of the statuses, and the little formatter behind every error message. No libc.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <stdarg.h>

/* One line a status: X(name without its prefix, sentence). The switches made from it let the compiler's -Wswitch say
 * which status of the header has no line. */
#define MONPRO_STATUS_LIST(X) \
    X(OK, "success") \
    X(ERR_ARGUMENT, "a pointer is NULL or a flag is unknown") \
    X(ERR_MEMORY, "memory is short") \
    X(ERR_BUFFER, "the output buffer is too short") \
    X(ERR_RANDOM, "the system gave no random bytes") \
    X(ERR_UNSUPPORTED, "this engine or build cannot do that") \
    X(ERR_ENGINE, "no such engine") \
    X(ERR_DESIGN, "no such design") \
    X(ERR_PARAMETER, "no such parameter of the design, or a value it cannot have") \
    X(ERR_BUILD, "the simulator's model could not be built or loaded") \
    X(ERR_DEVICE_ABSENT, "no Monpro coprocessor answers there") \
    X(ERR_DEVICE_VERSION, "the device has a register map that this driver does not know") \
    X(ERR_DEVICE_TIMEOUT, "the device did not finish in the time the operation may take") \
    X(ERR_DEVICE_BUS, "a bus access to the device failed") \
    X(ERR_DEVICE_FAULT, "the device reported something unexpected") \
    X(ERR_MODULUS_ZERO, "the modulus is zero or empty") \
    X(ERR_MODULUS_ONE, "the modulus is one") \
    X(ERR_MODULUS_EVEN, "the modulus is even") \
    X(ERR_MODULUS_SHORT, "the modulus has fewer bits than the engine takes") \
    X(ERR_MODULUS_LONG, "the modulus has more bits than the engine takes") \
    X(ERR_BASE_RANGE, "the base is not below the modulus") \
    X(ERR_BASE_EMPTY, "the base has no bytes") \
    X(ERR_EXPONENT_EMPTY, "the exponent has no bytes") \
    X(ERR_EXPONENT_LONG, "the exponent has more bits than the engine takes") \
    X(ERR_SCHEME, "the engine does not have this scheme or window") \
    X(ERR_FILE, "a file is missing, unreadable or not writable") \
    X(ERR_KEY_FORMAT, "not a whole RSA key in PEM or DER") \
    X(ERR_KEY_PASSPHRASE, "the key is encrypted and no passphrase was given") \
    X(ERR_KEY_WRONG_PASSPHRASE, "the passphrase does not open the key") \
    X(ERR_KEY_PUBLIC, "a private key is needed and this is a public one") \
    X(ERR_KEY_EXPONENT, "the public exponent is not an odd number from 3 to below the modulus") \
    X(ERR_KEY_PRODUCT, "the modulus is not the product of the primes") \
    X(ERR_KEY_EQUAL_PRIMES, "the two primes are equal") \
    X(ERR_KEY_DP, "dP does not belong to p and e") \
    X(ERR_KEY_DQ, "dQ does not belong to q and e") \
    X(ERR_KEY_QINV, "qInv is not the inverse of q modulo p") \
    X(ERR_KEY_D, "d does not belong to p, q and e") \
    X(ERR_KEY_SIZE, "the key is shorter or longer than allowed") \
    X(ERR_KEY_PRIMES, "the key has not exactly two primes of about the same length") \
    X(ERR_KEY_ENCODING, "the key is not in strict DER") \
    X(ERR_PADDING, "no such padding, or not for this operation") \
    X(ERR_DIGEST, "no such digest, or not for signatures") \
    X(ERR_MESSAGE_LONG, "the message is longer than the padding leaves room for") \
    X(ERR_CIPHERTEXT, "the ciphertext is not of the key's length or not below its modulus") \
    X(ERR_DECRYPT, "decryption failed: the wrong key, or a damaged ciphertext") \
    X(ERR_SIGNATURE, "the signature does not verify") \
    X(ERR_CHECK, "a private result failed its check with the public exponent and was discarded")

const char *monpro_status_name(monpro_status status)
{
    switch (status) {
#define X(name, sentence) \
    case MONPRO_##name: \
        return "MONPRO_" #name;
        MONPRO_STATUS_LIST(X)
#undef X
    }
    return "MONPRO_UNKNOWN";
}

const char *monpro_strerror(monpro_status status)
{
    switch (status) {
#define X(name, sentence) \
    case MONPRO_##name: \
        return sentence;
        MONPRO_STATUS_LIST(X)
#undef X
    }
    return "an unknown status";
}

const char *monpro_version(void)
{
    return MONPRO_VERSION;
}

typedef struct sink {
    char *text;
    size_t room; /* characters that may still be written; the terminating zero is kept apart */
} sink;

static void put(sink *out, char c)
{
    if (out->room > 0) {
        *out->text++ = c;
        out->room--;
    }
}

static void put_number(sink *out, unsigned value, unsigned base, unsigned min_digits)
{
    char digits[16];
    unsigned count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0 || count < min_digits);
    while (count > 0) {
        put(out, digits[--count]);
    }
}

monpro_status monpro_fail(monpro_error *error, monpro_status status, const char *format, ...)
{
    if (error == NULL) {
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    sink out = {error->message, sizeof error->message - 1};
    for (const char *f = format; *f != '\0'; f++) {
        if (*f != '%') {
            put(&out, *f);
        } else if (*++f == 's') {
            for (const char *s = va_arg(arguments, const char *); *s != '\0'; s++) {
                put(&out, *s);
            }
        } else if (*f == 'u') {
            put_number(&out, va_arg(arguments, unsigned), 10, 1);
        } else { /* %08x */
            f += 2;
            put_number(&out, va_arg(arguments, unsigned), 16, 8);
        }
    }
    *out.text = '\0';
    va_end(arguments);
    error->status = status;
    return status;
}

void monpro_error_reset(monpro_error *error)
{
    if (error != NULL) {
        error->status = MONPRO_OK;
        error->message[0] = '\0';
    }
}
