"""Functions of the user as regions of patterns, and patterns as functions of their array."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import update_wrapper
from types import FunctionType
from typing import Any, Generic, ParamSpec

from xdsl.dialects.builtin import IndexType, StringAttr, TupleType
from xdsl.ir import Attribute, Block, Region

from polycl.dialects.pattern import AtOp, GetOp, TupleOp, YieldOp
from polycl.dialects.pattern.types import parts_of
from polycl.frontends.pattern.places import Place, place_of_code, user_place
from polycl.frontends.pattern.trace import add, current, fail, inside, written_at
from polycl.frontends.pattern.types import Type, type_of, type_text
from polycl.frontends.pattern.values import Value, describe, numeric_like

P = ParamSpec("P")

MISSING: Any = object()
"""In the place of the array of a pattern that is used as a function."""


class Composable(Value):
    """Something that can be applied to an array, and composed: `f @ g` is f of g's result."""

    def __init__(self, apply: Callable[..., Any], name: str, place: Place):
        super().__init__(None)
        self._apply = apply
        self.__name__ = name
        self.place = place

    def __call__(self, *args: Any) -> Value:
        return self._apply(*args)

    def __matmul__(self, other: Any) -> Value:
        return composed(self, other)

    def __rmatmul__(self, other: Any) -> Value:
        return composed(other, self)

    # No arithmetic: Python compares functions.
    def __eq__(self, other: object) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self is other

    def __ne__(self, other: object) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self is not other

    __hash__ = object.__hash__

    @property
    def type(self) -> Attribute:
        raise fail(
            f"'{self.__name__}' without its array is a function, not a value; "
            "apply it: f(x) or f @ x"
        )

    def __str__(self) -> str:
        return f"the function {self.__name__}"

    __repr__ = __str__


def composed(f: Any, g: Any) -> Any:
    """`f @ g`: a function, or f of a value."""
    if not callable(f):
        raise fail(f"f @ g: expected a function before '@', got {describe(f)}")
    if isinstance(g, Value) and not isinstance(g, Composable):
        return f(g)
    if isinstance(g, tuple):
        return f(Value(None, as_parts(g)))
    if not callable(g):
        raise fail(f"f @ g: expected a function or a value after '@', got {describe(g)}")
    return Composable(lambda *args: f(g(*args)), f"{name_of(f)} @ {name_of(g)}", user_place())


class Pattern(Generic[P]):
    """A pattern of the user: a function that builds one operation.

        @Pattern
        def join(x: Value = MISSING) -> Value:
            return result(emit(JoinOp, array_of(x, "join").ssa))

    Without its last positional parameter, the array, it is a function of it.
    """

    def __init__(self, function: Callable[P, Value]):
        update_wrapper(self, function)
        self._build = function
        self._signature = inspect.signature(function)
        kinds = self._signature.parameters.values()
        self._last = [p.name for p in kinds if p.kind is p.POSITIONAL_OR_KEYWORD][-1]
        self.__name__ = function.__name__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Value:
        name, last = self.__name__, self._last
        try:
            given = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            several = sum(isinstance(arg, Value) for arg in args) > 1
            remedy = "; write zip(x, y) for an array of pairs" if several else ""
            raise fail(f"{name}: {error}; expected {self}{remedy}") from error
        x: Any = given.arguments.get(last, MISSING)
        if isinstance(x, Value) and not isinstance(x, Composable):
            return self._build(*args, **kwargs)
        init = given.arguments.get("init")
        if x is MISSING and isinstance(init, Value) and init.is_array:
            raise fail(f"{name}: the initial value is missing; expected {self}")
        place = user_place()

        def apply(*arrays: Any) -> Value:
            if len(arrays) != 1 or not isinstance(arrays[0], Value):
                found = ", ".join(map(describe, arrays)) or "nothing"
                raise fail(f"{name}: expected an array, got {found}")
            with written_at(place):
                return self._build(**{**given.arguments, last: arrays[0]})  # pyright: ignore

        partial = Composable(apply, name, place)
        if x is MISSING:
            return partial
        if isinstance(x, Composable):
            return composed(partial, x)
        raise fail(
            f"{name}: expected an array as '{last}', got {describe(x)}; "
            f"the array comes last: {self}"
        )

    def __matmul__(self, other: Any) -> Value:
        return composed(self, other)

    def __rmatmul__(self, other: Any) -> Value:
        return composed(other, self)

    def __str__(self) -> str:
        return f"{self.__name__}{_parameters(self._signature)}"


def _parameters(signature: inspect.Signature) -> str:
    """The parameters without types."""
    names = [
        name if p.kind is p.POSITIONAL_OR_KEYWORD else f"{name}=..."
        for name, p in signature.parameters.items()
    ]
    return f"({', '.join(names)})"


# ---- functions of the user ----


class Named(Composable):
    """A function with a name that stays: `@function`."""

    keeps_name = True

    def __init__(self, f: Callable[..., Any], name: str):
        super().__init__(f, name, place_of_code(f.__code__))
        self.f = f
        annotations = inspect.get_annotations(f, eval_str=True)
        self.result: Type | None = (
            type_of(annotations.pop("return")) if "return" in annotations else None
        )
        self.parameters = {name: type_of(each) for name, each in annotations.items()}
        self.__signature__ = inspect.signature(f)
        self.__doc__ = f.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Value:
        """The function's value, computed in the place of the call."""
        try:
            given = self.__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise fail(f"{self.__name__}: {error}") from error
        for name, expected in self.parameters.items():
            arg = given.arguments.get(name)
            if not isinstance(arg, Value):
                given.arguments[name] = numeric_like(arg, expected.attribute)
            elif arg.type != expected.attribute:
                raise fail(
                    f"{self.__name__}: expected {expected} as '{name}', got {type_text(arg.type)}"
                )
        value = self.f(*given.args, **given.kwargs)
        if self.result is None:
            return value
        found = as_value(value, self.f, self.result.attribute)
        if found.type != self.result.attribute:
            raise self.place.error(
                f"{self.__name__} returns {type_text(found.type)}, expected {self.result}, "
                "the type after '->'"
            )
        return found


def function(f: Callable[P, Any] | None = None, *, name: str | None = None) -> Callable[P, Value]:
    """A function whose name stays in the program: `pattern.name`, and the paper's notation.

    Types of parameters and of the result are checked where they are given.
    """
    if f is None:
        return lambda f: function(f, name=name)  # pyright: ignore
    return Named(f, name or f.__name__)


def name_of(f: object) -> str:
    """What a function is called."""
    return getattr(f, "__name__", type(f).__name__)


def kept_name(f: object, block: Block) -> str | None:
    """The name that a pattern's function keeps: that of `@function` and `@program`, and of a plain
    function of arithmetic. Plain functions of patterns show what they do.
    """
    if getattr(f, "keeps_name", False):
        return name_of(f)
    if not _is_users(f):
        return None
    is_arithmetic = all(
        isinstance(op, _PLAIN) for op in block.ops if op.dialect_name() == "pattern"
    )
    return name_of(f) if is_arithmetic and name_of(f) != "<lambda>" else None


def _is_users(f: object) -> bool:
    """Whether f is a plain function of the user's own."""
    return isinstance(f, FunctionType) and not f.__module__.startswith("polycl.")


_PLAIN = YieldOp, TupleOp, GetOp, AtOp
"""The patterns that are part of arithmetic."""


def body_of(
    what: str, f: Callable[..., Any], types: Sequence[Attribute], like: Attribute | None = None
) -> tuple[Region, dict[str, Attribute]]:
    """A user's function of values of these types as a region, and the attributes of its pattern.

    Its arguments are the parts of tuples. `like`: the type of the result, where it is known.

    Raises:
        SourceError: the function does not fit.
    """
    if not callable(f):
        raise fail(f"{what}: expected a function, got {describe(f)}")
    block = Block(arg_types=[part for type in types for part in parts_of(type)])
    if what in ("generate", "iterate"):
        current().counters.update(a for a in block.args if isinstance(a.type, IndexType))
    values: list[Value] = []
    rest = list(block.args)
    for type in types:
        count = len(parts_of(type))
        own, rest = rest[:count], rest[count:]
        values.append(Value(None, list(map(Value, own))) if count > 1 else Value(own[0]))
    args = arguments_of(what, f, values)
    for name, arg in zip(_names(f, len(args)), args, strict=True):
        if name and isinstance(arg, Value) and not arg.is_tuple:
            arg.ssa_unchecked.name_hint = name
    with inside(block):
        # What a function of the user does has its own places, not that of the pattern around it.
        with written_at(None) if _is_users(f) else nullcontext():
            found = f(*args)
        value = as_value(found, f, like)
        # Before the yield: a part that is not in the program yet is added here.
        values_yielded = [part.ssa for part in value.parts]
        add(YieldOp(*values_yielded))
    name = kept_name(f, block)
    return Region(block), {"pattern.name": StringAttr(name)} if name else {}


def arguments_of(what: str, f: Callable[..., Any], values: list[Value]) -> list[Value]:
    """The values, or the parts of the tuples among them, as many as the function takes."""
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return values
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return values
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    taken = [p for p in parameters if p.kind in kinds]
    required = sum(p.default is p.empty for p in taken)
    last = [*values[:-1], *values[-1].parts] if values[-1].is_tuple else values
    every = [part for value in values for part in (value.parts if value.is_tuple else (value,))]
    for choice in (values, last, every):
        if required <= len(choice) <= len(taken):
            return choice
    found = ", ".join(type_text(value.type) for value in values)
    counts = sorted({len(values), len(last), len(every)})
    raise fail(
        f"{what}: the function {name_of(f)} takes {len(taken)} parameters, expected "
        f"{' or '.join(map(str, counts))}: it is called with {found}"
    )


def _names(f: Callable[..., Any], count: int) -> list[str | None]:
    try:
        names: list[str | None] = []
        names += list(inspect.signature(f).parameters)[:count]
    except (TypeError, ValueError):
        names = []
    return names + [None] * (count - len(names))


def as_parts(values: Sequence[Any]) -> list[Value]:
    """Each value of a Python tuple."""
    found: list[Value] = []
    for value in values:
        if isinstance(value, tuple):
            value = Value(None, as_parts(value))
        if not isinstance(value, Value):
            raise fail(
                f"a part of a tuple is {describe(value)}, whose type is not known; "
                "write f32(1.0) or i32(1)"
            )
        found.append(value)
    return found


def as_value(value: Any, f: Callable[..., Any], like: Attribute | None = None) -> Value:
    """What a user's function returns, as a value. Raises SourceError."""
    code = getattr(f, "__code__", None)
    at = place_of_code(code) if code is not None else None
    if value is None:
        message = (
            f"the function {name_of(f)} returns nothing; expected a value: end it with 'return ...'"
        )
        raise at.error(message) if at is not None else fail(message)
    if isinstance(value, Composable):
        message = (
            f"the function {name_of(f)} returns {value}, which is not applied to an array; "
            "write f(x) or f @ x"
        )
        raise at.error(message) if at is not None else fail(message)
    if isinstance(value, Value):
        return value
    if isinstance(value, tuple | list):
        if isinstance(like, TupleType) and len(like.types) == len(value):
            pairs = zip(value, like.types, strict=True)
            return Value(None, [as_value(part, f, type) for part, type in pairs])
        if len(value) == 1:
            return as_value(value[0], f, like)
        return Value(None, as_parts(tuple(value)))
    if like is not None:
        return numeric_like(value, like)
    if isinstance(value, int | float):
        raise fail(
            f"the function {name_of(f)} returns the number {value}, whose type is not known; "
            f"write {'f32' if isinstance(value, float) else 'i32'}({value})"
        )
    raise fail(f"the function {name_of(f)} returns {describe(value)}, expected a value")
