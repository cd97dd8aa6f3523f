"""Every kernel of the tests as PTX, which LLVM makes on any machine."""

from __future__ import annotations

import ctypes.util
from pathlib import Path

import pytest

import polycl
from launches import Launch, all_launches, sampled
from polycl.backends.cuda.compile import PtxKernel, launch_value, ptx_kernel
from polycl.backends.cuda.device import CudaDevice
from polycl.backends.device import NDRange
from polycl.runtime.index_space import make_ndrange

ROOT = Path(__file__).resolve().parents[3]
LAUNCHES = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")


def compiled(
    source: str,
    name: str,
    ndrange: NDRange | None = None,
    *,
    contract: bool = True,
    local_pointers: bool = False,
) -> PtxKernel:
    kernel = polycl.load(source, language="cl").kernel(name)
    ndrange = ndrange or make_ndrange(name, 256, 64, None)
    return ptx_kernel(
        kernel.module, name, ndrange, "sm_70", contract=contract, local_pointers=local_pointers
    )


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 7), ids=str)
def test_llvm_makes_ptx(launch: Launch):
    kernel = launch.load().kernel(launch.kernel)
    for part in launch.ndrange(kernel).parts():
        found = ptx_kernel(kernel.module, launch.kernel, part, "sm_70", contract=True)
        assert f".visible .entry {launch.kernel}(" in found.text


def test_parameters():
    """Those of the kernel, and what the launch has to say."""
    found = compiled(
        "kernel void f(global int *x, local int *t, float3 v, char c)"
        "{ t[0] = c; x[get_global_id(1)] = t[1] + (int)v.z + get_work_dim(); }",
        "f",
        make_ndrange("f", (8, 8), (8, 8), None),
    )
    assert set(found.launch_arguments) == {"global_offset.1", "work_dim"}
    # A vector of 3 has the place of 4.
    assert ".param .align 16 .b8 f_param_2[16]" in found.text
    assert found.local_bytes == 0
    assert not found.prints


def test_groups_of_a_part_have_the_ids_of_the_whole_launch():
    launch = make_ndrange("f", (1, 70000), (1, 1), None)
    parts = launch.parts(CudaDevice.most_groups)
    assert [part.groups.first[1] for part in parts] == [0, 65535]
    source = (
        "kernel void f(global long *x)"
        "{ x[get_global_id(1)] = get_group_id(1) + get_num_groups(1) * get_global_size(1); }"
    )
    found = compiled(source, "f", parts[1])
    values = {name: launch_value(parts[1], name) for name in found.launch_arguments}
    assert values.pop("global_offset.1") == 0
    assert values == {"first_group.1": 65535, "num_groups.1": 70000, "global_size.1": 70000}


def test_contraction_and_exact_division():
    source = (
        "kernel void f(global float *x, float a)"
        "{ int i = get_global_id(0); x[i] = a * x[i] + x[i + 1] / a; }"
    )
    text = compiled(source, "f").text
    assert "div.full.f32" in text
    assert "fma.rn.f32" in text
    text = compiled(source, "f", contract=False).text
    # Without .rn, the driver's compiler would fuse them.
    assert "div.rn.f32" in text
    assert "mul.rn.f32" in text
    assert "add.rn.f32" in text


def test_large_local_memory_is_added_by_the_launch():
    source = (
        "kernel void f(global float *x)"
        "{ local float t[16384]; t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE);"
        " x[get_global_id(0)] = t[get_local_id(0) ^ 1]; }"
    )
    assert compiled(source, "f").local_bytes == 65536
    small = compiled(source.replace("16384", "1024"), "f")
    assert small.local_bytes == 0
    # Arrays of whole KiB are at whole KiB: they may be matrices of tensor cores.
    assert ".shared .align 1024 .b8" in small.text


def test_message_without_a_driver():
    if ctypes.util.find_library("cuda"):
        pytest.skip("NVIDIA's driver is here")
    with pytest.raises(polycl.ArgumentError, match="device 'cuda' needs NVIDIA's driver"):
        polycl.device("cuda")
