"""The typed tree of a function: C with every conversion made explicit and no macro left.

The readers make nodes from libclang's cursors, `structure` rewrites them, and the emitters turn
them into IR. A node for which `is_place` holds is an l-value; `Load` makes a value of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from xdsl.dialects.utils import FastMathFlag

from polycl.dialects.ocl import AddressSpace
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.types import CType

_NUMBERS = re.compile(r"(_\d+)+$")
_LETTERS = re.compile(r"[^\w$.]", re.ASCII)


@lru_cache(1024)
def hint_of(name: str) -> str | None:
    """The name in the IR's text, without the numbers at its end: xDSL's parser takes such a
    number for its own suffix of equal names, and drops it. None for `_1`, which is all number.
    The text has letters of ASCII only."""
    return _LETTERS.sub("_", _NUMBERS.sub("", name)) or None


@dataclass(eq=False, slots=True)
class Variable:
    """A variable or parameter. `number` orders variables as they are declared."""

    name: str
    type: CType
    number: int
    location: Location
    in_memory: bool = False
    volatile: bool = False
    space: AddressSpace = AddressSpace.PRIVATE
    """Local: one instance a work-group. Global: one a program, kept between launches."""
    value: int | None = None
    """Of a sampler that the source defines."""
    symbol: str = ""
    """The name of program-scope data or of a program-scope variable; empty for all others."""
    is_external: bool = False
    """Whether other sources can name it."""
    scope: tuple[int, int, int, int] | None = None
    """In a debug build: the first line and column, and the last, where its name has a meaning."""

    @property
    def hint(self) -> str | None:
        return hint_of(self.name)


@dataclass(eq=False, slots=True)
class Expr:
    location: Location
    type: CType


@dataclass(eq=False, slots=True)
class Const(Expr):
    value: int | float


@dataclass(eq=False, slots=True)
class String(Expr):
    """A string literal: a place, or the initial value of an array of characters."""

    text: str


@dataclass(eq=False, slots=True)
class VarRef(Expr):
    variable: Variable


@dataclass(eq=False, slots=True)
class Literal(Expr):
    """A compound literal in memory: a variable that is initialised where it is evaluated."""

    variable: Variable
    value: Expr


@dataclass(eq=False, slots=True)
class Index(Expr):
    """`pointer[index]`, or `*pointer` where there is no index."""

    pointer: Expr
    index: Expr | None = None


@dataclass(eq=False, slots=True)
class Member(Expr):
    """`base.field` of a place or of a value."""

    base: Expr
    field: str


@dataclass(eq=False, slots=True)
class Lanes(Expr):
    """A swizzle of a place or of a value: `base.xyz`."""

    base: Expr
    lanes: tuple[int, ...]


@dataclass(eq=False, slots=True)
class Element(Expr):
    """`vector[index]` of a place or of a value."""

    base: Expr
    index: Expr


@dataclass(eq=False, slots=True)
class Load(Expr):
    place: Expr


@dataclass(eq=False, slots=True)
class AddressOf(Expr):
    """`&place`, and an array in a value's position."""

    place: Expr


@dataclass(eq=False, slots=True)
class Unary(Expr):
    """One of - ~ ! on the operand."""

    op: str
    operand: Expr


@dataclass(eq=False, slots=True)
class Binary(Expr):
    """Arithmetic or a comparison; one side of + and - may be a pointer."""

    op: str
    left: Expr
    right: Expr
    may_fuse: bool = True
    """Of a product or sum of floats: whether the two may be one operation, rounded once."""


@dataclass(eq=False, slots=True)
class Logical(Expr):
    """`&&` or `||` on scalars (short-circuit) or vectors (not)."""

    op: str
    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class Conditional(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(eq=False, slots=True)
class Comma(Expr):
    first: Expr
    second: Expr


@dataclass(eq=False, slots=True)
class Assign(Expr):
    place: Expr
    value: Expr


@dataclass(eq=False, slots=True)
class CompoundAssign(Expr):
    """`place op= value`, computed in the type `compute`."""

    op: str
    place: Expr
    value: Expr
    compute: CType
    may_fuse: bool = True
    """See `Binary`."""


@dataclass(eq=False, slots=True)
class Increment(Expr):
    """`place++`, `--place`, ...: `delta` is 1 or -1, the value is the old one unless `prefix`."""

    place: Expr
    delta: int
    prefix: bool


@dataclass(eq=False, slots=True)
class Cast(Expr):
    """A C conversion of the operand to this node's type."""

    operand: Expr


@dataclass(eq=False, slots=True)
class Reinterpret(Expr):
    """`as_type(operand)`."""

    operand: Expr


@dataclass(eq=False, slots=True)
class Call(Expr):
    function: str
    arguments: list[Expr]


@dataclass(eq=False, slots=True)
class BuiltinCall(Expr):
    name: str
    arguments: list[Expr]


@dataclass(eq=False, slots=True)
class VectorLiteral(Expr):
    parts: list[Expr]


@dataclass(eq=False, slots=True)
class Aggregate(Expr):
    """A struct, union or array value: a part without an entry is zero.

    The keys are field names or element numbers; the order is that of evaluation.
    """

    entries: dict[str | int, Expr]


@dataclass(eq=False, slots=True)
class Stmt:
    location: Location


@dataclass(eq=False, slots=True)
class Evaluate(Stmt):
    expr: Expr


@dataclass(eq=False, slots=True)
class Declare(Stmt):
    variable: Variable
    initializer: Expr | None


@dataclass(eq=False, slots=True)
class If(Stmt):
    condition: Expr
    then: list[Stmt]
    otherwise: list[Stmt] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class While(Stmt):
    """`for` and `while`: each iteration is condition (None: true), body, step."""

    condition: Expr | None
    body: list[Stmt]
    step: Expr | None = None
    unroll: int | None = None
    """The hint of `#pragma unroll`, as `ocl.unroll` has it."""


@dataclass(eq=False, slots=True)
class DoWhile(Stmt):
    body: list[Stmt]
    condition: Expr
    unroll: int | None = None


@dataclass(eq=False, slots=True)
class CountedLoop(Stmt):
    """A loop whose trip count is known when it starts.

    The variable runs from its present value by `step` until `bound` (which it reaches if
    `inclusive`); the step is subtracted if `descending`. A `do` runs `at_least_once`.
    """

    variable: Variable
    bound: Expr
    step: Expr
    inclusive: bool
    descending: bool
    unsigned: bool
    body: list[Stmt]
    unroll: int | None = None
    at_least_once: bool = False


@dataclass(eq=False, slots=True)
class Segment:
    """The statements after one group of labels; `values` are inclusive ranges."""

    values: list[tuple[int, int]]
    is_default: bool
    body: list[Stmt]


@dataclass(eq=False, slots=True)
class Switch(Stmt):
    value: Expr
    segments: list[Segment]


@dataclass(eq=False, slots=True)
class Block(Stmt):
    body: list[Stmt]


@dataclass(eq=False, slots=True)
class Break(Stmt):
    pass


@dataclass(eq=False, slots=True)
class Continue(Stmt):
    pass


@dataclass(eq=False, slots=True)
class Return(Stmt):
    value: Expr | None


@dataclass(eq=False, slots=True)
class Function:
    """A function's definition, with a kernel's attributes."""

    name: str
    location: Location
    result: CType
    parameters: list[Variable]
    body: list[Stmt]
    is_kernel: bool = False
    sizes: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    vec_type_hint: str = ""
    sub_group_size: int | None = None
    """The size that it requires of its sub-groups."""
    assumptions: list[str] = field(default_factory=list)
    """The texts after "assume:" in `annotate` attributes."""
    parameter_flags: list[tuple[str, ...]] = field(default_factory=list)
    parameter_typedefs: list[str] = field(default_factory=list)
    """The parameters' types by the names of typedefs of the source; empty for other types."""
    temporaries: list[Variable] = field(default_factory=list)
    """Variables that are declared inside expressions."""
    calls: list[Call] = field(default_factory=list)
    """All calls of functions that the source declares."""
    is_external: bool = True
    """Whether other sources can call it."""
    is_uniform: bool = True
    """Whether a kernel's launches have groups of one size only."""
    permitted: tuple[FastMathFlag, ...] = ()
    """What the options of its source permit of float arithmetic."""


def is_place(expr: Expr) -> bool:
    """Whether the expression is a variable or memory (an l-value) rather than a value."""
    match expr:
        case VarRef() | Literal() | Index() | String():
            return True
        case Member() | Lanes() | Element():
            return is_place(expr.base)
        case _:
            return False


def read(variable: Variable, where: Location) -> Expr:
    """The value of a variable."""
    return Load(where, variable.type, VarRef(where, variable.type, variable))


def assignment(variable: Variable, value: Expr, where: Location) -> Expr:
    """`variable = value`."""
    return Assign(where, variable.type, VarRef(where, variable.type, variable), value)


def root(place: Expr) -> Expr:
    """The variable or dereference that a place is a part of."""
    while isinstance(place, Member | Lanes | Element):
        place = place.base
    return place


def space_of(place: Expr) -> AddressSpace:
    """The address space that a place lies in."""
    match root(place):
        case Index(pointer=pointer):
            return pointer.type.space
        case String():
            return AddressSpace.CONSTANT
        case VarRef(variable=variable):
            return variable.space
        case _:
            return AddressSpace.PRIVATE


def _index_parts(expr: Index) -> list[Expr]:
    return [expr.pointer] if expr.index is None else [expr.pointer, expr.index]


_PARTS: dict[type[Expr], Callable[..., Sequence[Expr]]] = {
    Index: _index_parts,
    Member: lambda expr: (expr.base,),
    Lanes: lambda expr: (expr.base,),
    Element: lambda expr: (expr.base, expr.index),
    Literal: lambda expr: (expr.value,),
    Load: lambda expr: (expr.place,),
    AddressOf: lambda expr: (expr.place,),
    Increment: lambda expr: (expr.place,),
    Unary: lambda expr: (expr.operand,),
    Cast: lambda expr: (expr.operand,),
    Reinterpret: lambda expr: (expr.operand,),
    Binary: lambda expr: (expr.left, expr.right),
    Logical: lambda expr: (expr.left, expr.right),
    Conditional: lambda expr: (expr.condition, expr.then, expr.otherwise),
    Comma: lambda expr: (expr.first, expr.second),
    Assign: lambda expr: (expr.place, expr.value),
    CompoundAssign: lambda expr: (expr.place, expr.value),
    Call: lambda expr: expr.arguments,
    BuiltinCall: lambda expr: expr.arguments,
    VectorLiteral: lambda expr: expr.parts,
    Aggregate: lambda expr: list(expr.entries.values()),
}


def children(expr: Expr) -> Sequence[Expr]:
    """The direct operands, in order of evaluation."""
    parts = _PARTS.get(type(expr))
    return () if parts is None else parts(expr)
