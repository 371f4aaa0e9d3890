/* The program of a device with entries: an exponentiation as a stream of single products (products.h) over registers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operation: start, which zeroes the counters; what monpro_plan_entries() says; then the products into the queue.
 * INTERRUPT.queue tells when there is room again. PRODUCT is written as often as STATUS.queued leaves room: never more.
 * After the last product comes INTERRUPT.enable. When the device is idle, the accumulator is read and reduced modulo N.
 *
 * Constant time: of a secret exponent nothing shows on the bus but one bit in the data of each choice. That holds as long
 * as the device's time depends on lengths only. */
#include "device/entries.h"

#include "base/status.h"
#include "base/wipe.h"
#include "device/entry_numbers.h"
#include "device/lengths.h"
#include "device/plan.h"

/* ---- an operation -------------------------------------------------------------------------------------------- */

monpro_status monpro_device_start_products(monpro_device *dev, const monpro_operation *operation, monpro_error *error)
{
    const monpro_sink to = monpro_device_sink(dev);
    const monpro_exponent exponent = {operation->exponent, operation->exponent_len, operation->exponent_bits};
    uint32_t status_word;
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_CLEAR_MASK, error));
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_START_MASK, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(STATUS), &status_word, error));
    dev->warm = monpro_device_holds(dev, operation) && MONPRO_REGS_GET(status_word, STATUS_WARM) != 0;
    if (!dev->warm) {
        monpro_device_forget(dev);
    }
    MONPRO_TRY(monpro_plan_entries(&to, &dev->info, operation, dev->warm, error));
    monpro_device_hold(dev, operation);
    monpro_products_init(&dev->products, operation->scheme, operation->window, &exponent, operation->is_public);
    dev->given = dev->given_products = 0;
    dev->draining = false;
    dev->elapsed_cycles = 0;
    dev->limit_cycles = monpro_device_limit_cycles(&dev->info, operation);
    return monpro_device_write(dev, MONPRO_REG(INTERRUPT), MONPRO_REGS_INTERRUPT_QUEUE_MASK, error);
}

/* Puts products into the queue: `room` of them, or what is left. PRODUCT.first is a bit of a secret exponent: no copy of
 * it stays. */
static monpro_status feed(monpro_device *dev, uint32_t room, monpro_error *error)
{
    uint32_t next = 0;
    monpro_status status = MONPRO_OK;
    for (uint32_t i = 0; i < room && status == MONPRO_OK && !dev->draining; i++) {
        next = monpro_products_word(&dev->products);
        dev->draining = next == 0;
        if (dev->draining) {
            status = monpro_device_write(dev, MONPRO_REG(INTERRUPT), MONPRO_REGS_INTERRUPT_ENABLE_MASK, error);
        } else {
            dev->given++;
            dev->given_products += 1 - MONPRO_REGS_GET(next, PRODUCT_CHOOSE);
            status = monpro_device_write(dev, MONPRO_REG(PRODUCT), next & ~MONPRO_PRODUCTS_NEXT, error);
        }
    }
    monpro_wipe(&next, sizeof next);
    return status;
}

/* Everything that is read when the device is idle. The caller wipes the number. */
static monpro_status read_result(monpro_device *dev, const monpro_operation *operation, uint8_t *number,
                                 monpro_counters *counters, monpro_error *error)
{
    uint32_t ended;
    MONPRO_TRY(monpro_device_read_operand(dev, monpro_entry_operand(MONPRO_ENTRY_ACCUMULATOR), number,
                                          monpro_entry_bytes(&dev->info, operation), error));
    MONPRO_TRY(monpro_device_read_counters(dev, counters, &ended, error));
    MONPRO_TRY(monpro_device_check_given(dev, ended, counters, error));
    monpro_entry_reduce(&dev->info, operation, number);
    counters->operations = 1;
    return MONPRO_OK;
}

static monpro_status finish(monpro_device *dev, const monpro_operation *operation, monpro_counters *counters,
                            monpro_error *error)
{
    uint8_t number[MONPRO_ENTRY_NUMBER_BYTES];
    const monpro_status status = read_result(dev, operation, number, counters, error);
    monpro_wipe(number, sizeof number);
    return status;
}

static monpro_status step(monpro_device *dev, const monpro_operation *operation, uint64_t until, bool *finished,
                          monpro_counters *counters, monpro_error *error)
{
    uint64_t waited;
    uint32_t status_word;
    MONPRO_TRY(monpro_device_wait(dev, until, &waited, &status_word, error));
    const bool busy = MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0;
    const uint32_t queued = MONPRO_REGS_GET(status_word, STATUS_QUEUED);
    MONPRO_TRY(monpro_device_check_fault(status_word, error));
    if (!busy || MONPRO_REGS_GET(status_word, STATUS_DONE) != 0) {
        MONPRO_TRY(monpro_device_check_error(status_word, error));
    }
    if (dev->draining && !busy) {
        *finished = true;
        return finish(dev, operation, counters, error);
    }
    if (!dev->draining && queued < MONPRO_DEVICE_QUEUE) {
        MONPRO_TRY(feed(dev, MONPRO_DEVICE_QUEUE - queued, error));
        waited = 1; /* it was not for nothing */
    }
    return monpro_device_check_wait(dev, waited, status_word, error);
}

monpro_status monpro_device_step_products(monpro_device *dev, const monpro_operation *operation, uint64_t until,
                                          bool *finished, monpro_counters *counters, monpro_error *error)
{
    const monpro_status status = step(dev, operation, until, finished, counters, error);
    if (status != MONPRO_OK || *finished) {
        monpro_wipe(&dev->products, sizeof dev->products);
    }
    return status;
}
