/* The host side of the dataflow kernel, over a kernel in C:
 * - every form gives the digits of the scalar products, whether the blocks fill the lanes or not;
 * - every error is named and leaves the kernel usable;
 * - exponentiations side by side equal those of software, whatever goes together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataflow/engine.h"
#include "fake_kernel.h"
#include "test.h"

enum { MAX_BLOCKS = 40, MAX_DIGITS = 128 };

typedef struct numbers {
    uint32_t a[MAX_BLOCKS][MAX_DIGITS], b[MAX_BLOCKS][MAX_DIGITS], n[MAX_BLOCKS][MAX_DIGITS];
    uint32_t inverse[MAX_BLOCKS], product[MAX_BLOCKS][2 * MAX_DIGITS];
    const uint32_t *a_of[MAX_BLOCKS], *b_of[MAX_BLOCKS], *n_of[MAX_BLOCKS];
    uint32_t *product_of[MAX_BLOCKS];
    uint32_t finished[MAX_BLOCKS]; /* how often */
} numbers;

static uint64_t state = 1;

static uint32_t random_word(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint32_t word = (uint32_t)(state >> 33) ^ (uint32_t)state;
    return word % 5 == 0 ? UINT32_MAX : word % 7 == 0 ? 0 : word; /* with a liking for carries */
}

static void make(numbers *x, size_t blocks, size_t s)
{
    memset(x, 0, sizeof *x);
    for (size_t k = 0; k < blocks; k++) {
        x->a_of[k] = x->a[k];
        x->b_of[k] = x->b[k];
        x->n_of[k] = x->n[k];
        x->product_of[k] = x->product[k];
        for (size_t j = 0; j < s; j++) {
            x->a[k][j] = random_word();
            x->b[k][j] = random_word();
            x->n[k][j] = random_word();
        }
        x->n[k][0] |= 1;
        x->n[k][s - 1] |= 0x80000000u;
        x->a[k][s - 1] &= 0x7fffffffu; /* below n */
        x->b[k][s - 1] &= 0x7fffffffu;
        uint32_t inverse = 1;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - x->n[k][0] * inverse;
        }
        x->inverse[k] = 0 - inverse;
    }
}

static void count_finished(void *context, size_t block)
{
    numbers *x = context;
    x->finished[block]++;
}

static monpro_dataflow_batch batch_of(numbers *x, monpro_dataflow_form form, size_t blocks, size_t s)
{
    return (monpro_dataflow_batch){
        .form = form, .digits = s, .blocks = blocks, .a = x->a_of, .b = x->b_of, .n = x->n_of, .inverse = x->inverse,
        .product = x->product_of, .finished = count_finished, .context = x,
    };
}

static bool right(const numbers *x, monpro_dataflow_form form, size_t blocks, size_t s)
{
    bool good = true;
    for (size_t k = 0; k < blocks; k++) {
        uint32_t expected[2 * MAX_DIGITS];
        size_t size = 2 * s;
        if (form == MONPRO_DATAFLOW_F) {
            fake_montgomery(expected, x->a[k], x->b[k], x->n[k], x->inverse[k], s);
            size = s;
        } else {
            fake_multiply(expected, x->a[k], x->b[k], s);
        }
        good = good && memcmp(expected, x->product[k], size * sizeof *expected) == 0 && x->finished[k] == 1;
    }
    return good;
}

static void test_forms(numbers *x)
{
    static const size_t digits[] = {1, 2, 3, 16, 33, 128}, counts[] = {1, 3, 8, 17, MAX_BLOCKS};
    for (uint32_t lanes = 1; lanes <= 8; lanes *= 2) {
        fake_kernel fake;
        monpro_dataflow df;
        const monpro_stream stream = fake_kernel_open(&fake, lanes, MAX_DIGITS);
        monpro_dataflow_open(&df, &stream);
        REQUIRE(monpro_dataflow_start(&df, NULL));
        for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
            for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
                const size_t s = digits[i], blocks = s < 128 ? counts[j] : j + 1;
                for (int form = MONPRO_DATAFLOW_A; form <= MONPRO_DATAFLOW_F; form++) {
                    make(x, blocks, s);
                    const monpro_dataflow_batch batch = batch_of(x, (monpro_dataflow_form)form, blocks, s);
                    const uint64_t runs = df.runs;
                    const size_t a_lane = (blocks + lanes - 1) / lanes;
                    CHECK(monpro_dataflow_run(&df, &batch, NULL) == MONPRO_OK);
                    CHECK(right(x, (monpro_dataflow_form)form, blocks, s));
                    CHECK(df.runs - runs == (form <= MONPRO_DATAFLOW_B ? a_lane * s : 1));
                }
            }
        }
        CHECK(df.runs == fake.runs && df.cycles == fake.cycles && fake.resets == 0);
        monpro_dataflow_close(&df);
    }
}

/* More blocks than a header can say. */
static void test_many_blocks(void)
{
    enum { BLOCKS = (1 << 20) + 9 };
    static const uint32_t factor = 3, other = 0xffffffff;
    fake_kernel fake;
    monpro_dataflow df;
    const monpro_stream stream = fake_kernel_open(&fake, 1, 4);
    const uint32_t **a = calloc(BLOCKS, sizeof *a), **b = calloc(BLOCKS, sizeof *b);
    uint32_t *product = calloc(BLOCKS, 2 * sizeof *product), **product_of = calloc(BLOCKS, sizeof *product_of);
    if (a == NULL || b == NULL || product == NULL || product_of == NULL) {
        exit(1);
    }
    for (size_t k = 0; k < BLOCKS; k++) {
        a[k] = &factor;
        b[k] = &other;
        product_of[k] = product + 2 * k;
    }
    const monpro_dataflow_batch batch = {.form = MONPRO_DATAFLOW_C, .digits = 1, .blocks = BLOCKS, .a = a, .b = b,
                                         .product = product_of};
    monpro_dataflow_open(&df, &stream);
    REQUIRE(monpro_dataflow_start(&df, NULL));
    CHECK(monpro_dataflow_run(&df, &batch, NULL) == MONPRO_OK);
    CHECK(df.runs == 2);
    bool good = true;
    for (size_t k = 0; k < BLOCKS; k++) {
        good = good && product[2 * k] == 0xfffffffd && product[2 * k + 1] == 2;
    }
    CHECK(good);
    monpro_dataflow_close(&df);
    free(a);
    free(b);
    free(product);
    free(product_of);
}

static void test_errors(numbers *x)
{
    enum { BLOCKS = 5, S = 4, LAST_STATUS = 6 };
    fake_kernel fake;
    monpro_dataflow df;
    monpro_error error;
    const monpro_stream stream = fake_kernel_open(&fake, 2, 64);
    monpro_dataflow_open(&df, &stream);
    REQUIRE(monpro_dataflow_start(&df, NULL));
    make(x, BLOCKS, 128);
    const monpro_dataflow_batch longer = batch_of(x, MONPRO_DATAFLOW_C, BLOCKS, 65);
    EXPECT(MONPRO_ERR_MODULUS_LONG, monpro_dataflow_run(&df, &longer, &error));
    for (int form = MONPRO_DATAFLOW_A; form <= MONPRO_DATAFLOW_F; form++) {
        const monpro_dataflow_batch batch = batch_of(x, (monpro_dataflow_form)form, BLOCKS, S);
        for (fake.report = 1; fake.report <= LAST_STATUS + 1; fake.report++) {
            EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_dataflow_run(&df, &batch, &error));
            CHECK(strstr(error.message, "the kernel reports status") != NULL);
        }
        fake.report = 0;
        fake.early = true;
        EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_dataflow_run(&df, &batch, &error));
        CHECK(strstr(error.message, "rows early") != NULL);
        fake.early = false;
        fake.silent = true;
        EXPECT(MONPRO_ERR_DEVICE_TIMEOUT, monpro_dataflow_run(&df, &batch, &error));
        fake.silent = false;
        make(x, BLOCKS, S);
        CHECK(monpro_dataflow_run(&df, &batch, &error) == MONPRO_OK);
        CHECK(right(x, (monpro_dataflow_form)form, BLOCKS, S));
    }
    x->inverse[3] ^= 2;
    const monpro_dataflow_batch wrong = batch_of(x, MONPRO_DATAFLOW_F, BLOCKS, S);
    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_dataflow_run(&df, &wrong, &error));
    CHECK(strstr(error.message, "-1/n") != NULL);
    CHECK(fake.resets == 6 * (LAST_STATUS + 3) + 1);
    monpro_dataflow_close(&df);
}

/* ---- exponentiations ----------------------------------------------------------------------------------------- */

enum { JOBS = 100, BYTES = 24 };

typedef struct jobs {
    uint8_t modulus[JOBS][BYTES], base[JOBS][BYTES], exponent[JOBS][BYTES], result[JOBS][BYTES];
    monpro_job job[JOBS];
} jobs;

/* Runs of jobs that go together, cut by other lengths, schemes, exponents, and by jobs that are wrong. */
static void make_jobs(jobs *all)
{
    static const monpro_scheme schemes[] = {MONPRO_SCHEME_DEFAULT, MONPRO_SCHEME_BINARY, MONPRO_SCHEME_RIGHT_TO_LEFT,
                                            MONPRO_SCHEME_LADDER, MONPRO_SCHEME_SLIDING_WINDOW};
    memset(all, 0, sizeof *all);
    for (size_t i = 0; i < JOBS; i++) {
        const size_t size = i % 13 == 12 ? BYTES - 9 : BYTES;
        for (size_t j = 0; j < BYTES; j++) {
            all->modulus[i][j] = (uint8_t)random_word();
            all->base[i][j] = (uint8_t)random_word();
            all->exponent[i][j] = (uint8_t)(i % 20 < 8 ? random_word() : j == BYTES - 1 ? 17 + i / 20 : 0);
        }
        all->modulus[i][0] |= 0x80;
        all->modulus[i][size - 1] |= 1;
        all->base[i][0] &= 0x7f;
        const bool is_public = i % 20 >= 8;
        all->job[i] = (monpro_job){
            .modulus = all->modulus[i], .modulus_len = size, .base = all->base[i], .base_len = size,
            .exponent = all->exponent[i], .exponent_len = BYTES, .result = all->result[i], .result_len = size,
            .flags = is_public ? MONPRO_EXPONENT_PUBLIC : 0,
            .scheme = schemes[i / 20 % (is_public ? 5 : 4)],
        };
        if (i % 31 == 30) {
            all->modulus[i][size - 1] &= 0xfe;
        }
    }
}

static void test_engine(uint32_t lanes, monpro_dataflow_form form)
{
    static jobs mine, theirs;
    fake_kernel fake;
    const monpro_stream stream = fake_kernel_open(&fake, lanes, MAX_DIGITS);
    monpro_engine *engine = NULL, *soft = open_engine("soft");
    monpro_counters counters, sum = {0};
    monpro_error error;
    REQUIRE(monpro_dataflow_engine_open(&engine, &stream, form, "sim:fake", &error));
    make_jobs(&mine);
    theirs = mine;
    for (size_t i = 0; i < JOBS; i++) {
        theirs.job[i].modulus = theirs.modulus[i];
        theirs.job[i].base = theirs.base[i];
        theirs.job[i].exponent = theirs.exponent[i];
        theirs.job[i].result = theirs.result[i];
    }
    EXPECT(MONPRO_ERR_MODULUS_EVEN, monpro_modexp_batch(engine, mine.job, JOBS, &error));
    CHECK(strstr(error.message, "job 31 of 100") != NULL);
    EXPECT(MONPRO_ERR_MODULUS_EVEN, monpro_modexp_batch(soft, theirs.job, JOBS, NULL));
    for (size_t i = 0; i < JOBS; i++) {
        CHECK(mine.job[i].status == theirs.job[i].status);
        CHECK(memcmp(mine.result[i], theirs.result[i], BYTES) == 0);
        CHECK((mine.job[i].counters.operations == 1) == (mine.job[i].status == MONPRO_OK));
        sum.products += mine.job[i].counters.products;
        sum.cycles_exponentiate += mine.job[i].counters.cycles_exponentiate;
    }
    REQUIRE(monpro_engine_counters(engine, &counters));
    CHECK(counters.products == sum.products && counters.cycles_exponentiate == sum.cycles_exponentiate);
    CHECK(counters.cycles_exponentiate == fake.cycles);

    fake.report = 1; /* all of a group fail, and the next one works */
    EXPECT(MONPRO_ERR_DEVICE_FAULT, monpro_modexp_batch(engine, mine.job, 3, &error));
    CHECK(mine.job[2].status == MONPRO_ERR_DEVICE_FAULT && all_zero(mine.result[2], BYTES));
    fake.report = 0;
    CHECK(monpro_modexp_batch(engine, mine.job, 3, &error) == MONPRO_OK);
    CHECK(memcmp(mine.result[2], theirs.result[2], BYTES) == 0);
    monpro_engine_close(engine);
    monpro_engine_close(soft);
}

/* Blocks that go together share runs: eight exponentiations take as many runs as one. */
static void test_blocks_go_together(void)
{
    static jobs all;
    fake_kernel fake;
    const monpro_stream stream = fake_kernel_open(&fake, 1, MAX_DIGITS);
    monpro_engine *engine = NULL;
    REQUIRE(monpro_dataflow_engine_open(&engine, &stream, MONPRO_DATAFLOW_C, "sim:fake", NULL));
    make_jobs(&all);
    REQUIRE(monpro_modexp_batch(engine, all.job, 1, NULL));
    const uint64_t alone = fake.runs;
    REQUIRE(monpro_modexp_batch(engine, all.job, 8, NULL));
    CHECK(alone > 0 && fake.runs == 2 * alone);
    monpro_engine_close(engine);
}

int main(void)
{
    static numbers x;
    test_forms(&x);
    test_many_blocks();
    test_errors(&x);
    for (int form = MONPRO_DATAFLOW_A; form <= MONPRO_DATAFLOW_F; form++) {
        test_engine(1u << form % 4, (monpro_dataflow_form)form);
    }
    test_blocks_go_together();
    return test_result();
}
