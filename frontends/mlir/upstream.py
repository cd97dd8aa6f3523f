"""Modules of MLIR's own dialects: which passes make kernels of them."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

KERNELS = "convert-gpu-to-ocl"
"""For kernels of the `gpu` dialect."""

STRUCTURE = "lift-cf-to-scf"
"""For functions with branches between blocks."""

OUTLINE = "parallel-to-launch,outline-launches"
LOOPS = "linalg-to-parallel,affine-to-scf,loops-to-parallel"
"""For functions on memrefs: parallel loops, which `OUTLINE` makes kernels of."""

HOST = "convert-gpu-launches"
"""For functions that launch kernels."""

_PARALLEL = ("linalg.", "affine.", "scf.parallel")


def pipeline_of(module: ModuleOp) -> str:
    """The passes for a module as it was parsed, or "" if it has nothing for them.

    Kernels become those of `ocl`. Functions with `linalg`, parallel loops, loops on memrefs or
    launches become kernels and functions of the host. A module that has such functions already,
    of the dialect `host`, is left as it is.
    """
    kernels = any(op.name == "gpu.module" or "gpu.kernel" in op.attributes for op in module.ops)
    functions = [
        op for op in module.ops if isinstance(op, FuncOp) and "gpu.kernel" not in op.attributes
    ]
    names = {nested.name for function in functions for nested in function.walk()}
    if any(name.startswith("host.") for name in names):
        return KERNELS if kernels else ""
    is_parallel = any(name.startswith(_PARALLEL) for name in names)
    is_launching = bool(names & {"gpu.launch", "gpu.launch_func"})
    own = any(op.name in ("ocl.kernel", "wg.func") for op in module.ops)
    is_loops = not kernels and not own and any(map(_works_on_memrefs, functions))
    if not (is_parallel or is_launching or is_loops):
        return KERNELS if kernels else ""
    # Host code around kernels of the source may be of any kind.
    is_optional = kernels and "gpu.launch_func" in names
    return ",".join(
        [
            *([STRUCTURE] if any(len(f.body.blocks) > 1 for f in functions) else []),
            *([LOOPS] if is_parallel or is_loops else []),
            OUTLINE,
            KERNELS,
            HOST + "{optional=true}" * is_optional,
        ]
    )


def _works_on_memrefs(function: FuncOp) -> bool:
    """Whether a function computes on arrays: it takes some, and accesses memory."""
    if not any(isinstance(type, MemRefType) for type in function.function_type.inputs):
        return False
    return any(_accesses(op) for op in function.walk())


def _accesses(op: Operation) -> bool:
    return op.name in ("memref.load", "memref.store", "memref.copy")
