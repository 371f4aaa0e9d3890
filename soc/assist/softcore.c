/* The program on the softcore: what the firmware does for a task of the kind "peer", whose one field is the text. It
 * reports the cycles of the loop's body on 32 bits. In each form it reports a multiplication by one, a product and both
 * operations, each with its result.
 *
 * What is short is run some times, and the least counts: the program is in the cache then.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "softcore.h"

#include "assist.h"
#include "platform.h"
#include "report.h"
#include "tasks.h"

enum { BODY_LOOPS = 8, BODY_WRITTEN = 32, SHORT_TIMES = 5 };

/* The report's loop on 32 bits, for z < m < 2^31, m odd: z / 2^256 mod m. 32 turns are written out, so that
 * the body is counted and hardly any loop, and no line of the cache that happens to be wanted twice. */
#define BODY(name, turn)                                                            \
  static void name(uint32_t result[4], const uint32_t operand[4]) {                 \
    uint32_t z = operand[0], m = operand[1];                                        \
    _Pragma("clang loop unroll(disable)") for (int i = 0; i < BODY_LOOPS; i++) {    \
      _Pragma("clang loop unroll(full)") for (int j = 0; j < BODY_WRITTEN; j++) {   \
        turn                                                                        \
      }                                                                             \
    }                                                                               \
    result[0] = z;                                                                  \
    result[1] = result[2] = result[3] = 0;                                          \
  }

/* As the report has it; the empty statement keeps the compiler from making a mask of the branch. */
BODY(body_branch, if (z & 1) { z += m; __asm__("" : "+r"(z)); } z >>= 1;)
/* As the compiler makes it, where it may. */
BODY(body_mask, z += m & (0 - (z & 1)); z >>= 1; __asm__("" : "+r"(z));)
BODY(body_word, z = assist_word(z, m);)
/* What is around the body, and not counted with it. */
BODY(body_none, __asm__("" : "+r"(z));)

static void nothing(uint32_t result[4], const uint32_t operand[4]) {
  (void)result;
  (void)operand;
}

static uint32_t cycles_of(measured *run, int times, uint32_t result[4], const uint32_t operand[4]) {
  uint32_t least = UINT32_MAX;
  for (int i = 0; i < times; i++) {
    uint64_t start = platform_cycles();
    run(result, operand);
    uint32_t cycles = (uint32_t)(platform_cycles() - start);
    if (cycles < least) least = cycles;
  }
  return least;
}

static void measure(const task *t, const char *form, const char *what, measured *run, int times,
                    measured *around, uint32_t result[4], const uint32_t operand[4]) {
  uint32_t none = cycles_of(around, SHORT_TIMES, result, operand);
  uint32_t cycles = cycles_of(run, times, result, operand);
  uint8_t bytes[16];
  char name[32];
  size_t size = 0;
  for (const char *from = form; *from != 0; from++) name[size++] = *from;
  name[size++] = '_';
  for (const char *from = what; *from != 0; from++) name[size++] = *from;
  name[size] = 0;
  for (int i = 0; i < 16; i++) bytes[15 - i] = (uint8_t)(result[i / 4] >> 8 * (i % 4));
  task_report(t, name, MONPRO_OK, cycles - none);
  report_bytes("out", bytes, sizeof bytes);
  report_end();
}

static void measure_form(const task *t, const char *name, const softcore_form *form,
                         const uint32_t text[4]) {
  uint32_t result[4], sealed[4];
  measure(t, name, "by_one", form->by_one, SHORT_TIMES, nothing, result, text);
  measure(t, name, "product", form->product, SHORT_TIMES, nothing, result, text);
  measure(t, name, "encrypt", form->encrypt, 1, nothing, sealed, text);
  measure(t, name, "decrypt", form->decrypt, 1, nothing, result, sealed);
}

void task_peer(const task *t) {
  uint32_t text[4] = {0}, result[4];
  const task_field *field = &t->field[0];
  for (size_t i = 0; i < field->size && i < sizeof text; i++) {
    text[i / 4] |= (uint32_t)field->bytes[field->size - 1 - i] << 8 * (i % 4);
  }
  ASSIST_ENABLE();
  /* The body's z and m, z < m, from the text alone. */
  const uint32_t body[4] = {text[0] >> 2, text[1] >> 1 | 0x40000001u, 0, 0};
  measure(t, "branch", "body", body_branch, SHORT_TIMES, body_none, result, body);
  measure(t, "mask", "body", body_mask, SHORT_TIMES, body_none, result, body);
  measure(t, "word", "body", body_word, SHORT_TIMES, body_none, result, body);
  measure_form(t, "software", &softcore_software, text);
  measure_form(t, "limbs", &softcore_limbs, text);
  measure_form(t, "held", &softcore_held, text);
}
