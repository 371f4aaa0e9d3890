/* The driver of the coprocessor: what the device is, and the program that an operation takes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Here is the first of three programs, a whole operation over registers: what monpro_plan_operation() says, then a wait
 * for the interrupt line, then STATUS, the result, the counters. A device with entries has no exponentiations: for it
 * entries.c makes one of single products. With a DMA engine both go as packets (dma.c).
 *
 * The driver remembers which modulus the device holds, or which locked key (monpro_plan_leave()). Under the same modulus
 * it neither writes it again nor lets the device compute its constants again; under the same key it writes the base alone.
 * STATUS.warm and STATUS.locked confirm it. Lengths and the time-out are in lengths.h.
 *
 * A failure leaves the device in doubt: before the next operation it is told to abort and wipe, and it is loaded anew.
 * Constant time: the bus traffic depends on lengths only. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/wipe.h"
#include "device/access.h"
#include "device/dma.h"
#include "device/entries.h"
#include "device/entry_numbers.h"
#include "device/lengths.h"
#include "device/plan.h"

#define SUPPORTED_MAJOR MONPRO_REGS_VERSION_MAJOR_VALUE
#define SLICE_CYCLES 65536u
#define SLICE_STEPS 256u /* of a device that is done as fast as the bus is, and never waited for */

/* ---- an operation over registers ----------------------------------------------------------------------------- */

static monpro_status start(monpro_device *dev, const monpro_operation *operation, monpro_error *error)
{
    const monpro_sink to = monpro_device_sink(dev);
    monpro_held held;
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_CLEAR_MASK, error));
    MONPRO_TRY(monpro_device_find_held(dev, operation, &held, error));
    dev->elapsed_cycles = 0;
    dev->limit_cycles = monpro_device_limit_cycles(&dev->info, operation);
    MONPRO_TRY(monpro_plan_operation(&to, &dev->info, operation, held, error));
    monpro_device_hold(dev, operation);
    return MONPRO_OK;
}

static monpro_status begin(void *state, const monpro_operation *operation, monpro_error *error)
{
    monpro_device *dev = state;
    monpro_status status = dev->in_doubt ? monpro_device_recover(dev, error) : MONPRO_OK;
    if (status == MONPRO_OK) {
        status = dev->dma != NULL         ? monpro_device_start_packets(dev, operation, error)
                 : dev->info.entries != 0 ? monpro_device_start_products(dev, operation, error)
                                          : start(dev, operation, error);
    }
    dev->in_doubt |= status != MONPRO_OK;
    return status;
}

/* Everything that is read after STATUS.done. */
static monpro_status finish(monpro_device *dev, const monpro_operation *operation, uint32_t status_word,
                            monpro_counters *counters, monpro_error *error)
{
    uint32_t ended;
    MONPRO_TRY(monpro_device_check_error(status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_RESULT) == 0) {
        return monpro_device_fault(status_word, "the device finished without an error and without a result", error);
    }
    MONPRO_TRY(monpro_device_read_operand(dev, MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_RESULT),
                                          operation->result, operation->result_len, error));
    MONPRO_TRY(monpro_device_read_counters(dev, counters, &ended, error));
    if (ended != 1) {
        return monpro_device_fault(status_word, "the device did not count exactly one operation", error);
    }
    counters->operations = ended;
    return MONPRO_OK;
}

/* Waits at most to `until` on the clock of elapsed_cycles for the end of the operation. */
static monpro_status step(monpro_device *dev, const monpro_operation *operation, uint64_t until, bool *finished,
                          monpro_counters *counters, monpro_error *error)
{
    uint64_t waited;
    uint32_t status_word;
    MONPRO_TRY(monpro_device_wait(dev, until, &waited, &status_word, error));
    if (MONPRO_REGS_GET(status_word, STATUS_DONE) != 0) {
        *finished = true;
        return finish(dev, operation, status_word, counters, error);
    }
    return monpro_device_check_wait(dev, waited, status_word, error);
}

static monpro_status advance(void *state, const monpro_operation *operation, bool block, bool *finished,
                             monpro_counters *counters, monpro_error *error)
{
    monpro_device *dev = state;
    const uint64_t left = dev->limit_cycles - dev->elapsed_cycles;
    const uint64_t until = dev->elapsed_cycles + (block || left < SLICE_CYCLES ? left : SLICE_CYCLES);
    uint32_t steps = 0;
    monpro_status status;
    do {
        status = (dev->dma != NULL         ? monpro_device_step_packets
                  : dev->info.entries != 0 ? monpro_device_step_products
                                           : step)(dev, operation, until, finished, counters, error);
    } while (status == MONPRO_OK && !*finished && dev->elapsed_cycles < until && (block || ++steps < SLICE_STEPS));
    if (status == MONPRO_OK && *finished) {
        status = monpro_device_unlock(dev, operation, error);
    }
    dev->in_doubt |= status != MONPRO_OK;
    return status;
}

/* ---- what the device is -------------------------------------------------------------------------------------- */

static uint32_t largest_window(const void *state, uint32_t modulus_bits, monpro_scheme scheme, bool crt)
{
    const monpro_device *dev = state;
    return monpro_device_largest_window(&dev->info, modulus_bits, scheme, crt);
}

static uint32_t look_up_cost(const void *state, uint32_t modulus_bits, uint32_t window, bool crt)
{
    const monpro_device *dev = state;
    return monpro_device_look_up_cost(&dev->info, modulus_bits, window, crt);
}

static void close_device(void *state)
{
    monpro_device *dev = state;
    if (dev->dma != NULL) {
        monpro_device_stop_packets(dev);
    }
    (void)monpro_device_recover(dev, NULL);
    dev->transport.close(dev->transport.context);
    monpro_wipe(dev, sizeof *dev);
    free(dev);
}

static monpro_status identify(monpro_device *dev, monpro_error *error)
{
    uint32_t id, version, array, bits, table, features, status_word;
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(ID), &id, error));
    if (id != MONPRO_REGS_ID_MAGIC_VALUE) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_ABSENT, "the identification register holds %08x, not %08x",
                           (unsigned)id, (unsigned)MONPRO_REGS_ID_MAGIC_VALUE);
    }
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(VERSION), &version, error));
    if (MONPRO_REGS_GET(version, VERSION_MAJOR) != SUPPORTED_MAJOR) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_VERSION, "register map version %u; this driver knows %u",
                           (unsigned)MONPRO_REGS_GET(version, VERSION_MAJOR), (unsigned)SUPPORTED_MAJOR);
    }
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(PARAM_ARRAY), &array, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(PARAM_BITS), &bits, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(PARAM_TABLE), &table, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(PARAM_FEATURES), &features, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(STATUS), &status_word, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(OPERATIONS), &dev->operations, error));
    dev->info.version = version;
    dev->info.word_bits = MONPRO_REGS_GET(array, PARAM_ARRAY_WORD_BITS);
    dev->info.elements = MONPRO_REGS_GET(array, PARAM_ARRAY_ELEMENTS);
    dev->info.delay = MONPRO_REGS_GET(array, PARAM_ARRAY_DELAY);
    dev->info.exact = MONPRO_REGS_GET(array, PARAM_ARRAY_EXACT);
    dev->info.min_bits = MONPRO_REGS_GET(bits, PARAM_BITS_MIN_BITS);
    dev->info.max_bits = MONPRO_REGS_GET(bits, PARAM_BITS_MAX_BITS);
    dev->info.table_words = MONPRO_REGS_GET(table, PARAM_TABLE_WORDS);
    dev->info.table_banks = MONPRO_REGS_GET(table, PARAM_TABLE_BANKS);
    dev->info.multipliers = MONPRO_REGS_GET(features, PARAM_FEATURES_MULTIPLIERS);
    dev->info.crt = MONPRO_REGS_GET(features, PARAM_FEATURES_CRT);
    dev->info.entries = MONPRO_REGS_GET(features, PARAM_FEATURES_ENTRIES);
    dev->info.schemes = monpro_plan_schemes(features);
    if (dev->info.max_bits > MONPRO_MAX_BITS) {
        dev->info.max_bits = MONPRO_MAX_BITS; /* what the driver has room to remember */
    }
    if (dev->info.word_bits == 0 || dev->info.min_bits < 2 || dev->info.min_bits > dev->info.max_bits ||
        dev->info.schemes == 0 || (dev->info.entries != 0 && !monpro_entries_fit(&dev->info))) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "impossible parameters: array %08x, bits %08x, features %08x",
                           (unsigned)array, (unsigned)bits, (unsigned)features);
    }
    if (dev->dma != NULL && MONPRO_REGS_GET(features, PARAM_FEATURES_STREAM) == 0) {
        return monpro_fail(error, MONPRO_ERR_UNSUPPORTED, "the device has no streams for a DMA engine");
    }
    dev->in_doubt = MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0 || MONPRO_REGS_GET(status_word, STATUS_LOCKED) != 0;
    return monpro_device_write(dev, MONPRO_REG(INTERRUPT), MONPRO_REGS_INTERRUPT_ENABLE_MASK, error);
}

monpro_status monpro_device_open(monpro_engine **engine, const monpro_transport *transport, const char *spec,
                                 monpro_error *error)
{
    return monpro_device_open_dma(engine, transport, NULL, spec, error);
}

monpro_status monpro_device_open_dma(monpro_engine **engine, const monpro_transport *transport, const monpro_dma *dma,
                                     const char *spec, monpro_error *error)
{
    static const monpro_engine_ops ops = {begin, advance, largest_window, look_up_cost, close_device, NULL, NULL};
    monpro_device *dev = calloc(1, sizeof *dev);
    if (dev == NULL) {
        transport->close(transport->context);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the driver");
    }
    dev->transport = *transport;
    dev->dma = dma;
    monpro_copy_text(dev->info.spec, sizeof dev->info.spec, spec);
    const monpro_status status = identify(dev, error);
    if (status != MONPRO_OK) {
        transport->close(transport->context); /* it may be no Monpro: no command is written to it */
        free(dev);
        return status;
    }
    return monpro_engine_create(engine, &ops, dev, &dev->info, error);
}
