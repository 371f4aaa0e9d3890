/* There are no files: headers of other libraries name it all the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
