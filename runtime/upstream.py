"""Modules of MLIR's own dialects: the passes that make our kernels and functions of them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from polycl.backends.device import NDRange
from polycl.backends.limits import check_ops
from polycl.backends.pipeline import parse_passes, run_pipeline
from polycl.diagnostics import verify_module
from polycl.errors import PolyclError
from polycl.remarks import emit_remark

KERNELS = "convert-gpu-to-ocl"
"""For kernels of the `gpu` dialect."""

STRUCTURE = "lift-cf-to-scf"
"""For functions with branches between blocks."""

LOOPS = "linalg-to-parallel,affine-to-scf,loops-to-parallel"
"""For functions on memrefs: they get parallel loops."""

OUTLINE = "parallel-to-launch,outline-launches"
"""For parallel loops and launches: they become kernels."""

HOST = "convert-gpu-launches"
"""For functions that launch kernels."""

_PARALLEL = ("linalg.", "affine.", "scf.parallel")


def converted(module: ModuleOp, name: str) -> ModuleOp:
    """`module`, in which kernels and launches of other dialects became ours.

    Kernels of `gpu` become those of `ocl`. Functions with `linalg`, parallel loops, independent
    loops on memrefs or launches become kernels, and functions of the host that launch them. Other
    functions on memrefs are code of the host already; a module with operations of `host` is left
    as it is.

    Raises:
        PolyclError: located: something has no translation.
    """
    has_kernels = any(op.name == "gpu.module" or "gpu.kernel" in op.attributes for op in module.ops)
    functions = [
        op for op in module.ops if isinstance(op, FuncOp) and "gpu.kernel" not in op.attributes
    ]
    names = {nested.name for function in functions for nested in function.walk()}
    is_ours = any(name.startswith("host.") for name in names)
    is_parallel = any(name.startswith(_PARALLEL) for name in names)
    is_launching = not names.isdisjoint(("gpu.launch", "gpu.launch_func"))
    if has_kernels or (not is_ours and (is_parallel or is_launching)):
        check_ops(module, f"in {name}")
        verify_module(module)
    if not is_ours and (is_parallel or is_launching):
        # Host code around kernels of the source may be of any kind.
        is_optional = has_kernels and "gpu.launch_func" in names
        _run(module, functions, LOOPS if is_parallel else "", is_optional)
    elif has_kernels:
        run_pipeline(module, KERNELS)
    elif not is_ours and any(map(_has_loops, functions)):
        return _with_parallel_loops(module, name, functions)
    return module


def _run(module: ModuleOp, functions: list[FuncOp], loops: str, is_optional: bool) -> None:
    has_blocks = any(len(function.body.blocks) > 1 for function in functions)
    host = HOST + "{optional=true}" * is_optional
    steps = (STRUCTURE if has_blocks else "", loops, OUTLINE, KERNELS, host)
    run_pipeline(module, ",".join(filter(None, steps)))


def _with_parallel_loops(module: ModuleOp, name: str, functions: list[FuncOp]) -> ModuleOp:
    """A module whose functions may have independent loops.

    Without any it is as before, where its arrays are those of host code: of one dimension.
    """
    check_ops(module, f"in {name}")
    verify_module(module)
    copy = module.clone()
    run_pipeline(copy, LOOPS)
    is_parallel = any(op.name == "scf.parallel" for op in copy.walk())
    if not is_parallel and not any(map(_has_shapes, functions)):
        return module
    try:
        _run(copy, functions, "", False)
    except PolyclError as error:
        if any(map(_has_shapes, functions)):
            raise
        why = str(error).splitlines()[0]
        emit_remark(functions[0], LOOPS, f"functions stay code of the host: {why}")
        return module
    return copy


def named_pipeline(launch: NDRange) -> Sequence[ModulePass]:
    """`ocl-opt -p to-kernels`: the passes that `polycl.load` runs on functions on memrefs."""
    return parse_passes(",".join((STRUCTURE, LOOPS, OUTLINE, KERNELS, HOST)))


def _has_loops(function: FuncOp) -> bool:
    """Whether a function takes memrefs and has loops, or takes memrefs of several dimensions."""
    takes = any(isinstance(type, MemRefType) for type in function.function_type.inputs)
    has_loops = any(op.name == "scf.for" for op in function.walk())
    return takes and (has_loops or _has_shapes(function))


def _has_shapes(function: FuncOp) -> bool:
    """Whether an argument has not one dimension, as arrays of the host have."""
    inputs = function.function_type.inputs
    return any(isinstance(type, MemRefType) and type.get_num_dims() != 1 for type in inputs)
