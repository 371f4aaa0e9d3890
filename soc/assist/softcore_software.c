/* The program without the custom function unit. */
#define ASSIST ASSIST_NONE
#define FORM softcore_software
#include "softcore_form.h"
