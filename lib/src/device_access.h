/* What the driver's parts share: the state of a device, access to its registers, and what goes wrong with it.
 *
 *   device.c           what the device is; an exponentiation as one operation of the device
 *   device_products.c  an exponentiation as a stream of single products (a device with entries)
 *   device_stream.c    an operation as a packet, for a device with streams
 *   device_dma.c       operations as packets by a DMA engine
 *   device_access.c    this header */
#ifndef MONPRO_DEVICE_ACCESS_H
#define MONPRO_DEVICE_ACCESS_H

#include "device.h"
#include "limbs.h"
#include "monpro_regs.h"
#include "products.h"
#include "status.h"

#define MONPRO_REG(name) MONPRO_REGS_##name##_OFFSET

typedef struct monpro_device {
    monpro_transport transport;
    monpro_engine_info info;
    uint8_t held[MONPRO_MAX_BYTES];     /* what the device's modulus slot stands for; with CRT p, and q after it */
    size_t held_len;                    /* 0: nothing that is known */
    bool held_crt;
    bool in_doubt;                      /* abort and wipe before the next use */
    bool warm;                          /* the operation under way started warm */
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

/* CONFIG for an operation. */
uint32_t monpro_device_configuration(const monpro_operation *operation);

/* Drops what is known of the device's memory. */
void monpro_device_forget(monpro_device *dev);

/* Whether the device holds the modulus of this operation, or its p and q. */
bool monpro_device_holds(const monpro_device *dev, const monpro_operation *operation);

/* Remembers that it does. */
void monpro_device_hold(monpro_device *dev, const monpro_operation *operation);

/* Ends whatever the device was doing and leaves it wiped and idle. */
monpro_status monpro_device_recover(monpro_device *dev, monpro_error *error);

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

/* Whether the driver can make do with the entries of a device that has some, and with its words. */
bool monpro_device_takes_products(const monpro_engine_info *info);

/* Gives a number of a modulus to whoever loads it, as monpro_device_write_operand() takes one. */
typedef monpro_status (*monpro_put_operand)(void *context, uint32_t operand, const uint8_t *bytes, size_t size,
                                            uint32_t count, monpro_error *error);

/* What a device with entries has to be given for a new modulus, and the base of an operation. */
monpro_status monpro_device_put_modulus(const monpro_engine_info *info, const monpro_operation *operation,
                                        monpro_put_operand put, void *context, monpro_error *error);
monpro_status monpro_device_put_base(const monpro_engine_info *info, const monpro_operation *operation,
                                     monpro_put_operand put, void *context, monpro_error *error);

/* OPERAND of the entry in which the last product leaves its result; bytes of that number; and the result from them. */
uint32_t monpro_device_last_entry(void);
size_t monpro_device_last_size(const monpro_engine_info *info, const monpro_operation *operation);
enum { MONPRO_DEVICE_NUMBER_BYTES = MONPRO_MAX_BYTES + 64 }; /* of an entry, with what is beyond the modulus */
void monpro_device_reduce(const monpro_engine_info *info, const monpro_operation *operation, const uint8_t *bytes);

/* Whether the device has ended as many products and other commands as it was given. */
monpro_status monpro_device_check_given(const monpro_device *dev, uint32_t ended, const monpro_counters *counters,
                                        monpro_error *error);

/* The operation by a DMA engine: begin() and a step of advance(), as in device.c. */
monpro_status monpro_device_start_packets(monpro_device *dev, const monpro_operation *operation, monpro_error *error);
monpro_status monpro_device_step_packets(monpro_device *dev, const monpro_operation *operation, uint64_t until,
                                         bool *finished, monpro_counters *counters, monpro_error *error);

/* Stops an operation under way, and wipes its buffers. The device is left in doubt. */
void monpro_device_stop_packets(monpro_device *dev);

/* The operation over single products: begin() and a step of advance(), as in device.c. */
monpro_status monpro_device_start_products(monpro_device *dev, const monpro_operation *operation, monpro_error *error);
monpro_status monpro_device_step_products(monpro_device *dev, const monpro_operation *operation, uint64_t until,
                                          bool *finished, monpro_counters *counters, monpro_error *error);

#endif
