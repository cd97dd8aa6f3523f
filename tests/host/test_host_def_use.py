"""Definitions and uses of arrays and buffers across launches."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import count

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

import polycl
from polycl.analysis.host.def_use import Accesses, DefUse, arguments, effects, is_whole
from polycl.analysis.host.layout import Program
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import host
from polycl.lowering.host.ocl_remove_transfers import OclRemoveTransfersPass

KERNEL = """
ocl.kernel @copy(
  %a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}
) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %a[%i] : !ocl.ptr<i32, global>
  ocl.store %v, %b[%i] : !ocl.ptr<i32, global>
  ocl.return
}
"""

HOST = """
func.func @main(%h: memref<?xi32>, %n: index, %m: index, %v: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = host.buffer %n : !host.buffer<i32>
  %b = host.buffer %n : !host.buffer<i32>
"""


def _host(body: str) -> tuple[FuncOp, Accesses]:
    module = polycl.load(f"{KERNEL}{HOST}{body}\nfunc.return\n}}", language="mlir").module
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return function, Program(module).kernel


def _chains(body: str) -> dict[str, set[str]]:
    """The chains by the operations' names, of which there is one each."""
    function, accesses = _host(body)
    found: dict[str, set[str]] = {}
    for chain in DefUse(function, accesses).chains.values():
        for definition, uses in chain.items():
            found.setdefault(_short(definition), set()).update(map(_short, uses))
    return found


def _short(op: Operation) -> str:
    return op.name.rpartition(".")[2]


BUFFERS = "!host.buffer<i32>, !host.buffer<i32>"
WRITE = "host.write %h to %a : memref<?xi32>, !host.buffer<i32>"
READ = "host.read %b to %h : !host.buffer<i32>, memref<?xi32>"
LAUNCH = "host.launch @copy global [%n] (%a, %b) : !host.buffer<i32>, !host.buffer<i32>"


def test_through_a_launch():
    assert _chains(f"{WRITE}\n{LAUNCH}\n{READ}") == {
        "func": {"write", "return"},
        "write": {"launch"},
        "launch": {"read"},
        "read": {"return"},
    }


def test_what_is_overwritten_reaches_nothing():
    fill = "host.fill %a with %v : !host.buffer<i32>"
    assert _chains(f"{fill}\n{WRITE}\n{LAUNCH}")["fill"] == set()
    part = "host.write %h to %a count %m : memref<?xi32>, !host.buffer<i32>"
    assert _chains(f"{fill}\n{part}\n{LAUNCH}")["fill"] == {"launch"}


def test_a_later_round_uses_what_an_earlier_one_defines():
    found = _chains(f"scf.for %i = %c0 to %n step %c1 {{\n{LAUNCH}\n{WRITE}\n}}")
    assert found["write"] == {"launch"}


def test_the_test_of_a_while_loop_comes_last():
    fill = "host.fill %b with %v : !host.buffer<i32>"
    found = _chains(
        f"scf.while () : () -> () {{\n{LAUNCH}\nscf.condition(%c)\n}}"
        f" do {{\n{fill}\nscf.yield\n}}\n{READ}"
    )
    assert found["launch"] == {"read"}
    # The launch stores a part, as far as is known.
    assert found["fill"] == {"read"}


def test_buffers_that_are_exchanged_keep_what_both_were_given():
    fill = "host.fill %b with %v : !host.buffer<i32>"
    found = _chains(
        f"{WRITE}\n{fill}\n"
        "%x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)"
        " -> (!host.buffer<i32>, !host.buffer<i32>) {\n"
        "scf.yield %q, %p : !host.buffer<i32>, !host.buffer<i32>\n}\n"
        "host.read %x to %h : !host.buffer<i32>, memref<?xi32>"
    )
    assert found["write"] == found["fill"] == {"read"}


def test_memory_that_a_loop_makes_is_new_in_each_round():
    found = _chains(
        "scf.for %i = %c0 to %n step %c1 {\n"
        "%t = memref.alloc(%n) : memref<?xi32>\n"
        "%w = memref.load %t[%c0] : memref<?xi32>\n"
        "memref.store %v, %t[%c0] : memref<?xi32>\n}"
    )
    assert found["store"] == set()


def test_a_part_of_a_buffer_is_the_buffer():
    found = _chains(
        '%s = host.opaque "clCreateSubBuffer"(%b) : (!host.buffer<i32>) -> !host.buffer<i32>\n'
        f"host.fill %s with %v : !host.buffer<i32>\n{READ}"
    )
    assert found["fill"] == {"read"}
    assert found["opaque"] == {"read"}


@pytest.mark.parametrize(
    "exchanges",
    [pytest.param(False, id="the same chains"), pytest.param(True, id="no chain is missed")],
)
def test_against_runs_of_random_programs(exchanges: bool):
    """What paths through a program meet is what the chains say, or less where buffers change."""
    for seed in range(150):
        rng = random.Random(seed)
        body = "\n".join(_random_body(rng, ["%a", "%b"], exchanges, 2, count()))
        function, accesses = _host(body)
        known = DefUse(function, accesses)
        said = {
            (d, u) for chain in known.chains.values() for d, uses in chain.items() for u in uses
        }
        met: set[tuple[Operation, Operation]] = set()
        for _ in range(100 if exchanges else 2000):
            met |= _Run(function, accesses, rng).met
            if met == said:
                break
        assert met <= said, body
        assert exchanges or met == said, body


def test_removed_transfers_change_no_result():
    """The interpreter's results of random programs, before and after."""
    removed = 0
    for seed in range(24):
        rng = random.Random(seed)
        body = "\n".join(_random_body(rng, ["%a", "%b"], seed % 2 == 0, 2, count()))
        # What the buffers hold at first is defined, and all that they hold at last is seen.
        first = "".join(f"host.fill %{d} with %v : !host.buffer<i32>\n" for d in "ab")
        last = "".join(
            f"host.copy %{d} to %t : {BUFFERS}\n"
            f"host.read %t to %h{d} : !host.buffer<i32>, memref<?xi32>\n"
            for d in "ab"
        )
        more = "%t = host.buffer %n : !host.buffer<i32>\n"
        text = f"{KERNEL}{HOST}{more}{first}{body}\n{last}func.return\n}}"
        text = text.replace(
            "(%h: memref<?xi32>,", "(%h: memref<?xi32>, %ha: memref<?xi32>, %hb: memref<?xi32>,"
        )
        module = polycl.load(text, language="mlir").module
        found = _results(module)
        before = str(module).count("host.")
        OclRemoveTransfersPass().apply(Context(), module)
        module.verify()
        removed += before - str(module).count("host.")
        assert _results(module) == found, text
    assert removed > 24


def _results(module: ModuleOp) -> list[list[int]]:
    """What the program leaves in its arrays, whether it takes its branch or not."""
    found: list[list[int]] = []
    for c in (False, True):
        arrays = {
            name: np.arange(4, dtype=np.int32) + 10 * n for n, name in enumerate(("h", "ha", "hb"))
        }
        polycl.Program(module.clone()).host("main")(*arrays.values(), 4, 2, 7, c, device="interp")
        found += [array.tolist() for array in arrays.values()]
    return found


def _random_body(
    rng: random.Random, buffers: list[str], exchanges: bool, depth: int, names: Iterator[int]
) -> Iterator[str]:
    for _ in range(rng.randint(1, 3)):
        x, y = rng.choice([buffers, buffers[::-1]])
        kind = rng.choice(["write", "part", "read", "copy", "launch", "for", "if", "while"])
        inner = _random_body(rng, buffers, exchanges, depth - 1, names) if depth else ()
        match kind:
            case "write":
                yield f"host.write %h to {x} : memref<?xi32>, !host.buffer<i32>"
            case "part":
                yield f"host.fill {x} with %v count %m : !host.buffer<i32>"
            case "read":
                yield f"host.read {x} to %h : !host.buffer<i32>, memref<?xi32>"
            case "copy":
                yield f"host.copy {x} to {y} : !host.buffer<i32>, !host.buffer<i32>"
            case "for" if exchanges and depth:
                p, q, r, s = (f"%x{next(names)}" for _ in range(4))
                two = "!host.buffer<i32>, !host.buffer<i32>"
                yield (
                    f"{r}, {s} = scf.for %i{next(names)} = %c0 to %n step %c1 "
                    f"iter_args({p} = {x}, {q} = {y}) -> ({two}) {{"
                )
                yield from _random_body(rng, [p, q], exchanges, depth - 1, names)
                yield f"scf.yield {rng.choice([f'{p}, {q}', f'{q}, {p}'])} : {two}\n}}"
                buffers = [r, s]
            case "for" if depth:
                yield f"scf.for %i{next(names)} = %c0 to %n step %c1 {{"
                yield from (*inner, "}")
            case "if" if depth:
                yield "scf.if %c {"
                yield from inner
                if rng.random() < 0.5:
                    yield "} else {"
                    yield from _random_body(rng, buffers, exchanges, depth - 1, names)
                yield "}"
            case "while" if depth:
                i, j, k, go = (f"%w{next(names)}" for _ in range(4))
                yield f"scf.while ({i} = %c0) : (index) -> index {{"
                yield from inner
                yield f"{go} = arith.cmpi ult, {i}, %c1 : index"
                yield f"scf.condition({go}) {i} : index\n}} do {{\n^bb0({j}: index):"
                yield from _random_body(rng, buffers, exchanges, depth - 1, names)
                yield f"{k} = arith.addi {j}, %c1 : index\nscf.yield {k} : index\n}}"
            case _:
                two = "!host.buffer<i32>, !host.buffer<i32>"
                yield f"host.launch @copy global [%n] ({x}, {y}) : {two}"


class _Run:
    """One path through a program: which definitions a use met in the very object that it uses."""

    def __init__(self, function: FuncOp, accesses: Accesses, rng: random.Random):
        self.accesses, self.rng = accesses, rng
        self.met: set[tuple[Operation, Operation]] = set()
        self.object: dict[SSAValue, SSAValue] = {}
        self.content: dict[SSAValue, set[Operation]] = {
            value: {function} for value in arguments(function)
        }
        self.block(function.body.block)

    def block(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case scf.ForOp():
                    carried = self.objects(op.iter_args)
                    for _ in range(self.rng.randint(0, 2)):
                        self.object.update(zip(op.body.block.args[1:], carried, strict=True))
                        self.block(op.body.block)
                        carried = self.objects(terminator(op.body.block).operands)
                    self.object.update(zip(op.results, carried, strict=True))
                case scf.WhileOp():
                    self.block(op.before_region.block)
                    for _ in range(self.rng.randint(0, 2)):
                        self.block(op.after_region.block)
                        self.block(op.before_region.block)
                case scf.IfOp():
                    for inner in self.rng.choice(op.regions).blocks:
                        self.block(inner)
                case _:
                    self.command(op)

    def objects(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        return [self.object.get(value, value) for value in values]

    def command(self, op: Operation) -> None:
        found = effects(op, self.accesses)
        for effect in found:
            if effect.is_used:
                (memory,) = self.objects([effect.memory])
                self.met |= {(definition, op) for definition in self.content.get(memory, set())}
        for effect in found:
            if effect.is_defined:
                (memory,) = self.objects([effect.memory])
                is_all = isinstance(op, host.WriteOp | host.CopyOp | host.FillOp) and is_whole(op)
                before = set() if is_all else self.content.get(memory, set())
                self.content[memory] = {*before, op}
