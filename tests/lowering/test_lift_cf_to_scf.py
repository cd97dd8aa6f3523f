"""Lifting branches to structured control flow leaves what kernels compute as it was.

`pytest -m slow tests/lowering/test_lift_cf_to_scf.py` runs thousands of random graphs.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xdsl.dialects import cf

import polycl
from fuzz.graphs import graph_kernels
from fuzz.kernels import GROUP, kernels
from launches import Launch, all_launches, sampled
from polycl.backends.pipeline import run_pipeline
from polycl.frontends.opencl_c import import_source

FEW = int(os.environ.get("POLYCL_FUZZ_EXAMPLES", "40"))
LIFT = "lift-cf-to-scf"
THERE_AND_BACK = f"scf-to-cf,{LIFT}"
SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
LAUNCHES = all_launches(Path(__file__).resolve().parent.parent / "kernels")


def run_graph(text: str, device: str, pipeline: str | None = None) -> np.ndarray:
    out = np.zeros(16, np.int32)
    kernel = polycl.load(text).kernel("k")
    on = polycl.device(device) if device == "interp" else polycl.device(device, threads=1)
    kernel(out, global_size=16, local_size=4, device=on, pipeline=pipeline)
    return out


def check_graph(text: str) -> None:
    expected = run_graph(text, "interp")
    np.testing.assert_array_equal(run_graph(text, "interp", LIFT), expected, text)
    module = polycl.load(text, pipeline=LIFT).module.clone()
    run_pipeline(module, LIFT)
    branches = (cf.BranchOp, cf.ConditionalBranchOp, cf.SwitchOp)
    assert not [op for op in module.walk() if isinstance(op, branches)]


@settings(max_examples=FEW, **SETTINGS)
@given(graph_kernels())
def test_random_graphs(text: str) -> None:
    check_graph(text)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@settings(max_examples=5000, **SETTINGS)
@given(graph_kernels(12))
def test_many_random_graphs(text: str) -> None:
    check_graph(text)


@settings(max_examples=FEW // 6, **SETTINGS)
@given(kernels(), st.integers(0, 5))
def test_random_kernels_there_and_back(text: str, n: int) -> None:
    results: list[np.ndarray] = []
    for pipeline in (None, THERE_AND_BACK):
        out = np.zeros(2 * GROUP, np.uint32)
        data = np.random.default_rng(7).integers(0, 2**32, 64, np.uint32)
        polycl.load(text).kernel("k")(
            out,
            data,
            n,
            polycl.Local(4 * GROUP),
            global_size=out.size,
            local_size=GROUP,
            device=polycl.device("interp"),
            pipeline=pipeline,
        )
        results.append(out)
    np.testing.assert_array_equal(results[1], results[0])


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 8, 2))
def test_kernels_there_and_back(launch: Launch) -> None:
    program = launch.load()
    results: list[dict[str, object]] = []
    for pipeline in (None, THERE_AND_BACK):
        values = launch.values()
        program.kernel(launch.kernel)(
            **values,
            global_size=launch.global_size,
            local_size=launch.local_size,
            global_offset=launch.global_offset,
            device=polycl.device("interp"),
            pipeline=pipeline,
        )
        results.append(values)
    for name, value in results[0].items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(results[1][name], value, name)


def structured_ops(text: str) -> list[str]:
    names: list[str] = []
    for pipeline in ("", THERE_AND_BACK):
        module = import_source(text.encode(), "k.cl")
        if pipeline:
            run_pipeline(module, pipeline)
        names.append(" ".join(op.name for op in module.walk() if op.name.startswith("scf.")))
    return names


def test_structured_control_flow_comes_back_as_it_was() -> None:
    before, after = structured_ops(
        """
        kernel void k(global int *x, int n) {
          int i = 0, s = 0;
          while (x[i] < n) {
            if (x[i] > 3) { s += i; x[s] = 1; } else { x[i] = s; }
            do { x[s]--; } while (x[s] > i);
            i++;
          }
          x[0] = s;
        }
        """
    )
    assert after == before
