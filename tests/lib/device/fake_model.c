/* A coprocessor without RTL behind sim/monpro_sim.h, for the driver's tests. It has the register protocol to the
 * letter: what is written too short, too long, or while the device is busy is an error. fake_operation.c has the
 * arithmetic.
 *
 * The environment's MONPRO_FAKE holds words with commas between them. They are read when the model is created, and
 * choose the device and its misbehaviour:
 * - "crt": a design with wide words, a delay, every scheme and the CRT; otherwise a design with none of that;
 * - "products": a design of single products (fake_products.c);
 * - "exact": besides, its products are exact, of 32-bit words; with "narrow" of 16-bit words; with "wide" of 34-bit
 *   words, which is more than DATA has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
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
    if (mode_is(sim, "products")) {
        sim->exact = mode_is(sim, "exact");
        sim->word_bits = !sim->exact ? 17 : mode_is(sim, "narrow") ? 16 : mode_is(sim, "wide") ? 34 : 32;
        sim->elements = sim->exact ? 1 : 17;
        sim->entries = mode_is(sim, "few_entries") ? 5 : sim->exact ? 8 : 32;
        sim->min_bits = 512;
        sim->max_bits = 2048;
        sim->table_words = 0;
        sim->schemes = sim->exact ? 0x16 : 0x1f;
    }
    sim->busy = mode_is(sim, "born_busy");
    sim->busy_until = UINT64_MAX;
    return sim;
}

void monpro_sim_destroy(monpro_sim *sim)
{
    if (sim != NULL) {
        forget_products(sim);
    }
    free(sim);
}

void forget(monpro_sim *sim)
{
    memset(sim->operand, 0, sizeof sim->operand);
    memset(sim->present, 0, sizeof sim->present);
    sim->warm = sim->has_result = sim->locked = false;
    forget_products(sim);
}

/* What is behind STATUS.done of an operation that leaves nothing but its result. */
static bool is_clearing(const monpro_sim *sim)
{
    return sim->cycles < sim->clearing_until;
}

static bool is_busy(const monpro_sim *sim)
{
    return sim->busy || sim->running || is_clearing(sim);
}

/* What is written beside a locked key wipes it. */
static bool is_breach(const monpro_sim *sim, uint32_t address)
{
    return sim->locked && (address == REG(LENGTH) || address == REG(EXPONENT) || address == REG(CONFIG) ||
                           (address == REG(DATA) && sim->slot != MONPRO_REGS_SLOT_BASE));
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
    if ((value & MONPRO_REGS_COMMAND_ABORT_MASK) != 0 && is_busy(sim) && !mode_is(sim, "never_idle")) {
        sim->running = false;
        sim->busy = sim->aborting = true;
        sim->busy_until = sim->cycles + WIPE_CYCLES;
    }
    if ((value & MONPRO_REGS_COMMAND_WIPE_MASK) != 0 && !is_busy(sim)) {
        forget(sim);
        sim->busy = sim->aborting = true;
        sim->done = false;
        sim->busy_until = sim->cycles + WIPE_CYCLES;
    }
    if ((value & MONPRO_REGS_COMMAND_START_MASK) != 0) {
        if (is_busy(sim)) {
            sim->fault = sim->fault != 0 ? sim->fault : MONPRO_REGS_FAULT_START_WHILE_BUSY;
            return;
        }
        if (sim->entries != 0) {
            sim->error = sim->loading_cycles = sim->read_cycles = sim->products = sim->taken = 0;
            sim->working_cycles = 0;
            sim->done = false;
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
    const bool is_entry = sim->slot == MONPRO_REGS_SLOT_ENTRY && sim->entries != 0;
    const bool is_inverse = sim->slot == MONPRO_REGS_SLOT_INVERSE && sim->exact;
    if (sim->slot > MONPRO_REGS_SLOT_RESULT && !is_crt(sim) && !is_entry && !is_inverse) {
        return; /* no such slot without CONFIG.crt */
    }
    if (sim->slot == MONPRO_REGS_SLOT_RESULT || sim->position >= words || words > MAX_WORDS ||
        (sim->entries != 0 && sim->slot != MONPRO_REGS_SLOT_MODULUS && !is_entry && !is_inverse)) {
        sim->fault = MONPRO_REGS_FAULT_OPERAND_TOO_LONG;
        return;
    }
    if (sim->slot == MONPRO_REGS_SLOT_MODULUS || sim->slot == MONPRO_REGS_SLOT_MODULUS_Q) {
        sim->warm = false;
        forget_modulus(sim);
    }
    if ((value & beyond_slot(sim, sim->slot, sim->position)) != 0) {
        sim->fault = MONPRO_REGS_FAULT_OPERAND_TOO_LONG;
        return;
    }
    sim->operand[sim->slot][sim->position++] = value;
    sim->present[sim->slot] = sim->position == words;
    if (is_entry && sim->position == words) {
        close_entry(sim);
    }
}

int monpro_sim_write(monpro_sim *sim, uint32_t address, uint32_t value)
{
    sim->cycles += 3;
    sim->loading_cycles += is_busy(sim) ? 0 : 3;
    run_products(sim);
    if (mode_is(sim, "write_slverr")) {
        return MONPRO_SIM_SLVERR;
    }
    if (is_busy(sim) && address >= REG(LENGTH) && address <= REG(DATA) &&
        !(is_clearing(sim) && address == REG(OPERAND))) {
        sim->fault = sim->fault != 0 ? sim->fault : MONPRO_REGS_FAULT_WRITE_WHILE_BUSY;
        return MONPRO_SIM_OKAY;
    }
    if (is_breach(sim, address)) {
        sim->fault = sim->fault != 0 ? sim->fault : MONPRO_REGS_FAULT_LOCKED;
        command(sim, MONPRO_REGS_COMMAND_WIPE_MASK);
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
        if (((sim->config ^ value) & MONPRO_REGS_CONFIG_LEAVE_MASK) != 0 && sim->entries == 0 &&
            !mode_is(sim, "first_version")) {
            forget(sim);
        }
        sim->config = mode_is(sim, "first_version") ? value & ~MONPRO_REGS_CONFIG_LEAVE_MASK : value;
        sim->warm = sim->warm && sim->warm_crt == is_crt(sim);
        break;
    case REG(OPERAND):
        sim->slot = MONPRO_REGS_GET(value, OPERAND_SLOT);
        sim->entry = MONPRO_REGS_GET(value, OPERAND_ENTRY);
        sim->position = 0;
        if (sim->slot == MONPRO_REGS_SLOT_ENTRY) {
            open_entry(sim);
        }
        break;
    case REG(DATA):
        write_data(sim, value);
        break;
    case REG(PRODUCT):
        push_product(sim, value);
        break;
    default:
        return MONPRO_SIM_SLVERR;
    }
    return MONPRO_SIM_OKAY;
}

/* A word of the result, or of an entry. */
static uint32_t read_data(monpro_sim *sim)
{
    const bool is_entry = sim->slot == MONPRO_REGS_SLOT_ENTRY && sim->present[sim->slot] && !is_busy(sim);
    if ((sim->has_result && sim->slot == MONPRO_REGS_SLOT_RESULT) || is_entry) {
        return sim->operand[sim->slot][sim->position++];
    }
    sim->fault = sim->fault != 0 ? sim->fault : MONPRO_REGS_FAULT_NOT_READABLE;
    return 0;
}

static uint32_t status_word(const monpro_sim *sim)
{
    const bool loaded = sim->entries != 0 && sim->present[MONPRO_REGS_SLOT_MODULUS] && !mode_is(sim, "never_warm");
    return MONPRO_REGS_PUT(STATUS_BUSY, is_busy(sim)) | MONPRO_REGS_PUT(STATUS_DONE, sim->done) |
           MONPRO_REGS_PUT(STATUS_WARM, sim->warm || loaded) | MONPRO_REGS_PUT(STATUS_RESULT, sim->has_result) |
           MONPRO_REGS_PUT(STATUS_QUEUED, sim->queued) |
           MONPRO_REGS_PUT(STATUS_LOCKED, sim->locked) |
           MONPRO_REGS_PUT(STATUS_ERROR, sim->error) |
           MONPRO_REGS_PUT(STATUS_FAULT, mode_is(sim, "fault") ? MONPRO_REGS_FAULT_WRITE_WHILE_BUSY : sim->fault);
}

int monpro_sim_read(monpro_sim *sim, uint32_t address, uint32_t *value)
{
    sim->cycles += 3;
    sim->read_cycles += is_busy(sim) ? 0 : 3;
    run_products(sim);
    switch (address) {
    case REG(ID):
        *value = mode_is(sim, "other_id") ? 0x12345678u : MONPRO_REGS_ID_MAGIC_VALUE;
        return mode_is(sim, "hang") ? MONPRO_SIM_HANG : MONPRO_SIM_OKAY;
    case REG(VERSION):
        *value = MONPRO_REGS_PUT(VERSION_MAJOR, mode_is(sim, "other_version") ? 1 : MONPRO_REGS_VERSION_MAJOR_VALUE) |
                 MONPRO_REGS_PUT(VERSION_MINOR, mode_is(sim, "first_version") ? 0 : MONPRO_REGS_VERSION_MINOR_VALUE);
        break;
    case REG(PARAM_ARRAY):
        *value = MONPRO_REGS_PUT(PARAM_ARRAY_WORD_BITS, sim->word_bits) |
                 MONPRO_REGS_PUT(PARAM_ARRAY_ELEMENTS, sim->elements) | MONPRO_REGS_PUT(PARAM_ARRAY_DELAY, sim->delay) |
                 MONPRO_REGS_PUT(PARAM_ARRAY_EXACT, sim->exact);
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
                 MONPRO_REGS_PUT(PARAM_FEATURES_CRT, sim->has_crt) |
                 MONPRO_REGS_PUT(PARAM_FEATURES_ENTRIES, sim->entries);
        break;
    case REG(STATUS):
        *value = status_word(sim);
        break;
    case REG(DATA):
        if (mode_is(sim, "data_decerr")) {
            return MONPRO_SIM_DECERR;
        }
        *value = read_data(sim);
        break;
    case REG(CYCLES_LOAD):
        *value = sim->entries != 0 ? sim->loading_cycles : sim->load_cycles;
        break;
    case REG(CYCLES_PRECOMPUTE):
        *value = sim->entries != 0 ? 0 : 7;
        break;
    case REG(CYCLES_EXPONENTIATE_LOW):
        *value = sim->entries != 0 ? (uint32_t)sim->working_cycles : OPERATION_CYCLES;
        break;
    case REG(CYCLES_EXPONENTIATE_HIGH):
        *value = sim->entries != 0 ? (uint32_t)(sim->working_cycles >> 32) : 1;
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
    return (MONPRO_REGS_GET(sim->interrupt, INTERRUPT_ENABLE) != 0 && sim->done) ||
           (MONPRO_REGS_GET(sim->interrupt, INTERRUPT_QUEUE) != 0 && sim->queued <= QUEUE_DEPTH / 2);
}

/* When something happens next: UINT64_MAX, never. */
static uint64_t next_event(const monpro_sim *sim)
{
    return sim->running ? sim->running_until : sim->busy ? sim->busy_until : UINT64_MAX;
}

uint64_t monpro_sim_wait(monpro_sim *sim, uint64_t cycles)
{
    const uint64_t start = sim->cycles;
    if (mode_is(sim, "irq_lies") && is_busy(sim) && !sim->aborting) {
        return 0;
    }
    while (!monpro_sim_irq(sim)) {
        const uint64_t event = next_event(sim);
        if (event > start + cycles) {
            sim->cycles = start + cycles;
            break;
        }
        sim->cycles = event > sim->cycles ? event : sim->cycles;
        if (sim->running) {
            run_products(sim);
        } else {
            finish(sim);
        }
    }
    return sim->cycles - start;
}

uint64_t monpro_sim_cycles(const monpro_sim *sim)
{
    return sim->cycles;
}
