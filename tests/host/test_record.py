"""Recorded programs: their contents, and that they repeat what was recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.opencl_c.device import OpenclDevice
from polycl.errors import ArgumentError, PolyclError
from polycl.runtime.host.recorded import HostArray

SOURCE = """
kernel void scale(global float *x, float a, int n) { int i = get_global_id(0); if (i < n) x[i] *= a; }
kernel void add(global float *x, global const float *y) { x[get_global_id(0)] += y[get_global_id(0)]; }
kernel void first(global const float *x, global float *s, local float *t) {
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) s[get_group_id(0)] = t[0];
}
typedef struct { int w; float k; } Setting;
kernel void apply(global float4 *v, float4 by) { v[get_global_id(0)] *= by; }
kernel void set(global float *v, Setting s, global const float *more) {
  int i = get_global_id(0);
  v[i] = s.k + (more ? more[i] : 0);
}
"""  # noqa: E501
N = 64


def ramp() -> np.ndarray[Any, Any]:
    return np.arange(N, dtype=np.float32)


def names(arguments: list[HostArray]) -> list[str]:
    return [argument.name for argument in arguments]


def test_launches_become_a_program() -> None:
    program = polycl.load(SOURCE)
    scale, add = program.kernel("scale"), program.kernel("add")
    x, y, s = ramp(), ramp() + 1, np.zeros(4, np.float32)
    with polycl.record("steps") as recording:
        scale(x, 2.0, N, global_size=N)
        bound = add.bind(x, y, global_size=N)
        bound.launch()
        bound.launch()
        program.kernel("first")(x, s, polycl.Local(64), global_size=N, local_size=16)
    np.testing.assert_array_equal(x, ramp() * 2 + (ramp() + 1) * 2)
    text = str(recording.module)
    # Each array is written once, and read once if a kernel may have changed it.
    assert [text.count(f"host.{op} ") for op in ("write", "launch", "read")] == [3, 4, 2]
    assert names(recording.arguments) == ["h_x", "h_y", "h_s"]
    for device in ("cpu", "interp"):
        for found, wanted in zip(recording.replay(device), [x, y, s], strict=True):
            np.testing.assert_array_equal(found, wanted)
    # Other arrays than those that were recorded.
    other, s2 = np.ones(N, np.float32), np.zeros(4, np.float32)
    recording.host()(other, np.zeros(N, np.float32), s2)
    np.testing.assert_array_equal(other, np.full(N, 2, np.float32))


def test_what_python_changes_in_between_is_an_argument() -> None:
    add = polycl.load(SOURCE).kernel("add")
    x, y = ramp(), ramp()
    with polycl.record() as recording:
        add(x, y, global_size=N)
        y[:] = 100
        add(x, y, global_size=N)
    assert names(recording.arguments) == ["h_x", "h_y", "h_y_next"]
    found = recording.replay()
    np.testing.assert_array_equal(found[0], x)
    np.testing.assert_array_equal(found[1], ramp())
    np.testing.assert_array_equal(found[2], np.full(N, 100, np.float32))


def test_structures_and_null() -> None:
    set_ = polycl.load(SOURCE).kernel("set")
    setting = np.zeros((), set_.dtype("s"))
    setting["k"] = 2.5
    x, y = ramp(), ramp()
    with polycl.record() as recording:
        set_(x, setting, y, global_size=N)
        set_(x, setting, None, global_size=N // 2)
    np.testing.assert_array_equal(x[: N // 2], np.full(N // 2, 2.5))
    np.testing.assert_array_equal(x[N // 2 :], 2.5 + y[N // 2 :])
    text = str(recording.module)
    assert [text.count(f"host.{op} ") for op in ("bytes", "null", "launch")] == [1, 1, 2]
    for device in ("cpu", "interp"):
        for found, wanted in zip(recording.replay(device), [x, y], strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_a_recorded_program_can_be_transformed() -> None:
    from polycl.backends.pipeline import run_pipeline

    program = polycl.load(SOURCE)
    v = np.ones((N, 4), np.float32)
    by = np.array([1, 2, 3, -0.0], np.float32)
    with polycl.record("vectors") as recording:
        program.kernel("apply")(v, by, global_size=N, local_size=16, global_offset=0)
    module = recording.module.clone()
    run_pipeline(module, "ocl-reorganize-threads{platform=pocl-cpu}")
    again = recording.arguments[0].first.copy()
    polycl.Program(module).host("vectors")(again)
    np.testing.assert_array_equal(again, v)
    assert np.signbit(again[0, 3])


def test_pyopencl_is_recorded() -> None:
    device = OpenclDevice("intel")
    x, out = ramp(), np.empty(N, np.float32)
    with polycl.record("foreign") as recording:
        cl = recording.pyopencl
        queue = cl.CommandQueue(device.context)
        flags = cl.mem_flags
        d_x = cl.Buffer(device.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=x)
        d_y = cl.Buffer(device.context, flags.READ_WRITE, x.nbytes)
        program = cl.Program(device.context, SOURCE).build()
        cl.enqueue_fill_buffer(queue, d_y, np.float32(2), 0, x.nbytes)
        for _ in range(3):
            program.scale(queue, (N,), None, d_x, np.float32(1.5), np.int32(N))
        add = cl.Kernel(program, "add")
        add.set_args(d_x, d_y)
        cl.enqueue_nd_range_kernel(queue, add, (N,), (16,))
        cl.enqueue_copy(queue, d_y, d_x, byte_count=128, src_offset=64, dst_offset=0)
        cl.enqueue_copy(queue, out, d_y)
    wanted = ramp() * 1.5**3 + 2
    np.testing.assert_allclose(out, np.concatenate([wanted[16:48], np.full(32, 2)]), rtol=1e-6)
    text = str(recording.module)
    assert [text.count(f"host.{op} ") for op in ("launch", "fill", "copy", "read")] == [4, 1, 1, 1]
    found = recording.replay()
    np.testing.assert_array_equal(found[0], ramp())
    np.testing.assert_allclose(found[1], out, rtol=1e-6)


def test_what_cannot_be_recorded_is_said() -> None:
    program = polycl.load(SOURCE)
    x = ramp()
    with polycl.record() as recording:
        with pytest.raises(PolyclError, match="still recorded"):
            _ = recording.module
        program.kernel("add")(x, ramp(), global_size=N)
        with pytest.raises(ArgumentError, match="arrays that overlap cannot be recorded"):
            program.kernel("add")(x[:32], ramp(), global_size=32)
    with pytest.raises(ArgumentError, match="must be an identifier, got 'a b'"):
        polycl.record("a b").__enter__()
    other = polycl.load("kernel void add(global int *x) { x[0] = 1; }")
    with polycl.record() as recording:
        program.kernel("add")(x, ramp(), global_size=N)
        other.kernel("add")(np.zeros(1, np.int32), global_size=1)
    with pytest.raises(PolyclError, match="two programs have a 'add' each"):
        _ = recording.module
    # Nothing is recorded behind the block.
    program.kernel("add")(x, ramp(), global_size=N)
