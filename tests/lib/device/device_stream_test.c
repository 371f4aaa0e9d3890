/* Packets for a device with streams, word by word. A reader of packets keeps what each slot was given. Also: every
 * length that is too short for a packet, and answers, good and bad.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/packet.h"

#include "test.h"

enum { CAPACITY = 4096, SLOTS = 8 };

/* What a device would have been told. */
typedef struct {
    uint32_t registers[32];
    uint32_t slots[SLOTS][256];
    size_t slot_words[SLOTS];
    uint32_t products[2048];
    size_t product_count, starts, waits, read_words, sections;
} reader;

static size_t slot_of(const reader *r)
{
    return MONPRO_REGS_GET(r->registers[MONPRO_REG(OPERAND) / 4], OPERAND_SLOT);
}

static void take_write(reader *r, uint32_t address, uint32_t value)
{
    r->registers[address / 4] = value;
    if (address == MONPRO_REG(OPERAND)) {
        r->slot_words[slot_of(r)] = 0;
    } else if (address == MONPRO_REG(DATA)) {
        r->slots[slot_of(r)][r->slot_words[slot_of(r)]++] = value;
    } else if (address == MONPRO_REG(PRODUCT)) {
        r->products[r->product_count++] = value;
    } else if (address == MONPRO_REG(COMMAND)) {
        r->starts += value & MONPRO_REGS_COMMAND_START_MASK;
    }
}

static void read_packet(reader *r, const monpro_packet *packet)
{
    size_t at = 1;
    memset(r, 0, sizeof *r);
    CHECK(packet->words[0] == (0x4D500000u | (uint32_t)(packet->count - 1)));
    while (at < packet->count) {
        const uint32_t word = packet->words[at++];
        uint32_t address = word & 0x7Fu;
        const uint32_t op = word >> 28, count = word >> 8 & 0xFFFFu;
        CHECK((word & 0x0F000080u) == 0 && op >= 1 && op <= 3 && (op == 3) == (count == 0));
        r->sections++;
        r->waits += op == 3;
        r->read_words += op == 2 ? count : 0;
        for (uint32_t i = 0; i < count && op == 1; i++) {
            CHECK(at < packet->count);
            take_write(r, address, packet->words[at++]);
            address += address == MONPRO_REG(DATA) || address == MONPRO_REG(PRODUCT) ? 0 : 4;
        }
    }
    CHECK(at == packet->count);
}

/* The number in a slot, most significant byte first, is `bytes`, with nothing but zeros above. */
static void check_slot(const reader *r, uint32_t slot, const uint8_t *bytes, size_t size, size_t words)
{
    CHECK(r->slot_words[slot] == words);
    for (size_t i = 0; i < 4 * words; i++) {
        const uint8_t byte = (uint8_t)(r->slots[slot][i / 4] >> (8 * (i % 4)));
        CHECK(byte == (i < size ? bytes[size - 1 - i] : 0));
    }
}

static const monpro_engine_info small = {.word_bits = 17, .elements = 16, .min_bits = 128, .max_bits = 4096};
static const monpro_engine_info fast = {.word_bits = 36, .elements = 32, .delay = 1, .min_bits = 256, .max_bits = 4096};

static uint8_t bytes_of[8][128], result[256];
static uint32_t words[CAPACITY];

static monpro_operation example(void)
{
    for (size_t i = 0; i < sizeof bytes_of; i++) {
        bytes_of[i / 128][i % 128] = (uint8_t)(i * 7 + i / 11 + 1);
    }
    return (monpro_operation){.modulus = bytes_of[0], .modulus_len = 128, .modulus_bits = 1024, .base = bytes_of[1],
                              .base_len = 100, .exponent = bytes_of[2], .exponent_len = 3, .exponent_bits = 17,
                              .is_public = true, .scheme = MONPRO_SCHEME_SLIDING_WINDOW, .window = 3,
                              .result = result, .result_len = 128};
}

static void test_operation(void)
{
    static reader r;
    const monpro_operation operation = example();
    monpro_packet packet;
    monpro_packet_begin(&packet, words, CAPACITY);
    monpro_packet_operation(&packet, &small, &operation, MONPRO_HELD_NOTHING);
    REQUIRE(monpro_packet_end(&packet, NULL));
    read_packet(&r, &packet);
    /* s = ceil(1026 / 17) + 1 = 62 words of 17 bits are 33 of 32. Five sections write: LENGTH to the modulus in one. */
    check_slot(&r, MONPRO_REGS_SLOT_MODULUS, bytes_of[0], 128, 33);
    check_slot(&r, MONPRO_REGS_SLOT_BASE, bytes_of[1], 100, 33);
    check_slot(&r, MONPRO_REGS_SLOT_EXPONENT, bytes_of[2], 3, 1);
    CHECK(r.registers[MONPRO_REG(LENGTH) / 4] == 61 && r.registers[MONPRO_REG(EXPONENT) / 4] == 17);
    CHECK(r.registers[MONPRO_REG(CONFIG) / 4] == (3u | 3u << 4 | 1u << 8));
    CHECK(r.starts == 1 && r.waits == 1 && r.read_words == 32 && packet.answer_count == 33);
    CHECK(r.sections == 7 && packet.count == 1 + 7 + (4 + 33) + (1 + 33) + (1 + 1) + 1 + 1);
    CHECK(slot_of(&r) == MONPRO_REGS_SLOT_RESULT);

    const size_t cold = packet.count;
    monpro_packet_begin(&packet, words, CAPACITY);
    monpro_packet_operation(&packet, &small, &operation, MONPRO_HELD_MODULUS);
    REQUIRE(monpro_packet_end(&packet, NULL));
    read_packet(&r, &packet);
    /* Neither LENGTH nor the modulus; and EXPONENT to the base is one section. */
    CHECK(packet.count == cold - 1 - 34 - 1 && r.sections == 6 && r.slot_words[MONPRO_REGS_SLOT_MODULUS] == 0);
    check_slot(&r, MONPRO_REGS_SLOT_BASE, bytes_of[1], 100, 33);
    for (size_t capacity = 0; capacity < packet.count; capacity++) {
        monpro_packet short_of;
        monpro_packet_begin(&short_of, words, capacity);
        monpro_packet_operation(&short_of, &small, &operation, MONPRO_HELD_MODULUS);
        CHECK(monpro_packet_end(&short_of, NULL) == MONPRO_ERR_BUFFER);
    }
    monpro_packet_begin(&packet, words, 20);
    monpro_packet_operation(&packet, &small, &operation, MONPRO_HELD_MODULUS);
    EXPECT(MONPRO_ERR_BUFFER, monpro_packet_end(&packet, NULL));
}

static void test_crt(void)
{
    static reader r;
    const monpro_crt_key key = {.p = bytes_of[0], .q = bytes_of[3], .dp = bytes_of[4], .dq = bytes_of[5],
                                .qinv = bytes_of[6], .prime_len = 128, .prime_bits = 1024};
    monpro_operation operation = example();
    monpro_packet packet;
    operation.crt = &key;
    operation.exponent = key.dp;
    operation.exponent_len = 128;
    operation.exponent_bits = 1024;
    operation.result_len = 256;
    monpro_packet_begin(&packet, words, CAPACITY);
    monpro_packet_operation(&packet, &fast, &operation, MONPRO_HELD_NOTHING);
    REQUIRE(monpro_packet_end(&packet, NULL));
    read_packet(&r, &packet);
    /* s = ceil(1026 / 36) + 2 = 31 words of 36 bits; K = 32 - 1 digits, two halves of them for the base. */
    check_slot(&r, MONPRO_REGS_SLOT_MODULUS, bytes_of[0], 128, 35);
    check_slot(&r, MONPRO_REGS_SLOT_MODULUS_Q, bytes_of[3], 128, 35);
    check_slot(&r, MONPRO_REGS_SLOT_BASE, bytes_of[1], 100, 70);
    check_slot(&r, MONPRO_REGS_SLOT_EXPONENT, bytes_of[4], 128, 32);
    check_slot(&r, MONPRO_REGS_SLOT_EXPONENT_Q, bytes_of[5], 128, 32);
    check_slot(&r, MONPRO_REGS_SLOT_INVERSE, bytes_of[6], 128, 35);
    CHECK(r.read_words == 64 && packet.answer_count == 65 && r.starts == 1 && r.waits == 1);
    CHECK(MONPRO_REGS_GET(r.registers[MONPRO_REG(CONFIG) / 4], CONFIG_CRT) == 1);
}

static uint32_t word_of(const monpro_product *product)
{
    return MONPRO_REGS_PUT(PRODUCT_X, product->x) | MONPRO_REGS_PUT(PRODUCT_Y, product->y) |
           MONPRO_REGS_PUT(PRODUCT_TO, product->to) | MONPRO_REGS_PUT(PRODUCT_CHOOSE, product->choose) |
           MONPRO_REGS_PUT(PRODUCT_FIRST, product->first);
}

/* Products, in packets of any length, are those of the stream they come from. */
static void test_products(void)
{
    static const uint8_t exponent[] = {0xA5, 0x3C, 0x01};
    const monpro_exponent e = {exponent, sizeof exponent, 24};
    for (size_t capacity = 8; capacity < 90; capacity += 9) {
        static reader r;
        monpro_products given, expected;
        monpro_product next;
        size_t count = 0;
        bool all = false;
        monpro_products_init(&given, MONPRO_SCHEME_BINARY, 0, &e, false);
        monpro_products_init(&expected, MONPRO_SCHEME_BINARY, 0, &e, false);
        while (!all) {
            monpro_packet packet;
            monpro_packet_begin(&packet, words, capacity);
            all = monpro_packet_products(&packet, &given, 2);
            monpro_packet_wait(&packet);
            monpro_packet_read(&packet, MONPRO_REG(STATUS), 1);
            REQUIRE(monpro_packet_end(&packet, NULL));
            read_packet(&r, &packet);
            CHECK(r.waits == 1 && r.read_words == 1);
            for (size_t i = 0; i < r.product_count; i++, count++) {
                CHECK(monpro_products_next(&expected, &next));
                CHECK(r.products[i] == word_of(&next));
            }
        }
        CHECK(count == 2 * 24 + 1 + 24 && !monpro_products_next(&expected, &next));
    }
}

/* Without room for one product, and with a count that no section has, there is no packet. */
static void test_no_packet(void)
{
    static const uint8_t exponent[] = {0xA5};
    const monpro_exponent e = {exponent, sizeof exponent, 8};
    static const uint32_t counts[] = {0, 65536, UINT32_MAX};
    monpro_products given;
    monpro_packet packet;
    monpro_products_init(&given, MONPRO_SCHEME_BINARY, 0, &e, false);
    monpro_packet_begin(&packet, words, 4);
    CHECK(!monpro_packet_products(&packet, &given, 2));
    EXPECT(MONPRO_ERR_BUFFER, monpro_packet_end(&packet, NULL));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        monpro_packet_begin(&packet, words, 8);
        monpro_packet_read(&packet, MONPRO_REG(DATA), counts[i]);
        EXPECT(MONPRO_ERR_BUFFER, monpro_packet_end(&packet, NULL));
    }
}

static void test_answers(void)
{
    const monpro_operation operation = example();
    const uint32_t good = MONPRO_REGS_STATUS_RESULT_MASK | MONPRO_REGS_STATUS_DONE_MASK;
    uint32_t answer[33];
    monpro_error error;
    for (uint32_t i = 0; i < 32; i++) {
        answer[i] = 0x01020304u * (i + 1);
    }
    answer[32] = good;
    memset(result, 0xAA, sizeof result);
    REQUIRE(monpro_packet_result(&operation, answer, 33, &error));
    CHECK(result[127] == 0x04 && result[126] == 0x03 && result[123] == 0x08 && result[0] == 0x20);
    CHECK(result[128] == 0xAA);

    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_packet_result(&operation, answer, 0, &error));
    CHECK(all_zero(result, 128));
    for (uint32_t fault = 1; fault <= MONPRO_REGS_FAULT_STREAM_BUSY; fault++) {
        memset(result, 0xAA, sizeof result);
        answer[5] = good | MONPRO_REGS_PUT(STATUS_FAULT, fault); /* a packet of wrong form: the answer is short */
        CHECK(monpro_packet_result(&operation, answer, 6, &error) == MONPRO_ERR_DEVICE_FAULT);
        CHECK(all_zero(result, 128));
    }
    answer[32] = MONPRO_REGS_PUT(STATUS_ERROR, MONPRO_REGS_ERROR_BASE_RANGE) |
                 MONPRO_REGS_PUT(STATUS_FAULT, MONPRO_REGS_FAULT_NOT_READABLE);
    EXPECT(MONPRO_ERR_BASE_RANGE, monpro_packet_result(&operation, answer, 33, &error));
    answer[32] = MONPRO_REGS_STATUS_DONE_MASK;
    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_packet_result(&operation, answer, 33, &error));
    answer[31] = good;
    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_packet_result(&operation, answer, 32, &error));
    CHECK(all_zero(result, 128));
}

int main(void)
{
    test_operation();
    test_crt();
    test_products();
    test_no_packet();
    test_answers();
    return test_result();
}
