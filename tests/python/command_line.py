# SPDX-License-Identifier: Apache-2.0
"""The command line as a process of its own, without half a second of imports for each.

This file, run as a program, is a server: it has imported the command and forks for each call. The
child gets the arguments, folder, environment and pipes that it would have from a shell, and ends
as a program ends.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from pathlib import Path
from types import TracebackType

MOST_BYTES = 1 << 20  # of a request
LOADED_BY_COMMANDS = (
    "monpro.bench.designs", "monpro.bench.engines", "monpro.bench.schemes",
    "monpro.explore.exploration", "monpro.seal.cms", "monpro.webpage.page", "scipy.optimize",
)  # fmt: skip


class CommandLine:
    """The server, as its caller sees it."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno())]
            self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()])

    def __enter__(self) -> CommandLine:
        return self

    def __exit__(
        self, _type: type | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._ours.close()
        self._server.wait()

    def run(
        self, arguments: list[str], *, cwd: Path, data: bytes
    ) -> subprocess.CompletedProcess[bytes]:
        """As subprocess.run with input and captured output."""
        (stdin, feed), (out, stdout), (err, stderr) = os.pipe(), os.pipe(), os.pipe()
        theirs = [stdin, stdout, stderr]
        request = {"arguments": arguments, "cwd": str(cwd), "env": dict(os.environ)}
        socket.send_fds(self._ours, [json.dumps(request).encode()], theirs)
        for file in theirs:
            os.close(file)
        with ThreadPoolExecutor(3) as pool:
            written = pool.submit(_feed, feed, data)
            read = [pool.submit(_read_all, file) for file in (out, err)]
            written.result()
            output, error = (one.result() for one in read)
        status = self._ours.recv(64)
        assert status, "the server of the command line died"
        return subprocess.CompletedProcess(arguments, int(status), output, error)


def _feed(file: int, data: bytes) -> None:
    try:
        with open(file, "wb") as pipe:
            pipe.write(data)
    except BrokenPipeError:
        pass  # it did not want it all


def _read_all(file: int) -> bytes:
    with open(file, "rb") as pipe:
        return pipe.read()


def serve(requests: socket.socket) -> bool:
    """Forks for each request; true in a child, which is then as if just started for it."""
    while True:
        message, files, _, _ = socket.recv_fds(requests, MOST_BYTES, 3)
        if not message:
            return False
        child = os.fork()
        if child == 0:
            requests.close()
            _become(json.loads(message), files)
            return True
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        requests.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(request: dict[str, object], files: list[int]) -> None:
    for target, file in enumerate(files):
        os.dup2(file, target)
        os.close(file)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    sys.argv = ["monpro", *request["arguments"]]
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", buffering=1, closefd=False)


def error_of(done: subprocess.CompletedProcess[bytes], status: int) -> str:
    """The one line that a failed command says; nothing else, and no result. With --json standard
    output has the same as an object, see test_failure.py."""
    text = done.stderr.decode()
    assert done.returncode == status, text
    if done.stdout:
        error = json.loads(done.stdout)["error"]
        assert text == f"monpro: error: {error['message']}\n"
    assert text.startswith("monpro: error: ")
    assert "Traceback" not in text
    assert text.count("\n") == 1
    return text


if __name__ == "__main__":
    from monpro import _native
    from monpro.cli import families
    from monpro.cli.program import app, main

    for name in families.commands():  # each child has what its command would load
        families.load(name)
    for room in LOADED_BY_COMMANDS:
        importlib.import_module(room)

    _native.load()
    with redirect_stdout(io.StringIO()):
        app(["designs", "--json"], standalone_mode=False)  # imports what commands import
    gc.freeze()  # a child that went through all of this would copy it
    if serve(socket.socket(fileno=int(sys.argv[1]))):
        main()
