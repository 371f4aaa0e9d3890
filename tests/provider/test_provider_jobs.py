# SPDX-License-Identifier: Apache-2.0
"""Asynchronous jobs of OpenSSL: they pause while a thread has their operations done together."""

from __future__ import annotations

import re
import socket
import ssl
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from provided import Provided
from test_provider_tls import command_of, fetch, free_port, put_certificate, served

Make = Callable[..., Provided]


@pytest.mark.parametrize("engine", ["soft", "lanes"])
def test_speed(engine: str, provided: Make) -> None:
    """Every signature is checked by the library, and counted."""
    p = provided(engine)
    done = p.run("openssl", "speed", "-seconds", "1", "-async_jobs", "16", "rsa2048")
    assert done.returncode == 0, done.stderr.decode()
    found = p.stat()
    counted = re.search(rb"(\d+) 2048 bits private", done.stderr)
    assert counted is not None
    assert found["sign-2048"] >= int(counted[1]) > 10
    assert set(found) == {"sign-2048", "default-public"}


def in_jobs(server: str, folder: Path, port: int) -> list[str]:
    command = command_of(server, folder, port)
    if server == "s_server":
        return [*command, "-async"]
    conf = folder / "haproxy.conf"
    conf.write_text(conf.read_text().replace("nbthread 2\n", "nbthread 2\n    ssl-mode-async\n"))
    return command


@pytest.mark.parametrize("engine", ["soft", "lanes"])
@pytest.mark.parametrize("server", ["s_server", "haproxy"])
def test_a_server(server: str, engine: str, provided: Make, certificate: Path) -> None:
    p = provided(engine)
    put_certificate(certificate, p.folder)
    port = free_port()
    with served(p, port, *in_jobs(server, p.folder, port)):
        before = p.stat() if p.counters.exists() else {}
        for _ in range(2):
            assert fetch(p, port, 8) == 8
        assert p.since(before) == {"sign-2048": 16}


def client_hello() -> bytes:
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(to_client, to_server, server_hostname="monpro")
    with suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return to_server.read()


def test_clients_that_go_away(provided: Make, certificate: Path) -> None:
    """Their jobs are never resumed. All others are served."""
    p = provided("lanes")
    put_certificate(certificate, p.folder)
    port = free_port()
    hello = client_hello()
    with served(p, port, *in_jobs("haproxy", p.folder, port)):
        for _ in range(5):
            for _ in range(20):
                with socket.create_connection(("127.0.0.1", port), 5) as one:
                    one.sendall(hello)
                    # No lingering: the server sees a reset.
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            assert fetch(p, port, 8) == 8
