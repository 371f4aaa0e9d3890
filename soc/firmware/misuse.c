/* What firmware can do wrong with a coprocessor. Each mistake is a named error, and afterwards everything works as
 * before.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdint.h>

#include "monpro/transport.h"
#include "dma.h"
#include "device/regs.h"
#include "platform.h"
#include "report.h"
#include "soc_map.h"
#include "base/status.h"
#include "tasks.h"

#define NOWHERE 0xA0000000u /* on the uncached bus, and nobody's */

static monpro_error error;

static void report(const task *t, const char *what, monpro_status status)
{
    task_report(t, what, status, 0);
    if (status != MONPRO_OK) {
        report_text(error.message);
    }
    report_end();
}

#if defined(MONPRO_BASE)

static uint8_t result[512];

static volatile uint32_t *reg(uint32_t offset)
{
    return (volatile uint32_t *)(MONPRO_BASE + offset);
}

/* Operations go through the streams, or over the registers: whichever the task asks for. */
static bool by_dma(const task *t)
{
    return (t->flags & TASK_DMA) != 0;
}

/* ---- a device with another register map, and one without streams --------------------------------------------- */

static monpro_bus read_newer(void *context, uint32_t address, uint32_t *value)
{
    (void)context;
    *value = *reg(address);
    if (address == MONPRO_REGS_VERSION_OFFSET) {
        *value += (uint32_t)1 << 16; /* the next major */
    }
    return MONPRO_BUS_OKAY;
}

static monpro_bus read_without_streams(void *context, uint32_t address, uint32_t *value)
{
    (void)context;
    *value = *reg(address);
    if (address == MONPRO_REGS_PARAM_FEATURES_OFFSET) {
        *value &= ~MONPRO_REGS_PARAM_FEATURES_STREAM_MASK;
    }
    return MONPRO_BUS_OKAY;
}

static monpro_bus write_plain(void *context, uint32_t address, uint32_t value)
{
    (void)context;
    *reg(address) = value;
    return MONPRO_BUS_OKAY;
}

static uint64_t no_wait(void *context, uint64_t cycles)
{
    (void)context;
    return cycles;
}

static void nothing_to_close(void *context)
{
    (void)context;
}

static void other_device(const task *t, const char *what, monpro_bus (*read)(void *, uint32_t, uint32_t *),
                         const monpro_dma *dma)
{
    const monpro_transport transport = {read, write_plain, no_wait, nothing_to_close, NULL};
    monpro_engine *engine = NULL;
    monpro_error_reset(&error);
    const monpro_status status = monpro_device_open_dma(&engine, &transport, dma, what, &error);
    if (status == MONPRO_OK) {
        monpro_engine_close(engine);
    }
    report(t, what, status);
}

/* ---- jobs ---------------------------------------------------------------------------------------------------- */

static monpro_job job_of(const task *t)
{
    return (monpro_job){
        .modulus = t->field[0].bytes, .modulus_len = t->field[0].size,
        .base = t->field[1].bytes, .base_len = t->field[1].size,
        .exponent = t->field[2].bytes, .exponent_len = t->field[2].size,
        .result = result, .result_len = t->field[0].size,
    };
}

/* A command over the registers while an operation is under way. The device goes on with that; the driver finds the fault at
 * the end, or that there is none. */
static void disturb(const task *t, const char *what, uint32_t command)
{
    monpro_engine *engine = NULL;
    monpro_ticket ticket = 0;
    monpro_job job = job_of(t);
    int finished = 0;
    monpro_status status = device_engine(&engine, by_dma(t), &error);
    if (status == MONPRO_OK) {
        status = monpro_submit(engine, &job, 1, &ticket, &error);
    }
    if (status == MONPRO_OK) {
        status = monpro_poll(engine, ticket, &finished);
    }
    if (status == MONPRO_OK && finished == 0) {
        *reg(MONPRO_REGS_COMMAND_OFFSET) = command;
    }
    if (status == MONPRO_OK) {
        status = monpro_wait(engine, ticket, &error);
    }
    report(t, finished == 0 ? what : "finished_too_early", status);
}

static void even_modulus(const task *t)
{
    static uint8_t even[512];
    monpro_engine *engine = NULL;
    monpro_job job = job_of(t);
    for (size_t i = 0; i < job.modulus_len && i < sizeof even; i++) {
        even[i] = job.modulus[i];
    }
    even[job.modulus_len - 1] &= 0xfe;
    job.modulus = even;
    monpro_status status = device_engine(&engine, by_dma(t), &error);
    if (status == MONPRO_OK) {
        status = monpro_modexp_batch(engine, &job, 1, &error);
    }
    report(t, "even_modulus", status);
}

static void afterwards(const task *t)
{
    monpro_engine *engine = NULL;
    monpro_job job = job_of(t);
    monpro_status status = device_engine(&engine, by_dma(t), &error);
    if (status == MONPRO_OK) {
        status = monpro_modexp_batch(engine, &job, 1, &error);
    }
    task_report(t, "afterwards", status, 0);
    if (status == MONPRO_OK) {
        report_bytes("out", result, job.result_len);
    } else {
        report_text(error.message);
    }
    report_end();
}

#endif

static void absent(const task *t)
{
    monpro_engine *engine = NULL;
    const monpro_status status = device_open_at(&engine, NOWHERE, NULL, &error);
    if (status == MONPRO_OK) {
        monpro_engine_close(engine);
    }
    report(t, "absent", status);
}

void task_misuse(const task *t)
{
    absent(t);
#if defined(MONPRO_BASE)
    other_device(t, "newer_version", read_newer, NULL);
    even_modulus(t);
    disturb(t, "start_while_busy", MONPRO_REGS_COMMAND_START_MASK);
    if (by_dma(t)) {
        other_device(t, "no_streams", read_without_streams, &dma_engine);
        disturb(t, "stream_cut", MONPRO_REGS_COMMAND_FLUSH_MASK);
    }
    afterwards(t);
#endif
}
