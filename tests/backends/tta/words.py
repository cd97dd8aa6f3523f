"""Executes functions in words (`tta-legalize`) without any machine: operation by operation."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from polycl.backends.tta.device import TtaDevice
from polycl.dialects.tta import OPSET, ComputeOp, LoadOp, StoreOp

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
STEPS = 5_000_000

Step = Callable[[dict[SSAValue, int], bytearray], None]


class WordsDevice(TtaDevice):
    """The device `tta` without its scheduler and its simulator."""

    def executor(self, function: FuncOp) -> Callable[[bytearray], None]:
        steps = {block: [step_of(op) for op in block.ops] for block in function.body.blocks}

        def execute(memory: bytearray) -> None:
            values: dict[SSAValue, int] = {}
            block = function.body.blocks[0]
            left = STEPS
            while True:
                left -= len(steps[block])
                assert left > 0, "too many steps"
                for step in steps[block]:
                    step(values, memory)
                last = block.last_op
                match last:
                    case cf.BranchOp():
                        arguments, block = last.arguments, last.successor
                    case cf.ConditionalBranchOp():
                        if values[last.cond]:
                            arguments, block = last.then_arguments, last.then_block
                        else:
                            arguments, block = last.else_arguments, last.else_block
                    case _:
                        assert isinstance(last, func.ReturnOp)
                        return
                found = [values[value] for value in arguments]
                values.update(zip(block.args, found, strict=True))

        return execute


def step_of(op: Operation) -> Step:
    match op:
        case arith.ConstantOp():
            pattern = _pattern(op)
            return lambda v, m: v.__setitem__(op.result, pattern)
        case arith.CmpiOp():
            name = COMPARE[arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]]
            return _compute(op, name, op.operands)
        case arith.CmpfOp():
            name = COMPARE_FLOATS[arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]]
            return _compute(op, name, op.operands)
        case ComputeOp():
            return _compute(op, op.operation.data, op.inputs)
        case arith.ExtUIOp() | arith.BitcastOp():
            return lambda v, m: v.__setitem__(op.results[0], v[op.operands[0]])
        case arith.SelectOp():
            return lambda v, m: v.__setitem__(op.result, v[op.lhs] if v[op.cond] else v[op.rhs])
        case LoadOp():
            return _load(op)
        case StoreOp():
            return _store(op)
        case cf.BranchOp() | cf.ConditionalBranchOp() | func.ReturnOp():
            return lambda v, m: None
        case _:
            return _compute(op, OPERATIONS[type(op)], op.operands)


def _pattern(op: arith.ConstantOp) -> int:
    match op.value:
        case IntegerAttr() as number:
            return number.value.data & (1 if op.result.type == i1 else 0xFFFFFFFF)
        case FloatAttr() as number:
            return struct.unpack("<I", struct.pack("<f", number.value.data))[0]
        case _:
            raise AssertionError(op)


def _compute(op: Operation, name: str, operands: Sequence[SSAValue]) -> Step:
    compute: Any = OPSET[name].compute
    result, inputs = op.results[0], tuple(operands)
    return lambda v, m: v.__setitem__(result, compute(*[v[x] for x in inputs]))


def _check(address: int, size: int, memory: bytearray) -> None:
    aligned, inside = address % size == 0, 64 <= address <= len(memory) - size
    assert aligned, f"access at {address}"
    assert inside, f"access at {address}"


def _load(op: LoadOp) -> Step:
    kind = OPSET[op.operation.data]

    def load(values: dict[SSAValue, int], memory: bytearray) -> None:
        address = values[op.address]
        _check(address, kind.size, memory)
        data = memory[address : address + kind.size]
        values[op.result] = int.from_bytes(data, "little", signed=kind.signed) & 0xFFFFFFFF

    return load


def _store(op: StoreOp) -> Step:
    size = OPSET[op.operation.data].size

    def store(values: dict[SSAValue, int], memory: bytearray) -> None:
        if op.condition is not None and not values[op.condition]:
            return
        address = values[op.address]
        _check(address, size, memory)
        number = values[op.value] & (1 << 8 * size) - 1
        memory[address : address + size] = number.to_bytes(size, "little")

    return store
