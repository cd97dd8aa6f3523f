"""Products of 64 rows by four sub-groups, which read them from local memory (`ocl.wgmma`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from xdsl.dialects.builtin import f16
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, Range, exact_div, integer
from polycl.dialects import ocl, pattern
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.tensor import EIGHT_ROWS, ROW
from polycl.dialects.pattern.values import OneToOneOp
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    FragmentView,
    ItemsView,
    Memory,
    View,
)


def emit_wide_products(
    gen: KernelGenerator,
    op: pattern.MmaOp,
    pairs: Sequence[tuple[ArrayView, ArrayView]],
    sums: list[list[SSAValue]],
    steps: Expr,
) -> list[list[SSAValue]]:
    """The sums after the products of each pair; only tensor cores may use them where they overlap.

    Raises:
        PolyclError: located: the matrices are not swizzled rows in local memory.
    """
    emitter, (rows, columns) = gen.emitter, op.shape
    pending = len(pairs) if gen.overlaps_products else 0
    results: list[list[SSAValue]] = []
    for (a, b), c in zip(pairs, sums, strict=True):
        left = _matrix(emitter, op, "a", a, rows, steps)
        right = _matrix(emitter, op, "b", b, columns, steps)
        assert steps.constant is not None
        product = ocl.WgmmaOp(left, right, c, steps.constant, pending)
        emitter.add(product)
        results.append(list(product.results))
    return results


def _matrix(
    emitter: Emitter, op: pattern.MmaOp, name: str, view: ArrayView, rows: int, steps: Expr
) -> ocl.Matrix:
    """Where the rows of an operand are. Raises PolyclError."""
    if steps.constant is None:
        raise error_at(op, f"it adds {steps} products; give the sizes")
    panel = emitter.fresh("panel", Range(integer(0), integer(max(rows // ROW, 1) - 1)))
    row = emitter.fresh("row", Range(integer(0), integer(min(rows, ROW) - 1)))
    k = emitter.fresh("k", Range(integer(0), steps - 1))

    def place(row: Expr, k: Expr) -> Expr | None:
        found = view.at(emitter, row)
        element = found.at(emitter, k) if isinstance(found, ArrayView) else None
        if not isinstance(element, Memory) or not _is_swizzled(element):
            return None
        return emitter.simplified(element).index

    first, any_place = place(integer(0), integer(0)), place(panel * ROW + row, k)
    memory = view.at(emitter, integer(0))
    if first is not None and any_place is not None and exact_div(first, integer(EIGHT_ROWS)):
        assert isinstance(memory, ArrayView)
        element = memory.at(emitter, integer(0))
        assert isinstance(element, Memory)
        start = emitter.kernel.pointer(element.buffer), emitter.index(first)
        distance = any_place - first
        if distance == (panel * ROW + row) * ROW + k and steps.constant <= ROW:
            return ocl.Matrix(*start)
        apart = distance - k * ROW - row
        names = panel.variables
        if all(monomial and set(monomial) == names for monomial, _ in apart.terms):
            stride = sum(coefficient for _, coefficient in apart.terms)
            if rows % ROW == 0 and stride % EIGHT_ROWS == 0:
                return ocl.Matrix(*start, stride)
    raise error_at(
        op,
        f"{name} is not in local memory as tensor cores read it: swizzled rows of {ROW} elements "
        f"along k, or blocks of {ROW} rows of {name}, whose elements are side by side for each k",
    )


def _is_swizzled(place: Memory) -> bool:
    buffer = place.buffer
    return buffer.space is AddressSpace.LOCAL and buffer.swizzled and buffer.element == f16


def overlaps_products(emitter: Emitter, op: pattern.ReduceBase) -> bool:
    """Whether only tensor cores use the accumulators of a reduction, for products of 64 rows."""
    products = [inner for inner in op.body.walk() if isinstance(inner, pattern.MmaOp)]
    return (
        emitter.tensor_cores == 90
        and bool(products)
        and all(product.shape[0] == 64 for product in products)
        and all(_goes_to_products(arg) for arg in op.accumulator_args)
        and all(_is_yielded(product.result, op) for product in products)
    )


def _goes_to_products(value: SSAValue) -> bool:
    """Whether nothing but products reads a value and what it is a part of."""
    for use in value.uses:
        match use.operation:
            case pattern.MmaOp():
                continue
            case pattern.ReduceSeqOp() as user if user.init is value:
                passed: Sequence[SSAValue] = user.accumulator_args
            case pattern.ZipOp() as user:
                maps = [use.operation for use in user.result.uses]
                passed = [op.element_args[use.index] for op in maps if _takes_apart(op)]
                if len(passed) < len(maps):
                    return False
            case OneToOneOp() as user:
                passed = user.results
            case _:
                return False
        if not all(map(_goes_to_products, passed)):
            return False
    return True


def _takes_apart(op: Operation) -> TypeGuard[pattern.MapBase]:
    """Whether it is a map over tuples whose function has an argument for each part."""
    return isinstance(op, pattern.MapLocalOp | pattern.MapSeqOp) and len(op.element_args) > 1


def _is_yielded(value: SSAValue, until: pattern.ReduceBase) -> bool:
    """Whether all that happens to a value is that it is a part of what `until` yields."""
    for use in value.uses:
        user = use.operation
        around = user.parent_op() if isinstance(user, pattern.YieldOp) else user
        match around:
            case _ if around is until:
                continue
            case pattern.ReduceSeqOp() if all(map(_goes_to_products, around.accumulator_args)):
                result = around.results[0]
            case pattern.MapLocalOp() | pattern.MapSeqOp() if around is not user:
                result = around.results[0]
            case pattern.ToPrivateOp() | pattern.AtOp():
                result = around.results[0]
            case _:
                return False
        if not _is_yielded(result, until):
            return False
    return True


def wait_for_products(emitter: Emitter, view: View) -> None:
    """The products in the work-item's registers are there after it."""
    for fragment in _fragments(emitter, view):
        size = fragment.own.size.constant
        assert size is not None
        places = [fragment.own.at(emitter, integer(k)) for k in range(size)]
        wait = ocl.WaitProductsOp([emitter.value(place) for place in places])
        emitter.add(wait)
        for value, place in zip(wait.results, places, strict=True):
            emitter.store(value, place)


def _fragments(emitter: Emitter, view: View) -> Iterator[FragmentView]:
    match view:
        case FragmentView():
            yield view
        case ItemsView() if view.dim is not None:
            yield from _fragments(emitter, view.first)
        case ItemsView():
            assert view.size.constant is not None
            for i in range(view.size.constant):
                yield from _fragments(emitter, view.at(emitter, integer(i)))
        case _:
            return
