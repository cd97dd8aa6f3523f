"""What a loop reads again in its next iteration: the window of a filter slides over its rows.

In `for (j ...) sum += in[(y + j) * w + x] * mask[j]`, the row `y + 1` reads now what the row `y`
reads in the next iteration: where `y` grows by 1, the index grows as it does where `j` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.traits import MemoryEffectKind

from polycl.analysis.ocl.evaluate import SUMS, Domain, evaluate, same
from polycl.analysis.ocl.uniformity import constant_value, is_narrow
from polycl.dialects import wg
from polycl.dialects.effects import effects_of, is_side_effect_free
from polycl.symbolic import Poly, atom, integer

Index = Poly[int, int]
"""A sum of products of values, which are numbered: `Products.values`."""

MOST_FACTORS = 3
"""In a product; one of more is opaque."""


class Products(Domain[Index]):
    """Integers as sums of products of other values.

    As in `linear`, signed arithmetic does not overflow, and a narrowed index fits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.values: list[SSAValue] = []

    def number(self, number: int, value: SSAValue) -> Index:
        return integer(number)

    def opaque(self, value: SSAValue) -> Index:
        self.values.append(value)
        return atom(len(self.values) - 1)

    def product(self, op: arith.MuliOp, x: Index, y: Index) -> Index | None:
        return x * y if x.degree + y.degree <= MOST_FACTORS else None

    def widened(self, op: arith.IndexCastOp, x: Index) -> Index | None:
        return None if is_narrow(op.result) else x

    rules = {**SUMS, arith.MuliOp: product, arith.ExtSIOp: same, arith.IndexCastOp: widened}

    def of(self, index: SSAValue) -> Index:
        return evaluate(index, self)

    def moved(self, place: Index, value: SSAValue, step: int) -> Index:
        """`place` where a value has grown by `step`."""
        return place.substitute(
            lambda number: atom(number) + (step if self.values[number] is value else 0)
        )

    def values_of(self, place: Index) -> list[SSAValue]:
        return [self.values[number] for number in place.atoms]


def rereading_step(loop: scf.ForOp) -> int | None:
    """The constant step of an innermost loop that writes nothing; None for another one."""
    step = constant_value(loop.step)
    if step is None:
        return None
    for op in loop.body.block.ops:
        effects = effects_of(op)
        if op.regions or effects is None:
            return None
        if any(effect.kind != MemoryEffectKind.READ for effect in effects):
            return None
    return step


def next_values(loop: scf.ForOp) -> Mapping[SSAValue, SSAValue]:
    """Of vectors that an iteration of the loop reads, or computes of these: which ones of the same
    iteration they are in the next one."""
    body = loop.body.block
    loads = [op for op in body.ops if isinstance(op, wg.LoadOp)]
    step = rereading_step(loop) if len(loads) > 1 else None
    if step is None:
        return {}
    products = Products()
    places: dict[wg.LoadOp, Index] = {}
    by_place: dict[object, SSAValue] = {}
    for load in loads:
        if _is_at_place(load, loop, lambda value: _is_outside(value, body)):
            places[load] = place = products.of(load.index)
            if all(v is body.args[0] or _is_outside(v, body) for v in products.values_of(place)):
                by_place.setdefault(_read(load, place), load.result)
            else:
                del places[load]
    found: dict[SSAValue, SSAValue] = {}
    for load, place in places.items():
        later = by_place.get(_read(load, products.moved(place, body.args[0], step)))
        if later is not None and later is not load.result:
            found[load.result] = later
    if found:
        _add_computed(body, found)
    return found


def _add_computed(body: Block, found: dict[SSAValue, SSAValue]) -> None:
    """Add what is computed in the same way of values that are in `found`."""
    computed = {_key(op, op.operands): op.results[0] for op in body.ops if _is_computed(op)}
    constant: set[SSAValue] = set()
    for op in body.ops:
        if not _is_computed(op):
            continue
        operands = [v for v in op.operands if v not in constant and not _is_outside(v, body)]
        if not operands:
            constant.add(op.results[0])
        elif all(operand in found for operand in operands):
            later = computed.get(_key(op, [found.get(operand, operand) for operand in op.operands]))
            if later is not None:
                found[op.results[0]] = later


def slides(loop: scf.ForOp, row: SSAValue, differs: Callable[[SSAValue], bool]) -> set[SSAValue]:
    """The vectors of a loop that are for the next row what they will be in the next iteration, and
    the numbers that only these are computed of.

    `row` is the number of the row, in steps of one; `differs` is whether a value depends on it.
    """
    body = loop.body.block
    step = rereading_step(loop)
    found: set[SSAValue] = set()
    if step is None or any(map(differs, (loop.lb, loop.ub))):
        return found
    products = Products()
    constant: set[SSAValue] = set()

    def is_constant(value: SSAValue) -> bool:
        return value in constant or (_is_outside(value, body) and not differs(value))

    for op in body.ops:
        if isinstance(op, wg.LoadOp):
            if _is_at_place(op, loop, is_constant):
                place = products.of(op.index)
                others = [v for v in products.values_of(place) if v not in (row, body.args[0])]
                later = products.moved(place, body.args[0], step)
                if all(map(is_constant, others)) and later != place:
                    if later == products.moved(place, row, 1):
                        found.add(op.result)
        elif _is_computed(op):
            operands = [operand for operand in op.operands if not is_constant(operand)]
            if not operands:
                constant.add(op.results[0])
            elif all(operand in found for operand in operands):
                found.add(op.results[0])
    for op in reversed(list(body.ops)):
        if found and _is_computed(op) and all(map(_makes(found), op.results[0].uses)):
            found.add(op.results[0])
    return found


def ends_of(values: AbstractSet[SSAValue]) -> list[SSAValue]:
    """Those of the values that something else is computed of: the last ones of their chains."""
    return [value for value in values if not all(map(_makes(values), value.uses))]


def _makes(values: AbstractSet[SSAValue]) -> Callable[[Use], bool]:
    """Whether a use is by an operation that makes one of the values."""
    return lambda use: any(result in values for result in use.operation.results)


def _is_at_place(load: wg.LoadOp, loop: scf.ForOp, is_constant: Callable[[SSAValue], bool]) -> bool:
    """Whether the pointer and the mask stay."""
    return is_constant(load.pointer) and (load.mask is None or is_constant(load.mask))


def _read(load: wg.LoadOp, place: Index) -> object:
    return load.pointer, load.mask, load.result.type, place


def is_fused(op: Operation) -> bool:
    """Whether it is a product that is added at once: one operation, of what it multiplies."""
    if not isinstance(op, arith.MulfOp):
        return False
    users = [use.operation for use in op.result.uses]
    return len(users) == 1 and isinstance(users[0], arith.AddfOp | arith.SubfOp)


def _is_computed(op: Operation) -> bool:
    if len(op.results) != 1 or op.regions or is_fused(op):
        return False
    return is_side_effect_free(op)


def _key(op: Operation, operands: Iterable[SSAValue]) -> object:
    """What an operation computes."""
    return type(op), op.results[0].type, *map(id, operands), *op.properties.items()


def _is_outside(value: SSAValue, body: Block) -> bool:
    """Whether a value is defined around a body, which has no regions inside."""
    owner = value.owner
    return owner is not body if isinstance(owner, Block) else owner.parent is not body
