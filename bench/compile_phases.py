"""The time of each phase of a compilation in a process like those that a warm server forks.

All modules are loaded and another kernel has been compiled before, nothing of this one is known.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from multiprocessing import get_context
from typing import TypeVar

from xdsl.context import Context

import polycl
from bench.poly_compile_time import local_size
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.cpu.jit import compile_object
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.cpu.llvm_process import run_llvm_here
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.device import ArgumentFacts, NDRange
from polycl.dialects import ocl
from polycl.lowering.ocl.ocl_expand_images import expand_images

T = TypeVar("T")

RGBA = (0x10D2, 4, 0x3210, 0x3210, 4)
"""The format of all images: four channels of CLK_UNORM_INT8 (`image_header.FORMAT_FIELDS`)."""

_FIRST = """kernel void k(global float *a, local float *t, int n) {
  int l = get_local_id(0);
  for (int i = 0; i < n; ++i) t[l] = a[get_global_id(0)] * i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 7) a[l] = sin(t[l ^ 1]) + a[max(l - 1, 0)];
}"""
"""Regions between barriers, a loop, a function and an address with a border: most modules."""

LLVM = "LLVM"
"""The phase that is not Python's: LLVM's verifier, optimiser and code generator."""


@dataclass
class Compiled:
    """One compilation of one kernel."""

    operations: int
    """Of the imported kernel and the functions that it calls."""
    most_operations: int
    """Of the module after the pass that left most."""
    mebibytes: float
    """The largest resident memory of the process."""
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    """Processor time of each phase, in order."""

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


def compile_once(source: str, options: Sequence[str], kernel: str) -> Compiled:
    """Compile one kernel in a process that is forked from this one.

    Raises:
        PolyclError: the kernel is not supported.
    """
    _load_modules()
    gc.collect()
    with get_context("fork").Pool(1) as pool:
        return pool.apply(_compile, (source, list(options), kernel))


@cache
def _load_modules() -> None:
    # The time of a process that lives on would not be seen.
    run_llvm_here()
    _compile(_FIRST, [], "k")


def _processor_seconds() -> float:
    """Of this process and of those that it has started and waited for."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def _compile(source: str, options: Sequence[str], name: str) -> Compiled:
    gc.disable()
    seconds: dict[str, float] = {}

    def timed(phase: str, run: Callable[[], T]) -> T:
        start = _processor_seconds()
        result = run()
        seconds[phase] = seconds.get(phase, 0.0) + _processor_seconds() - start
        return result

    module = timed("import", lambda: polycl.load(source, options).module)
    program = timed("copy", lambda: only_kernel(module, name))
    kernel = next(op for op in program.ops if isinstance(op, ocl.KernelOp))
    types = enumerate(kernel.function_type.inputs)
    images = {i: RGBA for i, type in types if isinstance(type, ocl.ImageType)}
    timed("copy", lambda: expand_images(program, images))
    size = local_size(kernel)
    facts = ArgumentFacts(distinct_buffers=True, small_buffers=True)
    passes = cpu_pipeline(NDRange(size, size, facts=facts), contract=True)
    operations = most = sum(1 for _ in program.walk())
    for step in passes:
        timed(step.name, lambda step=step: step.apply(Context(), program))
        most = max(most, sum(1 for _ in program.walk()))
    text = timed("LLVM IR", lambda: llvm_ir(program, False))
    timed(LLVM, lambda: compile_object(text))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Compiled(operations, most, memory, seconds)


def main() -> None:
    """Answer requests, one in a line, with the fields of `Compiled`; of another checkout, too."""
    for line in sys.stdin:
        print(json.dumps(asdict(compile_once(*json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
