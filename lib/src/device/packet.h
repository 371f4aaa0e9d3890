/* Packets for a coprocessor with AXI4-Stream (PARAM_FEATURES.stream), for software that has a DMA engine: one transfer
 * of words in and one out, for a whole operation. rtl/bus/monpro_stream.sv has the form of a packet. Nothing here
 * reaches a device. The words belong to the caller. They hold operands and results, and the caller wipes them.
 *
 *     monpro_packet packet;
 *     monpro_packet_begin(&packet, words, capacity);
 *     monpro_packet_operation(&packet, &info, &operation, warm);
 *     monpro_packet_end(&packet, error);      then packet.count words go out, packet.answer_count words come back
 *     monpro_packet_result(&operation, answer, answer_count, error);
 *
 * STATUS.fault stays until COMMAND.clear is written, and until then every result is refused. Write COMMAND.clear over
 * the registers before the next packet, or as the first write of a packet of your own.
 *
 * Nothing is allocated. Time and addresses depend on lengths only, except for the products of a public exponent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_PACKET_H
#define MONPRO_PACKET_H

#include "device/access.h"
#include "device/plan.h"

enum { MONPRO_PACKET_MOST_WORDS = 65536 }; /* its header among them */
enum { MONPRO_PACKET_END_WORDS = 4 };

typedef struct monpro_packet {
    uint32_t *words;
    size_t capacity, count;
    size_t answer_count; /* words of the answer, the one of STATUS among them */
    size_t section;      /* the word of the write that is open; 0: none is */
    uint32_t address;    /* to which its next word goes */
    bool full;           /* something did not fit */
    uint32_t commands, products; /* single ones, choices among them; and those that multiply */
} monpro_packet;

/* Starts a packet in `words`. */
void monpro_packet_begin(monpro_packet *packet, uint32_t *words, size_t capacity);

/* Adds accesses:
 *   write    of a register
 *   operand  a big-endian number, into what OPERAND = `operand` selects, as monpro_device_write_operand() does
 *   read     `count` reads, each of the next register (DATA stays)
 *   wait     for the end of what the device is doing */
void monpro_packet_write(monpro_packet *packet, uint32_t address, uint32_t value);
void monpro_packet_operand(monpro_packet *packet, uint32_t operand, const uint8_t *bytes, size_t size, uint32_t count);
void monpro_packet_read(monpro_packet *packet, uint32_t address, uint32_t count);
void monpro_packet_wait(monpro_packet *packet);

/* Adds an exponentiation, or with operation->crt an RSA private operation, from its length to its result. For a device
 * without entries. */
void monpro_packet_operation(monpro_packet *packet, const monpro_engine_info *info, const monpro_operation *operation,
                             monpro_held held);

/* Adds the start of an operation over single products, up to its base. For a device with entries. An error is about a
 * number that does not go in, never about room. */
monpro_status monpro_packet_start(monpro_packet *packet, const monpro_engine_info *info, const monpro_operation *operation,
                                  bool warm, monpro_error *error);

/* Adds its end: when all products are done, the result. It takes MONPRO_PACKET_END_WORDS. */
void monpro_packet_finish(monpro_packet *packet, const monpro_engine_info *info, const monpro_operation *operation);

/* Adds single products, as many as there are or fit: true if that was all of them. What fits leaves `reserve` words free;
 * if there is no room for one, monpro_packet_end() says so.
 * A packet that is not the first goes on where the one before ended. */
bool monpro_packet_products(monpro_packet *packet, monpro_products *products, size_t reserve);

/* Fills in the lengths. MONPRO_ERR_BUFFER if the words did not suffice, or 1 to 65535 reads were not asked for: there is
 * no packet then. */
monpro_status monpro_packet_end(monpro_packet *packet, monpro_error *error);

/* Takes an answer to a packet apart whose status word is all that it wants to know. */
monpro_status monpro_packet_check(const uint32_t *answer, size_t count, monpro_error *error);

/* The same, of a packet with monpro_packet_finish(): the result, which is zero on an error. */
monpro_status monpro_packet_finished(const monpro_engine_info *info, const monpro_operation *operation,
                                     const uint32_t *answer, size_t count, monpro_error *error);

/* Takes an answer to a packet of one monpro_packet_operation() apart: its status word, and the result, which is zero on
 * an error. */
monpro_status monpro_packet_result(const monpro_operation *operation, const uint32_t *answer, size_t count,
                                   monpro_error *error);

#endif
