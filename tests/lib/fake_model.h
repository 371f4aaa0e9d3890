/* What fake_model.c, the registers of a coprocessor without RTL, and fake_operation.c, its operations, share. */
#ifndef FAKE_MODEL_H
#define FAKE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "monpro_regs.h"
#include "monpro_sim.h"

enum { MAX_WORDS = 320, SLOTS = 8 };

struct monpro_sim {
    char mode[64];
    uint32_t word_bits, elements, delay, min_bits, max_bits, table_words, table_banks, schemes;
    bool has_crt;
    uint32_t length, exponent_bits, config, slot, interrupt;
    uint32_t operand[SLOTS][MAX_WORDS];
    bool present[SLOTS], busy, done, warm, has_result, aborting;
    bool warm_crt; /* what is warm is p and q */
    uint32_t error, fault, position, operations, products;
    uint32_t loading_cycles, load_cycles, read_cycles;
    uint64_t cycles, busy_until;
};


/* Whether MONPRO_FAKE had this word. */
bool mode_is(const monpro_sim *sim, const char *mode);
/* Drops operands and result. */
void forget(monpro_sim *sim);
/* 32-bit words that an operand has to have. */
uint32_t slot_words(const monpro_sim *sim, uint32_t slot);
bool is_crt(const monpro_sim *sim);
/* What an operation comes to: error, or the result and what goes with it. */
void compute(monpro_sim *sim);

#endif
