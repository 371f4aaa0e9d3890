/* What the driver has a device leave behind: a public modulus is kept; a key is locked while it is used again, and wiped
 * then; and what it writes for the next operation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "engine/engine.h"
#include "fake_bus.h"

enum { BITS = 512, JOBS = 3 };

/* CONFIG.leave as it was written last; UINT32_MAX: CONFIG was not written. */
static uint32_t leave_written(void)
{
    uint32_t leave = UINT32_MAX;
    for (size_t i = 0; i < bus.count; i++) {
        if (bus.accesses[i].is_write && bus.accesses[i].address == REG(CONFIG)) {
            leave = MONPRO_REGS_GET(bus.accesses[i].value, CONFIG_LEAVE);
        }
    }
    return leave;
}

static size_t wipes(void)
{
    size_t count = 0;
    for (size_t i = 0; i < bus.count; i++) {
        count += bus.accesses[i].is_write && bus.accesses[i].address == REG(COMMAND) &&
                 (bus.accesses[i].value & MONPRO_REGS_COMMAND_WIPE_MASK) != 0;
    }
    return count;
}

/* Whether the device has nothing of a key that could be used. */
static bool is_bare(void)
{
    return !device->locked && !device->warm && !device->present[MONPRO_REGS_SLOT_MODULUS] &&
           !device->present[MONPRO_REGS_SLOT_EXPONENT];
}

static void run_secret(monpro_engine *engine, example *x, uint32_t flags)
{
    x->job.flags = flags;
    bus.count = 0;
    run_right(engine, x);
}

/* One alone: a secret modulus is wiped, and the next operation waits for that; a public one stays. */
static void test_alone(void)
{
    static example x, y;
    monpro_engine *engine;
    REQUIRE(open_fake(&engine, "", NULL));
    make_example(&x, BITS, 8, false);
    make_example(&y, BITS, 8, false);
    run_secret(engine, &x, 0);
    CHECK(leave_written() == MONPRO_REGS_LEAVE_KEEP && device->warm && x.job.counters.warm == 0);
    run_secret(engine, &x, 0);
    CHECK(leave_written() == MONPRO_REGS_LEAVE_KEEP && x.job.counters.warm == 1 && writes_of(REG(LENGTH)) == 0);
    run_secret(engine, &x, MONPRO_MODULUS_SECRET); /* what is kept is not used for it */
    CHECK(leave_written() == MONPRO_REGS_LEAVE_WIPE && x.job.counters.warm == 0 && is_bare());
    for (size_t i = 0; i < 2; i++) {
        const uint64_t waits = bus.waits, before = device->cycles;
        CHECK(before < device->clearing_until);
        run_secret(engine, i == 0 ? &x : &y, MONPRO_MODULUS_SECRET);
        CHECK(bus.waits > waits + 1 && x.job.counters.warm == 0 && writes_of(REG(LENGTH)) == 1 && is_bare());
    }
    run_secret(engine, &y, MONPRO_EXPONENT_PUBLIC);
    CHECK(leave_written() == MONPRO_REGS_LEAVE_KEEP && device->warm && wipes() == 0);
    monpro_engine_close(engine);
}

/* Several under one secret modulus: locked from the first to the last but one, and nothing is written but the bases. */
static void test_batch(const char *mode)
{
    static example x[JOBS], other;
    monpro_job jobs[JOBS + 1];
    monpro_engine *engine;
    REQUIRE(open_fake(&engine, mode, NULL));
    make_example(&other, BITS, 8, false);
    for (size_t i = 0; i < JOBS; i++) {
        make_example(&x[i], BITS, 8, false);
        memcpy(x[i].modulus, x[0].modulus, x[0].size);
        memcpy(x[i].exponent, x[0].exponent, x[0].size);
        x[i].base[0] = 0;
        expect_power(&x[i]);
        jobs[i] = x[i].job;
        jobs[i].modulus = x[0].modulus;
        jobs[i].exponent = x[0].exponent;
        jobs[i].flags = MONPRO_MODULUS_SECRET;
    }
    jobs[JOBS] = other.job;
    jobs[JOBS].flags = MONPRO_MODULUS_SECRET;
    for (size_t count = JOBS; count <= JOBS + 1; count++) {
        const bool locks = strcmp(mode, "") == 0;
        /* The jobs before this one are warm, except the first. The last of a key does not fit what an old device kept. */
        const size_t warm = locks ? JOBS : strcmp(mode, "first_version") == 0 ? 2 : 0;
        bus.count = 0;
        EXPECT(MONPRO_OK, monpro_modexp_batch(engine, jobs, count, NULL));
        for (size_t i = 0; i < count; i++) {
            const example *const right = i == JOBS ? &other : &x[i];
            CHECK(memcmp(right->result, right->expected, right->size) == 0);
            CHECK(jobs[i].counters.warm == (i != 0 && i < warm ? 1 : 0));
        }
        if (locks) {
            CHECK(writes_of(REG(LENGTH)) == count - JOBS + 1 && writes_of(REG(CONFIG)) == count - JOBS + 1);
            CHECK(wipes() == 1 && is_bare());
        }
    }
    monpro_engine_close(engine);
}

/* By the CRT: locked; another use writes the base alone, another key first wipes. */
static void test_crt(void)
{
    enum { SIZE = BITS / 8 };
    static uint8_t p[SIZE], q[SIZE], e[2][SIZE], qinv[SIZE], base[2 * SIZE], result[2][2 * SIZE];
    monpro_engine *engine;
    monpro_counters counters;
    for (size_t i = 0; i < SIZE; i++) {
        p[i] = random_byte();
        q[i] = random_byte();
        e[0][i] = random_byte();
    }
    p[0] = q[0] = 0xff;
    p[SIZE - 1] |= 1;
    q[SIZE - 1] |= 1;
    e[1][SIZE - 1] = 5;
    qinv[SIZE - 1] = base[2 * SIZE - 1] = 1;
    const monpro_crt_key keys[] = {{p, q, e[0], e[0], qinv, SIZE, BITS}, {p, q, e[0], e[1], qinv, SIZE, BITS},
                                   {p, q, e[1], e[0], qinv, SIZE, BITS}, {p, q, e[0], e[0], e[1], SIZE, BITS}};
    REQUIRE(open_fake(&engine, "crt", NULL));
    for (size_t i = 0; i < 4; i++) {
        for (size_t again = 0; again < 2; again++) {
            bus.count = 0;
            EXPECT(MONPRO_OK,
                   monpro_engine_crt(engine, &keys[i], base, result[again], sizeof result[0], &counters, NULL));
            CHECK(device->locked && counters.warm == again && device->fault == 0);
            CHECK(writes_of(REG(LENGTH)) == 1 - again && writes_of(REG(CONFIG)) == 1 - again &&
                  writes_of(REG(EXPONENT)) == 1 - again && wipes() == (i != 0 && again == 0 ? 1 : 0));
        }
        CHECK(memcmp(result[0], result[1], sizeof result[0]) == 0);
    }
    /* A public operation is one beside it. */
    static example x;
    make_example(&x, BITS, 8, false);
    run_secret(engine, &x, MONPRO_EXPONENT_PUBLIC);
    CHECK(wipes() == 1 && !device->locked && leave_written() == MONPRO_REGS_LEAVE_KEEP);
    monpro_engine_close(engine);
}

/* A master of the bus that writes beside a locked key: the key is gone, and the driver loads it again. */
static void test_breach(void)
{
    static example x;
    monpro_job jobs[2];
    monpro_engine *engine;
    monpro_ticket ticket;
    int finished = 0;
    REQUIRE(open_fake(&engine, "", NULL));
    make_example(&x, BITS, 8, false);
    for (size_t i = 0; i < 2; i++) {
        jobs[i] = x.job;
        jobs[i].flags = MONPRO_MODULUS_SECRET;
    }
    REQUIRE(monpro_submit(engine, jobs, 2, &ticket, NULL));
    while (!device->locked && !finished) {
        REQUIRE(monpro_poll(engine, ticket, &finished));
    }
    CHECK(!finished);
    CHECK(monpro_sim_write(device, REG(EXPONENT), 2) == MONPRO_SIM_OKAY);
    CHECK(device->fault == MONPRO_REGS_FAULT_LOCKED && is_bare());
    EXPECT(MONPRO_OK, monpro_wait(engine, ticket, NULL));
    CHECK(memcmp(x.result, x.expected, x.size) == 0 && jobs[1].counters.warm == 0);
    monpro_engine_close(engine);
}

int main(void)
{
    test_alone();
    test_batch("");
    test_batch("never_warm");
    test_batch("first_version"); /* of the register map: it has no CONFIG.leave */
    test_crt();
    test_breach();
    return test_result();
}
