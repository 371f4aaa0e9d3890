/* Packets for a coprocessor with AXI4-Stream. See device/packet.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/packet.h"

#include <string.h>

#include "base/status.h"
#include "base/wipe.h"
#include "device/entry_numbers.h"
#include "device/plan.h"

#define MAGIC 0x4D500000u
#define OP_WRITE 0x10000000u
#define OP_READ 0x20000000u
#define OP_WAIT 0x30000000u
#define COUNT_SHIFT 8u
#define MOST_READS 0xffffu /* of a section */

/* ---- words and sections -------------------------------------------------------------------------------------- */

void monpro_packet_begin(monpro_packet *packet, uint32_t *words, size_t capacity)
{
    memset(packet, 0, sizeof *packet);
    packet->words = words;
    packet->capacity = capacity < MONPRO_PACKET_MOST_WORDS ? capacity : MONPRO_PACKET_MOST_WORDS;
    packet->full = packet->capacity == 0;
    packet->count = 1; /* the header */
    packet->answer_count = 1;
}

static void add(monpro_packet *packet, uint32_t word)
{
    packet->full |= packet->count >= packet->capacity;
    if (!packet->full) {
        packet->words[packet->count++] = word;
    }
}

static uint32_t next_address(uint32_t address)
{
    return address == MONPRO_REG(DATA) || address == MONPRO_REG(PRODUCT) ? address : address + 4;
}

void monpro_packet_write(monpro_packet *packet, uint32_t address, uint32_t value)
{
    if (packet->section == 0 || packet->address != address) {
        packet->section = packet->count;
        add(packet, OP_WRITE | address);
    }
    add(packet, value);
    packet->address = next_address(address);
    if (!packet->full) {
        packet->words[packet->section] += 1u << COUNT_SHIFT;
    }
}

void monpro_packet_operand(monpro_packet *packet, uint32_t operand, const uint8_t *bytes, size_t size, uint32_t count)
{
    monpro_packet_write(packet, MONPRO_REG(OPERAND), operand); /* DATA is the register behind it */
    packet->full |= count > packet->capacity - packet->count;
    if (packet->full) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        packet->words[packet->count + i] = monpro_device_word_at(bytes, size, i);
    }
    packet->words[packet->section] += count << COUNT_SHIFT;
    packet->count += count;
    packet->address = MONPRO_REG(DATA);
}

void monpro_packet_read(monpro_packet *packet, uint32_t address, uint32_t count)
{
    packet->section = 0;
    packet->full |= count == 0 || count > MOST_READS;
    packet->answer_count += count;
    add(packet, OP_READ | count << COUNT_SHIFT | address);
}

void monpro_packet_wait(monpro_packet *packet)
{
    packet->section = 0;
    add(packet, OP_WAIT);
}

monpro_status monpro_packet_end(monpro_packet *packet, monpro_error *error)
{
    if (packet->full) {
        return monpro_fail(error, MONPRO_ERR_BUFFER, "a packet of more than %u words", (unsigned)packet->capacity);
    }
    packet->words[0] = MAGIC | (uint32_t)(packet->count - 1);
    return MONPRO_OK;
}

/* ---- operations ---------------------------------------------------------------------------------------------- */

static monpro_status sink_write(void *context, uint32_t address, uint32_t value, monpro_error *error)
{
    (void)error;
    monpro_packet_write(context, address, value);
    return MONPRO_OK;
}

static monpro_status sink_operand(void *context, uint32_t operand, const uint8_t *bytes, size_t size, uint32_t count,
                                  monpro_error *error)
{
    (void)error;
    monpro_packet_operand(context, operand, bytes, size, count);
    return MONPRO_OK;
}

void monpro_packet_operation(monpro_packet *packet, const monpro_engine_info *info, const monpro_operation *operation,
                             monpro_held held)
{
    const monpro_sink to = {sink_write, sink_operand, packet};
    (void)monpro_plan_operation(&to, info, operation, held, NULL); /* what does not fit, monpro_packet_end() tells */
    monpro_packet_wait(packet);
    monpro_packet_write(packet, MONPRO_REG(OPERAND), MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_RESULT));
    monpro_packet_read(packet, MONPRO_REG(DATA), (uint32_t)((operation->result_len + 3) / 4));
}

monpro_status monpro_packet_start(monpro_packet *packet, const monpro_engine_info *info, const monpro_operation *operation,
                                  bool warm, monpro_error *error)
{
    const monpro_sink to = {sink_write, sink_operand, packet};
    monpro_packet_write(packet, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_START_MASK);
    return monpro_plan_entries(&to, info, operation, warm, error);
}

void monpro_packet_finish(monpro_packet *packet, const monpro_engine_info *info, const monpro_operation *operation)
{
    monpro_packet_wait(packet);
    monpro_packet_write(packet, MONPRO_REG(OPERAND), monpro_entry_operand(MONPRO_ENTRY_ACCUMULATOR));
    monpro_packet_read(packet, MONPRO_REG(DATA), (uint32_t)(monpro_entry_bytes(info, operation) / 4));
}

bool monpro_packet_products(monpro_packet *packet, monpro_products *products, size_t reserve)
{
    const size_t section = packet->count, behind = section + 1 + reserve;
    size_t choices;
    packet->full |= behind + 1 > packet->capacity; /* not one fits: no packet, instead of an empty one */
    if (packet->full) {
        return false;
    }
    const size_t room = packet->capacity - behind;
    const size_t count = monpro_products_words(products, packet->words + section + 1, room, &choices);
    if (count != 0) {
        packet->words[section] = OP_WRITE | (uint32_t)count << COUNT_SHIFT | MONPRO_REG(PRODUCT);
        packet->count += 1 + count;
        packet->section = section;
        packet->address = MONPRO_REG(PRODUCT);
    }
    packet->commands += (uint32_t)count;
    packet->products += (uint32_t)(count - choices);
    return count < room;
}

/* ---- answers -------------------------------------------------------------------------------------------------- */

/* STATUS.error belongs to the last finished operation. It keeps its value while the next one runs. */
monpro_status monpro_packet_check(const uint32_t *answer, size_t count, monpro_error *error)
{
    if (count == 0) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "the device gave no answer");
    }
    const uint32_t status_word = answer[count - 1];
    if (MONPRO_REGS_GET(status_word, STATUS_BUSY) == 0 || MONPRO_REGS_GET(status_word, STATUS_DONE) != 0) {
        MONPRO_TRY(monpro_device_check_error(status_word, error)); /* the reason that a result was not readable */
    }
    return monpro_device_check_fault(status_word, error);
}

/* The number in an answer, its most significant byte first. */
static void take_number(uint8_t *bytes, size_t size, const uint32_t *answer)
{
    for (size_t i = 0; i < (size + 3) / 4; i++) {
        monpro_device_set_word(bytes, size, i, answer[i]);
    }
}

monpro_status monpro_packet_finished(const monpro_engine_info *info, const monpro_operation *operation,
                                     const uint32_t *answer, size_t count, monpro_error *error)
{
    uint8_t number[MONPRO_ENTRY_NUMBER_BYTES];
    const size_t size = monpro_entry_bytes(info, operation);
    memset(operation->result, 0, operation->result_len);
    MONPRO_TRY(monpro_packet_check(answer, count, error));
    if (count != size / 4 + 1 || MONPRO_REGS_GET(answer[count - 1], STATUS_BUSY) != 0) {
        return monpro_device_fault(answer[count - 1], "the device answered without an error and without a result", error);
    }
    take_number(number, size, answer);
    monpro_entry_reduce(info, operation, number);
    monpro_wipe(number, sizeof number);
    return MONPRO_OK;
}

monpro_status monpro_packet_result(const monpro_operation *operation, const uint32_t *answer, size_t count,
                                   monpro_error *error)
{
    const size_t size = operation->result_len;
    memset(operation->result, 0, size);
    MONPRO_TRY(monpro_packet_check(answer, count, error));
    if (count != (size + 3) / 4 + 1 || MONPRO_REGS_GET(answer[count - 1], STATUS_RESULT) == 0) {
        return monpro_device_fault(answer[count - 1], "the device answered without an error and without a result", error);
    }
    take_number(operation->result, size, answer);
    return MONPRO_OK;
}
