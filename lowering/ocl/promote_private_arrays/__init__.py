"""`promote-private-arrays`: private arrays whose indices are known become SSA values."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.numbers import Numbers
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointee_of, space_of
from polycl.lowering.ocl.promote_private_arrays.accesses import (
    Access,
    Loop,
    accesses_of,
    count_of,
    leaf_of,
    parts_of,
    ragged_bounds,
)
from polycl.lowering.ocl.promote_private_arrays.counted_indices import count_indices
from polycl.lowering.ocl.promote_private_arrays.elements import split_elements
from polycl.lowering.ocl.promote_private_arrays.limits import (
    ADDED_PER_ACCESS,
    LEAST_KEPT,
    MOST_ADDED,
    MOST_ADDED_FOR_CHOICES,
    MOST_ADDED_ONCE,
    MOST_CHOSEN,
    MOST_CHOSEN_IN_LOOPS,
    MOST_ELEMENTS,
    MOST_OPERATIONS,
    MOST_STORED_IN_LOOPS,
)
from polycl.lowering.ocl.promote_private_arrays.loops import (
    Kernel,
    copies_in,
    copies_of,
    counters_in,
    own_operations,
    unroll_all,
)
from polycl.lowering.ocl.promote_private_arrays.ragged_loops import counter_of
from polycl.lowering.ocl.promote_private_arrays.searches import count_searches
from polycl.lowering.ocl.promote_private_arrays.sums import is_added_up
from polycl.lowering.ocl.promote_private_arrays.tables import fold_tables
from polycl.lowering.ocl.promote_private_arrays.views import (
    may_be_pieces,
    operations_of,
    split_views,
)
from polycl.lowering.ocl.promote_private_memory import is_simple, promote
from polycl.remarks import emit_remark
from polycl.symbolic import atom, integer


@dataclass(frozen=True)
class PromotePrivateArraysPass(ModulePass):
    """Turn the elements of private arrays into SSA values.

    ```
    %sum = ocl.alloca : !ocl.ptr<!ocl.array<4 x f32>, private>
    scf.for %i = %c0 to %c2 step %c1 {
      %v = ocl.load %sum[%i]                      %sum0 = arith.addf %sum_0, %a
      %w = arith.addf %v, %a             ->       %sum1 = arith.addf %sum_1, %a
      ocl.store %w, %sum[%i]
    }
    ```

    Loops whose counters are in an index are unrolled, if their bounds are constant or other such
    counters, and the kernel stays below 3000 operations or does not grow, and without barriers
    grows by at most 400, or 1500 if no loop stays around the array's accesses or it has up to 16
    elements and work-items read neighbouring elements in that loop; a table of constants has no
    such limit. In a loop that stays, also by three for each access of the array, up to 1500.
    An array of a work-item would be memory, where neighbours are far apart after a barrier, and if
    its elements are vectors; what is computed from an element, such as an address, is only known of
    a value. Arrays of more than 64 elements, and arrays whose address escapes, stay. The same holds
    of tables of the program (`constant int dx[4] = {...}`), but that only those of integers are a
    reason to unroll a loop.

    A loop that begins or ends where data of each work-item say counts among them, if what each
    iteration accesses limits its counter: of arrays of up to 16 elements, 8 of 4 or 8 bytes where a
    loop stays around it, each iteration is there under a guard. So it is with a search that ends at
    an element of the array at the latest:

    ```
    scf.for %j = %k to %c2 step %c1 {             %v0 = scf.if 0 >= %k { %v_1 } else { %v_0 }
      %w = ocl.load %v[%j + 1]              ->    %v1 = scf.if 1 >= %k { %v_2 } else { %v_1 }
      ocl.store %w, %v[%j]
    }
    ```

    Where an inner loop adds up the floats of an array of 16 or more, one after the other, arrays as
    long stay: vectors of several work-items share such a loop if they have registers left.

    Memory that is accessed as values of several types, by casts or unions, or in parts of its
    elements, becomes a value for each piece between the ends of these accesses, if all their
    places are known; the kernel may grow by 1500 operations for that:

    ```
    ocl.store %b, %bytes[%c1]      ->    %w = %b_0 | %b << 8 | %b_2 << 16 | %b_3 << 24
    %w = ocl.load %words[%c0]
    ```

    Words that loops read and write are not cut for bytes that only code outside accesses.

    Then all indices of the array must be known, or those that are not must differ between
    work-items, which would gather and scatter. Of up to 16 elements, one is chosen; where loops
    stay, these must read neighbouring elements, and up to 8 elements (for stores of 8 bytes 4, of
    1 or 2 bytes 16 but in a `while`) are chosen from. The kernel may grow by 1500 operations for
    that. It is done after other arrays are values, from which more may be known:

    ```
    %v = ocl.load %a[%i]     ->    %v = %i == 1 ? %a_1 : %a_0
    ocl.store %w, %a[%i]           %a_0 = %i == 0 ? %w : %a_0,  %a_1 = %i == 1 ? %w : %a_1
    ```
    """

    name = "promote-private-arrays"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, ocl.KernelOp) and len(kernel.body.blocks) == 1:
                # The elements of an array may be indices of others.
                while self._promote_some(kernel):
                    pass

    def _promote_some(self, kernel: ocl.KernelOp) -> bool:
        """Promote the arrays whose indices are known or chosen; whether there were any."""
        promoted: list[ocl.AllocaOp] = []
        is_folded = fold_tables(kernel)
        allocas = [inner for inner in kernel.body.block.ops if isinstance(inner, ocl.AllocaOp)]
        for alloca in allocas:
            count_searches(alloca)
            count_indices(alloca)
        state = Kernel(kernel)
        keeps = any(map(_waits_for_sums, allocas))
        for chooses in (False, True):
            for alloca in allocas:
                if keeps and _is_long(alloca):
                    continue
                loops = _loops_to_unroll(alloca, state, chooses)
                if loops:
                    unroll_all(alloca, state)
                if loops is not None and _is_promoted(alloca):
                    promoted.append(alloca)
            # What is chosen may be known then.
            if promoted:
                break
        for alloca in promoted:
            emit_remark(alloca, self.name, f"'{alloca.result.name_hint}' is in registers")
            _split(alloca)
        if promoted:
            promote(kernel.body.block)
        return bool(promoted) or is_folded


def _is_long(alloca: ocl.AllocaOp) -> bool:
    """Whether an array of numbers takes so many registers that vectors of several work-items do not
    share a loop."""
    pointee = pointee_of(alloca.result)
    return isinstance(leaf_of(pointee), AnyFloat) and count_of(pointee) >= LEAST_KEPT


def _waits_for_sums(alloca: ocl.AllocaOp) -> bool:
    """Whether inner loops add up the elements of a long array."""
    accesses = accesses_of(alloca.result) if _is_long(alloca) else None
    if not accesses or _are_constants(accesses) or not all(access.is_known for access in accesses):
        return False
    loops = {loop for access in accesses for loop in access.loops or ()}
    return any(is_added_up(access) and _outer_loop(access.op, loops) for access in accesses)


def _loops_to_unroll(alloca: ocl.AllocaOp, kernel: Kernel, chooses: bool) -> Set[Loop] | None:
    """The loops without which all indices of an array may be known, or are to be chosen; None if it
    stays in memory. Unless the pass `chooses`, all have to be known, whatever data are."""
    pointee = pointee_of(alloca.result)
    accesses = accesses_of(alloca.result)
    if accesses is None or is_simple(alloca) or count_of(pointee) > MOST_ELEMENTS:
        return None
    known = [access for access in accesses if access.is_known]
    chosen = [access for access in accesses if not access.is_known]
    loops = {loop for access in known for loop in access.loops or ()}
    views = _are_views(alloca, accesses)
    if views and (chosen or not may_be_pieces(alloca, accesses)):
        return None
    if chosen and chooses and not _are_chosen(chosen, count_of(pointee), loops, kernel):
        return None
    ragged = {loop for loop in loops if isinstance(loop, scf.ForOp) and ragged_bounds(loop)}
    if not chooses and (chosen or ragged):
        return None
    size = size_of(pointee)
    if not all(_are_guarded(loop, pointee, loops, kernel) for loop in ragged):
        return None
    if not all(_stays_within(access, loop, size) for loop in ragged for access in known):
        return None
    copies = copies_in(loops)
    added = sum((copies[loop] - 1) * own_operations(loop, loops) for loop in loops)
    if views:
        added += sum(
            copies_of(access.op, copies) * operations_of(access, accesses) for access in accesses
        )
    # No access is left.
    removed = sum(copies_of(access.op, copies) for access in accesses)
    grown = added - removed
    if grown > max(MOST_OPERATIONS - kernel.operations, 0):
        return None
    most = max(MOST_ADDED, min(ADDED_PER_ACCESS * removed, MOST_ADDED_ONCE))
    outer = {loop for access in accesses if (loop := _outer_loop(access.op, loops))}
    has_room = count_of(pointee) <= MOST_CHOSEN and all(
        _reads_rows(loop, kernel.facts) for loop in outer
    )
    if chosen or views or has_room or any(isinstance(loop, scf.WhileOp) for loop in loops):
        most = MOST_ADDED_FOR_CHOICES
    elif _are_constants(accesses):
        most = MOST_OPERATIONS
    elif not outer:
        most = MOST_ADDED_ONCE
    if grown > most and not kernel.has_barriers:
        return None
    return loops


def _are_constants(accesses: Sequence[Access]) -> bool:
    """Whether only numbers are stored to an array."""
    stores = [access.op for access in accesses if isinstance(access.op, ocl.StoreOp)]
    return bool(stores) and all(isinstance(op.value.owner, arith.ConstantOp) for op in stores)


def _are_chosen(
    accesses: Sequence[Access], count: int, unrolled: Set[Loop], kernel: Kernel
) -> bool:
    """Whether to choose one of `count` elements is faster than memory, if some loops are unrolled.

    Each index must differ between work-items: else they access neighbouring elements of memory.
    """
    loops = {access.op: _outer_loop(access.op, unrolled) for access in accesses}
    for access in accesses:
        is_store = isinstance(access.op, ocl.StoreOp)
        if count > _most_in_loop(loops[access.op], access.size, is_store):
            return False
    facts = kernel.facts
    if any(access.index is None or facts.is_uniform(access.index) for access in accesses):
        return False
    return all(_reads_rows(loop, facts) for loop in set(loops.values()) if loop)


def _most_in_loop(loop: Operation | None, size: int, is_store: bool) -> int:
    """How many elements of some `size` bytes are chosen from where a loop stays."""
    if loop is None or (size <= 2 and isinstance(loop, scf.ForOp)):
        return MOST_CHOSEN
    return MOST_STORED_IN_LOOPS if is_store and size > 4 else MOST_CHOSEN_IN_LOOPS


def _are_guarded(loop: scf.ForOp, pointee: Attribute, unrolled: Set[Loop], kernel: Kernel) -> bool:
    """Whether iterations of a loop for all of `count` elements, each under a guard, are faster than
    those between its bounds, of which a vector does as many as any of its work-items."""
    outer = _outer_loop(loop, unrolled)
    most = _most_in_loop(outer, size_of(leaf_of(pointee)), is_store=False)
    if count_of(pointee) > most:
        return False
    if all(map(kernel.facts.is_uniform, ragged_bounds(loop))):
        return False
    return outer is None or _reads_rows(outer, kernel.facts)


def _stays_within(access: Access, loop: scf.ForOp, size: int) -> bool:
    """Whether an access is within its array in all iterations that are to be unrolled."""
    counter = counter_of(loop)
    factor = access.place.factors.get(counter, 0)
    rest = access.place - atom(counter) * factor
    return factor == 0 or all(
        replace(access, place=rest + integer(factor * number)).is_within(size)
        for number in counters_in(loop, Numbers())
    )


def _outer_loop(op: Operation, unrolled: Set[Loop]) -> Operation | None:
    """The innermost loop around an operation that stays."""
    parent = op.parent_op()
    while isinstance(parent, scf.IfOp) or parent in unrolled:
        assert parent is not None
        parent = parent.parent_op()
    return parent if isinstance(parent, scf.ForOp | scf.WhileOp) else None


def _reads_rows(loop: Operation, facts: Uniformity) -> bool:
    """Whether work-items read neighbouring elements in a loop, so that it becomes vectors: one
    work-item alone chooses more slowly than it reads its array."""
    return all(
        op.index is not None and facts.is_uniform(op.pointer) and facts.lanes(op.index).x in (0, 1)
        for op in loop.walk()
        if isinstance(op, ocl.LoadOp) and space_of(op.pointer) != ocl.AddressSpace.PRIVATE
    )


def _are_views(alloca: ocl.AllocaOp, accesses: Sequence[Access]) -> bool:
    """Whether memory is not an array, or not accessed as the elements that it has."""
    pointee = pointee_of(alloca.result)
    return not isinstance(pointee, ocl.ArrayType) or parts_of(leaf_of(pointee), accesses) is None


def _is_promoted(alloca: ocl.AllocaOp) -> bool:
    """Whether all indices of an array are numbers within it, or one of its elements is chosen."""
    accesses = accesses_of(alloca.result)
    assert accesses is not None
    size, views = size_of(pointee_of(alloca.result)), _are_views(alloca, accesses)
    return all(
        access.is_within(size)
        if not access.place.factors
        else access.index is not None and not access.is_known and not views
        for access in accesses
    )


def _split(alloca: ocl.AllocaOp) -> None:
    """Make variables of an array."""
    accesses = accesses_of(alloca.result)
    assert accesses is not None
    split = split_views if _are_views(alloca, accesses) else split_elements
    split(alloca, accesses)
    _erase_unused(alloca)


def _erase_unused(op: Operation) -> None:
    """Erase an allocation and the pointers into it."""
    for use in list(op.results[0].uses):
        _erase_unused(use.operation)
    Rewriter.erase_op(op)
