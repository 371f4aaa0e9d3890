# SPDX-License-Identifier: Apache-2.0
"""A program of Python's ssl module: TLS handshakes without a network, both sides in one process.

Arguments: a file with a certificate and its key, the versions, how many handshakes in each of how
many threads, and in how many children of fork() beside that.
"""

from __future__ import annotations

import os
import ssl
import sys
import threading


def handshake(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        server.wrap_bio(to_server, to_client, server_side=True),
        client.wrap_bio(to_client, to_server, server_hostname="monpro"),
    ]
    todo = list(sides)
    for _ in range(20):
        for side in list(todo):
            try:
                side.do_handshake()
                todo.remove(side)
            except ssl.SSLWantReadError:
                continue
    assert not todo, "the handshake does not end"
    sides[1].write(b"hello")
    assert sides[0].read(5) == b"hello"


def contexts(file: str, version: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server and a client, both with the certificate, each of which asks for the other's."""
    made = []
    for protocol in (ssl.PROTOCOL_TLS_SERVER, ssl.PROTOCOL_TLS_CLIENT):
        context = ssl.SSLContext(protocol)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(file)
        context.load_cert_chain(file)
        if version == "exchange":  # RSA key exchange: the server decrypts
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            context.set_ciphers("AES128-SHA256")
        else:
            context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
        made.append(context)
    return made[0], made[1]


def in_threads(server: ssl.SSLContext, client: ssl.SSLContext, threads: int, each: int) -> int:
    """The number of handshakes that failed."""
    failed: list[Exception] = []

    def work() -> None:
        try:
            for _ in range(each):
                handshake(server, client)
        except Exception as why:
            failed.append(why)

    started = [threading.Thread(target=work) for _ in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    for why in failed:
        print(f"{type(why).__name__}: {why}", file=sys.stderr)
    return len(failed)


def main() -> int:
    file, versions, each, threads, children = sys.argv[1:]
    pairs = [contexts(file, version) for version in versions.split(",")]

    def work() -> int:
        return sum(in_threads(*pair, int(threads), int(each)) for pair in pairs)

    # Children come before threads: a thread that ends has a lock of libcrypto, for which a child
    # could wait for ever. The provider has been used by then.
    born = []
    for pair in pairs * bool(int(children)):
        handshake(*pair)
    for _ in range(int(children)):
        if (child := os.fork()) == 0:
            os._exit(work() != 0)
        born.append(child)
    failed = work()
    return failed + sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0 for child in born)


if __name__ == "__main__":
    sys.exit(main())
