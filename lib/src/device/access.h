/* What the programs of the driver share: the state of a device, access to its registers, and what goes wrong with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The driver goes one way, from a plan over a program to the transport:
 *
 *   plan.c        what is sent for an operation; entry_numbers.c and products.c for a device with entries
 *   driver.c      what the device is, and the program that is chosen: one operation over registers,
 *   entries.c     single products over registers,
 *   dma.c         or packets (packet.c) by a DMA engine
 *   access.c      registers, over a transport */
#ifndef MONPRO_DEVICE_ACCESS_H
#define MONPRO_DEVICE_ACCESS_H

#include "base/status.h"
#include "bignum/limbs.h"
#include "device/plan.h"
#include "device/products.h"
#include "device/regs.h"
#include "device/sink.h"
#include "engine/engine.h"
#include "monpro/transport.h"

#define MONPRO_REG(name) MONPRO_REGS_##name##_OFFSET
#define MONPRO_MAX_SECRETS (3 * MONPRO_MAX_BYTES / 2)
#define MONPRO_DEVICE_QUEUE 8u /* products that wait in a device with entries: STATUS.queued */

typedef struct monpro_device {
    monpro_transport transport;
    monpro_engine_info info;
    uint8_t held[MONPRO_MAX_BYTES];     /* what the device's modulus slot stands for; with CRT p, and q after it */
    size_t held_len;                    /* 0: nothing that is known */
    bool held_crt;
    uint32_t held_config;               /* CONFIG with which it was used */
    uint32_t held_exponent_bits;
    uint8_t held_secrets[MONPRO_MAX_SECRETS]; /* of a key that is locked: its exponents, and qInv */
    size_t held_secrets_len;            /* 0: none is */
    bool in_doubt;                      /* abort and wipe before the next use */
    bool warm;                          /* the operation under way started warm, */
    bool locked;                        /* and under a locked key */
    uint32_t operations;                /* OPERATIONS as last read */
    uint64_t elapsed_cycles, limit_cycles;
    monpro_products products;           /* a device with entries: what is left of the operation */
    uint32_t given, given_products;     /* commands that went into its queue, and those of them that multiply */
    bool draining;                      /* all of them have */
    const monpro_dma *dma;              /* NULL: operands and results go over the registers */
    struct {
        unsigned next;                  /* the buffer of the packet that is ready, or will be */
        size_t count, answer_count;     /* of the packet that is ready */
        size_t used[2];                 /* words of the buffers that are to be wiped */
        size_t most;                    /* commands of the next packet: few at first, so that the device begins */
        bool last;                      /* it ends the operation */
        bool sent_last;                 /* the packet that is under way does */
    } packets;
} monpro_device;

monpro_status monpro_device_read(monpro_device *dev, uint32_t address, uint32_t *value, monpro_error *error);
monpro_status monpro_device_write(monpro_device *dev, uint32_t address, uint32_t value, monpro_error *error);

/* Writes `count` words of a big-endian number into what OPERAND = `operand` selects, zeros at the top. */
monpro_status monpro_device_write_operand(monpro_device *dev, uint32_t operand, const uint8_t *bytes, size_t size,
                                          uint32_t count, monpro_error *error);

/* A plan that goes to the registers at once. */
monpro_sink monpro_device_sink(monpro_device *dev);

/* Reads `size` bytes of a big-endian number, and no word beyond them. */
monpro_status monpro_device_read_operand(monpro_device *dev, uint32_t operand, uint8_t *bytes, size_t size,
                                         monpro_error *error);

/* Word i, from the least significant one on, of a big-endian number; zeros above it. */
static inline uint32_t monpro_device_word_at(const uint8_t *bytes, size_t size, size_t i)
{
    uint32_t word = 0;
    if (4 * i + 4 <= size) {
        const uint8_t *const at = bytes + (size - 4 * i - 4);
        return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (size_t place = 4 * i; place < size; place++) { /* bytes from the end */
        word |= (uint32_t)bytes[size - 1 - place] << (8 * (place - 4 * i));
    }
    return word;
}

/* The other way round: what is above the number is dropped. */
static inline void monpro_device_set_word(uint8_t *bytes, size_t size, size_t i, uint32_t word)
{
    for (size_t place = 4 * i; place < size && place < 4 * i + 4; place++, word >>= 8) {
        bytes[size - 1 - place] = (uint8_t)word;
    }
}

/* Drops what is known of the device's memory. */
void monpro_device_forget(monpro_device *dev);

/* Whether the device holds the modulus of this operation, or its p and q. */
bool monpro_device_holds(const monpro_device *dev, const monpro_operation *operation);

/* Remembers that it does; and the secrets of a key that the operation leaves locked. */
void monpro_device_hold(monpro_device *dev, const monpro_operation *operation);

/* Waits until the device has wiped what the operation before was not to leave, and says what it still holds for this one.
 * Another key that is locked is wiped. dev->warm is set, and what the device no longer holds is forgotten. The device has
 * no entries. */
monpro_status monpro_device_find_held(monpro_device *dev, const monpro_operation *operation, monpro_held *held,
                                      monpro_error *error);

/* Ends whatever the device was doing and leaves it wiped and idle. */
monpro_status monpro_device_recover(monpro_device *dev, monpro_error *error);

/* After an operation: wipes a locked key that is not used again. Nothing waits for that but the next operation. */
monpro_status monpro_device_unlock(monpro_device *dev, const monpro_operation *operation, monpro_error *error);

/* Waits for the interrupt line, at most to `until` on the clock of elapsed_cycles, and reads STATUS. */
monpro_status monpro_device_wait(monpro_device *dev, uint64_t until, uint64_t *waited, uint32_t *status_word,
                                 monpro_error *error);

/* After a wait that did not bring the end: whether there is any use in another. */
monpro_status monpro_device_check_wait(const monpro_device *dev, uint64_t waited, uint32_t status_word,
                                       monpro_error *error);

/* A failure with these words and STATUS. */
monpro_status monpro_device_fault(uint32_t status_word, const char *what, monpro_error *error);

/* The failure that STATUS.error stands for, or MONPRO_OK; and that for STATUS.fault. */
monpro_status monpro_device_check_error(uint32_t status_word, monpro_error *error);
monpro_status monpro_device_check_fault(uint32_t status_word, monpro_error *error);

/* Reads the counters of an operation, CYCLES_READ first, as it counts these reads too, and STATUS. *ended: by how much
 * OPERATIONS has grown. counters->operations is left to the caller. */
monpro_status monpro_device_read_counters(monpro_device *dev, monpro_counters *counters, uint32_t *ended,
                                          monpro_error *error);

/* Whether the device has ended as many products and other commands as it was given. */
monpro_status monpro_device_check_given(const monpro_device *dev, uint32_t ended, const monpro_counters *counters,
                                        monpro_error *error);

#endif
