"""Writes the statements of one kernel or function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar
from typing import cast as assume

from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.addresses import root_of
from polycl.backends.opencl_c.breaks import Breaks
from polycl.backends.opencl_c.c_types import (
    BOOL,
    SIGNED,
    Number,
    TypeNames,
    identifier,
    is_number,
    number,
    types_at,
)
from polycl.backends.opencl_c.folding import Effect, Effects, Folding, naming_cast
from polycl.backends.opencl_c.signs import Signs
from polycl.backends.opencl_c.text import (
    Expr,
    as_pointer,
    assignment,
    call,
    cast,
    reinterpret,
    typed,
)
from polycl.backends.opencl_c.variables import Variables
from polycl.dialects import ocl, vec
from polycl.dialects.parents import owner_of
from polycl.errors import error_at, location_of

Location = tuple[str, int, int]
Expression = Callable[["Writer", Operation], Expr]
Statement = Callable[["Writer", Operation], None]


Op = TypeVar("Op", bound=Operation)
Text = TypeVar("Text")


class _Table(dict[type[Operation], Callable[["Writer", Operation], Text]]):
    """The function that writes each class of operations."""

    def of(
        self, *classes: type[Op]
    ) -> Callable[[Callable[[Writer, Op], Text]], Callable[[Writer, Op], Text]]:
        """A decorator: the function writes operations of these classes, and their vector forms."""

        def enter(write: Callable[[Writer, Op], Text]) -> Callable[[Writer, Op], Text]:
            # The table has it for operations of these classes only.
            untyped = assume("Callable[[Writer, Operation], Text]", write)
            self.update(dict.fromkeys(vec.both(*classes), untyped))
            return write

        return enter


Expressions = _Table[Expr]
"""Operations that are expressions of C."""

Statements = _Table[None]
"""Operations that are statements of C."""


@dataclass
class Shared:
    """The state that all functions of a module share."""

    signs: Signs
    types: TypeNames
    expressions: dict[type[Operation], Expression]
    statements: dict[type[Operation], Statement]
    effects: Effects
    helpers: dict[str, str] = field(default_factory=dict)
    """The text of functions that OpenCL C lacks, by name."""

    extensions: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    """The names of functions that variables must not hide."""


@dataclass(frozen=True)
class Line:
    text: str
    depth: int
    location: Location | None


class Writer:
    """Writes one body, line by line."""

    def __init__(self, shared: Shared, body: Block, reserved: Iterable[str]):
        self.shared = shared
        self.lines: list[Line] = []
        self._const: set[SSAValue] = set()
        self.folding = Folding(body, self._is_expression, shared.effects)
        self.variables = Variables(body, self.folding, self._same_type)
        self.breaks = Breaks(body, self.folding, self.variables, shared.effects)
        self.all_names: set[str] = set()
        self._values: dict[SSAValue, Expr] = {}
        self._scopes: list[set[str]] = [set(reserved)]
        self._location: Location | None = None

    def _is_expression(self, op: Operation) -> bool:
        return type(op) in self.shared.expressions and len(op.results) <= 1

    def _same_type(self, a: SSAValue, b: SSAValue) -> bool:
        if not is_number(a.type):
            same = self.shared.signs.of(a) == self.shared.signs.of(b)
            return same and self.is_const(a) == self.is_const(b)
        return self.type_of(a) == self.type_of(b)

    # Types

    def type_of(self, value: SSAValue) -> Number:
        """The C type of a variable for `value`. Vectors of i1 are integers, 0 or -1."""
        type = value.type
        cast = naming_cast(value)
        if cast is not None:
            return self.type_of(cast.result)
        if isinstance(type, VectorType) and type.element_type == IntegerType(1):
            return Number(SIGNED[self._mask_width(value)], type.element_count())
        return self.number(type, self.shared.signs.of(value), value)

    def number(self, type: Attribute, unsigned: bool, value: SSAValue) -> Number:
        with types_at(owner_of(value)):
            return number(type, unsigned)

    def _mask_width(self, value: SSAValue) -> int:
        owner = value.owner
        match owner:
            case arith.CmpiOp() | arith.CmpfOp() | vec.CmpiOp() | vec.CmpfOp():
                return self.type_of(owner.lhs).width
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
                other = owner.rhs if isinstance(owner.lhs.owner, arith.ConstantOp) else owner.lhs
                return self._mask_width(other)
            case arith.SelectOp() | vec.SelectOp():
                return self._mask_width(owner.lhs)
            case ocl.BuiltinOp():
                return self.type_of(owner.arguments[0]).width
            case _:
                return 32

    def is_const(self, pointer: SSAValue) -> bool:
        """Whether a pointer is derived from a parameter that is const."""
        return root_of(pointer) in self._const

    def declaration(self, value: SSAValue, name: str) -> str:
        """The declaration of a variable for `value`."""
        if is_number(value.type):
            return f"{self.type_of(value)} {name}"
        return self.declare(value.type, value, name)

    def declare(self, type: Attribute, value: SSAValue, name: str) -> str:
        qualifiers = "const" if isinstance(type, ocl.PtrType) and self.is_const(value) else ""
        unsigned = self.shared.signs.of(value)
        with types_at(owner_of(value)):
            return self.shared.types.declare(type, unsigned, name, qualifiers=qualifiers)

    def pointer_type(self, value: SSAValue, volatile: bool = False) -> str:
        qualifiers = " ".join(["const"] * self.is_const(value) + ["volatile"] * volatile)
        return self.shared.types.pointer(
            ocl.pointer_type(value), self.shared.signs.of(value), qualifiers
        )

    # Names

    def name(self, wanted: str) -> str:
        """A new name in this scope."""
        wanted = identifier(wanted)
        name, count = wanted, 0
        taken = set[str]().union(*self._scopes)
        while name in taken:
            count += 1
            name = f"{wanted}_{count}"
        self._scopes[-1].add(name)
        self.all_names.add(name)
        return name

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Lines in the `with` block are indented, and their names are local to it."""
        self._scopes.append(set())
        yield
        self._scopes.pop()

    def parameter(self, argument: BlockArgument, name: str, const: bool = False) -> str:
        name = self.name(name)
        if const:
            self._const.add(argument)
        self.bind(argument, name)
        return name

    def bind(self, value: SSAValue, name: str) -> None:
        """Let `name` be the variable of `value` and of the values that share it."""
        self._values[self.variables.of(value)] = self._variable(value, name)

    def bind_expression(self, value: SSAValue, expression: Expr) -> None:
        self._values[self.variables.of(value)] = expression

    def _variable(self, value: SSAValue, name: str) -> Expr:
        type = self.type_of(value) if is_number(value.type) else None
        found = Expr(name, type, reads=frozenset({name}))
        return as_pointer(found) if isinstance(value.type, ocl.PtrType) else found

    # Values

    def is_declared(self, value: SSAValue) -> bool:
        return self.variables.of(value) in self._values

    def expression(self, value: SSAValue) -> Expr:
        """The expression for `value`: its variable, or the operation that is folded."""
        owner = value.owner
        if isinstance(owner, Operation) and owner in self.folding.folded:
            return self._of_operation(owner)
        found = self._values.get(self.variables.of(value))
        assert found is not None, f"{value} is used before it is written"
        return found

    def _of_operation(self, op: Operation) -> Expr:
        write = self.shared.expressions.get(type(op))
        if write is None:
            raise error_at(op, f"OpenCL C has nothing for '{op.name}'")
        with types_at(op):
            return write(self, op)

    def exact(self, value: SSAValue) -> Expr:
        """`value` with exactly the type of its variable, as function arguments need it."""
        found = self.expression(value)
        return self.convert(found, self.type_of(value)) if is_number(value.type) else found

    def exactly(self, value: SSAValue, type: Number) -> Expr:
        """The bits of `value` with exactly the C type `type`."""
        return self.convert(self.expression(value), type)

    def convert(self, expr: Expr, type: Number) -> Expr:
        if type.lanes > 1 and expr.number.width != type.width:
            # A mask whose elements have another width.
            return call(f"convert_{type}", expr, type=type)
        return typed(reinterpret(expr, type))

    # Lines

    @contextmanager
    def at(self, op: Operation) -> Iterator[None]:
        """Lines in the `with` block have the location of `op`."""
        before = self._location
        self._location = location_of(op) or before
        yield
        self._location = before

    def line(self, text: str, *, close: bool = False) -> None:
        location = None if close else self._location
        self.lines.append(Line(text, len(self._scopes) - 1, location))

    def header(self, text: str) -> None:
        """A line that opens a scope and uses names of that scope."""
        self.lines.append(Line(text, len(self._scopes) - 2, self._location))

    def replace(self, index: int, text: str) -> None:
        self.lines[index] = replace(self.lines[index], text=text)

    def names_here(self) -> frozenset[str]:
        """The names of the innermost scope."""
        return frozenset(self._scopes[-1])

    def saved(self, condition: Expr) -> Expr:
        """A new variable with the value of `condition`."""
        name = self.name("goes_on")
        self.line(f"bool {name} = {condition.text};")
        return Expr(name, condition.type, reads=frozenset({name}))

    def assign(self, value: SSAValue, expression: Expr) -> None:
        """Assign `expression` to the variable of `value`, which is declared if it is new."""
        found = self.assigned(value, expression)
        if self.is_declared(value):
            self.line(assignment(self.expression(value).text, found))
        else:
            name = self.name(self.name_for(value))
            self.line(f"{self.declaration(value, name)} = {found.text};")
            self.bind(value, name)

    def assigned(self, value: SSAValue, expression: Expr) -> Expr:
        """`expression` as it is assigned to the variable of `value`."""
        if expression.type is None:
            return expression
        return self.fitting(expression, self.type_of(value))

    def fitting(self, expression: Expr, target: Number) -> Expr:
        """`expression` as it is assigned to an object of type `target`."""
        if target.lanes > 1:
            return self.convert(expression, target)
        if expression.literal is not None:
            literal = cast(expression, target)
            return typed(literal) if literal.text.startswith("-") else literal
        inner = expression.inner
        numbers = (target, expression.number) + (() if inner is None else (inner.number,))
        plain = not any(number.is_float or number == BOOL for number in numbers)
        # C converts integers in assignments.
        is_void = inner is not None and plain and expression.number.width == target.width
        return inner if inner is not None and is_void else expression

    def declare_empty(self, values: Iterable[SSAValue]) -> None:
        """Declare the variables of `values` that are new."""
        for value in values:
            if not self.is_declared(value) and not self.breaks.is_dropped(value):
                name = self.name(self.name_for(value))
                self.line(f"{self.declaration(value, name)};")
                self.bind(value, name)

    def name_for(self, value: SSAValue) -> str:
        """The name in the source, or a name for the operation or the type."""
        members = self.variables.members(value)
        cast = naming_cast(value)
        if cast is not None and cast.result.name_hint is not None:
            return cast.result.name_hint
        hints = [v.name_hint for v in members if v.name_hint is not None]
        if hints:
            return max(hints, key=hints.count)
        owner = value.owner
        if isinstance(owner, Operation) and type(owner) in _NAMES:
            dimension = getattr(owner, "dimension", 0)
            return _NAMES[type(owner)] + ("", "_y", "_z")[dimension]
        match value.type:
            case ocl.PtrType():
                return "p"
            case VectorType():
                return "v"
            case _:
                return "t"

    def copies(self, targets: Sequence[SSAValue], sources: Sequence[SSAValue]) -> None:
        """Assign `sources` to the variables of `targets`, all at the same time."""
        todo: list[tuple[SSAValue, Expr]] = []
        for target, source in zip(targets, sources, strict=True):
            if self.copies_are_void([target], [source]):
                continue
            if isinstance(source.owner, ub.PoisonOp):
                self.declare_empty([target])
            else:
                todo.append((target, self.expression(source)))
        hints = {id(e): s.name_hint for (_, e), s in zip(todo, sources, strict=False)}
        while todo:
            for index, (target, expression) in enumerate(todo):
                name = self.expression(target).text if self.is_declared(target) else None
                others = [e for i, (_, e) in enumerate(todo) if i != index]
                if name is None or not any(name in other.reads for other in others):
                    del todo[index]
                    self.assign(target, expression)
                    break
            else:
                # The copies form a cycle: save one value in a new variable.
                target, expression = todo[0]
                name = self.name(hints.get(id(expression)) or "next")
                text = self.assigned(target, expression).text
                self.line(f"{self.declaration(target, name)} = {text};")
                todo[0] = (target, self._variable(target, name))

    def copies_are_void(self, targets: Sequence[SSAValue], sources: Sequence[SSAValue]) -> bool:
        """Whether `copies` would write nothing."""
        return all(
            self.breaks.is_dropped(target)
            or (
                self.variables.of(source) is self.variables.of(target)
                and not self.folding.is_folded(source)
            )
            for target, source in zip(targets, sources, strict=True)
        )

    # Statements

    def block(self, block: Block) -> None:
        """The statements of a block, up to its terminator."""
        for op in block.ops:
            if op in self.folding.folded or op.has_trait(IsTerminator):
                continue
            with self.at(op):
                self.operation(op)

    def operation(self, op: Operation) -> None:
        if self.folding.is_written_inside(op):
            expression = self._of_operation(op)
            if op.results and op.results[0].first_use is not None:
                self.assign(op.results[0], expression)
            elif self.shared.effects.of(op) is Effect.WRITES:
                self.line(f"{expression.text};")
            return
        write = self.shared.statements.get(type(op))
        if write is None:
            raise error_at(op, f"OpenCL C has nothing for '{op.name}'")
        with types_at(op):
            write(self, op)

    def helper(self, name: str, text: str) -> None:
        """Define a function that OpenCL C lacks."""
        self.shared.helpers[name] = text

    def call(self, name: str, *arguments: Expr, type: Number | None = None) -> Expr:
        """A call of a function of OpenCL C, which variables must not hide."""
        self.shared.called.add(name)
        return call(name, *arguments, type=type)

    def call_line(self, name: str, *arguments: Expr) -> None:
        """A statement that calls a function of OpenCL C."""
        self.line(f"{self.call(name, *arguments).text};")


_NAMES: dict[type[Operation], str] = {
    ocl.GlobalIdOp: "gid",
    ocl.LocalIdOp: "lid",
    ocl.GroupIdOp: "group",
    ocl.GlobalSizeOp: "global_size",
    ocl.LocalSizeOp: "local_size",
    ocl.EnqueuedLocalSizeOp: "enqueued_local_size",
    ocl.NumGroupsOp: "groups",
    ocl.GlobalOffsetOp: "offset",
    ocl.LocalAllocOp: "shared",
}
