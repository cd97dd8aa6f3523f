"""Insertion of barriers, from data dependences.

A statement is the code of a group's work-items between two points that they reach together. A
barrier is inserted before a statement with an access to an element that another work-item may have
accessed since the last barrier, where one of the accesses is a write. Loops that a group runs
together are analysed twice, so that the accesses of an iteration meet those of the next one.

Two accesses are by the same work-item if their indices prove it: both are `u + i * s + r` with the
same `u` and `s`, for the element `i` of a map over local work-items, and `0 <= r < s`. Element i of
every local map is run by work-item `i mod local size`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Operation

from polycl.analysis.ocl.index_arith import Env, Expr, bounds, integer, is_nonneg, var
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import Access, Kernel


@dataclass(frozen=True)
class _Seen:
    """An access since the last barrier."""

    access: Access
    stale: frozenset[str]
    """Variables that have another value now: those of loops in their next iteration."""

    other_element: frozenset[str] = frozenset()
    """The variables of local maps whose own loop is in its next iteration: another element."""


def place_barriers(kernel: Kernel, local_size: Sequence[int], env: Env) -> None:
    """Insert the barriers that the accesses of `kernel` need."""
    if all(size == 1 for size in local_size):
        return
    _Placement(kernel, local_size, env).block(kernel.block, [])


class _Placement:
    def __init__(self, kernel: Kernel, local_size: Sequence[int], env: Env):
        self.kernel = kernel
        self.dims = [dim for dim in range(3) if local_size[dim] > 1]
        self.env = env
        self.rounds = {n for names in kernel.round_variables.values() for n in names}
        accesses = kernel.accesses.values()
        written = {access.buffer for access in accesses if access.is_write}
        self.exchanged = {access.buffer for access in accesses if not access.is_write} & written
        """The buffers that are written and read, neither arguments nor results: of a result each
        element is written once."""

    def block(self, block: Block, seen: list[_Seen]) -> list[_Seen]:
        """The accesses since the last barrier at the end of `block`, with `seen` before it."""
        for op in list(block.ops):
            if isinstance(op, ocl.BarrierOp):
                # From the previous iteration, which did not have all accesses.
                _add_spaces(op, self._spaces(seen))
                seen = []
                continue
            bodies = [b for region in op.regions for b in region.blocks if self._is_shared(b)]
            if bodies:
                seen = self._rounds(op, bodies, seen)
                continue
            accesses = [self.kernel.accesses[o] for o in op.walk() if o in self.kernel.accesses]
            spaces = self._conflicts(seen, accesses)
            if spaces:
                self._insert_before(op, spaces, seen)
                seen = []
            seen = seen + [_Seen(access, frozenset()) for access in accesses]
        return seen

    def _spaces(self, seen: Iterable[_Seen]) -> set[AddressSpace]:
        """The memory that a barrier orders: all of it, so that one barrier is enough."""
        buffers = {s.access.buffer for s in seen}
        return {buffer.space for buffer in buffers if buffer in self.exchanged}

    def _is_shared(self, block: Block) -> bool:
        return block in self.kernel.group_blocks

    def _rounds(self, op: Operation, bodies: Sequence[Block], seen: list[_Seen]) -> list[_Seen]:
        """A loop or a branch that all work-items of the group enter together."""
        (body,) = bodies
        after = self.block(body, [])
        if op.name == "scf.for":
            changed = self.kernel.variables_of(body)
            elements = frozenset(self.kernel.element_variables.get(body, ()))
            carried = [_Seen(s.access, s.stale | changed, elements) for s in after]
            after = self.block(body, carried) + after
        # What was accessed before it needs no barrier in each iteration.
        spaces = self._conflicts_at_start(body, seen)
        if spaces:
            self._insert_before(op, spaces, seen)
            seen = []
        # It may not run at all.
        return [*seen, *(s for s in after if s not in seen)]

    def _conflicts_at_start(self, body: Block, seen: Sequence[_Seen]) -> set[AddressSpace]:
        """The conflicts with the accesses in `body` before its first barrier."""
        for op in body.ops:
            if isinstance(op, ocl.BarrierOp):
                break
            bodies = [b for region in op.regions for b in region.blocks if self._is_shared(b)]
            if bodies:
                (inner,) = bodies
                spaces = self._conflicts_at_start(inner, seen)
            else:
                accesses = [self.kernel.accesses[o] for o in op.walk() if o in self.kernel.accesses]
                spaces = self._conflicts(seen, accesses)
            if spaces:
                return spaces
        return set()

    def _insert_before(
        self, op: Operation, spaces: set[AddressSpace], seen: Iterable[_Seen]
    ) -> None:
        """The barrier orders the other accesses as well: they need no further one."""
        assert op.parent is not None
        barrier = ocl.BarrierOp()
        _add_spaces(barrier, spaces | self._spaces(seen))
        op.parent.insert_op_before(barrier, op)

    def _conflicts(self, seen: Iterable[_Seen], accesses: Sequence[Access]) -> set[AddressSpace]:
        return {
            access.buffer.space
            for access in accesses
            for before in seen
            if before.access.buffer is access.buffer
            and access.buffer in self.exchanged
            and (before.access.is_write or access.is_write)
            and not self._same_item(before, access)
            and not self._other_element(before, access)
        }

    def _other_element(self, before: _Seen, after: Access) -> bool:
        """Whether both are in memory of different elements of a map in different iterations."""
        for dim, (item, _) in after.items.items():
            same_map = before.access.items.get(dim, (None,))[0] == item
            names = item.variables
            if not same_map or not names or not names <= before.other_element:
                continue
            others = {
                name
                for access in (before.access, after)
                for d, (other, _) in access.items.items()
                if d != dim
                for name in other.variables
            }
            parts = self._owner(before.access, [item], others), self._owner(after, [item], others)
            if None not in parts and parts[0] == parts[1]:
                return True
        return False

    def _same_item(self, before: _Seen, after: Access) -> bool:
        """Whether no two work-items access the same element."""
        first = before.access
        pairs: list[tuple[Expr, Expr]] = []
        for dim in self.dims:
            a, b = first.items.get(dim), after.items.get(dim)
            if a is None or b is None:
                return False
            if a[1] == b[1] == integer(1):
                # Both are accesses of work-item 0.
                continue
            if integer(1) in (a[1], b[1]):
                return False
            pairs.append((a[0], b[0]))
        if not pairs:
            return True
        # With iterations of loops as further digits, an index of memory that both divide in the
        # same way determines its work-item in every iteration.
        parts_a = self._owner(first, [*(a for a, _ in pairs), *self._rounds_in(first)])
        parts_b = self._owner(after, [*(b for _, b in pairs), *self._rounds_in(after)])
        return parts_a is not None and parts_a == parts_b

    def _rounds_in(self, access: Access) -> list[Expr]:
        """The variables of loops that a group runs together, the outermost first."""
        names = sorted(self.rounds & access.index.variables)
        return [var(name) for name in sorted(names, key=lambda name: _stride(access.index, name))]

    def _owner(
        self, access: Access, items: Sequence[Expr], inside: Set[str] = frozenset()
    ) -> tuple[Expr, tuple[Expr, ...]] | None:
        """`(u, strides)` where an access is proved to be in `u + sum(item * stride) + [0, s)`.

        The variables `inside` belong to the part in `[0, s)`.
        """
        rest, steps = access.index, list[Expr]()
        for item in items:
            (atom,) = item.atoms
            step = rest.along(lambda other, atom=atom: other == atom)
            rest = rest - step * item
            if atom in rest.variables or not step.terms or atom in step.variables:
                return None
            steps.append(step)
        inner = (self.kernel.inner_variables | inside) & rest.variables
        # A number is an offset in the memory of one work-item.
        part = rest.where(
            lambda monomial: not monomial or bool(Expr([(monomial, 1)]).variables & inner)
        )
        base = rest - part
        if inner & base.variables:
            return None
        # From the smallest stride on, all parts inside must fit.
        width = part + access.lanes
        if not is_nonneg(part, self.env):
            return None
        numbered = sorted(zip(steps, items, strict=True), key=lambda pair: _weight(pair[0]))
        for step, item in numbered:
            if not is_nonneg(step - width, self.env):
                return None
            _, high = bounds(item, self.env)
            width = step * (high + 1) if high is not None else step
        return base, tuple(steps)


def _add_spaces(barrier: ocl.BarrierOp, spaces: set[AddressSpace]) -> None:
    if AddressSpace.LOCAL in spaces:
        barrier.local = UnitAttr()
    if AddressSpace.GLOBAL in spaces:
        barrier.global_ = UnitAttr()


def _stride(index: Expr, name: str) -> int:
    """The key that orders the digits of an index: the negative coefficient of a variable."""
    return -index.coefficients.get((name,), 0)


def _weight(step: Expr) -> tuple[int, str]:
    return (step.constant if step.constant is not None else 1 << 62, str(step))
