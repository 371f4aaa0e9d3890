# SPDX-License-Identifier: Apache-2.0
"""Commands that use a key: sign, verify, encrypt, decrypt, keygen."""

from __future__ import annotations

import enum
import sys
from time import perf_counter
from typing import Annotated, TypedDict, cast

import typer

from monpro import records, rsa
from monpro.base import files
from monpro.cli import options as o
from monpro.cli.operation import Call, file_to_file, measured
from monpro.errors import MonproError
from monpro.study import small_key
from monpro.study.small_key import StudyKey

app = typer.Typer(rich_markup_mode=None)


class SignaturePadding(enum.StrEnum):
    pss = "pss"
    pkcs1 = "pkcs1"
    none = "none"


class EncryptionPadding(enum.StrEnum):
    oaep = "oaep"
    pkcs1 = "pkcs1"
    none = "none"


class SignatureOptions(TypedDict):
    """What signing and verifying share."""

    padding: rsa.Padding
    digest: str | None
    mgf1_digest: str | None
    salt: rsa.Salt | int
    prehashed: bool


class PrivateForm(enum.StrEnum):
    private_pkcs8 = "private_pkcs8"
    private_pkcs1 = "private_pkcs1"


class PublicForm(enum.StrEnum):
    public_spki = "public_spki"
    public_pkcs1 = "public_pkcs1"


ForSignature = Annotated[SignaturePadding, typer.Option("--padding", help="Padding scheme.")]
ForEncryption = Annotated[EncryptionPadding, typer.Option("--padding", help="Padding scheme.")]
SaltLength = Annotated[
    str | None,
    typer.Option("--salt-length", metavar="BYTES", help="Of PSS: bytes, digest, longest or any."),
]
Mgf1Digest = Annotated[
    str | None,
    typer.Option("--mgf1-digest", metavar="NAME", help="Of MGF1, if it is not --digest's."),
]
Prehashed = Annotated[
    str | None,
    typer.Option("--prehashed", metavar="DIGEST", help="The file is a digest of that name."),
]
Label = Annotated[str, typer.Option("--label", metavar="TEXT", help="OAEP's label.")]


def _signature_options(
    padding: SignaturePadding,
    digest: str | None,
    mgf1_digest: str | None,
    salt_length: str | None,
    prehashed: str | None,
) -> SignatureOptions:
    """What the library takes, from the options of the command line."""
    if digest is not None and prehashed is not None:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--prehashed names the digest; drop --digest")
    salt: rsa.Salt | int = "default"
    if salt_length in ("digest", "longest", "any"):
        salt = cast(rsa.Salt, salt_length)
    elif salt_length is not None:
        if not (salt_length.isascii() and salt_length.isdigit()):
            raise MonproError(
                "MONPRO_ERR_ARGUMENT",
                f'--salt-length "{salt_length}": a number of bytes, digest, longest or any',
            )
        salt = int(salt_length)
    return {
        "padding": padding.value,
        "digest": digest if prehashed is None else prehashed,
        "mgf1_digest": mgf1_digest,
        "salt": salt,
        "prehashed": prehashed is not None,
    }


@app.command()
def sign(
    file: o.Input,
    key: o.KeyFile,
    engine: o.EngineSpec = o.ENGINE,
    padding: ForSignature = SignaturePadding.pss,
    digest: o.Digest = None,
    mgf1_digest: Mgf1Digest = None,
    salt_length: SaltLength = None,
    prehashed: Prehashed = None,
    out: o.Out = None,
    passphrase_file: o.PassphraseFile = None,
    no_crt: o.NoCrt = False,
    trace: o.Trace = None,
    json: o.Json = False,
) -> None:
    """Sign a file with a private key."""
    chosen = _signature_options(padding, digest, mgf1_digest, salt_length, prehashed)
    file_to_file(
        Call("sign", file, key, engine, passphrase_file, out, trace, json),
        lambda unit, secret, message: rsa.sign(unit, secret, message, crt=not no_crt, **chosen),
        private=True, padding=padding.value, crt=not no_crt,
    )  # fmt: skip


@app.command()
def verify(
    file: o.Input,
    key: o.KeyFile,
    signature: Annotated[str, typer.Option("--signature", metavar="FILE", help="The signature.")],
    engine: o.EngineSpec = o.ENGINE,
    padding: ForSignature = SignaturePadding.pss,
    digest: o.Digest = None,
    mgf1_digest: Mgf1Digest = None,
    salt_length: SaltLength = None,
    prehashed: Prehashed = None,
    passphrase_file: o.PassphraseFile = None,
    trace: o.Trace = None,
    json: o.Json = False,
) -> None:
    """Verify the signature of a file."""
    chosen = _signature_options(padding, digest, mgf1_digest, salt_length, prehashed)
    o.one_standard_input(file, key, signature)
    mark, message = files.read(signature), files.read(file)
    public = o.read_key(key, passphrase_file)
    failure = None
    with measured(
        "verify", public, engine, trace, private=False, padding=padding.value
    ) as operation:
        try:
            rsa.verify(operation.engine, public, message, mark, **chosen)
        except MonproError as error:
            if not error.failed_check:
                raise
            failure = error
            operation.figures["ok"] = False
    if json and operation.record is not None:
        records.show([operation.record])
    if failure:
        raise failure
    if not json:
        print("Verified OK")


@app.command()
def encrypt(
    file: o.Input,
    key: o.KeyFile,
    engine: o.EngineSpec = o.ENGINE,
    padding: ForEncryption = EncryptionPadding.oaep,
    digest: o.OaepDigest = None,
    mgf1_digest: Mgf1Digest = None,
    label: Label = "",
    out: o.Out = None,
    passphrase_file: o.PassphraseFile = None,
    trace: o.Trace = None,
    json: o.Json = False,
) -> None:
    """Encrypt a short file into one RSA block."""
    file_to_file(
        Call("encrypt", file, key, engine, passphrase_file, out, trace, json),
        lambda unit, public, message: rsa.encrypt(
            unit, public, message,
            padding=padding.value, digest=digest, mgf1_digest=mgf1_digest, label=label.encode(),
        ),
        private=False, padding=padding.value,
    )  # fmt: skip


@app.command()
def decrypt(
    file: o.Input,
    key: o.KeyFile,
    engine: o.EngineSpec = o.ENGINE,
    padding: ForEncryption = EncryptionPadding.oaep,
    digest: o.OaepDigest = None,
    mgf1_digest: Mgf1Digest = None,
    label: Label = "",
    out: o.Out = None,
    passphrase_file: o.PassphraseFile = None,
    no_crt: o.NoCrt = False,
    trace: o.Trace = None,
    json: o.Json = False,
) -> None:
    """Decrypt one RSA block with a private key."""
    file_to_file(
        Call("decrypt", file, key, engine, passphrase_file, out, trace, json),
        lambda unit, secret, block: rsa.decrypt(
            unit, secret, block,
            padding=padding.value, digest=digest, mgf1_digest=mgf1_digest, label=label.encode(),
            crt=not no_crt,
        ),
        private=True, output={"binary": False, "secret": True},
        padding=padding.value, crt=not no_crt,
    )  # fmt: skip


def _key(bits: int, exponent: int) -> rsa.Key:
    if small_key.MIN_BITS <= bits <= small_key.MAX_BITS:
        raise MonproError(
            "MONPRO_ERR_KEY_SIZE",
            f"a key of {bits} bits: 512 to 4096 in steps of 64 are allowed; --study makes one of "
            f"{small_key.MIN_BITS} to {small_key.MAX_BITS}, which protects nothing",
        )
    return rsa.Key.generate(bits, exponent)


def _study_key(bits: int, exponent: int, passphrase: bytes | None) -> StudyKey:
    if passphrase is not None:
        raise MonproError("MONPRO_ERR_ARGUMENT", "a key for study is not written encrypted")
    key = StudyKey.generate(bits, exponent)
    print(f"monpro: warning: {small_key.WARNING.format(bits)}", file=sys.stderr)
    return key


@app.command()
def keygen(
    bits: Annotated[int, typer.Option("--bits", help="512 to 4096, in steps of 64.")] = 2048,
    exponent: Annotated[int, typer.Option("--exponent", help="Public exponent.")] = 65537,
    form: Annotated[PrivateForm, typer.Option("--form", help="Format of the private key.")] = (
        PrivateForm.private_pkcs8
    ),
    der: Annotated[bool, typer.Option("--der", help="DER instead of PEM.")] = False,
    out: o.Out = None,
    public_out: Annotated[
        str | None,
        typer.Option("--public-out", metavar="FILE", help="Write the public key here as well."),
    ] = None,
    public_form: Annotated[
        PublicForm, typer.Option("--public-form", help="Format of the public key.")
    ] = PublicForm.public_spki,
    study: Annotated[
        bool, typer.Option("--study", help="A key of 32 to 256 bits, which protects nothing.")
    ] = False,
    passphrase_file: o.PassphraseFile = None,
    json: o.Json = False,
) -> None:
    """Make a key pair.

    With a passphrase the private key is written encrypted. There is no seed: a key that can be
    made again is no secret. A key for study has its numbers in the record that --json prints, for
    monpro modexp; other commands do not take it.
    """
    o.not_both_to_standard_output(json, out)
    words = o.passphrase(passphrase_file)
    start_s = perf_counter()
    numbers = None
    with files.output(out, binary=der, secret=True) as write:
        key: rsa.Key | StudyKey
        if study:
            key = _study_key(bits, exponent, words)
            numbers = {name: hex(value) for name, value in key.numbers().items()}
            data = key.write(form.value, der=der)
        else:
            key = _key(bits, exponent)
            data = key.write(form.value, der=der, passphrase=words)
        if public_out is not None:
            with files.output(public_out, binary=der) as write_public:
                write_public(key.write(public_form.value, der=der))
        write(data)
    if json:
        time_ms = (perf_counter() - start_s) * 1e3
        result = records.record(
            "keygen", operation="rsa_keygen", bits=key.bits, ok=True, obtained="measured",
            time_ms=time_ms, numbers=numbers,
        )  # fmt: skip
        records.show([result])
    elif out not in (None, "-"):
        print(f"monpro: {key.bits}-bit key written to {out}", file=sys.stderr)
