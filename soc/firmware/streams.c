/* What can go wrong with the coprocessor's streams and the DMA. Each mistake is a named error, and afterwards
 * everything works as before. What goes right is in the library's driver (lib/src/device/dma.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "device/lengths.h"
#include "device/packet.h"
#include "dma.h"
#include "engine/engine.h"
#include "platform.h"
#include "report.h"
#include "soc_map.h"
#include "base/status.h"
#include "tasks.h"
#include "base/wipe.h"

#define PACKET_WORDS 512u
#define ANSWER_WORDS 160u
#define MORE_WORDS 40u        /* than the DMA's reader holds: the last word is not fetched while the packet stands still */
#define PATIENCE_CYCLES 8000u /* for what is to go wrong: less than an exponentiation takes */

static monpro_error error;
static uint32_t packet_words[PACKET_WORDS], answer[ANSWER_WORDS];
static uint8_t result[MONPRO_MAX_BYTES];

static uint32_t reg(uint32_t offset)
{
    return *(volatile uint32_t *)(MONPRO_BASE + offset);
}

static void clear_faults(void)
{
    *(volatile uint32_t *)(MONPRO_BASE + MONPRO_REGS_COMMAND_OFFSET) = MONPRO_REGS_COMMAND_CLEAR_MASK;
}

/* What engine.c would make of the job; the host's numbers need no checks. */
static monpro_operation make_operation(const task *t, const monpro_engine_info *info)
{
    const uint32_t bits = (uint32_t)(8 * t->field[0].size); /* the host sends lengths in whole bytes */
    uint32_t costs[MONPRO_MAX_WINDOW + 1] = {0};
    const uint32_t largest = monpro_device_largest_window(info, bits, MONPRO_SCHEME_FIXED_WINDOW, false);
    for (uint32_t window = 1; window <= largest; window++) {
        costs[window] = monpro_device_look_up_cost(info, bits, window, false);
    }
    return (monpro_operation){
        .modulus = t->field[0].bytes, .modulus_len = t->field[0].size, .modulus_bits = bits,
        .base = t->field[1].bytes, .base_len = t->field[1].size,
        .exponent = t->field[2].bytes, .exponent_len = t->field[2].size,
        .exponent_bits = (uint32_t)(8 * t->field[2].size),
        .scheme = MONPRO_SCHEME_FIXED_WINDOW,
        .window = monpro_modexp_window(8 * t->field[2].size, largest, costs),
        .result = result, .result_len = t->field[0].size,
    };
}

static monpro_status make_packet(monpro_packet *packet, const monpro_engine_info *info,
                                 const monpro_operation *operation)
{
    monpro_packet_begin(packet, packet_words, PACKET_WORDS);
    monpro_packet_operation(packet, info, operation, MONPRO_HELD_NOTHING);
    return monpro_packet_end(packet, &error);
}

/* ---- what can go wrong --------------------------------------------------------------------------------------- */

static void report(const task *t, const char *what, monpro_status status)
{
    task_report(t, what, status, 0);
    if (status != MONPRO_OK) {
        report_text(error.message);
    }
    report_end();
}

/* A whole exchange, and what the coprocessor says of it. */
static monpro_status exchange_within(uint64_t patience_cycles, const monpro_operation *operation, const uint32_t *words,
                                     size_t count, size_t room)
{
    size_t taken = 0;
    monpro_status status = dma_exchange(words, count, answer, room, &taken, patience_cycles, &error);
    if (status == MONPRO_OK) {
        status = monpro_packet_result(operation, answer, taken, &error);
    }
    clear_faults();
    return status;
}

static monpro_status exchange(const monpro_operation *operation, const uint32_t *words, size_t count, size_t room)
{
    return exchange_within(PATIENCE_CYCLES, operation, words, count, room);
}

static void wait_until_idle(void)
{
    const uint64_t begin = platform_cycles();
    while (MONPRO_REGS_GET(reg(MONPRO_REGS_STATUS_OFFSET), STATUS_BUSY) != 0 && platform_cycles() - begin < 1000000u) {
    }
    clear_faults();
}

/* As stalled, but most of the packet is still in memory when the DMA is stopped, its end among it. Nothing is aborted: the
 * packet that comes next has to be taken as one. */
static void stall_early(const task *t, const monpro_engine_info *info, const monpro_operation *operation)
{
    monpro_packet packet;
    monpro_packet_begin(&packet, packet_words, PACKET_WORDS);
    monpro_packet_operation(&packet, info, operation, MONPRO_HELD_NOTHING);
    for (unsigned i = 0; i < MORE_WORDS; i++) {
        monpro_packet_wait(&packet);
    }
    monpro_status status = monpro_packet_end(&packet, &error);
    if (status == MONPRO_OK) {
        status = exchange(operation, packet_words, packet.count, packet.answer_count);
    }
    report(t, "stream_stalled", status);
    wait_until_idle();
}

static void misuse(const task *t, const monpro_engine_info *info, const monpro_operation *operation,
                   const monpro_packet *packet)
{
    const uint32_t *odd = (const uint32_t *)(const void *)((const uint8_t *)packet_words + 2);
    report(t, "dma_alignment", exchange(operation, odd, packet->count, packet->answer_count));
    report(t, "dma_length", exchange(operation, packet_words, 0, packet->answer_count));
    report(t, "dma_place", exchange(operation, (const uint32_t *)0, packet->count, packet->answer_count));
    /* Behind the end of the addresses. */
    report(t, "dma_place", exchange(operation, (const uint32_t *)0xFFFFFFC0u, PACKET_WORDS, packet->answer_count));
    report(t, "dma_length", exchange(operation, packet_words, packet->count, 0));
    /* TLAST comes before the length that the header says, in the middle of an operand. */
    report(t, "stream_short", exchange(operation, packet_words, packet->count / 2, packet->answer_count));
    /* And behind it: the header ends the packet with its first section. */
    const uint32_t header = packet_words[0];
    packet_words[0] = (header & 0xFFFF0000u) | (1 + (packet_words[1] >> 8 & 0xFFFFu));
    report(t, "stream_long", exchange(operation, packet_words, packet->count, packet->answer_count));
    packet_words[0] = header;
    packet_words[0] ^= 0x10000u;
    report(t, "stream_header", exchange(operation, packet_words, packet->count, packet->answer_count));
    packet_words[0] ^= 0x10000u;
    /* The answer does not come in time: the exponentiation goes on without its packet, and is aborted. */
    report(t, "stream_stalled", exchange(operation, packet_words, packet->count, packet->answer_count));
    *(volatile uint32_t *)(MONPRO_BASE + MONPRO_REGS_COMMAND_OFFSET) = MONPRO_REGS_COMMAND_ABORT_MASK;
    wait_until_idle();
    stall_early(t, info, operation);
}

/* A packet as it has to be, after all of these. */
static void afterwards(const task *t, const monpro_engine_info *info, const monpro_operation *operation,
                       const monpro_packet *packet)
{
    const monpro_status status = exchange_within(monpro_device_limit_cycles(info, operation), operation, packet_words,
                                                 packet->count, packet->answer_count);
    task_report(t, "afterwards", status, 0);
    if (status == MONPRO_OK) {
        report_bytes("out", result, operation->result_len);
    } else {
        report_text(error.message);
    }
    report_end();
}

void task_stream(const task *t)
{
    monpro_engine *engine = NULL;
    monpro_engine_info info = {0};
    monpro_packet packet;
    monpro_status status = device_engine(&engine, true, &error);
    if (status == MONPRO_OK) {
        (void)monpro_engine_query(engine, &info);
        if (info.entries != 0) {
            status = monpro_fail(&error, MONPRO_ERR_UNSUPPORTED, "this coprocessor has no exponentiations");
        }
    }
    monpro_operation operation;
    if (status == MONPRO_OK) {
        operation = make_operation(t, &info);
        status = make_packet(&packet, &info, &operation);
    }
    if (status != MONPRO_OK) {
        report(t, "stream", status);
        return;
    }
    misuse(t, &info, &operation, &packet);
    if (make_packet(&packet, &info, &operation) == MONPRO_OK) { /* stall_early() has overwritten it */
        afterwards(t, &info, &operation, &packet);
    }
    monpro_wipe(packet_words, sizeof packet_words);
    monpro_wipe(answer, sizeof answer);
    monpro_wipe(result, sizeof result);
    device_close(); /* the driver does not know what has been done here */
}
