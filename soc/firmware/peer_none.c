/* Firmware without another library to compare with.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "tasks.h"

void task_peer(const task *t)
{
    task_report(t, "modexp", MONPRO_ERR_UNSUPPORTED, 0);
    report_text("this firmware was built without a library to compare with");
    report_end();
}
