"""`coarsen`: a kernel whose work-items each do the work of several neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerType,
    StringAttr,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl
from polycl.dialects.ocl.kernel import PARAM_NAME, PARAM_TYPE
from polycl.lowering.build import Build
from polycl.lowering.host.coarsening.coarse_dependence import (
    KernelDependence,
    has_barrier,
    obstacle,
    sees_groups,
)
from polycl.lowering.host.coarsening.coarse_emitter import ONE, CoarseEmitter
from polycl.lowering.ocl.ocl_to_wg import check_structured

_IDS = (ocl.GlobalIdOp, ocl.LocalIdOp)
_ON_TOP = (ocl.LocalAllocOp, ocl.AllocaOp)


@dataclass(frozen=True)
class Merge:
    """`factor` neighbours along `dimension` become one work-item.

    If the factor may not divide the size, the last work-items of a row have less work: `size` is
    then the original number of work-items along the dimension, in a group if the kernel sees its
    groups (`sees_groups`), else in the NDRange; "argument" means that the new kernel gets the
    number in a new parameter. None: the factor divides the size.
    """

    dimension: int
    factor: int
    size: int | str | None = None
    offset: bool = True
    """Whether launches may have a global offset."""


class CannotMerge(Exception):
    """Why a kernel cannot be coarsened."""


Emit: TypeAlias = Callable[[ocl.KernelOp, KernelDependence, Block, int], CoarseEmitter]
"""Makes the emitter of a kernel's body into a block, for a number of work-items."""


def coarsen(kernel: ocl.KernelOp, merge: Merge, emit: Emit | None = None) -> ocl.KernelOp:
    """Replace `kernel` by one for launches of fewer work-items, and return it.

    A launch has `1/factor` of the work-items along the dimension, rounded up, in each group, or, if
    the kernel does not see its groups, in the NDRange. The kernel is structured and has no calls.
    `emit` replaces the emitter of `polycl.lowering.host.coarsening.coarse_emitter`.

    Raises:
        CannotMerge: merged work-items would not reach a barrier together.
    """
    check_structured(kernel)
    _count_rounds(kernel, merge.dimension)
    dependence = KernelDependence(kernel, merge.dimension)
    if (reason := obstacle(kernel, dependence)) is not None:
        raise CannotMerge(reason)
    if merge.size is not None and has_barrier(kernel):
        raise CannotMerge("a barrier, and the factor does not divide the size of the groups")
    make = emit or _plain
    return _Coarsening(
        kernel, merge, lambda block: make(kernel, dependence, block, merge.factor)
    ).kernel


def _plain(
    kernel: ocl.KernelOp, dependence: KernelDependence, block: Block, factor: int
) -> CoarseEmitter:
    return CoarseEmitter(dependence, block, factor)


def _count_rounds(kernel: ocl.KernelOp, dimension: int) -> None:
    """Normalise loops of different starts and equal trip counts to start at zero, so that all
    merged work-items have the same loop."""
    dependence = KernelDependence(kernel, dimension)
    for loop in [op for op in kernel.body.walk() if isinstance(op, scf.ForOp)]:
        if not dependence.of(loop.lb) or dependence.of(loop.step):
            continue
        if not dependence.same_distance(loop.lb, loop.ub) or loop.lb.type != IndexType():
            continue
        body = loop.body.block
        counter = body.args[0]
        value = Build(loop, InsertPoint.at_start(body)).add(loop.lb, counter)
        counter.replace_uses_with_if(value, lambda use: use.operation is not value.owner)
        value.name_hint = counter.name_hint
        before = Build(loop)
        loop.operands[1] = before.sub(loop.ub, loop.lb)
        loop.operands[0] = before.index(0)


class _Coarsening:
    """Makes one kernel."""

    def __init__(self, kernel: ocl.KernelOp, merge: Merge, emit: Callable[[Block], CoarseEmitter]):
        self._merge = merge
        self._groups = sees_groups(kernel, merge.dimension)
        self.kernel = self._declare(kernel)
        old, new = kernel.body.block, self.kernel.body.block
        self._build = emit(new)
        for before, after in zip(old.args, new.args[: len(old.args)], strict=True):
            self._build.bind(before, (-1, -1), after)
        self._size = self._original_size()
        self._on_top(kernel)
        self._queries(kernel)
        if merge.size is None:
            self._build.merge_block(old, self._build.tiles)
        else:
            self._guarded(old)
        self._build.emit_void(ocl.ReturnOp())
        Rewriter.replace_op(kernel, self.kernel, [])

    # The kernel around the body

    def _declare(self, kernel: ocl.KernelOp) -> ocl.KernelOp:
        types = list(kernel.function_type.inputs)
        names: list[dict[str, object]] = [dict(attrs) for attrs in kernel.param_attrs]
        if self._merge.size == "argument":
            taken = kernel.param_names
            name = f"{'local' if self._groups else 'global'}_size_{'xyz'[self._merge.dimension]}"
            while name in taken:
                name += "_"
            types.append(i64)
            names.append({PARAM_NAME: StringAttr(name), PARAM_TYPE: StringAttr("long")})
        block = Block(arg_types=types)
        for arg, attrs in zip(block.args, names, strict=True):
            arg.name_hint = attrs[PARAM_NAME].data  # pyright: ignore
        new = ocl.KernelOp(
            kernel.sym_name.data, FunctionType.from_lists(types, []), Region(block), ()
        )
        new.properties = dict(kernel.properties)
        new.properties["function_type"] = FunctionType.from_lists(types, [])
        new.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(attrs) for attrs in names)  # pyright: ignore
        new.attributes = dict(kernel.attributes)
        new.location = kernel.location
        new.reqd_work_group_size = self._smaller(kernel.reqd_work_group_size)
        new.work_group_size_hint = self._smaller(kernel.work_group_size_hint)
        self._assume(new)
        return new

    def _smaller(self, size: DenseArrayBase[IntegerType] | None) -> DenseArrayBase[I64] | None:
        if size is None:
            return None
        sizes = [int(n) for n in size.get_values()]
        sizes[self._merge.dimension] = -(-sizes[self._merge.dimension] // self._merge.factor)
        return DenseArrayBase.from_list(i64, sizes)

    def _assume(self, kernel: ocl.KernelOp) -> None:
        """Rewrite or drop the attributes of sizes for the new sizes."""
        factor, d = self._merge.factor, self._merge.dimension
        texts: list[str] = []
        for text in kernel.assumptions:
            names = rf"\b(local|global)_size{d}\b"
            if not re.search(names, text):
                texts.append(text)
            elif self._merge.size is None and not re.search(rf"\d(local|global)_size{d}", text):
                texts.append(re.sub(names, rf"({factor}*\g<0>)", text))
        kernel.assume = ArrayAttr(map(StringAttr, texts)) if texts else None

    # Ids and sizes

    def _query(self, kind: type[Operation]) -> SSAValue:
        return self._build.emit(kind(self._merge.dimension))  # pyright: ignore

    def _original_size(self) -> SSAValue | None:
        match self._merge.size:
            case None:
                return None
            case int() as number:
                return self._build.index(number)
            case _:
                last = self.kernel.body.block.args[-1]
                return self._build.as_index(last)

    def _on_top(self, kernel: ocl.KernelOp) -> None:
        """Private memory for each of the merged work-items, local memory for their group."""
        for op in kernel.body.walk():
            if isinstance(op, _ON_TOP):
                self._build.source = op
                count = self._merge.factor if isinstance(op, ocl.AllocaOp) else 1
                copies = [self._build.emit(op.clone()) for _ in range(count)]
                for copy in copies:
                    copy.name_hint = op.result.name_hint
                self._build.bind_done(op, copies)
        self._build.source = None

    def _queries(self, kernel: ocl.KernelOp) -> None:
        """The original queries of the NDRange, from those of the new kernel."""
        build, merge = self._build, self._merge
        asked: dict[type[Operation], list[Operation]] = {}
        for op in kernel.body.walk():
            if isinstance(op, (*_IDS, ocl.LocalSizeOp, ocl.GlobalSizeOp)):
                if op.dimension == merge.dimension:
                    asked.setdefault(type(op), []).append(op)
        padded_group = self._size is not None and self._groups
        if ocl.LocalIdOp in asked or padded_group:
            self._local = build.product(self._query(ocl.LocalIdOp), merge.factor)
            build.set_first_id(ocl.LocalIdOp, self._local)
        if ocl.GlobalIdOp in asked or (self._size is not None and not self._groups):
            build.set_first_id(ocl.GlobalIdOp, self._global_id(padded_group))
        for kind in (ocl.LocalSizeOp, ocl.GlobalSizeOp):
            if kind in asked:
                value = self._size_query(kind)
                for op in asked[kind]:
                    build.bind_done(op, [value])

    def _global_id(self, padded_group: bool) -> SSAValue:
        build, merge = self._build, self._merge
        if padded_group:
            assert self._size is not None
            start = build.mul(self._query(ocl.GroupIdOp), self._size)
            self._from_zero = build.add(start, self._local)
        else:
            id = self._query(ocl.GlobalIdOp)
            if merge.offset:
                offset = self._query(ocl.GlobalOffsetOp)
                id = build.sub(id, offset)
            self._from_zero = build.product(id, merge.factor)
        if not merge.offset:
            return self._from_zero
        return build.add(self._from_zero, self._query(ocl.GlobalOffsetOp))

    def _size_query(self, kind: type[Operation]) -> SSAValue:
        if self._size is None:
            return self._build.product(self._query(kind), self._merge.factor)
        if not self._groups or kind is ocl.LocalSizeOp:
            return self._size
        groups = self._query(ocl.NumGroupsOp)
        return self._build.mul(groups, self._size)

    # The body

    def _guarded(self, body: Block) -> None:
        """All merged work-items at once if all exist, else one after the other."""
        build = self._build
        assert self._size is not None
        first = self._local if self._groups else self._from_zero
        end = build.add(first, build.index(self._merge.factor))
        complete = build.compare("sle", end, self._size)
        left = build.sub(self._size, first)
        build.either(
            complete,
            lambda: build.merge_block(body, build.tiles),
            lambda: build.one_by_one(left, lambda: build.merge_block(body, ONE)),
        )
