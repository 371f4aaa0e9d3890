/* The program with chained words.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define ASSIST ASSIST_LIMBS
#define FORM softcore_limbs
#include "softcore_form.h"
