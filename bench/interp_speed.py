"""How many operations a second the interpreter executes: `python bench/interp_speed.py`.

With `--check`, the same with the checks on. Each kernel runs twice: once with a counter in every
step, once timed (processor time of its one thread). Constants cost nothing and are not counted; a
terminator is part of its block.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.device import KernelArg, LocalMemory, NDRange
from polycl.backends.interp import InterpDevice, device
from polycl.backends.interp.ops import HANDLERS
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import Handlers, OpHandler, Translator, Wait, Waiting
from polycl.backends.pipeline import make_context
from polycl.frontends.mlir.mlir_text import parse_mlir

_SAXPY = """
ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"},
              %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %a: f32 {ocl.name = "a"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
  %w = ocl.load %y[%i] : !ocl.ptr<f32, global>
  %m = arith.mulf %v, %a : f32
  %s = arith.addf %m, %w : f32
  ocl.store %s, %y[%i] : !ocl.ptr<f32, global>
  ocl.return
}"""

_INTEGER_LOOP = """
ocl.kernel @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %i = ocl.global_id 0 : index
  %start = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %a = arith.constant 1664525 : i32
  %c = arith.constant 1013904223 : i32
  %s = arith.constant 13 : i32
  %r = scf.for %k = %0 to %n step %1 iter_args(%v = %start) -> (i32) {
    %p = arith.muli %v, %a : i32
    %q = arith.addi %p, %c : i32
    %t = arith.shrui %q, %s : i32
    %u = arith.xori %q, %t : i32
    scf.yield %u : i32
  }
  ocl.store %r, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}"""

_BARRIERS = """
ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"},
              %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
  %i = ocl.global_id 0 : index
  %l = ocl.local_id 0 : index
  %0 = arith.constant 0 : index
  %2 = arith.constant 2 : index
  %n = ocl.local_size 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
  ocl.store %v, %t[%l] : !ocl.ptr<f32, local>
  ocl.barrier local
  %half = arith.divui %n, %2 : index
  %end = scf.while (%s = %half) : (index) -> index {
    %go = arith.cmpi sgt, %s, %0 : index
    scf.condition(%go) %s : index
  } do {
  ^bb0(%s: index):
    %active = arith.cmpi slt, %l, %s : index
    scf.if %active {
      %j = arith.addi %l, %s : index
      %a = ocl.load %t[%l] : !ocl.ptr<f32, local>
      %b = ocl.load %t[%j] : !ocl.ptr<f32, local>
      %sum = arith.addf %a, %b : f32
      ocl.store %sum, %t[%l] : !ocl.ptr<f32, local>
    }
    ocl.barrier local
    %less = arith.divui %s, %2 : index
    scf.yield %less : index
  }
  ocl.return
}"""

_VECTORS = """
ocl.kernel @k(%x: !ocl.ptr<vector<4xf32>, global> {ocl.name = "x"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<vector<4xf32>, global>
  %a = arith.addf %v, %v : vector<4xf32>
  %m = arith.mulf %a, %v : vector<4xf32>
  %d = ocl.builtin "dot"(%m, %v) : (vector<4xf32>, vector<4xf32>) -> f32
  %s = math.sin %d : f32
  %b = vector.broadcast %s : f32 to vector<4xf32>
  ocl.store %b, %x[%i] : !ocl.ptr<vector<4xf32>, global>
  ocl.return
}"""


@dataclass
class Case:
    """A kernel with its arguments and sizes."""

    name: str
    text: str
    args: Sequence[KernelArg]
    ndrange: NDRange


def cases() -> list[Case]:
    """The kernels to measure; arguments are made anew."""

    def floats(count: int) -> np.ndarray:
        return np.linspace(0, 1, count, dtype=np.float32)

    def line(count: int, local: int) -> NDRange:
        return NDRange((count, 1, 1), (local, 1, 1))

    saxpy = (floats(50_000), floats(50_000), np.float32(2).tobytes())
    numbers = np.arange(1000, dtype=np.uint32)
    return [
        Case("saxpy", _SAXPY, saxpy, line(50_000, 100)),
        Case("integer loop", _INTEGER_LOOP, (numbers,), line(1000, 100)),
        Case("barriers", _BARRIERS, (floats(8192), LocalMemory(256)), line(8192, 64)),
        Case("vectors", _VECTORS, (floats(80_000),), line(20_000, 100)),
        Case("vectors, wg", _VECTORS, (floats(80_000),), line(20_000, 100)),
    ]


def _counting(handler: OpHandler, counter: list[int]) -> OpHandler:
    """The handler, with a counter in its steps."""

    def handle(op: Any, t: Translator) -> Any:
        made = handler(op, t)
        if made is None:
            return None
        run: Callable[[Frame], Any] = made.run if isinstance(made, Waiting) else made

        def step(frame: Frame) -> None:
            counter[0] += 1
            run(frame)

        def waiting(frame: Frame) -> Wait:
            counter[0] += 1
            yield from run(frame)

        return Waiting(waiting) if isinstance(made, Waiting) else step

    return handle


def count_operations(case: Case, module: ModuleOp, pipeline: str | None) -> int:
    """The operations that one launch of `case` executes."""
    counter = [0]
    operations = {op: _counting(handler, counter) for op, handler in HANDLERS.operations.items()}
    counted = Handlers(operations, HANDLERS.terminators)
    plain, device.HANDLERS = device.HANDLERS, counted
    try:
        executable = InterpDevice().compile(module, "k", case.ndrange, pipeline)
    finally:
        device.HANDLERS = plain
    executable.run(case.args, case.ndrange)
    return counter[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="measure with the checks on")
    check = bool(parser.parse_args().check)
    for counted, case in zip(cases(), cases(), strict=True):
        module = parse_mlir(make_context(), case.text.encode(), f"{case.name}.mlir")
        pipeline = "ocl-to-wg" if case.name.endswith("wg") else None
        count = count_operations(counted, module, pipeline)
        executable = InterpDevice(check=check).compile(module, "k", case.ndrange, pipeline)
        start = time.process_time()
        executable.run(case.args, case.ndrange)
        seconds = time.process_time() - start
        rate = count / seconds / 1e6
        print(f"{case.name:13} {count:8} operations {seconds:6.2f} s {rate:6.2f} M operations/s")


if __name__ == "__main__":
    main()
