"""`outline-launches`: the body of each `gpu.launch` becomes a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, gpu, memref
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.analysis.ocl.uniformity import constant_index
from polycl.errors import error_at
from polycl.lowering.build import Build

_SUNK = (
    arith.ConstantOp,
    memref.CastOp,
    memref.CollapseShapeOp,
    memref.DimOp,
    memref.ExpandShapeOp,
    memref.GetGlobalOp,
    memref.ReinterpretCastOp,
    memref.SubviewOp,
    memref.ViewOp,
)
"""What a kernel repeats instead of taking its result as an argument: constants, views, sizes."""


@dataclass(frozen=True)
class OutlineLaunchesPass(ModulePass):
    """Move the body of each `gpu.launch` into a `gpu.func` of its own, as mlir-opt does it.

    ```
    func.func @f(%x: memref<8xf32>) {         func.func @f(%x: memref<8xf32>) {
      gpu.launch blocks(%b, ..) in ..           gpu.launch_func @f_kernel::@f_kernel
          threads(%t, ..) in .. {                   blocks in .. threads in ..
        %i = ...                         ->         args(%x : memref<8xf32>)
        memref.store %v, %x[%i] : ..            return }
        gpu.terminator                        gpu.module @f_kernel {
      }                                         gpu.func @f_kernel(%x: memref<8xf32>) kernel {
      return }                                    .. } }
    ```

    Values from outside are arguments, first those of the function in their order; constants, and
    views and sizes of memrefs, are repeated in the kernel.
    Indices and sizes, which are arguments of the body, become `gpu.block_id` and its like. A block
    size that is constant is the kernel's `gpu.known_block_size`.

    Raises:
        PolyclError: located: clusters, asynchronous launches, or dynamic workgroup memory.
    """

    name = "outline-launches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        taken = {
            nested.sym_name.data
            for nested in op.walk()
            if isinstance(nested, func.FuncOp | gpu.FuncOp | gpu.ModuleOp)
        }
        for function in [f for f in op.ops if isinstance(f, func.FuncOp)]:
            launches = [o for o in function.walk() if isinstance(o, gpu.LaunchOp)]
            place = InsertPoint.after(function)
            for launch in launches:
                name = _unique(f"{function.sym_name.data}_kernel", taken)
                _refuse(launch)
                _outline(launch, name, Build(launch, place))
        if any(isinstance(nested, gpu.LaunchFuncOp) for nested in op.walk()):
            op.attributes["gpu.container_module"] = UnitAttr()


def _unique(name: str, taken: set[str]) -> str:
    found, number = name, 0
    while found in taken:
        found = f"{name}_{number}"
        number += 1
    taken.add(found)
    return found


def refuse_options(op: gpu.LaunchOp | gpu.LaunchFuncOp) -> None:
    """Raises PolyclError, located, for a launch with options that have no form here."""
    for what, given in (
        ("a cluster size", op.clusterSizeX),
        ("dynamic workgroup memory", op.dynamicSharedMemorySize),
        ("asynchronous dependencies", op.asyncDependencies),
        ("an asynchronous token", op.asyncToken),
    ):
        if given:
            raise error_at(op, f"'{op.name}' with {what} is not supported; leave it out")


def _refuse(op: gpu.LaunchOp) -> None:
    refuse_options(op)
    if len(op.body.blocks) != 1:
        raise error_at(
            op,
            "'gpu.launch' with branches between blocks; expected one block with scf.if, scf.for or "
            "scf.while in it: run mlir-opt --lift-cf-to-scf before",
        )


def _outline(op: gpu.LaunchOp, name: str, outside: Build) -> None:
    body = op.body.block
    _replace_indices(op, body)
    captured = _sink_constants_and_views(op, body)
    entry = Block(arg_types=[value.type for value in captured])
    for argument, value in zip(entry.args, captured, strict=True):
        argument.name_hint = value.name_hint
        value.replace_uses_with_if(argument, lambda use: op.is_ancestor(use.operation))
    for nested in list(body.ops):
        nested.detach()
        if not isinstance(nested, gpu.TerminatorOp):
            entry.add_op(nested)
    end = gpu.ReturnOp.build(operands=[[]])
    end.location = op.location
    entry.add_op(end)
    kernel = gpu.FuncOp.create(
        properties={
            "function_type": FunctionType.from_lists(entry.arg_types, []),
            "kernel": UnitAttr(),
        },
        attributes={"sym_name": StringAttr(name)},
        regions=[Region(entry)],
    )
    sizes = [constant_index(v) for v in (op.blockSizeX, op.blockSizeY, op.blockSizeZ)]
    known = [size for size in sizes if size is not None]
    if len(known) == 3 and known != [1, 1, 1]:
        kernel.attributes["gpu.known_block_size"] = DenseArrayBase.from_list(i32, known)
    kernel.location = op.location
    symbols = [used.clone() for used in _used_symbols(kernel, op)]
    outside.emit_void(
        gpu.ModuleOp.create(
            properties={"sym_name": StringAttr(name)}, regions=[Region(Block([*symbols, kernel]))]
        )
    )
    Build(op).emit_void(
        gpu.LaunchFuncOp(
            SymbolRefAttr(name, [name]),
            [op.gridSizeX, op.gridSizeY, op.gridSizeZ],
            [op.blockSizeX, op.blockSizeY, op.blockSizeZ],
            kernelOperands=captured,
            asyncDependencies=[],
        )
    )
    Rewriter.erase_op(op)


def _used_symbols(kernel: gpu.FuncOp, launch: gpu.LaunchOp) -> list[Operation]:
    """The functions and the constant memory that a kernel uses, and that these use."""
    found: dict[Operation, None] = {}

    def visit(op: Operation) -> None:
        for nested in op.walk():
            match nested:
                case func.CallOp():
                    name = nested.callee
                case memref.GetGlobalOp():
                    name = nested.name_
                case _:
                    continue
            used = SymbolTable.lookup_symbol(launch, name)
            if isinstance(used, func.FuncOp) and used.is_declaration:
                raise error_at(
                    nested,
                    f"'{nested.name}' of {name}, which has no body; code of parallel loops and "
                    "launches calls functions of this module only",
                )
            if isinstance(used, func.FuncOp | memref.GlobalOp) and used not in found:
                found[used] = None
                visit(used)

    visit(kernel)
    return list(found)


def _replace_indices(op: gpu.LaunchOp, body: Block) -> None:
    """Queries instead of the arguments: block ids, thread ids, numbers and sizes of blocks."""
    build = Build(op, InsertPoint.at_start(body))
    queries = (gpu.BlockIdOp, gpu.ThreadIdOp, gpu.GridDimOp, gpu.BlockDimOp)
    for position, argument in enumerate(body.args):
        if argument.uses:
            dimension = gpu.DimensionAttr(gpu.DimensionEnum("xyz"[position % 3]))
            value = build.emit(queries[position // 3](dimension))
            argument.replace_all_uses_with(value)


def _sink_constants_and_views(op: gpu.LaunchOp, body: Block) -> list[SSAValue]:
    """Repeat constants and views in the body; the values that it still takes from outside."""
    copies: dict[Operation, Operation] = {}
    captured: dict[SSAValue, None] = {}

    def inside(value: SSAValue) -> SSAValue:
        owner = value.owner
        if op.is_ancestor(owner):
            return value
        if not isinstance(owner, _SUNK):
            captured[value] = None
            return value
        if owner not in copies:
            copy = owner.clone({operand: inside(operand) for operand in owner.operands})
            copy.location = owner.location
            Rewriter.insert_op(
                copy, InsertPoint.before(first) if first else InsertPoint.at_end(body)
            )
            copies[owner] = copy
        return copies[owner].results[owner.results.index(value)]

    first = body.first_op
    for nested in list(body.walk()):
        nested.operands = [inside(operand) for operand in nested.operands]
    order = {argument: k for k, argument in enumerate(_arguments(op))}
    return sorted(captured, key=lambda value: order.get(value, len(order)))


def _arguments(op: Operation) -> Sequence[SSAValue]:
    """The arguments of the function around `op`."""
    parent = op.parent_op()
    while not isinstance(parent, func.FuncOp):
        assert parent is not None
        parent = parent.parent_op()
    return parent.body.blocks[0].args
