/* The program with chained words. */
#define ASSIST ASSIST_LIMBS
#define FORM softcore_limbs
#include "softcore_form.h"
