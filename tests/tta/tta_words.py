"""Executes functions in words (`tta-legalize`) without any machine: operation by operation."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.interpreter import Result
from polycl.dialects.tta import OPSET, AliasAttr, ComputeOp, LoadOp, StoreOp
from polycl.lowering.tta.tta_schedule import Schedule

COMPARE = dict(
    eq="eq", ne="ne", slt="lt", sle="le", sgt="gt", sge="ge", ult="ltu", ule="leu", ugt="gtu",
    uge="geu",
)  # fmt: skip
COMPARE_FLOATS = dict(oeq="eqf", une="nef", olt="ltf", ole="lef", ogt="gtf", oge="gef")
OPERATIONS: dict[type[Operation], str] = {
    arith.AddiOp: "add",
    arith.SubiOp: "sub",
    arith.MuliOp: "mul",
    arith.AndIOp: "and",
    arith.OrIOp: "ior",
    arith.XOrIOp: "xor",
    arith.ShLIOp: "shl",
    arith.ShRSIOp: "shr",
    arith.ShRUIOp: "shru",
    arith.AddfOp: "addf",
    arith.SubfOp: "subf",
    arith.MulfOp: "mulf",
    arith.DivfOp: "divf",
    arith.SIToFPOp: "cif",
    arith.UIToFPOp: "cifu",
}
PLAIN = {
    "add": "{} + {} & 0xFFFFFFFF",
    "sub": "{} - {} & 0xFFFFFFFF",
    "and": "{} & {}",
    "ior": "{} | {}",
    "xor": "{} ^ {}",
    "shl": "{} << ({} & 31) & 0xFFFFFFFF",
    "shru": "{} >> ({} & 31)",
    "eq": "int({} == {})",
    "ne": "int({} != {})",
    "ltu": "int({} < {})",
    "geu": "int({} >= {})",
}
"""What is quicker as Python's own operators."""

STEPS = 30_000_000


class WordsDevice(TtaDevice):
    """The device `tta` without its scheduler and its simulator."""

    def executor(
        self, function: FuncOp, scheduled: Schedule | None = None
    ) -> Callable[[bytearray, int], Result]:
        blocks = _Writer(function).blocks()

        def execute(memory: bytearray, most: int) -> Result:
            values: dict[int, int] = {}
            block: int | None = 0
            left = STEPS
            facts = Facts()
            while block is not None:
                size, run = blocks[block]
                left -= size
                assert left > 0, "too many steps"
                facts.block.clear()
                block = run(values, memory, facts)
            return Result(0, {}, (), ())

        return execute


class Facts:
    """What was said of accesses (`#tta.alias`): accesses that are apart must not meet."""

    def __init__(self) -> None:
        self.ever: dict[int, list[tuple[AliasAttr | None, bool]]] = {}
        """For each byte, the accesses so far, with whether one wrote: one of each set."""
        self.block: dict[int, list[tuple[AliasAttr | None, bool]]] = {}
        """The accesses in this run of a block."""

    def check(self, alias: AliasAttr | None, address: int, size: int, stores: bool) -> None:
        new = alias, stores
        for byte in range(address, address + size):
            for old in self.block.setdefault(byte, []):
                if alias is not None and old[0] is not None and (stores or old[1]):
                    assert not alias.excludes(old[0]), f"{old} and {new} at {byte}"
            self.block[byte].append(new)
            ever = self.ever.setdefault(byte, [])
            if alias is None or alias.set.data < 0:
                continue
            for old, wrote in ever:
                assert old is None or old.set == alias.set or not (stores or wrote), (
                    f"{old} and {alias} at {byte}"
                )
            if not any(old is alias and wrote >= stores for old, wrote in ever):
                ever.append(new)


class _Writer:
    """Writes a Python function for each block; value number n is `v[n]`."""

    def __init__(self, function: FuncOp):
        self.function = function
        self.numbers: dict[SSAValue, int] = {}
        self.aliases: list[AliasAttr] = []
        self.order = {block: i for i, block in enumerate(function.body.blocks)}

    def blocks(self) -> list[tuple[int, Callable[[dict[int, int], bytearray, Facts], int | None]]]:
        names: dict[str, Any] = {"load": _load, "store": _store, "aliases": self.aliases}
        names |= {f"op_{name}": op.compute for name, op in OPSET.items()}
        for block, i in self.order.items():
            lines = [f"  {line}" for op in block.ops for line in self.lines(op)]
            exec(f"def block{i}(v, memory, facts):\n" + "\n".join(lines), names)  # noqa: S102
        return [(len(block.ops), names[f"block{i}"]) for block, i in self.order.items()]

    def at(self, value: SSAValue) -> str:
        return f"v[{self.numbers.setdefault(value, len(self.numbers))}]"

    def lines(self, op: Operation) -> list[str]:
        match op:
            case cf.BranchOp():
                return self.go(op.successor, op.arguments)
            case cf.ConditionalBranchOp():
                then = self.go(op.then_block, op.then_arguments)
                return [
                    f"if {self.at(op.cond)}:",
                    *(f"  {line}" for line in then),
                    *self.go(op.else_block, op.else_arguments),
                ]
            case func.ReturnOp():
                return ["return None"]
            case StoreOp():
                size, guard = OPSET[op.operation.data].size, ""
                if op.condition is not None:
                    guard = f"if {self.at(op.condition)}: "
                address = self.at(op.address)
                return [
                    f"{guard}facts.check({self.alias(op)}, {address}, {size}, True)",
                    f"{guard}store(memory, {address}, {size}, {self.at(op.value)})",
                ]
            case LoadOp():
                size = OPSET[op.operation.data].size
                return [
                    f"facts.check({self.alias(op)}, {self.at(op.address)}, {size}, False)",
                    f"{self.at(op.result)} = {self.expression(op)}",
                ]
            case _:
                return [f"{self.at(op.results[0])} = {self.expression(op)}"]

    def alias(self, op: LoadOp | StoreOp) -> str:
        if op.alias is not None and op.alias not in self.aliases:
            self.aliases.append(op.alias)
        return "None" if op.alias is None else f"aliases[{self.aliases.index(op.alias)}]"

    def go(self, block: Block, arguments: Sequence[SSAValue]) -> list[str]:
        lines = [f"return {self.order[block]}"]
        if arguments:
            targets = ", ".join(map(self.at, block.args))
            lines.insert(0, f"{targets} = {', '.join(map(self.at, arguments))}")
        return lines

    def expression(self, op: Operation) -> str:
        match op:
            case arith.ConstantOp():
                return str(_pattern(op))
            case arith.CmpiOp():
                name = COMPARE[arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]]
            case arith.CmpfOp():
                name = COMPARE_FLOATS[arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]]
            case ComputeOp():
                name = op.operation.data
            case arith.ExtUIOp() | arith.BitcastOp():
                return self.at(op.operands[0])
            case arith.SelectOp():
                return f"{self.at(op.lhs)} if {self.at(op.cond)} else {self.at(op.rhs)}"
            case LoadOp():
                kind = OPSET[op.operation.data]
                return f"load(memory, {self.at(op.address)}, {kind.size}, {kind.signed})"
            case _:
                name = OPERATIONS[type(op)]
        operands = [self.at(operand) for operand in op.operands]
        if name in PLAIN:
            return PLAIN[name].format(*operands)
        return f"op_{name}({', '.join(operands)})"


def _pattern(op: arith.ConstantOp) -> int:
    match op.value:
        case IntegerAttr() as number:
            return number.value.data & (1 if op.result.type == i1 else 0xFFFFFFFF)
        case FloatAttr() as number:
            return struct.unpack("<I", struct.pack("<f", number.value.data))[0]
        case _:
            raise AssertionError(op)


def _check(address: int, size: int, memory: bytearray) -> None:
    aligned, inside = address % size == 0, 64 <= address <= len(memory) - size
    assert aligned, f"access at {address}"
    assert inside, f"access at {address}"


def _load(memory: bytearray, address: int, size: int, signed: bool) -> int:
    _check(address, size, memory)
    data = memory[address : address + size]
    return int.from_bytes(data, "little", signed=signed) & 0xFFFFFFFF


def _store(memory: bytearray, address: int, size: int, number: int) -> None:
    _check(address, size, memory)
    memory[address : address + size] = (number & (1 << 8 * size) - 1).to_bytes(size, "little")
