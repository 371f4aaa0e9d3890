/* The C ABI of a simulated stream kernel. `monpro model DESIGN` makes one shared object per design whose bus is
 * AXI4-Stream, and dlopen() opens it. It is the RTL as compiled by Verilator, behind a source and a sink. Nothing in it
 * knows what a beat means.
 *
 * One handle is one kernel. Handles are independent, and one thread at a time uses a handle. Deterministic: the same
 * calls give the same results and the same cycle counts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SIM_STREAM_H
#define MONPRO_SIM_STREAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MONPRO_SIM_STREAM_ABI 1u

typedef struct monpro_sim_stream monpro_sim_stream;

/* Beats in and out, of monpro_sim_stream_lanes() * 2 words each: of lane l words 2l and 2l + 1, low word first. */
typedef struct monpro_sim_transfer {
    const uint32_t *in;
    size_t in_beats;
    int in_last;        /* the last of them ends its packet */
    uint32_t *out;
    size_t out_beats;   /* room for so many */
    uint64_t cycles;    /* run at most so many */
    /* Results. */
    size_t in_done;     /* beats that the kernel has taken */
    size_t out_done;    /* beats that it has given */
    int out_last;       /* the last of those ended a packet */
} monpro_sim_transfer;

/* MONPRO_SIM_STREAM_ABI of the model; a caller refuses any other. */
uint32_t monpro_sim_stream_abi(void);

/* Lanes of the model, and digits of 32 bits that the longest number it takes has. */
uint32_t monpro_sim_stream_lanes(void);
uint32_t monpro_sim_stream_digits(void);

/* A kernel out of reset, or NULL when memory is short or the trace cannot be written; trace_path as for a coprocessor
 * (monpro_sim.h). */
monpro_sim_stream *monpro_sim_stream_create(const char *trace_path);

/* Wipes and frees. NULL is accepted. */
void monpro_sim_stream_destroy(monpro_sim_stream *sim);

/* Holds the reset line for 4 cycles, in the middle of whatever is going on, and then waits for one. */
void monpro_sim_stream_reset(monpro_sim_stream *sim);

/* Clocks the kernel, with a beat offered in every cycle while there is one, and one taken in every cycle while there is
 * room. Ends as soon as one of these holds: all beats were taken and in_last is not set (nothing is clocked if there
 * were none); the room is full; a packet has ended at the output; the cycles are over. So a caller that goes on with
 * the next beats at once never makes the kernel wait. */
void monpro_sim_stream_transfer(monpro_sim_stream *sim, monpro_sim_transfer *transfer);

/* Clock cycles since create. */
uint64_t monpro_sim_stream_cycles(const monpro_sim_stream *sim);

#ifdef __cplusplus
}
#endif

#endif
