/* The driver of the coprocessor.
 *
 * An operation: LENGTH, operands, EXPONENT, CONFIG, start; wait for the interrupt line; STATUS, result, counters. The
 * driver remembers which modulus the device holds: under the same one it neither writes it again nor lets the device
 * compute its constants again (STATUS.warm confirms it).
 *
 * Lengths, for a modulus of b bits and words of w bits: s = ceil((b + 2) / w) words, as operands stay below 2N and
 * R = 2^(ws) > 4N. A window of k bits needs (s + 1) * 2^k words of table memory.
 *
 * Time-out: TIMEOUT_FACTOR times an upper bound on the cycles. A product has s + 1 rows, rounded up to the elements; a row
 * at most 2 * ceil((s + 1) / elements) cycles of work and ROW_LATENCY of pipeline; an exponentiation has at most two products a
 * bit of the exponent and 2^6 for the table; the constants of a modulus take at most four passes of s words over each
 * of its bits. It depends on lengths only.
 *
 * Any failure leaves the device in doubt: before the next operation it is told to abort and wipe, and it is loaded anew.
 * Constant time: the bus traffic depends on lengths only. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "limbs.h"
#include "modexp.h"
#include "monpro_regs.h"
#include "status.h"
#include "wipe.h"

#define REG(name) MONPRO_REGS_##name##_OFFSET
#define SUPPORTED_MAJOR MONPRO_REGS_VERSION_MAJOR_VALUE
#define TIMEOUT_FACTOR 4u
#define ROW_LATENCY 64u
#define SLICE_CYCLES 65536u
#define IDLE_CYCLES 1000000u /* more than any wipe takes */

typedef struct device {
    monpro_transport transport;
    monpro_engine_info info;
    uint32_t schemes;                   /* PARAM_FEATURES.schemes */
    uint8_t modulus[MONPRO_MAX_BYTES];  /* what the device's modulus slot holds */
    size_t modulus_len;                 /* 0: nothing that is known */
    bool in_doubt;                      /* abort and wipe before the next use */
    bool warm;                          /* the operation under way started warm */
    uint32_t operations;                /* OPERATIONS as last read */
    uint64_t elapsed_cycles, limit_cycles;
} device;

/* ---- bus ----------------------------------------------------------------------------------------------------- */

static monpro_status bus_result(monpro_bus result, const char *access, uint32_t address, monpro_error *error)
{
    static const char *const names[] = {"OKAY", "EXOKAY", "SLVERR", "DECERR", "no response"};
    if (result == MONPRO_BUS_OKAY) {
        return MONPRO_OK;
    }
    return monpro_fail(error, MONPRO_ERR_DEVICE_BUS, "%s register %08x: %s", access, (unsigned)address,
                       (unsigned)result < sizeof names / sizeof *names ? names[result] : "an unknown response");
}

static monpro_status read_register(device *dev, uint32_t address, uint32_t *value, monpro_error *error)
{
    *value = 0;
    return bus_result(dev->transport.read(dev->transport.context, address, value), "reading", address, error);
}

static monpro_status write_register(device *dev, uint32_t address, uint32_t value, monpro_error *error)
{
    return bus_result(dev->transport.write(dev->transport.context, address, value), "writing", address, error);
}

/* One line per access, the first failure wins. */
#define TRY(call) \
    do { \
        const monpro_status try_status = (call); \
        if (try_status != MONPRO_OK) { \
            return try_status; \
        } \
    } while (0)

/* Writes `count` words of a big-endian number into a slot, zeros at the top. */
static monpro_status write_operand(device *dev, uint32_t slot, const uint8_t *bytes, size_t size, uint32_t count,
                                   monpro_error *error)
{
    TRY(write_register(dev, REG(OPERAND), MONPRO_REGS_PUT(OPERAND_SLOT, slot), error));
    for (size_t i = 0; i < count; i++) {
        uint32_t word = 0;
        for (size_t j = 4; j-- > 0;) {
            const size_t place = 4 * i + j; /* bytes from the end */
            word = (word << 8) | (place < size ? bytes[size - 1 - place] : 0u);
        }
        TRY(write_register(dev, REG(DATA), word, error));
    }
    return MONPRO_OK;
}

static monpro_status read_result(device *dev, uint8_t *bytes, size_t size, monpro_error *error)
{
    TRY(write_register(dev, REG(OPERAND), MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_RESULT), error));
    for (size_t i = 0; i < (size + 3) / 4; i++) {
        uint32_t word;
        TRY(read_register(dev, REG(DATA), &word, error));
        for (size_t j = 0; j < 4 && 4 * i + j < size; j++) {
            bytes[size - 1 - (4 * i + j)] = (uint8_t)(word >> (8 * j));
        }
    }
    return MONPRO_OK;
}

/* ---- an operation -------------------------------------------------------------------------------------------- */

static uint32_t words_for_bits(const device *dev, uint32_t modulus_bits)
{
    return (modulus_bits + 2 + dev->info.word_bits - 1) / dev->info.word_bits;
}

static uint64_t limit_cycles(const device *dev, const monpro_operation *operation)
{
    const uint64_t s = words_for_bits(dev, operation->modulus_bits);
    const uint64_t elements = dev->info.elements == 0 ? 1 : dev->info.elements;
    const uint64_t product = (s + 1 + elements) * (2 * ((s + elements) / elements) + ROW_LATENCY);
    const uint64_t products = 2 * (uint64_t)operation->exponent_bits + (1u << MONPRO_MAX_WINDOW);
    const uint64_t constants = 4 * ((uint64_t)operation->modulus_bits + dev->info.word_bits) * (s + ROW_LATENCY);
    return TIMEOUT_FACTOR * (products * product + constants);
}

static monpro_status fault(uint32_t status_word, const char *what, monpro_error *error)
{
    return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "%s; status register %08x", what, (unsigned)status_word);
}

/* Gives a command that ends in STATUS.done and waits for that. */
static monpro_status command_and_wait(device *dev, uint32_t command, uint32_t *status_word, monpro_error *error)
{
    TRY(write_register(dev, REG(COMMAND), MONPRO_REGS_COMMAND_CLEAR_MASK, error));
    TRY(write_register(dev, REG(COMMAND), command, error));
    (void)dev->transport.wait(dev->transport.context, IDLE_CYCLES);
    return read_register(dev, REG(STATUS), status_word, error);
}

/* Ends whatever the device was doing and leaves it wiped and idle. */
static monpro_status recover(device *dev, monpro_error *error)
{
    uint32_t status_word;
    dev->modulus_len = 0;
    TRY(write_register(dev, REG(INTERRUPT), MONPRO_REGS_INTERRUPT_ENABLE_MASK, error));
    TRY(read_register(dev, REG(STATUS), &status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0) {
        TRY(command_and_wait(dev, MONPRO_REGS_COMMAND_ABORT_MASK, &status_word, error));
    }
    TRY(command_and_wait(dev, MONPRO_REGS_COMMAND_WIPE_MASK, &status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_TIMEOUT, "the device stays busy after an abort; status register %08x",
                           (unsigned)status_word);
    }
    TRY(read_register(dev, REG(OPERATIONS), &dev->operations, error));
    dev->in_doubt = false;
    return MONPRO_OK;
}

static monpro_status load_and_start(device *dev, const monpro_operation *operation, monpro_error *error)
{
    const uint32_t s = words_for_bits(dev, operation->modulus_bits);
    const uint32_t operand_words = (dev->info.word_bits * (s + 1) + 31) / 32;
    uint32_t status_word;

    TRY(write_register(dev, REG(COMMAND), MONPRO_REGS_COMMAND_CLEAR_MASK, error));
    TRY(read_register(dev, REG(STATUS), &status_word, error));
    const bool loaded = dev->modulus_len == operation->modulus_len &&
                        monpro_ct_equal(dev->modulus, operation->modulus, operation->modulus_len) != 0;
    dev->warm = loaded && MONPRO_REGS_GET(status_word, STATUS_WARM) != 0;
    if (!dev->warm) {
        dev->modulus_len = 0;
        TRY(write_register(dev, REG(LENGTH), MONPRO_REGS_PUT(LENGTH_WORDS, s), error));
        TRY(write_operand(dev, MONPRO_REGS_SLOT_MODULUS, operation->modulus, operation->modulus_len, operand_words,
                          error));
        memcpy(dev->modulus, operation->modulus, operation->modulus_len);
        dev->modulus_len = operation->modulus_len;
    }
    TRY(write_register(dev, REG(EXPONENT), MONPRO_REGS_PUT(EXPONENT_BITS, operation->exponent_bits), error));
    TRY(write_register(dev, REG(CONFIG),
                       MONPRO_REGS_PUT(CONFIG_SCHEME, operation->binary ? MONPRO_REGS_SCHEME_BINARY
                                                                        : MONPRO_REGS_SCHEME_FIXED_WINDOW) |
                           MONPRO_REGS_PUT(CONFIG_WINDOW, operation->binary ? 1u : operation->window) |
                           MONPRO_REGS_PUT(CONFIG_PUBLIC, operation->is_public),
                       error));
    TRY(write_operand(dev, MONPRO_REGS_SLOT_BASE, operation->base, operation->base_len, operand_words, error));
    TRY(write_operand(dev, MONPRO_REGS_SLOT_EXPONENT, operation->exponent, operation->exponent_len,
                      (operation->exponent_bits + 31) / 32, error));
    dev->elapsed_cycles = 0;
    dev->limit_cycles = limit_cycles(dev, operation);
    return write_register(dev, REG(COMMAND), MONPRO_REGS_COMMAND_START_MASK, error);
}

static monpro_status begin(void *state, const monpro_operation *operation, monpro_error *error)
{
    device *dev = state;
    monpro_status status = dev->in_doubt ? recover(dev, error) : MONPRO_OK;
    if (status == MONPRO_OK) {
        status = load_and_start(dev, operation, error);
    }
    dev->in_doubt |= status != MONPRO_OK;
    return status;
}

/* The device checks what the engine has checked before, so an error here is a disagreement between the two; where the
 * caller's input has a status for it, that is the one. */
static monpro_status device_error(uint32_t status_word, monpro_error *error)
{
    static const char *const sentences[] = {
#define X(name, value, text, description) [value] = description,
        MONPRO_REGS_ERROR_LIST(X)
#undef X
    };
    static const monpro_status input_errors[] = {
        [MONPRO_REGS_ERROR_MODULUS_EVEN] = MONPRO_ERR_MODULUS_EVEN,
        [MONPRO_REGS_ERROR_BASE_RANGE] = MONPRO_ERR_BASE_RANGE,
        [MONPRO_REGS_ERROR_EXPONENT_LENGTH] = MONPRO_ERR_EXPONENT_LONG,
        [MONPRO_REGS_ERROR_WINDOW] = MONPRO_ERR_SCHEME,
        [MONPRO_REGS_ERROR_SCHEME] = MONPRO_ERR_SCHEME,
    };
    const uint32_t code = MONPRO_REGS_GET(status_word, STATUS_ERROR);
    monpro_status status = MONPRO_ERR_DEVICE_FAULT;
    if (code < sizeof input_errors / sizeof *input_errors && input_errors[code] != MONPRO_OK) {
        status = input_errors[code];
    }
    return monpro_fail(error, status, "the device says: %s; status register %08x",
                       code < sizeof sentences / sizeof *sentences ? sentences[code] : "an unknown error",
                       (unsigned)status_word);
}

/* Everything that is read after STATUS.done. */
static monpro_status finish(device *dev, const monpro_operation *operation, uint32_t status_word,
                            monpro_counters *counters, monpro_error *error)
{
    uint32_t cycles_load, cycles_precompute, low, high, cycles_read, products, operations;
    if (MONPRO_REGS_GET(status_word, STATUS_ERROR) != MONPRO_REGS_ERROR_NONE) {
        return device_error(status_word, error);
    }
    if (MONPRO_REGS_GET(status_word, STATUS_RESULT) == 0) {
        return fault(status_word, "the device finished without an error and without a result", error);
    }
    TRY(read_result(dev, operation->result, operation->modulus_len, error));
    TRY(read_register(dev, REG(CYCLES_READ), &cycles_read, error)); /* first: it counts these reads too */
    TRY(read_register(dev, REG(CYCLES_LOAD), &cycles_load, error));
    TRY(read_register(dev, REG(CYCLES_PRECOMPUTE), &cycles_precompute, error));
    TRY(read_register(dev, REG(CYCLES_EXPONENTIATE_LOW), &low, error));
    TRY(read_register(dev, REG(CYCLES_EXPONENTIATE_HIGH), &high, error));
    TRY(read_register(dev, REG(PRODUCTS), &products, error));
    TRY(read_register(dev, REG(OPERATIONS), &operations, error));
    TRY(read_register(dev, REG(STATUS), &status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_FAULT) != MONPRO_REGS_FAULT_NONE) {
        return fault(status_word, "the device reports a misuse of its bus", error);
    }
    const uint32_t done = operations - dev->operations;
    dev->operations = operations;
    if (done != 1) {
        return fault(status_word, "the device did not count exactly one operation", error);
    }
    counters->operations = done;
    counters->warm = dev->warm ? 1 : 0;
    counters->products = products;
    counters->cycles_load = cycles_load;
    counters->cycles_precompute = cycles_precompute;
    counters->cycles_exponentiate = (uint64_t)high << 32 | low;
    counters->cycles_read = cycles_read;
    return MONPRO_OK;
}

static monpro_status advance_once(device *dev, const monpro_operation *operation, bool block, bool *finished,
                                  monpro_counters *counters, monpro_error *error)
{
    const uint64_t left = dev->limit_cycles - dev->elapsed_cycles;
    const uint64_t waited = dev->transport.wait(dev->transport.context, block || left < SLICE_CYCLES ? left
                                                                                                     : SLICE_CYCLES);
    uint32_t status_word;
    dev->elapsed_cycles += waited < left ? waited : left;
    TRY(read_register(dev, REG(STATUS), &status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_DONE) != 0) {
        *finished = true;
        return finish(dev, operation, status_word, counters, error);
    }
    if (waited == 0) {
        return fault(status_word, "the interrupt line is high and nothing is done", error);
    }
    if (dev->elapsed_cycles == dev->limit_cycles) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_TIMEOUT,
                           "the device has not finished after %u thousand cycles; status register last read %08x",
                           (unsigned)(dev->limit_cycles / 1000), (unsigned)status_word);
    }
    return MONPRO_OK;
}

static monpro_status advance(void *state, const monpro_operation *operation, bool block, bool *finished,
                             monpro_counters *counters, monpro_error *error)
{
    device *dev = state;
    monpro_status status;
    do {
        status = advance_once(dev, operation, block, finished, counters, error);
    } while (status == MONPRO_OK && block && !*finished);
    dev->in_doubt |= status != MONPRO_OK;
    return status;
}

/* ---- what the device is -------------------------------------------------------------------------------------- */

static uint32_t largest_window(const void *state, uint32_t modulus_bits)
{
    const device *dev = state;
    const uint64_t entry_words = words_for_bits(dev, modulus_bits) + 1;
    uint32_t window = 0;
    if ((dev->schemes >> MONPRO_REGS_SCHEME_FIXED_WINDOW & 1u) != 0) {
        while (window < MONPRO_MAX_WINDOW && entry_words << (window + 1) <= dev->info.table_words) {
            window++;
        }
    }
    return window;
}

/* The look-up reads a word a cycle and runs beside the window's squarings; what is longer than those, the multiplier
 * waits for. A product has ceil(s / elements) rounds of 2 * s cycles or more. */
static uint32_t look_up_cost(const void *state, uint32_t modulus_bits, uint32_t window)
{
    const device *dev = state;
    const uint64_t s = words_for_bits(dev, modulus_bits) + 1;
    const uint64_t elements = dev->info.elements == 0 ? 1 : dev->info.elements;
    const uint64_t product_cycles = (s + elements - 1) / elements * 2 * s;
    const uint64_t look_up_cycles = s << window, hidden_cycles = window * product_cycles;
    return look_up_cycles <= hidden_cycles ? 0 : (uint32_t)(100 * (look_up_cycles - hidden_cycles) / product_cycles);
}

static bool has_binary(const void *state)
{
    const device *dev = state;
    return (dev->schemes >> MONPRO_REGS_SCHEME_BINARY & 1u) != 0;
}

static void close_device(void *state)
{
    device *dev = state;
    (void)recover(dev, NULL);
    dev->transport.close(dev->transport.context);
    monpro_wipe(dev, sizeof *dev);
    free(dev);
}

static monpro_status identify(device *dev, monpro_error *error)
{
    uint32_t id, version, array, bits, table, features, status_word;
    TRY(read_register(dev, REG(ID), &id, error));
    if (id != MONPRO_REGS_ID_MAGIC_VALUE) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_ABSENT, "the identification register holds %08x, not %08x",
                           (unsigned)id, (unsigned)MONPRO_REGS_ID_MAGIC_VALUE);
    }
    TRY(read_register(dev, REG(VERSION), &version, error));
    if (MONPRO_REGS_GET(version, VERSION_MAJOR) != SUPPORTED_MAJOR) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_VERSION, "register map version %u; this driver knows %u",
                           (unsigned)MONPRO_REGS_GET(version, VERSION_MAJOR), (unsigned)SUPPORTED_MAJOR);
    }
    TRY(read_register(dev, REG(PARAM_ARRAY), &array, error));
    TRY(read_register(dev, REG(PARAM_BITS), &bits, error));
    TRY(read_register(dev, REG(PARAM_TABLE), &table, error));
    TRY(read_register(dev, REG(PARAM_FEATURES), &features, error));
    TRY(read_register(dev, REG(STATUS), &status_word, error));
    TRY(read_register(dev, REG(OPERATIONS), &dev->operations, error));
    dev->info.version = version;
    dev->info.word_bits = MONPRO_REGS_GET(array, PARAM_ARRAY_WORD_BITS);
    dev->info.elements = MONPRO_REGS_GET(array, PARAM_ARRAY_ELEMENTS);
    dev->info.min_bits = MONPRO_REGS_GET(bits, PARAM_BITS_MIN_BITS);
    dev->info.max_bits = MONPRO_REGS_GET(bits, PARAM_BITS_MAX_BITS);
    dev->info.table_words = table;
    dev->info.multipliers = MONPRO_REGS_GET(features, PARAM_FEATURES_MULTIPLIERS);
    dev->schemes = MONPRO_REGS_GET(features, PARAM_FEATURES_SCHEMES);
    if (dev->info.max_bits > MONPRO_MAX_BITS) {
        dev->info.max_bits = MONPRO_MAX_BITS; /* what the driver has room to remember */
    }
    if (dev->info.word_bits == 0 || dev->info.min_bits < 2 || dev->info.min_bits > dev->info.max_bits ||
        dev->schemes == 0) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "impossible parameters: array %08x, bits %08x, features %08x",
                           (unsigned)array, (unsigned)bits, (unsigned)features);
    }
    dev->in_doubt = MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0;
    return write_register(dev, REG(INTERRUPT), MONPRO_REGS_INTERRUPT_ENABLE_MASK, error);
}

monpro_status monpro_device_open(monpro_engine **engine, const monpro_transport *transport, const char *spec,
                                 monpro_error *error)
{
    static const monpro_engine_ops ops = {begin, advance, largest_window, look_up_cost, has_binary, close_device};
    device *dev = calloc(1, sizeof *dev);
    if (dev == NULL) {
        transport->close(transport->context);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the driver");
    }
    dev->transport = *transport;
    monpro_copy_text(dev->info.spec, sizeof dev->info.spec, spec);
    const monpro_status status = identify(dev, error);
    if (status != MONPRO_OK) {
        transport->close(transport->context); /* it may be no Monpro: no command is written to it */
        free(dev);
        return status;
    }
    return monpro_engine_create(engine, &ops, dev, &dev->info, error);
}
