# SPDX-License-Identifier: Apache-2.0
"""The stack of a WebAssembly program grows, and nothing else of it changes."""

from __future__ import annotations

import pytest
import wasmtime

from monpro.synth import stack

# As clang links: stack below, data above it, the stack pointer the first global. Each call of
# `deep` takes 64 bytes of stack and writes to them; `word` reads the data.
PROGRAM = """
(module
  (memory (export "memory") 2)
  (global $sp (mut i32) (i32.const 65536))
  (data (i32.const 65536) "\\2a\\00\\00\\00")
  (func (export "word") (result i32) (i32.load (i32.const 65536)))
  (func $deep (export "deep") (param $n i32) (result i32)
    (local $sum i32)
    (if (i32.eqz (local.get $n)) (then (return (i32.const 0))))
    (global.set $sp (i32.sub (global.get $sp) (i32.const 64)))
    (i32.store (global.get $sp) (local.get $n))
    (local.set $sum
      (i32.add (call $deep (i32.sub (local.get $n) (i32.const 1))) (i32.load (global.get $sp))))
    (global.set $sp (i32.add (global.get $sp) (i32.const 64)))
    (local.get $sum)))
"""


def functions(module: bytes) -> tuple[wasmtime.Store, wasmtime.Func, wasmtime.Func]:
    store = wasmtime.Store()
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, module), []).exports(store)
    deep, word = exports["deep"], exports["word"]
    assert isinstance(deep, wasmtime.Func)
    assert isinstance(word, wasmtime.Func)
    return store, deep, word


def test_a_program_that_ran_out_of_stack_runs() -> None:
    module = bytes(wasmtime.wat2wasm(PROGRAM))
    store, deep, _ = functions(module)
    assert deep(store, 1000) == 500500
    with pytest.raises(wasmtime.Trap, match="out of bounds"):
        deep(store, 1100)
    store, deep, word = functions(stack.with_stack(module, 1))
    assert deep(store, 1100) == 1100 * 1101 // 2
    assert word(store) == 42


def test_the_pages_asked_for_are_the_stack() -> None:
    module = bytes(wasmtime.wat2wasm(PROGRAM))
    store, deep, word = functions(stack.with_stack(module, 3))
    # Three pages from 2 * 65536 on, and below them what had been the end of the memory; the data
    # at 65536 are safe up to that.
    assert deep(store, 4 * 1024 - 1) == (4 * 1024 - 1) * 4 * 1024 // 2
    assert word(store) == 42


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("(module)", "no memory"),
        ("(module (memory 1))", "no globals"),
        ("(module (memory 1 2) (global (mut i32) (i32.const 8)))", "upper limit"),
        ("(module (memory 1) (global i32 (i32.const 8)))", "no stack pointer"),
        ("(module (memory 1) (global (mut i64) (i64.const 8)))", "no stack pointer"),
    ],
)
def test_another_shape_is_refused(program: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        stack.with_stack(bytes(wasmtime.wat2wasm(program)))
