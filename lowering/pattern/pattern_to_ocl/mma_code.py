"""Products of fragments: by tensor cores, or as loops of each work-item."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, VectorType, i32
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, Range, div, integer, mod
from polycl.dialects import ocl, pattern
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.pattern.mma import STEPS
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.bodies import GENERATORS
from polycl.lowering.pattern.pattern_to_ocl.fragments import lane, own_places
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    FragmentView,
    Memory,
    View,
)
from polycl.lowering.pattern.pattern_to_ocl.wide_products import emit_wide_products


def _emit_mma(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    assert isinstance(op, pattern.MmaOp)
    rows, columns = op.shape
    if not gen.by_group or gen.shape.local[0] != op.work_items or 0 in gen.emitter.items:
        raise error_at(
            op, f"expected {op.work_items} work-items of a group along dimension 0 to compute it"
        )
    emitter, own = gen.emitter, rows * columns // op.work_items
    operands = [[scope.view(value, emitter) for value in op.operands] for scope in scopes]
    sums: list[list[SSAValue]] = []
    for _, _, c in operands:
        if not isinstance(c, FragmentView):
            raise error_at(op, "expected sums that are in the work-items' registers (x.to-private)")
        sums.append([emitter.value(c.own.at(emitter, integer(k))) for k in range(own)])
    pairs = [(_array(a), _array(b)) for a, b, _ in operands]
    steps = pairs[0][0].at(emitter, integer(0))
    assert isinstance(steps, ArrayView)
    if rows == 16 and emitter.tensor_cores >= 80:
        sums = _on_tensor_cores(gen, op, pairs, sums, steps.size)
    elif rows == 64 and emitter.tensor_cores == 90:
        sums = emit_wide_products(gen, op, pairs, sums, steps.size)
    else:
        sums = [
            _in_loops(gen, op, a, b, c, steps.size) for (a, b), c in zip(pairs, sums, strict=True)
        ]
    for place, values in zip(places, sums, strict=True):
        assert isinstance(place, FragmentView)
        for k, value in enumerate(values):
            emitter.store(value, place.own.at(emitter, integer(k)))


def _in_loops(
    gen: KernelGenerator,
    op: pattern.MmaOp,
    a: ArrayView,
    b: ArrayView,
    c: list[SSAValue],
    steps: Expr,
) -> list[SSAValue]:
    emitter = gen.emitter
    places = own_places(emitter, *op.shape)

    def step(k: Expr, sums: Sequence[SSAValue]) -> list[SSAValue]:
        results: list[SSAValue] = []
        for (row, column), total in zip(places, sums, strict=True):
            factors = [_element(gen, a, row, k), _element(gen, b, column, k)]
            wide = [emitter.result(arith.ExtFOp(f, Float32Type())) for f in factors]
            product = emitter.result(arith.MulfOp(wide[0], wide[1]))
            results.append(emitter.result(arith.AddfOp(total, product)))
        return results

    return list(emitter.loop(steps, c, step, "k"))


def _element(gen: KernelGenerator, matrix: ArrayView, row: Expr, k: Expr) -> SSAValue:
    return gen.emitter.value(_array(matrix.at(gen.emitter, row)).at(gen.emitter, k))


def _on_tensor_cores(
    gen: KernelGenerator,
    op: Operation,
    pairs: Sequence[tuple[ArrayView, ArrayView]],
    sums: list[list[SSAValue]],
    steps: Expr,
) -> list[list[SSAValue]]:
    """Each part of a and b is loaded once for all products that need it."""
    emitter = gen.emitter
    if steps.constant is None:
        raise error_at(op, f"it adds {steps} products; give the sizes")
    for start in range(0, steps.constant, STEPS):
        left = _load_all(gen, op, [a for a, _ in pairs], 16, start)
        right = _load_all(gen, op, [b for _, b in pairs], 8, start)
        for number, (a, b) in enumerate(zip(left, right, strict=True)):
            mma = ocl.MmaOp(a, b, sums[number])
            emitter.add(mma)
            sums[number] = list(mma.results)
    return sums


def _load_all(
    gen: KernelGenerator, op: Operation, matrices: Sequence[ArrayView], rows: int, start: int
) -> list[SSAValue]:
    """The work-item's part of `rows` rows of 16 elements from `start` on, for each of the matrices.

    Each part is loaded once. An instruction loads four matrices of 8 x 8: one part of 16 rows, or
    two of 8.
    """
    emitter = gen.emitter
    along_rows = [_is_along_rows(gen, matrix, rows, start) for matrix in matrices]
    if None in along_rows:
        raise error_at(op, "tensor cores read local memory; expected rows or columns of it")
    item = lane(emitter, 32)
    eighth, number = mod(item, integer(8), emitter.env), div(item, integer(8), emitter.env)
    # The matrices of 16 rows are above each other first; those of 8 are along k.
    low, high = mod(number, integer(2), emitter.env), div(number, integer(2), emitter.env)
    down, right = (low, high) if rows == 16 else (integer(0), low)
    places: list[tuple[Memory, bool]] = []
    for matrix, is_along in zip(matrices, along_rows, strict=True):
        if is_along:
            place = _place(gen, matrix, eighth + 8 * down, integer(start) + 8 * right)
        else:
            place = _place(gen, matrix, 8 * down, integer(start) + eighth + 8 * right)
        places.append((place, bool(is_along)))
    loaded: dict[object, SSAValue] = {}
    distinct = list({_key(*each): each for each in places}.values())
    while distinct:
        (place, is_along), *distinct = distinct
        second = distinct[0] if distinct and rows == 8 else None
        apart = None if second is None else second[0].index - place.index
        if second is None or apart is None or apart.constant is None or second[1] != is_along:
            loaded[_key(place, is_along)] = _load(emitter, place, rows // 4, is_along)
            continue
        # Work-items from 16 on have the places of the second part.
        both = Memory(place.buffer, place.index + high * apart, place.type)
        words = _load(emitter, both, 4, is_along)
        for part, first in (((place, is_along), 0), (second, 2)):
            halves = [emitter.element(words, integer(first + k)) for k in (0, 1)]
            joined = ocl.ConcatOp(halves, VectorType(i32, [2]))
            loaded[_key(*part)] = emitter.result(joined)
        distinct = distinct[1:]
    return [loaded[_key(*each)] for each in places]


def _key(place: Memory, along_rows: bool) -> object:
    return (place.buffer, place.index, along_rows)


def _load(emitter: Emitter, place: Memory, count: int, along_rows: bool) -> SSAValue:
    place = emitter.simplified(place)
    pointer = emitter.kernel.pointer(place.buffer)
    index = emitter.place_index(place.buffer, place.index)
    load = ocl.LoadMatrixOp(pointer, index, count, transposed=not along_rows)
    words = emitter.result(load)
    emitter.note(load, place, 8, is_write=False)
    return words


def _is_along_rows(gen: KernelGenerator, matrix: ArrayView, rows: int, start: int) -> bool | None:
    """Whether neighbours in a row, or those in a column, are neighbours in local memory."""
    emitter = gen.emitter
    row = emitter.fresh("row", Range(integer(0), integer(rows - 1)))
    k = emitter.fresh("k", Range(integer(0), integer(STEPS - 1)))
    view = _array(matrix.at(emitter, row)).at(emitter, integer(start) + k)
    if not isinstance(view, Memory) or view.buffer.space is not AddressSpace.LOCAL:
        return None
    for along in (k, row):
        if not (view.index - along).variables & along.variables:
            return along is k
    return None


def _place(gen: KernelGenerator, matrix: ArrayView, row: Expr, k: Expr) -> Memory:
    view = _array(matrix.at(gen.emitter, row)).at(gen.emitter, k)
    assert isinstance(view, Memory)
    return gen.emitter.simplified(view)


def _array(view: View) -> ArrayView:
    assert isinstance(view, ArrayView)
    return view


GENERATORS[pattern.MmaOp] = _emit_mma
