"""The device `cuda` and the device `opencl` with PTX, where there is an NVIDIA GPU.

Work-items of a kernel that prints are compared by their lines in any order.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from launches import Launch, all_launches
from polycl.backends.cuda.device import CudaDevice
from polycl.runtime.compare import compare

ROOT = Path(__file__).resolve().parents[3]
LAUNCHES = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")

try:
    polycl.device("cuda")
except polycl.ArgumentError as error:
    pytest.skip(str(error), allow_module_level=True)


def outcome(
    device: polycl.Device, kernel: polycl.Kernel, launch: Launch, capfd: pytest.CaptureFixture[str]
) -> tuple[dict[str, np.ndarray], list[str]]:
    arguments = launch.values()
    capfd.readouterr()
    kernel(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=device,
        pipeline="expand-math{tables=false}" if device.name == "interp" else None,
    )
    arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    return arrays, sorted(capfd.readouterr().out.split("\n"))


@pytest.mark.parametrize("options", [{}, {"via": "ptx"}], ids=["cuda", "opencl"])
@pytest.mark.parametrize("launch", LAUNCHES, ids=str)
def test_gpu_agrees(launch: Launch, options: dict[str, str], capfd: pytest.CaptureFixture[str]):
    """In every bit: without contraction the GPU computes what the interpreter computes."""
    name = "opencl:nvidia" if options else "cuda"
    gpu = polycl.device(name, contract=False, **options)
    kernel = launch.load().kernel(launch.kernel)
    expected, printed = outcome(polycl.device("interp"), kernel, launch, capfd)
    found, text = outcome(gpu, kernel, launch, capfd)
    for array in expected:
        assert compare(expected[array], found[array]) is None, array
    assert text == printed


def test_arrays_stay_on_the_gpu():
    device = polycl.device("cuda")
    assert isinstance(device, CudaDevice)
    kernel = polycl.load(
        "kernel void f(global float *x, float a) { x[get_global_id(0)] *= a; }", language="cl"
    ).kernel("f")
    x = np.arange(1000, dtype=np.float32)
    resident = device.array(x)
    for _ in range(3):
        kernel(resident, 2.0, global_size=1000, device=device)
    assert (resident.get() == 8 * x).all()
    part = resident.part(400, 40)
    assert (part.get().view(np.float32) == 8 * x[100:110]).all()


@pytest.mark.parametrize("groups", [(1, 70000, 1), (3, 66000, 2), (2, 2, 70000)], ids=str)
def test_many_groups(groups: tuple[int, int, int]):
    source = """kernel void f(global long *x) {
        size_t row = get_group_id(1) + get_num_groups(1) * get_group_id(2);
        size_t place = get_group_id(0) + get_num_groups(0) * row;
        x[place] += place * get_global_size(1) + get_global_id(2);
    }"""
    device = polycl.device("cuda")
    kernel = polycl.load(source, language="cl").kernel("f")
    z, y, x = np.indices(groups[::-1], np.int64)
    found = np.ones(x.size, np.int64)
    kernel(found, global_size=groups, local_size=(1, 1, 1), device=device)
    places = x + groups[0] * (y + groups[1] * z)
    assert (found.reshape(x.shape) == 1 + places * groups[1] + z).all()


def test_large_local_memory():
    device = polycl.device("cuda")
    source = (
        "kernel void f(global int *x, local int *more) { local int t[16384];"
        " int l = get_local_id(0); t[l * 64] = x[l]; more[l] = x[l] + 1;"
        " barrier(CLK_LOCAL_MEM_FENCE); x[l] = t[(255 - l) * 64] + more[l ^ 1]; }"
    )
    kernel = polycl.load(source, language="cl").kernel("f")
    x = np.arange(256, dtype=np.int32)
    expected = x[::-1] + (x ^ 1) + 1
    kernel(x, polycl.Local(4096), global_size=256, local_size=256, device=device)
    assert (x == expected).all()


def test_errors():
    device = polycl.device("cuda")
    kernel = polycl.load(
        "kernel void f(global int *x, local int *t) { t[0] = 1; x[0] = t[0]; }", language="cl"
    ).kernel("f")
    x = np.zeros(1, np.int32)
    with pytest.raises(polycl.ArgumentError, match="a group has at most 1024"):
        kernel(x, polycl.Local(4), global_size=2048, local_size=2048, device=device)
    with pytest.raises(polycl.PolyclError, match="bytes of local memory"):
        kernel(x, polycl.Local(1 << 20), global_size=1, local_size=1, device=device)
    with pytest.raises(polycl.ArgumentError, match="no device 'cuda:99'"):
        polycl.device("cuda:99")
