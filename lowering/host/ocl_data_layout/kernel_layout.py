"""The kernels' side of another layout: new indices, and the number of rows as an argument."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerType,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.kernel_access import Access, KernelAccesses
from polycl.analysis.host.matrix import Cell
from polycl.analysis.host.plan import Plan
from polycl.analysis.ocl.index_arith import substitute
from polycl.analysis.ocl.index_expr import Expr, integer, var
from polycl.dialects import host, ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.kernel import PARAM_NAME, PARAM_TYPE
from polycl.lowering.host.ocl_data_layout.materialize import Materializer


def can_give_rows(plan: Plan, program: Program) -> bool:
    """Whether each launch can compute the number of rows."""
    return all(
        rows_in_kernel(launch, plan, program) is not None
        or Materializer(program.host(launch), launch).can(plan.shape.rows)
        for launch, _ in plan.group.bindings
    )


def rows_in_kernel(launch: host.LaunchOp, plan: Plan, program: Program) -> Expr | None:
    """The number of rows in the kernel's arguments, the same ones in all of its launches."""
    rows = plan.shape.rows
    if rows.constant is not None:
        return rows
    launches = program.launches[launch.kernel.string_value()]
    kernel = program.kernel(launch)
    same: dict[str, Expr] = {}
    """An expression of the host in the kernel's variables."""
    for name in kernel.indices.arguments:
        images = {program.values(other).get(name) for other in launches}
        image = images.pop()
        if not images and image is not None:
            same.setdefault(str(image), var(name))
    if str(rows) in same:
        return same[str(rows)]
    if all(atom in same for atom in rows.atoms):
        return substitute(rows, {name: same[name] for name in rows.variables}, {})
    return None


def rewrite_kernels(plan: Plan, program: Program) -> None:
    """Change all accesses of a group's kernels to the other layout."""
    rows_of: dict[str, Expr | None] = {}
    kernels: dict[tuple[str, int], KernelAccesses] = {}
    for launch, number in plan.group.bindings:
        name = launch.kernel.string_value()
        rows_of[name] = rows_in_kernel(launch, plan, program)
        kernels[(name, number)] = program.kernel(launch)
    for (name, number), kernel in kernels.items():
        rows = rows_of[name]
        if rows is None:
            rows = rows_of[name] = _add_parameter(kernel)
            for launch in program.launches[name]:
                _pass_rows(launch, plan, program, str(rows))
        for access in kernel.of(number):
            _replace(access, kernel, plan.cells[access.op], rows)


def _replace(access: Access, kernel: KernelAccesses, cell: Cell, rows: Expr) -> None:
    """The access at `column * rows + row`, computed in 32 bits where the old index was.

    This does not overflow: column and row are parts of the old index, and the new index is below
    the size of the memory, as the old one.
    """
    op = access.op
    make = Materializer(kernel.indices, op, _type_of(access))
    value = None if cell.row == integer(0) else make.value(cell.row)
    if cell.column != integer(0):
        start = make.value(rows)
        if cell.column != integer(1):
            start = make.mul(make.value(cell.column), start)
        value = start if value is None else make.add(start, value)
    value = value or make.value(integer(0))
    if not isinstance(value.type, IndexType):
        cast = arith.IndexCastOp(value, IndexType())
        cast.location = op.location
        Rewriter.insert_op(cast, InsertPoint.before(op))
        value = cast.result
    pointer = kernel.kernel.args[access.parameter]
    old = [operand for operand in (op.index, op.pointer) if operand is not None]
    if isinstance(op, ocl.LoadOp):
        new = ocl.LoadOp(pointer, value, volatile=op.volatile is not None)
        new.result.name_hint = op.result.name_hint
    else:
        assert isinstance(op, ocl.StoreOp)
        new = ocl.StoreOp(op.value, pointer, value, volatile=op.volatile is not None)
    new.attributes = dict(op.attributes)
    new.location = op.location
    Rewriter.replace_op(op, new)
    erase_unused(old)


def _type_of(access: Access) -> IndexType | IntegerType:
    """The type in which an index was computed: 32 bits, or the size of an address."""
    index = access.op.index
    if access.offsets or access.is_modular or index is None:
        return IndexType()
    cast = index.owner
    if isinstance(cast, arith.IndexCastOp) and cast.input.type == i32:
        return i32
    return IndexType()


def erase_unused(values: list[SSAValue]) -> None:
    """Erase the operations of values that are now unused."""
    pending = list(values)
    while pending:
        op = pending.pop().owner
        if not isinstance(op, Operation) or op.parent is None:
            continue
        is_unused = is_side_effect_free(op) and all(r.first_use is None for r in op.results)
        if is_unused or is_trivially_dead(op):
            pending += op.operands
            Rewriter.erase_op(op)


def _add_parameter(known: KernelAccesses) -> Expr:
    """A new parameter of a kernel, for the number of rows."""
    kernel = known.kernel
    name, count = "rows", 1
    while name in known.indices.values or name in kernel.param_names:
        name, count = f"rows{count}", count + 1
    attributes: dict[str, Attribute] = {
        PARAM_NAME: StringAttr(name),
        PARAM_TYPE: StringAttr("long"),
    }
    kernel.arg_attrs = ArrayAttr(map(DictionaryAttr, [*kernel.param_attrs, attributes]))
    old = kernel.function_type
    kernel.function_type = FunctionType.from_lists([*old.inputs, i64], list(old.outputs))
    argument = kernel.body.blocks[0].insert_arg(i64, len(kernel.args))
    argument.name_hint = name
    known.indices.values[name] = argument
    return var(name)


def _pass_rows(launch: host.LaunchOp, plan: Plan, program: Program, name: str) -> None:
    """The number of rows as the last argument of a launch."""
    rows = Materializer(program.host(launch), launch).value(plan.shape.rows)
    cast = arith.IndexCastOp(rows, i64)
    cast.result.name_hint = name
    cast.location = launch.location
    Rewriter.insert_op(cast, InsertPoint.before(launch))
    _append_argument(launch, cast.result)


def _append_argument(launch: host.LaunchOp, value: SSAValue) -> None:
    new = host.LaunchOp(
        launch.kernel,
        launch.global_size,
        launch.local_size,
        [*launch.arguments, value],
        global_offset=launch.global_offset,
        after=launch.after,
        event=launch.event is not None,
    )
    new.attributes = dict(launch.attributes)
    new.location = launch.location
    Rewriter.replace_op(launch, new)
