/* The driver of a device with streams, through a DMA engine: an operation is one packet, or over single products as many
 * as they need; registers are used for what is about the device alone.
 *
 * A packet is made before the device is touched, so nothing waits for that. Of single products the next packet is made
 * while the one before goes out, and is started when its answer comes: then the device's queue still holds the last
 * MONPRO_DEVICE_QUEUE commands of it, beside which the start of a transfer has room.
 *
 * What ends in an error is stopped and flushed, and leaves the device in doubt, as in driver.c. Buffers are wiped at the
 * end of an operation, whichever way it ends. Constant time: as device/packet.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/dma.h"

#include "base/status.h"
#include "base/wipe.h"
#include "device/lengths.h"
#include "device/packet.h"

enum { COUNTERS = 7 }; /* registers from CYCLES_LOAD to PRODUCTS, which every answer with a result ends with */
enum { TAIL_WORDS = MONPRO_PACKET_END_WORDS + 1, FIRST_COMMANDS = 8 };
#define MOST_FLUSHES 256u /* between two of them a word moves at least */

/* ---- packets ------------------------------------------------------------------------------------------------- */

static void begin_packet(monpro_device *dev, monpro_packet *packet)
{
    monpro_packet_begin(packet, dev->dma->packets[dev->packets.next], dev->dma->packet_words);
}

static monpro_status end_packet(monpro_device *dev, monpro_packet *packet, monpro_error *error)
{
    size_t *used = &dev->packets.used[dev->packets.next];
    *used = packet->count > *used ? packet->count : *used;
    dev->packets.count = packet->count;
    dev->packets.answer_count = packet->answer_count;
    if (packet->answer_count > dev->dma->answer_words) {
        return monpro_fail(error, MONPRO_ERR_BUFFER, "an answer of %u words; there is room for %u",
                           (unsigned)packet->answer_count, (unsigned)dev->dma->answer_words);
    }
    return monpro_packet_end(packet, error);
}

/* Products, twice as many as in the packet before if they fit; behind the last one the end. */
static void add_products(monpro_device *dev, monpro_packet *packet, const monpro_operation *operation)
{
    const size_t capacity = packet->capacity, wanted = packet->count + 1 + dev->packets.most + TAIL_WORDS;
    packet->capacity = wanted < capacity ? wanted : capacity;
    dev->packets.most *= 2;
    dev->packets.last = monpro_packet_products(packet, &dev->products, TAIL_WORDS);
    packet->capacity = capacity;
    if (dev->packets.last) {
        monpro_packet_finish(packet, &dev->info, operation);
        monpro_packet_read(packet, MONPRO_REG(CYCLES_LOAD), COUNTERS);
    }
    dev->given += packet->commands;
    dev->given_products += packet->products;
}

static monpro_status make_first(monpro_device *dev, const monpro_operation *operation, monpro_held held,
                                monpro_error *error)
{
    const monpro_exponent exponent = {operation->exponent, operation->exponent_len, operation->exponent_bits};
    monpro_packet packet;
    begin_packet(dev, &packet);
    monpro_packet_write(&packet, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_CLEAR_MASK);
    dev->given = dev->given_products = 0;
    dev->packets.last = true;
    dev->packets.most = FIRST_COMMANDS;
    if (dev->info.entries == 0) {
        monpro_packet_operation(&packet, &dev->info, operation, held);
        monpro_packet_read(&packet, MONPRO_REG(CYCLES_LOAD), COUNTERS);
    } else {
        monpro_products_init(&dev->products, operation->scheme, operation->window, &exponent, operation->is_public);
        MONPRO_TRY(monpro_packet_start(&packet, &dev->info, operation, held != MONPRO_HELD_NOTHING, error));
        add_products(dev, &packet, operation);
    }
    return end_packet(dev, &packet, error);
}

static monpro_status make_next(monpro_device *dev, const monpro_operation *operation, monpro_error *error)
{
    monpro_packet packet;
    begin_packet(dev, &packet);
    add_products(dev, &packet, operation);
    return end_packet(dev, &packet, error);
}

/* Sends the packet that is ready, and makes the next one. */
static monpro_status send(monpro_device *dev, const monpro_operation *operation, monpro_error *error)
{
    const monpro_dma *dma = dev->dma;
    MONPRO_TRY(dma->start(dma->context, dma->packets[dev->packets.next], dev->packets.count, dma->answer,
                          dev->packets.answer_count, error));
    dev->packets.sent_last = dev->packets.last;
    dev->packets.next ^= 1u;
    return dev->packets.last ? MONPRO_OK : make_next(dev, operation, error);
}

/* ---- the end of an operation --------------------------------------------------------------------------------- */

static void wipe_buffers(monpro_device *dev)
{
    for (unsigned i = 0; i < 2; i++) {
        monpro_wipe(dev->dma->packets[i], sizeof(uint32_t) * dev->packets.used[i]);
        dev->packets.used[i] = 0;
    }
    monpro_wipe(dev->dma->answer, sizeof(uint32_t) * dev->dma->answer_words);
    monpro_wipe(&dev->products, sizeof dev->products);
}

/* The device drops what an engine still holds of a packet up to its TLAST. That may never have been fetched, and then the
 * next packet would be dropped with it. A flush gives TLAST up when no word has moved since the one before, so there are
 * flushes until the device is at rest. */
void monpro_device_stop_packets(monpro_device *dev)
{
    uint32_t status_word = MONPRO_REGS_STATUS_STREAMING_MASK;
    dev->dma->stop(dev->dma->context);
    for (uint32_t i = 0; i < MOST_FLUSHES && MONPRO_REGS_GET(status_word, STATUS_STREAMING) != 0; i++) {
        if (monpro_device_write(dev, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_FLUSH_MASK, NULL) != MONPRO_OK ||
            monpro_device_read(dev, MONPRO_REG(STATUS), &status_word, NULL) != MONPRO_OK) {
            break;
        }
    }
    wipe_buffers(dev);
}

/* Takes the counters out of an answer, so that its STATUS follows the result. Returns the words that are left. */
static size_t take_counters(monpro_device *dev, size_t taken, uint32_t *ended, monpro_counters *counters)
{
    enum { LOAD, PRECOMPUTE, LOW, HIGH, READ, OPERATIONS, PRODUCTS };
    if (taken <= COUNTERS) { /* an answer with a fault is shorter; the check finds it */
        return taken;
    }
    uint32_t *const from = dev->dma->answer + taken - 1 - COUNTERS;
    *ended = from[OPERATIONS] - dev->operations;
    dev->operations = from[OPERATIONS];
    counters->warm = dev->warm ? 1 : 0;
    counters->products = from[PRODUCTS];
    counters->cycles_load = from[LOAD];
    counters->cycles_precompute = from[PRECOMPUTE];
    counters->cycles_exponentiate = (uint64_t)from[HIGH] << 32 | from[LOW];
    counters->cycles_read = from[READ];
    *from = from[COUNTERS];
    return taken - COUNTERS;
}

static monpro_status finish(monpro_device *dev, const monpro_operation *operation, size_t taken, monpro_counters *counters,
                            monpro_error *error)
{
    const uint32_t *const answer = dev->dma->answer;
    uint32_t ended = 0;
    const size_t count = take_counters(dev, taken, &ended, counters);
    if (dev->info.entries == 0) {
        dev->given = 1;
        dev->given_products = counters->products; /* the device's own */
        MONPRO_TRY(monpro_packet_result(operation, answer, count, error));
    } else {
        MONPRO_TRY(monpro_packet_finished(&dev->info, operation, answer, count, error));
    }
    MONPRO_TRY(monpro_device_check_given(dev, ended, counters, error));
    counters->operations = 1;
    return MONPRO_OK;
}

/* ---- begin and advance --------------------------------------------------------------------------------------- */

/* What the device holds. It is asked only where it may hold something, or may still be wiping: a packet that came too early
 * would be refused. */
static monpro_status find_held(monpro_device *dev, const monpro_operation *operation, monpro_held *held,
                               monpro_error *error)
{
    const bool asked = monpro_device_holds(dev, operation) || MONPRO_REGS_GET(dev->held_config, CONFIG_LEAVE) != 0;
    *held = MONPRO_HELD_NOTHING;
    dev->warm = dev->locked = false;
    if (asked && dev->info.entries == 0) {
        return monpro_device_find_held(dev, operation, held, error);
    }
    if (asked) {
        uint32_t status_word;
        MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(STATUS), &status_word, error));
        dev->warm = monpro_device_holds(dev, operation) && MONPRO_REGS_GET(status_word, STATUS_WARM) != 0;
        *held = dev->warm ? MONPRO_HELD_MODULUS : MONPRO_HELD_NOTHING;
    }
    return MONPRO_OK;
}

static monpro_status start(monpro_device *dev, const monpro_operation *operation, monpro_error *error)
{
    monpro_held held;
    MONPRO_TRY(find_held(dev, operation, &held, error));
    MONPRO_TRY(make_first(dev, operation, held, error));
    if (!dev->warm) {
        monpro_device_forget(dev);
        monpro_device_hold(dev, operation);
    }
    dev->elapsed_cycles = 0;
    dev->limit_cycles = monpro_device_limit_cycles(&dev->info, operation);
    return send(dev, operation, error);
}

static monpro_status step(monpro_device *dev, const monpro_operation *operation, uint64_t until, bool *finished,
                          monpro_counters *counters, monpro_error *error)
{
    const uint64_t left = until - dev->elapsed_cycles;
    uint64_t waited = 0;
    size_t taken = 0;
    const bool ended = dev->dma->wait(dev->dma->context, left, &waited, &taken);
    dev->elapsed_cycles += waited < left ? waited : left;
    if (!ended) {
        return dev->elapsed_cycles < dev->limit_cycles
                   ? MONPRO_OK
                   : monpro_fail(error, MONPRO_ERR_DEVICE_TIMEOUT,
                                 "the answer to a packet has not ended after %u thousand cycles; %u words have come",
                                 (unsigned)(dev->limit_cycles / 1000), (unsigned)taken);
    }
    if (!dev->packets.sent_last) {
        MONPRO_TRY(monpro_packet_check(dev->dma->answer, taken, error));
        return send(dev, operation, error);
    }
    *finished = true;
    return finish(dev, operation, taken, counters, error);
}

monpro_status monpro_device_start_packets(monpro_device *dev, const monpro_operation *operation, monpro_error *error)
{
    const monpro_status status = start(dev, operation, error);
    if (status != MONPRO_OK) {
        monpro_device_stop_packets(dev);
    }
    return status;
}

monpro_status monpro_device_step_packets(monpro_device *dev, const monpro_operation *operation, uint64_t until,
                                         bool *finished, monpro_counters *counters, monpro_error *error)
{
    const monpro_status status = step(dev, operation, until, finished, counters, error);
    if (status != MONPRO_OK) {
        monpro_device_stop_packets(dev);
    } else if (*finished) {
        dev->dma->stop(dev->dma->context);
        wipe_buffers(dev);
    }
    return status;
}
