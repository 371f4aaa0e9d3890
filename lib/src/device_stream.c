/* Packets for a coprocessor with AXI4-Stream. See device_stream.h. */
#include "device_stream.h"

#include <string.h>

#include "device_lengths.h"
#include "status.h"
#include "wipe.h"

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
    monpro_packet_write(packet, MONPRO_REG(OPERAND), operand);
    for (size_t i = 0; i < count; i++) {
        uint32_t word = 0;
        for (size_t j = 4; j-- > 0;) {
            const size_t place = 4 * i + j; /* bytes from the end */
            word = (word << 8) | (place < size ? bytes[size - 1 - place] : 0u);
        }
        monpro_packet_write(packet, MONPRO_REG(DATA), word);
    }
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

static void add_slot(monpro_packet *packet, uint32_t slot, const uint8_t *bytes, size_t size, uint32_t count)
{
    monpro_packet_operand(packet, MONPRO_REGS_PUT(OPERAND_SLOT, slot), bytes, size, count);
}

void monpro_packet_operation(monpro_packet *packet, const monpro_engine_info *info, const monpro_operation *operation,
                             bool warm)
{
    const monpro_crt_key *crt = operation->crt;
    const uint32_t bits = operation->modulus_bits, exponent_count = (operation->exponent_bits + 31) / 32;
    const uint32_t count = monpro_device_bus_words(info, monpro_device_operand_words(info, bits));
    const uint32_t base_count =
        crt == NULL ? count : monpro_device_bus_words(info, 2 * monpro_device_digits(info, bits));
    if (!warm) {
        monpro_packet_write(packet, MONPRO_REG(LENGTH),
                            MONPRO_REGS_PUT(LENGTH_WORDS, monpro_device_modulus_words(info, bits)));
    }
    monpro_packet_write(packet, MONPRO_REG(EXPONENT), MONPRO_REGS_PUT(EXPONENT_BITS, operation->exponent_bits));
    monpro_packet_write(packet, MONPRO_REG(CONFIG), monpro_device_configuration(operation));
    if (!warm) {
        add_slot(packet, MONPRO_REGS_SLOT_MODULUS, operation->modulus, operation->modulus_len, count);
        if (crt != NULL) {
            add_slot(packet, MONPRO_REGS_SLOT_MODULUS_Q, crt->q, operation->modulus_len, count);
        }
    }
    add_slot(packet, MONPRO_REGS_SLOT_BASE, operation->base, operation->base_len, base_count);
    add_slot(packet, MONPRO_REGS_SLOT_EXPONENT, operation->exponent, operation->exponent_len, exponent_count);
    if (crt != NULL) {
        add_slot(packet, MONPRO_REGS_SLOT_EXPONENT_Q, crt->dq, crt->prime_len, exponent_count);
        add_slot(packet, MONPRO_REGS_SLOT_INVERSE, crt->qinv, crt->prime_len, count);
    }
    monpro_packet_write(packet, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_START_MASK);
    monpro_packet_wait(packet);
    monpro_packet_write(packet, MONPRO_REG(OPERAND), MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_RESULT));
    monpro_packet_read(packet, MONPRO_REG(DATA), (uint32_t)((operation->result_len + 3) / 4));
}

bool monpro_packet_products(monpro_packet *packet, monpro_products *products, size_t reserve)
{
    monpro_product next = {0};
    bool more = true;
    packet->full |= packet->count + 2 + reserve > packet->capacity; /* not one fits: no packet, instead of an empty one */
    while (more && packet->count + 2 + reserve <= packet->capacity) {
        more = monpro_products_next(products, &next);
        if (more) {
            monpro_packet_write(packet, MONPRO_REG(PRODUCT), monpro_device_product_word(&next));
        }
    }
    monpro_wipe(&next, sizeof next);
    return !more;
}

monpro_status monpro_packet_result(const monpro_operation *operation, const uint32_t *answer, size_t count,
                                   monpro_error *error)
{
    const size_t size = operation->result_len;
    memset(operation->result, 0, size);
    if (count == 0) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "the device gave no answer");
    }
    const uint32_t status_word = answer[count - 1];
    MONPRO_TRY(monpro_device_check_error(status_word, error)); /* the reason that a result was not readable */
    MONPRO_TRY(monpro_device_check_fault(status_word, error));
    if (count != (size + 3) / 4 + 1 || MONPRO_REGS_GET(status_word, STATUS_RESULT) == 0) {
        return monpro_device_fault(status_word, "the device answered without an error and without a result", error);
    }
    for (size_t i = 0; i < size; i++) {
        operation->result[size - 1 - i] = (uint8_t)(answer[i / 4] >> (8 * (i % 4)));
    }
    return MONPRO_OK;
}
