/* SPDX-License-Identifier: Apache-2.0 */
#include "dma.h"

#include <stdbool.h>

#include "device/regs.h"
#include "platform.h"
#include "soc_map.h"
#include "base/status.h"
#include "tasks.h"

#define RAM_BASE SRAM_BASE
#define MOST_WORDS 65536u
#define MOST_FLUSHES 32u /* LiteX's reader holds 16 words, and between two flushes one moves at least */

static void set(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

static uint32_t get(uint32_t address)
{
    return *(volatile uint32_t *)address;
}

static monpro_status check(const uint32_t *buffer, size_t count, const char *name, monpro_error *error)
{
    const uintptr_t start = (uintptr_t)buffer;
    if ((start & 3u) != 0) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "the %s of a DMA transfer is not at a whole word", name);
    }
    if (count == 0 || count > MOST_WORDS) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "the %s of a DMA transfer has %u words; 1 to %u are allowed", name,
                           (unsigned)count, (unsigned)MOST_WORDS);
    }
    if (start < RAM_BASE || start - RAM_BASE > SRAM_BYTES || 4 * count > SRAM_BYTES - (start - RAM_BASE)) {
        return monpro_fail(error, MONPRO_ERR_ARGUMENT, "the %s of a DMA transfer is not in RAM", name);
    }
    return MONPRO_OK;
}

/* The engines take base and length when they are enabled; LiteX has the upper half of a base first. */
static void start(uint32_t base, uint32_t length, uint32_t enable, const volatile void *buffer, size_t count)
{
    set(enable, 0);
    set(base, 0);
    set(base + 4, (uint32_t)(uintptr_t)buffer);
    set(length, (uint32_t)(4 * count));
    set(enable, 1);
}

/* What the DMA wrote is in memory; the processor's data cache may hold something older. */
static void drop_cached(void)
{
    __asm__ __volatile__(".word 0x500F" : : : "memory"); /* VexRiscv's own: invalidate the data cache */
}

/* The coprocessor drops what the reader still holds up to its last word. That may never have been fetched, and
 * then the next packet would be dropped with it: a flush after which no word has moved is given up by the next one.
 * False: words do not cease to come. */
static bool flush(void)
{
    for (unsigned i = 0; i < MOST_FLUSHES; i++) {
        set(MONPRO_BASE + MONPRO_REGS_COMMAND_OFFSET, MONPRO_REGS_COMMAND_FLUSH_MASK);
        if ((get(MONPRO_BASE + MONPRO_REGS_STATUS_OFFSET) & MONPRO_REGS_STATUS_STREAMING_MASK) == 0) {
            return true;
        }
    }
    return false;
}

static monpro_status begin(const uint32_t *packet, size_t count, uint32_t *answer, size_t room, monpro_error *error)
{
    monpro_status status = check(packet, count, "packet", error);
    if (status == MONPRO_OK) {
        status = check(answer, room, "answer", error);
    }
    if (status == MONPRO_OK) {
        __asm__ __volatile__("fence" : : : "memory"); /* the cache writes through */
        start(CSR_MONPRO_WRITER_BASE, CSR_MONPRO_WRITER_LENGTH, CSR_MONPRO_WRITER_ENABLE, answer, room);
        start(CSR_MONPRO_READER_BASE, CSR_MONPRO_READER_LENGTH, CSR_MONPRO_READER_ENABLE, packet, count);
    }
    return status;
}

/* Whether the answer has ended within so many cycles. */
static bool await(uint64_t cycles, uint64_t *waited, size_t *taken)
{
    const uint64_t begun = platform_cycles();
    bool done;
    do {
        done = get(CSR_MONPRO_WRITER_DONE) != 0;
        *waited = platform_cycles() - begun;
    } while (!done && *waited < cycles);
    *taken = get(CSR_MONPRO_WRITER_OFFSET);
    if (done) {
        drop_cached();
    }
    return done;
}

static void stop(void)
{
    set(CSR_MONPRO_READER_ENABLE, 0);
    set(CSR_MONPRO_WRITER_ENABLE, 0);
    drop_cached();
}

monpro_status dma_exchange(const uint32_t *packet, size_t count, uint32_t *answer, size_t room, size_t *taken,
                           uint64_t timeout_cycles, monpro_error *error)
{
    uint64_t waited;
    *taken = 0;
    const monpro_status status = begin(packet, count, answer, room, error);
    if (status != MONPRO_OK) {
        return status;
    }
    const bool done = await(timeout_cycles, &waited, taken);
    stop();
    if (!done) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_TIMEOUT, "the answer to a packet has not ended; %u words have come%s",
                           (unsigned)*taken, flush() ? "" : "; its stream does not come to rest");
    }
    return MONPRO_OK;
}

/* ---- for the library's driver -------------------------------------------------------------------------------- */

#define PACKET_WORDS 640u /* an RSA private operation of 4096 bits is one packet */
#define ANSWER_WORDS 192u

static uint32_t packets[2][PACKET_WORDS], answer_words[ANSWER_WORDS];

static monpro_status engine_start(void *context, const uint32_t *packet, size_t count, uint32_t *answer, size_t room,
                                  monpro_error *error)
{
    (void)context;
    device_span_note();
    return begin(packet, count, answer, room, error);
}

static bool engine_wait(void *context, uint64_t cycles, uint64_t *waited, size_t *taken)
{
    (void)context;
    const bool done = await(cycles, waited, taken);
    device_span_note();
    return done;
}

static void engine_stop(void *context)
{
    (void)context;
    stop();
}

const monpro_dma dma_engine = {
    .packets = {packets[0], packets[1]},
    .answer = answer_words,
    .packet_words = PACKET_WORDS,
    .answer_words = ANSWER_WORDS,
    .start = engine_start,
    .wait = engine_wait,
    .stop = engine_stop,
};
