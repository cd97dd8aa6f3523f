"""Runs `.mlir` text on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.cpu import CpuDevice
from polycl.backends.device import KernelArg, NDRange, Size3
from polycl.backends.pipeline import make_context
from polycl.frontends.mlir.mlir_text import parse_mlir

Parse = Callable[[str], ModuleOp]
Run = Callable[..., None]
Evaluate = Callable[..., Any]


def parse_text(text: str) -> ModuleOp:
    """The module that `text` is; the file is called `k.mlir`."""
    module = parse_mlir(make_context(), text.encode(), "k.mlir")
    module.verify()
    return module


def size3(size: int | Sequence[int], fill: int = 1) -> Size3:
    sizes = (size,) if isinstance(size, int) else tuple(size)
    x, y, z = (*sizes, fill, fill, fill)[:3]
    return x, y, z


def run_text(
    text: str,
    *args: KernelArg,
    global_size: int | Sequence[int] = 1,
    local_size: int | Sequence[int] = 1,
    global_offset: Sequence[int] = (),
    kernel: str = "k",
    pipeline: str | None = None,
    threads: int = 1,
) -> None:
    """Launches kernel @k of `text`, without contraction."""
    dimensions = 1 if isinstance(global_size, int) else len(global_size)
    offset = size3(global_offset, 0)
    ndrange = NDRange(size3(global_size), size3(local_size), offset, dimensions)
    module = parse_text(text)
    before = str(module)
    device = CpuDevice(threads=threads, contract=False)
    device.compile(module, kernel, ndrange, pipeline).run(args, ndrange)
    assert str(module) == before, "a device must not change the module"


def evaluate_text(
    body: str, result: str, inputs: Sequence[tuple[str, NDArray[Any]]], dtype: Any
) -> NDArray[Any]:
    """`body` computes `%r`, of the storable type `result`, from %a, %b, ... in each work-item."""
    count = len(inputs[0][1])
    parameters = [f'%p{i}: !ocl.ptr<{type}, global> {{ocl.name = "p{i}"}}'
                  for i, (type, _) in enumerate(inputs)]  # fmt: skip
    loads = [f"%{'abc'[i]} = ocl.load %p{i}[%i] : !ocl.ptr<{type}, global>"
             for i, (type, _) in enumerate(inputs)]  # fmt: skip
    text = f"""
    ocl.kernel @k({", ".join(parameters)}, %out: !ocl.ptr<{result}, global> {{ocl.name = "out"}}) {{
      %i = ocl.global_id 0 : index
      {chr(10).join(loads)}
      {body}
      ocl.store %r, %out[%i] : !ocl.ptr<{result}, global>
      ocl.return
    }}"""
    out = np.zeros(count, dtype)
    run_text(text, *(array for _, array in inputs), out, global_size=count)
    return out


@pytest.fixture
def parse() -> Parse:
    return parse_text


@pytest.fixture
def run() -> Run:
    return run_text


@pytest.fixture
def evaluate() -> Evaluate:
    return evaluate_text
