/* What the host asks the firmware for, as it lies in ROM (little-endian words). python/monpro/soc/tasks.py writes it.
 *
 *     TASKS_MAGIC, count, and for each task
 *     kind, engine, scheme, window, flags, fields, bytes of each field, and the fields one after the other
 *
 * Fields are big-endian numbers, each filled up to a whole word.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FIRMWARE_TASKS_H
#define MONPRO_FIRMWARE_TASKS_H

#include "monpro/transport.h"

#define TASKS_MAGIC 0x4B53544Du /* "MTSK" */
#define TASK_MAX_FIELDS 9u

typedef enum task_kind {
    TASK_MODEXP = 1,      /* modulus, base, exponent */
    TASK_RSA_PUBLIC = 2,  /* n, e, block */
    TASK_RSA_PRIVATE = 3, /* n, e, d, p, q, dP, dQ, qInv, block */
    TASK_MISUSE = 4,      /* what firmware can do wrong, one after the other: misuse.c */
    TASK_PEER = 5,        /* as TASK_MODEXP, by the library that the firmware was built with for comparison */
    TASK_STREAM = 6       /* what can go wrong with streams: streams.c */
} task_kind;

typedef enum task_engine { TASK_SOFT = 0, TASK_DEVICE = 1 } task_engine;

enum {
    TASK_PUBLIC = 1, /* the exponent is public */
    TASK_NO_CRT = 2,
    TASK_DMA = 4 /* operations on the coprocessor go through its streams */
};

typedef struct task_field {
    const uint8_t *bytes;
    size_t size;
} task_field;

typedef struct task {
    uint32_t number, kind, engine, scheme, window, flags;
    uint32_t fields;
    task_field field[TASK_MAX_FIELDS];
} task;

/* The coprocessor's engine, opened when it is asked for first, and opened again after it was closed, or when it is asked
 * for the other way: with operations over its registers, or by DMA through its streams. */
monpro_status device_engine(monpro_engine **engine, bool dma, monpro_error *error);
void device_close(void);

/* Cycles from the first access to the coprocessor to the last one, since the reset of this. Below 2^32. */
void device_span_reset(void);
void device_span_note(void); /* of a transfer by DMA: it begins, or has ended */
uint32_t device_span(void);

/* An engine on a device at this address, which need not be there; dma: at its streams, or NULL. */
monpro_status device_open_at(monpro_engine **engine, uintptr_t address, const monpro_dma *dma, monpro_error *error);

/* A line `result` without its end: number, engine, status, the message of an error, cycles. */
void task_report(const task *t, const char *what, monpro_status status, uint64_t cycles);

void task_misuse(const task *t);
void task_stream(const task *t);
void task_peer(const task *t);

#endif
