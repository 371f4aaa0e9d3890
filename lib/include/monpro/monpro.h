/* libmonpro: RSA through a modular-exponentiation engine. This header is the whole public interface; docs/api.md is its
 * contract on one page. Conventions, for every function:
 *   - Returns MONPRO_OK (0) or a negative monpro_status; the result must be checked.
 *   - The last argument `error` may be NULL. Otherwise it receives the status and a sentence that says what was wrong and
 *     what is allowed. No message ever holds a secret.
 *   - Numbers are unsigned, big-endian bytes; a pointer always comes with its length.
 *   - On an error every output buffer is zeroed and nothing else has changed.
 *   - Opaque handles: the destroying function wipes secrets and accepts NULL.
 *   - No global state. A handle is used by one thread at a time; different handles are independent. An engine "gather:..."
 *     is used by any number of threads, and so are keys whose private operations all go to one such engine.
 *   - After fork() a key may be used on both sides: each blinds by numbers of its own. An engine may not, unless
 *     it is "gather:soft" or "gather:lanes": the child opens what is inside anew, at its first call.
 *   - Signals: the library installs no handler and leaves the caller's mask as it was. Threads that it starts block every
 *     signal. No function may be called from a signal handler.
 *   - Time depends on lengths only, never on a secret exponent, a prime or a message, except in functions named
 *     _vartime and where a flag says that a value is public.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_MONPRO_H
#define MONPRO_MONPRO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(MONPRO_BUILD) && defined(__GNUC__)
#define MONPRO_API __attribute__((visibility("default")))
#else
#define MONPRO_API
#endif

/* ---- status -------------------------------------------------------------------------------------------------- */

typedef enum monpro_status {
    MONPRO_OK = 0,
    /* calls */
    MONPRO_ERR_ARGUMENT = -1,          /* NULL where a pointer is needed, an unknown flag */
    MONPRO_ERR_MEMORY = -2,
    MONPRO_ERR_BUFFER = -3,            /* an output buffer is too short */
    MONPRO_ERR_RANDOM = -4,            /* the system gave no random bytes */
    MONPRO_ERR_UNSUPPORTED = -5,       /* this engine or build cannot do that */
    /* engines */
    MONPRO_ERR_ENGINE = -10,           /* no such engine */
    MONPRO_ERR_DESIGN = -11,           /* no such design */
    MONPRO_ERR_PARAMETER = -12,        /* no such parameter, or a value it cannot have */
    MONPRO_ERR_BUILD = -13,            /* the simulator's model could not be built or loaded */
    MONPRO_ERR_DEVICE_ABSENT = -14,    /* the identification register holds something else */
    MONPRO_ERR_DEVICE_VERSION = -15,   /* a register map this driver does not know */
    MONPRO_ERR_DEVICE_TIMEOUT = -16,   /* no answer in the time the operation may take */
    MONPRO_ERR_DEVICE_BUS = -17,       /* a bus error response, or no response */
    MONPRO_ERR_DEVICE_FAULT = -18,     /* the device reported something the driver did not expect */
    /* exponentiations */
    MONPRO_ERR_MODULUS_ZERO = -30,     /* zero or empty */
    MONPRO_ERR_MODULUS_ONE = -31,
    MONPRO_ERR_MODULUS_EVEN = -32,
    MONPRO_ERR_MODULUS_SHORT = -33,    /* fewer bits than the engine takes */
    MONPRO_ERR_MODULUS_LONG = -34,     /* more bits than the engine takes */
    MONPRO_ERR_BASE_RANGE = -35,       /* base >= modulus */
    MONPRO_ERR_BASE_EMPTY = -36,
    MONPRO_ERR_EXPONENT_EMPTY = -37,   /* no bytes; a zero exponent of one byte or more is legal */
    MONPRO_ERR_EXPONENT_LONG = -38,    /* more bits than the engine takes */
    MONPRO_ERR_SCHEME = -39,           /* a scheme or window that the engine does not have, or not for a secret */
    /* keys */
    MONPRO_ERR_FILE = -50,             /* missing, unreadable or not writable */
    MONPRO_ERR_KEY_FORMAT = -51,       /* truncated, damaged, or not an RSA key */
    MONPRO_ERR_KEY_PASSPHRASE = -52,   /* encrypted, and no passphrase was given */
    MONPRO_ERR_KEY_WRONG_PASSPHRASE = -53,
    MONPRO_ERR_KEY_PUBLIC = -54,       /* a public key where a private one is needed */
    MONPRO_ERR_KEY_EXPONENT = -55,     /* e is 0, 1, even, not below n, or longer than allowed */
    MONPRO_ERR_KEY_PRODUCT = -56,      /* p * q != n */
    MONPRO_ERR_KEY_EQUAL_PRIMES = -57, /* p = q */
    MONPRO_ERR_KEY_DP = -58,           /* dP * e != 1 mod (p - 1) */
    MONPRO_ERR_KEY_DQ = -59,
    MONPRO_ERR_KEY_QINV = -60,         /* qInv * q != 1 mod p */
    MONPRO_ERR_KEY_D = -61,            /* d does not belong to p, q and e */
    MONPRO_ERR_KEY_SIZE = -62,         /* fewer or more bits than allowed */
    MONPRO_ERR_KEY_PRIMES = -63,       /* not exactly two primes, or halves of very unequal length */
    MONPRO_ERR_KEY_ENCODING = -64,     /* a key, but not in strict DER: trailing bytes, a length or INTEGER that is not
                                        * minimal, a negative INTEGER, a wrong version */
    /* RSA */
    MONPRO_ERR_PADDING = -70,          /* no such padding, or not for this operation or message */
    MONPRO_ERR_DIGEST = -71,           /* no such digest, or not for signatures */
    MONPRO_ERR_MESSAGE_LONG = -72,     /* longer than the padding leaves room for */
    MONPRO_ERR_CIPHERTEXT = -73,       /* not of the key's length, or not below its modulus */
    MONPRO_ERR_DECRYPT = -74,          /* the padding is wrong: the wrong key, or damage. No further detail, on purpose */
    MONPRO_ERR_SIGNATURE = -75,        /* the signature does not verify */
    MONPRO_ERR_CHECK = -76             /* a private result failed its check with e, and was discarded: a fault */
} monpro_status;

typedef struct monpro_error {
    monpro_status status;
    char message[1000];
} monpro_error;

/* The name of a status, as "MONPRO_ERR_BASE_RANGE". Never NULL. */
MONPRO_API const char *monpro_status_name(monpro_status status);
/* One sentence for a status, without particulars. Never NULL. */
MONPRO_API const char *monpro_strerror(monpro_status status);
/* The library's version, as MONPRO_VERSION in the header it was built with. */
#define MONPRO_VERSION "0.1.0"
MONPRO_API const char *monpro_version(void);

/* ---- engines ------------------------------------------------------------------------------------------------- */

typedef struct monpro_engine monpro_engine;

/* Opens an engine by its specification:
 *   "soft"             portable constant-time C
 *   "lanes"            the processor's vectors: up to eight exponentiations of a batch side by side, on all its cores;
 *                      "lanes:isa=avx2,threads=1" chooses instructions and threads (docs/lanes.md)
 *   "sim:NAME"         the RTL of a named design, simulated in this process; if there is no model yet, the program
 *                      `monpro` builds it (or the program that the environment's MONPRO_PROGRAM names)
 *   "sim:NAME,K=V,..." the same with parameters changed, as in "sim:small,elements=4"; "trace=FILE.fst" writes a trace;
 *                      for a design with streams, "form=a" to "form=f" says how products go through it (default c)
 *   "sim:PATH.so"      a model that was built before (any value with a slash); ",trace=FILE.fst" may follow
 *   "uio:PATH"         a coprocessor that Linux shows as a UIO device, such as /dev/uio0
 *   "gather:ENGINE"    many threads share ENGINE: what they ask for at the same time becomes one batch;
 *                      ",most=64" jobs at most, ",wait_us=0" microseconds at most that a batch waits for callers that the
 *                      one before it had (docs/gather.md)
 * Errors: ENGINE, DESIGN, PARAMETER (their messages list what there is), BUILD (with the compiler's words), FILE (the
 * trace cannot be written), DEVICE_*. */
MONPRO_API monpro_status monpro_engine_open(monpro_engine **engine, const char *spec, monpro_error *error);

/* Wipes and closes; unfinished jobs end with MONPRO_ERR_UNSUPPORTED and zeroed results. */
MONPRO_API void monpro_engine_close(monpro_engine *engine);

typedef struct monpro_engine_info {
    char spec[256];
    uint32_t min_bits;     /* shortest modulus */
    uint32_t max_bits;     /* longest modulus, and longest exponent */
    uint32_t word_bits;
    uint32_t elements;     /* 0 for software */
    uint32_t delay;        /* rows by which a quotient digit is used late; 0 for software */
    uint32_t multipliers;  /* blocks present; 0 for software */
    uint32_t table_words;  /* 0 for software */
    uint32_t table_banks;  /* memories that a look-up reads side by side; 0 for software */
    uint32_t schemes;      /* bit n set: takes scheme number n of monpro_scheme */
    uint32_t crt;          /* 1: does an RSA private operation, both CRT halves and their recombination, at once */
    uint32_t entries;      /* not 0: a device of single products, whose memory has that many numbers. The library makes
                            * exponentiations of them, and the schemes are the library's. 0: a device of
                            * exponentiations, or software */
    uint32_t exact;        /* 1: a device whose products are below the modulus and have ceil(bits / word_bits) words;
                            * 0: its operands have some bits more than the modulus */
    uint32_t version;      /* of the register map, major << 16 | minor; 0 for software */
} monpro_engine_info;

MONPRO_API monpro_status monpro_engine_query(const monpro_engine *engine, monpro_engine_info *info);

/* What one operation really spent, or an engine since it was opened. Cycles are clock cycles of the device. Software
 * counts operations only, and all else is zero. */
typedef struct monpro_counters {
    uint64_t operations;         /* that succeeded, as the device itself counts them. One is an exponentiation, or with
                                  * both CRT halves at once a whole private operation. A device of single products
                                  * counts products; an exponentiation counts if none of its products is missing */
    uint64_t warm;               /* operations that found the constants of the modulus, or of both primes, in place */
    uint64_t products;           /* Montgomery products */
    uint64_t cycles_load;        /* operands over the bus */
    uint64_t cycles_precompute;  /* checks, and the constants of a new modulus; 0 if software computes those */
    uint64_t cycles_exponentiate; /* for a device of single products: with a product or a copy under way or waiting */
    uint64_t cycles_read;        /* result over the bus */
} monpro_counters;

MONPRO_API monpro_status monpro_engine_counters(const monpro_engine *engine, monpro_counters *counters);

/* What an engine "gather:..." has made of its calls since it was opened, or since a fork(). */
enum { MONPRO_FILLS = 8 };
typedef struct monpro_gathering {
    uint64_t requests; /* calls and submissions that are done */
    uint64_t jobs;     /* exponentiations and blocks in them */
    uint64_t batches;  /* for the engine inside */
    uint64_t lone;     /* batches of one request */
    uint64_t fills[MONPRO_FILLS]; /* batches by their jobs: 1, 2 to 3, 4 to 7, ..., 64 to 127, more */
    uint64_t waits;    /* batches that waited for more requests */
    uint64_t waits_in_vain; /* of them, those that waited to the end of wait_us */
} monpro_gathering;

/* MONPRO_ERR_UNSUPPORTED if the engine does not gather. */
MONPRO_API monpro_status monpro_engine_gathering(const monpro_engine *engine, monpro_gathering *gathering);

/* ---- modular exponentiation: batches -------------------------------------------------------------------------- */

enum {
    MONPRO_EXPONENT_PUBLIC = 1, /* the time may depend on the exponent. Without it the exponent is a secret */
    MONPRO_MODULUS_SECRET = 2   /* the modulus is a prime of a key, say: a device keeps nothing that can be used of it */
};

/* How the exponent is processed. The result is the same with each scheme. `soft` takes every scheme, but computes the
 * fixed window for FIXED_WINDOW and binary for any other.
 *
 * With a device of single products the library goes through the scheme itself. It sends the same products for every
 * secret exponent of a length. Only one bit of data differs: it tells the device which of two numbers to go on with. */
typedef enum monpro_scheme {
    MONPRO_SCHEME_DEFAULT = 0,        /* fixed window for a secret exponent, binary for a public one */
    MONPRO_SCHEME_FIXED_WINDOW = 1,   /* time depends on lengths only, for a public exponent too */
    MONPRO_SCHEME_BINARY = 2,         /* left to right; a zero bit of a public exponent costs no multiplication */
    MONPRO_SCHEME_RIGHT_TO_LEFT = 3,  /* binary; as above */
    MONPRO_SCHEME_SLIDING_WINDOW = 4, /* over odd powers; public exponents only */
    MONPRO_SCHEME_LADDER = 5,         /* Montgomery's: a product and a squaring for each bit */
    MONPRO_SCHEME_REPEATED = 6        /* multiplications by the base; only public exponents of 32 bits at most */
} monpro_scheme;

/* One exponentiation, result = base ^ exponent mod modulus. The buffers belong to the caller and must stay until the
 * job has finished. `result_len` is at least the modulus' length in bytes without leading zeros; if it is more, zeros go
 * in front of the result. A secret exponent costs time for all 8 * exponent_len bits, leading zeros included. */
typedef struct monpro_job {
    const uint8_t *modulus;
    size_t modulus_len;
    const uint8_t *base;
    size_t base_len;
    const uint8_t *exponent;
    size_t exponent_len;
    uint8_t *result;
    size_t result_len;
    uint32_t flags;
    monpro_scheme scheme;
    uint32_t window;           /* 1 to 6, or 0: the engine's choice for this length; for the two window schemes */
    monpro_status status;      /* out */
    monpro_counters counters;  /* out */
    monpro_scheme used_scheme; /* out: the scheme that did it; DEFAULT if the job failed */
    uint32_t used_window;      /* out: the window of that scheme, or 0 */
} monpro_job;

/* Runs `count` jobs. Each job's `status` says how it went. A failed job does not stop the others. The return value is the
 * first status that is not MONPRO_OK, and `error` describes that one. */
MONPRO_API monpro_status monpro_modexp_batch(monpro_engine *engine, monpro_job *jobs, size_t count,
                                             monpro_error *error);

/* The same without blocking:
 *   submit  queues the jobs and gives a ticket
 *   poll    does a slice of work and says whether the batch has finished; "lanes" and designs with streams do up to 64
 *           jobs at once
 *   wait    blocks until the batch has finished, and returns what monpro_modexp_batch() would have returned; then the
 *           ticket is gone
 * Batches finish in the order of submission. */
typedef uint64_t monpro_ticket;
MONPRO_API monpro_status monpro_submit(monpro_engine *engine, monpro_job *jobs, size_t count, monpro_ticket *ticket,
                                       monpro_error *error);
MONPRO_API monpro_status monpro_poll(monpro_engine *engine, monpro_ticket ticket, int *finished);
MONPRO_API monpro_status monpro_wait(monpro_engine *engine, monpro_ticket ticket, monpro_error *error);

/* ---- keys ----------------------------------------------------------------------------------------------------- */

typedef struct monpro_key monpro_key;

typedef enum monpro_key_form {
    MONPRO_KEY_PRIVATE_PKCS8 = 0,  /* PEM "PRIVATE KEY", or "ENCRYPTED PRIVATE KEY" with a passphrase */
    MONPRO_KEY_PRIVATE_PKCS1 = 1,  /* PEM "RSA PRIVATE KEY" */
    MONPRO_KEY_PUBLIC_SPKI = 2,    /* PEM "PUBLIC KEY" */
    MONPRO_KEY_PUBLIC_PKCS1 = 3    /* PEM "RSA PUBLIC KEY" */
} monpro_key_form;

/* Reads a key of 512 to 4096 bits: PEM or DER; PKCS#1, PKCS#8 or SPKI; private or public. The whole key is checked, and
 * every relation between its numbers has an error of its own. The encoding is strict DER. The public exponent has 64
 * bits at most, because a verification takes as long as its exponent. passphrase may be NULL. */
MONPRO_API monpro_status monpro_key_read(monpro_key **key, const uint8_t *data, size_t data_len,
                                         const char *passphrase, monpro_error *error);
MONPRO_API monpro_status monpro_key_read_file(monpro_key **key, const char *path, const char *passphrase,
                                              monpro_error *error);
enum {
    MONPRO_KEY_LONG_EXPONENT = 1, /* the public exponent may be as long as the modulus */
    MONPRO_KEY_ANY_ENCODING = 2   /* whatever libcrypto's decoders take */
};

/* `size` is sizeof(this struct), as of monpro_rsa_settings. */
typedef struct monpro_key_options {
    size_t size;
    const char *passphrase; /* may be NULL */
    uint32_t flags;         /* MONPRO_KEY_... */
} monpro_key_options;

/* The same with options, which may be NULL. */
MONPRO_API monpro_status monpro_key_read_with(monpro_key **key, const uint8_t *data, size_t data_len,
                                              const monpro_key_options *options, monpro_error *error);
/* A new key of two primes; bits from 512 to 4096 in steps of 64, e odd and above 2. */
MONPRO_API monpro_status monpro_key_generate(monpro_key **key, uint32_t bits, uint64_t e, monpro_error *error);
/* Writes a key into out, which has room for *out_len bytes. *out_len becomes the length. der: DER instead of PEM. out may
 * be NULL to ask for the length. */
MONPRO_API monpro_status monpro_key_write(const monpro_key *key, monpro_key_form form, int der, const char *passphrase,
                                          uint8_t *out, size_t *out_len, monpro_error *error);
MONPRO_API void monpro_key_free(monpro_key *key);
MONPRO_API uint32_t monpro_key_bits(const monpro_key *key);
MONPRO_API int monpro_key_is_private(const monpro_key *key);

/* ---- RSA ------------------------------------------------------------------------------------------------------ */

typedef enum monpro_padding {
    MONPRO_PADDING_NONE = 0,
    MONPRO_PADDING_PKCS1 = 1, /* PKCS#1 v1.5, both of its forms */
    MONPRO_PADDING_OAEP = 2,  /* encryption only; digest for the label and, unless another is named, MGF1 */
    MONPRO_PADDING_PSS = 3    /* signatures only; monpro_salt says how long the salt is */
} monpro_padding;

typedef struct monpro_rsa_options {
    monpro_padding padding;
    const char *digest;        /* OpenSSL's name. NULL: "sha256"; for OAEP "sha1", the default of RFC 8017 and OpenSSL */
    const uint8_t *label;      /* OAEP, may be NULL */
    size_t label_len;
    int no_crt;                /* private: one exponentiation by d instead of two of half the length */
    int no_blinding;           /* private: for measurements only */
    monpro_counters *counters; /* out, may be NULL: what this operation spent, the check included */
    monpro_counters *check_counters; /* out, may be NULL: the part of it that checked a private result, else zero */
} monpro_rsa_options;

/* The length of the salt of PSS. */
typedef enum monpro_salt {
    MONPRO_SALT_DEFAULT = 0, /* as long as the digest when signing, any length when verifying */
    MONPRO_SALT_DIGEST = 1,  /* as long as the digest */
    MONPRO_SALT_LONGEST = 2, /* as long as the key leaves room for */
    MONPRO_SALT_ANY = 3,     /* verifying only */
    MONPRO_SALT_BYTES = 4    /* salt_len bytes */
} monpro_salt;

/* What the functions named _with take. A later version of the library adds members at the end. `size` is sizeof(this
 * struct): members beyond it count as zero, and a size that the library does not know is MONPRO_ERR_ARGUMENT. */
typedef struct monpro_rsa_settings {
    size_t size;
    monpro_rsa_options options;
    const char *mgf1_digest;   /* OAEP, PSS; NULL: the same as options.digest */
    monpro_salt salt;          /* PSS */
    size_t salt_len;           /* with MONPRO_SALT_BYTES */
    int prehashed;             /* signatures with a padding: `message` is the digest of the message, of its length */
} monpro_rsa_settings;

/* One block of raw RSA under one key; in and out have the key's length in bytes. A public operation does not change
 * the key, which may then be public. */
typedef struct monpro_rsa_job {
    monpro_key *key;
    const uint8_t *in;     /* below the modulus */
    uint8_t *out;          /* may be this job's `in`; overlaps no other buffer of the batch */
    monpro_status status;  /* out */
} monpro_rsa_job;

/* Raw RSA over a batch of any keys, of any lengths. A key may be in several jobs. As with monpro_modexp_batch(), each
 * job's `status` says how it went, the return value is the first that is not MONPRO_OK, and `error` describes that one. A
 * job that fails does not stop the others. Its `out` is zeroed if it has one and a key. The options padding, digest and
 * label do not count. The counters are those of the whole call, failed jobs included.
 *
 * Private operations are blinded and use the CRT (unless no_crt), in one operation if the engine has it. Every result is
 * checked with the public exponent before it is released. If a check fails, that job alone gets MONPRO_ERR_CHECK. */
MONPRO_API monpro_status monpro_rsa_public_batch(monpro_engine *engine, monpro_rsa_job *jobs, size_t count,
                                                 const monpro_rsa_options *options, monpro_error *error);
MONPRO_API monpro_status monpro_rsa_private_batch(monpro_engine *engine, monpro_rsa_job *jobs, size_t count,
                                                  const monpro_rsa_options *options, monpro_error *error);

/* The same without blocking, on an engine "gather:..." only; MONPRO_ERR_UNSUPPORTED on others. One thread can so have
 * many requests under way, which become one batch. monpro_wait() and monpro_poll() take the ticket, and each ticket has to
 * be waited for. Keys, buffers, jobs and the options' counters stay until then.
 *
 * `descriptor` is -1, or an eventfd of the caller's. The engine adds one to it, once for each ticket, when monpro_wait()
 * should be called. Either the batch has finished, or nobody works, and the first caller of monpro_wait() does the work of
 * all that were submitted until then. A loop over events thus submits what it has, and then waits for its tickets. */
MONPRO_API monpro_status monpro_rsa_public_submit(monpro_engine *engine, monpro_rsa_job *jobs, size_t count,
                                                  const monpro_rsa_options *options, int descriptor,
                                                  monpro_ticket *ticket, monpro_error *error);
MONPRO_API monpro_status monpro_rsa_private_submit(monpro_engine *engine, monpro_rsa_job *jobs, size_t count,
                                                   const monpro_rsa_options *options, int descriptor,
                                                   monpro_ticket *ticket, monpro_error *error);

/* The same for `count` blocks under one key, one after the other in `in` and `out`. All of them come out, or on the first
 * error none. */
MONPRO_API monpro_status monpro_rsa_public(monpro_engine *engine, const monpro_key *key, const uint8_t *in,
                                           uint8_t *out, size_t count, const monpro_rsa_options *options,
                                           monpro_error *error);
MONPRO_API monpro_status monpro_rsa_private(monpro_engine *engine, monpro_key *key, const uint8_t *in, uint8_t *out,
                                            size_t count, const monpro_rsa_options *options, monpro_error *error);

/* Whole operations. `message` is the message itself, and is digested inside. With padding none it is one block, as it is.
 * Each *_len that is a pointer holds the room in its buffer before the call, and the length after it. */
MONPRO_API monpro_status monpro_sign(monpro_engine *engine, monpro_key *key, const uint8_t *message,
                                     size_t message_len, uint8_t *signature, size_t *signature_len,
                                     const monpro_rsa_options *options, monpro_error *error);
MONPRO_API monpro_status monpro_verify(monpro_engine *engine, const monpro_key *key, const uint8_t *message,
                                       size_t message_len, const uint8_t *signature, size_t signature_len,
                                       const monpro_rsa_options *options, monpro_error *error);
MONPRO_API monpro_status monpro_encrypt(monpro_engine *engine, const monpro_key *key, const uint8_t *message,
                                        size_t message_len, uint8_t *ciphertext, size_t *ciphertext_len,
                                        const monpro_rsa_options *options, monpro_error *error);
MONPRO_API monpro_status monpro_decrypt(monpro_engine *engine, monpro_key *key, const uint8_t *ciphertext,
                                        size_t ciphertext_len, uint8_t *message, size_t *message_len,
                                        const monpro_rsa_options *options, monpro_error *error);

/* The same with settings; NULL stands for those of the functions above without options. */
MONPRO_API monpro_status monpro_sign_with(monpro_engine *engine, monpro_key *key, const uint8_t *message,
                                          size_t message_len, uint8_t *signature, size_t *signature_len,
                                          const monpro_rsa_settings *settings, monpro_error *error);
MONPRO_API monpro_status monpro_verify_with(monpro_engine *engine, const monpro_key *key, const uint8_t *message,
                                            size_t message_len, const uint8_t *signature, size_t signature_len,
                                            const monpro_rsa_settings *settings, monpro_error *error);
MONPRO_API monpro_status monpro_encrypt_with(monpro_engine *engine, const monpro_key *key, const uint8_t *message,
                                             size_t message_len, uint8_t *ciphertext, size_t *ciphertext_len,
                                             const monpro_rsa_settings *settings, monpro_error *error);
MONPRO_API monpro_status monpro_decrypt_with(monpro_engine *engine, monpro_key *key, const uint8_t *ciphertext,
                                             size_t ciphertext_len, uint8_t *message, size_t *message_len,
                                             const monpro_rsa_settings *settings, monpro_error *error);

#ifdef __cplusplus
}
#endif

#endif
