"""Convolution2D, split by hand, with the sets of [split16]."""

from pathlib import Path

import pytest

from polycl.backends.pipeline import make_context
from polycl.dialects.poly import KernelOp
from polycl.frontends.mlir.mlir_text import parse_mlir

CONV2D = Path(__file__).with_name("conv2d_split.mlir")


@pytest.fixture(scope="session")
def kernel() -> KernelOp:
    module = parse_mlir(make_context(), CONV2D.read_bytes(), CONV2D.name)
    module.verify()
    (found,) = (op for op in module.walk() if isinstance(op, KernelOp))
    return found
