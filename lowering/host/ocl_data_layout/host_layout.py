"""The host's side of another layout: loops that fill and read arrays, or transposes.

An array that the host allocates, fills and reads element by element gets the other layout itself:
its loops are unchanged and store to other indices ([ppopencl19], Figure 2, lines 4 to 6). Any other
array is transposed at its transfer: `host.transpose`, shuffle() in [ppopencl19].

The host is serial, unlike the device: if a buffer keeps its layout, an array whose loops jump from
line to line may get the other one, and the device transposes it (for a GPU the host does, in
tiles); if a buffer changes, an array whose loops would jump keeps its layout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.host.buffers import host_side
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.host_loops import HostAccess, host_lines
from polycl.analysis.host.matrix import Cell, Known, Shape, is_inside, splits
from polycl.analysis.host.plan import Plan
from polycl.analysis.host.platforms import Platform
from polycl.analysis.host.reuse_distance import ROUNDS, evaluate_or_none
from polycl.analysis.host.samples import frequency, host_samples
from polycl.analysis.ocl.index_expr import integer
from polycl.analysis.ocl.index_facts import sharpened
from polycl.dialects import host
from polycl.dialects.host.buffers import element_type
from polycl.dialects.ocl.layout import stride_of
from polycl.lowering.host.ocl_data_layout.kernel_layout import erase_unused
from polycl.lowering.host.ocl_data_layout.materialize import Materializer, dominates

Transfer = host.WriteOp | host.ReadOp

CACHED = 1 << 20
"""Bytes of an array that fits in a host's caches, in any order of accesses."""


@dataclass
class HostChange:
    """The changes of the host for a plan."""

    shape: Shape
    """The matrix that is transposed at transfers."""

    folded: dict[SSAValue, dict[HostAccess, Cell]] = field(
        default_factory=dict[SSAValue, dict[HostAccess, Cell]]
    )
    """The arrays that change their layout with the buffers, with the cells of their accesses."""

    transposed: list[Transfer] = field(default_factory=list[Transfer])
    """The transfers that need a transpose."""

    on_host: bool = False
    """Whether the host transposes what it writes, not the device."""

    refusal: str | None = None


def host_change(plan: Plan, program: Program, platform: Platform) -> HostChange:
    """The changes for a plan, without applying them. An array changes with the buffers, unless its
    loops would lose more than the cost of a transpose on the device."""
    change = HostChange(plan.shape)
    for array, members in _arrays(plan).items():
        cells = _folded(array, members, plan, program)
        if cells is not None and _saved(cells, members, plan, program, platform) >= -1:
            change.folded[array] = cells
            continue
        change.transposed += members
        if not all(_is_known(plan.shape, op, program) for op in members):
            change.refusal = "its rows and columns are not known where it is transferred"
    return change


def host_only_change(plan: Plan, program: Program, platform: Platform) -> HostChange:
    """The arrays that get the other layout while the buffers keep theirs: their loops save more
    than the cost of a transpose. It takes no time of a GPU, whose kernels gain nothing by it."""
    change = HostChange(Shape(plan.shape.columns, plan.shape.rows), on_host=platform.is_gpu)
    for array, members in _arrays(plan).items():
        if change.on_host and any(isinstance(op, host.ReadOp) for op in members):
            continue
        cells = _folded(array, members, plan, program)
        if cells is not None and _saved(cells, members, plan, program, platform) > 1:
            change.folded[array] = cells
            change.transposed += members
    return change


def _arrays(plan: Plan) -> dict[SSAValue, list[Transfer]]:
    """The host's arrays, with the transfers of each."""
    found: dict[SSAValue, list[Transfer]] = {}
    for op in (*plan.group.writes, *plan.group.reads):
        found.setdefault(host_side(op), []).append(op)
    return found


def _saved(
    cells: Mapping[HostAccess, Cell],
    members: Sequence[Transfer],
    plan: Plan,
    program: Program,
    platform: Platform,
) -> float:
    """The savings of an array's loops in the other layout (negative: losses), in costs of a
    transpose on the device. 0 if the device cannot transpose it, or if it fits in the caches."""
    samples = host_samples(plan, program)
    rows, columns = (
        evaluate_or_none(n, samples) or ROUNDS for n in (plan.shape.rows, plan.shape.columns)
    )
    moved = rows * columns * sum(frequency(op, program, samples) for op in members)
    size = rows * columns * stride_of(element_type(plan.group.buffers[0].result))
    if not moved or size <= CACHED or not all(_can_transpose(op, plan, program) for op in members):
        return 0.0
    now, other = host_lines(cells, plan, program, samples, platform.cache_line)
    return platform.host_line * (now - other) / (platform.transpose * moved)


def _can_transpose(op: Transfer, plan: Plan, program: Program) -> bool:
    """Whether the device can transpose the data of the transfer `op`."""
    return _is_known(plan.shape, op, program) and (isinstance(op, host.ReadOp) or _all_follow(op))


def _is_known(shape: Shape, op: Operation, program: Program) -> bool:
    """Whether the host can compute the numbers of rows and columns at `op`."""
    here = Materializer(program.host(op), op)
    return here.can(shape.rows) and here.can(shape.columns)


def _folded(
    array: SSAValue, members: Sequence[Transfer], plan: Plan, program: Program
) -> dict[HostAccess, Cell] | None:
    """The cells of all accesses to an array of the host, if its layout may change."""
    alloc = array.owner
    if not isinstance(alloc, memref.AllocOp) or len(alloc.dynamic_sizes) != 1:
        return None
    indices = program.host(alloc)
    if indices.expr(alloc.dynamic_sizes[0]) != indices.expr(plan.group.buffers[0].count):
        return None
    cells: dict[HostAccess, Cell] = {}
    for use in array.uses:
        op = use.operation
        match op:
            case memref.DeallocOp() | memref.DimOp():
                pass
            case host.WriteOp() | host.ReadOp() if op in members:
                pass
            case memref.LoadOp() | memref.StoreOp() if op.memref is array and len(op.indices) == 1:
                cell = _cell_of(op, plan, program)
                if cell is None:
                    return None
                cells[op] = cell
            case _:
                return None
    return cells


def _cell_of(op: HostAccess, plan: Plan, program: Program) -> Cell | None:
    indices = program.host(op)
    index = indices.expr(op.indices[0])
    facts = indices.facts(op)
    known = Known({}, sharpened(dict(indices.env(op)), facts), facts)
    is_modular = indices.is_modular(op.indices[0])
    for cell in (*splits(index, plan.shape.columns), Cell(integer(0), index)):
        if is_inside(cell, plan.shape, known, is_modular):
            if Materializer(indices, op).can(cell.exchanged(plan.shape.rows)):
                return cell
    return None


def rewrite_host(plan: Plan, change: HostChange, program: Program) -> None:
    """Give the arrays the other layout, or transpose at transfers."""
    for cells in change.folded.values():
        for op, cell in cells.items():
            old = op.indices[0]
            new = Materializer(program.host(op), op).value(cell.exchanged(plan.shape.rows))
            first = 2 if isinstance(op, memref.StoreOp) else 1
            op.operands[first] = new
            erase_unused([old])
    for op in change.transposed:
        if isinstance(op, host.WriteOp):
            _transpose_written(op, change.shape, program, change.on_host)
        else:
            _transpose_read(op, change.shape, program)


def _transpose_written(op: host.WriteOp, shape: Shape, program: Program, on_host: bool) -> None:
    """On the device if the buffer is then used in the other layout only; else, or with `on_host`,
    on the host."""
    indices = program.host(op)
    if not on_host and _all_follow(op):
        here = op.next_op
        assert here is not None
        make = Materializer(indices, here)
        transpose = host.TransposeOp(op.target, make.value(shape.rows), make.value(shape.columns))
        _insert(transpose, op, InsertPoint.before(here))
        _insert(host.ReleaseOp(op.target), op, InsertPoint.before(here))
        transpose.result.name_hint = op.target.name_hint
        op.target.replace_uses_with_if(
            transpose.result,
            lambda use: use.operation not in (op, transpose, transpose.next_op),
        )
        return
    place = _hoisted(op, shape, program)
    make = Materializer(indices, place)
    transpose = host.TransposeOp(op.source, make.value(shape.rows), make.value(shape.columns))
    transpose.result.name_hint = op.source.name_hint
    _insert(transpose, op, InsertPoint.before(place))
    op.operands[0] = transpose.result
    _insert(memref.DeallocOp.get(transpose.result), op, InsertPoint.after(place))


def _all_follow(op: host.WriteOp) -> bool:
    """Whether the buffer is made in this block and used only after this write."""
    made = op.target.owner
    if not isinstance(made, host.BufferOp) or made.parent is not op.parent or op.next_op is None:
        return False
    return all(_follows(use.operation, op) for use in op.target.uses if use.operation is not op)


def _follows(user: Operation, op: Operation) -> bool:
    outer: Operation | None = user
    while outer is not None and outer.parent is not op.parent:
        outer = outer.parent_op()
    return outer is not None and op.is_before_in_block(outer)


def _hoisted(op: host.WriteOp, shape: Shape, program: Program) -> Operation:
    """The outermost loop around a write that does not change the array, or the write."""
    place: Operation = op
    while isinstance(loop := place.parent_op(), scf.ForOp | scf.WhileOp):
        known = _is_known(shape, loop, program)
        if not known or not dominates(op.source, loop) or _may_change(op.source, loop):
            break
        place = loop
    return place


def _may_change(array: SSAValue, loop: Operation) -> bool:
    """Whether anything in a loop may write to an array; other arrays may be the same memory."""
    for inner in loop.walk():
        match inner:
            case memref.StoreOp():
                if inner.memref is array or not _is_apart(inner.memref, array):
                    return True
            case host.ReadOp():
                if not _is_apart(inner.target, array):
                    return True
            case host.OpaqueOp():
                return True
            case _ if any(isinstance(v.type, MemRefType) for v in inner.operands):
                if not isinstance(inner, memref.LoadOp | memref.DimOp | host.WriteOp):
                    return True
            case _:
                pass
    return False


def _is_apart(a: SSAValue, b: SSAValue) -> bool:
    """Whether two arrays are proved to be different memory: one of them was made here."""
    made = memref.AllocOp | host.TransposeOp
    return a is not b and (isinstance(a.owner, made) or isinstance(b.owner, made))


def _transpose_read(op: host.ReadOp, shape: Shape, program: Program) -> None:
    make = Materializer(program.host(op), op)
    rows, columns = make.value(shape.rows), make.value(shape.columns)
    back = host.TransposeOp(op.source, columns, rows)
    back.result.name_hint = op.source.name_hint
    _insert(back, op, InsertPoint.before(op))
    op.operands[0] = back.result
    _insert(host.ReleaseOp(back.result), op, InsertPoint.after(op))


def _insert(op: Operation, like: Operation, place: InsertPoint) -> None:
    op.location = like.location
    Rewriter.insert_op(op, place)
