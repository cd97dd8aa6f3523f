"""Derived BLAS programs on the device `cuda` against cuBLAS: `python bench/lift_cuda.py [NAME...]`.

Both sides do the same: many calls in a row between two events of CUDA, on arrays that are on the
GPU, in turns; the least of the rounds counts. The machine needs polycl, CuPy and torch.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import polycl  # noqa: E402
from bench.lift_cublas import Cublas  # noqa: E402
from bench.lift_ours import Memory, plan_of  # noqa: E402
from bench.lift_works import Array, Work, gpu_works  # noqa: E402
from polycl.backends.cuda.device import CudaDevice, CudaExecutable  # noqa: E402
from polycl.runtime.index_space import make_ndrange  # noqa: E402

NAMES = ("asum", "dot", "scal", "gemv", "matmul", "stencil2d", "matmul_half", "matmul_batch")
IN_A_ROW, ROUNDS = 100, 6


class Derived:
    """A program as its script for a GPU derives it, with its memory."""

    def __init__(self, device: CudaDevice, work: Work, values: dict[str, Any]):
        plan = plan_of(work, "gpu", capability=device.capability)
        self._gpu = device.gpu
        self._memory = {
            id(b): device.array(values[b.argument] if b.argument else np.zeros(b.shape, b.dtype))
            for b in plan.buffers
        }
        self._results = [self._memory[id(b)] for b in plan.result]
        self._launches: list[Callable[[], None]] = []
        for launch in plan.launches:
            args = [self._memory[id(a)] if isinstance(a, Memory) else a for a in launch.args]
            args = [values[a] if isinstance(a, str) else a for a in args]
            sizes = {"global_size": launch.global_size, "local_size": launch.local_size}
            bound = plan.program.kernel(launch.kernel).bind(*args, **sizes, device=device)
            ndrange = make_ndrange(launch.kernel, launch.global_size, launch.local_size, None)
            assert isinstance(bound.compiled, CudaExecutable)
            self._launches.append(bound.compiled.prepare_queued(bound.args, ndrange))

    def call(self) -> None:
        for launch in self._launches:
            launch()

    def seconds(self, count: int) -> float:
        """Of one of `count` calls in a row, between two events."""
        first = self._gpu.event()
        for _ in range(count):
            self.call()
        return self._gpu.seconds_between((first, self._gpu.event())) / count

    def result(self, shape: tuple[int, ...]) -> Array:
        parts = [part.get().reshape(-1) for part in self._results]
        return np.stack(parts, axis=-1).reshape(shape)


def measure(work: Work, device: CudaDevice, cublas: Cublas) -> str:
    """A line of the table."""
    values = work.inputs()
    right = work.expected(values)
    calls = cublas.calls(work, values)
    ours = Derived(device, work, values)
    # A call of `scal` in place scales once.
    ours.call()
    error = work.error(values, right, ours.result(right.shape))
    times: dict[str, list[float]] = {name: [] for name in ("ours", *calls)}
    for _ in range(ROUNDS):
        times["ours"].append(ours.seconds(IN_A_ROW))
        for name, call in calls.items():
            times[name].append(cublas.seconds(call, IN_A_ROW))
    least = {name: min(seconds) for name, seconds in times.items()}
    peer = min(least[name] for name in calls)
    cells = [work.label, *(f"{least[name] * 1e6:.1f}" for name in ("ours", *calls))]
    verdict = "right" if error <= work.tolerance else f"WRONG by {error:.1e}"
    return f"| {' | '.join(cells)} | {peer / least['ours']:.3f} | {verdict} |"


def main() -> None:
    device, cublas = polycl.device("cuda"), Cublas()
    assert isinstance(device, CudaDevice)
    print("| program | ours, us | cuBLAS | (torch) | ratio | |")
    for work in gpu_works():
        if work.name in (sys.argv[1:] or NAMES):
            print(measure(work, device, cublas), flush=True)


if __name__ == "__main__":
    main()
