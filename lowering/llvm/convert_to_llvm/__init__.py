"""`convert-to-llvm`: `arith`, `math`, `vector`, `cf` and `ocl` in the LLVM dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from polycl.dialects.ocl import ConstantDataOp, KernelLike
from polycl.errors import error_at
from polycl.graphs import topological_order
from polycl.lowering.llvm.constants import convert_constant
from polycl.lowering.llvm.convert_to_llvm import arith_to_llvm as arith
from polycl.lowering.llvm.convert_to_llvm import atomics_to_llvm as atomics
from polycl.lowering.llvm.convert_to_llvm import choices_to_llvm as choices
from polycl.lowering.llvm.convert_to_llvm import control_to_llvm as control
from polycl.lowering.llvm.convert_to_llvm import lanes_to_llvm as lanes
from polycl.lowering.llvm.convert_to_llvm import lookups_to_llvm as lookups
from polycl.lowering.llvm.convert_to_llvm import math_to_llvm as math
from polycl.lowering.llvm.convert_to_llvm import memory_to_llvm as memory
from polycl.lowering.llvm.convert_to_llvm import vector_to_llvm as vector
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import (
    Conventions,
    Converter,
    FunctionLowering,
    Symbols,
)
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import llvm_type, returned_type

CONVERTERS: dict[type[Operation], Converter] = (
    arith.CONVERTERS
    | math.CONVERTERS
    | vector.CONVERTERS
    | memory.CONVERTERS
    | lanes.CONVERTERS
    | lookups.CONVERTERS
    | atomics.CONVERTERS
    | control.CONVERTERS
    | choices.CONVERTERS
)
"""How each operation is converted. Other operations have no form in LLVM."""

_EARLIER_PASSES = {
    "scf": "run scf-to-cf before convert-to-llvm",
    "wg": "run wg-to-scf and wg-to-launch before convert-to-llvm",
    "ocl": "run ocl-expand-builtins, ocl-to-wg, wg-to-scf and wg-to-launch before convert-to-llvm",
}

_NO_ESTIMATES = "reciprocal-estimates", "none"


@dataclass(frozen=True)
class ConvertToLlvmPass(ModulePass):
    """Convert every function and constant of the module to the LLVM dialect.

    ```
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
    %w = math.sin %v : f32
    ```

    becomes

    ```
    %0 = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
    %v = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> f32
    %w = llvm.call @sinf(%v) : (f32) -> f32
    ```

    `contract` allows fused multiply-adds, as OpenCL C does by default (OpenCL 1.2, section
    6.12.13); without it every operation is rounded on its own. `estimate` computes reciprocal
    square roots of vectors from the processor's estimate (AVX-512), within 2 ULP; with
    `slow_division` so are roots that are rounded to `float`, as that of `hypot`, with the same
    bits, and with `relaxed`, too, divisions where they may be inexact. With
    `scales`, the last step of exponentials in vectors, a product with a power of two, is one
    instruction (AVX-512), with the same result. Without `masks`, an access under a constant mask
    becomes accesses without a mask: a processor without AVX-512 stores slowly under masks, and has
    none for bytes. With `tables`, gathers from small arrays of constants are permutations of
    registers (AVX-512 VBMI). Tables of functions (`vec.lookup`) are in registers of `lookups` bits,
    512 (AVX-512) or 256 (AVX2), or in memory. With `words`, bytes and 16-bit numbers are gathered
    as the aligned words that have them, as they are under masks; else lanes read them one by one.
    With `converts`, divisions of 64-bit integers in vectors are products of `double`s (AVX-512DQ).
    With `relaxed`, LLVM gets what options of the program permit of float arithmetic
    (`fastmath<...>`), but no
    estimates of its own, whose results for 0 and infinity are NaN. Functions of the C math library
    become calls, for vectors element by element. Structs are LLVM structs in registers, and bytes
    at the offsets of the OpenCL layout in memory. LLVM leaves a result undefined only if the
    operation does; integer divisions without a result do not trap.

    Raises:
        PolyclError: located: an operation that has no form in LLVM.
    """

    name = "convert-to-llvm"

    contract: bool = True
    estimate: bool = False
    scales: bool = False
    masks: bool = True
    tables: bool = False
    lookups: int = 0
    words: bool = False
    slow_division: bool = False
    relaxed: bool = False
    converts: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(
            op,
            Conventions(
                CONVERTERS,
                self.contract,
                self.estimate,
                self.scales,
                self.masks,
                self.tables,
                self.lookups,
                self.words,
                self.slow_division,
                self.relaxed,
                self.converts,
            ),
        )


def convert_module(
    module: ModuleOp,
    conventions: Conventions,
    kernel: Callable[[KernelLike], FuncOp] | None = None,
) -> None:
    """Convert all functions and constants of a module. `kernel` makes a function of a kernel, where
    the target has kernels.

    Raises:
        PolyclError: located: an operation has no form on the target.
    """
    constants = [op for op in module.ops if isinstance(op, ConstantDataOp)]
    symbols = Symbols({op.sym_name.data: op for op in constants})
    for old in list(module.ops):
        match old:
            case FuncOp():
                new: Operation = _convert_function(old, symbols, conventions)
            case ConstantDataOp():
                new = convert_constant(old, conventions.spaces.constant)
            case llvm.FuncOp() | llvm.GlobalOp():
                continue
            case KernelLike() if kernel is not None:
                function = kernel(old)
                new = _convert_function(function, symbols, conventions)
                new.arg_attrs = function.arg_attrs
            case KernelLike():
                raise error_at(
                    old,
                    f"kernel '{old.sym_name.data}' is not a function yet: " + _EARLIER_PASSES["wg"],
                )
            case _:
                raise error_at(old, f"'{old.name}' has no form in LLVM")
        module.body.block.insert_op_before(new, old)
        # Nothing else uses its values: to drop what it refers to would take a twelfth of the time.
        old.detach()
    defined = {o.sym_name.data for o in module.ops if isinstance(o, llvm.FuncOp)}
    module.body.block.add_ops(symbols.added)
    for name, declaration in symbols.declared.items():
        if name not in defined:
            module.body.block.add_op(declaration)


def _convert_function(old: FuncOp, symbols: Symbols, conventions: Conventions) -> llvm.FuncOp:
    spaces = conventions.spaces
    try:
        type = llvm.LLVMFunctionType(
            [llvm_type(t, spaces) for t in old.function_type.inputs],
            returned_type(old.function_type.outputs.data, spaces),
        )
    except TypeError as error:
        raise error_at(old, str(error)) from error
    private = old.sym_visibility is not None and old.sym_visibility.data == "private"
    linkage = "internal" if private and old.body.blocks else "external"
    region = Region()
    new = llvm.FuncOp(
        old.sym_name, type, llvm.LinkageAttr(linkage), body=region, extra_attrs=old.attributes
    )
    new.location = old.location
    if not old.body.blocks:
        return new
    order = reverse_postorder(old.body.blocks[0])
    blocks = {block: Block() for block in order}
    region.add_block(list(blocks.values()))
    low = FunctionLowering(symbols, conventions, blocks[order[0]], blocks=blocks)
    for block, low.block in blocks.items():
        for arg in block.args:
            new_arg = low.block.insert_arg(llvm_type(arg.type, spaces), len(low.block.args))
            new_arg.name_hint = arg.name_hint
            low.values[arg] = new_arg
    for block in order:
        low.block = blocks[block]
        for op in block.ops:
            _convert(op, low)
    if low.has_flags:
        # It is for divisions of vectors that LLVM makes itself.
        new.attributes["passthrough"] = ArrayAttr([ArrayAttr(map(StringAttr, _NO_ESTIMATES))])
    return new


def _convert(op: Operation, low: FunctionLowering) -> None:
    converter = low.conventions.converters.get(type(op))
    if converter is None:
        dialect = op.name.partition(".")[0]
        advice = f": {_EARLIER_PASSES[dialect]}" if dialect in _EARLIER_PASSES else ""
        raise error_at(op, f"'{op.name}' has no form in LLVM{advice}")
    low.anchor = op
    results = converter(op, low)
    if results is None:
        return
    new: Sequence[SSAValue] = [results] if isinstance(results, SSAValue) else results
    for old_result, new_result in zip(op.results, new, strict=True):
        low.values[old_result] = new_result
        if new_result.name_hint is None:
            new_result.name_hint = old_result.name_hint


def reverse_postorder(entry: Block) -> list[Block]:
    """The reachable blocks, each after the blocks that dominate it."""
    return topological_order(
        [entry], lambda block: block.last_op.successors if block.last_op else ()
    )
