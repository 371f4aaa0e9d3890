/* What a device is to be sent for an operation: which registers, in which order, with which numbers. The plan is the
 * same whether it goes to the registers or into a packet.
 *
 * Constant time: what is written, and where, depends on lengths only. Only data depends on numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constant time: what is written, and where, depends on lengths only; only data depends on numbers. */
#ifndef MONPRO_PLAN_H
#define MONPRO_PLAN_H

#include "device/sink.h"
#include "engine/engine.h"

/* The schemes that a device has: PARAM_FEATURES.schemes as a set of monpro_scheme. */
uint32_t monpro_plan_schemes(uint32_t features);

/* CONFIG for an operation; CONFIG.leave is in it. */
uint32_t monpro_plan_configuration(const monpro_operation *operation);

/* What an operation is to leave in the device: CONFIG.leave. A public modulus is kept. A key whose primes the device has
 * is locked: with CRT, where its use gives away no prime, and without it as long as the next operation uses it again.
 * Everything else is wiped. */
uint32_t monpro_plan_leave(const monpro_operation *operation);

/* What the device holds of an operation already: nothing; the modulus, or p and q; or a locked key, so that nothing but the
 * base is to be written. */
typedef enum monpro_held { MONPRO_HELD_NOTHING, MONPRO_HELD_MODULUS, MONPRO_HELD_KEY } monpro_held;

/* A whole exponentiation, or with operation->crt an RSA private operation, up to its start; the device has no entries. */
monpro_status monpro_plan_operation(const monpro_sink *to, const monpro_engine_info *info,
                                    const monpro_operation *operation, monpro_held held, monpro_error *error);

/* What comes before the products of an operation over single ones: length and constants, unless warm, and the base; the
 * device has entries. */
monpro_status monpro_plan_entries(const monpro_sink *to, const monpro_engine_info *info, const monpro_operation *operation,
                                  bool warm, monpro_error *error);

#endif
