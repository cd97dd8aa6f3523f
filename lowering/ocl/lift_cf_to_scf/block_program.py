"""The blocks of a function as a graph, and the values that are live across blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import cf, func, ub
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl
from polycl.errors import error_at
from polycl.lowering.ocl.lift_cf_to_scf import region_tree as tree
from polycl.lowering.ocl.lift_cf_to_scf.region_tree import Choice


@dataclass(frozen=True)
class Result:
    """A result of the function."""

    index: int
    type: Attribute


Variable: TypeAlias = SSAValue | Choice | Result
"""What blocks assign and read: a value live across blocks, a choice, a function's result."""


def type_of(variable: Variable) -> Attribute:
    if isinstance(variable, Choice):
        return i1 if variable.arms == 2 else i32
    return variable.type


class BlockProgram:
    """The body of a kernel or function: `successors` is its graph, by numbers of blocks.

    Raises:
        PolyclError: located: a block ends in an operation that is not a known branch or return.
    """

    def __init__(self, function: Operation, result_types: Sequence[Attribute]):
        self.function = function
        self.blocks = list(function.regions[0].blocks)
        self.results = [Result(i, type) for i, type in enumerate(result_types)]
        numbers = {block: number for number, block in enumerate(self.blocks)}
        self._edges = [list(_edges(terminator(block))) for block in self.blocks]
        self.successors = [[numbers[target] for target, _ in edges] for edges in self._edges]
        self._home: dict[SSAValue, int] = {}
        for number, block in enumerate(self.blocks):
            for value in (*block.args, *(result for op in block.ops for result in op.results)):
                self._home[value] = number
        self.uses: list[list[SSAValue]] = []
        """The values of other blocks, and its own arguments, that each block reads."""
        self._leaving: set[SSAValue] = {arg for block in self.blocks for arg in block.args}
        for number, block in enumerate(self.blocks):
            self.uses.append(list(dict.fromkeys(self._outer_operands(number, block))))
            self._leaving.update(self.uses[-1])
            self._leaving.update(terminator(block).operands)
        self.defs = [
            [result for op in block.ops for result in op.results if result in self._leaving]
            for block in self.blocks
        ]
        variables = [v for v in self._home if v in self._leaving]
        self._order: dict[Variable, int] = {v: i for i, v in enumerate([*variables, *self.results])}

    def _outer_operands(self, number: int, block: Block) -> Iterator[SSAValue]:
        for op in operations(block):
            for inner in op.walk():
                for operand in inner.operands:
                    home = self._home.get(operand)
                    if home is not None and (home != number or operand in block.args):
                        yield operand

    def is_variable(self, value: SSAValue) -> bool:
        """Whether `value` may be used outside of its block."""
        return value in self._leaving

    def assignments(self, edge: tree.Pass) -> list[tuple[Variable, SSAValue]]:
        """The variables that an edge assigns in parallel, and their new values."""
        block = self.blocks[edge.node]
        edges = self._edges[edge.node]
        if edges:
            target, operands = edges[edge.slot]
            return list(zip(target.args, operands, strict=True))
        end = terminator(block)
        if isinstance(end, ub.UnreachableOp):
            return []
        return list(zip(self.results, end.operands, strict=True))

    def condition(self, node: int) -> SSAValue:
        """The value that the terminator of a block with several edges tests."""
        return terminator(self.blocks[node]).operands[0]

    def case_values(self, node: int) -> list[int] | None:
        """The values of a `cf.switch` for its edges but the last, which is the default."""
        end = terminator(self.blocks[node])
        if not isinstance(end, cf.SwitchOp):
            return None
        return [] if end.case_values is None else [int(v) for v in end.case_values.get_values()]

    def order(self, variable: Variable) -> int:
        """A number for each variable, in the order of the source; choices come last."""
        if isinstance(variable, Choice):
            return len(self._order) + variable.number
        return self._order[variable]


def operations(block: Block) -> list[Operation]:
    """The operations of a block without its terminator."""
    return list(block.ops)[:-1]


def _edges(op: Operation) -> Iterator[tuple[Block, Sequence[SSAValue]]]:
    match op:
        case cf.BranchOp():
            yield op.successor, op.arguments
        case cf.ConditionalBranchOp():
            yield op.then_block, op.then_arguments
            yield op.else_block, op.else_arguments
        case cf.SwitchOp():
            yield from zip(op.case_blocks, op.case_operand, strict=True)
            yield op.default_block, op.default_operands
        case ocl.ReturnOp() | func.ReturnOp() | ub.UnreachableOp():
            return
        case _:
            raise error_at(
                op,
                f"a block ends in '{op.name}'; expected cf.br, cf.cond_br, cf.switch, "
                "ocl.return, func.return or ub.unreachable",
            )
