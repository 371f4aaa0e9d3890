/* The soft engine: portable constant-time C. An operation is one slice. The handle holds the window's table, so nothing
 * large is on the stack. The engine has no CRT of its own: rsa/raw.c does that above any engine.
 *
 * Schemes differ in the order of products, which software has no use for. A fixed window is done as such. Every other
 * scheme is done as left-to-right binary. For a public exponent that skips zero bits. For a secret one it costs two
 * products a bit, as the ladder does.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/wipe.h"
#include "engine/schemes.h"
#include "engine/soft.h"

typedef struct soft {
    monpro_mont modulus;
    monpro_limb table[MONPRO_MAX_LIMBS << MONPRO_MAX_WINDOW];
} soft;

static monpro_status begin(void *state, const monpro_operation *operation, monpro_error *error)
{
    (void)state;
    (void)operation;
    (void)error;
    return MONPRO_OK;
}

void monpro_soft_modexp(const monpro_operation *operation, monpro_mont *m, monpro_limb *table)
{
    monpro_limb number[MONPRO_MAX_LIMBS];
    const size_t limbs = monpro_limbs_for_bits(operation->modulus_bits);
    const monpro_exponent exponent = {operation->exponent, operation->exponent_len, operation->exponent_bits};

    monpro_limbs_from_bytes(number, limbs, operation->modulus, operation->modulus_len);
    monpro_mont_init(m, number, limbs, operation->modulus_bits);
    monpro_limbs_from_bytes(number, limbs, operation->base, operation->base_len);
    if (operation->scheme == MONPRO_SCHEME_FIXED_WINDOW) {
        monpro_modexp_fixed_window(number, number, &exponent, operation->window, table, m);
    } else if (operation->is_public) {
        monpro_modexp_binary_vartime(number, number, &exponent, m);
    } else {
        monpro_modexp_binary(number, number, &exponent, m);
    }
    monpro_limbs_to_bytes(operation->result, operation->result_len, number, limbs);
    monpro_wipe(number, sizeof number);
    monpro_wipe(m, sizeof *m); /* the modulus may be a prime of a key */
}

static monpro_status advance(void *state, const monpro_operation *operation, bool block, bool *finished,
                             monpro_counters *counters, monpro_error *error)
{
    (void)block;
    (void)error;
    soft *engine = state;
    monpro_soft_modexp(operation, &engine->modulus, engine->table);
    counters->operations = 1;
    *finished = true;
    return MONPRO_OK;
}

static uint32_t largest_window(const void *state, uint32_t modulus_bits, monpro_scheme scheme, bool crt)
{
    (void)state;
    (void)modulus_bits;
    (void)scheme;
    (void)crt;
    return MONPRO_MAX_WINDOW;
}

/* A product is 2 * limbs^2 multiplications; masking and adding in a limb of an entry takes about a third of one. */
static uint32_t look_up_cost(const void *state, uint32_t modulus_bits, uint32_t window, bool crt)
{
    (void)state;
    (void)crt;
    return (100u << window) / (6u * ((modulus_bits + MONPRO_LIMB_BITS - 1) / MONPRO_LIMB_BITS));
}

static void close_soft(void *state)
{
    monpro_wipe(state, sizeof(soft));
    free(state);
}

monpro_status monpro_soft_open(monpro_engine **engine, monpro_error *error)
{
    static const monpro_engine_ops ops = {begin, advance, largest_window, look_up_cost, close_soft, NULL, NULL};
    static const monpro_engine_info info = {
        .spec = "soft",
        .min_bits = 2,
        .max_bits = MONPRO_MAX_BITS,
        .word_bits = MONPRO_LIMB_BITS,
        .schemes = MONPRO_SCHEMES_ALL,
    };
    soft *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the soft engine");
    }
    return monpro_engine_create(engine, &ops, state, &info, error);
}
