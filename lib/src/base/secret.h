/* Marks for memcheck (valgrind), in the way of ctgrind. A secret counts as undefined, and memcheck reports a branch or
 * an address that depends on undefined data. Only the build for that test (MONPRO_VALGRIND) has the marks. In any other
 * build they are nothing.
 *
 *   monpro_secret(data, size)  neither time nor addresses may depend on these bytes, nor on what is computed from them
 *   monpro_public(data, size)  these bytes are released; what they were computed from stays secret
 *   monpro_verdict(value)      the same value, on which a branch may depend: a decision that may show
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SECRET_H
#define MONPRO_SECRET_H

#if defined(MONPRO_VALGRIND)

#include <stdint.h>
#include <valgrind/memcheck.h>

#define monpro_secret(data, size) ((void)VALGRIND_MAKE_MEM_UNDEFINED(data, size))
#define monpro_public(data, size) ((void)VALGRIND_MAKE_MEM_DEFINED(data, size))

static inline uint64_t monpro_verdict(uint64_t value)
{
    monpro_public(&value, sizeof value);
    return value;
}

#else

#define monpro_secret(data, size) ((void)0)
#define monpro_public(data, size) ((void)0)
#define monpro_verdict(value) (value)

#endif

#endif
