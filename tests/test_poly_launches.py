"""Input space splitting changes no bit: random launches of the kernels in tests/kernels/split.

Each launch runs on the interpreter as the source says it, and after the kernel was split and its
codelets were made loops over tiles, and then vectors; then on the cpu device. `-m slow` runs
thousands of launches.
"""

from __future__ import annotations

import copy
from functools import cache, lru_cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import polycl
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.device import Device, NDRange
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.runtime.compare import compare
from polycl.runtime.program import Program
from split_launches import FOLDER, KERNELS, Arguments, Space, launches

FEW, MANY = 5, 40
"""Launches of each kernel after each pipeline."""

LAST = "wg-lower-contexts"
"""The last pass of the form that is split."""

CPU = polycl.device("cpu", threads=1, contract=False)


def split(options: str, then: str = "poly-materialize") -> str:
    return f"poly-normalize,poly-extract,poly-split{{{options}}},{then},poly-lower-codelet"


SPLITS = (
    split("width=8 predicates=full"),
    split("width=8 predicates=full,mem,ctl"),
    split("width=4 dims=0 predicates=full,mem,ctl"),
    split("width=4 dims=1,0 predicates=full,ctl", "poly-score,poly-materialize"),
    split("width=16 predicates=full,mem", "poly-score,poly-materialize"),
    split("width=8 predicates=full,mem,ctl", "poly-score,poly-materialize{fold=false}"),
    split("width=2 predicates=full,mem,ctl max-codelets=2", "poly-score,poly-materialize"),
)
AFTER = ("", ",wg-vectorize{width=8}", ",widen-indices,wg-vectorize{width=8},wg-jam,wg-interleave")
"""What may run on what was split."""

PIPELINES = tuple(f"{splitting}{then}" for splitting, then in product(SPLITS, AFTER))


@cache
def program(kernel: str) -> polycl.Program:
    return polycl.load(FOLDER / f"{kernel}.cl")


@lru_cache(maxsize=256)
def split_program(kernel: str, passes: str, local_size: tuple[int, int, int] | None) -> Program:
    """The kernel after `passes` on its wg form, for one local size or for any."""
    own = cpu_pipeline(NDRange((1, 1, 1), local_size or (1, 1, 1)), contract=False)
    names = [step.name for step in own]
    first = [
        s for s in own[: names.index(LAST) + 1] if local_size or s.name != "ocl-set-local-size"
    ]
    module = program(kernel).module.clone()
    run_passes(module, (*first, *parse_passes(passes)))
    return Program(module)


def results(found: Program, space: Space, arguments: Arguments, device: Device) -> Arguments:
    """The arrays after a launch."""
    # Where two are one array the copies are, too.
    copies = copy.deepcopy(arguments)
    kernel = found.kernel("f")
    kernel(
        *(copies[parameter.name] for parameter in kernel.parameters),
        global_size=space.global_size,
        local_size=space.local_size,
        global_offset=space.offset,
        device=device,
    )
    return {n: v for n, v in copies.items() if isinstance(v, np.ndarray)}


def check(kernel: str, passes: str, launch: tuple[Space, Arguments], device: Device | None) -> None:
    """The results are the same on the interpreter before and after the passes, and on `device`.

    The local size is known to the passes where `device` is the cpu.
    """
    space, arguments = launch
    expected = results(program(kernel), space, arguments, InterpDevice())
    local_size = None if device is None else (*space.local_size, 1, 1)[:3]
    changed = split_program(kernel, passes, local_size)
    for on in (InterpDevice(), device):
        found = expected if on is None else results(changed, space, arguments, on)
        for name, value in expected.items():
            difference = compare(value, found[name])
            assert difference is None, f"{name}: {difference}"


def check_launches(kernel: str, passes: str, count: int, device: Device | None = None) -> None:
    @settings(max_examples=count, derandomize=True, deadline=None, database=None)
    @given(launches(kernel))
    def one(launch: tuple[Space, Arguments]) -> None:
        check(kernel, passes, launch, device)

    one()


def numbered() -> list[Any]:
    return [pytest.param(number, kernel, id=kernel) for number, kernel in enumerate(KERNELS)]


@pytest.mark.parametrize(("number", "kernel"), numbered())
def test_results_are_the_same(number: int, kernel: str):
    for k in (number, 5 * number + 7):
        check_launches(kernel, PIPELINES[k % len(PIPELINES)], FEW)


@pytest.mark.parametrize(("number", "kernel"), numbered()[::4])
def test_native_code(number: int, kernel: str):
    check_launches(kernel, PIPELINES[3 * number % len(PIPELINES)], 2, CPU)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_all_pipelines(kernel: str):
    for passes in PIPELINES:
        check_launches(kernel, passes, MANY)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_native_code_after_all_pipelines(kernel: str):
    for passes in PIPELINES:
        check_launches(kernel, passes, 5, CPU)
