# SPDX-License-Identifier: Apache-2.0
"""TLS of programs that know nothing of the provider: every handshake is one counted signature.

Servers listen on the loopback only, and each test ends what it started.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from provided import HANDSHAKES, TIMEOUT_S, Provided, handshakes, make_certificate, monpro, stock

Make = Callable[..., Provided]
START_S = 15.0


ENGINES = ("soft", "lanes", pytest.param("sim:small", marks=pytest.mark.sim))


@pytest.mark.parametrize("engine", ENGINES)
def test_python_with_certificates_on_both_sides(
    engine: str, provided: Make, certificate: Path
) -> None:
    p = provided(engine)
    handshakes(p, certificate, "TLSv1_3", 1)
    assert p.stat()["sign-2048"] == 2


def test_versions_and_key_exchange(provided: Make, certificate: Path) -> None:
    p = provided("soft")
    handshakes(p, certificate, "TLSv1_2,TLSv1_3,exchange", 2)
    found = p.stat()
    assert found["sign-2048"] == 2 * (2 + 2 + 1)
    assert found["default-padding"] == 2


def test_a_pss_certificate(provided: Make, tmp_path: Path) -> None:
    p = provided("soft")
    options = ("rsa-pss", "-pkeyopt", "rsa_keygen_bits:2048")
    handshakes(p, make_certificate(tmp_path, *options), "TLSv1_2,TLSv1_3", 1)
    assert p.stat()["sign-2048"] == 4


@pytest.mark.parametrize("engine", ["soft", "lanes"])
def test_threads_and_children(engine: str, provided: Make, certificate: Path) -> None:
    p = provided(engine)
    handshakes(p, certificate, "TLSv1_3", 4, 4, 3)
    assert p.stat()["sign-2048"] == 2 * (1 + 4 * 4 * (1 + 3))


# ---- servers -------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def served(p: Provided, port: int, *command: str | Path) -> Iterator[None]:
    """A server that is ready, until it is ended."""
    log = (p.folder / "log").open("wb")
    process = subprocess.Popen(
        list(map(str, command)), env=p.environment, cwd=p.folder,
        stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        until = time.monotonic() + START_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                said = (p.folder / "log").read_text(errors="replace")
                assert process.poll() is None, said
                assert time.monotonic() < until, said
                time.sleep(0.02)
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def program(name: str) -> str:
    found = shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def fetch(p: Provided, port: int, count: int, *options: str | Path) -> int:
    """How many of so many requests, each with a handshake of its own, a stock curl gets."""
    command = [program("curl"), "-s", "-o", "/dev/null", "-w", "%{http_code}", "-m", "20",
               "--cacert", str(p.folder / "crt.pem"), *map(str, options),
               f"https://127.0.0.1:{port}/"]  # fmt: skip
    env = {"OPENSSL_CONF": "/dev/null"}
    every = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE) for _ in range(count)]
    return sum(one.communicate()[0] == b"200" for one in every)


NGINX = """\
daemon off;
pid nginx.pid;
error_log stderr;
worker_processes 2;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t;
    scgi_temp_path t;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate crt.pem;
        ssl_certificate_key key.pem;
        return 200;
    }}
}}
"""
HAPROXY = """\
global
    nbthread 2
defaults
    mode http
    timeout connect 5s
    timeout client 5s
    timeout server 5s
frontend tls
    bind 127.0.0.1:{port} ssl crt both.pem
    http-request return status 200
"""
APACHE = """\
ServerRoot {modules}
ServerName monpro
PidFile {folder}/apache.pid
ErrorLog {folder}/error
DefaultRuntimeDir {folder}
Mutex file:{folder}
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule ssl_module modules/mod_ssl.so
LoadModule alias_module modules/mod_alias.so
Listen 127.0.0.1:{port}
StartServers 1
ThreadsPerChild 25
User www-data
Group www-data
Redirect 200 /
<VirtualHost *:{port}>
    SSLEngine on
    SSLCertificateFile {folder}/crt.pem
    SSLCertificateKeyFile {folder}/key.pem
</VirtualHost>
"""
APACHE_MODULES = Path("/usr/lib/apache2")


def command_of(server: str, folder: Path, port: int) -> list[str]:
    """Writes the server's configuration. The command that starts it in the foreground."""
    if server == "s_server":
        files = ["-cert", "crt.pem", "-key", "key.pem"]
        return ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-www", "-quiet", *files]
    binary, conf = program(server), folder / f"{server}.conf"
    text = {"nginx": NGINX, "haproxy": HAPROXY, "apache2": APACHE}[server]
    conf.write_text(text.format(port=port, folder=folder, modules=APACHE_MODULES))
    return {
        "nginx": [binary, "-p", f"{folder}/", "-c", str(conf), "-e", "stderr"],
        "haproxy": [binary, "-db", "-f", str(conf)],
        "apache2": [binary, "-d", str(folder), "-f", str(conf), "-DFOREGROUND"],
    }[server]


def put_certificate(certificate: Path, folder: Path) -> None:
    for file in certificate.parent.iterdir():
        shutil.copy(file, folder)
    folder.chmod(0o755)


@pytest.mark.parametrize("engine", ["soft", "lanes"])
@pytest.mark.parametrize("server", ["s_server", "nginx", "haproxy", "apache2"])
def test_a_server(server: str, engine: str, provided: Make, certificate: Path) -> None:
    p = provided(engine)
    put_certificate(certificate, p.folder)
    port = free_port()
    with served(p, port, *command_of(server, p.folder, port)):
        before = p.stat() if p.counters.exists() else {}
        assert fetch(p, port, 8) == 8
        assert p.since(before)["sign-2048"] == 8


def test_curl_with_a_client_certificate(provided: Make, certificate: Path) -> None:
    p = provided("soft")
    put_certificate(certificate, p.folder)
    port = free_port()
    command = command_of("s_server", p.folder, port)
    stock_side = Provided(p.folder, Path("/dev/null"), p.counters)
    with served(stock_side, port, *command, "-Verify", "1", "-CAfile", "crt.pem"):
        done = p.run(program("curl"), "-s", "--cacert", "crt.pem", "--cert", "crt.pem", "--key",
                     "key.pem", f"https://127.0.0.1:{port}/")  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert p.stat()["sign-2048"] == 1


# ---- sanitizers: threads, children, leaks -------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "tests-provider"
SANITIZE = ("-DMONPRO_SANITIZE=address,undefined", "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG")


def module() -> Path:
    """The provider with sanitizers, of the checkout."""
    configure = ("cmake", "-S", ROOT, "-B", BUILD, "-DMONPRO_WERROR=ON", *SANITIZE)
    for command in (configure, ("cmake", "--build", BUILD, "--target", "monpro_provider")):
        subprocess.run(command, check=True, capture_output=True)
    return BUILD / "monpro.so"


def sanitized(p: Provided, *command: str | Path, leaks: bool) -> None:
    """Runs a program, which is not built with sanitizers itself."""
    names = ("libasan.so", "libubsan.so")
    found = [
        subprocess.check_output(("gcc", f"-print-file-name={n}"), text=True).strip() for n in names
    ]
    options = {"ASAN_OPTIONS": f"detect_leaks={int(leaks)}", "LD_PRELOAD": ":".join(found)}
    done = subprocess.run(
        list(map(str, command)), env=os.environ | p.environment | options, cwd=p.folder,
        capture_output=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()


def test_sanitized(provided: Callable[..., Provided], keys: dict[str, Path]) -> None:
    p = provided("soft", public="engine")
    p.replace(monpro("provider", "path").strip(), str(module()))
    crt = p.folder / "crt.pem"
    stock("req", "-x509", "-key", keys["2048"], "-out", crt, "-subj", "/CN=monpro")
    both = p.folder / "both.pem"
    both.write_bytes(keys["2048"].read_bytes() + crt.read_bytes())
    # Python itself leaves memory behind.
    program = (sys.executable, HANDSHAKES, both, "TLSv1_2,TLSv1_3,exchange", "2", "4", "2")
    sanitized(p, *program, leaks=False)
    sanitized(p, "openssl", "dgst", "-sha256", "-sign", keys["pss"], crt, leaks=True)
    sanitized(p, "openssl", "dgst", "-sha256", "-sign", keys["three"], crt, leaks=True)
    found = p.stat()
    assert found["sign-2048"] == (2 + 2 + 1) * (1 + 2 * 4 * 3) + 1
    assert found["default-key"] == 1
    sanitized(p, "openssl", "speed", "-seconds", "1", "-async_jobs", "16", "rsa1024", leaks=False)
