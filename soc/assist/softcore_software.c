/* The program without the custom function unit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define ASSIST ASSIST_NONE
#define FORM softcore_software
#include "softcore_form.h"
