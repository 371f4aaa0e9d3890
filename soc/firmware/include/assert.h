/* No assertions on bare metal; _Static_assert is the language's own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FIRMWARE_ASSERT_H
#define MONPRO_FIRMWARE_ASSERT_H

#define assert(condition) ((void)0)
#define static_assert _Static_assert

#endif
