# SPDX-License-Identifier: Apache-2.0
"""A key, a signature and its verification; what a changed message does to it.

python examples/sign.py [ENGINE]
"""

import sys

import monpro

message = b"pay 10 euros to Alice"
key = monpro.Key.generate(2048)
public = monpro.Key.read(key.write("public_spki"))

with monpro.Engine(sys.argv[1] if len(sys.argv) > 1 else "sim:small") as engine:
    signature = monpro.sign(engine, key, message)  # PSS with SHA-256
    monpro.verify(engine, public, message, signature)
    print(f"{key.bits}-bit signature verified")
    try:
        monpro.verify(engine, public, message.replace(b"10", b"99"), signature)
    except monpro.MonproError as error:
        print(error)
