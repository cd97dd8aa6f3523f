"""Builds the dependence graph of a basic block of `arith` and `tta` operations."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue

from polycl.dialects.tta import ComputeOp, LoadOp, Machine, Register, StoreOp
from polycl.errors import error_at
from polycl.lowering.tta import word_builder
from polycl.lowering.tta.tta_schedule.block_graph import (
    COPY,
    ENTRY,
    GUARD,
    JUMP,
    SELECT,
    Graph,
    Operand,
    Value,
)

BINARY: dict[type[Operation], str] = {
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
SAME_BITS = (arith.ExtUIOp, arith.BitcastOp)
INTEGER_COMPARISONS = "eq ne lt le gt ge ltu leu gtu geu".split()
FLOAT_COMPARISONS = {1: "eqf", 2: "gtf", 3: "gef", 4: "ltf", 5: "lef", 13: "nef"}
"""By the predicates of `arith.cmpf`: oeq ogt oge olt ole, and une."""


def source_of(value: SSAValue) -> SSAValue:
    """The value with the same bits before casts."""
    while isinstance(value.owner, SAME_BITS):
        value = value.owner.operands[0]
    return value


def constant_of(value: SSAValue) -> int | None:
    """The 32 bits of a constant; None for other values."""
    found = word_builder.constant_of(value)
    if found is None and isinstance(value.owner, arith.ConstantOp):
        raise error_at(value.owner, f"expected a constant of type i32, f32 or i1, got {value.type}")
    return found


@dataclass
class Builder:
    """Builds the graph of one block; `registers` are the registers of values that cross blocks."""

    machine: Machine
    registers: dict[SSAValue, Register]
    copy_guards: bool
    """Whether each condition is copied to a guard register before it guards a move."""
    graph: Graph = field(default_factory=Graph)
    values: dict[SSAValue, Operand] = field(default_factory=dict[SSAValue, Operand])

    def operand(self, ssa: SSAValue) -> Operand:
        ssa = source_of(ssa)
        constant = constant_of(ssa)
        if constant is not None:
            return constant
        if ssa not in self.values:
            self.values[ssa] = self.entry(self.registers[ssa])
        return self.values[ssa]

    def entry(self, register: Register) -> Value:
        """The content of a register at the beginning of the block."""
        value = self.graph.entries.get(register)
        if value is None:
            value = Value(-1, ENTRY, target=register)
            self.graph.entries[register] = value
        return value

    def add(self, source: Operation, operation: str, *inputs: Operand) -> Value:
        if operation not in (COPY, SELECT) and not self.machine.units_with(operation):
            raise error_at(
                source, f"'{source.name}' needs '{operation}', which no unit of the machine does"
            )
        boolean = bool(source.results) and source.results[0].type == i1
        index = len(self.graph.values)
        return self.graph.add(Value(index, operation, inputs, boolean=boolean, source=source))

    def block(self, block: Block) -> None:
        for argument in block.args:
            if argument in self.registers:
                self.values[argument] = self.entry(self.registers[argument])
        for op in block.ops:
            self._operation(op)

    def _operation(self, op: Operation) -> None:
        match op:
            case arith.ConstantOp() | arith.ExtUIOp() | arith.BitcastOp():
                return
            case cf.BranchOp() | cf.ConditionalBranchOp() | func.ReturnOp():
                return
            case arith.SelectOp():
                self.values[op.result] = self._select(op)
                return
            case arith.CmpiOp():
                name = INTEGER_COMPARISONS[op.predicate.value.data]
            case arith.CmpfOp():
                predicate = op.predicate.value.data
                if predicate not in FLOAT_COMPARISONS:
                    raise error_at(op, "expected one of oeq ogt oge olt ole une: legalise others")
                name = FLOAT_COMPARISONS[predicate]
            case ComputeOp() | LoadOp():
                name = op.operation.data
            case StoreOp():
                self._store(op)
                return
            case _:
                name = BINARY.get(type(op), "")
        if not name:
            raise error_at(
                op, f"'{op.name}' is not an operation of the processor: legalise it before"
            )
        value = self.add(op, name, *map(self.operand, op.operands))
        if isinstance(op, LoadOp):
            value.alias = op.alias
        self.values[op.results[0]] = value

    def _store(self, op: StoreOp) -> None:
        condition = None if op.condition is None else self._guard(op, op.condition)
        if isinstance(condition, int):
            if not condition:
                return
            condition = None
        value = Value(
            len(self.graph.values),
            op.operation.data,
            (self.operand(op.address), self.operand(op.value)),
            guard=condition,
            alias=op.alias,
            source=op,
        )
        self.graph.add(value)

    def _select(self, op: arith.SelectOp) -> Operand:
        condition = self._guard(op, op.cond)
        chosen = self.operand(op.lhs), self.operand(op.rhs)
        if isinstance(condition, int):
            return chosen[0 if condition else 1]
        value = Value(
            len(self.graph.values),
            SELECT,
            chosen,
            guard=condition,
            boolean=op.result.type == i1,
            source=op,
        )
        return self.graph.add(value)

    def _guard(self, source: Operation, condition: SSAValue) -> Operand:
        operand = self.operand(condition)
        if isinstance(operand, int) or not self.copy_guards:
            return operand
        index = len(self.graph.values)
        value = Value(index, GUARD, (operand,), boolean=True, source=source)
        return self.graph.add(value)

    def copy(self, source: Operation, value: SSAValue, target: Register) -> None:
        """Adds a copy, so that `target` holds `value` at the end of the block."""
        operand = self.operand(value)
        if isinstance(operand, Value) and operand.operation == ENTRY and operand.target == target:
            operand.live_out = True
            return
        for copy in self.graph.values:
            if copy.operation == COPY and copy.target == target:
                return  # the same value for another successor
        index = len(self.graph.values)
        self.graph.add(Value(index, COPY, (operand,), target=target, source=source))

    def jump(self, source: Operation, condition: SSAValue | None) -> None:
        operand = None if condition is None else self._guard(source, condition)
        index = len(self.graph.values)
        self.graph.jump = self.graph.add(Value(index, JUMP, guard=operand, source=source))
