"""`wg-roll-elements`: sums over the elements of vectors in a row are sums over a row of scalars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import Commutative

from polycl.analysis.ocl.addresses import address_of
from polycl.analysis.ocl.integers import wrapped
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, vec, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of, width_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.moving import hoisted, is_hoistable
from polycl.lowering.ocl.split_vectors import CASTS, ELEMENTWISE, of_elements
from polycl.lowering.wg.wg_vectorize.accesses import access_stride
from polycl.lowering.wg.wg_vectorize.loop_vectors import SHORT
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class WgRollElementsPass(ModulePass):
    """Add the elements of vectors in a row as those of a row of scalars.

    ```
    scf.for %k = %c0 to %n step %c1 ... {       scf.for %k = %c0 to 2 * %n step %c1 ... {
      %v = ocl.load %a[%row + %k]                 %e = ocl.load %b[%k]
      %p = square of %v[0]                        %p = square of %e
      %q = square of %v[1]                 ->
      %s1 = arith.addi %s, %p + %q                %s1 = arith.addi %s, %p
      scf.yield %s1                               scf.yield %s1
    }                                           }
    ```

    %b is the address of the first element of %a[%row]. LLVM makes vectors of such a loop over
    scalars, whole registers of a row at once, and none of one over short vectors (`dot` products
    of `char4`, distances of `uchar4`).

    The loop carries sums of integers, which may be added in any order, and does nothing else. Each
    element of the vectors adds the same to them. All loads go along a row, which is the same for
    all neighbours or far from theirs: neighbours that are side by side are vectors already.
    """

    name = "wg-roll-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            loops = [
                loop
                for loop in operations_of(function.body, scf.ForOp)
                if loop.results and any(map(_is_of_vector, loop.body.block.ops))
            ]
            facts = Uniformity(function) if loops else None
            for loop in loops:
                sums = None if facts is None else _sums_of(loop, facts)
                if sums is not None:
                    emit_remark(loop, self.name, f"vectors of {sums.count} are rows of scalars")
                    _roll(loop, sums)


@dataclass
class _Sums:
    """What a loop adds to each value that it carries, for each element alike."""

    loop: scf.ForOp
    count: int = 0
    """The elements of each vector."""
    loads: list[ocl.LoadOp] = field(default_factory=list[ocl.LoadOp])
    terms: list[list[SSAValue]] = field(default_factory=list[list[SSAValue]])
    """Those of element 0, for each value that the loop carries."""

    _numbers: dict[tuple[SSAValue, int], int] = field(default_factory=dict)
    _by_key: dict[Hashable, int] = field(default_factory=dict)

    def number(self, value: SSAValue, element: int) -> int:
        """The same number for values that are computed alike, of one element each.

        Raises:
            _NotAlike: a value is computed from others than these elements.
        """
        if (value, element) not in self._numbers:
            key = self._key(value, element)
            self._numbers[value, element] = self._by_key.setdefault(key, len(self._by_key))
        return self._numbers[value, element]

    def _key(self, value: SSAValue, element: int) -> Hashable:
        op = value.owner
        if not self.loop.is_ancestor(op):
            # The elements of a vector that was made before the loop differ.
            if isinstance(value.type, VectorType):
                raise _NotAlike
            return value
        match op:
            case ocl.LoadOp() if op in self.loads:
                return op
            case vector.ExtractOp():
                if op.dynamic_position or op.static_position.get_values() != (element,):
                    raise _NotAlike
                return self.number(op.vector, element)
            case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as numbers):
                if not numbers.is_splat():
                    raise _NotAlike
                return op.value
            case arith.ConstantOp():
                return op.value
            case vector.BroadcastOp() if not isinstance(op.source.type, VectorType):
                return self.number(op.source, element)
            case Operation() if op.name.startswith(("arith.", "vec.", "math.")):
                if isinstance(value.type, VectorType) and not isinstance(op, _OF_ELEMENTS):
                    raise _NotAlike
                facts = tuple(sorted(map(str, {**op.attributes, **op.properties}.items())))
                types = tuple(result.type for result in op.results)
                operands = [self.number(operand, element) for operand in op.operands]
                if op.has_trait(Commutative):
                    return op.name, types, facts, frozenset(Counter(operands).items())
                return op.name, types, facts, *operands
            case _:
                raise _NotAlike


_OF_ELEMENTS = (*ELEMENTWISE, *CASTS, vec.CmpiOp, vec.SelectOp)


class _NotAlike(Exception):
    pass


def _is_of_vector(op: Operation) -> bool:
    return isinstance(op, ocl.LoadOp) and isinstance(op.result.type, VectorType)


def _sums_of(loop: scf.ForOp, facts: Uniformity) -> _Sums | None:
    """The sums of a loop that can be rolled; None where it cannot."""
    body = loop.body.block
    counter, *carried = body.args
    if UNSIGNED in loop.attributes or constant_value(loop.step) != 1 or not carried:
        return None
    if not isinstance(counter.type, IndexType):
        return None
    sums = _Sums(loop)
    for op in body.ops:
        if isinstance(op, ocl.LoadOp) and _is_of_vector(op):
            sums.loads.append(op)
        elif op.regions or not (is_side_effect_free(op) or isinstance(op, scf.YieldOp)):
            return None
    if not sums.loads or not _are_rows(sums.loads, loop, facts):
        return None
    sums.count = count_of(sums.loads[0].result.type)
    trips = trip_count(loop)
    if trips is not None and trips * sums.count < SHORT:
        return None
    for arg, value in zip(carried, terminator(body).operands, strict=True):
        terms = _terms(value, loop)
        if arg not in terms or not isinstance(arg.type, IntegerType):
            return None
        terms.remove(arg)
        first = _first_of_alike(terms, sums)
        if first is None:
            return None
        sums.terms.append(first)
    return sums


def _are_rows(loads: Sequence[ocl.LoadOp], loop: scf.ForOp, facts: Uniformity) -> bool:
    """Whether all loads go along rows, of all neighbours or far from those of the others."""
    counter = loop.body.block.args[0]
    count = count_of(loads[0].result.type)
    far = False
    for load in loads:
        type = load.result.type
        size = size_of(type)
        element = element_of(type)
        if load.volatile is not None or count_of(type) != count:
            return False
        if not isinstance(element, IntegerType) or size != count * size_of(element):
            return False
        if address_of(load)[1].factors.get(counter, 0) != size:
            return False
        index = [] if load.index is None else [load.index]
        if not is_hoistable(load.pointer, loop) or not all(
            is_hoistable(value, loop, [counter]) for value in index
        ):
            return False
        stride = access_stride(facts, load, 0)
        if stride is not None and 0 < abs(stride) <= size:
            return False
        far |= stride != 0
    return far


def _terms(value: SSAValue, loop: scf.ForOp) -> list[SSAValue]:
    """What is added to make a value, in any order."""
    value = wrapped(value)
    op = value.owner
    if isinstance(op, arith.AddiOp) and op.parent is loop.body.block:
        if isinstance(value.type, IntegerType):
            return [*_terms(op.lhs, loop), *_terms(op.rhs, loop)]
    return [value]


def _first_of_alike(terms: Sequence[SSAValue], sums: _Sums) -> list[SSAValue] | None:
    """The terms of element 0, where each element has the same ones."""
    found: list[Counter[int]] = [Counter() for _ in range(sums.count)]
    first: list[SSAValue] = []
    for term in terms:
        element = _element_in(term, sums)
        if element is None or element >= sums.count:
            return None
        try:
            found[element][sums.number(term, element)] += 1
        except _NotAlike:
            return None
        if element == 0:
            first.append(term)
    return first if first and all(part == found[0] for part in found) else None


def _element_in(value: SSAValue, sums: _Sums) -> int | None:
    """The number of the first element that a value is computed from."""
    pending = [value]
    while pending:
        op = pending.pop().owner
        if isinstance(op, Block) or not sums.loop.is_ancestor(op):
            continue
        if isinstance(op, vector.ExtractOp):
            positions = op.static_position.get_values()
            return None if op.dynamic_position else int(positions[0])
        pending += op.operands
    return None


def _roll(loop: scf.ForOp, sums: _Sums) -> None:
    counter, *carried = loop.body.block.args
    build = Build(loop)
    count = build.constant(sums.count, loop.lb.type)
    zero = build.constant(0, counter.type)
    rows: dict[ocl.LoadOp, SSAValue] = {}
    for load in sums.loads:
        pointer = hoisted(load.pointer, loop)
        if load.index is not None:
            start = hoisted(load.index, loop, {counter: zero})
            pointer = build.emit(ocl.OffsetOp(pointer, start))
        scalar = ocl.PtrType(element_of(load.result.type), ocl.space_of(load.pointer))
        rows[load] = build.emit(ocl.CastOp(pointer, scalar))
    body = Block(arg_types=[counter.type, *(arg.type for arg in carried)])
    lb, ub = build.mul(loop.lb, count), build.mul(loop.ub, count)
    new = scf.ForOp(lb, ub, loop.step, list(loop.iter_args), body)
    new.attributes = dict(loop.attributes)
    build.emit_void(new)
    inside = Build(loop, body)
    at, *values = body.args
    known: dict[SSAValue, SSAValue] = {}
    for load, row in rows.items():
        known[load.result] = inside.emit(ocl.LoadOp(row, at))
        known[load.result].name_hint = load.result.name_hint
    total: list[SSAValue] = []
    for value, terms, old in zip(
        values, sums.terms, terminator(loop.body.block).operands, strict=True
    ):
        for term in terms:
            value = inside.add(value, _scalar(term, loop, inside, known))
        if wrapped(old) is not old:
            wide = inside.resize(value, 64, signed=False)
            value = inside.resize(wide, width_of(value.type), signed=False)
        total.append(value)
    inside.emit_void(scf.YieldOp(*total))
    for old, arg in zip((counter, *carried), body.args, strict=True):
        arg.name_hint = old.name_hint
    Rewriter.replace_op(loop, [], new.results)


def _scalar(
    value: SSAValue, loop: scf.ForOp, build: Build, known: dict[SSAValue, SSAValue]
) -> SSAValue:
    """The element of a value of the loop, or a value of one element, by scalar operations."""
    op = value.owner
    if value not in known and isinstance(op, Operation) and loop.is_ancestor(op):
        known[value] = _computed(op, loop, build, known)
    return known.get(value, value)


def _computed(
    op: Operation, loop: scf.ForOp, build: Build, known: dict[SSAValue, SSAValue]
) -> SSAValue:
    type = op.results[0].type
    match op:
        case vector.ExtractOp():
            return _scalar(op.vector, loop, build, known)
        case vector.BroadcastOp():
            return _scalar(op.source, loop, build, known)
        case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as numbers):
            number: Any = numbers.get_values()[0]
            return build.constant(number, element_of(type))
        case _:
            operands = [_scalar(operand, loop, build, known) for operand in op.operands]
            if isinstance(type, VectorType):
                return of_elements(op, operands, build)
            mapper: Mapping[SSAValue, SSAValue] = dict(zip(op.operands, operands, strict=True))
            new = op.clone(dict(mapper))
            build.emit_void(new)
            return new.results[0]
