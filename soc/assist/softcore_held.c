/* The program with numbers inside the unit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define ASSIST ASSIST_HELD
#define FORM softcore_held
#include "softcore_form.h"
