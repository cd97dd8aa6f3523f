"""goto and labels in the tree, and functions with them as a graph of blocks.

A function with a goto, or with a case label inside an inner statement of its switch, is not
structured here. It becomes blocks of simple statements, each with one terminator (`way`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import walk_statements
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import Expr, Function, Stmt
from polycl.graphs import topological_order


@dataclass(eq=False)
class Goto(Stmt):
    label: str


@dataclass(eq=False)
class Label(Stmt):
    name: str


@dataclass(eq=False)
class CaseLabel(Stmt):
    """A case or default label inside another statement of its switch."""

    values: list[tuple[int, int]]
    is_default: bool


@dataclass(eq=False)
class Jump:
    """Continue at a block."""

    target: SimpleBlock


@dataclass(eq=False)
class Test:
    condition: Expr
    then: SimpleBlock
    otherwise: SimpleBlock


@dataclass(eq=False)
class Choose:
    """Continue at the block of the first inclusive range with the value."""

    value: Expr
    cases: list[tuple[int, int, SimpleBlock]]
    default: SimpleBlock


@dataclass(eq=False)
class End:
    """Return."""

    value: Expr | None


Way: TypeAlias = Jump | Test | Choose | End


@dataclass(eq=False)
class SimpleBlock:
    """Declarations and expressions, then a terminator `way` at `location`."""

    location: Location
    statements: list[Stmt] = field(default_factory=list)
    way: Way = field(default_factory=lambda: End(None))

    def targets(self) -> list[SimpleBlock]:
        match self.way:
            case Jump(target=target):
                return [target]
            case Test(then=then, otherwise=otherwise):
                return [then, otherwise]
            case Choose(cases=cases, default=default):
                return [*(block for _, _, block in cases), default]
            case End():
                return []

    def expressions(self) -> list[Expr]:
        """The expressions of the terminator."""
        match self.way:
            case Test(condition=expr) | Choose(value=expr) | End(value=tree.Expr() as expr):
                return [expr]
            case _:
                return []


def has_jumps(function: Function) -> bool:
    """Whether the function has control flow that `structure` cannot handle."""
    return any(isinstance(s, Goto | CaseLabel) for s in walk_statements(function.body))


def to_blocks(function: Function) -> list[SimpleBlock]:
    """The reachable blocks in reverse postorder, the entry first.

    Raises:
        UnsupportedError: a goto to a label that the function does not have.
    """
    builder = _Builder(function)
    entry = builder.block
    builder.statements(function.body)
    _skip_empty(entry)
    return topological_order([entry], SimpleBlock.targets)


def _skip_empty(entry: SimpleBlock) -> None:
    """Thread every jump through the blocks that only jump."""

    def final(block: SimpleBlock) -> SimpleBlock:
        seen: set[SimpleBlock] = set()
        while not block.statements and isinstance(block.way, Jump) and block not in seen:
            seen.add(block)
            block = block.way.target
        return block

    for block in topological_order([entry], SimpleBlock.targets):
        match block.way:
            case Jump() as way:
                way.target = final(way.target)
            case Test() as way:
                way.then, way.otherwise = final(way.then), final(way.otherwise)
            case Choose() as way:
                way.cases = [(low, high, final(target)) for low, high, target in way.cases]
                way.default = final(way.default)


@dataclass
class _Switch:
    """The labels of a switch that were read so far."""

    cases: list[tuple[int, int, SimpleBlock]] = field(default_factory=list)
    default: SimpleBlock | None = None


class _Builder:
    """Adds statements at the end of `block`."""

    def __init__(self, function: Function):
        self.block = SimpleBlock(function.location)
        self._labels = {
            statement.name: SimpleBlock(statement.location)
            for statement in walk_statements(function.body)
            if isinstance(statement, Label)
        }
        self._breaks: list[SimpleBlock] = []
        self._continues: list[SimpleBlock] = []
        self._switches: list[_Switch] = []

    def statements(self, statements: list[Stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _end(self, where: Location, way: Way, following: SimpleBlock) -> None:
        """End the block; the next statements belong to `following`."""
        self.block.location = where
        self.block.way = way
        self.block = following

    def _statement(self, statement: Stmt) -> None:
        where = statement.location
        match statement:
            case tree.Evaluate() | tree.Declare():
                self.block.statements.append(statement)
            case tree.Block(body=body):
                self.statements(body)
            case tree.If():
                self._if(statement)
            case tree.While():
                self._while(statement)
            case tree.DoWhile():
                self._do_while(statement)
            case tree.Switch():
                self._switch(statement)
            case tree.Break():
                self._jump(where, self._breaks[-1])
            case tree.Continue():
                self._jump(where, self._continues[-1])
            case tree.Return(value=value):
                self._end(where, End(value), SimpleBlock(where))
            case Goto(label=label):
                if label not in self._labels:
                    raise UnsupportedError(f"there is no label '{label}' in this function", *where)
                self._jump(where, self._labels[label])
            case Label(name=name):
                self._end(where, Jump(self._labels[name]), self._labels[name])
            case CaseLabel():
                self._label(statement.values, statement.is_default, where)
            case _:
                raise AssertionError(f"{statement} in a tree with jumps")

    def _jump(self, where: Location, target: SimpleBlock) -> None:
        # Statements after a jump are reachable by a label only.
        self._end(where, Jump(target), SimpleBlock(where))

    def _if(self, statement: tree.If) -> None:
        where = statement.location
        then, otherwise, after = (SimpleBlock(where) for _ in range(3))
        self._end(where, Test(statement.condition, then, otherwise), then)
        self.statements(statement.then)
        self._end(where, Jump(after), otherwise)
        self.statements(statement.otherwise)
        self._end(where, Jump(after), after)

    def _while(self, loop: tree.While) -> None:
        where = loop.location
        head, body, step, after = (SimpleBlock(where) for _ in range(4))
        self._end(where, Jump(head), head)
        way = Jump(body) if loop.condition is None else Test(loop.condition, body, after)
        self._end(where, way, body)
        self._body(loop.body, step, after)
        self._end(where, Jump(step), step)
        if loop.step is not None:
            self.block.statements.append(tree.Evaluate(loop.step.location, loop.step))
        self._end(where, Jump(head), after)

    def _do_while(self, loop: tree.DoWhile) -> None:
        where = loop.location
        body, test, after = (SimpleBlock(where) for _ in range(3))
        self._end(where, Jump(body), body)
        self._body(loop.body, test, after)
        self._end(where, Jump(test), test)
        self._end(where, Test(loop.condition, body, after), after)

    def _body(self, body: list[Stmt], continue_at: SimpleBlock, break_to: SimpleBlock) -> None:
        self._continues.append(continue_at)
        self._breaks.append(break_to)
        self.statements(body)
        self._continues.pop()
        self._breaks.pop()

    def _switch(self, statement: tree.Switch) -> None:
        where = statement.location
        first, after = SimpleBlock(where), SimpleBlock(where)
        choose = Choose(statement.value, [], after)
        self._end(where, choose, first)
        self._breaks.append(after)
        self._switches.append(_Switch())
        for segment in statement.segments:
            self._label(segment.values, segment.is_default, where)
            self.statements(segment.body)
        labels = self._switches.pop()
        self._breaks.pop()
        choose.cases = labels.cases
        choose.default = labels.default or after
        self._end(where, Jump(after), after)

    def _label(self, values: list[tuple[int, int]], is_default: bool, where: Location) -> None:
        labels, target = self._switches[-1], SimpleBlock(where)
        labels.cases += [(low, high, target) for low, high in values]
        if is_default:
            labels.default = target
        self._end(where, Jump(target), target)
