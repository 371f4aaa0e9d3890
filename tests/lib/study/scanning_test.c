/* The five scanning methods against libcrypto's big numbers, at every width of a digit, and their counts against the
 * formulas in the head of study/methods.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <monpro/scanning.h>
#include <openssl/bn.h>

#include "test.h"

enum { METHODS = 5, MAX_BYTES = 512, PRODUCTS = MONPRO_SCANNING_PART_PRODUCTS };

#if defined(__SIZEOF_INT128__) && !defined(MONPRO_LIMB32)
enum { WIDTHS = 4 };
#else
enum { WIDTHS = 3 };
#endif
static const uint32_t widths[] = {8, 16, 32, 64};

static uint64_t random_state = 20261122;
static BN_CTX *context;

static uint8_t random_byte(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(random_state >> 56);
}

/* Runs of ones, of zeros and of random bytes: that is where carries go wrong. */
static void random_bytes(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        const uint8_t kind = random_byte() % 4;
        for (size_t run = 1 + random_byte() % 9; run > 0 && i < size; run--, i++) {
            bytes[i] = kind == 0 ? 0 : kind == 1 ? 0xff : random_byte();
        }
    }
}

typedef struct numbers {
    uint8_t n[MAX_BYTES], a[MAX_BYTES], b[MAX_BYTES];
    size_t size;
} numbers;

static monpro_scanning_job job_of(const numbers *x, int method, uint32_t digit_bits, uint8_t *result)
{
    return (monpro_scanning_job){
        .method = (monpro_scanning)method, .digit_bits = digit_bits, .modulus = x->n, .modulus_len = x->size,
        .a = x->a, .a_len = x->size, .b = x->b, .b_len = x->size, .repeats = 1,
        .result = result, .result_len = x->size,
    };
}

static size_t digits_of(const numbers *x, uint32_t digit_bits)
{
    BIGNUM *n = BN_bin2bn(x->n, (int)x->size, NULL);
    const size_t bits = (size_t)BN_num_bits(n);
    BN_free(n);
    return (bits + digit_bits - 1) / digit_bits;
}

/* a * (b / R)^repeats mod n. */
static void expected_product(uint8_t *result, const numbers *x, size_t r_bits, uint64_t repeats)
{
    BIGNUM *n = BN_bin2bn(x->n, (int)x->size, NULL), *a = BN_bin2bn(x->a, (int)x->size, NULL);
    BIGNUM *b = BN_bin2bn(x->b, (int)x->size, NULL), *radix = BN_new();
    BN_set_bit(radix, (int)r_bits);
    BN_mod_inverse(radix, radix, n, context);
    BN_mod_mul(b, b, radix, n, context);
    for (uint64_t i = 0; i < repeats; i++) {
        BN_mod_mul(a, a, b, n, context);
    }
    BN_bn2binpad(a, result, (int)x->size);
    BN_free(n);
    BN_free(a);
    BN_free(b);
    BN_free(radix);
}

static void check_products(const numbers *x)
{
    uint8_t expected[MAX_BYTES], result[MAX_BYTES];
    for (int width = 0; width < WIDTHS; width++) {
        const uint32_t w = widths[width];
        expected_product(expected, x, digits_of(x, w) * w, 1);
        for (int method = 0; method < METHODS; method++) {
            monpro_scanning_job job = job_of(x, method, w, result);
            memset(result, 0x55, sizeof result);
            REQUIRE(monpro_scanning_product(&job, NULL));
            if (memcmp(result, expected, x->size) != 0) {
                fprintf(stderr, "method %d, %u bits a digit, %zu bytes:\n", method, (unsigned)w, x->size);
            }
            CHECK(memcmp(result, expected, x->size) == 0);
        }
    }
}

/* x = x mod n, in place. */
static void reduce(uint8_t *x, const numbers *of)
{
    BIGNUM *n = BN_bin2bn(of->n, (int)of->size, NULL), *value = BN_bin2bn(x, (int)of->size, NULL);
    BN_nnmod(value, value, n, context);
    BN_bn2binpad(value, x, (int)of->size);
    BN_free(n);
    BN_free(value);
}

static void random_modulus(numbers *x, size_t size)
{
    if (size == 0 || size > MAX_BYTES) {
        exit(1);
    }
    x->size = size;
    random_bytes(x->n, size);
    x->n[size - 1] |= size == 1 ? 3 : 1;
}

static void test_random(size_t size, int rounds)
{
    numbers x;
    for (int round = 0; round < rounds; round++) {
        random_modulus(&x, size);
        x.n[0] |= 2; /* or else there may be a byte more than it needs, which is legal as well */
        random_bytes(x.a, size);
        random_bytes(x.b, size);
        reduce(x.a, &x);
        reduce(x.b, &x);
        check_products(&x);
    }
}

/* 0, 1, n - 1 and one below and above the border between two digits, with moduli of all ones, of one bit at either end,
 * and a random one. */
static void test_edges(size_t size)
{
    numbers x;
    for (int modulus = 0; modulus < 3; modulus++) {
        random_modulus(&x, size);
        if (modulus < 2) {
            memset(x.n, modulus == 0 ? 0xff : 0, size);
            x.n[0] |= 0x80;
            x.n[size - 1] |= 1;
        } else {
            x.n[0] |= 0x40;
        }
        uint8_t edges[5][MAX_BYTES] = {{0}};
        edges[1][size - 1] = 1;
        memcpy(edges[2], x.n, size);
        edges[2][size - 1] -= 1;
        memset(edges[3] + size / 2, 0xff, size - size / 2);
        edges[4][size / 2] = 1;
        for (int i = 0; i < 5; i++) {
            reduce(edges[i], &x);
        }
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j <= i; j++) {
                memcpy(x.a, edges[i], size);
                memcpy(x.b, edges[j], size);
                check_products(&x);
            }
        }
    }
}

/* The largest sums in a column: all digits of a and b ones but the lowest, and all ones of n. */
static void test_chain(size_t size)
{
    numbers x = {.size = size};
    uint8_t expected[MAX_BYTES], result[MAX_BYTES];
    memset(x.n, 0xff, size);
    memset(x.a, 0xff, size);
    memset(x.b, 0xff, size);
    x.a[size - 1] = 0xfe;
    x.b[size - 1] = 0x7e;
    for (int width = 0; width < WIDTHS; width++) {
        const uint32_t w = widths[width];
        expected_product(expected, &x, digits_of(&x, w) * w, 5);
        for (int method = 0; method < METHODS; method++) {
            monpro_scanning_job job = job_of(&x, method, w, result);
            job.repeats = 5;
            REQUIRE(monpro_scanning_product(&job, NULL));
            CHECK(memcmp(result, expected, size) == 0);
        }
    }
}

/* As the head of study/methods.h has them. */
static void check_counts(const monpro_scanning_counts *counts, int method, uint64_t s, uint64_t products)
{
    const uint64_t additions[METHODS] = {
        4 * s * s + 2 * s, 4 * s * s + 2 * s, 5 * s * s, 6 * s * s, (9 * s * s + 5 * s) / 2,
    };
    const uint64_t reads[METHODS] = {
        6 * s * s + 3 * s, 6 * s * s + 5 * s, 6 * s * s + 2 * s, 9 * s * s + 6 * s, 7 * s * s + 5 * s,
    };
    const uint64_t writes[METHODS] = {
        2 * s * s + 3 * s + 1, 2 * s * s + 4 * s, 2 * s * s + 2 * s, 5 * s * s + 7 * s, 3 * s * s + 4 * s,
    };
    const uint64_t zeros[METHODS] = {s, s + 1, s + 1, 3, s + 2};
    CHECK(counts->products_ab == products * s * s);
    CHECK(counts->products_mn == products * s * s);
    CHECK(counts->products_m == products * s);
    CHECK(counts->additions == products * additions[method]);
    CHECK(counts->reads == products * reads[method]);
    CHECK(counts->writes == products * writes[method]);
    CHECK(counts->around_additions == products * (2 * s + 1));
    CHECK(counts->around_reads == products * (4 * s + 1));
    CHECK(counts->around_writes == products * (2 * s + zeros[method]));
}

static void test_counts(size_t size)
{
    numbers x;
    uint8_t result[MAX_BYTES], plain[MAX_BYTES];
    random_modulus(&x, size);
    x.n[0] |= 1;
    random_bytes(x.a, size);
    random_bytes(x.b, size);
    reduce(x.a, &x);
    reduce(x.b, &x);
    for (int width = 0; width < WIDTHS; width++) {
        for (int method = 0; method < METHODS; method++) {
            monpro_scanning_job job = job_of(&x, method, widths[width], plain);
            job.repeats = 3;
            REQUIRE(monpro_scanning_product(&job, NULL));
            CHECK(job.counts[PRODUCTS].reads == 0);
            job.form = MONPRO_SCANNING_COUNTED;
            job.result = result;
            REQUIRE(monpro_scanning_product(&job, NULL));
            CHECK(memcmp(result, plain, size) == 0);
            check_counts(&job.counts[PRODUCTS], method, digits_of(&x, widths[width]), job.repeats);
        }
    }
}

/* Each method, width and form with right results, and the library's product; counts of a whole exponentiation. */
static void test_modexp(size_t size, size_t exponent_size)
{
    numbers x;
    uint8_t expected[MAX_BYTES], result[MAX_BYTES];
    random_modulus(&x, size);
    x.n[0] |= 1;
    random_bytes(x.a, size);
    random_bytes(x.b, exponent_size);
    reduce(x.a, &x);
    BIGNUM *n = BN_bin2bn(x.n, (int)size, NULL), *a = BN_bin2bn(x.a, (int)size, NULL);
    BIGNUM *e = BN_bin2bn(x.b, (int)exponent_size, NULL), *r = BN_new();
    BN_mod_exp(r, a, e, n, context);
    BN_bn2binpad(r, expected, (int)size);
    BN_free(n);
    BN_free(a);
    BN_free(e);
    BN_free(r);
    const monpro_scanning_form forms[] = {MONPRO_SCANNING_PLAIN, MONPRO_SCANNING_COUNTED, MONPRO_SCANNING_CALLED};
    for (int width = 0; width < WIDTHS; width++) {
        for (int method = 0; method <= METHODS; method++) {
            for (int form = 0; form < 3; form++) {
                monpro_scanning_job job = job_of(&x, method, widths[width], result);
                job.b_len = exponent_size;
                job.repeats = 0;
                job.form = forms[form];
                const bool own = form < 2 || widths[width] == 32;
                const bool there = method == METHODS ? form == 0 && width == WIDTHS - 1 : own;
                if (!there) {
                    EXPECT(MONPRO_ERR_UNSUPPORTED, monpro_scanning_modexp(&job, NULL));
                    CHECK(all_zero(result, size));
                    continue;
                }
                REQUIRE(monpro_scanning_modexp(&job, NULL));
                CHECK(memcmp(result, expected, size) == 0);
                if (job.form == MONPRO_SCANNING_COUNTED) {
                    const uint64_t s = digits_of(&x, widths[width]), bits = 8 * exponent_size;
                    check_counts(&job.counts[PRODUCTS], method, s, 2 * bits + 2);
                    CHECK(job.counts[MONPRO_SCANNING_PART_SELECT].around_reads == 2 * s * bits);
                    CHECK(job.counts[MONPRO_SCANNING_PART_SELECT].around_writes == s * bits);
                    /* squarings R * W^(s*k) from k = 1 to w */
                    const uint64_t squarings = (uint64_t[]){3, 4, 5, 6}[width];
                    CHECK(job.counts[MONPRO_SCANNING_PART_CONSTANTS].products_m == s * squarings);
                }
                CHECK(job.time_ns[PRODUCTS] > 0);
            }
        }
    }
}

/* With products of digits taken out the results are wrong; those of the library's own are right, in a chain too. */
static void test_forms(void)
{
    numbers x;
    uint8_t result[MAX_BYTES], expected[MAX_BYTES];
    random_modulus(&x, 64);
    x.n[0] |= 0x80;
    random_bytes(x.a, 64);
    random_bytes(x.b, 64);
    reduce(x.a, &x);
    reduce(x.b, &x);
    expected_product(expected, &x, 512, 2);
    for (int form = MONPRO_SCANNING_NO_AB; form <= MONPRO_SCANNING_CALLED_NO_AB; form++) {
        for (int method = 0; method < METHODS; method++) {
            monpro_scanning_job job = job_of(&x, method, 32, result);
            job.form = (monpro_scanning_form)form;
            job.repeats = 2;
            REQUIRE(monpro_scanning_product(&job, NULL));
            CHECK((memcmp(result, expected, 64) == 0) == (form == MONPRO_SCANNING_CALLED));
        }
    }
    monpro_scanning_job job = job_of(&x, MONPRO_SCANNING_LIBRARY, widths[WIDTHS - 1], result);
    job.repeats = 2;
    REQUIRE(monpro_scanning_product(&job, NULL));
    CHECK(memcmp(result, expected, 64) == 0);
}

static void test_errors(void)
{
    static const uint8_t seven[] = {0, 7}, six[] = {6}, one[] = {1}, zero[] = {0, 0}, three[] = {0, 0, 0, 3};
    static uint8_t longest[MAX_BYTES + 1];
    uint8_t result[4] = {9, 9, 9, 9};
    monpro_error error;
    longest[0] = 1;
    longest[MAX_BYTES] = 1;
    const monpro_scanning_job good = {
        .digit_bits = 8, .modulus = seven, .modulus_len = 2, .a = three, .a_len = 4, .b = six, .b_len = 1,
        .repeats = 1, .result = result, .result_len = 4,
    };
    monpro_scanning_job job = good;
    EXPECT(MONPRO_OK, monpro_scanning_product(&job, &error));
    CHECK(result[0] == 0 && result[3] == 1); /* 18 / 256 = 4 / 4 mod 7 */
#define REFUSED(wanted, call, change) \
    do { \
        job = good; \
        result[3] = 9; \
        change; \
        EXPECT(wanted, call(&job, &error)); \
        CHECK(error.status == (wanted) && error.message[0] != '\0'); \
        CHECK(result[3] == 0); \
    } while (0)
    REFUSED(MONPRO_ERR_ARGUMENT, monpro_scanning_product, job.method = (monpro_scanning)6);
    REFUSED(MONPRO_ERR_ARGUMENT, monpro_scanning_product, job.form = (monpro_scanning_form)7);
    REFUSED(MONPRO_ERR_ARGUMENT, monpro_scanning_product, job.modulus = NULL);
    REFUSED(MONPRO_ERR_ARGUMENT, monpro_scanning_product, job.a = NULL);
    REFUSED(MONPRO_ERR_ARGUMENT, monpro_scanning_product, job.b = NULL);
    REFUSED(MONPRO_ERR_ARGUMENT, monpro_scanning_product, job.repeats = 0);
    REFUSED(MONPRO_ERR_ARGUMENT, monpro_scanning_modexp, job.repeats = 1);
    REFUSED(MONPRO_ERR_MODULUS_ZERO, monpro_scanning_product, job.modulus = zero);
    REFUSED(MONPRO_ERR_MODULUS_ONE, monpro_scanning_product, (job.modulus = one, job.modulus_len = 1));
    REFUSED(MONPRO_ERR_MODULUS_EVEN, monpro_scanning_product, (job.modulus = six, job.modulus_len = 1));
    REFUSED(MONPRO_ERR_MODULUS_LONG, monpro_scanning_product,
            (job.modulus = longest, job.modulus_len = sizeof longest));
    REFUSED(MONPRO_ERR_BASE_RANGE, monpro_scanning_product, (job.a = seven, job.a_len = 2));
    REFUSED(MONPRO_ERR_BASE_RANGE, monpro_scanning_product, (job.b = longest, job.b_len = sizeof longest));
    REFUSED(MONPRO_ERR_EXPONENT_EMPTY, monpro_scanning_modexp, (job.repeats = 0, job.b_len = 0));
    REFUSED(MONPRO_ERR_UNSUPPORTED, monpro_scanning_product, job.digit_bits = 12);
    job = good;
    job.result_len = 0;
    EXPECT(MONPRO_ERR_BUFFER, monpro_scanning_product(&job, &error));
    job.result = NULL;
    EXPECT(MONPRO_ERR_BUFFER, monpro_scanning_product(&job, &error));
    job.result_len = 1;
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_scanning_product(&job, &error));
    EXPECT(MONPRO_ERR_ARGUMENT, monpro_scanning_modexp(NULL, NULL));
}

int main(void)
{
    context = BN_CTX_new();
    for (size_t size = 1; size <= 40; size++) {
        test_random(size, size <= 8 ? 40 : 10);
        test_edges(size);
        test_chain(size);
    }
    const size_t sizes[] = {64, 127, 128, 129, 255, 256, 257, 258, 511, 512};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_random(sizes[i], 2);
        test_chain(sizes[i]);
    }
    test_edges(128);
    const size_t counted[] = {1, 2, 3, 7, 8, 16, 24, 64, 128, 129, 512};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        test_counts(counted[i]);
    }
    test_modexp(1, 1);
    test_modexp(17, 3);
    test_modexp(128, 2);
    test_modexp(512, 1);
    test_forms();
    test_errors();
    BN_CTX_free(context);
    return test_result();
}
