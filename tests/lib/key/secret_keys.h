/* Private keys whose numbers memcheck takes for secrets (secret.h), and RSA batches across them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SECRET_KEYS_H
#define MONPRO_SECRET_KEYS_H

#include "key/key.h"
#include "base/secret.h"
#include "test.h"

static inline bool is_secret(const void *data, size_t size)
{
    uint8_t undefined[MONPRO_MAX_BYTES + 8];
    return VALGRIND_GET_VBITS(data, undefined, size) == 1 && !all_zero(undefined, size);
}

static inline void hide_mont(monpro_mont *m)
{
    monpro_secret(&m->n0, sizeof m->n0);
    monpro_secret(m->n, sizeof m->n);
    monpro_secret(m->one, sizeof m->one);
    monpro_secret(m->rr, sizeof m->rr);
}

/* Everything private in a key, but for lengths. libcrypto's copy stays out: it only writes keys. */
static inline void hide_key(monpro_key *key)
{
    monpro_secret(key->d, key->size);
    monpro_secret(key->p, key->p_size);
    monpro_secret(key->q, key->q_size);
    monpro_secret(key->dp, key->p_size);
    monpro_secret(key->dq, key->q_size);
    monpro_secret(key->qinv, sizeof key->qinv);
    monpro_secret(key->qinv_p, sizeof key->qinv_p);
    hide_mont(&key->mont_p);
    hide_mont(&key->mont_q);
}

/* A batch of secret blocks, each of a secret key of so many bits; the second of them is refused, and the key of the third
 * is damaged. Every other result is still secret when it comes out, and then right. */
static inline void test_secret_batch(monpro_engine *engine, const uint32_t *bits, size_t count)
{
    enum { MOST = 5, REFUSED = 1, DAMAGED = 2 };
    uint8_t in[MOST][MONPRO_MAX_BYTES], out[MOST][MONPRO_MAX_BYTES];
    monpro_key *keys[MOST];
    monpro_rsa_job jobs[MOST];
    for (size_t i = 0; i < count; i++) {
        REQUIRE(monpro_key_generate(&keys[i], bits[i], 65537, NULL));
        if (i == DAMAGED) {
            keys[i]->dp[keys[i]->p_size - 1] ^= 2;
        }
        hide_key(keys[i]);
        memset(in[i], (int)(i == REFUSED ? 0xff : 0x35 + i), sizeof in[i]);
        monpro_secret(in[i], sizeof in[i]);
        jobs[i] = (monpro_rsa_job){.key = keys[i], .in = in[i], .out = out[i]};
    }
    EXPECT(MONPRO_ERR_BASE_RANGE, monpro_rsa_private_batch(engine, jobs, count, NULL, NULL));
    for (size_t i = 0; i < count; i++) {
        const monpro_status expected = i == REFUSED ? MONPRO_ERR_BASE_RANGE : i == DAMAGED ? MONPRO_ERR_CHECK : MONPRO_OK;
        CHECK(jobs[i].status == expected && is_secret(out[i], keys[i]->size) == (expected == MONPRO_OK));
        jobs[i].in = out[i];
    }
    (void)monpro_rsa_public_batch(engine, jobs, count, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        monpro_public(in[i], sizeof in[i]);
        monpro_public(out[i], sizeof out[i]);
        CHECK(i == REFUSED || i == DAMAGED || memcmp(in[i], out[i], keys[i]->size) == 0);
        monpro_key_free(keys[i]);
    }
}

#endif
