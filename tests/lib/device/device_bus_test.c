/* What goes over the bus to a device of single products: the same traffic whatever a secret exponent is, nothing twice,
 * and every way in which such a device can misbehave.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "fake_bus.h"

/* ---- the protocol -------------------------------------------------------------------------------------------- */

static void test_warm(const char *mode, size_t operand_words, size_t cold_operands)
{
    static example x, y;
    static const size_t order[] = {0, 0, 1, 0};
    static const bool warm[] = {false, true, false, false};
    monpro_engine *engine;
    REQUIRE(open_fake(&engine, mode, NULL));
    make_example(&x, 1024, 5, false);
    make_example(&y, 1024, 5, false);
    for (size_t i = 0; i < 4; i++) {
        example *const now = order[i] == 0 ? &x : &y;
        const uint32_t operations = device->operations;
        bus.count = bus.most_queued = 0;
        run_right(engine, now);
        const monpro_counters *c = &now->job.counters;
        CHECK(c->warm == (warm[i] ? 1 : 0));
        CHECK(writes_of(REG(LENGTH)) == (warm[i] ? 0 : 1));
        CHECK(writes_of(REG(DATA)) == (warm[i] ? operand_words : cold_operands));
        CHECK(writes_of(REG(PRODUCT)) == device->operations - operations);
        CHECK(bus.most_queued > 4 && bus.most_queued <= 8);
        CHECK(c->products == device->products && c->products < writes_of(REG(PRODUCT)));
        CHECK(c->cycles_load > 3 * writes_of(REG(DATA)) && c->cycles_load < 3 * writes_of(REG(DATA)) + 60);
        CHECK(c->cycles_precompute == 0 && c->cycles_exponentiate == device->working_cycles);
        CHECK(c->cycles_read >= 3 * operand_words);
    }
    monpro_engine_close(engine);
}

/* Two runs, exponents all zeros and random: the traffic is the same but for the operands, the result and `first`. */
static void test_traffic(const char *mode, monpro_scheme scheme)
{
    static access runs[2][MOST_ACCESSES];
    static example x;
    size_t counts[2], chosen = 0;
    uint64_t waits[2];
    for (size_t i = 0; i < 2; i++) {
        monpro_engine *engine;
        REQUIRE(open_fake(&engine, mode, NULL));
        random_state = 17;
        make_example(&x, 768, 20, false);
        memset(x.exponent, 0, i == 0 ? sizeof x.exponent : 0);
        x.job.scheme = scheme;
        expect_power(&x);
        memset(bus.accesses, 0, sizeof bus.accesses);
        bus.count = 0;
        bus.waits = 0;
        run_right(engine, &x);
        memcpy(runs[i], bus.accesses, sizeof runs[i]);
        counts[i] = bus.count;
        waits[i] = bus.waits;
        monpro_engine_close(engine);
    }
    CHECK(counts[0] == counts[1] && waits[0] == waits[1]);
    for (size_t i = 0; i < counts[0] && i < counts[1]; i++) {
        const access *const a = &runs[0][i], *const b = &runs[1][i];
        uint32_t differing = a->value ^ b->value;
        if (a->address == REG(PRODUCT) && MONPRO_REGS_GET(a->value, PRODUCT_CHOOSE) != 0) {
            chosen += MONPRO_REGS_GET(differing, PRODUCT_FIRST);
            differing &= ~MONPRO_REGS_PRODUCT_FIRST_MASK;
        }
        if (a->address == REG(DATA) && !a->is_write) {
            differing = 0;
        }
        if (a->address != b->address || a->is_write != b->is_write || differing != 0) {
            fprintf(stderr, "%s scheme %d: access %zu differs: %08x %08x and %08x %08x\n", mode, (int)scheme, i,
                    (unsigned)a->address, (unsigned)a->value, (unsigned)b->address, (unsigned)b->value);
            test_failures++;
            return;
        }
    }
    CHECK(counts[0] > 500 && chosen > 20);
}

/* Slices, and an end in the middle of one. */
static void test_polling(const char *mode)
{
    static example x;
    monpro_engine *engine;
    monpro_ticket ticket;
    int finished = 0, polls = 0;
    REQUIRE(open_fake(&engine, mode, NULL));
    make_example(&x, 512, 64, false);
    REQUIRE(monpro_submit(engine, &x.job, 1, &ticket, NULL));
    while (!finished && polls < 100) {
        const uint64_t before = device->cycles;
        EXPECT(MONPRO_OK, monpro_poll(engine, ticket, &finished));
        CHECK(device->cycles - before < 100000);
        polls++;
    }
    CHECK(polls >= 2 && polls < 20);
    EXPECT(MONPRO_OK, monpro_wait(engine, ticket, NULL));
    CHECK(memcmp(x.result, x.expected, x.size) == 0);
    REQUIRE(monpro_submit(engine, &x.job, 1, &ticket, NULL));
    EXPECT(MONPRO_OK, monpro_poll(engine, ticket, &finished));
    CHECK(!finished && device->running);
    monpro_engine_close(engine);
    CHECK(x.job.status == MONPRO_ERR_UNSUPPORTED && all_zero(x.result, x.size));
}

/* A device that ends no product in a slice, and one that has ended each before it can be waited for. */
static void test_pace(const char *form, const char *pace, uint32_t bits, uint32_t flags, int least_polls)
{
    static example x;
    char mode[64];
    monpro_engine *engine;
    monpro_ticket ticket;
    int finished = 0, polls = 0;
    (void)snprintf(mode, sizeof mode, "%s,%s", form, pace);
    REQUIRE(open_fake(&engine, mode, NULL));
    make_example(&x, bits, flags != 0 ? 1 : bits / 8, false);
    x.exponent[0] = 3;
    x.job.flags = flags;
    expect_power(&x);
    REQUIRE(monpro_submit(engine, &x.job, 1, &ticket, NULL));
    while (!finished && polls < 1000) {
        EXPECT(MONPRO_OK, monpro_poll(engine, ticket, &finished));
        polls++;
    }
    CHECK(finished && polls >= least_polls);
    EXPECT(MONPRO_OK, monpro_wait(engine, ticket, NULL));
    CHECK(memcmp(x.result, x.expected, x.size) == 0);
    monpro_engine_close(engine);
}

/* A device that forgets its modulus is loaded again, not trusted. */
static void test_never_warm(const char *form)
{
    static example x;
    char mode[64];
    monpro_engine *engine;
    (void)snprintf(mode, sizeof mode, "%s,never_warm", form);
    REQUIRE(open_fake(&engine, mode, NULL));
    make_example(&x, 512, 3, false);
    for (int i = 0; i < 2; i++) {
        bus.count = 0;
        run_right(engine, &x);
        CHECK(x.job.counters.warm == 0 && writes_of(REG(LENGTH)) == 1);
    }
    monpro_engine_close(engine);
}

/* ---- misbehaviour -------------------------------------------------------------------------------------------- */

static void refuse_open(const char *mode)
{
    monpro_engine *engine;
    monpro_error error;
    EXPECT(MONPRO_ERR_DEVICE_FAULT, open_fake(&engine, mode, &error));
    CHECK(engine == NULL && strstr(error.message, "impossible parameters") != NULL);
}

/* An operation fails with these words; the device is wiped before the next, which fails in the same way. */
static void refuse_job(const char *form, const char *trouble, monpro_status expected, const char *words)
{
    static example x;
    char mode[64];
    monpro_engine *engine;
    monpro_error error;
    (void)snprintf(mode, sizeof mode, "%s,%s", form, trouble);
    REQUIRE(open_fake(&engine, mode, NULL));
    make_example(&x, 512, 8, false);
    for (int i = 0; i < 2; i++) {
        memset(x.result, 0xa5, sizeof x.result);
        bus.count = 0;
        EXPECT(expected, monpro_modexp_batch(engine, &x.job, 1, &error));
        CHECK(all_zero(x.result, x.size) && x.job.counters.operations == 0 && x.job.counters.products == 0);
        if (strstr(error.message, words) == NULL) {
            fprintf(stderr, "%s: \"%s\" does not say \"%s\"\n", mode, error.message, words);
            test_failures++;
        }
        CHECK(strcmp(trouble, "fault") != 0 || writes_of(REG(PRODUCT)) == 0); /* found out at once */
        CHECK(i == 0 || writes_of(REG(LENGTH)) == 1 || strcmp(trouble, "never_idle") == 0); /* loaded anew */
    }
    monpro_engine_close(engine);
}

/* What goes wrong once goes right the next time; a device that has lost its numbers says so. */
static void test_recovery(const char *mode)
{
    static example x;
    monpro_engine *engine;
    monpro_error error;
    REQUIRE(open_fake(&engine, mode, NULL));
    make_example(&x, 600, 8, false);
    run_right(engine, &x);
    BN_free(device->numbers[4]);
    device->numbers[4] = NULL; /* R^2 */
    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_modexp_batch(engine, &x.job, 1, &error));
    CHECK(strstr(error.message, "not written") != NULL && all_zero(x.result, x.size));
    run_right(engine, &x);
    CHECK(x.job.counters.warm == 0);
    run_right(engine, &x);
    CHECK(x.job.counters.warm == 1);
    device->fault = MONPRO_REGS_FAULT_WRITE_WHILE_BUSY; /* of someone else: cleared at the start */
    run_right(engine, &x);
    monpro_engine_close(engine);

    char born_busy[64];
    (void)snprintf(born_busy, sizeof born_busy, "%s,born_busy", mode);
    REQUIRE(open_fake(&engine, born_busy, NULL));
    run_right(engine, &x);
    monpro_engine_close(engine);
}

static void test_form(const char *mode)
{
    test_traffic(mode, MONPRO_SCHEME_BINARY);
    test_traffic(mode, MONPRO_SCHEME_RIGHT_TO_LEFT);
    test_traffic(mode, MONPRO_SCHEME_LADDER);
    test_polling(mode);
    test_pace(mode, "slow", 512, MONPRO_EXPONENT_PUBLIC, 4);
    test_pace(mode, "instant", 1024, 0, 2);
    test_never_warm(mode);
    test_recovery(mode);
    refuse_job(mode, "never_done", MONPRO_ERR_DEVICE_TIMEOUT, "status register last read 00007005");
    refuse_job(mode, "never_idle", MONPRO_ERR_DEVICE_TIMEOUT, "");
    refuse_job(mode, "irq_lies", MONPRO_ERR_DEVICE_FAULT, "interrupt line");
    refuse_job(mode, "data_decerr", MONPRO_ERR_DEVICE_BUS, "DECERR");
    refuse_job(mode, "no_result", MONPRO_ERR_DEVICE_FAULT, "misuse");
    refuse_job(mode, "miscount", MONPRO_ERR_DEVICE_FAULT, "counted");
    refuse_job(mode, "fault", MONPRO_ERR_DEVICE_FAULT, "misuse");
    refuse_job(mode, "error1", MONPRO_ERR_DEVICE_FAULT, "LENGTH.words");
    refuse_job(mode, "error2", MONPRO_ERR_MODULUS_EVEN, "even");
    refuse_job(mode, "error8", MONPRO_ERR_DEVICE_FAULT, "not written");
    refuse_job(mode, "error10", MONPRO_ERR_DEVICE_FAULT, "n' is not");
}

int main(void)
{
    refuse_open("products,few_entries");
    refuse_open("products,exact,few_entries");
    refuse_open("products,exact,wide");
    test_form("products");
    test_form("products,exact");
    test_traffic("products,exact,narrow", MONPRO_SCHEME_LADDER);
    test_never_warm("products,exact,narrow");
    test_recovery("products,exact,narrow");
    test_traffic("products", MONPRO_SCHEME_FIXED_WINDOW);
    test_warm("products", 33, 4 * 33);           /* 62 words of 17 bits; modulus, R^2, 1 and the base */
    test_warm("products,exact", 32, 4 * 32 + 1); /* and n' */
    test_warm("products,exact,narrow", 32, 4 * 32 + 1);
    return test_result();
}
