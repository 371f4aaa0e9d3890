/* There are no files. Headers of other libraries name this header all the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
