"""A memref while it is converted: a pointer, and how indices become one offset from it.

The element at `[i, j]` is at `pointer[offset + i * strides[0] + j * strides[1]]`, in elements.
Offsets, sizes and strides are Python integers where the type specifies them, else SSA values of
type `index`; arithmetic on integers makes no operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.uniformity import constant_index
from polycl.errors import error_at
from polycl.lowering.build import Build

Number: TypeAlias = int | SSAValue


@dataclass(frozen=True)
class View:
    """A memref, as above. `pointer` is an `!ocl.ptr` to the type of an element in memory."""

    pointer: SSAValue
    offset: Number
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]


class ViewBuild(Build):
    """Index arithmetic that folds constants."""

    def value(self, number: Number) -> SSAValue:
        """`number` as an SSA value of type index."""
        return number if isinstance(number, SSAValue) else self.index(number)

    def plus(self, a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0:
            return b
        return a if b == 0 else self.add(self.value(a), self.value(b))

    def times(self, a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if a == 0 or b == 0:
            return 0
        if a == 1:
            return b
        return a if b == 1 else self.mul(self.value(a), self.value(b))

    def dot(self, start: Number, left: Sequence[Number], right: Sequence[Number]) -> Number:
        """`start + sum(left * right)`."""
        for a, b in zip(left, right, strict=True):
            start = self.plus(start, self.times(a, b))
        return start

    def row_major(self, sizes: Sequence[Number]) -> tuple[Number, ...]:
        """The strides of an array of `sizes` without gaps, the last dimension fastest."""
        strides: list[Number] = []
        stride: Number = 1
        for size in reversed(sizes):
            strides.append(stride)
            # The product with the first size is not needed.
            if len(strides) < len(sizes):
                stride = self.times(stride, size)
        return tuple(reversed(strides))


def known(number: SSAValue) -> Number:
    """The value of a constant, else `number` itself."""
    constant = constant_index(number)
    return number if constant is None else constant


def layout(op: Operation, type: MemRefType) -> tuple[int | None, tuple[int | None, ...] | None]:
    """(offset, strides) of `type`; None for a number that is known at run time only.

    The strides as a whole are None where they follow from the sizes: row-major, without gaps.

    Raises:
        PolyclError: at `op`: the layout is not an offset with strides.
    """
    match type.layout:
        case NoneAttr():
            return 0, None
        case StridedLayoutAttr() as strided:
            return strided.get_offset(), tuple(strided.get_strides())
        case _:
            raise error_at(
                op,
                f"the layout of {type} is not supported; expected none, or strided<[...]>",
            )


def open_numbers(op: Operation, type: MemRefType) -> tuple[str, ...]:
    """The numbers that `type` leaves open, in order: `offset`, `size0`, `stride1`, ...

    Raises:
        PolyclError: at `op`: the layout is not supported.
    """
    offset, strides = layout(op, type)
    return (
        *(("offset",) if offset is None else ()),
        *(f"size{dim}" for dim, size in enumerate(type.get_shape()) if size < 0),
        *(f"stride{dim}" for dim, stride in enumerate(strides or ()) if stride is None),
    )


def make_view(
    op: Operation,
    type: MemRefType,
    pointer: SSAValue,
    numbers: Mapping[str, Number],
    emitter: ViewBuild,
) -> View:
    """The view of a memref of `type` at `pointer`; `numbers` has all of its `open_numbers`."""
    offset, strides = layout(op, type)
    sizes = tuple(
        numbers[f"size{dim}"] if size < 0 else size for dim, size in enumerate(type.get_shape())
    )
    steps = tuple(
        numbers[f"stride{dim}"] if stride is None else stride
        for dim, stride in enumerate(strides or ())
    )
    return View(
        pointer,
        numbers["offset"] if offset is None else offset,
        sizes,
        emitter.row_major(sizes) if strides is None else steps,
    )


def number_of(view: View, key: str) -> Number:
    """The number of `view` that `open_numbers` calls `key`."""
    if key == "offset":
        return view.offset
    is_size = key.startswith("size")
    return view.sizes[int(key[4:])] if is_size else view.strides[int(key[6:])]
