/* Opens an engine and says how that went. test_c.py runs it with programs of its own in the place of `monpro`.
 *
 *   model_program_test SPEC      prints the status, and the message
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

int main(int argc, char **argv)
{
    monpro_engine *engine = NULL;
    monpro_error error = {MONPRO_OK, ""};
    if (argc != 2) {
        return 2;
    }
    printf("saw %s\n", monpro_status_name(monpro_engine_open(&engine, argv[1], &error)));
    printf("%s\n", error.message);
    monpro_engine_close(engine);
    return 0;
}
