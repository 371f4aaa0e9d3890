/* The C ABI of a simulated coprocessor. `monpro model DESIGN` makes one shared object per design, which dlopen() opens.
 * It is the RTL as compiled by Verilator, behind an AXI4-Lite bus master. Nothing in it knows what a register means.
 *
 * One handle is one coprocessor. Handles are independent, and one thread at a time uses a handle. Deterministic: the
 * same calls give the same results and the same cycle counts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SIM_H
#define MONPRO_SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MONPRO_SIM_ABI 1u

/* What a bus access came to. The first four are AXI's response codes. */
enum {
    MONPRO_SIM_OKAY = 0,
    MONPRO_SIM_EXOKAY = 1,
    MONPRO_SIM_SLVERR = 2,
    MONPRO_SIM_DECERR = 3,
    MONPRO_SIM_HANG = 4 /* no response within 4096 cycles */
};

typedef struct monpro_sim monpro_sim;

/* MONPRO_SIM_ABI of the model; a caller refuses any other. */
uint32_t monpro_sim_abi(void);

/* A coprocessor out of reset, or NULL when memory is short or the trace cannot be written.
 * trace_path: where to write an FST trace, or NULL; a model built without tracing answers NULL to a path. */
monpro_sim *monpro_sim_create(const char *trace_path);

/* Wipes and frees. NULL is accepted. */
void monpro_sim_destroy(monpro_sim *sim);

/* Holds the reset line for 4 cycles, in the middle of whatever is going on. */
void monpro_sim_reset(monpro_sim *sim);

/* One 32-bit AXI4-Lite access; address in bytes. Returns one of the codes above. */
int monpro_sim_write(monpro_sim *sim, uint32_t address, uint32_t value);
int monpro_sim_read(monpro_sim *sim, uint32_t address, uint32_t *value);

/* Runs until the interrupt line is high or `cycles` have passed; returns the cycles run. */
uint64_t monpro_sim_wait(monpro_sim *sim, uint64_t cycles);

/* 1 when the interrupt line is high. */
int monpro_sim_irq(const monpro_sim *sim);

/* Clock cycles since create. */
uint64_t monpro_sim_cycles(const monpro_sim *sim);

/* For `monpro trace`, and only in a model that was built to be observed: the words of intermediate values, as the
 * operand memory gets them. They are secrets. */
enum {
    MONPRO_SIM_PRODUCT = 1, /* what a multiplier gives */
    MONPRO_SIM_COPY = 2     /* what a look-up, or a choice between two entries, copies */
};

/* One word on its way into the memory, least significant first. Returns the bits of it to flip: a fault. */
typedef uint64_t (*monpro_sim_observer)(void *context, uint32_t source, uint32_t slot, uint32_t index, uint64_t word);

/* Who observes the coprocessors that this thread creates from now on, or NULL. */
void monpro_sim_observe(monpro_sim_observer observer, void *context);

/* 1 if faults can be made: its values pass through a register on their way. */
int monpro_sim_can_flip(void);

#ifdef __cplusplus
}
#endif

#endif
