/* What the three parts of the coprocessor without RTL share: fake_model.c has the registers, fake_operation.c the
 * operations, fake_products.c the single products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FAKE_MODEL_H
#define FAKE_MODEL_H

#include <openssl/bn.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/regs.h"
#include "monpro_sim.h"

enum { MAX_WORDS = 320, SLOTS = 8, MAX_ENTRIES = 32, QUEUE_DEPTH = 8 };

struct monpro_sim {
    char mode[64];
    uint32_t word_bits, elements, delay, min_bits, max_bits, table_words, table_banks, schemes;
    bool has_crt;
    uint32_t length, exponent_bits, config, slot, interrupt;
    uint32_t operand[SLOTS][MAX_WORDS];
    bool present[SLOTS], busy, done, warm, has_result, aborting;
    bool warm_crt; /* what is warm is p and q */
    bool locked;   /* an operation has left its key so */
    uint64_t clearing_until; /* the wipe behind an operation */
    uint32_t error, fault, position, operations, products;
    uint32_t loading_cycles, load_cycles, read_cycles;
    uint64_t cycles, busy_until;
    /* Single products. */
    uint32_t entries, entry;
    bool exact, running;
    BIGNUM *numbers[MAX_ENTRIES]; /* NULL: missing */
    BIGNUM *m, *r_inverse;        /* what follows from the modulus; NULL: not computed yet */
    uint32_t queue[QUEUE_DEPTH], queued, current, taken;
    uint64_t running_until, working_cycles;
};

/* Whether MONPRO_FAKE had this word. */
bool mode_is(const monpro_sim *sim, const char *mode);
/* Drops operands and result. */
void forget(monpro_sim *sim);
/* K of PARAM_ARRAY.delay. */
uint32_t product_digits(const monpro_sim *sim);
/* 32-bit words that an operand has to have. */
uint32_t slot_words(const monpro_sim *sim, uint32_t slot);
/* The bits of the word at `position` that are beyond its length. */
uint32_t beyond_slot(const monpro_sim *sim, uint32_t slot, uint32_t position);
bool is_crt(const monpro_sim *sim);
/* What an operation comes to: error, or the result and what goes with it. */
void compute(monpro_sim *sim);
/* The number in a slot, and the other way round. */
BIGNUM *slot_number(const monpro_sim *sim, unsigned slot);
void put_slot_number(monpro_sim *sim, unsigned slot, const BIGNUM *number);

/* PRODUCT was written. */
void push_product(monpro_sim *sim, uint32_t word);
/* Ends the products whose time has come. */
void run_products(monpro_sim *sim);
/* Drops what follows from the modulus; and entries and queue besides. */
void forget_modulus(monpro_sim *sim);
void forget_products(monpro_sim *sim);
/* OPERAND selects an entry, or its last word was written. */
void open_entry(monpro_sim *sim);
void close_entry(monpro_sim *sim);

#endif
