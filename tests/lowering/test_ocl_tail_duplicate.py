"""`ocl-tail-duplicate` stays within the growth that it promises."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

import polycl
from fuzz.kernels import kernels
from polycl.backends.pipeline import run_pipeline
from polycl.dialects.ocl import BarrierOp


def size(module: ModuleOp) -> int:
    """Operations, without the ends of blocks."""
    return sum(not isinstance(op, scf.YieldOp) for op in module.walk())


SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=24, **SETTINGS)
@given(kernels(), st.sampled_from([1, 8, 64]))
def test_growth_is_bounded(text: str, max_ops: int) -> None:
    module = polycl.load(text).module.clone()
    run_pipeline(module, "inline-functions")
    before = size(module)
    branches = sum(
        isinstance(op, scf.IfOp) and any(isinstance(inner, BarrierOp) for inner in op.walk())
        for op in module.walk()
    )
    run_pipeline(module, f"ocl-tail-duplicate{{max_ops={max_ops}}}")
    assert before <= size(module) <= before + branches * max_ops
