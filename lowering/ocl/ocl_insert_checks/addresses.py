"""Where an access goes: the object that its pointer points into, and the distance to it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf, ub
from xdsl.dialects.builtin import i64
from xdsl.ir import BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import field_offset, stride_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.lowering.build import Build

AnyAccess = (
    ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp | ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp
)


class Roots:
    """The objects of a kernel's pointers."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, SSAValue | None] = {}

    def of(self, pointer: SSAValue) -> SSAValue | None:
        """The parameter, allocation or constant that `pointer` points into; None if it is not
        known."""
        if pointer not in self._known:
            found = self.all_of(pointer)
            self._known[pointer] = found.pop() if len(found) == 1 else None
        return self._known[pointer]

    def all_of(self, pointer: SSAValue) -> set[SSAValue | None]:
        """The objects that `pointer` may point into, and None if it may be any other."""
        return self._objects(pointer, set())

    def _objects(self, pointer: SSAValue, seen: set[SSAValue]) -> set[SSAValue | None]:
        """All objects that it may point into."""
        if pointer in seen:
            return set()
        seen.add(pointer)
        return set[SSAValue | None]().union(
            *(
                {source} if source is None or source is pointer else self._objects(source, seen)
                for source in _sources(pointer)
            )
        )


def _sources(pointer: SSAValue) -> Sequence[SSAValue | None]:
    """The pointers from which one is made: itself if it is an object, None if that is unknown."""
    owner = pointer.owner
    match owner:
        case ocl.OffsetOp() | ocl.CastOp() | ocl.MemberOp():
            return [owner.pointer]
        case ocl.AllocaOp() | ocl.LocalAllocOp() | ocl.AddressOfOp():
            return [pointer]
        case ocl.NullOp() | ub.PoisonOp():
            # Into none, and outside of each.
            return []
        case arith.SelectOp():
            return [owner.lhs, owner.rhs]
        case scf.IfOp():
            assert not isinstance(pointer, BlockArgument)
            place = owner.results.index(pointer)  # pyright: ignore[reportArgumentType]
            return [terminator(region.block).operands[place] for region in owner.regions]
        case scf.ForOp():
            place = owner.results.index(pointer)  # pyright: ignore[reportArgumentType]
            return [owner.iter_args[place], terminator(owner.body.block).operands[place]]
        case scf.WhileOp():
            place = owner.results.index(pointer)  # pyright: ignore[reportArgumentType]
            return [condition_of(owner).args[place]]
        case Operation():
            return [None]
        case _:
            assert isinstance(pointer, BlockArgument)
            return _sources_of_argument(pointer)


def _sources_of_argument(pointer: BlockArgument) -> Sequence[SSAValue | None]:
    parent = pointer.block.parent_op()
    match parent:
        case ocl.KernelLike():
            return [pointer]
        case scf.ForOp():
            place = pointer.index - 1
            return [parent.iter_args[place], terminator(parent.body.block).operands[place]]
        case scf.WhileOp() if pointer.block is parent.before_region.block:
            after = terminator(parent.after_region.block)
            return [parent.arguments[pointer.index], after.operands[pointer.index]]
        case scf.WhileOp():
            return [condition_of(parent).args[pointer.index]]
        case _:
            return [None]


def offset_of(build: Build, pointer: SSAValue, root: SSAValue) -> tuple[SSAValue | None, int]:
    """The distance of a pointer from the start of its object, as i64 (None: 0), and a number of
    which it is a multiple."""
    total: SSAValue | None = None
    step = 0

    def add(part: SSAValue) -> SSAValue:
        return part if total is None else build.add(total, part)

    while pointer is not root:
        owner = pointer.owner
        match owner:
            case ocl.OffsetOp():
                stride = stride_of(pointer_type(pointer).pointee)
                index = build.index_cast(owner.index, i64)
                total = add(build.mul(index, build.constant(stride, i64)))
                step = _common(step, stride)
            case ocl.MemberOp():
                record = pointer_type(owner.pointer).pointee
                assert isinstance(record, ocl.StructType | ocl.UnionType)
                at = field_offset(record, owner.field.data)
                total = add(build.constant(at, i64))
                step = _common(step, at)
            case ocl.CastOp():
                pass
            case _:
                # A loop or a branch has moved it.
                addresses = [build.emit(ocl.PtrToIntOp(p)) for p in (pointer, root)]
                return add(build.sub(*addresses)), 1
        pointer = owner.pointer
    return total, step


def _common(a: int, b: int) -> int:
    """The largest power of two that divides both; all numbers divide 0."""
    both = a | b
    return both & -both
