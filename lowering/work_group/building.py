"""What the passes on the `wg` form share: sizes, and operations added at a place."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import wg
from polycl.errors import error_at

Size3 = tuple[int, int, int]


def constant_index(value: SSAValue) -> int | None:
    """The number that `value` is, if an `arith.constant` says so."""
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as attribute):
            return attribute.value.data
        case _:
            return None


def local_size_of(function: wg.FuncOp) -> Size3:
    """The local size: that of the attributes, which the sizes of every region must confirm."""
    found: Size3 | None = None
    if function.local_size is not None:
        x, y, z = function.local_size.get_values()
        return int(x), int(y), int(z)
    for op in function.body.walk():
        if not isinstance(op, wg.ParallelOp):
            continue
        x, y, z = (constant_index(size) for size in op.sizes)
        if x is None or y is None or z is None:
            raise error_at(
                op,
                f"the local size of '{function.sym_name.data}' is not constant; "
                "run ocl-set-local-size{size=X,Y,Z} before ocl-to-wg",
            )
        # A region with steps is for a part of the work-items.
        if op.step is not None:
            continue
        if found not in (None, (x, y, z)):
            raise error_at(
                op,
                f"a parallel region of size {_text((x, y, z))} in a function for {_text(found)}",
            )
        found = x, y, z
    return found or (1, 1, 1)


def _text(size: Size3) -> str:
    return "x".join(map(str, size))


class Builder:
    """Adds operations at a place, with a location."""

    def __init__(self, anchor: Operation, point: InsertPoint):
        self._anchor = anchor
        self._point = point

    def add(self, op: Operation) -> SSAValue:
        self.add_void(op)
        return op.results[0]

    def add_void(self, op: Operation) -> None:
        op.location = self._anchor.location
        Rewriter.insert_op(op, self._point)


class IndexConstants:
    """Numbers of type index: one constant for each, at the top of the function."""

    def __init__(self, function: wg.FuncOp):
        self._function = function
        self._known: dict[int, SSAValue] = {}

    def __call__(self, value: int) -> SSAValue:
        if value not in self._known:
            top = Builder(self._function, InsertPoint.at_start(self._function.body.block))
            self._known[value] = top.add(arith.ConstantOp(IntegerAttr(value, IndexType())))
            self._known[value].name_hint = f"c{value}"
        return self._known[value]
