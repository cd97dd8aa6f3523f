"""Runs `.mlir` text on the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.device import KernelArg, NDRange, Size3
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import make_context
from polycl.frontends.mlir.mlir_text import parse_mlir

Interpret = Callable[..., None]
Evaluate = Callable[..., Any]


def parse(text: str) -> ModuleOp:
    """The module that `text` is; the file is called `k.mlir`."""
    module = parse_mlir(make_context(), text.encode(), "k.mlir")
    module.verify()
    return module


def _size3(size: int | Sequence[int]) -> Size3:
    sizes = (size,) if isinstance(size, int) else tuple(size)
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


def interpret_text(
    text: str,
    *args: KernelArg,
    global_size: int | Sequence[int] = 1,
    local_size: int | Sequence[int] = 1,
    global_offset: Sequence[int] = (),
    kernel: str = "k",
    pipeline: str | None = None,
) -> None:
    """Launches kernel @k of `text`."""
    dimensions = 1 if isinstance(global_size, int) else len(global_size)
    x, y, z = (*global_offset, 0, 0, 0)[:3]
    ndrange = NDRange(_size3(global_size), _size3(local_size), (x, y, z), dimensions)
    module = parse(text)
    before = str(module)
    executable = InterpDevice().compile(module, kernel, ndrange, pipeline)
    executable.run(args, ndrange)
    assert str(module) == before, "a device must not change the module"


def evaluate_text(
    body: str,
    result: str,
    inputs: Sequence[tuple[str, NDArray[Any]]],
    dtype: Any,
    *,
    pipeline: str | None = None,
) -> NDArray[Any]:
    """`%r` of type `result` that `body` makes from `%a`, `%b`, ...: one for each input row.

    An input is its type and an array whose first dimension counts rows. `dtype` is that of one
    row of the result; an i1 is stored as i8.
    """
    names = "abcdef"[: len(inputs)]
    parameters = [
        f'%p{name}: !ocl.ptr<{type}, global> {{ocl.name = "{name}"}}'
        for name, (type, _) in zip(names, inputs, strict=True)
    ]
    loads = [
        f"  %{name} = ocl.load %p{name}[%row] : !ocl.ptr<{type}, global>"
        for name, (type, _) in zip(names, inputs, strict=True)
    ]
    stored, value = result, "%r"
    if result.endswith("i1") or "xi1>" in result:
        stored, value = result.replace("i1", "i8"), "%wide"
        body += f"\n  %wide = arith.extui %r : {result} to {stored}"
    parameters.append(f'%out: !ocl.ptr<{stored}, global> {{ocl.name = "out"}}')
    text = "\n".join(
        [
            f"ocl.kernel @k({', '.join(parameters)}) {{",
            "  %row = ocl.global_id 0 : index",
            *loads,
            body,
            f"  ocl.store {value}, %out[%row] : !ocl.ptr<{stored}, global>",
            "  ocl.return",
            "}",
        ]
    )
    rows = len(inputs[0][1])
    out = np.zeros(rows, dtype)
    arrays = [np.ascontiguousarray(array) for _, array in inputs]
    interpret_text(text, *arrays, out, global_size=rows, pipeline=pipeline)
    return out


@pytest.fixture
def interpret() -> Interpret:
    return interpret_text


@pytest.fixture
def evaluate() -> Evaluate:
    return evaluate_text
