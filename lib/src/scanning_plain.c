/* The scanning methods as they are, at each width of a digit. */
#include <string.h>

#include "modexp.h"
#include "scanning_run.h"
#include "wipe.h"

#define SCANNING_COUNTED 0

#define DIGIT_BITS 8
#define NAME(x) plain8_##x
#include "scanning_template.h"

#define DIGIT_BITS 16
#define NAME(x) plain16_##x
#include "scanning_template.h"

#define DIGIT_BITS 32
#define NAME(x) plain32_##x
#include "scanning_template.h"

#if MONPRO_LIMB_BITS == 64
#define DIGIT_BITS 64
#define NAME(x) plain64_##x
#include "scanning_template.h"
#endif

const scanning_instance monpro_scanning_plain[] = {
    {MONPRO_SCANNING_PLAIN, 8, plain8_run_product, plain8_run_modexp},
    {MONPRO_SCANNING_PLAIN, 16, plain16_run_product, plain16_run_modexp},
    {MONPRO_SCANNING_PLAIN, 32, plain32_run_product, plain32_run_modexp},
#if MONPRO_LIMB_BITS == 64
    {MONPRO_SCANNING_PLAIN, 64, plain64_run_product, plain64_run_modexp},
#endif
};
const size_t monpro_scanning_plain_count = sizeof monpro_scanning_plain / sizeof *monpro_scanning_plain;
