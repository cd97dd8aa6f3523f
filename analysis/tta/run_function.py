"""Symbolic execution of a block of the function.

What a block does is read from the IR once (`read_function`), since it is executed for each edge to
it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i1
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.tta.symbolic_memory import Memory
from polycl.analysis.tta.terms import Term, Terms
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.tta import OPSET, AliasAttr, ComputeOp, Kind, LoadOp, StoreOp
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


Number: TypeAlias = int
"""The number of a value of the function."""


@dataclass(eq=False, frozen=True)
class Live:
    """A value that is live at the begin of a block."""

    number: Number
    text: str
    """As in messages."""
    boolean: bool

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Step:
    """An operation of a block."""

    operation: str
    """`select`, or a name of the opset."""
    operands: tuple[Number, ...]
    result: Number = -1
    """Not of a store, whose operands are the address, the value, and the condition if any."""
    alias: AliasAttr | None = None


@dataclass(eq=False)
class Code:
    """A block of the function: all that does not depend on the values at its begin."""

    constants: dict[Number, int] = field(default_factory=dict[Number, int])
    """Their bits."""
    steps: list[Step] = field(default_factory=list[Step])
    live: tuple[Live, ...] = ()
    """The live values at the begin, the block's arguments first."""
    ways: list[tuple[Code, list[tuple[Number, Number]]]] = field(
        default_factory=list[tuple["Code", list[tuple[Number, Number]]]]
    )
    """The successors, that of `true` first. For each value that is live there: its number, and the
    number of what it is before."""
    condition: Number | None = None
    """That of two successors."""
    returns: bool = False
    changing: set[Number] = field(default_factory=set[Number])
    """The arguments that get other values when an edge leads back to the block."""
    parallel: bool = False
    """Whether the block is a loop of which iterations never access the same bytes."""

    @property
    def results(self) -> Iterator[Number]:
        return (step.result for step in self.steps if step.result >= 0)


PARALLEL = "tta.parallel"
"""Attribute of the branch at the end of a loop's block: accesses of different iterations never
overlap."""


def read_function(blocks: list[Block]) -> tuple[list[Code], dict[SSAValue, Number]]:
    """The blocks in their order, and the numbers of values.

    Raises PolyclError for an operation that is not known.
    """
    position = {block: i for i, block in enumerate(blocks)}
    numbers: dict[SSAValue, Number] = {}

    def number(value: SSAValue) -> Number:
        return numbers.setdefault(value, len(numbers))

    found = {block: Code() for block in blocks}
    for block, live in live_values(blocks).items():
        found[block].live = tuple(
            Live(number(v), f"%{v.name_hint or '...'}", v.type == i1) for v in live
        )
    for block, code in found.items():

        def operand(value: SSAValue, code: Code = code) -> Number:
            value = same_bits(value)
            constant = constant_bits(value)
            if constant is not None:
                code.constants[number(value)] = constant
            return number(value)

        for op in block.ops:
            name = _operation(op)
            if name is not None:
                code.steps.append(
                    Step(
                        operation=name,
                        operands=tuple(map(operand, op.operands)),
                        result=number(op.results[0]) if op.results else -1,
                        alias=op.alias if isinstance(op, LoadOp | StoreOp) else None,
                    )
                )
        for successor, passed in edges(block):
            become = {number(a): operand(v) for a, v in zip(successor.args, passed, strict=True)}
            live = [value.number for value in found[successor].live]
            code.ways.append((found[successor], [(n, become.get(n, n)) for n in live]))
            if position[successor] <= position[block]:
                found[successor].changing |= {n for n, before in become.items() if n != before}
        last = block.last_op
        if isinstance(last, cf.ConditionalBranchOp):
            code.condition = operand(last.cond)
        code.returns = isinstance(last, func.ReturnOp)
        code.parallel = last is not None and PARALLEL in last.attributes
    return list(found.values()), numbers


def _operation(op: Operation) -> str | None:
    """The name of an operation; None for one that computes nothing. Raises PolyclError."""
    match op:
        case arith.ConstantOp() | arith.ExtUIOp() | arith.BitcastOp():
            return None
        case cf.BranchOp() | cf.ConditionalBranchOp() | func.ReturnOp():
            return None
        case arith.SelectOp():
            return "select"
        case LoadOp() | StoreOp() | ComputeOp():
            name = op.operation.data
        case arith.CmpiOp():
            name = INTEGER_PREDICATES[predicate_of(op)]
        case arith.CmpfOp():
            predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
            name = FLOAT_PREDICATES.get(predicate, predicate)
        case _:
            name = OPERATIONS.get(type(op), op.name)
    if name not in OPSET:
        raise error_at(op, f"the checker of schedules does not know '{name}'")
    return name


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

    def __init__(self, code: Code, terms: Terms, memory: Memory, entry: Mapping[Number, Term]):
        """`entry` has the block's arguments and live values; accesses are added to `memory`."""
        self.code = code
        self.terms = terms
        self.memory = memory
        self.first_store = len(memory.stores)
        self.entry = entry
        self.values = dict(entry)
        for number, bits in code.constants.items():
            self.values[number] = terms.constant(bits)
        for step in code.steps:
            self._execute(step)
        self.condition = None if code.condition is None else self.values[code.condition]
        """The condition under which the first of two successors follows."""

    def _execute(self, step: Step) -> None:
        values = self.values
        operands = [values[number] for number in step.operands]
        if step.operation == "select":
            result = self.terms.select(*operands)
        elif step.result < 0:
            self._store(step, *operands)
            return
        elif OPSET[step.operation].kind is Kind.LOAD:
            result = self.memory.load(step.operation, operands[0], step.alias)
        else:
            result = self.terms.operation(step.operation, *operands)
        values[step.result] = result

    def _store(self, step: Step, address: Term, value: Term, condition: Term | None = None) -> None:
        if condition == self.terms.one:
            condition = None
        elif condition is not None:
            address, value = (self.terms.where(t, condition) for t in (address, value))
        self.memory.store(step.operation, address, value, step.alias, condition)


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
