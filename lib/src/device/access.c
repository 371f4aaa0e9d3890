/* Registers of a device, and its failures. See device/access.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/access.h"

#include <string.h>

#include "base/secret.h"
#include "base/status.h"
#include "base/wipe.h"

#define IDLE_CYCLES 1000000u /* more than any wipe takes */
#define POLL_CYCLES 256u     /* a wipe takes a few thousand */

/* ---- registers ----------------------------------------------------------------------------------------------- */

static monpro_status bus_result(monpro_bus result, const char *access, uint32_t address, monpro_error *error)
{
    static const char *const names[] = {"OKAY", "EXOKAY", "SLVERR", "DECERR", "no response"};
    if (result == MONPRO_BUS_OKAY) {
        return MONPRO_OK;
    }
    return monpro_fail(error, MONPRO_ERR_DEVICE_BUS, "%s register %08x: %s", access, (unsigned)address,
                       (unsigned)result < sizeof names / sizeof *names ? names[result] : "an unknown response");
}

monpro_status monpro_device_read(monpro_device *dev, uint32_t address, uint32_t *value, monpro_error *error)
{
    *value = 0;
    return bus_result(dev->transport.read(dev->transport.context, address, value), "reading", address, error);
}

monpro_status monpro_device_write(monpro_device *dev, uint32_t address, uint32_t value, monpro_error *error)
{
    return bus_result(dev->transport.write(dev->transport.context, address, value), "writing", address, error);
}

monpro_status monpro_device_write_operand(monpro_device *dev, uint32_t operand, const uint8_t *bytes, size_t size,
                                          uint32_t count, monpro_error *error)
{
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(OPERAND), operand, error));
    for (size_t i = 0; i < count; i++) {
        MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(DATA), monpro_device_word_at(bytes, size, i), error));
    }
    return MONPRO_OK;
}

static monpro_status sink_write(void *context, uint32_t address, uint32_t value, monpro_error *error)
{
    return monpro_device_write(context, address, value, error);
}

static monpro_status sink_operand(void *context, uint32_t operand, const uint8_t *bytes, size_t size, uint32_t count,
                                  monpro_error *error)
{
    return monpro_device_write_operand(context, operand, bytes, size, count, error);
}

monpro_sink monpro_device_sink(monpro_device *dev)
{
    return (monpro_sink){sink_write, sink_operand, dev};
}

monpro_status monpro_device_read_operand(monpro_device *dev, uint32_t operand, uint8_t *bytes, size_t size,
                                         monpro_error *error)
{
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(OPERAND), operand, error));
    for (size_t i = 0; i < (size + 3) / 4; i++) {
        uint32_t word;
        MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(DATA), &word, error));
        monpro_device_set_word(bytes, size, i, word);
    }
    return MONPRO_OK;
}

/* ---- what the device holds ----------------------------------------------------------------------------------- */

void monpro_device_forget(monpro_device *dev)
{
    monpro_wipe(dev->held, sizeof dev->held); /* it may be a prime of a key */
    monpro_wipe(dev->held_secrets, sizeof dev->held_secrets);
    dev->held_len = dev->held_secrets_len = 0;
}

bool monpro_device_holds(const monpro_device *dev, const monpro_operation *operation)
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
    return monpro_verdict(equal) != 0; /* the bus shows it: the modulus is written, or it is not */
}

/* The secrets of a key that is locked: its exponents, and with CRT qInv. */

enum { MOST_PARTS = 3 };

typedef struct part {
    const uint8_t *bytes;
    size_t size;
} part;

static size_t secrets_of(const monpro_operation *operation, part *parts)
{
    parts[0] = (part){operation->exponent, operation->exponent_len};
    if (operation->crt == NULL) {
        return 1;
    }
    parts[1] = (part){operation->crt->dq, operation->crt->prime_len};
    parts[2] = (part){operation->crt->qinv, operation->crt->prime_len};
    return MOST_PARTS;
}

static size_t parts_size(const part *parts, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size += parts[i].size;
    }
    return size;
}

/* Secrets that are too long are not remembered: the key is loaded anew then. */
static void hold_secrets(monpro_device *dev, const monpro_operation *operation)
{
    part parts[MOST_PARTS];
    const size_t count = secrets_of(operation, parts), size = parts_size(parts, count);
    size_t at = 0;
    dev->held_secrets_len = 0;
    if (monpro_plan_leave(operation) != MONPRO_REGS_LEAVE_LOCK || size > sizeof dev->held_secrets) {
        return;
    }
    for (size_t i = 0; i < count; at += parts[i++].size) {
        memcpy(dev->held_secrets + at, parts[i].bytes, parts[i].size);
    }
    dev->held_secrets_len = size;
}

void monpro_device_hold(monpro_device *dev, const monpro_operation *operation)
{
    const size_t size = operation->modulus_len;
    memcpy(dev->held, operation->modulus, size);
    if (operation->crt != NULL) {
        memcpy(dev->held + size, operation->crt->q, size);
    }
    dev->held_len = size;
    dev->held_crt = operation->crt != NULL;
    dev->held_config = monpro_plan_configuration(operation);
    dev->held_exponent_bits = operation->exponent_bits;
    hold_secrets(dev, operation);
}

/* Of a locked key, which is the device's alone to use: whether it is that of this operation. */
static bool holds_key(const monpro_device *dev, const monpro_operation *operation)
{
    part parts[MOST_PARTS];
    uint64_t equal = UINT64_MAX;
    size_t at = 0;
    const size_t count = secrets_of(operation, parts);
    if (!monpro_device_holds(dev, operation) || dev->held_exponent_bits != operation->exponent_bits ||
        dev->held_secrets_len != parts_size(parts, count)) {
        return false;
    }
    /* The lock of the next operation is that of the one before: the device takes no other CONFIG. */
    const uint32_t changed = dev->held_config ^ monpro_plan_configuration(operation);
    if ((changed & ~MONPRO_REGS_CONFIG_LEAVE_MASK) != 0) {
        return false;
    }
    for (size_t i = 0; i < count; at += parts[i++].size) {
        equal &= monpro_ct_equal(dev->held_secrets + at, parts[i].bytes, parts[i].size);
    }
    return monpro_verdict(equal) != 0; /* the bus shows it: the key is written, or it is not */
}

/* ---- failures ------------------------------------------------------------------------------------------------ */

monpro_status monpro_device_fault(uint32_t status_word, const char *what, monpro_error *error)
{
    return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "%s; status register %08x", what, (unsigned)status_word);
}

/* The device checks what the engine has checked before, so an error here is a disagreement between the two; where the
 * caller's input has a status for it, that is the one. */
monpro_status monpro_device_check_error(uint32_t status_word, monpro_error *error)
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
    if (code == MONPRO_REGS_ERROR_NONE) {
        return MONPRO_OK;
    }
    if (code < sizeof input_errors / sizeof *input_errors && input_errors[code] != MONPRO_OK) {
        status = input_errors[code];
    }
    return monpro_fail(error, status, "the device says: %s; status register %08x",
                       code < sizeof sentences / sizeof *sentences ? sentences[code] : "an unknown error",
                       (unsigned)status_word);
}

monpro_status monpro_device_check_fault(uint32_t status_word, monpro_error *error)
{
    return MONPRO_REGS_GET(status_word, STATUS_FAULT) == MONPRO_REGS_FAULT_NONE
               ? MONPRO_OK
               : monpro_device_fault(status_word, "the device reports a misuse of its bus", error);
}

/* Gives a command that ends in STATUS.done and waits for that. */
static monpro_status command_and_wait(monpro_device *dev, uint32_t command, uint32_t *status_word, monpro_error *error)
{
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_CLEAR_MASK, error));
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(COMMAND), command, error));
    (void)dev->transport.wait(dev->transport.context, IDLE_CYCLES);
    return monpro_device_read(dev, MONPRO_REG(STATUS), status_word, error);
}

/* A wipe behind an operation goes on after STATUS.done. */
static monpro_status wait_for_wipe(monpro_device *dev, uint32_t *status_word, monpro_error *error)
{
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(STATUS), status_word, error));
    for (uint32_t i = 0; i < IDLE_CYCLES / POLL_CYCLES && MONPRO_REGS_GET(*status_word, STATUS_BUSY) != 0; i++) {
        (void)dev->transport.wait(dev->transport.context, POLL_CYCLES);
        MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(STATUS), status_word, error));
    }
    return MONPRO_REGS_GET(*status_word, STATUS_BUSY) == 0
               ? MONPRO_OK
               : monpro_fail(error, MONPRO_ERR_DEVICE_TIMEOUT, "the device stays busy; status register %08x",
                             (unsigned)*status_word);
}

monpro_status monpro_device_find_held(monpro_device *dev, const monpro_operation *operation, monpro_held *held,
                                      monpro_error *error)
{
    uint32_t status_word;
    *held = MONPRO_HELD_NOTHING;
    MONPRO_TRY(wait_for_wipe(dev, &status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_LOCKED) != 0) {
        if (holds_key(dev, operation)) {
            *held = MONPRO_HELD_KEY;
        } else {
            MONPRO_TRY(command_and_wait(dev, MONPRO_REGS_COMMAND_WIPE_MASK, &status_word, error));
        }
    } else if (monpro_device_holds(dev, operation) && MONPRO_REGS_GET(status_word, STATUS_WARM) != 0 &&
               MONPRO_REGS_GET(dev->held_config, CONFIG_LEAVE) == monpro_plan_leave(operation)) {
        *held = MONPRO_HELD_MODULUS;
    }
    dev->locked = *held == MONPRO_HELD_KEY;
    dev->warm = *held != MONPRO_HELD_NOTHING;
    if (!dev->warm) {
        monpro_device_forget(dev);
    }
    return MONPRO_OK;
}

monpro_status monpro_device_unlock(monpro_device *dev, const monpro_operation *operation, monpro_error *error)
{
    if (!dev->locked || monpro_plan_leave(operation) != MONPRO_REGS_LEAVE_WIPE) {
        return MONPRO_OK;
    }
    monpro_device_forget(dev);
    dev->locked = false;
    return monpro_device_write(dev, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_WIPE_MASK, error);
}

monpro_status monpro_device_recover(monpro_device *dev, monpro_error *error)
{
    uint32_t status_word;
    monpro_device_forget(dev);
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(INTERRUPT), MONPRO_REGS_INTERRUPT_ENABLE_MASK, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(STATUS), &status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0) {
        MONPRO_TRY(command_and_wait(dev, MONPRO_REGS_COMMAND_ABORT_MASK, &status_word, error));
    }
    MONPRO_TRY(command_and_wait(dev, MONPRO_REGS_COMMAND_WIPE_MASK, &status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_TIMEOUT, "the device stays busy after an abort; status register %08x",
                           (unsigned)status_word);
    }
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(OPERATIONS), &dev->operations, error));
    dev->in_doubt = false;
    return MONPRO_OK;
}

/* ---- an operation under way, and its end --------------------------------------------------------------------- */

monpro_status monpro_device_wait(monpro_device *dev, uint64_t until, uint64_t *waited, uint32_t *status_word,
                                 monpro_error *error)
{
    const uint64_t left = until - dev->elapsed_cycles;
    *waited = dev->transport.wait(dev->transport.context, left);
    dev->elapsed_cycles += *waited < left ? *waited : left;
    return monpro_device_read(dev, MONPRO_REG(STATUS), status_word, error);
}

monpro_status monpro_device_check_wait(const monpro_device *dev, uint64_t waited, uint32_t status_word,
                                       monpro_error *error)
{
    if (waited == 0) {
        return monpro_device_fault(status_word, "the interrupt line is high and nothing is done", error);
    }
    if (dev->elapsed_cycles == dev->limit_cycles) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_TIMEOUT,
                           "the device has not finished after %u thousand cycles; status register last read %08x",
                           (unsigned)(dev->limit_cycles / 1000), (unsigned)status_word);
    }
    return MONPRO_OK;
}

monpro_status monpro_device_read_counters(monpro_device *dev, monpro_counters *counters, uint32_t *ended,
                                          monpro_error *error)
{
    uint32_t cycles_load, cycles_precompute, low, high, cycles_read, products, operations, status_word;
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(CYCLES_READ), &cycles_read, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(CYCLES_LOAD), &cycles_load, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(CYCLES_PRECOMPUTE), &cycles_precompute, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(CYCLES_EXPONENTIATE_LOW), &low, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(CYCLES_EXPONENTIATE_HIGH), &high, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(PRODUCTS), &products, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(OPERATIONS), &operations, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(STATUS), &status_word, error));
    MONPRO_TRY(monpro_device_check_fault(status_word, error));
    *ended = operations - dev->operations;
    dev->operations = operations;
    counters->warm = dev->warm ? 1 : 0;
    counters->products = products;
    counters->cycles_load = cycles_load;
    counters->cycles_precompute = cycles_precompute;
    counters->cycles_exponentiate = (uint64_t)high << 32 | low;
    counters->cycles_read = cycles_read;
    return MONPRO_OK;
}

monpro_status monpro_device_check_given(const monpro_device *dev, uint32_t ended, const monpro_counters *counters,
                                        monpro_error *error)
{
    if (ended != dev->given || counters->products != dev->given_products) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT,
                           "the device counted %u commands, %u of them products; it was given %u and %u", (unsigned)ended,
                           (unsigned)counters->products, (unsigned)dev->given, (unsigned)dev->given_products);
    }
    return MONPRO_OK;
}
