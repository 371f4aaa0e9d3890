/* Rows of limb products by the instructions mulx, adcx and adox of x86-64, which keep two chains of carries at once.
 * Where the compiler or the processor lacks them, monpro_has_mulx() is false, and no other function may be called.
 * Constant time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_MULX_H
#define MONPRO_MULX_H

#include <stdbool.h>

#include "bignum/limbs.h"

/* A sanitizer sees nothing of what is done here. With a sanitizer the plain code runs, so it is tested too. */
#if defined(__SANITIZE_ADDRESS__)
#define MONPRO_NO_MULX
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MONPRO_NO_MULX
#endif
#endif

#if defined(__x86_64__) && defined(__GNUC__) && MONPRO_LIMB_BITS == 64 && !defined(MONPRO_NO_MULX)

#include <cpuid.h>
#include <stdatomic.h>

/* Asked for once: under a hypervisor the question takes long. */
static inline bool monpro_has_mulx(void)
{
    enum { UNKNOWN, NO, YES, BMI2 = 1 << 8, ADX = 1 << 19 };
    static atomic_int known;
    int found = atomic_load_explicit(&known, memory_order_relaxed);
    if (found == UNKNOWN) {
        unsigned a, b = 0, c, d;
        found = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & BMI2) != 0 && (b & ADX) != 0 ? YES : NO;
        atomic_store_explicit(&known, found, memory_order_relaxed);
    }
    return found == YES;
}

/* Four limbs of t at those offsets, += x * a + carry; one chain adds the halves of products, the other t. */
#define MONPRO_MULX_FOUR(o0, o1, o2, o3)                                                                               \
    "mulxq " o0 "(%[a]), %[low], %[high]\n\t"                                                                          \
    "adcxq %[carry], %[low]\n\t"                                                                                       \
    "adoxq " o0 "(%[t]), %[low]\n\t"                                                                                   \
    "movq %[low], " o0 "(%[t])\n\t"                                                                                    \
    "mulxq " o1 "(%[a]), %[low], %[other]\n\t"                                                                         \
    "adcxq %[high], %[low]\n\t"                                                                                        \
    "adoxq " o1 "(%[t]), %[low]\n\t"                                                                                   \
    "movq %[low], " o1 "(%[t])\n\t"                                                                                    \
    "mulxq " o2 "(%[a]), %[low], %[high]\n\t"                                                                          \
    "adcxq %[other], %[low]\n\t"                                                                                       \
    "adoxq " o2 "(%[t]), %[low]\n\t"                                                                                   \
    "movq %[low], " o2 "(%[t])\n\t"                                                                                    \
    "mulxq " o3 "(%[a]), %[low], %[carry]\n\t"                                                                         \
    "adcxq %[high], %[low]\n\t"                                                                                        \
    "adoxq " o3 "(%[t]), %[low]\n\t"                                                                                   \
    "movq %[low], " o3 "(%[t])\n\t"

/* t[0..4 * fours) += x * a + carry; returns the carry. Eight limbs a round, and four first where there is such a rest. */
static inline monpro_limb monpro_mulx_row(monpro_limb *t, monpro_limb x, const monpro_limb *a, size_t fours,
                                          monpro_limb carry)
{
    monpro_limb low, high, other;
    __asm__("testq $1, %[fours]\n\t"
            "jz 1f\n\t"
            "xorl %k[low], %k[low]\n\t" /* no carries */
            MONPRO_MULX_FOUR("0", "8", "16", "24")
            "movl $0, %k[low]\n\t"
            "adcxq %[low], %[carry]\n\t"
            "adoxq %[low], %[carry]\n\t"
            "addq $32, %[a]\n\t"
            "addq $32, %[t]\n"
            "1:\n\t"
            "shrq $1, %[fours]\n\t"
            "jz 3f\n\t"
            "xorl %k[low], %k[low]\n"
            "2:\n\t"
            MONPRO_MULX_FOUR("0", "8", "16", "24")
            MONPRO_MULX_FOUR("32", "40", "48", "56")
            "leaq 64(%[a]), %[a]\n\t" /* lea and jrcxz leave the flags alone */
            "leaq 64(%[t]), %[t]\n\t"
            "leaq -1(%[fours]), %[fours]\n\t"
            "jrcxz 4f\n\t"
            "jmp 2b\n"
            "4:\n\t"
            "movl $0, %k[low]\n\t"
            "adcxq %[low], %[carry]\n\t"
            "adoxq %[low], %[carry]\n"
            "3:"
            : [t] "+r"(t), [a] "+r"(a), [fours] "+c"(fours), [carry] "+&r"(carry), [low] "=&r"(low), [high] "=&r"(high),
              [other] "=&r"(other)
            : "d"(x)
            : "cc", "memory");
    return carry;
}

#else

static inline bool monpro_has_mulx(void)
{
    return false;
}

static inline monpro_limb monpro_mulx_row(monpro_limb *t, monpro_limb x, const monpro_limb *a, size_t fours,
                                          monpro_limb carry)
{
    (void)t;
    (void)x;
    (void)a;
    (void)fours;
    return carry;
}

#endif

#endif
