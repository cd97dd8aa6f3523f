"""`share-values`: an operation that computes what an earlier one has computed is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from xdsl.context import Context
from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import ModuleOp, VectorType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsolatedFromAbove, MemoryEffectKind, Pure, get_effects

from polycl.analysis.ocl.addresses import are_apart, root_of
from polycl.analysis.ocl.speculation import INTEGER_DIVISIONS
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.effects import PURE_WITHOUT_TRAIT
from polycl.dialects.ocl.memory import pointee_of
from polycl.dialects.vec import count_of

Known = dict[object, Sequence[SSAValue]]
"""The results of operations by what they compute."""


class _Numbers(dict[Attribute, int]):
    """A number below 0 for each attribute: keys of numbers are compared and hashed at once."""

    def __init__(self, distinct: bool) -> None:
        super().__init__()
        self.distinct = distinct
        self.roots: dict[object, SSAValue] = {}
        """What the pointers of loads come from, by their keys."""

    def __missing__(self, attribute: Attribute) -> int:
        self[attribute] = number = -1 - len(self)
        return number


@dataclass(frozen=True)
class ShareValuesPass(ModulePass):
    """Keep the first of the pure operations that have the same operands and properties.

    ```
    %a = arith.addi %x, %y : i32               %a = arith.addi %x, %y : i32
    scf.if %c {                                scf.if %c {
      %b = arith.addi %x, %y : i32     ->        "use"(%a)
      "use"(%b)
    ```

    The first is earlier in the block, or before an operation whose region holds the other. A load
    is shared up to the next operation that may write, in its block and in branches; so is what a
    store has written. A store to another array changes nothing: one of another address space, or,
    with `distinct`, another parameter. A vector that is known stays known where its components are
    stored: memory that is read in other parts than were written makes the processor wait.

    ```
    %v = ocl.load %p                           %v = ocl.load %p
    ocl.store %x, %components[%c0]     ->      ocl.store %x, %components[%c0]
    %w = ocl.load %p                           %w = vector.insert %x, %v [0]
    ```

    So do the other fields of a record where one is stored.

    A flag that is
    asked for, `(c ? 1 : 0) != 0`, is the condition that it was made of. xDSL's `cse`
    copies what it knows for each region: its time grows with the square of the branches.
    """

    name = "share-values"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        share_values(op.body.block, self.distinct)


def share_values(block: Block, distinct: bool = False) -> None:
    """Share the values of a block and its regions; with `distinct`, parameters have arrays of their
    own."""
    _share(block, {}, {}, _Numbers(distinct))


def _share(block: Block, known: Known, loads: Known, numbers: _Numbers) -> bool:
    """Share the values of a block and its regions; whether it may write.

    `known` is as before at the end, and `loads`, which does not outlive a write, has no more.
    """
    new: list[object] = []
    new_loads: list[object] = []
    inserted: list[Operation] = []
    may_write = False
    for op in list(block.ops):
        writes = False
        if op.regions:
            writes = _share_in(op, known, loads, numbers)
        elif isinstance(op, ocl.LoadOp) and op.volatile is None:
            if (key := _share_one(op, loads, numbers)) is not None:
                numbers.roots[key] = root_of(op.pointer)
                new_loads.append(key)
        elif not _is_pure(type(op)):
            writes = _may_write(op)
        elif (condition := _asked_again(op)) is not None:
            Rewriter.replace_op(op, [], [condition])
        elif (key := _share_one(op, known, numbers)) is not None:
            new.append(key)
        if writes:
            may_write = True
            vectors = _vectors_of(op, loads, numbers)
            fields = _other_fields(op, loads, numbers) | _other_arrays(op, loads, numbers)
            loads.clear()
            loads.update(fields)
            new_loads = [key for key in new_loads if key in fields]
            for key, insert in vectors.items():
                Rewriter.insert_op(insert, InsertPoint.after(op))
                inserted.append(insert)
                loads[key] = insert.results
                new_loads.append(key)
        if isinstance(op, ocl.StoreOp) and op.volatile is None:
            key = _key_of_load(op.operands[1:], op.value.type, numbers)
            numbers.roots[key] = root_of(op.pointer)
            loads[key] = (op.value,)
            new_loads.append(key)
    for insert in reversed(inserted):
        if not insert.results[0].uses:
            Rewriter.erase_op(insert)
    for key in new:
        del known[key]
    for key in new_loads:
        del loads[key]
    return may_write


def _key_of_load(place: Sequence[SSAValue], type: Attribute, numbers: _Numbers) -> object:
    return (ocl.LoadOp, *map(id, place), numbers[type])


def _other_fields(op: Operation, loads: Known, numbers: _Numbers) -> Known:
    """What is known of the other fields of a record after `op`, if all it does is to store one, or
    a component of one."""
    if not isinstance(op, ocl.StoreOp):
        return {}
    field = _vector_stored_in(op) or (op.pointer if op.index is None else None)
    if field is None or not isinstance(stored := field.owner, ocl.MemberOp):
        return {}
    if not isinstance(pointee_of(stored.pointer), ocl.StructType):
        return {}
    found: Known = {}
    for use in stored.pointer.uses:
        other = use.operation
        if isinstance(other, ocl.MemberOp) and other.field != stored.field:
            key = _key_of_load([other.result], pointee_of(other.result), numbers)
            if key in loads:
                found[key] = loads[key]
    return found


def _other_arrays(op: Operation, loads: Known, numbers: _Numbers) -> Known:
    """What is known of other arrays after `op`, if all it does is to store."""
    if not isinstance(op, ocl.StoreOp | ocl.VStoreOp):
        return {}
    if isinstance(op, ocl.StoreOp) and op.volatile is not None:
        return {}
    root = root_of(op.pointer)
    apart = {
        other: are_apart(other, root, numbers.distinct)
        for other in {numbers.roots[key] for key in loads}
    }
    return {key: value for key, value in loads.items() if apart[numbers.roots[key]]}


def _vector_stored_in(op: ocl.StoreOp) -> SSAValue | None:
    """The pointer to a vector of which a store writes one component, which is known."""
    number = None if op.index is None else constant_index(op.index)
    if number is None or not isinstance(components := op.pointer.owner, ocl.CastOp):
        return None
    type = pointee_of(components.pointer)
    if not isinstance(type, VectorType) or type.element_type != op.value.type:
        return None
    return components.pointer if 0 <= number < count_of(type) else None


def _vectors_of(op: Operation, loads: Known, numbers: _Numbers) -> dict[object, vector.InsertOp]:
    """The vectors that are known before `op` stores a component of theirs, by the keys of their
    loads, with the component."""
    if not isinstance(op, ocl.StoreOp) or op.volatile is not None:
        return {}
    whole = _vector_stored_in(op)
    number = None if op.index is None else constant_index(op.index)
    if whole is None or number is None:
        return {}
    type = pointee_of(whole)
    places: list[Sequence[SSAValue]] = [[whole]]
    if isinstance(whole.owner, ocl.OffsetOp):
        places.append([whole.owner.pointer, whole.owner.index])
    found: dict[object, vector.InsertOp] = {}
    for place in places:
        key = _key_of_load(place, type, numbers)
        if key in loads:
            found[key] = vector.InsertOp(op.value, loads[key][0], [number])
            found[key].location = op.location
    return found


def _share_in(op: Operation, known: Known, loads: Known, numbers: _Numbers) -> bool:
    """Share the values in the regions of `op`; whether it may write."""
    inherited = {} if op.has_trait(IsolatedFromAbove()) else known
    may_write = False
    for region in op.regions:
        for inner in region.blocks:
            # A later iteration of a loop reads what an earlier one has written.
            seen = loads if isinstance(op, scf.IfOp) else {}
            may_write |= _share(inner, inherited, seen, numbers)
    return may_write


def _share_one(op: Operation, known: Known, numbers: _Numbers) -> object | None:
    """Replace `op` by a known operation; if there is none, it is known now, by this key."""
    key = (
        type(op),
        *map(id, op.operands),
        *[numbers[result.type] for result in op.results],
        *op.properties,
        *[numbers[attribute] for attribute in op.properties.values()],
        *op.attributes,
        *[numbers[attribute] for attribute in op.attributes.values()],
    )
    first = known.setdefault(key, op.results)
    if first is op.results:
        return key
    Rewriter.replace_op(op, [], first)
    return None


def _asked_again(op: Operation) -> SSAValue | None:
    """The condition that a comparison of a flag with 0 computes again."""
    if not isinstance(op, arith.CmpiOp) or predicate_of(op) != "ne" or constant_index(op.rhs) != 0:
        return None
    match op.lhs.owner:
        case arith.ExtUIOp(input=input) if input.type == i1:
            return input
        case arith.SelectOp(cond=condition, lhs=yes, rhs=no) if constant_index(no) == 0:
            return condition if constant_index(yes) else None
        case _:
            return None


@cache
def _is_pure(kind: type[Operation]) -> bool:
    # A division that is made again after an earlier one has a result.
    if kind in INTEGER_DIVISIONS:
        return True
    return kind in PURE_WITHOUT_TRAIT or kind.has_trait(Pure(), value_if_unregistered=False)


def _may_write(op: Operation) -> bool:
    effects = get_effects(op)
    return effects is None or any(effect.kind == MemoryEffectKind.WRITE for effect in effects)
