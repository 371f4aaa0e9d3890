/* What an engine implementation provides, and what it may rely on. */
#ifndef MONPRO_ENGINE_H
#define MONPRO_ENGINE_H

#include <stdbool.h>

#include "monpro/monpro.h"

/* A job that has passed every check. Pointers are the caller's; numbers are big-endian. */
typedef struct monpro_operation {
    const uint8_t *modulus; /* odd, above one, no leading zero byte */
    size_t modulus_len;
    uint32_t modulus_bits;  /* within the engine's range */
    const uint8_t *base;    /* below the modulus */
    size_t base_len;        /* 1 to modulus_len */
    const uint8_t *exponent;
    size_t exponent_len;
    uint32_t exponent_bits; /* that are processed: 1 to the engine's longest */
    bool is_public;         /* the time may depend on the exponent */
    bool binary;            /* else fixed window */
    uint32_t window;        /* fixed window: 1 to 6, and the engine has room for its table */
    uint8_t *result;        /* modulus_len bytes */
} monpro_operation;

typedef struct monpro_engine_ops {
    /* Takes an operation up; it stays valid until advance() says that it has finished, or close(). */
    monpro_status (*begin)(void *state, const monpro_operation *operation, monpro_error *error);
    /* Goes on with it: for a slice, or to its end if `block`. When it sets *finished, result and counters (zero before)
     * are filled in. An error ends the operation; the engine is ready for the next one. */
    monpro_status (*advance)(void *state, const monpro_operation *operation, bool block, bool *finished,
                             monpro_counters *counters, monpro_error *error);
    /* The largest window whose table fits for a modulus of this length, at most 6; 0: no fixed window at all. */
    uint32_t (*largest_window)(const void *state, uint32_t modulus_bits);
    /* What a look-up among 2^window entries costs, in hundredths of a product; for choosing a window. */
    uint32_t (*look_up_cost)(const void *state, uint32_t modulus_bits, uint32_t window);
    bool (*has_binary)(const void *state);
    /* Wipes and frees, in the middle of an operation too. */
    void (*close)(void *state);
} monpro_engine_ops;

/* Makes an engine of an implementation; takes `state` over, also on an error (closing it). */
monpro_status monpro_engine_create(monpro_engine **engine, const monpro_engine_ops *ops, void *state,
                                   const monpro_engine_info *info, monpro_error *error);

/* The implementations. `spec` is what follows "soft" or "sim:". */
monpro_status monpro_soft_open(monpro_engine **engine, monpro_error *error);
monpro_status monpro_sim_open(monpro_engine **engine, const char *spec, monpro_error *error);

/* All checks of a job, for every engine alike, and its translation. */
monpro_status monpro_job_check(const monpro_job *job, const monpro_engine_info *info, const monpro_engine_ops *ops,
                               const void *state, monpro_operation *operation, monpro_error *error);

/* total += part. */
void monpro_counters_add(monpro_counters *total, const monpro_counters *part);

/* Copies a string of at most size - 1 characters, the rest cut. */
void monpro_copy_text(char *to, size_t size, const char *from);

#endif
