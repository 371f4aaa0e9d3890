/* Lengths and times that follow from a device's parameters (regs/monpro.rdl, PARAM_*), for words of w bits, P elements
 * and the delay D.
 *
 *     words of a modulus    ceil((bits + 2) / w)
 *     words of an operand   s = words of the modulus + 1 + D, for what is below 2M, M a multiple of N below W^(D+1) N
 *     passes of a product   k = ceil((s + D) / P), over the first U elements
 *     elements in use       U = max(ceil((s + D) / k), floor(P / 2) + 1)
 *     digits of a product   K = k * U - D, R = 2^(w K)
 *     entries of a table    2^k for a fixed window of k bits, 2^(k-1) for a sliding one, two in each of its banks or more;
 *                           twice that with CRT
 *
 * With PARAM_ARRAY.exact operands are below N. The words of a modulus, the words of an operand and the digits of a
 * product are then ceil(bits / w). A device with entries has no table memory: the table lies in entries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_DEVICE_LENGTHS_H
#define MONPRO_DEVICE_LENGTHS_H

#include "bignum/modexp.h"
#include "device/products.h"
#include "engine/engine.h"
#include "engine/schemes.h"

static inline uint32_t monpro_device_elements(const monpro_engine_info *info)
{
    return info->elements == 0 ? 1 : info->elements;
}

static inline uint32_t monpro_device_modulus_words(const monpro_engine_info *info, uint32_t modulus_bits)
{
    const uint32_t bits = info->exact != 0 ? modulus_bits : modulus_bits + 2;
    return (bits + info->word_bits - 1) / info->word_bits;
}

static inline uint32_t monpro_device_operand_words(const monpro_engine_info *info, uint32_t modulus_bits)
{
    return monpro_device_modulus_words(info, modulus_bits) + (info->exact != 0 ? 0 : 1 + info->delay);
}

static inline uint32_t monpro_device_passes(const monpro_engine_info *info, uint32_t modulus_bits)
{
    const uint32_t elements = monpro_device_elements(info);
    return (monpro_device_operand_words(info, modulus_bits) + info->delay + elements - 1) / elements;
}

static inline uint32_t monpro_device_used_elements(const monpro_engine_info *info, uint32_t modulus_bits)
{
    const uint32_t passes = monpro_device_passes(info, modulus_bits);
    const uint32_t used = (monpro_device_operand_words(info, modulus_bits) + info->delay + passes - 1) / passes;
    const uint32_t least = monpro_device_elements(info) / 2 + 1;
    return used < least ? least : used;
}

static inline uint32_t monpro_device_digits(const monpro_engine_info *info, uint32_t modulus_bits)
{
    if (info->exact != 0) {
        return monpro_device_operand_words(info, modulus_bits);
    }
    return monpro_device_passes(info, modulus_bits) * monpro_device_used_elements(info, modulus_bits) - info->delay;
}

/* Words of 32 bits that hold so many of the device's. */
static inline uint32_t monpro_device_bus_words(const monpro_engine_info *info, uint32_t words)
{
    return (info->word_bits * words + 31) / 32;
}

static inline uint64_t monpro_device_banks(const monpro_engine_info *info)
{
    return info->table_banks == 0 ? 1 : info->table_banks;
}

static inline uint64_t monpro_device_entries(const monpro_engine_info *info, uint32_t window)
{
    const uint64_t entries = (uint64_t)1 << window, fewest = 2 * monpro_device_banks(info);
    return entries > fewest ? entries : fewest;
}

static inline uint32_t monpro_device_largest_window(const monpro_engine_info *info, uint32_t modulus_bits,
                                                    monpro_scheme scheme, bool crt)
{
    const uint64_t entry_words = (uint64_t)monpro_device_operand_words(info, modulus_bits) << (crt ? 1 : 0);
    const unsigned halved = monpro_scheme_is_in(scheme, MONPRO_SCHEMES_OF_ODD_POWERS) ? 1 : 0;
    uint32_t window = 0;
    if (info->entries != 0) {
        return monpro_products_largest_window(info->entries, scheme);
    }
    while (window < MONPRO_MAX_WINDOW &&
           entry_words * monpro_device_entries(info, window + 1 - halved) <= info->table_words) {
        window++;
    }
    return window;
}

/* A product of an array has k rounds of 2s cycles, or of the latency of its U elements where that is longer; with CRT a
 * round has two turns, of 2s cycles each or of 2 (U - 1). An exact product has s rows, each of 2s / P cycles and one. */
static inline uint64_t monpro_device_product_cycles(const monpro_engine_info *info, uint32_t modulus_bits, bool crt)
{
    const uint64_t s = monpro_device_operand_words(info, modulus_bits);
    const uint64_t used = monpro_device_used_elements(info, modulus_bits);
    const uint64_t latency = info->delay == 0 ? 6 * used + 10 : (3 * used + 13) / 2 * 2;
    const uint64_t work = crt ? 4 * (s + 1 > used ? s : used - 1) : 2 * s;
    const uint64_t round = work > latency ? work : latency;
    return info->exact != 0 ? s * (2 * s / monpro_device_elements(info) + 1)
                            : monpro_device_passes(info, modulus_bits) * round;
}

#define MONPRO_DEVICE_COPY_LATENCY 3u

/* In hundredths of a product. The look-up reads a word of each bank a cycle and runs beside the window's squarings; what
 * is longer than those, the multiplier waits for. With CRT it reads two entries. Over single products it is a choice
 * for each entry but the first, of s cycles and COPY_LATENCY, beside nothing. */
static inline uint32_t monpro_device_look_up_cost(const monpro_engine_info *info, uint32_t modulus_bits,
                                                  uint32_t window, bool crt)
{
    const uint64_t s = monpro_device_operand_words(info, modulus_bits);
    const uint64_t product_cycles = monpro_device_product_cycles(info, modulus_bits, crt);
    if (info->entries != 0) {
        const uint64_t choices = ((uint64_t)1 << window) - 1;
        return (uint32_t)(100 * choices * (s + MONPRO_DEVICE_COPY_LATENCY) / product_cycles);
    }
    const uint64_t banks = monpro_device_banks(info);
    const uint64_t look_up_cycles = (s * monpro_device_entries(info, window) / banks) << (crt ? 1 : 0);
    const uint64_t hidden_cycles = window * product_cycles;
    return look_up_cycles <= hidden_cycles ? 0 : (uint32_t)(100 * (look_up_cycles - hidden_cycles) / product_cycles);
}

#define MONPRO_DEVICE_TIMEOUT_FACTOR 4u
#define MONPRO_DEVICE_ROW_LATENCY 64u

/* TIMEOUT_FACTOR times an upper bound on the cycles. It depends on lengths only.
 * - A product has less than s + D + P rows. A row has at most 2 * ceil(s / P) cycles of work, and ROW_LATENCY of
 *   pipeline.
 * - An exponentiation has at most two products a bit of the exponent, and 2^6 for the table. With the scheme repeated it
 *   has one product for each value below 2^bits.
 * - The constants of a modulus take at most four passes of s words over each of its bits.
 * - With CRT all of that is taken twice.
 * - Single products add at most 2^k choices for each bit of the exponent. Each is shorter than the bound of a product. */
static inline uint64_t monpro_device_limit_cycles(const monpro_engine_info *info, const monpro_operation *operation)
{
    const uint64_t s = monpro_device_operand_words(info, operation->modulus_bits);
    const uint64_t elements = monpro_device_elements(info);
    const uint64_t product =
        (s + info->delay + elements) * (2 * ((s + elements - 1) / elements) + MONPRO_DEVICE_ROW_LATENCY);
    const uint64_t steps = operation->scheme == MONPRO_SCHEME_REPEATED ? (uint64_t)1 << operation->exponent_bits
                                                                       : 2 * (uint64_t)operation->exponent_bits;
    const uint64_t choices =
        info->entries == 0 ? 0 : (uint64_t)operation->exponent_bits << (operation->window == 0 ? 1 : operation->window);
    const uint64_t products = steps + choices + (1u << MONPRO_MAX_WINDOW);
    const uint64_t constants =
        4 * ((uint64_t)operation->modulus_bits + info->word_bits) * (s + MONPRO_DEVICE_ROW_LATENCY);
    return (operation->crt != NULL ? 2 : 1) * MONPRO_DEVICE_TIMEOUT_FACTOR * (products * product + constants);
}

#endif
