/* Marks for memcheck (valgrind), in the way of ctgrind: a secret counts as undefined, and memcheck reports a branch or an
 * address that depends on undefined data. Only the build for that test (MONPRO_VALGRIND) has them; in any other they
 * are nothing. */
#ifndef MONPRO_SECRET_H
#define MONPRO_SECRET_H

#include <stddef.h>
#include <stdint.h>

#if defined(MONPRO_VALGRIND)
#include <valgrind/memcheck.h>
#endif

/* Neither time nor addresses may depend on these bytes, nor on anything computed from them. */
static inline void monpro_secret(void *data, size_t size)
{
#if defined(MONPRO_VALGRIND)
    (void)VALGRIND_MAKE_MEM_UNDEFINED(data, size);
#else
    (void)data;
    (void)size;
#endif
}

/* These bytes are released: what they came from stays secret. */
static inline void monpro_public(void *data, size_t size)
{
#if defined(MONPRO_VALGRIND)
    (void)VALGRIND_MAKE_MEM_DEFINED(data, size);
#else
    (void)data;
    (void)size;
#endif
}

/* The same value, on which a branch may depend: a decision that is allowed to show. Each use says why it is. */
static inline uint64_t monpro_verdict(uint64_t value)
{
    monpro_public(&value, sizeof value);
    return value;
}

#endif
