/* The driver of the coprocessor.
 *
 * An operation: LENGTH, EXPONENT, CONFIG, operands, start; wait for the interrupt line; STATUS, result, counters. An
 * RSA private one (CONFIG.crt) has q, dQ and qInv besides, and twice the length in the base and the result. The driver
 * remembers which modulus, or which p and q, the device holds: under the same it neither writes them again nor lets
 * the device compute their constants again (STATUS.warm confirms it). Lengths and time-out are in device_lengths.h.
 *
 * Any failure leaves the device in doubt: before the next operation it is told to abort and wipe, and it is loaded anew.
 * Constant time: the bus traffic depends on lengths only. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "device_lengths.h"
#include "limbs.h"
#include "monpro_regs.h"
#include "status.h"
#include "wipe.h"

#define REG(name) MONPRO_REGS_##name##_OFFSET
#define SUPPORTED_MAJOR MONPRO_REGS_VERSION_MAJOR_VALUE
#define SLICE_CYCLES 65536u
#define IDLE_CYCLES 1000000u /* more than any wipe takes */

typedef struct device {
    monpro_transport transport;
    monpro_engine_info info;
    uint8_t held[MONPRO_MAX_BYTES];     /* what the device's modulus slot holds; with CRT p, and q after it */
    size_t held_len;                    /* 0: nothing that is known */
    bool held_crt;
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

/* The numbers of the schemes in CONFIG and PARAM_FEATURES, by monpro_scheme. */
static const uint32_t scheme_numbers[] = {
    [MONPRO_SCHEME_FIXED_WINDOW] = MONPRO_REGS_SCHEME_FIXED_WINDOW,
    [MONPRO_SCHEME_BINARY] = MONPRO_REGS_SCHEME_BINARY,
    [MONPRO_SCHEME_RIGHT_TO_LEFT] = MONPRO_REGS_SCHEME_RIGHT_TO_LEFT,
    [MONPRO_SCHEME_SLIDING_WINDOW] = MONPRO_REGS_SCHEME_SLIDING_WINDOW,
    [MONPRO_SCHEME_LADDER] = MONPRO_REGS_SCHEME_LADDER,
    [MONPRO_SCHEME_REPEATED] = MONPRO_REGS_SCHEME_REPEATED,
};
enum { SCHEMES = sizeof scheme_numbers / sizeof *scheme_numbers };

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

static void forget(device *dev)
{
    monpro_wipe(dev->held, sizeof dev->held); /* it may be a prime of a key */
    dev->held_len = 0;
}

/* Ends whatever the device was doing and leaves it wiped and idle. */
static monpro_status recover(device *dev, monpro_error *error)
{
    uint32_t status_word;
    forget(dev);
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

/* Whether the device holds the modulus of this operation, or its p and q. */
static bool holds(const device *dev, const monpro_operation *operation)
{
    const size_t size = operation->modulus_len;
    const monpro_crt_key *crt = operation->crt;
    if (dev->held_crt != (crt != NULL) || dev->held_len != size) {
        return false;
    }
    uint64_t equal = monpro_ct_equal(dev->held, operation->modulus, size);
    if (crt != NULL) {
        equal &= monpro_ct_equal(dev->held + size, crt->q, size);
    }
    return equal != 0;
}

/* Loads the modulus, or p and q, into a device that has forgotten every operand. */
static monpro_status load_modulus(device *dev, const monpro_operation *operation, monpro_error *error)
{
    const uint32_t count =
        monpro_device_bus_words(&dev->info, monpro_device_operand_words(&dev->info, operation->modulus_bits));
    const size_t size = operation->modulus_len;
    const monpro_crt_key *crt = operation->crt;
    TRY(write_operand(dev, MONPRO_REGS_SLOT_MODULUS, operation->modulus, size, count, error));
    memcpy(dev->held, operation->modulus, size);
    if (crt != NULL) {
        TRY(write_operand(dev, MONPRO_REGS_SLOT_MODULUS_Q, crt->q, size, count, error));
        memcpy(dev->held + size, crt->q, size);
    }
    dev->held_len = size;
    dev->held_crt = crt != NULL;
    return MONPRO_OK;
}

static monpro_status load_and_start(device *dev, const monpro_operation *operation, monpro_error *error)
{
    const monpro_engine_info *info = &dev->info;
    const monpro_crt_key *crt = operation->crt;
    const uint32_t bits = operation->modulus_bits, exponent_count = (operation->exponent_bits + 31) / 32;
    const uint32_t count = monpro_device_bus_words(info, monpro_device_operand_words(info, bits));
    const uint32_t base_count =
        crt == NULL ? count : monpro_device_bus_words(info, 2 * monpro_device_digits(info, bits));
    const uint32_t window = operation->window == 0 ? 1 : operation->window; /* 1: of no meaning to the scheme */
    uint32_t status_word;

    TRY(write_register(dev, REG(COMMAND), MONPRO_REGS_COMMAND_CLEAR_MASK, error));
    TRY(read_register(dev, REG(STATUS), &status_word, error));
    dev->warm = holds(dev, operation) && MONPRO_REGS_GET(status_word, STATUS_WARM) != 0;
    if (!dev->warm) { /* setting the length makes the device forget every operand */
        const uint32_t words = monpro_device_modulus_words(info, bits);
        forget(dev);
        TRY(write_register(dev, REG(LENGTH), MONPRO_REGS_PUT(LENGTH_WORDS, words), error));
    }
    TRY(write_register(dev, REG(EXPONENT), MONPRO_REGS_PUT(EXPONENT_BITS, operation->exponent_bits), error));
    TRY(write_register(dev, REG(CONFIG),
                       MONPRO_REGS_PUT(CONFIG_SCHEME, scheme_numbers[operation->scheme]) |
                           MONPRO_REGS_PUT(CONFIG_WINDOW, window) |
                           MONPRO_REGS_PUT(CONFIG_PUBLIC, operation->is_public) |
                           MONPRO_REGS_PUT(CONFIG_CRT, crt != NULL),
                       error));
    if (!dev->warm) {
        TRY(load_modulus(dev, operation, error));
    }
    TRY(write_operand(dev, MONPRO_REGS_SLOT_BASE, operation->base, operation->base_len, base_count, error));
    TRY(write_operand(dev, MONPRO_REGS_SLOT_EXPONENT, operation->exponent, operation->exponent_len, exponent_count,
                      error));
    if (crt != NULL) {
        TRY(write_operand(dev, MONPRO_REGS_SLOT_EXPONENT_Q, crt->dq, crt->prime_len, exponent_count, error));
        TRY(write_operand(dev, MONPRO_REGS_SLOT_INVERSE, crt->qinv, crt->prime_len, count, error));
    }
    dev->elapsed_cycles = 0;
    dev->limit_cycles = monpro_device_limit_cycles(info, operation);
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
    TRY(read_result(dev, operation->result, operation->result_len, error));
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

static uint32_t largest_window(const void *state, uint32_t modulus_bits, monpro_scheme scheme, bool crt)
{
    const device *dev = state;
    return monpro_device_largest_window(&dev->info, modulus_bits, scheme, crt);
}

static uint32_t look_up_cost(const void *state, uint32_t modulus_bits, uint32_t window, bool crt)
{
    const device *dev = state;
    return monpro_device_look_up_cost(&dev->info, modulus_bits, window, crt);
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
    dev->info.delay = MONPRO_REGS_GET(array, PARAM_ARRAY_DELAY);
    dev->info.min_bits = MONPRO_REGS_GET(bits, PARAM_BITS_MIN_BITS);
    dev->info.max_bits = MONPRO_REGS_GET(bits, PARAM_BITS_MAX_BITS);
    dev->info.table_words = MONPRO_REGS_GET(table, PARAM_TABLE_WORDS);
    dev->info.table_banks = MONPRO_REGS_GET(table, PARAM_TABLE_BANKS);
    dev->info.multipliers = MONPRO_REGS_GET(features, PARAM_FEATURES_MULTIPLIERS);
    dev->info.crt = MONPRO_REGS_GET(features, PARAM_FEATURES_CRT);
    for (uint32_t scheme = MONPRO_SCHEME_DEFAULT + 1; scheme < SCHEMES; scheme++) {
        dev->info.schemes |= (MONPRO_REGS_GET(features, PARAM_FEATURES_SCHEMES) >> scheme_numbers[scheme] & 1u)
                             << scheme;
    }
    if (dev->info.max_bits > MONPRO_MAX_BITS) {
        dev->info.max_bits = MONPRO_MAX_BITS; /* what the driver has room to remember */
    }
    if (dev->info.word_bits == 0 || dev->info.min_bits < 2 || dev->info.min_bits > dev->info.max_bits ||
        dev->info.schemes == 0) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "impossible parameters: array %08x, bits %08x, features %08x",
                           (unsigned)array, (unsigned)bits, (unsigned)features);
    }
    dev->in_doubt = MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0;
    return write_register(dev, REG(INTERRUPT), MONPRO_REGS_INTERRUPT_ENABLE_MASK, error);
}

monpro_status monpro_device_open(monpro_engine **engine, const monpro_transport *transport, const char *spec,
                                 monpro_error *error)
{
    static const monpro_engine_ops ops = {begin, advance, largest_window, look_up_cost, close_device};
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
