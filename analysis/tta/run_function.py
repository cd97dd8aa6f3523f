"""Symbolic execution of a block of the function."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i1
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.tta.symbolic_memory import Memory
from polycl.analysis.tta.terms import Term, Terms
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.tta import OPSET, ComputeOp, LoadOp, StoreOp
from polycl.errors import error_at

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
    arith.MinSIOp: "min",
    arith.MinUIOp: "minu",
    arith.MaxSIOp: "max",
    arith.MaxUIOp: "maxu",
    arith.AddfOp: "addf",
    arith.SubfOp: "subf",
    arith.MulfOp: "mulf",
    arith.DivfOp: "divf",
    arith.NegfOp: "negf",
    arith.SIToFPOp: "cif",
    arith.UIToFPOp: "cifu",
}
INTEGER_PREDICATES = {
    "eq": "eq", "ne": "ne", "slt": "lt", "sle": "le", "sgt": "gt", "sge": "ge",
    "ult": "ltu", "ule": "leu", "ugt": "gtu", "uge": "geu",
}  # fmt: skip
FLOAT_PREDICATES = {
    "oeq": "eqf", "ogt": "gtf", "oge": "gef", "olt": "ltf", "ole": "lef", "une": "nef",
}  # fmt: skip


def same_bits(value: SSAValue) -> SSAValue:
    """The value with the same bits before casts."""
    while isinstance(value.owner, arith.ExtUIOp | arith.BitcastOp):
        value = value.owner.operands[0]
    return value


def constant_bits(value: SSAValue) -> int | None:
    """The 32 bits of a constant; None for other values."""
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    match value.owner.value:
        case IntegerAttr() as number:
            return number.value.data & (1 if number.type == i1 else 0xFFFFFFFF)
        case FloatAttr() as number:
            return struct.unpack("<I", struct.pack("<f", number.value.data))[0]
        case other:
            raise error_at(value.owner, f"expected a constant of type i32, f32 or i1, got {other}")


def edges(block: Block) -> list[tuple[Block, tuple[SSAValue, ...]]]:
    """The successors, that of `true` first, and the values that are passed to their arguments."""
    match block.last_op:
        case cf.BranchOp() as op:
            return [(op.successor, tuple(op.arguments))]
        case cf.ConditionalBranchOp() as op:
            return [
                (op.then_block, tuple(op.then_arguments)),
                (op.else_block, tuple(op.else_arguments)),
            ]
        case _:
            return []


class BlockValues:
    """One execution of a block: the terms of all values at its end, and its condition."""

    def __init__(self, block: Block, terms: Terms, memory: Memory, entry: Mapping[SSAValue, Term]):
        """`entry` has the block's arguments and live values; accesses are added to `memory`."""
        self.block = block
        self.terms = terms
        self.memory = memory
        self.first_store = len(memory.stores)
        self.entry = entry
        self.values = dict(entry)
        for op in block.ops:
            self._execute(op)
        last = block.last_op
        branches = isinstance(last, cf.ConditionalBranchOp)
        self.condition = self.of(last.cond) if branches else None
        """The condition under which the first of two successors follows."""

    def of(self, value: SSAValue) -> Term:
        value = same_bits(value)
        constant = constant_bits(value)
        return self.values[value] if constant is None else self.terms.constant(constant)

    def _execute(self, op: Operation) -> None:
        match op:
            case arith.ConstantOp() | arith.ExtUIOp() | arith.BitcastOp():
                return
            case cf.BranchOp() | cf.ConditionalBranchOp() | func.ReturnOp():
                return
            case arith.SelectOp():
                parts = map(self.of, (op.cond, op.lhs, op.rhs))
                self.values[op.result] = self.terms.select(*parts)
                return
            case LoadOp():
                address = self.of(op.address)
                self.values[op.result] = self.memory.load(op.operation.data, address, op.alias)
                return
            case StoreOp():
                self._store(op)
                return
            case ComputeOp():
                name = op.operation.data
            case arith.CmpiOp():
                predicate = predicate_of(op)
                name = INTEGER_PREDICATES[predicate]
            case arith.CmpfOp():
                predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
                name = FLOAT_PREDICATES.get(predicate, predicate)
            case _:
                name = OPERATIONS.get(type(op), op.name)
        if name not in OPSET:
            raise error_at(op, f"the checker of schedules does not know '{name}'")
        self.values[op.results[0]] = self.terms.operation(name, *map(self.of, op.operands))

    def _store(self, op: StoreOp) -> None:
        address, value, condition = self.of(op.address), self.of(op.value), None
        if op.condition is not None:
            condition = self.of(op.condition)
            if condition == self.terms.one:
                condition = None
            else:
                address, value = (self.terms.where(t, condition) for t in (address, value))
        self.memory.store(op.operation.data, address, value, op.alias, condition)


def live_values(blocks: list[Block]) -> dict[Block, list[SSAValue]]:
    """The live values at the begin of each block, with its arguments."""
    read: dict[Block, set[SSAValue]] = {}
    own: dict[Block, set[SSAValue]] = {}
    for block in blocks:
        own[block] = {*block.args, *(r for op in block.ops for r in op.results)}
        operands = {same_bits(v) for op in block.ops for v in op.operands}
        read[block] = {v for v in operands if constant_bits(v) is None} - own[block]
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            for successor, _ in edges(block):
                more = read[successor] - own[block] - read[block]
                read[block] |= more
                changed |= bool(more)
    return {block: [*block.args, *read[block]] for block in blocks}
