"""Derived pattern programs, for `bench.lift` and `bench.lift_gpu`: as launches of kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

import polycl
from bench.lift_contender import Contender
from bench.lift_works import Work
from bench.runtimes import ROOT
from polycl.dialects.pattern import ArrayType
from polycl.dialects.pattern.launch import AllocOp, LaunchOp
from polycl.lowering.pattern.pattern_set_sizes import set_sizes
from polycl.lowering.pattern.pattern_to_ocl.host_code import INPLACE
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.runtime.pattern.pattern_program import LoweredFunction, leaf_shapes

PROGRAMS = ROOT / "examples" / "pattern"


def _more(rows: int, columns: int, wide: int = 64) -> dict[str, int]:
    """The rows and columns that are added so that tiles of 64 x `wide` fit."""
    return {"more_rows": -rows % 64, "more_columns": -columns % wide}


TUNED: dict[tuple[str, str], dict[str, int]] = {
    ("gemv 4096x4096", "cpu"): {"rows": 8},
    ("gemv 4096x4096", "gpu"): {"lanes": 128},
    ("matmul 1024", "gpu"): {"columns": 128, "c": 8},
    ("matmul 1000x777x333", "gpu"): {
        "rows": 128,
        "columns": 32,
        "c": 4,
        "k": 37,
        "ahead": 1,
        **_more(1000, 333, 32),
    },
    ("matmul 1000x333x777", "gpu"): {"columns": 32, "c": 4, "k": 37, **_more(1000, 777, 32)},
    ("matmul_batch 16 x 1000x777x333", "gpu"): {"columns": 128, "k": 21, **_more(1000, 333, 128)},
    ("matmul_half 1024x1024x1024", "gpu"): {"rows": 64},
    ("matmul_batch 32 x 256x256x256", "gpu"): {"columns": 128},
    ("matmul_batch 64 x 512x512x512", "gpu"): {"columns": 128},
}
"""Tunables of a work for a target, where others than the script's first values are faster."""

NUMBERS = ("matmul.any", "matmul.parts", "matmul_batch.gpu")
"""Scripts for sizes that are numbers."""


@dataclass
class Memory:
    """A buffer: that of an argument of the program, or one of its own."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    argument: str | None = None


@dataclass
class Launch:
    kernel: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None
    args: list[Memory | str | int]
    """Buffers, names of the program's scalar arguments, and sizes."""


@dataclass
class Plan:
    """What one call of a derived program does."""

    program: polycl.Program
    buffers: list[Memory]
    launches: list[Launch]
    result: list[Memory]
    """One for each part of a tuple."""


def plan_of(
    work: Work,
    target: str,
    parameters: dict[str, int] | None = None,
    *,
    capability: int = 0,
) -> Plan:
    """`work`'s program, derived by its script for `target`, say "cpu"."""
    if parameters is None:
        parameters = TUNED.get((work.label, target))
    module = polycl.load(PROGRAMS / f"{work.name}.mlir").module
    if work.script in NUMBERS:
        module = module.clone()
        set_sizes(find_function(module, None), work.sizes)
    script = work.script or f"{work.name}.{target}"
    derivation = Derivation.read(PROGRAMS / f"{script}.deriv")
    function = find_function(derivation.replay(module, parameters=parameters), None)
    if work.in_place:
        names = [arg.name_hint for arg in function.body.block.args]
        function.attributes[INPLACE] = IntegerAttr(names.index(work.in_place), i64)
    lowered = LoweredFunction(
        function,
        work.sizes,
        aligned=True,
        async_copies=capability >= 80,
        tensor_cores=capability,
    )
    return _plan(lowered.program, lowered.host, work)


def _plan(program: polycl.Program, host: FuncOp, work: Work) -> Plan:
    memory: dict[SSAValue, list[Memory]] = {}
    plan = Plan(program, [], [], [])

    def allocate(value: SSAValue, argument: str | None = None) -> None:
        memory[value] = [Memory(d, s, argument) for d, s in leaf_shapes(value.type, work.sizes)]
        plan.buffers += memory[value]

    for arg in host.body.block.args:
        if isinstance(arg.type, ArrayType):
            allocate(arg, arg.name_hint)
    for op in host.body.block.ops:
        match op:
            case AllocOp():
                allocate(op.result)
            case LaunchOp():
                plan.launches.append(_launch(op, memory, work))
            case ReturnOp():
                plan.result = memory[op.arguments[0]]
            case _:
                pass
    return plan


def _launch(op: LaunchOp, memory: dict[SSAValue, list[Memory]], work: Work) -> Launch:
    args: list[Memory | str | int] = []
    for value in op.arguments:
        args += memory[value] if value in memory else [value.name_hint or ""]
    args += [size.evaluate(work.sizes) for size in op.sizes]
    items = tuple(size.evaluate(work.sizes) for size in op.global_size)
    local = tuple(size.evaluate(work.sizes) for size in op.local_size or ())
    return Launch(op.kernel.string_value(), items, local or None, args)


CPU_SCRIPTS = {
    "asum": "asum.any",
    "dot": "asum.any",
    "scal": "scal.any",
    "gemv": "gemv.any",
    "matmul": "matmul.blocks",
}
"""The derivations of programs for the CPU that are not PROGRAM.cpu: those for all sizes."""


def public_call(work: Work, values: dict[str, Any], device: polycl.Device) -> Contender:
    """The call that users make; after the first one, the result is written to the same memory."""
    script = CPU_SCRIPTS.get(work.name, f"{work.name}.cpu")
    program = polycl.load(PROGRAMS / f"{work.name}.mlir").function(work.name)
    function = program.derived(PROGRAMS / f"{script}.deriv")
    given = [values[parameter.name] for parameter in function.parameters]
    args = [arg if isinstance(arg, np.ndarray) else float(arg) for arg in given]
    out = values[work.in_place] if work.in_place else function(*args, device=device)

    def call() -> None:
        function(*args, device=device, out=out)

    if work.in_place:
        return Contender("polycl", call, lambda: out)
    # An array of tuples is a dimension more in what is compared.
    result = (lambda: np.stack(out, axis=-1)) if isinstance(out, tuple) else (lambda: out)
    return Contender("polycl", call, result)
