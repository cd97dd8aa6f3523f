"""The values of a program, and what Python's operators do with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from xdsl.dialects.builtin import TupleType, VectorType
from xdsl.ir import Attribute, OpResult, SSAValue

from polycl.dialects.pattern import ArrayType, AtOp, GetOp, NatAttr, TupleOp
from polycl.dialects.pattern.types import tuple_of
from polycl.frontends.pattern.sizes import Size
from polycl.frontends.pattern.trace import check_in_scope, emit, fail
from polycl.frontends.pattern.types import type_text


def _arithmetic() -> Any:
    # Late: arithmetic is made of values.
    from polycl.frontends.pattern import arithmetic

    return arithmetic


class Value:
    """A number, a vector, a tuple or an array of a program that is being built.

    A tuple that nothing needs as one value is its `parts`.
    """

    __array_priority__ = 1000

    def __init__(self, value: Any, parts: Sequence[Value] = ()):
        """`value` is that of the IR, or None for `parts`. Type checkers see f32(x) here."""
        self._ssa: SSAValue | None = value
        self._parts = tuple(parts)

    @property
    def type(self) -> Attribute:
        """The type in the IR."""
        if self._ssa is None:
            return tuple_of([part.type for part in self._parts])
        return self._ssa.type

    @property
    def ssa(self) -> SSAValue:
        """The value in the IR. Raises SourceError where it cannot be used."""
        if self._ssa is None:
            self._ssa = emit(TupleOp, *(part.ssa for part in self._parts)).result
        check_in_scope(self._ssa)
        return self._ssa

    @property
    def parts(self) -> tuple[Value, ...]:
        """The parts of a tuple; any other value is its own only part."""
        if self._parts:
            return self._parts
        if not isinstance(self.type, TupleType):
            return (self,)
        return tuple(self._part(number) for number in range(len(self.type.types)))

    @property
    def known_parts(self) -> tuple[Value, ...]:
        """The parts of a tuple that is no value of the IR; empty for all others."""
        return self._parts

    @property
    def is_tuple(self) -> bool:
        """Whether it is a tuple."""
        return len(self._parts) > 1 or isinstance(self.type, TupleType)

    @property
    def is_array(self) -> bool:
        """Whether it is an array; a function without its array is none."""
        return self._ssa is not None and isinstance(self._ssa.type, ArrayType)

    @property
    def ssa_unchecked(self) -> SSAValue:
        """The value in the IR of what is no tuple."""
        assert self._ssa is not None
        return self._ssa

    def _part(self, number: int) -> Value:
        return Value(emit(GetOp, self.ssa, number).result)

    @property
    def size(self) -> Size:
        """The number of elements of an array, as a size."""
        if not isinstance(self.type, ArrayType):
            raise fail(f"only an array has a size, this is {self}")
        return Size(self.type.size)

    @property
    def shape(self) -> tuple[Size, ...]:
        """The sizes of an array, the outermost first."""
        sizes: list[NatAttr] = []
        type = self.type
        while isinstance(type, ArrayType):
            sizes.append(type.size)
            type = type.element_type
        return tuple(map(Size, sizes))

    def __str__(self) -> str:
        return f"a value of type {type_text(self.type)}"

    __repr__ = __str__

    # ---- parts and elements ----

    def __getitem__(self, key: int | Size | Value) -> Value:
        """An element of an array, a part of a tuple, or an element of a vector."""
        if isinstance(key, slice):
            raise fail("a part of an array is take(n, x) or drop(n, x), not a slice")
        match self.type:
            case ArrayType():
                index = _arithmetic().as_index(key, self.type.size)
                return Value(emit(AtOp, self.ssa, index.ssa).result)
            case TupleType():
                count = len(self.parts) if self._parts else len(self.type.types)
                if not isinstance(key, int) or not 0 <= key < count:
                    raise fail(f"a tuple of {count} has no part {key}; expected 0 to {count - 1}")
                return self._parts[key] if self._parts else self._part(key)
            case VectorType():
                return _arithmetic().extract(self, key)
            case _:
                raise fail(f"{self} has no elements; expected an array, a tuple or a vector")

    def __setitem__(self, key: object, value: object) -> NoReturn:
        raise fail(
            "an element of a value cannot be changed; write a new array: map(f, x), "
            "generate(n, lambda i: where(i == 0, a, x[i])), or scatter(f, indices, x)"
        )

    def __iter__(self) -> Iterator[Value]:
        if not isinstance(self.type, TupleType):
            raise fail(
                f"{self} cannot be taken apart or iterated over in Python; write map(f, x) for "
                "each element, and x[i] for one"
            )
        return iter(self.parts)

    # ---- arithmetic ----

    def __add__(self, other: Number) -> Value:
        return _arithmetic().binary("+", self, other)

    def __radd__(self, other: Number) -> Value:
        return _arithmetic().binary("+", other, self)

    def __sub__(self, other: Number) -> Value:
        return _arithmetic().binary("-", self, other)

    def __rsub__(self, other: Number) -> Value:
        return _arithmetic().binary("-", other, self)

    def __mul__(self, other: Number) -> Value:
        return _arithmetic().binary("*", self, other)

    def __rmul__(self, other: Number) -> Value:
        return _arithmetic().binary("*", other, self)

    def __truediv__(self, other: Number) -> Value:
        return _arithmetic().binary("/", self, other)

    def __rtruediv__(self, other: Number) -> Value:
        return _arithmetic().binary("/", other, self)

    def __floordiv__(self, other: Number) -> Value:
        return _arithmetic().binary("//", self, other)

    def __rfloordiv__(self, other: Number) -> Value:
        return _arithmetic().binary("//", other, self)

    def __mod__(self, other: Number) -> Value:
        return _arithmetic().binary("%", self, other)

    def __rmod__(self, other: Number) -> Value:
        return _arithmetic().binary("%", other, self)

    def __pow__(self, other: Number) -> Value:
        return _arithmetic().power(self, other)

    def __and__(self, other: Number) -> Value:
        return _arithmetic().binary("&", self, other)

    def __rand__(self, other: Number) -> Value:
        return _arithmetic().binary("&", other, self)

    def __or__(self, other: Number) -> Value:
        return _arithmetic().binary("|", self, other)

    def __ror__(self, other: Number) -> Value:
        return _arithmetic().binary("|", other, self)

    def __xor__(self, other: Number) -> Value:
        return _arithmetic().binary("^", self, other)

    def __rxor__(self, other: Number) -> Value:
        return _arithmetic().binary("^", other, self)

    def __lshift__(self, other: Number) -> Value:
        return _arithmetic().binary("<<", self, other)

    def __rshift__(self, other: Number) -> Value:
        return _arithmetic().binary(">>", self, other)

    def __neg__(self) -> Value:
        return _arithmetic().negate(self)

    def __pos__(self) -> Value:
        return self

    def __invert__(self) -> Value:
        return _arithmetic().invert(self)

    def __abs__(self) -> Value:
        return _arithmetic().absolute(self)

    def __lt__(self, other: Number) -> Value:
        return _arithmetic().compare("<", self, other)

    def __le__(self, other: Number) -> Value:
        return _arithmetic().compare("<=", self, other)

    def __gt__(self, other: Number) -> Value:
        return _arithmetic().compare(">", self, other)

    def __ge__(self, other: Number) -> Value:
        return _arithmetic().compare(">=", self, other)

    def __eq__(self, other: Number) -> Value:  # pyright: ignore[reportIncompatibleMethodOverride]
        return _arithmetic().compare("==", self, other)

    def __ne__(self, other: Number) -> Value:  # pyright: ignore[reportIncompatibleMethodOverride]
        return _arithmetic().compare("!=", self, other)

    def __hash__(self) -> int:
        return id(self)

    # ---- composition: a pattern without its array is a function of it ----

    def __matmul__(self, other: Any) -> Value:
        raise fail(f"f @ x applies a function to x; {self} is no function")

    def __rmatmul__(self, other: Any) -> Value:
        if not callable(other):
            raise fail(f"f @ x: expected a function before '@', got {describe(other)}")
        found: Any = other(self)
        return found

    def __call__(self, *args: Any) -> Value:
        raise fail(f"{self} is no function")

    # ---- what Python cannot do with a value that is not known yet ----

    def __bool__(self) -> NoReturn:
        raise fail(
            "a value of a program is not known while the program is built: 'if', 'and', 'or', "
            "'not', 'max(a, b)' and 'a < b < c' of Python cannot test it; write where(condition, "
            "a, b), polycl.pattern.max(a, b), and '&', '|', '~' between conditions"
        )

    def __len__(self) -> NoReturn:
        raise fail("the number of elements is x.size, a symbolic size; len(x) is for Python's own")

    def __float__(self) -> NoReturn:
        raise fail(
            "a value of a program is no number of Python: functions of the module math cannot "
            "take it; those of polycl.pattern (sqrt, exp, ...) can, and f32(x) converts it"
        )

    def __int__(self) -> NoReturn:
        raise fail("a value of a program is no number of Python; i32(x) converts it")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> NoReturn:
        raise fail(_numpy(getattr(ufunc, "__name__", "function"), inputs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> NoReturn:
        raise fail(_numpy(getattr(func, "__name__", "function"), ()))

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise fail("a value of a program is no array of numpy")


Number = Value | Size | int | float
"""What can be an operand next to a value."""


def _numpy(name: str, inputs: Sequence[Any]) -> str:
    arrays = [each for each in inputs if not isinstance(each, Value | int | float)]
    if arrays and hasattr(arrays[0], "shape") and arrays[0].shape != ():
        return (
            f"a numpy array of shape {arrays[0].shape} is captured; arrays are arguments of a "
            "call: make it a parameter of the program, Array[f32, N]"
        )
    return (
        f"numpy's '{name}' cannot take a value of a program; write the operators of Python, or "
        "functions of polycl.pattern (sqrt, exp, where, ...)"
    )


def result(op: Any) -> Value:
    """The only result of an operation."""
    (only,) = op.results
    assert isinstance(only, OpResult)
    return Value(only)


def is_number(type: Attribute) -> bool:
    """Whether arithmetic can be done with a type."""
    return not isinstance(type, ArrayType | TupleType)


def numeric_like(value: Any, type: Attribute) -> Value:
    """A number of Python, or a value, as a value of this type. Raises SourceError."""
    return _arithmetic().numeric(value, type)


def array_of(value: object, what: str) -> Value:
    """The value, which is an array. Raises SourceError where it is not."""
    if isinstance(value, Value) and isinstance(value.type, ArrayType):
        return value
    raise fail(f"{what}: expected an array, got {describe(value)}")


def describe(value: object) -> str:
    """What a value is, for messages, with what to do where it is known."""
    if isinstance(value, Value | Size):
        return str(value)
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        shape, dtype = getattr(value, "shape", ()), getattr(value, "dtype", "")
        return (
            f"a numpy array of {dtype} and shape {shape}, which is captured; make it a parameter "
            "of the program, Array[f32, N]"
        )
    if isinstance(value, list):
        return "a list of Python; make it a parameter of the program, Array[f32, N]"
    if callable(value):
        return f"the function {getattr(value, '__name__', value)}"
    return f"{value!r}"
