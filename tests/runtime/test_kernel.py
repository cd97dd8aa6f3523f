"""Calling kernels: order of the checks, what reaches the device, what is compiled once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl import ArgumentError, Local
from polycl.backends.device import ArgumentFacts, LocalMemory, NDRange

SOURCE = """
ocl.kernel @scale(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"},
                  %a: f32 {ocl.name = "a", ocl.type = "float"}) {
  ocl.return
}
ocl.kernel @reduce(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"},
                   %t: !ocl.ptr<i32, local> {ocl.name = "tile", ocl.type = "int*"}) {
  ocl.return
}
ocl.kernel @tile(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"},
                 %t: !ocl.ptr<i32, local> {ocl.name = "tile", ocl.type = "int*"})
    attributes {reqd_work_group_size = array<i64: 4, 2, 1>} {
  ocl.return
}
wg.func @group(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) attributes {
    work_group_size_hint = array<i64: 8, 1, 1>} {
  wg.return
}
ocl.kernel @nothing() {
  ocl.return
}
"""


@pytest.fixture
def program() -> polycl.Program:
    return polycl.load(SOURCE)


def test_a_launch_reaches_the_device(program: polycl.Program, recorder: Any) -> None:
    x = np.zeros(128, np.float32)
    program.kernel("scale")(x, 2, global_size=128, global_offset=64, device=recorder)
    [launch] = recorder.launches
    assert launch.kernel == "scale"
    assert launch.args[0] is x
    assert launch.args[1] == np.float32(2).tobytes()
    facts = ArgumentFacts((), distinct_buffers=True, small_buffers=True)
    assert launch.ndrange == NDRange((128, 1, 1), (64, 1, 1), (64, 0, 0), 1, facts)
    assert x.view(np.uint8).all()


def test_arguments_by_name_and_device_by_name(program: polycl.Program, recorder: Any) -> None:
    x = np.zeros(8, np.float32)
    kernel = program.kernel("scale")
    kernel(a=1.0, x=x, global_size=8, device="recorder")
    kernel(x, a=1.0, global_size=8, device="recorder", pipeline="cse")
    program.kernel("nothing")(global_size=1, device="recorder")
    assert [launch.pipeline for launch in recorder.launches] == [None, "cse", None]
    assert recorder.launches[-1].args == ()


def test_local_memory_needs_a_local_size(program: polycl.Program, recorder: Any) -> None:
    x = np.zeros(8, np.int32)
    with pytest.raises(ArgumentError) as error:
        program.kernel("reduce")(x, Local(16), global_size=8, device=recorder)
    assert str(error.value) == (
        "kernel 'reduce': local_size is missing: parameter 'tile' is local memory, whose size "
        "goes with the work-group's; pass local_size"
    )
    program.kernel("reduce")(x, Local(16), global_size=8, local_size=4, device=recorder)
    program.kernel("tile")(x, Local(16), global_size=(8, 2), device=recorder)
    assert [launch.ndrange.local_size for launch in recorder.launches] == [(4, 1, 1), (4, 2, 1)]
    assert recorder.launches[0].args[1] == LocalMemory(16)


def test_a_work_group_function_is_a_kernel(program: polycl.Program, recorder: Any) -> None:
    program.kernel("group")(np.zeros(8, np.float32), global_size=64, device=recorder)
    assert recorder.launches[0].ndrange.local_size == (8, 1, 1)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((), {}),
        ((np.zeros(8, np.float64), 1.0), {}),
        ((np.zeros(8, np.float32), "1"), {}),
        ((np.zeros(8, np.float32), 1.0), {"local_size": 3}),
        ((np.zeros(8, np.float32), 1.0), {"global_offset": -1}),
        ((np.zeros(8, np.float32), 1.0), {"device": "abacus"}),
        ((np.zeros(8, np.float32), 1.0), {"device": 5}),
        ((np.zeros(8, np.float32), 1.0), {"b": 1}),
    ],
)
def test_nothing_is_compiled_run_or_written_on_an_error(
    program: polycl.Program, recorder: Any, args: tuple[Any, ...], options: dict[str, Any]
) -> None:
    for call in (program.kernel("scale"), program.kernel("scale").bind):
        with pytest.raises(ArgumentError):
            call(*args, **{"global_size": 8, "device": recorder, **options})
    assert recorder.compilations == 0
    assert not recorder.launches
    assert not any(arg.any() for arg in args if isinstance(arg, np.ndarray))


def test_one_compilation_for_each_local_size_and_pipeline(
    program: polycl.Program, recorder: Any
) -> None:
    x = np.zeros(64, np.float32)
    kernel = program.kernel("scale")
    for global_size in (64, 32, 64):
        kernel(x, 1, global_size=global_size, local_size=16, device=recorder)
    assert recorder.compilations == 1
    kernel(x, 1, global_size=64, local_size=32, device=recorder)
    assert recorder.compilations == 2
    kernel(x, 1, global_size=64, local_size=32, device=recorder, pipeline="cse")
    assert recorder.compilations == 3
    program.kernel("scale")(x, 1, global_size=64, local_size=32, device=recorder)
    assert recorder.compilations == 3


def test_bound_kernels_see_what_the_arrays_hold(program: polycl.Program, recorder: Any) -> None:
    x = np.zeros(8, np.float32)
    bound = program.kernel("scale").bind(x, 1, global_size=8, device=recorder)
    assert recorder.compilations == 1
    assert not recorder.launches
    for _ in range(3):
        bound.launch()
    assert len(recorder.launches) == 3
    assert (x.view(np.uint8) == 3).all()
    assert bound.ndrange.local_size == (8, 1, 1)


def test_a_device_may_prepare_launches(
    program: polycl.Program, recorder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.zeros(8, np.float32)
    kernel = program.kernel("scale")
    executable = kernel.bind(x, 1, global_size=8, device=recorder).executable
    prepared: list[Any] = []
    monkeypatch.setattr(
        executable, "prepare", lambda *made: lambda: prepared.append(made), raising=False
    )
    bound = kernel.bind(x, 1, global_size=8, device=recorder)
    bound.launch()
    assert prepared == [(bound.args, bound.ndrange)]
    assert not recorder.launches


def test_pipeline_of_a_program(recorder: Any) -> None:
    kernel = polycl.load(SOURCE, pipeline="cse").kernel("nothing")
    kernel(global_size=1, device=recorder)
    kernel(global_size=1, device=recorder, pipeline="dce")
    assert [launch.pipeline for launch in recorder.launches] == ["cse", "dce"]


def test_parameters(program: polycl.Program) -> None:
    kernel = program.kernel("scale")
    assert repr(kernel) == "<polycl.Kernel scale(global float* x, float a)>"
    assert kernel.dtype("x") == np.float32
    with pytest.raises(ArgumentError) as error:
        kernel.dtype("y")
    assert str(error.value) == "kernel 'scale': unknown parameter 'y' (its parameters: x, a)"


def test_device_names() -> None:
    assert polycl.devices() == ("cpu", "cuda", "interp", "opencl", "tta")
    with pytest.raises(ArgumentError) as error:
        polycl.device("interpreter")
    assert str(error.value) == (
        "unknown device 'interpreter'; did you mean 'interp'? (the devices: "
        "cpu, cuda, interp, opencl, tta)"
    )


def test_a_specialised_work_group_function_has_its_local_size(recorder: Any) -> None:
    text = "wg.func @k() attributes {local_size = array<i64: 8, 2, 1>} {\n  wg.return\n}"
    kernel = polycl.load(text).kernel("k")
    kernel(global_size=(16, 16), device=recorder)
    assert recorder.launches[0].ndrange.local_size == (8, 2, 1)
    with pytest.raises(ArgumentError, match="differs from the kernel's required local size 8x2x1"):
        kernel(global_size=(16, 16), local_size=(4, 4), device=recorder)
