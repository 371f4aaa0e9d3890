/* The OpenSSL provider "monpro": RSA keys whose private operation an engine does.
 *
 * A key has two forms in libcrypto, both in a library context of the provider's own, with OpenSSL's default provider in
 * it. `real` is the key. `identity` has the same modulus and the exponents e = d = 1, so each of its operations gives its
 * input back. The default provider's signature with `identity` is therefore the padded block alone, and its decryption
 * takes the padding off a block. Paddings, digests, parameters and encodings are all the default provider's. What lies
 * between the two, block ^ d mod n, is the engine's.
 *
 * Nothing here holds a lock across fork() that the child would need: what belongs to a process is made anew in a child
 * (engines.c), and what belongs to a key changes by atomic exchange (keys.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_PROVIDER_H
#define MONPRO_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/evp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "monpro/monpro.h"

/* ---- counters (counters.c) ------------------------------------------------------------------------------------- */

/* One line a counter: X(name, its name outside). Signatures and decryptions are the engine's, by the length of the key in
 * bits: up to 2048, up to 3072, longer. `default` is what the default provider did. */
#define PROVIDER_COUNTERS(X) \
    X(SIGN_2048, "sign-2048") \
    X(SIGN_3072, "sign-3072") \
    X(SIGN_4096, "sign-4096") \
    X(DECRYPT_2048, "decrypt-2048") \
    X(DECRYPT_3072, "decrypt-3072") \
    X(DECRYPT_4096, "decrypt-4096") \
    X(PUBLIC, "public") \
    X(DEFAULT_PUBLIC, "default-public")   /* public operations, as configured */ \
    X(DEFAULT_PADDING, "default-padding") /* decryptions of PKCS#1 v1.5 */ \
    X(DEFAULT_KEY, "default-key")         /* the engine does not take the key */ \
    X(DEFAULT_ENGINE, "default-engine")   /* the engine failed, and fallback = openssl */ \
    X(DEFAULT_ALONE, "default-alone")     /* no other operation was under way: see `alone` */ \
    X(FAILED, "failed")                   /* the engine failed, and fallback = error */

enum {
#define X(name, text) COUNTER_##name,
    PROVIDER_COUNTERS(X)
#undef X
    COUNTER_COUNT
};

/* What a file of counters is, in this machine's byte order. */
typedef struct counters {
    char head[24];
    struct {
        char name[24];
        _Atomic uint64_t value;
    } of[COUNTER_COUNT];
} counters;

/* Memory for the counters: the file `path`, shared by all processes that name it, or if that is NULL memory shared with
 * children. NULL, and a sentence in errno's terms, if it cannot be had. */
counters *counters_open(const char *path);
void counters_close(counters *all);
const OSSL_PARAM *counters_gettable(void);
int counters_get(const counters *all, OSSL_PARAM params[]);

/* ---- the provider (provider.c) --------------------------------------------------------------------------------- */

typedef enum operation { OPERATION_SIGN, OPERATION_DECRYPT, OPERATION_PUBLIC } operation;

/* Who does a private operation that finds no other one under way in its process. A batch is where an engine on vectors
 * gains; for one block libcrypto may be faster. */
typedef enum alone {
    ALONE_AUTO, /* the faster one, by the least times of the first operations of that length in this process */
    ALONE_ENGINE,
    ALONE_OPENSSL
} alone;

typedef struct process process; /* what one process has open (engines.c) */

enum { ENGINE_CHARACTERS = 256 }; /* with the zero behind them */

typedef struct provider {
    const OSSL_CORE_HANDLE *handle;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_LIB_CTX *context; /* of our own; the program's may prefer us, and would lead in a circle */
    OSSL_PROVIDER *base;   /* the default provider in it */
    EVP_KEYMGMT *keys[2];  /* its RSA and RSA-PSS */
    EVP_SIGNATURE *signature;
    EVP_ASYM_CIPHER *cipher;
    counters *counters;
    char engine[ENGINE_CHARACTERS + sizeof "gather:"];
    char flaw[400];        /* of the configuration; every operation says it and fails. Empty: none */
    bool falls_back;       /* fallback = openssl */
    bool public_by_engine; /* public = engine */
    alone alone;
    _Atomic(process *) process;
} provider;

enum {
    REASON_CONFIGURATION = 1,
    REASON_ENGINE = 2,
    REASON_KEY = 3,
    REASON_MEMORY = 4
};

/* Puts an error with our name and a sentence on OpenSSL's stack. Returns 0. */
int provider_fail(const provider *p, uint32_t reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- keys (keys.c) --------------------------------------------------------------------------------------------- */

enum { KEY_RSA = 0, KEY_PSS = 1, KEY_CLONES = 64, KEY_BYTES = 512 /* of the longest modulus that libmonpro takes */ };

/* What follows from a key when it is first used. */
typedef struct key_forms {
    EVP_PKEY *identity; /* NULL: it cannot be made, and the default provider does everything */
    bool is_taken;      /* libmonpro takes the private key */
} key_forms;

typedef struct key {
    provider *provider;
    atomic_uint references;
    int type;
    bool is_private;
    EVP_PKEY *real;
    _Atomic(key_forms *) forms;
    _Atomic(monpro_key *) clones[KEY_CLONES]; /* not in use: a monpro_key serves one thread at a time */
} key;

key *key_take(key *one); /* one more reference */
void key_free(void *one);
const key_forms *key_forms_of(key *one); /* NULL: no memory */
monpro_key *key_borrow(key *one, monpro_error *error);
void key_give_back(key *one, monpro_key *clone);

/* ---- engines (engines.c) --------------------------------------------------------------------------------------- */

/* block = block ^ d, or ^ e, mod n. `size` is the modulus' length; the block is below it. By the engine, or as configured
 * by the default provider. 1, or 0 with an error on the stack and the block zeroed. */
int engine_raw(key *one, operation kind, unsigned char *block, size_t size);
/* The counter of operations that an operation of that kind with this key belongs to if the engine is not asked for it, or
 * ENGINE_ASKED. */
enum { ENGINE_ASKED = COUNTER_COUNT };
unsigned engine_refusal(key *one, operation kind);
void engine_count(provider *p, unsigned counter);

/* A private operation from its padding to its result. */
typedef struct visit {
    process *process; /* NULL: no memory */
    bool is_alone;    /* no other was under way when it began */
    uint64_t start_ns;
} visit;
visit engine_enter(provider *p);
/* `counter` says who did it: ENGINE_ASKED or COUNTER_DEFAULT_ALONE; others are not timed. */
void engine_leave(const visit *one, size_t size, unsigned counter, bool is_done);
/* In place of engine_leave(): the operation's job is never resumed. */
void engine_dropped(provider *p);
/* Whether OpenSSL is to do an operation that would begin now, with a key of that length, because it is alone. */
bool engine_is_left(provider *p, size_t size);
/* The padding of a context, as RSA_..._PADDING; 0: unknown. */
int padding_mode(EVP_PKEY_CTX *ctx);
void engine_close(provider *p);

/* ---- asynchronous jobs (jobs.c) -------------------------------------------------------------------------------- */

/* Raw RSA of the program's asynchronous jobs (ASYNC_start_job(3)), on a thread of the process. A job's stack has 32 KiB,
 * which is too little for an engine; and what the jobs of one thread ask for can so be done together. */
typedef struct jobs jobs;

/* One operation, on the heap: a program that drops a connection never resumes its job. */
typedef struct job_request {
    struct job_request *next;
    key *key;
    operation kind;
    size_t size;
    monpro_status status;
    monpro_error error;
    bool is_done, is_left; /* finished; nobody will come for it */
    int descriptor;        /* to be signalled */
    jobs *jobs;
    unsigned char block[KEY_BYTES];
} job_request;

/* Does all of a list of requests, each of which gets its status, error and block. */
typedef void job_worker(void *context, job_request *first);

jobs *jobs_start(job_worker *work, void *context); /* NULL: no memory */
/* Ends the thread. Requests that it has not begun fail. Not in a child of fork(). */
void jobs_stop(jobs *all);
/* Whether the caller is in a job that can pause. */
bool jobs_is_in_one(void);
/* Has the operation done and pauses the caller's job until it is. */
monpro_status jobs_do(jobs *all, key *one, operation kind, unsigned char *block, size_t size, monpro_error *error);

/* ---- tables ---------------------------------------------------------------------------------------------------- */

extern const OSSL_ALGORITHM provider_keys[], provider_signatures[], provider_ciphers[];

#endif
