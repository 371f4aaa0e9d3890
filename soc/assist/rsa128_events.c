/* The same program on this machine. It notes what a product's time depends on: for each call of a product in the source
 * (its site), how often each event happened.
 *
 * A processor that takes a branch or not runs so many instructions more or less. So its count is a sum of the events,
 * each times a weight that depends on the build alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

enum {
  TAKEN,      /* y is added */
  ODD,        /* M is added */
  BOTH,       /* both are */
  CARRY_Y,    /* adding y: a carry from the low half to the high one */
  OUT_Y,      /*           a carry out of the high one */
  CARRY_M,    /* adding M: the same two */
  OUT_M,
  LOOP_EVENTS,
  TOP = LOOP_EVENTS, /* at the end: T has a bit above 128 */
  SUBTRACTED,        /*             T >= M */
  BORROW,            /*             a borrow between the halves */
  EVENTS
};

enum { SITES = 7, SEGMENTS = 6, PRODUCT_BITS = 128 };

typedef struct {
  uint64_t count[SITES][SEGMENTS][EVENTS];
  unsigned site, turn;
} events;

static _Thread_local events noted;

static void note_site(unsigned site) {
  noted.site = site;
  noted.turn = 0;
}

/* The first turn of a loop and the last may be compiled apart, the two halves of x, and even and odd turns:
 * 0 the first, 1 and 2 even and odd of the lower half, 3 and 4 of the upper half, 5 the last. */
static unsigned segment(void) {
  unsigned turn = noted.turn++;
  if (turn == 0) return 0;
  if (turn == PRODUCT_BITS - 1) return 5;
  return 1 + 2 * (turn / (PRODUCT_BITS / 2)) + turn % 2;
}

static void note_take(const uint64_t t[2], unsigned bit, const uint64_t y[2], const uint64_t M[2]) {
  uint64_t *count = noted.count[noted.site][segment()];
  unsigned __int128 sum = (unsigned __int128)t[1] << 64 | t[0], out;
  if (bit) {
    count[TAKEN]++;
    count[CARRY_Y] += (uint64_t)sum + y[0] < y[0];
    out = sum + ((unsigned __int128)y[1] << 64 | y[0]);
    count[OUT_Y] += out < sum;
    sum = out;
  }
  if (sum & 1) {
    count[ODD]++;
    count[BOTH] += bit;
    count[CARRY_M] += (uint64_t)sum + M[0] < M[0];
    out = sum + ((unsigned __int128)M[1] << 64 | M[0]);
    count[OUT_M] += out < sum;
  }
}

static void note_end(unsigned top, const uint64_t t[2], const uint64_t M[2]) {
  uint64_t *count = noted.count[noted.site][0];
  int subtracted = top != 0 || t[1] > M[1] || (t[1] == M[1] && t[0] >= M[0]);
  count[TOP] += top != 0;
  count[SUBTRACTED] += subtracted;
  count[BORROW] += subtracted && t[0] < M[0];
}

#define NOTE_SITE(site) note_site(site)
#define NOTE_TAKE(t, bit, y, M) note_take(t, bit, y, M)
#define NOTE_END(top, t, M) note_end(top, t, M)
#include "rsa128.c"

void rsa128_events(int decrypt, uint64_t result[2], const uint64_t text[2],
                   uint64_t count[SITES * SEGMENTS * EVENTS]);

void rsa128_events(int decrypt, uint64_t result[2], const uint64_t text[2],
                   uint64_t count[SITES * SEGMENTS * EVENTS]) {
  static const events nothing;
  const uint64_t *from = &noted.count[0][0][0];
  noted = nothing;
  if (decrypt) {
    rsa128_decrypt(result, text);
  } else {
    rsa128_encrypt(result, text);
  }
  for (unsigned i = 0; i < SITES * SEGMENTS * EVENTS; i++) count[i] = from[i];
}
