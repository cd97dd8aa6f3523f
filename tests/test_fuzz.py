"""Random kernels: interpreter on the ocl form = on the wg form = as vectors = cpu, bit by bit.

`pytest -m slow tests/test_fuzz.py` runs thousands of them.
"""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import polycl
from fuzz.kernels import GROUP, Shape, kernels

FEW = int(os.environ.get("POLYCL_FUZZ_EXAMPLES", "8"))
MANY = 3000
GROUPS = 2


def run(
    text: str,
    n: int,
    device: polycl.Device,
    pipeline: str | None = None,
    shape: Shape = (GROUP,),
) -> np.ndarray:
    group = math.prod(shape)
    out = np.zeros(GROUPS * group, np.uint32)
    data = np.random.default_rng(7).integers(0, 2**32, 64, np.uint32)
    kernel = polycl.load(text).kernel("k")
    kernel(
        out,
        data,
        n,
        polycl.Local(4 * group),
        global_size=(GROUPS * shape[0], *shape[1:]),
        local_size=shape,
        device=device,
        pipeline=pipeline,
    )
    return out


def check(text: str, n: int) -> None:
    interp = polycl.device("interp")
    expected = run(text, n, interp)
    for passes in ("ocl-to-wg", "ocl-tail-duplicate,ocl-to-wg", "wg-interchange,ocl-to-wg"):
        grouped = run(text, n, interp, f"inline-functions,{passes}")
        np.testing.assert_array_equal(grouped, expected, f"{passes} changed the result")
    np.testing.assert_array_equal(
        run(text, n, polycl.device("cpu", threads=1, contract=False)), expected, "cpu"
    )


SHAPES: tuple[Shape, ...] = ((5,), (13,), (33,), (8, 2), (16, 2), (7, 3), (1, 6), (20, 1))
"""Groups that fill tiles of 4 work-items, or do not, or fill two in two rows."""


def check_vectors(case: tuple[Shape, str], n: int) -> None:
    shape, text = case
    size = ",".join(map(str, (*shape, 1, 1)[:3]))
    scalar = (
        f"inline-functions,promote-private-memory,simplify-breaks,ocl-set-local-size{{size={size}}},"
        "ocl-to-wg,ocl-expand-builtins,wg-lower-contexts,wg-rebase-loops,widen-indices,"
        "wg-clip-guards"
    )
    interp = polycl.device("interp")
    expected = run(text, n, interp, None, shape)
    for passes in (
        "wg-vectorize{width=4},wg-jam{rows=2 vectors=2}",
        "wg-vectorize{width=2 dim=1},wg-interleave{vectors=3}",
        "wg-replicate",
        "carry-stores,wg-merge-groups{groups=4 fewest=1 iterations=0},wg-vectorize{width=2}",
        "tta-join-loops{items=4}",
    ):
        found = run(text, n, interp, f"{scalar},{passes}", shape)
        np.testing.assert_array_equal(found, expected, f"{passes} changed the result")
    cpu = polycl.device("cpu", threads=1, contract=False)
    np.testing.assert_array_equal(run(text, n, cpu, None, shape), expected, "cpu")


def of_any_shape(shape: Shape) -> st.SearchStrategy[tuple[Shape, str]]:
    return st.tuples(st.just(shape), kernels(shape))


CASES = st.sampled_from(SHAPES).flatmap(of_any_shape)

SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}


@settings(max_examples=FEW, **SETTINGS)
@given(kernels(), st.integers(0, 5))
def test_random_kernels(text: str, n: int) -> None:
    check(text, n)


@settings(max_examples=FEW // 2, **SETTINGS)
@given(CASES, st.integers(0, 5))
def test_random_kernels_as_vectors(case: tuple[Shape, str], n: int) -> None:
    check_vectors(case, n)


@pytest.mark.slow
@settings(max_examples=MANY, **SETTINGS)
@given(CASES, st.integers(0, 5))
def test_many_random_kernels_as_vectors(case: tuple[Shape, str], n: int) -> None:
    check_vectors(case, n)


@pytest.mark.slow
@settings(max_examples=MANY, **SETTINGS)
@given(kernels(), st.integers(0, 5))
def test_many_random_kernels(text: str, n: int) -> None:
    check(text, n)
