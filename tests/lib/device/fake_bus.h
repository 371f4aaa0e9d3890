/* A device of single products, fake_products.c, behind a transport that writes down what goes over the bus. It also has
 * examples for the device, with results by libcrypto. The state is in this file, so it serves one test program.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FAKE_BUS_H
#define FAKE_BUS_H

#include <openssl/bn.h>

#include "monpro/transport.h"
#include "fake_model.h"
#include "test.h"

enum { MOST_BYTES = 256, MOST_ACCESSES = 200000 };
#define REG(name) MONPRO_REGS_##name##_OFFSET

/* ---- the bus ------------------------------------------------------------------------------------------------- */

typedef struct access {
    uint32_t address, value;
    bool is_write;
} access;

static struct {
    access accesses[MOST_ACCESSES];
    size_t count;
    uint32_t most_queued;
    uint64_t waits;
} bus;

static inline void note(uint32_t address, uint32_t value, bool is_write)
{
    CHECK(bus.count < MOST_ACCESSES);
    if (bus.count < MOST_ACCESSES) {
        bus.accesses[bus.count++] = (access){address, value, is_write};
    }
}

static inline monpro_bus bus_read(void *context, uint32_t address, uint32_t *value)
{
    const int result = monpro_sim_read(context, address, value);
    note(address, *value, false);
    return (monpro_bus)result;
}

static inline monpro_bus bus_write(void *context, uint32_t address, uint32_t value)
{
    const monpro_sim *sim = context;
    const int result = monpro_sim_write(context, address, value);
    note(address, value, true);
    bus.most_queued = sim->queued > bus.most_queued ? sim->queued : bus.most_queued;
    return (monpro_bus)result;
}

static inline uint64_t bus_wait(void *context, uint64_t cycles)
{
    bus.waits++;
    return monpro_sim_wait(context, cycles);
}

static inline void bus_close(void *context)
{
    monpro_sim_destroy(context);
}

static monpro_sim *device; /* of the engine opened last */

static inline monpro_status open_fake(monpro_engine **engine, const char *mode, monpro_error *error)
{
    (void)setenv("MONPRO_FAKE", mode, 1);
    device = monpro_sim_create(NULL);
    const monpro_transport transport = {bus_read, bus_write, bus_wait, bus_close, device};
    *engine = NULL;
    bus.count = 0;
    return monpro_device_open(engine, &transport, mode, error);
}

static inline size_t writes_of(uint32_t address)
{
    size_t count = 0;
    for (size_t i = 0; i < bus.count; i++) {
        count += bus.accesses[i].is_write && bus.accesses[i].address == address;
    }
    return count;
}

/* The nth product, from 0, that was written. */
static inline uint32_t nth_product(size_t n)
{
    for (size_t i = 0; i < bus.count; i++) {
        if (bus.accesses[i].is_write && bus.accesses[i].address == REG(PRODUCT) && n-- == 0) {
            return bus.accesses[i].value;
        }
    }
    return UINT32_MAX;
}

/* ---- examples ------------------------------------------------------------------------------------------------ */

typedef struct example {
    uint8_t modulus[MOST_BYTES], base[MOST_BYTES], exponent[MOST_BYTES], result[MOST_BYTES], expected[MOST_BYTES];
    size_t size;
    monpro_job job;
} example;

static uint32_t random_state = 1;

static inline uint8_t random_byte(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint8_t)(random_state >> 24);
}

static inline void expect_power(example *x)
{
    BN_CTX *const context = BN_CTX_new();
    BIGNUM *const n = BN_bin2bn(x->modulus, (int)x->size, NULL), *const b = BN_bin2bn(x->base, (int)x->size, NULL);
    BIGNUM *const e = BN_bin2bn(x->job.exponent, (int)x->job.exponent_len, NULL), *const r = BN_new();
    BN_mod_exp(r, b, e, n, context);
    BN_bn2binpad(r, x->expected, (int)x->size);
    BN_free(n);
    BN_free(b);
    BN_free(e);
    BN_free(r);
    BN_CTX_free(context);
}

/* A random modulus of that length, with all its bits set if `full`, a base below it, an exponent of so many bytes. */
static inline void make_example(example *x, uint32_t bits, size_t exponent_len, bool full)
{
    const unsigned top = (bits - 1) % 8;
    x->size = (bits + 7) / 8;
    for (size_t i = 0; i < x->size; i++) {
        x->modulus[i] = full ? 0xff : random_byte();
        x->base[i] = random_byte();
        x->exponent[i] = random_byte();
    }
    x->modulus[0] = (uint8_t)((x->modulus[0] | 1u << top) & ((2u << top) - 1));
    x->modulus[x->size - 1] |= 1;
    x->base[0] &= (uint8_t)((1u << top) - 1); /* below the modulus: its top bit is clear */
    x->job = (monpro_job){
        .modulus = x->modulus, .modulus_len = x->size, .base = x->base, .base_len = x->size,
        .exponent = x->exponent, .exponent_len = exponent_len, .result = x->result, .result_len = x->size,
    };
    expect_power(x);
}

static inline void run_right(monpro_engine *engine, example *x)
{
    memset(x->result, 0xa5, sizeof x->result);
    EXPECT(MONPRO_OK, monpro_modexp_batch(engine, &x->job, 1, NULL));
    if (memcmp(x->result, x->expected, x->size) != 0) {
        fprintf(stderr, "%s: scheme %d, window %u, flags %u, %zu bytes: wrong\n", device->mode, (int)x->job.scheme,
                (unsigned)x->job.window, (unsigned)x->job.flags, x->size);
        test_failures++;
    }
    CHECK(x->job.counters.operations == 1 && device->fault == 0);
}

#endif
