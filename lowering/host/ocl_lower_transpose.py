"""`ocl-lower-transpose`: changes of layout become loops on the host, and launches on the device."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.dialects.host import BufferOp, BufferType, LaunchOp, TransposeOp
from polycl.dialects.ocl import OCL, KernelOp

TILE = 16
"""The rows that are moved together: as 4-byte elements they fill a cache line of the result."""

_PARAMETERS = """
  %from: !ocl.ptr<T, global> {ocl.name = "from", ocl.const},
  %to: !ocl.ptr<T, global> {ocl.name = "to"},
  %rows: i64 {ocl.name = "rows"}, %columns: i64 {ocl.name = "columns"}
"""

_SIZES = """
  %one = arith.constant 1 : index
  %tile = arith.constant TILE : index
  %r = arith.index_cast %rows : i64 to index
  %c = arith.index_cast %columns : i64 to index
"""

_MOVE = """
  %row = arith.muli %i, %c : index
  %source = arith.addi %row, %j : index
  %v = ocl.load %from[%source] : !ocl.ptr<T, global>
  %target = arith.addi %column, %i : index
  ocl.store %v, %to[%target] : !ocl.ptr<T, global>
"""
"""Moves one element, in the row %i and the column %j."""

_COLUMNS = """
ocl.kernel @transpose(PARAMETERS) {
  SIZES
  %j = ocl.global_id 0 : index
  %number = ocl.global_id 1 : index
  %first = arith.muli %number, %tile : index
  %behind = arith.addi %first, %tile : index
  %end = arith.minui %behind, %r : index
  %inside = arith.cmpi ult, %j, %c : index
  scf.if %inside {
    %column = arith.muli %j, %r : index
    scf.for %i = %first to %end step %one {
      MOVE
    }
  }
  ocl.return
}
"""
"""A work-item moves a part of a column."""

_TILES = """
ocl.kernel @transpose(PARAMETERS) {
  SIZES
  %x = ocl.global_id 0 : index
  %y = ocl.global_id 1 : index
  %left = arith.muli %x, %tile : index
  %top = arith.muli %y, %tile : index
  %right = arith.addi %left, %tile : index
  %bottom = arith.addi %top, %tile : index
  %in_columns = arith.cmpi ule, %right, %c : index
  %in_rows = arith.cmpi ule, %bottom, %r : index
  %inside = arith.andi %in_columns, %in_rows : i1
  scf.if %inside {
    EXCHANGE
  } else {
    %end = arith.minui %bottom, %r : index
    %behind = arith.minui %right, %c : index
    scf.for %j = %left to %behind step %one {
      %column = arith.muli %j, %r : index
      scf.for %i = %top to %end step %one {
        MOVE
      }
    }
  }
  ocl.return
}
"""
"""A work-item moves a tile."""


def _exchange() -> str:
    """Load the rows of a tile, exchange their elements, and store its columns: each step exchanges
    the blocks at the sides of the diagonal of all tiles of twice `half` elements."""
    vectors = f"vector<{TILE}xT>"
    lines = ["%zero = arith.constant 0 : index"]
    for k in range(TILE):
        lines += [
            f"%k{k} = arith.constant {k} : index",
            f"%row{k} = arith.addi %top, %k{k} : index",
            f"%start{k} = arith.muli %row{k}, %c : index",
            f"%source{k} = arith.addi %start{k}, %left : index",
            f"%from{k} = ocl.offset %from[%source{k}] : !ocl.ptr<T, global>",
            f"%v{TILE}_{k} = ocl.vload %from{k}[%zero] : !ocl.ptr<T, global> -> {vectors}",
        ]
    half = TILE // 2
    while half:
        for k in range(TILE):
            if k & half:
                continue
            x, y = f"%v{2 * half}_{k}", f"%v{2 * half}_{k + half}"
            for row, shift in ((k, 0), (k + half, half)):
                mask = [
                    (lane & ~half) + shift + (TILE if lane & half else 0) for lane in range(TILE)
                ]
                lines.append(
                    f"%v{half}_{row} = vector.shuffle {x}, {y} {mask} : {vectors}, {vectors}"
                )
        half //= 2
    for k in range(TILE):
        lines += [
            f"%column{k} = arith.addi %left, %k{k} : index",
            f"%begin{k} = arith.muli %column{k}, %r : index",
            f"%target{k} = arith.addi %begin{k}, %top : index",
            f"%to{k} = ocl.offset %to[%target{k}] : !ocl.ptr<T, global>",
            f"ocl.vstore %v1_{k}, %to{k}[%zero] : {vectors}, !ocl.ptr<T, global>",
        ]
    return "\n    ".join(lines)


@dataclass(frozen=True)
class OclLowerTransposePass(ModulePass):
    """Lower `host.transpose` to loops and launches.

    ```
    %b = host.transpose %a rows %r          %b = host.buffer %n : !host.buffer<f32>
         columns %c : !host.buffer<f32>  -> host.launch @transpose global [%x, %y] (%a, %b, ..) : ..
    ```

    A work-item moves a tile of 16 x 16 elements in registers, so that it writes each line of the
    result once: columns that lie a large power of two apart share a place in the cache, which keeps
    few of them. On a GPU, and for elements that are no numbers, neighbouring work-items read
    consecutive elements, and each writes 16 rows of a column. On the host it is a loop nest, which
    stores to new memory, 16 rows at a time. The module gets a kernel for each type of elements.

    args:
        tiles: whether work-items move tiles, not columns: on CPUs.
    """

    name = "ocl-lower-transpose"

    tiles: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels: dict[Attribute, KernelOp] = {}
        for transpose in [o for o in op.walk() if isinstance(o, TransposeOp)]:
            if isinstance(transpose.source.type, MemRefType):
                _on_host(transpose, transpose.source.type)
                continue
            assert isinstance(transpose.source.type, BufferType)
            element = transpose.source.type.element
            tiles = self.tiles and isinstance(element, IntegerType | AnyFloat)
            if element not in kernels:
                kernels[element] = _kernel(op, element, tiles)
            _on_device(transpose, element, kernels[element], tiles)


def _kernel(module: ModuleOp, element: Attribute, tiles: bool) -> KernelOp:
    context = Context()
    for dialect in (arith.Arith, scf.Scf, vector.Vector, OCL):
        context.load_dialect(dialect)
    text = _TILES.replace("EXCHANGE", _exchange()) if tiles else _COLUMNS
    text = text.replace("PARAMETERS", _PARAMETERS).replace("SIZES", _SIZES).replace("MOVE", _MOVE)
    text = text.replace("TILE", str(TILE))
    text = re.sub(r"\bT\b|(?<=x)T\b", str(element), text)
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


def _on_device(op: TransposeOp, element: Attribute, kernel: KernelOp, tiles: bool) -> None:
    count = arith.MuliOp(op.rows, op.columns)
    buffer = BufferOp(count.result, element)
    rows, columns = (arith.IndexCastOp(size, i64) for size in (op.rows, op.columns))
    tile = arith.ConstantOp.from_int_and_width(TILE, IndexType())
    x, y = (arith.CeilDivUIOp(size, tile) for size in (op.columns, op.rows))
    made: list[Operation] = [count, buffer, rows, columns, tile, x, y]
    sizes: list[SSAValue] = [x.result, y.result]
    groups: list[SSAValue] = []
    if not tiles:
        one = arith.ConstantOp.from_int_and_width(1, IndexType())
        width = arith.MuliOp(x, tile)
        made += [one, width]
        sizes, groups = [width.result, y.result], [tile.result, one.result]
    arguments = [op.source, buffer.result, rows.result, columns.result]
    made.append(LaunchOp(kernel.sym_name.data, sizes, groups, arguments))
    _replace(op, made, buffer.result)


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
