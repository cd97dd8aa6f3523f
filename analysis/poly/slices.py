"""The bytes of each buffer that a range of a launch's work-items reads and writes.

The kernel is in the form of `poly-fix-launch`: all sizes and integer arguments are numbers, so
every address that is a polynomial becomes affine, and isl answers by sets of numbers. What isl
cannot bound is the whole buffer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import Facts, constant_value
from polycl.analysis.poly.byte_ranges import ByteRanges
from polycl.analysis.poly.fixed_model import FixedModel
from polycl.analysis.poly.fixed_values import signed
from polycl.analysis.poly.images_of_sets import Rows, image_of
from polycl.analysis.poly.spaces import Space
from polycl.analysis.poly.unknowns import bounds_of, unknowns_of
from polycl.analysis.poly.values import affine_part, bits_of
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import has_padding, size_of, stride_of
from polycl.dialects.ocl.memory import pointee_of, pointer_type
from polycl.dialects.ocl.sync import AtomicKind
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget, isl_context
from polycl.errors import error_at

Box = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
"""The first id and the id after the last one, for the dimensions 0, 1 and 2."""

_NAMES = ("z", "y", "x")
_OF_A_GROUP = (ocl.AddressSpace.PRIVATE, ocl.AddressSpace.LOCAL)
_SET, _PARAM, _IN = isl.dim_type.set, isl.dim_type.param, isl.dim_type.in_
_CONSTANTS = (ocl.NullOp, ocl.AddressOfOp)
"""Pointers to no memory, and to the program's constants, which each worker has."""

MOST_OPERATIONS = 5_000_000
"""Of isl, for the bytes of an access: seconds."""


@dataclass(frozen=True)
class Touch:
    """An operation that reads or writes a buffer."""

    op: Operation
    parameter: int
    """The position of the pointer among the kernel's parameters."""
    reads: bool
    writes: bool
    reduction: AtomicKind | None
    """The kind of an atomic operation whose old value is not used."""
    domain: isl.Set
    """The global ids, and the iterations around, for which it runs: `R[z, y, x, k]`."""
    address: isl.PwAff | None
    """In bytes; None if unknown."""
    nbytes: int
    is_exact: bool
    """Whether the domain is exact, not an over-approximation."""
    unknowns: tuple[SSAValue, ...] = ()
    """The values on which the address depends that are not known before the launch."""

    def image(self, box: Box, size: int) -> Rows | None:
        """The bytes of a buffer of `size` bytes that the work-items of a box access, and whether
        these are exact.

        None if they have no known bounds.
        """
        domain = self.domain.intersect(_items(box, self.domain))
        if domain.is_empty():
            return ByteRanges.union(()), True
        if self.address is None:
            return None
        if self.unknowns:
            # Bounds of a type are far from the buffer.
            inside = self.address.add_constant_val(_number(self.nbytes)).pos_set()
            end = self.address.add_constant_val(_number(-size)).neg().pos_set()
            domain = domain.intersect(inside).intersect(end)
        try:
            with isl_budget(MOST_OPERATIONS):
                found = image_of(domain, self.address, self.nbytes)
        except (OverflowError, BudgetExceeded):
            # Unknown values of 64 bits, with factors, or many quotients of them.
            return None
        return None if found is None else (found[0].clipped(size), found[1] and self.is_exact)


def touches_of(body: Block, pointers: Sequence[SSAValue], box: Box) -> list[Touch]:
    """The accesses of a kernel to its buffers, in the order of the text.

    `body` is a block of the three global ids (`body_over_ids`), `pointers` are the kernel's
    arguments, and `box` has the ids of the whole launch.

    Raises:
        PolyclError: located: an access to memory that is of no argument.
    """
    root = Space.of(_NAMES, ())
    items = root.universe.intersect(_items(box, root.universe))
    everything = isl.Set.universe(root.space).params()
    model = FixedModel(body, _NAMES, {}, everything, items, None, Facts())
    unknowns = unknowns_of(model, body)
    if unknowns:
        leaves = {(value, False): name for value, name in unknowns.items()}
        bounds = bounds_of(unknowns)
        model = FixedModel(body, _NAMES, leaves, bounds, items, None, Facts())
    return _Touches(model, pointers, unknowns).found(body)


def _items(box: Box, like: isl.Set) -> isl.Set:
    """The points of a space whose ids are in a box."""
    found = isl.Set.universe(like.get_space())
    for dimension, (first, end) in enumerate(box):
        place = 2 - dimension
        found = found.lower_bound_val(isl.dim_type.set, place, _number(first))
        found = found.upper_bound_val(isl.dim_type.set, place, _number(end - 1))
    return found


def _number(value: int) -> isl.Val:
    return isl.Val.int_from_si(isl_context(), value)


class _Touches:
    def __init__(
        self, model: FixedModel, pointers: Sequence[SSAValue], unknowns: Mapping[SSAValue, str]
    ):
        self._model = model
        self._unknowns = unknowns
        self._parameters: Mapping[SSAValue, int] = {p: i for i, p in enumerate(pointers)}
        self._exact = {access.op: access.is_exact for access in model.accesses}

    def found(self, body: Block) -> list[Touch]:
        touches: list[Touch] = []
        for op in body.walk():
            touches.extend(self._touches(op))
        return touches

    def _touches(self, op: Operation) -> list[Touch]:
        match op:
            case ocl.LoadOp():
                return self._access(op, op.pointer, op.index, size_of(op.result.type), reads=True)
            case ocl.StoreOp():
                return self._access(op, op.pointer, op.index, size_of(op.value.type), writes=True)
            case ocl.VLoadOp() | ocl.VStoreOp():
                is_load = isinstance(op, ocl.VLoadOp)
                type = op.result.type if isinstance(op, ocl.VLoadOp) else op.value.type
                assert isinstance(type, VectorType)
                size = type.element_count() * stride_of(pointee_of(op.pointer))
                return self._access(
                    op, op.pointer, op.index, size, size, reads=is_load, writes=not is_load
                )
            case ocl.AtomicRMWOp():
                size = size_of(op.value.type)
                kind = op.kind.data if op.result.first_use is None else None
                return self._access(
                    op, op.pointer, None, size, reads=True, writes=True, reduction=kind
                )
            case ocl.AtomicCmpXchgOp():
                size = size_of(op.desired.type)
                return self._access(op, op.pointer, None, size, reads=True, writes=True)
            case ocl.AsyncCopyOp():
                return [*self._copied(op, op.source, reads=True), *self._copied(op, op.target)]
            case (
                ocl.OffsetOp()
                | ocl.CastOp()
                | ocl.MemberOp()
                | ocl.PrefetchOp()
                | ocl.IsInOp()
                | scf.ForOp()
                | scf.WhileOp()
                | scf.IfOp()
                | scf.YieldOp()
                | scf.ConditionOp()
                | arith.SelectOp()
            ):
                return []
            case ocl.PrintfOp():
                raise error_at(op, "printf is not supported: it would print on the workers")
            case _:
                pointers = [value for value in op.operands if isinstance(value.type, ocl.PtrType)]
                return [
                    touch
                    for pointer in pointers
                    for touch in self._access(op, pointer, None, None, reads=True, writes=True)
                ]

    def _copied(self, op: ocl.AsyncCopyOp, pointer: SSAValue, reads: bool = False) -> list[Touch]:
        """One side of a copy by the group: each work-item is said to do all of it."""
        count = constant_value(op.count)
        size = None
        if count is not None and op.stride is None:
            size = count * stride_of(pointee_of(pointer))
        return self._access(op, pointer, None, size, reads=reads, writes=not reads)

    def _access(
        self,
        op: Operation,
        pointer: SSAValue,
        index: SSAValue | None,
        nbytes: int | None,
        step: int | None = None,
        *,
        reads: bool = False,
        writes: bool = False,
        reduction: AtomicKind | None = None,
    ) -> list[Touch]:
        roots = self._roots(op, pointer)
        if not roots:
            return []
        address = None
        if nbytes is not None and len(roots) == 1:
            unit = stride_of(pointee_of(pointer)) if step is None else step
            address = self._address(op, pointer, index, unit)
        domain = self._model.domain_at(op)
        unknowns: tuple[SSAValue, ...] = ()
        exact = self._exact.get(op, False) and address is not None
        exact = exact and not (writes and has_padding(pointee_of(pointer)))
        if self._unknowns:
            exact = exact and self._is_independent(domain)
            domain, address, unknowns = self._over_unknowns(domain, address)
            exact = exact and not unknowns
        return [
            Touch(op, root, reads, writes, reduction, domain, address, nbytes or 0, exact, unknowns)
            for root in roots
        ]

    def _is_independent(self, domain: isl.Set) -> bool:
        """Whether the unknown values do not decide what runs."""
        anyhow = domain.project_out(_PARAM, 0, domain.dim(_PARAM))
        return anyhow.intersect_params(self._model.context).is_subset(domain)

    def _over_unknowns(
        self, domain: isl.Set, address: isl.PwAff | None
    ) -> tuple[isl.Set, isl.PwAff | None, tuple[SSAValue, ...]]:
        """Unknown values as further dimensions: each work-item has some value of them."""
        domain = domain.reset_tuple_id()
        if address is None:
            return domain.project_out(_PARAM, 0, domain.dim(_PARAM)), None, ()
        address = address.reset_tuple_id(_IN)
        domain = domain.align_params(address.get_domain_space())
        address = address.align_params(domain.get_space())
        named: dict[str | None, SSAValue] = {name: v for v, name in self._unknowns.items()}
        unknowns: list[SSAValue] = []
        for place in reversed(range(domain.dim(_PARAM))):
            if address.involves_dims(_PARAM, place, 1):
                unknowns.append(named[domain.get_dim_name(_PARAM, place)])
                end = domain.dim(_SET)
                domain = domain.move_dims(_SET, end, _PARAM, place, 1)
                address = address.move_dims(_IN, end, _PARAM, place, 1)
            else:
                domain = domain.project_out(_PARAM, place, 1)
                address = address.drop_dims(_PARAM, place, 1)
        return domain.reset_tuple_id(), address.reset_tuple_id(_IN), tuple(reversed(unknowns))

    def _address(
        self, op: Operation, pointer: SSAValue, index: SSAValue | None, step: int
    ) -> isl.PwAff | None:
        """The address in bytes from the start of the argument."""
        total = self._model.space_at(op).number(0)
        moves = [] if index is None else [(index, step)]
        while pointer not in self._parameters:
            if isinstance(pointer, BlockArgument):
                carried = _moved_pointer(pointer)
                # After the loop, nothing says how many iterations it had.
                if carried is None or not pointer.owner.is_ancestor(op):
                    return None
                iteration = self._model.iteration_of(pointer.owner, op)
                total = total.add(iteration.scale_val(_number(carried[1])))
                pointer = carried[0]
                continue
            match pointer.owner:
                case ocl.OffsetOp():
                    moves.append((pointer.owner.index, stride_of(pointee_of(pointer))))
                case ocl.MemberOp():
                    total = total.add(self._model.space_at(op).number(pointer.owner.offset))
                case ocl.CastOp():
                    pass
                case _:
                    # `odd ? a : b`, where the launch says which one it is.
                    sources = _sources(pointer)
                    if sources is None or len(sources) != 1:
                        return None
                    pointer = sources[0]
                    continue
            pointer = pointer.owner.operands[0]
        for value, size in moves:
            part = affine_part(self._model.index_at(value, op))
            if part is None:
                return None
            total = total.add(part.scale_val(isl.Val.int_from_si(total.get_ctx(), size)))
        return total.coalesce()

    def _roots(self, op: Operation, pointer: SSAValue) -> list[int]:
        """The positions of the arguments that a pointer may point into, without local memory."""
        found: dict[int, None] = {}
        seen: set[SSAValue] = set()
        stack = [pointer]
        while stack:
            value = stack.pop()
            if value in seen or pointer_type(value).address_space in _OF_A_GROUP:
                continue
            seen.add(value)
            if value in self._parameters:
                found[self._parameters[value]] = None
            elif not isinstance(value.owner, _CONSTANTS):
                sources = _sources(value)
                if sources is None:
                    raise error_at(
                        op, "the buffer of this access is not known: its pointer comes from memory"
                    )
                stack.extend(sources)
        return sorted(found)


def _sources(value: SSAValue) -> list[SSAValue] | None:
    """The pointers of which a pointer is made; None if there are others."""
    owner = value.owner
    match owner:
        case ocl.OffsetOp() | ocl.CastOp() | ocl.MemberOp():
            return [owner.pointer]
        case arith.SelectOp():
            return _taken(owner.cond, [owner.lhs, owner.rhs])
        case scf.IfOp() if isinstance(value, OpResult):
            ends = [terminator(region.block).operands[value.index] for region in owner.regions]
            return _taken(owner.cond, ends)
        case scf.ForOp() if isinstance(value, OpResult):
            place = value.index
            return [owner.iter_args[place], terminator(owner.body.block).operands[place]]
        case scf.WhileOp() if isinstance(value, OpResult):
            return [condition_of(owner).args[value.index]]
        case Block() if isinstance(value, BlockArgument):
            return _carried(value, owner.parent_op())
        case _:
            return None


def _taken(condition: SSAValue, sides: list[SSAValue]) -> list[SSAValue]:
    number = constant_value(condition)
    return sides if number is None else [sides[0 if number else 1]]


def _moved_pointer(value: BlockArgument) -> tuple[SSAValue, int] | None:
    """The first value of a pointer that a loop moves by a constant, and by how many bytes."""
    loop = value.owner.parent_op()
    sources = _carried(value, loop)
    if sources is None:
        return None
    if len(sources) == 1:
        return (sources[0], 0) if isinstance(loop, scf.WhileOp) else None
    first, after = sources
    moved = 0
    while after is not value:
        match after.owner:
            case ocl.OffsetOp():
                number = constant_value(after.owner.index)
                if number is None:
                    return None
                moved += signed(number, bits_of(after.owner.index)) * stride_of(pointee_of(after))
                after = after.owner.pointer
            case ocl.CastOp():
                after = after.owner.pointer
            case Block() if isinstance(after, BlockArgument):
                inside = _carried(after, after.owner.parent_op())
                if after.owner.parent_op() is not loop or inside is None or len(inside) != 1:
                    return None
                after = inside[0]
            case _:
                return None
    return first, moved


def _carried(value: BlockArgument, loop: Operation | None) -> list[SSAValue] | None:
    match loop:
        case scf.ForOp():
            place = value.index - 1
            return [loop.iter_args[place], terminator(loop.body.block).operands[place]]
        case scf.WhileOp() if value.owner is loop.before_region.block:
            after = terminator(loop.after_region.block)
            return [loop.arguments[value.index], after.operands[value.index]]
        case scf.WhileOp():
            return [condition_of(loop).args[value.index]]
        case _:
            return None
