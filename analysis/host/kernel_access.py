"""The elements of its arguments that a kernel accesses, and their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue, Use

from polycl.analysis.host.host_index import Indices, Sizes
from polycl.analysis.ocl.index_expr import Expr, integer
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import stride_of


@dataclass(frozen=True)
class Access:
    """A load or a store through a pointer argument."""

    op: ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp
    parameter: int
    index: Expr
    """In elements, with the offsets of the pointer."""

    width: int
    """The number of consecutive elements."""

    offsets: tuple[ocl.OffsetOp, ...]
    """The pointer arithmetic between the argument and the access."""

    is_modular: bool
    """Whether the index is known modulo 2^32 only (see `analysis.host.index`)."""

    @property
    def is_store(self) -> bool:
        return isinstance(self.op, ocl.StoreOp | ocl.VStoreOp)

    @property
    def element(self) -> Attribute:
        """The pointee."""
        assert isinstance(self.op.pointer.type, ocl.PtrType)
        return self.op.pointer.type.pointee

    @cached_property
    def nbytes(self) -> int:
        """The bytes of an element, with its padding."""
        return stride_of(self.element)


@dataclass(frozen=True)
class Loop:
    """A loop around accesses; without a counter, its trip count is unknown."""

    op: scf.ForOp | scf.WhileOp
    counter: str | None
    bounds: tuple[Expr, Expr, Expr]
    """Start, end and step of the counter."""

    body: tuple[Item, ...]


@dataclass(frozen=True)
class Branch:
    """The accesses where a condition holds, and where it does not."""

    op: scf.IfOp
    facts: tuple[tuple[Expr, ...], tuple[Expr, ...]]
    """The nonnegative expressions in each arm."""

    arms: tuple[tuple[Item, ...], tuple[Item, ...]]


@dataclass(frozen=True)
class Barrier:
    """All work-items of a group reach it before any one continues."""

    op: ocl.BarrierOp


Item: TypeAlias = Access | Loop | Branch | Barrier


@dataclass(frozen=True)
class Escape:
    """A use of a pointer argument that is not an access, such as a cast."""

    op: Operation
    parameter: int
    reason: str


@dataclass
class KernelAccesses:
    """The accesses of one kernel through its arguments.

    `local_size` is the size of its groups if it is the same in all launches.
    """

    kernel: ocl.KernelLike
    local_size: Sizes = (None, None, None)
    accesses: list[Access] = field(default_factory=list[Access], init=False)
    escapes: list[Escape] = field(default_factory=list[Escape], init=False)

    def __post_init__(self) -> None:
        required = self.kernel.required_size
        self.indices = Indices(self.kernel, required or self.local_size)
        for parameter, argument in enumerate(self.kernel.args):
            # What is done with an image is an escape.
            if isinstance(argument.type, ocl.PtrType | ocl.ImageType):
                self._follow(argument, parameter, integer(0), (), False)
        self._of_op = {access.op: access for access in self.accesses}
        order = {op: number for number, op in enumerate(self.kernel.body.walk())}
        self.accesses.sort(key=lambda access: order[access.op])

    def of(self, parameter: int) -> list[Access]:
        """The accesses through one argument, in the order of the text."""
        return [access for access in self.accesses if access.parameter == parameter]

    def escape_of(self, parameter: int) -> Escape | None:
        """A use of the argument that is not an access."""
        return next((escape for escape in self.escapes if escape.parameter == parameter), None)

    def nest(self) -> tuple[Item, ...]:
        """The accesses with the loops, branches and barriers around them."""
        return tuple(self._items(self.kernel.body.blocks[0]))

    def _follow(
        self,
        pointer: SSAValue,
        parameter: int,
        start: Expr,
        offsets: tuple[ocl.OffsetOp, ...],
        is_modular: bool,
    ) -> None:
        for use in pointer.uses:
            op = use.operation
            match op:
                case ocl.OffsetOp():
                    index = start + self.indices.expr(op.index)
                    modular = is_modular or self.indices.is_modular(op.index)
                    self._follow(op.result, parameter, index, (*offsets, op), modular)
                case ocl.LoadOp() | ocl.StoreOp() | ocl.VLoadOp() | ocl.VStoreOp() if (
                    op.pointer is pointer and not _is_stored(use)
                ):
                    self._add(op, parameter, start, offsets, is_modular)
                case _:
                    self.escapes.append(Escape(op, parameter, f"'{op.name}' uses its address"))

    def _add(
        self,
        op: ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp,
        parameter: int,
        index: Expr,
        offsets: tuple[ocl.OffsetOp, ...],
        is_modular: bool,
    ) -> None:
        width = 1
        if isinstance(op, ocl.VLoadOp | ocl.VStoreOp):
            vector = op.result.type if isinstance(op, ocl.VLoadOp) else op.value.type
            assert isinstance(vector, VectorType)
            width = vector.element_count()
        if op.index is not None:
            index += self.indices.expr(op.index) * width
            is_modular = is_modular or self.indices.is_modular(op.index)
        self.accesses.append(Access(op, parameter, index, width, offsets, is_modular))

    def _items(self, block: Block) -> Iterator[Item]:
        for op in block.ops:
            if (access := self._of_op.get(op)) is not None:  # pyright: ignore[reportArgumentType]
                yield access
                continue
            match op:
                case ocl.BarrierOp():
                    yield Barrier(op)
                case scf.ForOp():
                    body = tuple(self._items(op.body.block))
                    expr = self.indices.expr
                    counter = str(expr(op.body.block.args[0]))
                    if body:
                        yield Loop(op, counter, (expr(op.lb), expr(op.ub), expr(op.step)), body)
                case scf.WhileOp():
                    before = tuple(self._items(op.before_region.block))
                    body = (*before, *self._items(op.after_region.block))
                    if body:
                        yield Loop(op, None, (integer(0), integer(0), integer(0)), body)
                case scf.IfOp():
                    yield from self._branch(op)
                case _:
                    pass

    def _branch(self, op: scf.IfOp) -> Iterator[Item]:
        arms: list[tuple[Item, ...]] = []
        facts: list[tuple[Expr, ...]] = []
        for holds, region in ((True, op.true_region), (False, op.false_region)):
            arms.append(tuple(item for block in region.blocks for item in self._items(block)))
            facts.append(tuple(self.indices.decided(op.cond, holds)))
        if any(arms):
            yield Branch(op, (facts[0], facts[1]), (arms[0], arms[1]))


def _is_stored(use: Use) -> bool:
    """Whether the pointer itself is stored."""
    return isinstance(use.operation, ocl.StoreOp | ocl.VStoreOp) and use.index == 0


def has_barrier(items: tuple[Item, ...]) -> bool:
    """Whether there is a barrier anywhere in them."""
    for item in items:
        match item:
            case Barrier():
                return True
            case Loop():
                if has_barrier(item.body):
                    return True
            case Branch():
                if any(has_barrier(arm) for arm in item.arms):
                    return True
            case _:
                pass
    return False


def loops_around(op: Operation) -> Iterator[scf.ForOp | scf.WhileOp]:
    """The loops around an operation, the innermost first."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, scf.ForOp | scf.WhileOp):
            yield parent
        parent = parent.parent_op()
