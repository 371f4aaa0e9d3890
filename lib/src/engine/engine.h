/* What an engine implementation provides, what it may rely on, and what engines do for RSA.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_ENGINE_H
#define MONPRO_ENGINE_H

#include <stdbool.h>

#include "monpro/monpro.h"

/* An RSA private key by the CRT, for an engine that takes it whole. p, q, dp, dq and qinv = 1/q mod p have prime_len
 * bytes; p and q are odd and of exactly prime_bits bits. */
typedef struct monpro_crt_key {
    const uint8_t *p, *q, *dp, *dq, *qinv;
    size_t prime_len;
    uint32_t prime_bits;
} monpro_crt_key;

/* A job that has passed every check, or an RSA private operation. Pointers are the caller's; numbers are big-endian. */
typedef struct monpro_operation {
    const uint8_t *modulus;    /* odd, above one, no leading zero byte; with crt p, as modulus_len and modulus_bits */
    size_t modulus_len;
    uint32_t modulus_bits;     /* within the engine's range */
    const uint8_t *base;       /* below the modulus; with crt below p * q */
    size_t base_len;           /* 1 to modulus_len; with crt to twice that */
    const uint8_t *exponent;   /* with crt dp */
    size_t exponent_len;
    uint32_t exponent_bits;    /* that are processed: 1 to the engine's longest; with crt modulus_bits */
    bool is_public;            /* the time may depend on the exponent */
    bool is_modulus_secret;    /* not to be left in a device; with crt of no meaning, as primes never are */
    bool again;                /* the next operation has the same modulus and exponent, by the same scheme */
    monpro_scheme scheme;      /* not the default; one of the engine's, and fit for the exponent */
    uint32_t window;           /* window schemes: 1 to 6, and the engine has room for its table */
    uint8_t *result;
    size_t result_len;         /* of the modulus; with crt of p * q */
    const monpro_crt_key *crt; /* NULL: result = base ^ exponent mod modulus */
} monpro_operation;

typedef struct monpro_engine_ops {
    /* Takes an operation up; it stays valid until advance() says that it has finished, or close(). */
    monpro_status (*begin)(void *state, const monpro_operation *operation, monpro_error *error);
    /* Goes on with it: for a slice, or to its end if `block`. When it sets *finished, result and counters (zero before)
     * are filled in. An error ends the operation; the engine is ready for the next one. */
    monpro_status (*advance)(void *state, const monpro_operation *operation, bool block, bool *finished,
                             monpro_counters *counters, monpro_error *error);
    /* The largest window of that scheme, at most 6, whose table fits for a modulus of this length, or with crt for two of
     * it; 0: none does. */
    uint32_t (*largest_window)(const void *state, uint32_t modulus_bits, monpro_scheme scheme, bool crt);
    /* What a look-up among 2^window entries costs, in hundredths of a product; for choosing a fixed window. */
    uint32_t (*look_up_cost)(const void *state, uint32_t modulus_bits, uint32_t window, bool crt);
    /* Wipes and frees, in the middle of an operation too. */
    void (*close)(void *state);
    /* An engine that does operations of a batch side by side, up to MONPRO_MAX_GROUP of them, has these two and neither
     * begin() nor advance(); others have NULL. */
    bool (*fits)(const monpro_operation *first, const monpro_operation *other); /* whether they go together */
    /* Does them to their ends. Results and counters (zero before) are filled in; on an error no result is of use, and
     * the engine is ready for others. */
    monpro_status (*run)(void *state, const monpro_operation *operations, size_t count, monpro_counters *counters,
                         monpro_error *error);
} monpro_engine_ops;

enum { MONPRO_MAX_GROUP = 64 };

/* Makes an engine of an implementation; takes `state` over, also on an error (closing it). info->schemes and info->crt
 * are what the engine will be asked for. */
monpro_status monpro_engine_create(monpro_engine **engine, const monpro_engine_ops *ops, void *state,
                                   const monpro_engine_info *info, monpro_error *error);

/* All checks of a job, for every engine alike, and its translation. */
monpro_status monpro_job_check(const monpro_job *job, const monpro_engine_info *info, const monpro_engine_ops *ops,
                               const void *state, monpro_operation *operation, monpro_error *error);

/* Chooses the window of an operation whose other fields are set: what the caller asks for if it fits, or if that is 0,
 * the fastest. */
monpro_status monpro_job_window(uint32_t asked, const monpro_engine_info *info, const monpro_engine_ops *ops,
                                const void *state, monpro_operation *operation, monpro_error *error);

/* Whether the engine does RSA private operations over primes of this length in one. */
bool monpro_engine_takes_crt(const monpro_engine *engine, uint32_t prime_bits);

/* result = base ^ d mod p * q in one operation, by the CRT, with a fixed window. base < p * q and result have `size`
 * bytes, as many as p * q. The engine takes primes of this length (see above). Runs after all that was submitted before.
 * The result is not checked. It is zero on an error. */
monpro_status monpro_engine_crt(monpro_engine *engine, const monpro_crt_key *key, const uint8_t *base, uint8_t *result,
                                size_t size, monpro_counters *counters, monpro_error *error);

/* Ends a job with an error: its outputs say so, and its result is zero. */
void monpro_job_fail(monpro_job *job, monpro_status status);

/* In a child of fork(): as monpro_engine_close(), for software that another thread of the parent may have been at work
 * with. Its jobs are left alone, as the memory that they are in may belong to somebody else by now. */
void monpro_engine_abandon(monpro_engine *engine);

/* total += part. */
void monpro_counters_add(monpro_counters *total, const monpro_counters *part);

/* Copies a string of at most size - 1 characters, the rest cut. */
void monpro_copy_text(char *to, size_t size, const char *from);

#endif
