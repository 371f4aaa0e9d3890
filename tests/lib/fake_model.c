/* A coprocessor without RTL behind sim/monpro_sim.h, for the driver's tests: the register protocol to the letter (what
 * is written too short, too long, or while busy is an error), the arithmetic in fake_operation.c, and the misbehaviour
 * that the environment's MONPRO_FAKE names, when the model is created: words with commas between them. With the word
 * "crt" it is a design with wide words, a delay, every scheme and the CRT, else one with none of that. */
#include <stdlib.h>
#include <string.h>

#include "fake_model.h"

#define REG(name) MONPRO_REGS_##name##_OFFSET
enum { OPERATION_CYCLES = 200000, WIPE_CYCLES = 100 };

bool mode_is(const monpro_sim *sim, const char *mode)
{
    const size_t size = strlen(mode);
    for (const char *word = sim->mode; word != NULL; word = strchr(word, ',')) {
        word += *word == ',';
        if (strncmp(word, mode, size) == 0 && (word[size] == '\0' || word[size] == ',')) {
            return true;
        }
    }
    return false;
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
    const bool crt = mode_is(sim, "crt");
    sim->has_crt = crt && !mode_is(sim, "halves");
    sim->word_bits = crt ? 36 : 17;
    sim->elements = crt ? 32 : 16;
    sim->delay = crt ? 1 : 0;
    sim->min_bits = mode_is(sim, "long_only") ? 400 : 128;
    sim->max_bits = mode_is(sim, "short_only") ? 768 : 4096;
    sim->table_words = mode_is(sim, "small_table") ? 300 : mode_is(sim, "no_table") ? 0 : 16384;
    sim->table_banks = crt ? 4 : 1;
    sim->schemes = mode_is(sim, "no_binary") ? 1 : mode_is(sim, "no_scheme") ? 0 : crt ? 0x3f : 3;
    sim->busy = mode_is(sim, "born_busy");
    sim->busy_until = UINT64_MAX;
    return sim;
}

void monpro_sim_destroy(monpro_sim *sim)
{
    free(sim);
}

void forget(monpro_sim *sim)
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
    const uint32_t words = slot_words(sim, sim->slot);
    if (sim->slot > MONPRO_REGS_SLOT_RESULT && !is_crt(sim)) {
        return; /* no such slot without CONFIG.crt */
    }
    if (sim->slot == MONPRO_REGS_SLOT_RESULT || sim->slot > MONPRO_REGS_SLOT_INVERSE || sim->position >= words ||
        words > MAX_WORDS) {
        sim->fault = MONPRO_REGS_FAULT_OPERAND_TOO_LONG;
        return;
    }
    if (sim->slot == MONPRO_REGS_SLOT_MODULUS || sim->slot == MONPRO_REGS_SLOT_MODULUS_Q) {
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
        sim->present[MONPRO_REGS_SLOT_EXPONENT] = sim->present[MONPRO_REGS_SLOT_EXPONENT_Q] = false;
        break;
    case REG(CONFIG):
        sim->config = value;
        sim->warm = sim->warm && sim->warm_crt == is_crt(sim);
        break;
    case REG(OPERAND):
        sim->slot = MONPRO_REGS_GET(value, OPERAND_SLOT);
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
        *value = mode_is(sim, "other_version") ? 0x00010000u : 0x00020000u;
        break;
    case REG(PARAM_ARRAY):
        *value = MONPRO_REGS_PUT(PARAM_ARRAY_WORD_BITS, sim->word_bits) |
                 MONPRO_REGS_PUT(PARAM_ARRAY_ELEMENTS, sim->elements) | MONPRO_REGS_PUT(PARAM_ARRAY_DELAY, sim->delay);
        break;
    case REG(PARAM_BITS):
        *value = sim->min_bits | sim->max_bits << 16;
        break;
    case REG(PARAM_TABLE):
        *value = MONPRO_REGS_PUT(PARAM_TABLE_WORDS, sim->table_words) |
                 MONPRO_REGS_PUT(PARAM_TABLE_BANKS, sim->table_banks);
        break;
    case REG(PARAM_FEATURES):
        *value = MONPRO_REGS_PUT(PARAM_FEATURES_MULTIPLIERS, 17u) |
                 MONPRO_REGS_PUT(PARAM_FEATURES_SCHEMES, sim->schemes) |
                 MONPRO_REGS_PUT(PARAM_FEATURES_CRT, sim->has_crt);
        break;
    case REG(STATUS):
        *value = status_word(sim);
        break;
    case REG(DATA):
        if (mode_is(sim, "data_decerr")) {
            return MONPRO_SIM_DECERR;
        }
        *value = sim->has_result && sim->slot == MONPRO_REGS_SLOT_RESULT ? sim->operand[sim->slot][sim->position++] : 0;
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
