/* Products through the dataflow kernel, counted and timed: a part of libmonpro_scanning, for study. A call does one batch
 * of products a * b, or a * b / R mod n, in any form of the kernel, or only the host's part of it. Conventions as in
 * monpro.h. docs/designs/dataflow.md has the kernel, and lib/src/dataflow/dataflow.h the forms.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_DATAFLOW_STUDY_H
#define MONPRO_DATAFLOW_STUDY_H

#include <monpro/monpro.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel: a model of a design with streams, loaded into this process. */
typedef struct monpro_dataflow_kernel monpro_dataflow_kernel;

MONPRO_API monpro_status monpro_dataflow_kernel_open(monpro_dataflow_kernel **kernel, const char *path,
                                                     monpro_error *error);
MONPRO_API void monpro_dataflow_kernel_close(monpro_dataflow_kernel *kernel);
MONPRO_API uint32_t monpro_dataflow_kernel_lanes(const monpro_dataflow_kernel *kernel);

/* The part of a batch that the host does alone and that is timed. */
typedef enum monpro_dataflow_work {
    MONPRO_DATAFLOW_SCALAR = 0,        /* a * b as in SOS, with digits of 32 bits */
    MONPRO_DATAFLOW_SCALAR_WHOLE = 1,  /* a * b / R mod n by SOS, with digits of 32 bits */
    MONPRO_DATAFLOW_LIBRARY = 2,       /* a * b by the library's own limbs */
    MONPRO_DATAFLOW_LIBRARY_WHOLE = 3, /* a * b / R mod n by the library's own product; its R is of whole limbs, and
                                        * the digits have to fill them */
    MONPRO_DATAFLOW_PREPARE = 4,       /* makes the streams into the kernel, in memory */
    MONPRO_DATAFLOW_RESOLVE = 5        /* takes the kernel's output from memory: resolves carries, or takes digits as
                                        * they are */
} monpro_dataflow_work;

typedef struct monpro_dataflow_job {
    char form;              /* 'a' to 'f' */
    uint32_t lanes;         /* those of the kernel; for the host's parts 1 to 8 */
    uint32_t digits;        /* of 32 bits, 1 to 128 */
    uint32_t blocks;        /* products, at least one */
    const uint8_t *a;       /* blocks * 4 * digits bytes: each number big-endian, one after the other */
    size_t a_len;
    const uint8_t *b;
    size_t b_len;
    const uint8_t *n;       /* odd, its highest bit set, a and b below it (not checked): form f, whole products */
    size_t n_len;
    uint8_t *result;        /* blocks * 8 * digits bytes for a * b, half of that for whole products */
    size_t result_len;
    uint32_t repeats;       /* how often the host's part is done, at least once */
    uint64_t cycles;        /* out: cycles of the kernel's clock */
    uint64_t runs;          /* out: packets */
    uint64_t beats_in, beats_out; /* out: headers and statuses too */
    uint64_t time_ns;       /* out: processor time of this thread for the host's part, all repeats */
} monpro_dataflow_job;

/* Sends the batch through the kernel, and counts cycles and beats. */
MONPRO_API monpro_status monpro_dataflow_multiply(monpro_dataflow_kernel *kernel, monpro_dataflow_job *job,
                                                  monpro_error *error);

/* Does the batch, or a part of it, by the host alone, and times it. The kernel's output that RESOLVE needs is computed
 * before. */
MONPRO_API monpro_status monpro_dataflow_host(monpro_dataflow_job *job, monpro_dataflow_work work, monpro_error *error);

#ifdef __cplusplus
}
#endif

#endif
