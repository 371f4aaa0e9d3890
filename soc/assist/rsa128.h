/* RSA of 128 bits by Montgomery multiplication bit by bit: the key, and what a build chooses.
 *
 * A build defines R5_STEP, the number of optimization steps that are in it:
 *
 *   0  the key in global variables, every local variable in memory of its own
 *   1  the key as constants, variables local
 *   2  numbers as NEON vectors instead of two halves
 *   3  the word `register` before what a loop uses often
 *   4  multiplication and exponentiation combined: a square scales its operand once, not twice
 *   5  a product by 1 has a function of its own
 *   6  loops count down to zero, small functions are inline
 *   7  parity taken from the sum, instead of computed before it
 *   8  operands scaled once for the whole exponentiation, not once for each multiplication
 *
 * and, over step 8, may define TRY as TRY_UNROLL, TRY_PIPELINE or TRY_PREDICATE; or, for a softcore
 * with the custom function unit of rtl/cfu, ASSIST as in assist.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_RSA128_H
#define MONPRO_RSA128_H

#define TRY_NOTHING 0
#define TRY_UNROLL 1    /* two bits in each turn of the loop of a product */
#define TRY_PIPELINE 2  /* the next bit is taken while the sum of this one is made */
#define TRY_PREDICATE 3 /* no branch on a bit: what is added is masked */

#if !defined(R5_STEP) || R5_STEP < 0 || R5_STEP > 8
#error "R5_STEP is 0 to 8"
#endif
#ifndef TRY
#define TRY TRY_NOTHING
#endif

/* M = P Q of two primes of 64 bits; E D = 1 mod (P - 1)(Q - 1), E as long as M; R = 2^128.
 * Never for a secret: 128 bits are factored in minutes, and time depends on every bit. */
#define KEY_BITS 128
#define KEY_M_HIGH 0xae7706cb3aa1d622u
#define KEY_M_LOW 0x29cfddea94784967u
#define KEY_E_HIGH 0x7bf9073fd3bd7332u
#define KEY_E_LOW 0x7a01b35d1b886783u
#define KEY_D_HIGH 0x6010cad49aa3188cu
#define KEY_D_LOW 0xc3aea4a511125bcbu
#define KEY_R2_HIGH 0x1d906e9d68da2251u
#define KEY_R2_LOW 0x86f838c7a801889du

#endif
