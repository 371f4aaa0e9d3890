# SPDX-License-Identifier: Apache-2.0
"""RSA through Python: keys in all forms, every defect of a key by name, and OpenSSL's program as
the other side of every padding, in both directions."""

from __future__ import annotations

import dataclasses
import hashlib
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import monpro
from keyfiles import Numbers
from monpro import Counters, Engine, Key, MonproError, rsa
from monpro.hardware import designs
from monpro.measure import openssl
from monpro.measure.openssl import Party

SIZES = (1024, 2048, 3072, 4096)
MESSAGE = b"the message that is signed" * 9
SIGNATURE_OPTIONS = {
    "pss": ["-sigopt", "rsa_padding_mode:pss"],
    "pkcs1": ["-sigopt", "rsa_padding_mode:pkcs1"],
}
Parties = Callable[[int], Party]
FOR_RSA = [
    name
    for name, design in designs.load().items()
    if design.max_bits >= 1024 and design.schemes != ("repeated",)  # of public exponents alone
]


def key_of(party: Party) -> Key:
    return Key.read_file(party.key)


def public_of(party: Party) -> Key:
    return Key.read_file(party.public)


def encryption_options(padding: str, digest: str | None) -> list[str]:
    options = ["-pkeyopt", f"rsa_padding_mode:{padding}"]
    return options + (["-pkeyopt", f"rsa_oaep_md:{digest}"] if digest else [])


# ---- OpenSSL on the other side


@pytest.mark.parametrize("bits", SIZES)
@pytest.mark.parametrize("padding", ["pss", "pkcs1"])
@pytest.mark.parametrize("digest", ["sha256", "sha384"])
def test_signatures_both_ways(
    soft: Engine, parties: Parties, tmp_path: Path, bits: int, padding: str, digest: str
) -> None:
    party = parties(bits)
    file, mark = tmp_path / "file", tmp_path / "mark"
    file.write_bytes(MESSAGE)
    options = [f"-{digest}", *SIGNATURE_OPTIONS[padding]]
    theirs = openssl.must("dgst", *options, "-sign", party.key, file)
    monpro.verify(soft, public_of(party), MESSAGE, theirs, padding=padding, digest=digest)
    mark.write_bytes(monpro.sign(soft, key_of(party), MESSAGE, padding=padding, digest=digest))
    openssl.must("dgst", *options, "-verify", party.public, "-signature", mark, file)
    # And neither side takes it for another message.
    with pytest.raises(MonproError, match="MONPRO_ERR_SIGNATURE"):
        monpro.verify(soft, public_of(party), MESSAGE + b"x", theirs, padding=padding)
    file.write_bytes(MESSAGE + b"x")
    done = openssl.run("dgst", *options, "-verify", party.public, "-signature", mark, file)
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("salt", "theirs"), [("digest", "digest"), ("longest", "max"), (0, "0"), (20, "20")]
)
def test_salts_and_mgf1_both_ways(
    soft: Engine, parties: Parties, tmp_path: Path, salt: rsa.Salt | int, theirs: str
) -> None:
    """PSS with a pinned salt and SHA-1 in MGF1, over a digest that was made elsewhere."""
    party, hash_file, mark = parties(1024), tmp_path / "hash", tmp_path / "mark"
    hash_file.write_bytes(hashlib.sha256(MESSAGE).digest())
    words = (
        "digest:sha256",
        "rsa_padding_mode:pss",
        "rsa_mgf1_md:sha1",
        f"rsa_pss_saltlen:{theirs}",
    )
    command = ("pkeyutl", *(part for word in words for part in ("-pkeyopt", word)))
    key, hashed = key_of(party), hash_file.read_bytes()
    signed = openssl.must(*command, "-sign", "-inkey", party.key, "-in", hash_file)
    monpro.verify(soft, public_of(party), MESSAGE, signed, mgf1_digest="sha1", salt=salt)
    mark.write_bytes(monpro.sign(soft, key, hashed, mgf1_digest="sha1", salt=salt, prehashed=True))
    openssl.must(
        *command, "-verify", "-pubin", "-inkey", party.public, "-sigfile", mark, "-in", hash_file
    )
    with pytest.raises(MonproError, match="MONPRO_ERR_SIGNATURE"):
        monpro.verify(soft, public_of(party), MESSAGE, signed, mgf1_digest="sha1", salt=21)


@pytest.mark.parametrize("bits", SIZES)
@pytest.mark.parametrize(
    ("padding", "digest"), [("oaep", None), ("oaep", "sha256"), ("pkcs1", None)]
)
def test_encryption_both_ways(
    soft: Engine, parties: Parties, bits: int, padding: str, digest: str | None
) -> None:
    party = parties(bits)
    options = encryption_options(padding, digest)
    for message in (b"", b"\0", b"a secret" * 7):
        theirs = openssl.must(
            "pkeyutl", "-encrypt", "-pubin", "-inkey", party.public, *options, data=message
        )
        assert (
            monpro.decrypt(soft, key_of(party), theirs, padding=padding, digest=digest) == message
        )
        ours = monpro.encrypt(soft, public_of(party), message, padding=padding, digest=digest)
        found = openssl.must("pkeyutl", "-decrypt", "-inkey", party.key, *options, data=ours)
        assert found == message


@pytest.mark.parametrize("bits", SIZES)
def test_no_padding_both_ways(soft: Engine, parties: Parties, bits: int) -> None:
    party = parties(bits)
    key, block = key_of(party), b"\0" + bytes(range(1, 256)) * 3
    block = block[: key.size]
    options = encryption_options("none", None)
    ours = monpro.encrypt(soft, key, block, padding="none")
    theirs = openssl.must(
        "pkeyutl", "-encrypt", "-pubin", "-inkey", party.public, *options, data=block
    )
    assert ours == theirs == monpro.raw_public(soft, key, [block])[0]
    assert monpro.decrypt(soft, key, theirs, padding="none") == block
    signed = monpro.sign(soft, key, block, padding="none")
    assert signed == openssl.must("pkeyutl", "-decrypt", "-inkey", party.key, *options, data=block)
    monpro.verify(soft, public_of(party), block, signed, padding="none")
    assert monpro.raw_private(soft, key, [ours, signed]) == [
        block,
        monpro.sign(soft, key, signed, padding="none"),
    ]


@pytest.mark.sim
@pytest.mark.parametrize("bits", [1024, 2048])
def test_the_coprocessor_both_ways(
    small: Engine, parties: Parties, tmp_path: Path, bits: int
) -> None:
    party = parties(bits)
    file = tmp_path / "file"
    file.write_bytes(MESSAGE)
    assert party.verifies(file, monpro.sign(small, key_of(party), MESSAGE))
    monpro.verify(small, public_of(party), MESSAGE, party.sign(file))
    assert party.decrypt(monpro.encrypt(small, public_of(party), b"secret")) == b"secret"
    assert monpro.decrypt(small, key_of(party), party.encrypt(b"secret")) == b"secret"


@pytest.mark.sim
@pytest.mark.parametrize("name", FOR_RSA)
def test_every_design_both_ways(name: str, party: Party, tmp_path: Path) -> None:
    file, key = tmp_path / "file", key_of(party)
    file.write_bytes(MESSAGE)
    with Engine(f"sim:{name}") as engine:
        for crt, blinding in ((True, True), (False, True), (True, False)):
            signature = monpro.sign(engine, key, MESSAGE, crt=crt, blinding=blinding)
            assert party.verifies(file, signature)
        monpro.verify(engine, public_of(party), MESSAGE, party.sign(file))
        assert party.decrypt(monpro.encrypt(engine, public_of(party), b"secret")) == b"secret"
        assert monpro.decrypt(engine, key, party.encrypt(b"secret")) == b"secret"


@pytest.mark.sim
@pytest.mark.parametrize("name", FOR_RSA)
def test_what_a_private_operation_spends(soft: Engine, name: str, party: Party) -> None:
    """With CRT on chip it is one operation of the device, without it two; the check is apart."""
    key, blocks = key_of(party), [bytes([0, i]) * 64 for i in range(3)]
    halves = 1 if designs.get(name).crt else 2
    with Engine(f"sim:{name}") as engine:
        with engine.measure() as one:
            found = monpro.raw_private(engine, key, blocks[:1])
        with engine.measure() as three:
            found += monpro.raw_private(engine, key, blocks)
    assert found == monpro.raw_private(soft, key, [blocks[0], *blocks])
    assert (one.counters.operations, one.check.operations) == (halves + 1, 1)
    assert (three.counters.operations, three.check.operations) == (3 * halves + 3, 3)
    if not designs.get(name).stream:  # which holds no modulus
        assert (three.counters.warm, three.check.warm) == (2 * halves + 2, 2)
    own = one.counters - one.check
    assert 0 < one.check.cycles < own.cycles
    design = designs.get(name)
    for part in (own, one.check):
        assert part.products > 0
        assert min(part.cycles_load, part.cycles_read) > 0 or design.stream  # inside its cycles
        # with single products it is the driver that computes the constants
        assert (part.cycles_precompute > 0) == (not design.products and not design.stream)


@pytest.mark.sim
@pytest.mark.parametrize("name", [name for name in FOR_RSA if designs.get(name).crt])
@pytest.mark.parametrize("bits", [512, 1088, 2048])
def test_crt_on_chip(soft: Engine, name: str, bits: int) -> None:
    """Keys of our own making: OpenSSL's have p above q, so the halves are exchanged as well."""
    key = Key.generate(bits)
    numbers = Numbers.of(key.write())
    numbers.p, numbers.q, numbers.dp, numbers.dq = numbers.q, numbers.p, numbers.dq, numbers.dp
    numbers.qinv = pow(numbers.q, -1, numbers.p)
    with Engine(f"sim:{name}") as engine:
        for each in (key, Key.read(numbers.private_pem())):
            blocks = [
                number.to_bytes(each.size, "big")
                for number in (0, 1, 2, numbers.p, numbers.q, numbers.n - 1, numbers.n // 3)
            ]
            for blinding in (False, True):
                with engine.measure() as measured:
                    found = monpro.raw_private(engine, each, blocks, blinding=blinding)
                assert found == monpro.raw_private(soft, each, blocks)
                assert measured.counters.operations == 2 * len(blocks)


@pytest.mark.sim
@pytest.mark.parametrize("name", [name for name in FOR_RSA if designs.get(name).crt])
def test_a_private_keys_value_does_not_show_in_the_cycles(name: str) -> None:
    spent: list[Counters] = []
    with Engine(f"sim:{name}") as engine:
        for start in (0, 1, 2, 3):
            key = Key.generate(512)
            with engine.measure() as measured:
                monpro.raw_private(engine, key, [bytes([start]) * key.size])
            spent.append(measured.counters - measured.check)
    # Nothing differs but what the bus has to set up once, before the first.
    assert len(set(spent[1:])) == 1
    assert len({dataclasses.replace(one, cycles_load=0) for one in spent}) == 1


@pytest.mark.parametrize(("crt", "blinding"), [(True, False), (False, True), (False, False)])
def test_ways_to_compute_agree(soft: Engine, party: Party, crt: bool, blinding: bool) -> None:
    key = key_of(party)
    expected = monpro.sign(soft, key, MESSAGE, padding="pkcs1")
    found = monpro.sign(soft, key, MESSAGE, padding="pkcs1", crt=crt, blinding=blinding)
    assert found == expected


def test_a_label_belongs_to_the_message(soft: Engine, party: Party) -> None:
    key = key_of(party)
    block = monpro.encrypt(soft, key, b"secret", label=b"for you")
    assert monpro.decrypt(soft, key, block, label=b"for you") == b"secret"
    for label in (b"", b"for me"):
        with pytest.raises(MonproError, match="MONPRO_ERR_DECRYPT"):
            monpro.decrypt(soft, key, block, label=label)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(message=st.binary(max_size=86), place=st.integers(0, 127), change=st.integers(1, 255))
def test_any_message_comes_back_and_any_damage_is_noticed(
    soft: Engine, party: Party, message: bytes, place: int, change: int
) -> None:
    key = key_of(party)
    block = bytearray(monpro.encrypt(soft, key, message))
    assert monpro.decrypt(soft, key, block) == message
    signature = bytearray(monpro.sign(soft, key, message))
    monpro.verify(soft, key, message, signature)
    block[place] ^= change
    signature[place] ^= change
    with pytest.raises(MonproError, match=r"MONPRO_ERR_(DECRYPT|CIPHERTEXT)"):
        monpro.decrypt(soft, key, block)
    with pytest.raises(MonproError, match="MONPRO_ERR_SIGNATURE"):
        monpro.verify(soft, key, message, signature)


# ---- batches across keys


def mixed(parties: Parties, count: int) -> list[tuple[Key, bytes]]:
    some = [key_of(parties(1024)), Key.generate(512), key_of(parties(2048))]
    keys = [some[i * i % 3] for i in range(count)]
    return [(key, bytes([0, i]) * (key.size // 2)) for i, key in enumerate(keys)]


@pytest.mark.parametrize(("crt", "blinding"), [(True, True), (True, False), (False, True)])
def test_a_batch_is_what_each_is_alone(
    soft: Engine, parties: Parties, crt: bool, blinding: bool
) -> None:
    requests = mixed(parties, 7)
    with soft.measure() as measured:
        found = monpro.raw_private_batch(soft, requests, crt=crt, blinding=blinding)
    assert [one.value for one in found] == [
        monpro.raw_private(soft, key, [block])[0] for key, block in requests
    ]
    assert (measured.counters.operations, measured.check.operations) == (21 if crt else 14, 7)
    back = [(key, one.value) for (key, _), one in zip(requests, found, strict=True)]
    assert [one.value for one in monpro.raw_public_batch(soft, back)] == [x for _, x in requests]
    assert monpro.raw_private_batch(soft, []) == []


def test_a_bad_request_has_its_own_error(soft: Engine, party: Party, parties: Parties) -> None:
    requests = mixed(parties, 8)
    good = monpro.raw_private_batch(soft, requests)
    requests[1] = (requests[1][0], b"short")
    requests[3] = (requests[3][0], b"\xff" * requests[3][0].size)
    requests[6] = (public_of(party), bytes(128))
    found = monpro.raw_private_batch(soft, requests)
    names = {i: one.error.name for i, one in enumerate(found) if one.error}
    assert names == {
        1: "MONPRO_ERR_BUFFER", 3: "MONPRO_ERR_BASE_RANGE", 6: "MONPRO_ERR_KEY_PUBLIC",
    }  # fmt: skip
    assert [found[i].value for i in (0, 2, 4, 5, 7)] == [good[i].value for i in (0, 2, 4, 5, 7)]
    for i in names:
        with pytest.raises(MonproError, match=names[i]):
            _ = found[i].value
    assert "5 bytes" in str(found[1].error)
    # The library's words for the first of its own, and its sentence for others.
    requests[1] = requests[0]
    found = monpro.raw_private_batch(soft, requests)
    assert str(found[3].error) == (
        "MONPRO_ERR_BASE_RANGE: block 4 of 8: the block is not below the key's modulus"
    )
    assert str(found[6].error).endswith(": a private key is needed and this is a public one")
    names_of_public = [
        one.error and one.error.name for one in monpro.raw_public_batch(soft, requests)
    ]
    assert names_of_public == [None] * 3 + ["MONPRO_ERR_BASE_RANGE"] + [None] * 4


def test_keys_are_taken_once_and_in_one_order(
    soft: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else two threads with the same keys could each hold one and wait for the other's."""
    keys, taken = [Key.generate(512) for _ in range(3)], []

    @contextmanager
    def noted(index: int) -> Iterator[None]:
        taken.append(index)
        yield

    for turn in ((0, 1, 2), (2, 1, 0), (1, 2, 0, 1, 2)):
        for i, key in enumerate(keys):
            monkeypatch.setattr(key, "_lock", noted(i))
        monpro.raw_private_batch(soft, [(keys[i], bytes(64)) for i in turn])
    assert sorted(taken[:3]) == [0, 1, 2]
    assert taken == taken[:3] * 3


@pytest.mark.sim
def test_a_batch_across_keys_on_the_coprocessor(soft: Engine, small: Engine, party: Party) -> None:
    """A key in a row keeps its constants: cold are both halves and n of each."""
    keys = [key_of(party), Key.generate(512)]
    requests = [(keys[i % 2], bytes([0, i + 1]) * (keys[i % 2].size // 2)) for i in range(6)]
    with small.measure() as measured:
        found = monpro.raw_private_batch(small, requests)
    assert [one.value for one in found] == [
        one.value for one in monpro.raw_private_batch(soft, requests)
    ]
    assert (measured.counters.operations, measured.counters.warm) == (18, 12)
    assert (measured.check.operations, measured.check.warm) == (6, 4)


# ---- keys


@pytest.mark.parametrize("form", ["private_pkcs8", "private_pkcs1", "public_spki", "public_pkcs1"])
@pytest.mark.parametrize("der", [False, True])
def test_every_form_is_read_by_both(party: Party, tmp_path: Path, form: str, der: bool) -> None:
    data = key_of(party).write(form, der=der)  # type: ignore[arg-type]
    again = Key.read(data)
    assert (again.bits, again.private) == (1024, form.startswith("private"))
    file = tmp_path / "key"
    file.write_bytes(data)
    kind = {"public_spki": ["-pubin"], "public_pkcs1": ["-RSAPublicKey_in"]}.get(form, [])
    inform = ["-inform", "DER" if der else "PEM"]
    modulus = openssl.must("rsa", "-in", file, *inform, *kind, "-noout", "-modulus")
    assert modulus == openssl.must("rsa", "-in", party.key, "-noout", "-modulus")


def test_generated_keys_are_accepted_by_openssl(tmp_path: Path) -> None:
    for bits, e in ((512, 3), (1088, 65537)):
        key = Key.generate(bits, e)
        file = tmp_path / "key"
        file.write_bytes(key.write())
        assert key.bits == bits
        assert b"Key is valid" in openssl.must("pkey", "-in", file, "-check", "-noout")
        assert Numbers.of(file.read_bytes()).e == e


def test_passphrases(party: Party, tmp_path: Path) -> None:
    locked = key_of(party).write(passphrase="öffne")
    assert b"ENCRYPTED" in locked
    assert Key.read(locked, "öffne").private
    for passphrase, name in ((None, "KEY_PASSPHRASE"), ("oeffne", "KEY_WRONG_PASSPHRASE")):
        with pytest.raises(MonproError) as caught:
            Key.read(locked, passphrase)
        assert caught.value.name == f"MONPRO_ERR_{name}"
    with pytest.raises(MonproError, match="MONPRO_ERR_ARGUMENT"):
        Key.read(locked, "a\0b")
    file = tmp_path / "locked"
    openssl.must(
        "pkcs8", "-topk8", "-in", party.key, "-out", file, "-passout", "pass:x", "-v2", "aes256"
    )
    assert Key.read_file(file, "x").private


def defects(good: Numbers) -> list[tuple[str, bytes]]:
    """Every way in which a key can be wrong, with the name it must have."""

    def private(**changes: int) -> bytes:
        return Numbers(**{**vars(good), **changes}).private_pem()

    def public(**changes: int) -> bytes:
        return Numbers(**{**vars(good), **changes}).public_pem()

    square = good.p * good.p
    return [
        ("KEY_EXPONENT", public(e=0)),
        ("KEY_EXPONENT", public(e=1)),
        ("KEY_EXPONENT", public(e=65536)),
        ("KEY_EXPONENT", public(e=good.n + 2)),
        ("MODULUS_EVEN", public(n=good.n + 1)),
        ("KEY_SIZE", public(n=(1 << 500) + 1)),
        ("KEY_SIZE", public(n=(1 << 4096) + 1)),
        ("KEY_PRODUCT", private(n=good.n + 2)),
        ("KEY_PRODUCT", private(p=good.p + 2)),
        ("KEY_EQUAL_PRIMES", private(n=square, q=good.p, dq=good.dp)),
        ("KEY_DP", private(dp=good.dp + 2)),
        ("KEY_DQ", private(dq=good.dq + 2)),
        ("KEY_QINV", private(qinv=good.qinv + 1)),
        ("KEY_D", private(d=good.d + 2)),
        ("KEY_FORMAT", b""),
        ("KEY_FORMAT", b"no key at all"),
        ("KEY_FORMAT", good.private_pem()[:300]),
        ("KEY_FORMAT", good.private_der()[:-1]),
    ]


def test_every_defect_of_a_key_has_its_name(party: Party) -> None:
    good = Numbers.of(party.key.read_bytes())
    assert Key.read(good.private_pem()).private  # the file's form is not what is refused
    assert not Key.read(good.public_pem()).private
    found = []
    for _, data in defects(good):
        with pytest.raises(MonproError) as caught:
            Key.read(data)
        found.append(caught.value.name)
    assert found == [f"MONPRO_ERR_{name}" for name, _ in defects(good)]


def test_what_is_no_rsa_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ec"
    command = ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", file]
    subprocess.run(command, check=True)
    with pytest.raises(MonproError, match="MONPRO_ERR_KEY_FORMAT"):
        Key.read_file(file)
    with pytest.raises(MonproError, match="MONPRO_ERR_FILE"):
        Key.read_file(tmp_path / "absent")


# ---- wrong use


def test_wrong_use_has_names(soft: Engine, party: Party) -> None:
    key, public = key_of(party), public_of(party)
    cases: list[tuple[str, Callable[[], object]]] = [
        ("KEY_PUBLIC", lambda: monpro.sign(soft, public, b"m")),
        ("KEY_PUBLIC", lambda: monpro.decrypt(soft, public, bytes(128))),
        ("KEY_PUBLIC", lambda: public.write("private_pkcs8")),
        ("PADDING", lambda: monpro.sign(soft, key, b"m", padding="oaep")),
        ("PADDING", lambda: monpro.encrypt(soft, key, b"m", padding="pss")),
        ("PADDING", lambda: monpro.sign(soft, key, b"m", padding="x")),  # type: ignore[arg-type]
        ("DIGEST", lambda: monpro.sign(soft, key, b"m", digest="sha-none")),
        ("MESSAGE_LONG", lambda: monpro.encrypt(soft, key, bytes(87))),
        ("MESSAGE_LONG", lambda: monpro.encrypt(soft, key, bytes(118), padding="pkcs1")),
        ("MESSAGE_LONG", lambda: monpro.sign(soft, key, b"m", digest="sha512")),
        ("CIPHERTEXT", lambda: monpro.decrypt(soft, key, bytes(127))),
        ("CIPHERTEXT", lambda: monpro.decrypt(soft, key, b"\xff" * 128)),
        ("SIGNATURE", lambda: monpro.verify(soft, key, b"m", bytes(127))),
        ("BASE_RANGE", lambda: monpro.raw_public(soft, key, [b"\xff" * 128])),
        ("BUFFER", lambda: monpro.raw_public(soft, key, [b"short"])),
        ("KEY_SIZE", lambda: Key.generate(1000)),
        ("KEY_EXPONENT", lambda: Key.generate(1024, 4)),
        ("ARGUMENT", lambda: Key.generate(-1)),
        ("ARGUMENT", lambda: key.write("pem")),  # type: ignore[arg-type]
    ]
    found = []
    for _, call in cases:
        with pytest.raises(MonproError) as caught:
            call()
        found.append(caught.value.name)
    assert found == [f"MONPRO_ERR_{name}" for name, _ in cases]


@pytest.mark.sim
def test_a_key_that_an_engine_cannot_take(study: Engine, party: Party) -> None:
    with pytest.raises(MonproError, match="MONPRO_ERR_MODULUS_LONG"):
        monpro.sign(study, key_of(party), b"m")
