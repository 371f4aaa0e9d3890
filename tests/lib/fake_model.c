/* A coprocessor without RTL behind sim/monpro_sim.h, for the driver's tests: the register protocol to the letter (what
 * is written too short, too long, or while busy is an error), the arithmetic by libcrypto, and the misbehaviour that
 * the environment's MONPRO_FAKE names, when the model is created. */
#include <openssl/bn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "monpro_regs.h"
#include "monpro_sim.h"

#define REG(name) MONPRO_REGS_##name##_OFFSET
enum { MAX_WORDS = 160, OPERATION_CYCLES = 200000, WIPE_CYCLES = 100 };

struct monpro_sim {
    char mode[32];
    uint32_t word_bits, min_bits, max_bits, table_words, schemes;
    uint32_t length, exponent_bits, config, slot, interrupt;
    uint32_t operand[4][MAX_WORDS];
    uint32_t written[4]; /* words of the slot since it was selected */
    bool present[3], busy, done, warm, has_result, aborting;
    uint32_t error, fault, position, operations, products;
    uint32_t loading_cycles, load_cycles, read_cycles;
    uint64_t cycles, busy_until;
};

static bool mode_is(const monpro_sim *sim, const char *mode)
{
    return strcmp(sim->mode, mode) == 0;
}

uint32_t monpro_sim_abi(void)
{
    const char *mode = getenv("MONPRO_FAKE");
    return mode != NULL && strcmp(mode, "other_abi") == 0 ? MONPRO_SIM_ABI + 1 : MONPRO_SIM_ABI;
}

monpro_sim *monpro_sim_create(const char *trace_path)
{
    const char *mode = getenv("MONPRO_FAKE");
    if (trace_path != NULL || (mode != NULL && strcmp(mode, "no_memory") == 0)) {
        return NULL;
    }
    monpro_sim *sim = calloc(1, sizeof *sim);
    strncpy(sim->mode, mode == NULL ? "" : mode, sizeof sim->mode - 1);
    sim->word_bits = 17;
    sim->min_bits = mode_is(sim, "long_only") ? 400 : 128;
    sim->max_bits = mode_is(sim, "short_only") ? 768 : 4096;
    sim->table_words = mode_is(sim, "small_table") ? 300 : mode_is(sim, "no_table") ? 0 : 16384;
    sim->schemes = mode_is(sim, "no_binary") ? 1 : mode_is(sim, "no_scheme") ? 0 : 3;
    sim->busy = mode_is(sim, "born_busy");
    sim->busy_until = UINT64_MAX;
    return sim;
}

void monpro_sim_destroy(monpro_sim *sim)
{
    free(sim);
}

static void forget(monpro_sim *sim)
{
    memset(sim->operand, 0, sizeof sim->operand);
    memset(sim->present, 0, sizeof sim->present);
    sim->warm = sim->has_result = false;
}

void monpro_sim_reset(monpro_sim *sim)
{
    forget(sim);
    sim->busy = sim->done = false;
}

static BIGNUM *slot_number(const monpro_sim *sim, unsigned slot)
{
    uint8_t bytes[4 * MAX_WORDS];
    for (size_t i = 0; i < MAX_WORDS; i++) {
        for (size_t j = 0; j < 4; j++) {
            bytes[sizeof bytes - 1 - 4 * i - j] = (uint8_t)(sim->operand[slot][i] >> (8 * j));
        }
    }
    return BN_bin2bn(bytes, sizeof bytes, NULL);
}

/* The checks that a start makes, as error_e says. */
static uint32_t start_error(const monpro_sim *sim, const BIGNUM *n, const BIGNUM *x)
{
    const uint32_t bits = (uint32_t)BN_num_bits(n);
    const uint32_t window = MONPRO_REGS_GET(sim->config, CONFIG_WINDOW);
    const uint32_t scheme = MONPRO_REGS_GET(sim->config, CONFIG_SCHEME);
    if (sim->mode[0] == 'e' && strncmp(sim->mode, "error", 5) == 0) {
        return (uint32_t)atoi(sim->mode + 5);
    }
    if (!sim->present[0] || !sim->present[1] || !sim->present[2]) {
        return MONPRO_REGS_ERROR_OPERAND_MISSING;
    }
    if (!BN_is_odd(n)) {
        return MONPRO_REGS_ERROR_MODULUS_EVEN;
    }
    if (bits < sim->min_bits || bits > sim->max_bits || sim->length != (bits + 2 + sim->word_bits - 1) / sim->word_bits) {
        return MONPRO_REGS_ERROR_MODULUS_SIZE;
    }
    if (BN_cmp(x, n) >= 0) {
        return MONPRO_REGS_ERROR_BASE_RANGE;
    }
    if (sim->exponent_bits == 0 || sim->exponent_bits > sim->max_bits) {
        return MONPRO_REGS_ERROR_EXPONENT_LENGTH;
    }
    if ((sim->schemes >> scheme & 1u) == 0) {
        return MONPRO_REGS_ERROR_SCHEME;
    }
    if (scheme == MONPRO_REGS_SCHEME_FIXED_WINDOW &&
        (window < 1 || window > 6 || (sim->length + 1) << window > sim->table_words)) {
        return MONPRO_REGS_ERROR_WINDOW;
    }
    return MONPRO_REGS_ERROR_NONE;
}

static void compute(monpro_sim *sim)
{
    BN_CTX *context = BN_CTX_new();
    BIGNUM *n = slot_number(sim, 0), *x = slot_number(sim, 1), *e = slot_number(sim, 2), *r = BN_new();
    uint8_t bytes[4 * MAX_WORDS];
    sim->error = start_error(sim, n, x);
    if (sim->error != MONPRO_REGS_ERROR_NONE) {
        forget(sim);
    } else {
        BN_mask_bits(e, (int)sim->exponent_bits);
        BN_mod_exp(r, x, e, n, context);
        if (mode_is(sim, "wrong_result") ||
            (mode_is(sim, "wrong_half") && BN_num_bits(n) <= 512 && sim->operations % 2 == 1)) {
            BN_mod_add(r, r, BN_value_one(), n, context); /* in range, and wrong */
        }
        if (mode_is(sim, "result_too_large")) {
            BN_copy(r, n);
        }
        BN_bn2binpad(r, bytes, sizeof bytes);
        for (size_t i = 0; i < MAX_WORDS; i++) {
            const uint8_t *b = bytes + sizeof bytes - 4 * i - 4;
            sim->operand[3][i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        }
        sim->warm = !mode_is(sim, "never_warm");
        sim->present[MONPRO_REGS_SLOT_BASE] = sim->present[MONPRO_REGS_SLOT_EXPONENT] = false; /* used up */
        sim->has_result = !mode_is(sim, "no_result");
        sim->operations += mode_is(sim, "miscount") ? 2 : 1;
        sim->products = 2 * sim->exponent_bits;
    }
    BN_free(n);
    BN_clear_free(x);
    BN_clear_free(e);
    BN_clear_free(r);
    BN_CTX_free(context);
}

static void finish(monpro_sim *sim)
{
    if (sim->aborting) {
        sim->error = MONPRO_REGS_ERROR_ABORTED;
        forget(sim);
    } else {
        compute(sim);
    }
    sim->busy = sim->aborting = false;
    sim->done = true;
}

static void command(monpro_sim *sim, uint32_t value)
{
    if ((value & MONPRO_REGS_COMMAND_CLEAR_MASK) != 0) {
        sim->done = false;
        sim->fault = 0;
    }
    if ((value & MONPRO_REGS_COMMAND_ABORT_MASK) != 0 && sim->busy && !mode_is(sim, "never_idle")) {
        sim->aborting = true;
        sim->busy_until = sim->cycles + WIPE_CYCLES;
    }
    if ((value & MONPRO_REGS_COMMAND_WIPE_MASK) != 0 && !sim->busy) {
        forget(sim);
        sim->busy = sim->aborting = true;
        sim->done = false;
        sim->busy_until = sim->cycles + WIPE_CYCLES;
    }
    if ((value & MONPRO_REGS_COMMAND_START_MASK) != 0) {
        if (sim->busy) {
            sim->fault = sim->fault != 0 ? sim->fault : MONPRO_REGS_FAULT_START_WHILE_BUSY;
            return;
        }
        sim->busy = true;
        sim->done = sim->has_result = false;
        sim->load_cycles = sim->loading_cycles;
        sim->loading_cycles = sim->read_cycles = 0;
        sim->busy_until = mode_is(sim, "never_done") || mode_is(sim, "never_idle") || mode_is(sim, "irq_lies")
                              ? UINT64_MAX
                              : sim->cycles + OPERATION_CYCLES;
    }
}

static void write_data(monpro_sim *sim, uint32_t value)
{
    const uint32_t words = sim->slot == MONPRO_REGS_SLOT_EXPONENT ? (sim->exponent_bits + 31) / 32
                                                                  : (sim->word_bits * (sim->length + 1) + 31) / 32;
    if (sim->slot == MONPRO_REGS_SLOT_RESULT || sim->position >= words || words > MAX_WORDS) {
        sim->fault = MONPRO_REGS_FAULT_OPERAND_TOO_LONG;
        return;
    }
    if (sim->slot == MONPRO_REGS_SLOT_MODULUS) {
        sim->warm = false;
    }
    sim->operand[sim->slot][sim->position++] = value;
    sim->present[sim->slot] = sim->position == words;
}

int monpro_sim_write(monpro_sim *sim, uint32_t address, uint32_t value)
{
    sim->cycles += 3;
    sim->loading_cycles += sim->busy ? 0 : 3;
    if (mode_is(sim, "write_slverr")) {
        return MONPRO_SIM_SLVERR;
    }
    if (sim->busy && address >= REG(LENGTH) && address <= REG(DATA)) {
        sim->fault = sim->fault != 0 ? sim->fault : MONPRO_REGS_FAULT_WRITE_WHILE_BUSY;
        return MONPRO_SIM_OKAY;
    }
    switch (address) {
    case REG(COMMAND):
        command(sim, value);
        break;
    case REG(INTERRUPT):
        sim->interrupt = value;
        break;
    case REG(LENGTH):
        sim->length = value;
        forget(sim);
        break;
    case REG(EXPONENT):
        sim->exponent_bits = value;
        sim->present[MONPRO_REGS_SLOT_EXPONENT] = false;
        break;
    case REG(CONFIG):
        sim->config = value;
        break;
    case REG(OPERAND):
        sim->slot = value & 3u;
        sim->position = 0;
        break;
    case REG(DATA):
        write_data(sim, value);
        break;
    default:
        return MONPRO_SIM_SLVERR;
    }
    return MONPRO_SIM_OKAY;
}

static uint32_t status_word(const monpro_sim *sim)
{
    return MONPRO_REGS_PUT(STATUS_BUSY, sim->busy) | MONPRO_REGS_PUT(STATUS_DONE, sim->done) |
           MONPRO_REGS_PUT(STATUS_WARM, sim->warm) | MONPRO_REGS_PUT(STATUS_RESULT, sim->has_result) |
           MONPRO_REGS_PUT(STATUS_ERROR, sim->error) |
           MONPRO_REGS_PUT(STATUS_FAULT, mode_is(sim, "fault") ? MONPRO_REGS_FAULT_WRITE_WHILE_BUSY : sim->fault);
}

int monpro_sim_read(monpro_sim *sim, uint32_t address, uint32_t *value)
{
    sim->cycles += 3;
    sim->read_cycles += sim->busy ? 0 : 3;
    switch (address) {
    case REG(ID):
        *value = mode_is(sim, "other_id") ? 0x12345678u : MONPRO_REGS_ID_MAGIC_VALUE;
        return mode_is(sim, "hang") ? MONPRO_SIM_HANG : MONPRO_SIM_OKAY;
    case REG(VERSION):
        *value = mode_is(sim, "other_version") ? 0x00020000u : 0x00010000u;
        break;
    case REG(PARAM_ARRAY):
        *value = sim->word_bits | 16u << 8;
        break;
    case REG(PARAM_BITS):
        *value = sim->min_bits | sim->max_bits << 16;
        break;
    case REG(PARAM_TABLE):
        *value = sim->table_words;
        break;
    case REG(PARAM_FEATURES):
        *value = 17u | sim->schemes << 16;
        break;
    case REG(STATUS):
        *value = status_word(sim);
        break;
    case REG(DATA):
        if (mode_is(sim, "data_decerr")) {
            return MONPRO_SIM_DECERR;
        }
        *value = sim->has_result && sim->slot == MONPRO_REGS_SLOT_RESULT ? sim->operand[3][sim->position++] : 0;
        break;
    case REG(CYCLES_LOAD):
        *value = sim->load_cycles;
        break;
    case REG(CYCLES_PRECOMPUTE):
        *value = 7;
        break;
    case REG(CYCLES_EXPONENTIATE_LOW):
        *value = OPERATION_CYCLES;
        break;
    case REG(CYCLES_EXPONENTIATE_HIGH):
        *value = 1;
        break;
    case REG(CYCLES_READ):
        *value = sim->read_cycles;
        break;
    case REG(OPERATIONS):
        *value = sim->operations;
        break;
    case REG(PRODUCTS):
        *value = sim->products;
        break;
    default:
        return MONPRO_SIM_SLVERR;
    }
    return MONPRO_SIM_OKAY;
}

int monpro_sim_irq(const monpro_sim *sim)
{
    return sim->interrupt != 0 && sim->done;
}

uint64_t monpro_sim_wait(monpro_sim *sim, uint64_t cycles)
{
    if (monpro_sim_irq(sim) || mode_is(sim, "irq_lies")) {
        return 0;
    }
    uint64_t left = UINT64_MAX;
    if (sim->busy && sim->busy_until != UINT64_MAX) {
        left = sim->busy_until > sim->cycles ? sim->busy_until - sim->cycles : 0;
    }
    const uint64_t run = left < cycles ? left : cycles;
    sim->cycles += run;
    if (run == left) {
        finish(sim);
    }
    return run;
}

uint64_t monpro_sim_cycles(const monpro_sim *sim)
{
    return sim->cycles;
}
