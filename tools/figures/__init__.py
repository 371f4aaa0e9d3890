"""Records of our figures under records/, and the tables of README and docs that are made from them.

See records/README.md. `python tools/figures --help` lists what the tool does.
"""

# SPDX-License-Identifier: Apache-2.0
