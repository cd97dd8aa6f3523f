"""Input space splitting changes no bit: random launches of the kernels in tests/poly/kernels.

Each launch runs on the interpreter: unchanged, after the kernel was split and its codelets were
made loops over tiles, and after these were made vectors; then on the cpu device. `-m slow` runs
thousands of launches.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from split_launches import FOLDER, KERNELS, Arguments, Launch, launches

import polycl
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.device import Device, NDRange
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.runtime.compare import compare
from polycl.runtime.program import Program

FEW, MANY = 3, 12
"""Launches of each kernel after each pipeline."""

LAST = "wg-lower-contexts"
"""The last pass of the form that is split."""

INTERP = InterpDevice()
CPU = polycl.device("cpu", threads=1, contract=False)


def split(options: str, then: str = "poly-materialize") -> str:
    return f"poly-normalize,poly-extract,poly-split{{{options}}},{then},poly-lower-codelet"


SPLITS = (
    split("width=8 predicates=full"),
    split("width=8 predicates=full,mem,ctl"),
    split("width=4 dims=0 predicates=full,mem,ctl", "poly-materialize{whole-groups=true}"),
    split("width=4 predicates=full,ctl", "poly-score{profit=false},poly-materialize"),
    split("width=16 predicates=full,mem score=true"),
    split("width=8 predicates=full,mem,ctl score=true", "poly-materialize{fold=false}"),
    split(
        "width=2 predicates=full,mem,ctl max-codelets=2",
        "poly-score{profit=false},poly-materialize",
    ),
)
AFTER = ("", ",wg-vectorize{width=8}", ",widen-indices,wg-vectorize{width=8},wg-jam,wg-interleave")
"""What may run on what was split."""

PIPELINES = tuple(f"{splitting}{then}" for splitting, then in product(SPLITS, AFTER))

SPLIT_TILES = "wg-rebase-loops,widen-indices,wg-clip-guards,wg-split-tiles"
"""What the cpu device does by itself, for a local size that is known."""


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


def results(found: Program, launch: Launch, device: Device) -> Arguments:
    """The arrays after a launch."""
    space, arguments = launch
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


def differences(kernel: str, launch: Launch, changed: Program, device: Device) -> list[str]:
    """What `changed` computes on `device` otherwise than the source on the interpreter."""
    expected = results(program(kernel), launch, INTERP)
    found = results(changed, launch, device)
    pairs = ((name, compare(value, found[name])) for name, value in expected.items())
    return [f"{name}: {difference}" for name, difference in pairs if difference]


def for_launches(kernel: str, count: int, check: Callable[[Launch], list[str]]) -> None:
    """Some launches of a kernel, always the same; the smallest that fails is shown."""

    @settings(max_examples=count, deadline=None, database=None)
    @given(launches(kernel))
    def one(launch: Launch) -> None:
        found = check(launch)
        assert not found, found

    one()


def after(kernel: str, passes: str, count: int, device: Device | None = None) -> None:
    """After passes that do not know the local size, on the interpreter, or that do, on `device`."""

    def check(launch: Launch) -> list[str]:
        local_size = (*launch[0].local_size, 1, 1)[:3]
        changed = split_program(kernel, passes, local_size if device else None)
        return differences(kernel, launch, changed, device or INTERP)

    for_launches(kernel, count, check)


def own(kernel: str, count: int) -> None:
    """On the cpu device, with its own passes."""
    for_launches(kernel, count, lambda launch: differences(kernel, launch, program(kernel), CPU))


def numbered() -> list[Any]:
    return [pytest.param(number, kernel, id=kernel) for number, kernel in enumerate(KERNELS)]


@pytest.mark.parametrize(("number", "kernel"), numbered())
def test_results_are_the_same(number: int, kernel: str):
    after(kernel, PIPELINES[5 * number % len(PIPELINES)], FEW)


@pytest.mark.parametrize(("number", "kernel"), numbered()[::2])
def test_tiles_that_touch_no_border(number: int, kernel: str):
    after(kernel, f"{SPLIT_TILES}{AFTER[number % len(AFTER)]}", 2, INTERP)


@pytest.mark.parametrize(("number", "kernel"), numbered()[::6])
def test_native_code(number: int, kernel: str):
    after(kernel, PIPELINES[7 * number % len(PIPELINES)], 1, CPU)
    own(kernel, 1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kernel", KERNELS)
def test_all_pipelines(kernel: str):
    for passes in PIPELINES:
        after(kernel, passes, MANY)
    for passes in (*PIPELINES[::3], *(f"{SPLIT_TILES}{then}" for then in AFTER)):
        after(kernel, passes, 3, INTERP)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kernel", KERNELS)
def test_native_code_after_all_pipelines(kernel: str):
    own(kernel, MANY)
    for passes in PIPELINES:
        after(kernel, passes, 1, CPU)
