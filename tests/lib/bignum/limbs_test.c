/* Limb and Montgomery arithmetic against libcrypto's big numbers, at every small count of limbs and some large.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "bignum/limbs.h"

#include <openssl/bn.h>

#include "bignum/modexp.h"
#include "bignum/montgomery.h"
#include "test.h"
#include "base/wipe.h"

enum { LIMB_BYTES = MONPRO_LIMB_BITS / 8, WIDE_BYTES = 2 * MONPRO_MAX_BYTES };

static uint64_t random_state = 20261121;

static uint8_t random_byte(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(random_state >> 56);
}

/* Random limbs, of which some are all ones or zero: that is where carries go wrong. */
static void random_limbs(monpro_limb *r, size_t limbs)
{
    for (size_t i = 0; i < limbs; i++) {
        const uint8_t kind = random_byte() % 4;
        r[i] = kind == 0 ? 0 : kind == 1 ? (monpro_limb)-1 : 0;
        for (size_t j = 0; kind >= 2 && j < LIMB_BYTES; j++) {
            r[i] = (r[i] << 8) | random_byte();
        }
    }
}

static BIGNUM *to_bn(const monpro_limb *a, size_t limbs)
{
    uint8_t bytes[WIDE_BYTES];
    monpro_limbs_to_bytes(bytes, limbs * LIMB_BYTES, a, limbs);
    return BN_bin2bn(bytes, (int)(limbs * LIMB_BYTES), NULL);
}

static bool equal(const monpro_limb *a, size_t limbs, const BIGNUM *expected)
{
    BIGNUM *got = to_bn(a, limbs);
    const bool same = BN_cmp(got, expected) == 0;
    BN_free(got);
    return same;
}

static void test_one_size(size_t limbs, BN_CTX *context)
{
    monpro_limb a[MONPRO_MAX_LIMBS], b[MONPRO_MAX_LIMBS], n[MONPRO_MAX_LIMBS], r[2 * MONPRO_MAX_LIMBS];
    static monpro_mont m;
    BIGNUM *expected = BN_new(), *radix = BN_new(), *radix_inverse = BN_new();
    BN_set_bit(radix, (int)(limbs * MONPRO_LIMB_BITS));

    random_limbs(n, limbs);
    n[0] |= 1;
    n[limbs - 1] |= 2; /* above one, and often not of full length */
    random_limbs(a, limbs);
    random_limbs(b, limbs);
    BIGNUM *bn_n = to_bn(n, limbs), *bn_a = to_bn(a, limbs), *bn_b = to_bn(b, limbs);

    const monpro_limb carry = monpro_limbs_add(r, a, b, limbs);
    BN_add(expected, bn_a, bn_b);
    CHECK(carry == (monpro_limb)BN_is_bit_set(expected, (int)(limbs * MONPRO_LIMB_BITS)));
    BN_mask_bits(expected, (int)(limbs * MONPRO_LIMB_BITS));
    CHECK(equal(r, limbs, expected));

    const monpro_limb borrow = monpro_limbs_sub(r, a, b, limbs);
    CHECK(borrow == (monpro_limb)(BN_cmp(bn_a, bn_b) < 0));
    (void)monpro_limbs_add(r, r, b, limbs);
    CHECK(equal(r, limbs, bn_a));

    monpro_limbs_mul(r, a, limbs, b, limbs);
    BN_mul(expected, bn_a, bn_b, context);
    CHECK(equal(r, 2 * limbs, expected));

    BN_nnmod(bn_a, bn_a, bn_n, context);
    BN_nnmod(bn_b, bn_b, bn_n, context);
    uint8_t bytes[MONPRO_MAX_BYTES];
    BN_bn2binpad(bn_a, bytes, (int)(limbs * LIMB_BYTES));
    monpro_limbs_from_bytes(a, limbs, bytes, limbs * LIMB_BYTES);
    BN_bn2binpad(bn_b, bytes, (int)(limbs * LIMB_BYTES));
    monpro_limbs_from_bytes(b, limbs, bytes, limbs * LIMB_BYTES);

    monpro_limbs_sub_mod(r, a, b, n, limbs);
    BN_mod_sub(expected, bn_a, bn_b, bn_n, context);
    CHECK(equal(r, limbs, expected));

    monpro_mont_init(&m, n, limbs, (size_t)BN_num_bits(bn_n));
    BN_mod_inverse(radix_inverse, radix, bn_n, context);
    BN_nnmod(expected, radix, bn_n, context);
    CHECK(equal(m.one, limbs, expected));
    BN_mod_sqr(expected, radix, bn_n, context);
    CHECK(equal(m.rr, limbs, expected));
    monpro_mont_mul(r, a, b, &m);
    BN_mod_mul(expected, bn_a, bn_b, bn_n, context);
    BN_mod_mul(expected, expected, radix_inverse, bn_n, context);
    CHECK(equal(r, limbs, expected));
    monpro_mont_sqr(r, a, &m);
    BN_mod_sqr(expected, bn_a, bn_n, context);
    BN_mod_mul(expected, expected, radix_inverse, bn_n, context);
    CHECK(equal(r, limbs, expected));
    monpro_mont_enter(r, a, &m);
    monpro_mont_leave(r, r, &m);
    CHECK(equal(r, limbs, bn_a));

    const monpro_limb invertible = monpro_limbs_invert(r, a, n, limbs);
    const bool has_inverse = BN_mod_inverse(expected, bn_a, bn_n, context) != NULL;
    CHECK((invertible != 0) == has_inverse);
    if (has_inverse) {
        CHECK(equal(r, limbs, expected));
    }
    BN_free(bn_n);
    BN_free(bn_a);
    BN_free(bn_b);
    BN_free(radix_inverse);
    BN_free(radix);
    BN_free(expected);
}

/* The largest operands there are: n of all ones and a = n - 1, where every carry goes all the way. */
static void test_extremes(size_t limbs)
{
    monpro_limb n[MONPRO_MAX_LIMBS], a[MONPRO_MAX_LIMBS], r[MONPRO_MAX_LIMBS];
    static monpro_mont m;
    memset(n, 0xff, sizeof n);
    memcpy(a, n, sizeof a);
    a[0] -= 1;
    monpro_mont_init(&m, n, limbs, limbs * MONPRO_LIMB_BITS);
    monpro_mont_sqr(r, a, &m); /* (-1)^2 / R = 1 / R = 1, as R = 1 mod n */
    CHECK(r[0] == 1);
    for (size_t i = 1; i < limbs; i++) {
        CHECK(r[i] == 0);
    }
    monpro_mont_mul(r, a, m.one, &m); /* -1 * R / R */
    CHECK(memcmp(r, a, limbs * sizeof *r) == 0);
}

static void test_small_things(void)
{
    const uint8_t low[3] = {1, 2, 3}, high[3] = {1, 3, 2};
    CHECK(monpro_ct_less(low, high, 3) == UINT64_MAX);
    CHECK(monpro_ct_less(high, low, 3) == 0);
    CHECK(monpro_ct_less(low, low, 3) == 0);
    CHECK(monpro_ct_equal(low, low, 3) == UINT64_MAX);
    CHECK(monpro_ct_equal(low, high, 3) == 0);
    CHECK(monpro_ct_is_zero(0) == UINT64_MAX);
    CHECK(monpro_ct_is_zero(UINT64_MAX) == 0);
    CHECK(monpro_ct_is_zero(1ull << 63) == 0);
    CHECK(monpro_modexp_window(1, 6, NULL) == 1);
    CHECK(monpro_modexp_window(512, 6, NULL) == 5);
    CHECK(monpro_modexp_window(1024, 6, NULL) == 6); /* 171 + 64 products, 5 would take 205 + 32 */
    const uint32_t look_up_cost[] = {0, 0, 0, 0, 0, 0, 100}; /* a product for each of 171 look-ups */
    CHECK(monpro_modexp_window(1024, 6, look_up_cost) == 5);
    CHECK(monpro_modexp_window(1024, 3, NULL) == 3);
    CHECK(monpro_modexp_window(4096, 6, NULL) == 6);
}

int main(void)
{
    BN_CTX *context = BN_CTX_new();
    for (size_t limbs = 1; limbs <= 20; limbs++) {
        for (int round = 0; round < 40; round++) {
            test_one_size(limbs, context);
        }
        test_extremes(limbs);
    }
    test_one_size(MONPRO_MAX_LIMBS - 1, context);
    test_one_size(MONPRO_MAX_LIMBS, context);
    test_extremes(MONPRO_MAX_LIMBS);
    test_small_things();
    BN_CTX_free(context);
    return test_result();
}
