/* Constant time of the soft path, and of the driver of a device of single products, by memcheck. Exponents, moduli,
 * bases, keys and blinding factors are marked secret (see secret.h). A branch or an address that depends on one is an
 * error of valgrind's.
 *
 *   valgrind --error-exitcode=99 constant_time_test           none
 *   valgrind --error-exitcode=99 constant_time_test branch    one of each kind, deliberate: the method sees them
 *   valgrind --error-exitcode=99 constant_time_test address
 *
 * Every result is checked to be still secret when it comes out, and then to be right: a lost mark would make the test
 * blind.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "key/blinding.h"
#include "device/entries.h"
#include "device/lengths.h"
#include "device/fake_recorder.h"
#include "key/key.h"
#include "bignum/modexp.h"
#include "key/secret_keys.h"
#include "test.h"

#if !defined(MONPRO_VALGRIND)
#error "built with MONPRO_VALGRIND only"
#endif

/* An odd and an even count of limbs, of either size, in the modulus and in the primes. */
static const uint32_t key_bits[] = {1024, 1088};
static const uint32_t batch_bits[] = {512, 1024, 512, 1088};

/* Releases a result, that must have been secret. */
static void release(void *data, size_t size)
{
    CHECK(is_secret(data, size));
    monpro_public(data, size);
}

static void fill(uint8_t *bytes, size_t size, uint8_t seed)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(seed + 151 * i);
    }
}

/* ---- exponentiations ----------------------------------------------------------------------------------------- */

typedef struct operands {
    uint8_t modulus[64], base[80], exponent[24];
    size_t size; /* bytes of the modulus; the base has 80, leading zeros included */
} operands;

static operands make_operands(size_t size)
{
    operands x = {.size = size};
    fill(x.modulus, size, 0xe1);
    x.modulus[size - 1] |= 1;
    fill(x.base + sizeof x.base - size, size, 0x55);
    fill(x.exponent, sizeof x.exponent, 0);
    return x;
}

static monpro_status exponentiate(monpro_engine *engine, const operands *x, monpro_scheme scheme, uint32_t window,
                                  uint32_t flags, uint8_t result[64])
{
    monpro_job job = {
        .modulus = x->modulus, .modulus_len = x->size, .base = x->base, .base_len = sizeof x->base,
        .exponent = x->exponent, .exponent_len = sizeof x->exponent, .result = result, .result_len = x->size,
        .scheme = scheme, .window = window, .flags = flags,
    };
    return monpro_modexp_batch(engine, &job, 1, NULL);
}

static void test_exponentiation(monpro_engine *engine, size_t size)
{
    const operands known = make_operands(size);
    uint8_t expected[64], result[64];
    REQUIRE(exponentiate(engine, &known, MONPRO_SCHEME_BINARY, 0, MONPRO_EXPONENT_PUBLIC, expected));

    operands x = known;
    monpro_secret(x.modulus, x.size);
    monpro_secret(x.base, sizeof x.base);
    monpro_secret(x.exponent, sizeof x.exponent);
    for (uint32_t window = 0; window <= MONPRO_MAX_WINDOW; window++) { /* 0: binary */
        const monpro_scheme scheme = window == 0 ? MONPRO_SCHEME_BINARY : MONPRO_SCHEME_FIXED_WINDOW;
        EXPECT(MONPRO_OK, exponentiate(engine, &x, scheme, window, 0, result));
        release(result, size);
        CHECK(memcmp(result, expected, size) == 0);
    }
    memset(x.base + sizeof x.base - size, 0xff, size);
    monpro_secret(x.base, sizeof x.base);
    EXPECT(MONPRO_ERR_BASE_RANGE, exponentiate(engine, &x, MONPRO_SCHEME_DEFAULT, 0, 0, result));
    memset(x.base, 1, sizeof x.base);
    monpro_secret(x.base, sizeof x.base);
    EXPECT(MONPRO_ERR_BASE_RANGE, exponentiate(engine, &x, MONPRO_SCHEME_DEFAULT, 0, 0, result));
}

/* ---- RSA ----------------------------------------------------------------------------------------------------- */

static void test_raw(monpro_engine *engine, monpro_key *key, const monpro_rsa_options *options)
{
    uint8_t in[2 * MONPRO_MAX_BYTES], out[2 * MONPRO_MAX_BYTES], back[2 * MONPRO_MAX_BYTES];
    const size_t size = key->size;
    fill(in, 2 * size, 7);
    in[0] = in[size] = 1; /* below the modulus */
    monpro_secret(in, 2 * size);
    EXPECT(MONPRO_OK, monpro_rsa_private(engine, key, in, out, 2, options, NULL));
    release(out, size);
    release(out + size, size);
    EXPECT(MONPRO_OK, monpro_rsa_public(engine, key, out, back, 2, NULL, NULL));
    monpro_public(in, 2 * size);
    CHECK(memcmp(in, back, 2 * size) == 0);

    memset(in, 0xff, size);
    monpro_secret(in, size);
    EXPECT(MONPRO_ERR_BASE_RANGE, monpro_rsa_private(engine, key, in, out, 1, options, NULL));
}

/* The message is no secret where it is signed, but as the base of an exponentiation: without padding. */
static void test_sign(monpro_engine *engine, monpro_key *key, monpro_padding padding)
{
    const monpro_rsa_options options = {.padding = padding};
    uint8_t message[MONPRO_MAX_BYTES], signature[MONPRO_MAX_BYTES];
    size_t length = sizeof signature;
    fill(message, key->size, 3);
    message[0] = 1;
    if (padding == MONPRO_PADDING_NONE) {
        monpro_secret(message, key->size);
    }
    EXPECT(MONPRO_OK, monpro_sign(engine, key, message, key->size, signature, &length, &options, NULL));
    release(signature, length);
    monpro_public(message, key->size);
    EXPECT(MONPRO_OK, monpro_verify(engine, key, message, key->size, signature, length, &options, NULL));
}

static void test_decrypt(monpro_engine *engine, monpro_key *key, monpro_padding padding)
{
    const monpro_rsa_options options = {.padding = padding};
    uint8_t message[MONPRO_MAX_BYTES], ciphertext[MONPRO_MAX_BYTES], plain[MONPRO_MAX_BYTES];
    const size_t message_len = padding == MONPRO_PADDING_NONE ? key->size : 20;
    size_t ciphertext_len = sizeof ciphertext, length = sizeof plain;
    fill(message, message_len, 9);
    message[0] = 1;
    REQUIRE(monpro_encrypt(engine, key, message, message_len, ciphertext, &ciphertext_len, &options, NULL));
    monpro_secret(ciphertext, ciphertext_len);
    EXPECT(MONPRO_OK, monpro_decrypt(engine, key, ciphertext, ciphertext_len, plain, &length, &options, NULL));
    release(plain, length);
    CHECK(length == message_len && memcmp(plain, message, length) == 0);
    if (padding != MONPRO_PADDING_NONE) {
        fill(ciphertext, ciphertext_len, 9);
        ciphertext[0] = 1;
        monpro_secret(ciphertext, ciphertext_len);
        length = sizeof plain;
        EXPECT(MONPRO_ERR_DECRYPT,
               monpro_decrypt(engine, key, ciphertext, ciphertext_len, plain, &length, &options, NULL));
    }
}

/* A wrong half: the check finds it, and where it was wrong does not show. */
static void test_damaged_key(monpro_engine *engine, monpro_key *key)
{
    uint8_t in[MONPRO_MAX_BYTES] = {0, 5}, out[MONPRO_MAX_BYTES];
    key->dp[key->p_size - 1] ^= 2;
    EXPECT(MONPRO_ERR_CHECK, monpro_rsa_private(engine, key, in, out, 1, NULL, NULL));
    CHECK(all_zero(out, key->size));
    key->dp[key->p_size - 1] ^= 2;
}

static void test_key(monpro_engine *engine, uint32_t bits)
{
    static const monpro_rsa_options forms[] = {{0}, {.no_crt = 1}, {.no_blinding = 1}};
    static const monpro_padding signatures[] = {MONPRO_PADDING_NONE, MONPRO_PADDING_PKCS1, MONPRO_PADDING_PSS};
    static const monpro_padding encryptions[] = {MONPRO_PADDING_NONE, MONPRO_PADDING_PKCS1, MONPRO_PADDING_OAEP};
    monpro_limb factor[MONPRO_MAX_LIMBS], inverse[MONPRO_MAX_LIMBS];
    monpro_key *key;
    REQUIRE(monpro_key_generate(&key, bits, 65537, NULL));
    hide_key(key);
    REQUIRE(monpro_blinding_take(key, factor, inverse, NULL));
    CHECK(is_secret(factor, key->size) && is_secret(inverse, key->size));
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        test_raw(engine, key, &forms[i]);
    }
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        test_sign(engine, key, signatures[i]);
    }
    for (size_t i = 0; i < sizeof encryptions / sizeof *encryptions; i++) {
        test_decrypt(engine, key, encryptions[i]);
    }
    test_damaged_key(engine, key);
    monpro_key_free(key);
}

/* ---- single products ----------------------------------------------------------------------------------------- */

/* Of a stream only `first` may be secret. Its entries here are logarithms to the base: a product is a sum. */
static void test_stream(monpro_scheme scheme, uint32_t window, size_t bits)
{
    uint8_t bytes[8];
    uint64_t expected = 0, log[MONPRO_ENTRY_TABLE + (1 << MONPRO_MAX_WINDOW)] = {[MONPRO_ENTRY_BASE] = 1};
    const monpro_exponent exponent = {bytes, sizeof bytes, bits};
    size_t hidden = 0;
    monpro_products stream;
    fill(bytes, sizeof bytes, 0xb5);
    for (size_t i = 0; i < sizeof bytes; i++) {
        expected = expected << 8 | bytes[i];
    }
    monpro_secret(bytes, sizeof bytes);
    monpro_products_init(&stream, scheme, window, &exponent, false);
    for (monpro_product c; monpro_products_next(&stream, &c);) {
        const uint64_t mask = 0 - (uint64_t)c.first;
        CHECK(!is_secret(&c.x, sizeof c.x) && !is_secret(&c.y, sizeof c.y) && !is_secret(&c.to, sizeof c.to) &&
              !is_secret(&c.choose, sizeof c.choose));
        CHECK(c.choose || !is_secret(&c.first, sizeof c.first));
        hidden += is_secret(&c.first, sizeof c.first);
        log[c.to] = c.choose ? (log[c.x] & mask) | (log[c.y] & ~mask) : log[c.x] + log[c.y];
    }
    CHECK(hidden >= bits);
    release(&log[MONPRO_ENTRY_ACCUMULATOR], sizeof *log);
    CHECK(log[MONPRO_ENTRY_ACCUMULATOR] == (expected & UINT64_MAX >> (64 - bits)));
}

static void test_streams(size_t bits)
{
    test_stream(MONPRO_SCHEME_BINARY, 0, bits);
    test_stream(MONPRO_SCHEME_RIGHT_TO_LEFT, 0, bits);
    test_stream(MONPRO_SCHEME_LADDER, 0, bits);
    for (uint32_t window = 1; window <= MONPRO_MAX_WINDOW; window++) {
        test_stream(MONPRO_SCHEME_FIXED_WINDOW, window, bits);
    }
}

/* Whether the words are x modulo n. x is used up. */
static bool are_words(const uint32_t *words, BIGNUM *x, const BIGNUM *n)
{
    BN_CTX *const context = BN_CTX_new();
    BIGNUM *const number = words_number(words);
    BN_nnmod(x, x, n, context);
    const bool equal = BN_cmp(number, x) == 0;
    BN_free(number);
    BN_free(x);
    BN_CTX_free(context);
    return equal;
}

/* The constants that the device was given, and the result: what is in its accumulator, modulo n. */
static void check_numbers(recorder *r, const monpro_engine_info *info, const BIGNUM *n, const uint32_t *result)
{
    uint32_t *const modulus = r->written[MONPRO_REGS_SLOT_MODULUS];
    uint32_t *const inverse = r->written[MONPRO_REGS_SLOT_INVERSE];
    uint32_t *const square = r->written[ENTRY_PLACE + MONPRO_ENTRY_RR];
    BIGNUM *const rr = BN_new(), *x = words_number(r->accumulator);
    CHECK(are_words(result, x, n));
    release(square, sizeof r->written[0]);
    BN_set_bit(rr, (int)(2 * info->word_bits * monpro_device_digits(info, (uint32_t)BN_num_bits(n))));
    CHECK(are_words(square, rr, n));
    release(modulus, sizeof r->written[0]);
    x = words_number(modulus);
    if (info->exact != 0) {
        release(inverse, sizeof *inverse);
        CHECK((inverse[0] * modulus[0] + 1) << (32 - info->word_bits) == 0 && inverse[0] >> (info->word_bits - 1) <= 1);
        CHECK(BN_cmp(x, n) == 0);
        BN_free(x);
    } else {
        uint32_t one[MOST_WORDS] = {1};
        BN_lshift(x, x, (int)info->word_bits);
        CHECK(are_words(one, x, n));
    }
}

/* An operation, and another under the same modulus. */
static void test_driver(const monpro_engine_info *info, monpro_scheme scheme, uint32_t window)
{
    recorder r = {0};
    monpro_device device = {.transport = {recorder_read, recorder_write, recorder_wait, NULL, &r}, .info = *info};
    const operands known = make_operands(60);
    operands x = known;
    uint8_t result[64];
    BIGNUM *const n = BN_bin2bn(known.modulus, (int)known.size, NULL);
    const uint32_t bits = 480, number_bits = info->word_bits * monpro_device_operand_words(info, bits);
    const monpro_operation operation = {
        .modulus = x.modulus, .modulus_len = x.size, .modulus_bits = bits,
        .base = x.base + sizeof x.base - x.size, .base_len = x.size,
        .exponent = x.exponent, .exponent_len = sizeof x.exponent, .exponent_bits = 50,
        .scheme = scheme, .window = window, .result = result, .result_len = x.size,
    };
    for (uint32_t i = 0; i < number_bits; i += 32) {
        r.accumulator[i / 32] = 0xfedcba98u * (i + 1) >> (number_bits - i < 32 ? 32 - (number_bits - i) : 0);
    }
    monpro_secret(x.modulus, x.size);
    monpro_secret(x.base, sizeof x.base);
    monpro_secret(x.exponent, sizeof x.exponent);
    for (uint64_t i = 0; i < 2; i++) {
        monpro_counters counters = {0};
        bool finished = false;
        monpro_secret(r.accumulator, sizeof r.accumulator);
        r.products = r.hidden = 0;
        REQUIRE(monpro_device_start_products(&device, &operation, NULL));
        for (int steps = 0; steps < 1000 && !finished; steps++) {
            REQUIRE(monpro_device_step_products(&device, &operation, UINT64_MAX, &finished, &counters, NULL));
        }
        CHECK(finished && counters.warm == i && r.lengths == 1 && r.hidden >= operation.exponent_bits);
        release(result, x.size);
        monpro_public(r.accumulator, sizeof r.accumulator);
        uint32_t result_words[MOST_WORDS] = {0};
        for (size_t j = 0; j < x.size; j++) {
            result_words[j / 4] |= (uint32_t)result[x.size - 1 - j] << (8 * (j % 4));
        }
        check_numbers(&r, info, n, result_words);
        monpro_secret(r.written, sizeof r.written);
    }
    BN_free(n);
}

static void test_drivers(void)
{
    static const monpro_engine_info forms[] = {{.word_bits = 32, .elements = 1, .entries = 8, .exact = 1},
                                               {.word_bits = 16, .elements = 2, .entries = 8, .exact = 1},
                                               {.word_bits = 17, .elements = 17, .entries = 32}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        test_driver(&forms[i], MONPRO_SCHEME_BINARY, 0);
        test_driver(&forms[i], MONPRO_SCHEME_RIGHT_TO_LEFT, 0);
        test_driver(&forms[i], MONPRO_SCHEME_LADDER, 0);
    }
    test_driver(&forms[2], MONPRO_SCHEME_FIXED_WINDOW, 3);
}

/* ---- that the method sees what it should --------------------------------------------------------------------- */

/* The library's own branch on an exponent that the caller calls public, although it is secret. */
static void leak_by_branch(monpro_engine *engine)
{
    operands x = make_operands(64);
    uint8_t result[64];
    monpro_secret(x.exponent, sizeof x.exponent);
    REQUIRE(exponentiate(engine, &x, MONPRO_SCHEME_BINARY, 0, MONPRO_EXPONENT_PUBLIC, result));
}

static void leak_by_address(void)
{
    static const uint8_t table[256] = {1};
    uint8_t index = 3;
    monpro_secret(&index, sizeof index);
    volatile uint8_t looked_up = *(const volatile uint8_t *)(table + index);
    (void)looked_up;
}

int main(int argc, char **argv)
{
    if (RUNNING_ON_VALGRIND == 0) {
        fprintf(stderr, "run it under valgrind: by itself it finds nothing\n");
        return 2;
    }
    monpro_engine *engine = open_engine("soft");
    const char *leak = argc > 1 ? argv[1] : "";
    if (strcmp(leak, "branch") == 0) {
        leak_by_branch(engine);
    } else if (strcmp(leak, "address") == 0) {
        leak_by_address();
    } else {
        test_exponentiation(engine, 60); /* of 32-bit limbs an odd count */
        test_exponentiation(engine, 64);
        test_exponentiation(engine, 56); /* of 64-bit limbs one too */
        test_streams(61);
        test_streams(64);
        test_drivers();
        for (size_t i = 0; i < sizeof key_bits / sizeof *key_bits; i++) {
            test_key(engine, key_bits[i]);
        }
        test_secret_batch(engine, batch_bits, sizeof batch_bits / sizeof *batch_bits);
    }
    monpro_engine_close(engine);
    return test_result();
}
