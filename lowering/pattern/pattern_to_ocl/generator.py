"""The state of code generation inside of a kernel, and its parallel and sequential parts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from xdsl.dialects import arith
from xdsl.dialects.builtin import TupleType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, Range, div, exact_div, integer, is_nonneg
from polycl.dialects import ocl, pattern
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.pattern.types import ArrayType, array, innermost
from polycl.dialects.pattern.values import rows_in
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.destinations import FRAGMENT, OWN, Level
from polycl.lowering.pattern.pattern_to_ocl.fragments import copy_fragment
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    Buffer,
    FragmentView,
    ItemsView,
    TupleView,
    View,
    buffers_in,
    elements_view,
    fragment_view,
    is_shared,
    items_view,
    leaves_of,
    memory_view,
    size_expr,
    stored_type,
)


class GlobalMemory(Protocol):
    """The allocator of global memory: the host."""

    def allocate(self, type: Attribute, sizes: Mapping[str, Expr], around: Sequence[Expr]) -> View:
        """An array of `type` for each index of the maps `around`, as a view."""
        ...


@dataclass(frozen=True)
class Shape:
    """The NDRange: the numbers of work-items and work-groups in each of three dimensions."""

    groups: tuple[Expr, Expr, Expr]
    local: tuple[int, int, int]
    items: tuple[Expr, Expr, Expr]
    """In all groups together."""

    by_groups: bool = False
    """Whether work is distributed among the work-items of a group."""

    any_local: bool = False
    """Whether the device may choose the local size."""

    @property
    def one_item(self) -> bool:
        """Whether a group is one work-item."""
        return self.local == (1, 1, 1)


_MOST_REGISTERS = 256
"""Private arrays up to this size are copied without loops, so that they become registers."""

_KINDS = {
    pattern.MapWorkgroupOp: (ocl.GroupIdOp, "group"),
    pattern.MapLocalOp: (ocl.LocalIdOp, "item"),
    pattern.MapGlobalOp: (ocl.GlobalIdOp, "item"),
}


@dataclass
class KernelGenerator:
    """The position of code in the thread hierarchy."""

    emitter: Emitter
    shape: Shape
    memory: GlobalMemory
    by_group: bool = False
    """Whether a whole group runs the code, not one work-item."""

    around: list[tuple[type[Operation], Expr, Expr]] = field(
        default_factory=list[tuple[type[Operation], Expr, Expr]]
    )
    """The parallel maps around: their class, index and size."""

    guards: list[SSAValue] = field(default_factory=list[SSAValue])
    """The condition for writes: work-items also run iterations that they do not need."""

    overlaps_products: bool = False
    """Whether products may still run when the next element of a reduction is used."""

    def allocate(
        self,
        op: Operation,
        type: Attribute,
        sizes: Mapping[str, Expr],
        space: AddressSpace | None,
        levels: Sequence[Level] = (),
    ) -> View:
        """Memory for a value of `type`, separate for each work-item or group where needed.

        Of private memory for a whole group, each work-item has its own elements: `levels` has for
        each dimension of the array who has them.
        """
        if space is AddressSpace.PRIVATE and self.by_group and levels:
            return self._allocate_for_items(op, type, sizes, list(levels))
        if space is None:
            shared = self.by_group and not self.shape.one_item
            space = AddressSpace.LOCAL if shared else AddressSpace.PRIVATE
        if space is AddressSpace.GLOBAL:
            view = self.memory.allocate(type, sizes, [n for _, _, n in self.around])
            for _, index, _ in self.around:
                assert isinstance(view, ArrayView)
                view = view.at(self.emitter, index)
            return view
        flat, copies = integer(0), integer(1)
        if space is AddressSpace.LOCAL:
            for kind, index, size in self.around:
                if kind is pattern.MapLocalOp:
                    flat, copies = flat * size + index, copies * size
        leaves = leaves_of(type, sizes)
        buffers = [
            Buffer(
                f"{space.value}{self._number()}", space, stored_type(leaf.type), leaf.count * copies
            )
            for leaf in leaves
        ]
        for buffer in buffers:
            if buffer.size.constant is None:
                raise error_at(
                    op,
                    f"its {space.value} memory has {buffer.size} elements; {space.value} memory "
                    "needs a size that is a number: give the sizes, or mark it to_global",
                )
        return memory_view(type, buffers, [flat * leaf.count for leaf in leaves], sizes)

    def allocate_local(
        self, op: pattern.ToLocalOp, type: ArrayType, sizes: Mapping[str, Expr]
    ) -> View:
        """Local memory for a value of `type` of which `op` marks the rows and their layout."""
        if op.padding:
            view = self.allocate(op, _padded(type, op.padding), sizes, AddressSpace.LOCAL)
            return _narrow(view, type, sizes)
        view = self.allocate(op, type, sizes, AddressSpace.LOCAL)
        for buffer in buffers_in(view, self.emitter):
            buffer.swizzled = op.swizzled is not None
        return view

    def _allocate_for_items(
        self,
        op: Operation,
        type: Attribute,
        sizes: Mapping[str, Expr],
        levels: list[Level],
    ) -> View:
        if not levels:
            return self.allocate(op, type, sizes, AddressSpace.PRIVATE)
        if levels == [FRAGMENT]:
            rows, columns = (size_expr(each.size, sizes).constant for each in rows_in(type))
            assert rows is not None and columns is not None
            count = rows * columns // self.shape.local[0]
            own = self.allocate(op, array(count, innermost(type)), sizes, AddressSpace.PRIVATE)
            assert isinstance(own, ArrayView)
            return fragment_view(own, rows, columns)
        assert isinstance(type, ArrayType)
        size, (level, *rest) = size_expr(type.size, sizes), levels
        count = size.constant
        if level == OWN and count is not None:
            own = [
                self._allocate_for_items(op, type.element_type, sizes, rest) for _ in range(count)
            ]
            return elements_view(own)
        if not isinstance(level, int) or count != self.shape.local[level]:
            raise error_at(
                op,
                f"private memory of a group: {size} elements are not one for each work-item of "
                "a dimension",
            )
        return items_view(size, level, self._allocate_for_items(op, type.element_type, sizes, rest))

    def _number(self) -> int:
        self.emitter.kernel.buffers += 1
        return self.emitter.kernel.buffers

    @contextmanager
    def _within(self, kind: type[Operation], index: Expr, size: Expr) -> Generator[None]:
        self.around.append((kind, index, size))
        try:
            yield
        finally:
            self.around.pop()

    def parallel(
        self,
        kind: type[Operation],
        dim: int,
        size: Expr,
        body: Callable[[Expr], None],
        *,
        nested: bool = False,
        first: int = 0,
    ) -> None:
        """`body(i)` for all `i` below `size`, distributed among work-items or groups.

        `nested`: `body` has parts that the work-items of a group must run together.
        """
        emitter = self.emitter
        query, name = _KINDS[kind]
        total = self._total(kind, dim)
        only_one = size == integer(1)
        i = integer(0) if only_one else emitter.fresh(name, Range(integer(0), size - 1))
        by_group, items, guards = self.by_group, dict(emitter.items), list(self.guards)
        is_local = kind is pattern.MapLocalOp
        together = nested or not is_local

        def run(value: SSAValue) -> None:
            if not only_one:
                emitter.bind(i, value)
            if not is_local:
                rounds = emitter.kernel.round_variables
                rounds.setdefault(emitter.block, set()).update(i.variables)
            if is_local:
                emitter.items = {**items, dim: (i, size)}
            self.by_group = kind is pattern.MapWorkgroupOp or nested
            with self._within(kind, i, size):
                body(i)
            self.by_group, emitter.items, self.guards = by_group, items, guards

        def guarded(value: SSAValue) -> None:
            """Some work-items have nothing to do."""
            condition = emitter.result(arith.CmpiOp(value, emitter.index(size), "ult"))
            if is_local and nested:
                # They compute the last element and write nothing.
                last = emitter.index(size - 1)
                self.guards = [*guards, condition]
                run(emitter.result(arith.MinUIOp(value, last)))
            else:
                emitter.when(condition, lambda: run(value), shared=together)

        def main() -> None:
            known = emitter.query(query, dim, f"{name}{dim}")
            # With fewer work-items, the first one begins after all.
            if first and is_nonneg(total - size - first, emitter.env):
                begin, end = emitter.index(integer(first)), emitter.index(size + first)
                inside = emitter.result(
                    arith.AndIOp(
                        emitter.result(arith.CmpiOp(known, begin, "sge")),
                        emitter.result(arith.CmpiOp(known, end, "slt")),
                    )
                )
                emitter.when(
                    inside,
                    lambda: run(emitter.result(arith.SubiOp(known, begin))),
                    shared=together,
                )
                return
            if size == total:
                run(known)
                return
            if is_nonneg(total - size, emitter.env):
                guarded(known)
                return
            rounds = exact_div(size, total)
            whole = rounds is not None
            if rounds is None:
                rounds = ceil_div(size, total, emitter)

            def one_round(t: Expr, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
                if is_local:
                    emitter.kernel.element_variables[emitter.block] = i.variables
                start = emitter.index(t * total)
                value = emitter.result(arith.AddiOp(known, start))
                run(value) if whole else guarded(value)
                return ()

            emitter.loop(rounds, (), one_round, "t", shared=together)

        if not is_local or nested:
            main()
            return
        # Only one of the work-items along a dimension without a map.
        free = self._free_dimensions(dim)
        if free:
            self.parallel(
                kind,
                free[-1],
                integer(1),
                lambda _: self.parallel(kind, dim, size, body),
                nested=True,
            )
        elif self.guards:
            self.when_guarded(main)
        else:
            main()

    def when_guarded(self, body: Callable[[], None]) -> None:
        """`body` for the active work-items of the loops around."""
        guards, self.guards = self.guards, []
        condition = guards[0]
        for other in guards[1:]:
            condition = self.emitter.result(arith.AndIOp(condition, other))
        self.emitter.when(condition, body)
        self.guards = guards

    def alone(self, body: Callable[[], None]) -> None:
        """`body` by one of the work-items that run this code together."""
        if not self.by_group or self.shape.one_item:
            body()
            return
        free = self._free_dimensions()
        if free:
            self.parallel(pattern.MapLocalOp, free[0], integer(1), lambda _: body())
            return
        self.by_group = False
        self.when_guarded(body) if self.guards else body()
        self.by_group = True

    def _total(self, kind: type[Operation], dim: int) -> Expr:
        if kind is pattern.MapLocalOp:
            return integer(self.shape.local[dim])
        if kind is pattern.MapWorkgroupOp:
            return self.shape.groups[dim]
        return self.shape.items[dim]

    def copy(self, source: View, target: View, type: Attribute, sizes: Mapping[str, Expr]) -> None:
        """Copy a value of `type`; a group shares the work."""
        match type:
            case ArrayType():
                assert isinstance(source, ArrayView) and isinstance(target, ArrayView)
                size = size_expr(type.size, sizes)

                def one(i: Expr) -> None:
                    parts = source.at(self.emitter, i), target.at(self.emitter, i)
                    self.copy(*parts, type.element_type, sizes)

                owned = next((v for v in (source, target) if isinstance(v, ItemsView)), None)
                if owned is not None and owned.dim is not None:
                    nested = is_shared(owned.first)
                    self.parallel(pattern.MapLocalOp, owned.dim, size, one, nested=nested)
                    return
                if owned is not None and size.constant is not None:
                    for i in range(size.constant):
                        one(integer(i))
                    return
                if isinstance(source, FragmentView) or isinstance(target, FragmentView):
                    copy_fragment(self.emitter, source, target)
                    return
                if self._in_registers(source, target) and size.constant is not None:
                    for i in range(size.constant):
                        one(integer(i))
                    return

                free = self._free_dimension(_depth(type))
                if free is not None:
                    kind, dim, nested = free
                    self.parallel(kind, dim, size, one, nested=nested)
                else:
                    self.each(size, one)
            case TupleType():
                assert isinstance(source, TupleView) and isinstance(target, TupleView)
                for s, t, part in zip(source.parts, target.parts, type.types, strict=True):
                    self.copy(s, t, part, sizes)
            case _:
                emitter = self.emitter
                self.alone(lambda: emitter.store(emitter.value(source), target))

    def _in_registers(self, source: View, target: View) -> bool:
        """Whether one work-item copies few elements to or from its own memory."""
        if self.by_group and not self.shape.one_item:
            return False
        buffers = [*buffers_in(source, self.emitter), *buffers_in(target, self.emitter)]
        sizes = [b.size.constant for b in buffers if b.space is AddressSpace.PRIVATE]
        return any(size is not None and size <= _MOST_REGISTERS for size in sizes)

    def _free_dimension(self, depth: int) -> tuple[type[Operation], int, bool] | None:
        """A map and its dimension that can distribute the elements of an array, and whether the
        elements of these arrays, `depth` deep with this one, are distributed as well."""
        if not self.around:
            shared = any(n != integer(1) for n in self.shape.items)
            return (pattern.MapGlobalOp, 0, False) if shared else None
        free = self._free_dimensions()
        if not self.by_group or not free or len(free) > depth:
            return None
        # Neighbouring work-items get neighbouring elements: dimension 0 is the innermost.
        return pattern.MapLocalOp, free[-1], len(free) > 1

    def _free_dimensions(self, *taken: int) -> list[int]:
        """The dimensions with several work-items that distribute nothing yet."""
        taken = (*taken, *self.emitter.items)
        return [d for d in range(3) if self.shape.local[d] > 1 and d not in taken]

    def each(
        self,
        size: Expr,
        body: Callable[[Expr], None],
        *,
        shared: bool = False,
        unroll: bool = False,
    ) -> None:
        """`body(i)` for all `i` below `size`, in order; `unroll` is a hint for LLVM."""
        if size == integer(1):
            body(integer(0))
            return

        def one_round(i: Expr, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
            body(i)
            return ()

        self.emitter.loop(size, (), one_round, shared=shared, unroll=unroll)


def _padded(type: ArrayType, padding: int) -> ArrayType:
    """The type with longer innermost rows."""
    if isinstance(type.element_type, ArrayType):
        return ArrayType(type.size, _padded(type.element_type, padding))
    return ArrayType(type.size + padding, type.element_type)


def _narrow(view: View, type: Attribute, sizes: Mapping[str, Expr]) -> View:
    """The view without the padding of its rows."""
    if not isinstance(type, ArrayType):
        return view
    assert isinstance(view, ArrayView)
    element = type.element_type

    def at(emitter: Emitter, i: Expr) -> View:
        return _narrow(view.at(emitter, i), element, sizes)

    return ArrayView(size_expr(type.size, sizes), at)


def _depth(type: Attribute) -> int:
    return 1 + _depth(type.element_type) if isinstance(type, ArrayType) else 0


def ceil_div(size: Expr, by: Expr, emitter: Emitter) -> Expr:
    """`size / by`, rounded up."""
    return div(size + by - 1, by, emitter.env)
