"""`ocl-lower-transpose`: changes of layout become loops on the host, and launches on the device."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, ModuleOp, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.dialects.host import BufferOp, BufferType, LaunchOp, TransposeOp
from polycl.dialects.ocl import OCL, KernelOp

TILE = 16
"""The rows that are moved together: as 4-byte elements they fill a cache line of the result."""

_KERNEL = """
ocl.kernel @transpose(
  %from: !ocl.ptr<T, global> {{ocl.name = "from", ocl.const}},
  %to: !ocl.ptr<T, global> {{ocl.name = "to"}},
  %rows: i64 {{ocl.name = "rows"}}, %columns: i64 {{ocl.name = "columns"}}
) {{
  %one = arith.constant 1 : index
  %tile = arith.constant {tile} : index
  %r = arith.index_cast %rows : i64 to index
  %c = arith.index_cast %columns : i64 to index
  %j = ocl.global_id 0 : index
  %number = ocl.global_id 1 : index
  %first = arith.muli %number, %tile : index
  %behind = arith.addi %first, %tile : index
  %end = arith.minui %behind, %r : index
  %inside = arith.cmpi ult, %j, %c : index
  scf.if %inside {{
    %column = arith.muli %j, %r : index
    scf.for %i = %first to %end step %one {{
      %row = arith.muli %i, %c : index
      %source = arith.addi %row, %j : index
      %v = ocl.load %from[%source] : !ocl.ptr<{T}, global>
      %target = arith.addi %column, %i : index
      ocl.store %v, %to[%target] : !ocl.ptr<{T}, global>
    }}
  }}
  ocl.return
}}
"""


@dataclass(frozen=True)
class OclLowerTransposePass(ModulePass):
    """Lower `host.transpose` to loops and launches.

    ```
    %b = host.transpose %a rows %r          %b = host.buffer %n : !host.buffer<f32>
         columns %c : !host.buffer<f32>  -> host.launch @transpose global [%x, %y] (%a, %b, ..) : ..
    ```

    Neighbouring work-items read consecutive elements, and each writes a cache line: 16 rows of a
    column. %x is the number of columns, rounded up to groups of 16, and %y a 16th of the rows. On
    the host it is a loop nest, which stores to new memory, 16 rows at a time. The module gets a
    kernel for each type of elements.
    """

    name = "ocl-lower-transpose"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels: dict[Attribute, KernelOp] = {}
        for transpose in [o for o in op.walk() if isinstance(o, TransposeOp)]:
            if isinstance(transpose.source.type, MemRefType):
                _on_host(transpose, transpose.source.type)
                continue
            assert isinstance(transpose.source.type, BufferType)
            element = transpose.source.type.element
            if element not in kernels:
                kernels[element] = _kernel(op, element)
            _on_device(transpose, element, kernels[element])


def _kernel(module: ModuleOp, element: Attribute) -> KernelOp:
    context = Context()
    for dialect in (arith.Arith, scf.Scf, OCL):
        context.load_dialect(dialect)
    text = _KERNEL.replace("<T,", "<{T},").format(T=element, tile=TILE)
    kernel = Parser(context, text).parse_module().body.block.first_op
    assert isinstance(kernel, KernelOp)
    kernel.detach()
    number, name = 0, "transpose"
    while SymbolTable.lookup_symbol(module, name) is not None:
        number += 1
        name = f"transpose_{number}"
    kernel.sym_name = type(kernel.sym_name)(name)
    Rewriter.insert_op(kernel, InsertPoint.at_start(module.body.block))
    return kernel


def _on_device(op: TransposeOp, element: Attribute, kernel: KernelOp) -> None:
    count = arith.MuliOp(op.rows, op.columns)
    buffer = BufferOp(count.result, element)
    rows, columns = (arith.IndexCastOp(size, i64) for size in (op.rows, op.columns))
    tile, one = (arith.ConstantOp.from_int_and_width(n, IndexType()) for n in (TILE, 1))
    x, y = (arith.CeilDivUIOp(size, tile) for size in (op.columns, op.rows))
    width = arith.MuliOp(x, tile)
    launch = LaunchOp(
        kernel.sym_name.data,
        [width.result, y.result],
        [tile.result, one.result],
        [op.source, buffer.result, rows.result, columns.result],
    )
    _replace(op, [count, buffer, rows, columns, tile, one, x, y, width, launch], buffer.result)


def _on_host(op: TransposeOp, type: MemRefType) -> None:
    index = IndexType()
    zero, one, tile = (arith.ConstantOp.from_int_and_width(n, index) for n in (0, 1, TILE))
    count = arith.MuliOp(op.rows, op.columns)
    made = MemRefType(type.element_type, [DYNAMIC_INDEX])
    target = memref.AllocOp([count.result], [], made)

    @Builder.implicit_region((index,))
    def each_tile(tiles: tuple[SSAValue, ...]) -> None:
        (first,) = tiles
        end = arith.MinUIOp(arith.AddiOp(first, tile), op.rows)

        @Builder.implicit_region((index,))
        def each_column(columns: tuple[SSAValue, ...]) -> None:
            @Builder.implicit_region((index,))
            def each_row(rows: tuple[SSAValue, ...]) -> None:
                (i,), (j,) = rows, columns
                source = arith.AddiOp(arith.MuliOp(i, op.columns), j)
                value = memref.LoadOp.get(op.source, [source])
                place = arith.AddiOp(arith.MuliOp(j, op.rows), i)
                memref.StoreOp.get(value, target, [place])
                scf.YieldOp()

            scf.ForOp(first, end, one, [], each_row)
            scf.YieldOp()

        scf.ForOp(zero, op.columns, one, [], each_column)
        scf.YieldOp()

    loop = scf.ForOp(zero, op.rows, tile, [], each_tile)
    result: list[Operation] = [zero, one, tile, count, target, loop]
    if made != type:
        result.append(memref.CastOp.get(target, type))
    _replace(op, result, result[-1].results[0] if made != type else target.memref)


def _replace(op: TransposeOp, new: list[Operation], result: SSAValue) -> None:
    for made in new:
        for nested in made.walk():
            nested.location = op.location
    result.name_hint = op.result.name_hint
    Rewriter.insert_op(new, InsertPoint.before(op))
    Rewriter.replace_op(op, [], [result])
