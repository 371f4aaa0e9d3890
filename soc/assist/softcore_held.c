/* The program with numbers inside the unit. */
#define ASSIST ASSIST_HELD
#define FORM softcore_held
#include "softcore_form.h"
