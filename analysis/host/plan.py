"""Groups of buffers as matrices that are proved to contain all accesses of kernels."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation

from polycl.analysis.host.buffers import Group
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.matrix import Cell, Known, Shape, is_inside, products, splits
from polycl.analysis.ocl.index_arith import exact_div
from polycl.analysis.ocl.index_expr import Expr, integer
from polycl.dialects import host


@dataclass
class Plan:
    """A group as a matrix, with the position of each access in it."""

    group: Group
    shape: Shape
    cells: dict[Operation, Cell] = field(default_factory=dict[Operation, Cell])

    @property
    def kinds(self) -> tuple[str, str]:
        """The names of the present and of the other layout ([ppopencl19], Figure 7)."""
        in_rows = sum("gid0" in cell.row.variables for cell in self.cells.values())
        in_columns = sum("gid0" in cell.column.variables for cell in self.cells.values())
        if in_rows == in_columns:
            return "row-major", "column-major"
        if in_rows > in_columns:
            return "continuous", "coalesced"
        return "coalesced", "continuous"


def plans(group: Group, program: Program) -> tuple[list[Plan], str]:
    """All matrices that are proved to contain the accesses, or why there is none."""
    known, why = shapes(group, program)
    if not known:
        return [], why
    for launch, number in group.bindings:
        kernel = program.kernel(launch)
        name = kernel.kernel.sym_name.data
        if (escape := kernel.escape_of(number)) is not None:
            return [], f"in kernel '{name}' {escape.reason}"
        if any(access.width > 1 for access in kernel.of(number)):
            return [], f"kernel '{name}' accesses vectors of its elements"
    found: list[Plan] = []
    for shape in known:
        plan = Plan(group, shape)
        refused = _place(plan, program)
        if refused is None:
            found.append(plan)
        else:
            why = why or refused
    return found, why


def shapes(group: Group, program: Program) -> tuple[list[Shape], str]:
    """The candidate matrices from the indices of kernels, if the buffers are transferred as a
    whole, or why there is none. That they contain the accesses is not proved here."""
    if group.refusals:
        return [], group.refusals[0]
    if not group.bindings:
        return [], "no kernel accesses it"
    indices = program.host(group.buffers[0])
    counts = {indices.expr(buffer.count) for buffer in group.buffers}
    if len(counts) > 1:
        return [], "its buffers are not proved to be of one size"
    (count,) = counts
    for op in (*group.writes, *group.reads):
        if not _is_whole(op, count, program):
            return [], f"a part of it is {'written' if isinstance(op, host.WriteOp) else 'read'}"
    found: list[Shape] = []
    why = ""
    for columns in _candidates(group, program):
        rows = exact_div(count, columns)
        if columns == count:
            continue
        if rows is None or rows == integer(1):
            why = why or f"{count} elements are not proved to be a multiple of {columns}"
            continue
        found.append(Shape(rows, columns))
    return found, "" if found else why or "no access has rows and columns"


def _is_whole(op: host.WriteOp | host.ReadOp, count: Expr, program: Program) -> bool:
    indices = program.host(op)
    offsets = [value for value in (op.source_offset, op.target_offset) if value is not None]
    if any(indices.expr(value) != integer(0) for value in offsets):
        return False
    return op.count is None or indices.expr(op.count) == count


def _candidates(group: Group, program: Program) -> list[Expr]:
    """Candidates for the number of columns, in the host's variables."""
    found: dict[Expr, None] = {}
    for launch, number in group.bindings:
        kernel, values = program.kernel(launch), program.values(launch)
        for access in kernel.of(number):
            known = Known(values, {}, ())
            for columns in products(access.index, kernel.indices.symbols):
                image = known.on_host(columns)
                if image.terms and image != integer(1):
                    found[image] = None
    return list(found)


def _place(plan: Plan, program: Program) -> str | None:
    """The cell of each access in all launches, or the access that is not proved to be inside."""
    for launch, number in plan.group.bindings:
        kernel = program.kernel(launch)
        options = _columns_in_kernel(plan, launch, program)
        for access in kernel.of(number):
            known = program.known(access, launch)
            cells = [cell for columns in options for cell in splits(access.index, columns)]
            cells.append(Cell(integer(0), access.index))
            if (placed := plan.cells.get(access.op)) is not None:
                cells = [placed]
            inside = next(
                (c for c in cells if is_inside(c, plan.shape, known, access.is_modular)), None
            )
            if inside is None:
                return (
                    f"'{access.op.name}' of [{access.index}] in kernel "
                    f"'{kernel.kernel.sym_name.data}' is not proved to lie in {plan.shape}"
                )
            plan.cells[access.op] = inside
    return None


def _columns_in_kernel(plan: Plan, launch: host.LaunchOp, program: Program) -> list[Expr]:
    """The number of columns in the kernel's variables."""
    kernel = program.kernel(launch)
    known = Known(program.values(launch), {}, ())
    found: dict[Expr, None] = {}
    for access in kernel.accesses:
        found |= dict.fromkeys(products(access.index, kernel.indices.symbols))
    same = [columns for columns in found if known.on_host(columns) == plan.shape.columns]
    if plan.shape.columns.constant is not None and plan.shape.columns not in same:
        same.append(plan.shape.columns)
    return same
