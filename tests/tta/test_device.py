"""The device `tta`: from OpenCL C to cycles on a simulated processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from launches import launches_of
from polycl.backends.tta.device import TtaDevice
from polycl.remarks import collect_remarks
from polycl.runtime.compare import compare

ROOT = Path(__file__).parents[2]
SAXPY = ROOT / "examples" / "saxpy.cl"


def saxpy(device: TtaDevice) -> tuple[np.ndarray, int]:
    x, y = np.arange(48, dtype=np.float32), np.ones(48, np.float32)
    polycl.load(SAXPY).kernel("saxpy")(x, y, 2.0, global_size=48, local_size=16, device=device)
    assert device.result is not None
    return y, device.result.cycles


@pytest.mark.parametrize("machine", ["paper", "paper buses=8", "wide"])
def test_machines(machine: str):
    y, cycles = saxpy(TtaDevice(machine))
    assert np.array_equal(y, 2 * np.arange(48, dtype=np.float32) + 1)
    # Each work-item loads two elements and stores one.
    assert cycles > 3 * 48


def test_engines_agree():
    assert saxpy(TtaDevice(engine="interpreter"))[1] == saxpy(TtaDevice())[1]


def test_more_buses_are_no_slower():
    assert saxpy(TtaDevice("paper", buses=24))[1] <= saxpy(TtaDevice("paper", buses=3))[1]


@pytest.mark.parametrize("name", ["barrier_partial_group", "crc32", "local_memory", "histogram"])
def test_kernels(name: str):
    launch = launches_of(ROOT / "tests" / "kernels" / f"{name}.cl")[0]
    kernel = polycl.load(launch.path, launch.build_options).kernel(launch.kernel)
    results: list[dict[str, np.ndarray]] = []
    for device in (polycl.device("tta"), polycl.device("interp")):
        values = launch.values()
        kernel(
            **values,
            global_size=launch.global_size,
            local_size=launch.local_size,
            device=device,
        )
        results.append({n: v for n, v in values.items() if isinstance(v, np.ndarray)})
    for array_name, array in results[0].items():
        assert compare(array, results[1][array_name]) is None, array_name


def test_arrays_that_overlap_do_so_on_the_device():
    kernel = polycl.load(
        "kernel void k(global int *a, global int *b) { a[1] = 5; b[1] = b[0] + 1; }"
    ).kernel("k")
    memory = np.zeros(3, np.int32)
    kernel(memory, memory[1:], global_size=1, device=TtaDevice())
    assert list(memory) == [0, 5, 6]


def test_an_access_outside_of_memory_is_an_error():
    # Where the index is known before the launch, it is refused.
    kernel = polycl.load("kernel void k(global int *a) { a[a[0]] = 1; }").kernel("k")
    with pytest.raises(polycl.PolyclError, match="address"):
        kernel(np.full(1, 1 << 26, np.int32), global_size=1, device=TtaDevice())


def test_options():
    with pytest.raises(polycl.ArgumentError, match="expected paper"):
        TtaDevice("abacus")
    with pytest.raises(polycl.ArgumentError, match="horizontal"):
        TtaDevice(wg_method="horizonta")  # pyright: ignore[reportArgumentType]
    with pytest.raises(polycl.ArgumentError, match="ADF file specifies"):
        TtaDevice("my.adf", buses=3)


def test_images_and_pipes() -> None:
    source = """
    kernel void k(read_only image2d_t image, read_only pipe int p, global float4 *o,
                  global int *taken) {
      int i = get_global_id(0);
      o[i] = read_imagef(image, (int2)(i % 3, i / 3));
      if (read_pipe(p, &taken[i]))
        taken[i] = -1;
    }
    """
    kernel = polycl.load(source, ["-cl-std=CL2.0"]).kernel("k")
    pixels = np.random.default_rng(5).random((2, 3, 4)).astype(np.float32)
    out, taken = np.zeros((6, 4), np.float32), np.zeros(6, np.int32)
    pipe = polycl.Pipe(np.int32, 8, np.arange(10, 14, dtype=np.int32))
    kernel(polycl.Image(pixels), pipe, out, taken, global_size=6, local_size=6, device="tta")
    assert np.array_equal(out.reshape(pixels.shape), pixels)
    assert sorted(taken.tolist()) == [-1, -1, 10, 11, 12, 13]
    assert len(pipe.array) == 0


@pytest.mark.parametrize("overlap", [False, True], ids=["one by one", "overlapped"])
def test_joined_loops_pay_alone(overlap: bool):
    """The horizontal parallelization of a filter, against the same options without it."""
    kernel = polycl.load("""
    kernel void fir(global const float *in, global const float *taps, global float *out, int n) {
      int i = get_global_id(0);
      float sum = 0.0f;
      for (int k = 0; k < n; k++) sum += taps[k] * in[i + k];
      out[i] = sum;
    }
    """).kernel("fir")
    random = np.random.default_rng(3)
    values, taps = (random.integers(-8, 8, n).astype(np.float32) for n in (80, 16))
    cycles: list[int] = []
    for method in ("loops", "horizontal"):
        device = TtaDevice(wg_method=method, pipeline_loops=overlap)
        out = np.zeros(64, np.float32)
        kernel(values, taps, out, 16, global_size=64, local_size=32, device=device)
        assert np.array_equal(out, np.correlate(values, taps)[:64])
        assert device.result is not None
        cycles.append(device.result.cycles)
    assert cycles[0] >= 4 * cycles[1]


PAIRED = """
kernel void sums(global float *out, global const float *a, global const float *b, int n) {
  uint i = get_local_id(0), j = get_local_id(1);
  float s = 1;
  for (int k = 0; k < n; k++)
    s += a[k * 8 + i] * b[k * 4 + j];
  out[j * 8 + i] = s;
}
"""


def test_pairs_of_iterations():
    kernel = polycl.load(PAIRED).kernel("sums")
    device = TtaDevice("paper", wg_method="replicate")
    a, b = (np.random.default_rng(seed).uniform(-4, 4, 64).astype(np.float32) for seed in (1, 2))
    for n in (-1, 0, 1, 2, 5, 6):
        results: list[np.ndarray] = []
        with collect_remarks() as remarks:
            for runs in (device, polycl.device("interp")):
                out = np.zeros(32, np.float32)
                kernel(out, a, b, n, global_size=(8, 4), local_size=(8, 4), device=runs)
                results.append(out)
        assert n != -1 or any("two iterations" in str(remark) for remark in remarks)
        np.testing.assert_array_equal(results[0], results[1])
