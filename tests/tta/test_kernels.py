"""The kernels of tests/kernels on the device tta: what it leaves is what the interpreter leaves.

By default, each of CHOSEN runs on one machine, a few on all of them and with all ways to run the
work-items of a group; with `-m slow`, all launches of all kernels on all machines.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser

import polycl
from launches import Launch, all_launches, launches_of
from polycl.backends.device import Device
from polycl.backends.pipeline import make_context
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.limit_size import inlined_size
from polycl.backends.tta.pipeline import WgMethod
from polycl.errors import ArgumentError
from polycl.remarks import collect_remarks
from polycl.runtime.compare import compare

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "tests" / "kernels"
MACHINES = ("paper", "minimal", "wide")

CHOSEN = (
    "barrier_break_continue barrier_counted_loop barrier_do_while "
    "barrier_early_return barrier_guarded_loop barrier_many_in_loop barrier_nested_loops "
    "barrier_straight barrier_uninitialised column_major common_builtins "
    "constant_expressions dct8 double_precision atomics loops enums_and_constants "
    "generic_pointers goto_forward fences goto_two_entries guards ids_as_int "
    "loop_accumulators narrow_progressions spmv_csr "
    "stencil_jacobi struct_values structure_layout unsigned_arithmetic vector3 "
    "vector_compare volatile_and_bool wide_loops wrapping_progressions"
).split()

EVERYWHERE = ("dct8", "vector3")
"""These run on all machines, and with all methods."""


def run_on(device: Device, launch: Launch) -> dict[str, np.ndarray]:
    values = launch.values()
    polycl.load(launch.path, launch.build_options).kernel(launch.kernel)(
        **values,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=device,
        # Both compute transcendental functions alike, then.
        pipeline="expand-math{fused=false}" if device.name == "interp" else None,
    )
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


def check(launch: Launch, device: TtaDevice) -> None:
    """Raises AssertionError where a bit differs."""
    found, expected = run_on(device, launch), run_on(polycl.device("interp"), launch)
    for name, array in found.items():
        assert compare(array, expected[name]) is None, name
    assert device.result is not None
    assert device.result.cycles > 0


def first_of(name: str) -> Launch:
    return launches_of(KERNELS / f"{name}.cl")[0]


@pytest.mark.parametrize("name", CHOSEN)
def test_agrees(name: str):
    check(first_of(name), TtaDevice())


@pytest.mark.parametrize("machine", MACHINES[1:])
@pytest.mark.parametrize("name", EVERYWHERE)
def test_machines(name: str, machine: str):
    check(first_of(name), TtaDevice(machine))


@pytest.mark.parametrize(
    ("name", "method"),
    # What "auto" chooses for dct8 is below.
    [
        ("dct8", "interchange"),
        ("dct8", "horizontal"),
        ("vector3", "interchange"),
        ("loops", "horizontal"),
        # Pairs of iterations of a loop with several regions, and the last one.
        ("barrier_carried", "replicate"),
        # Half a minute, most of it to schedule one block.
        pytest.param("vector3", "replicate", marks=pytest.mark.slow),
    ],
)
def test_methods(name: str, method: WgMethod):
    check(first_of(name), TtaDevice(wg_method=method))


@pytest.mark.parametrize(
    ("name", "remark"),
    [("dct8", "method replicate: "), ("goto_forward", " cycles are estimated")],
)
def test_auto_says_what_it_chose(name: str, remark: str):
    with collect_remarks() as remarks:
        check(first_of(name), TtaDevice(wg_method="auto"))
    assert any(remark in str(found) for found in remarks)


def test_auto_knows_how_often_loops_run():
    """The rows have 19 elements, which no estimate knows."""
    launch = first_of("own_rows")
    device = TtaDevice(wg_method="auto")
    with collect_remarks() as remarks:
        check(launch, device)
    said = [str(found) for found in remarks]
    assert any("method horizontal; cycles of some groups: " in text for text in said)
    assert device.result is not None
    cycles: list[int] = []
    for method in ("loops", "horizontal", "replicate"):
        other = TtaDevice(wg_method=method, pipeline_loops=True)
        run_on(other, launch)
        assert other.result is not None
        cycles.append(other.result.cycles)
    assert device.result.cycles == min(cycles)


def test_work_items_are_fewer_side_by_side_where_all_are_too_many(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("polycl.backends.tta.pipeline.MOST_REPLICATED", 100)
    with collect_remarks() as remarks:
        check(first_of("own_rows"), TtaDevice(wg_method="replicate"))
    (remark,) = (str(found) for found in remarks if "work-items side by side: all" in str(found))
    assert remark.startswith(f"{KERNELS / 'own_rows.cl'}:")
    assert "more than the 100 that are scheduled" in remark


def test_calls_are_counted_as_if_they_were_inlined():
    module = Parser(
        make_context(),
        """
        func.func private @two(%x: i32) -> i32 {
          %y = arith.addi %x, %x : i32
          func.return %y : i32
        }
        func.func @f(%x: i32) {
          %y = func.call @two(%x) : (i32) -> i32
          %z = func.call @two(%y) : (i32) -> i32
          func.return
        }
        """,
    ).parse_module()
    assert inlined_size(module, "f") == 3 + 2 * 2


def test_auto_refuses_arguments_before_it_tries_methods():
    launch = first_of("own_rows")
    device = TtaDevice(wg_method="auto")
    bound = launch.bound(device)
    with pytest.raises(ArgumentError, match="takes 4 arguments, got 3"):
        bound.executable.run(bound.args[:-1], bound.ndrange)


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    "launch",
    list(all_launches(KERNELS, ROOT / "examples")),
    ids=str,
)
def test_every_launch(launch: Launch, machine: str):
    check(launch, TtaDevice(machine))
