"""The DCT of 8x8 blocks on the simulated processor: work-items one by one against side by side.

    python -m bench.tta_dct [SIZE...] [--machine paper]

Each line has the cycles of a launch on SIZE x SIZE numbers, and how many that is for each of the
2 * 8 multiply-adds of a number. `loops` runs the work-items of a group one after the other,
`interchange` an iteration of the loop over k for all of them, `horizontal` for 16, with their sums
in registers, and `replicate` for all 64 next to each other (pocl: Jääskeläinen et al., IJPP 2015,
sections 4.6 and 6.4). Iterations of loops overlap or do not; `times fewer` compares with `loops` of
the same overlap. The block width is an argument or a constant. Every result is compared, bit for
bit, with that of the cpu device without contraction.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import polycl
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.pipeline import WgMethod

SOURCE = """
#ifdef CONSTANT
#define BLOCK
enum { bw = 8, inverse = 0 };
#else
#define BLOCK , uint bw, uint inverse
#endif

kernel void dct(global float *out, global const float *in, global const float *c,
                local float *rows, uint width BLOCK) {
  uint x = get_group_id(0), y = get_group_id(1), i = get_local_id(0), j = get_local_id(1);
  uint corner = y * bw * width + x * bw;
  float sum = 0.0f;
  for (uint k = 0; k < bw; k++)
    sum += c[inverse ? i * bw + k : k * bw + i] * in[corner + j * width + k];
  rows[j * bw + i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0.0f;
  for (uint k = 0; k < bw; k++)
    sum += rows[k * bw + i] * c[inverse ? j * bw + k : k * bw + j];
  out[corner + j * width + i] = sum;
}
"""

WIDTH = 8
PAPER = 5.2
"""How many times fewer cycles [pocl15] section 6.4 reports (5.35 against 1.02 millions)."""


@dataclass(frozen=True)
class Run:
    """One launch: cycles, and the least number of cycles of its blocks by their bounds."""

    size: int
    cycles: int
    bound: int

    @property
    def per_multiply_add(self) -> float:
        return self.cycles / (2 * WIDTH * self.size**2)


def basis() -> np.ndarray:
    """The coefficients: row k has the k-th cosine."""
    k, i = np.mgrid[:WIDTH, :WIDTH]
    scale = np.where(k == 0, np.sqrt(1 / WIDTH), np.sqrt(2 / WIDTH))
    return (scale * np.cos(np.pi * (2 * i + 1) * k / (2 * WIDTH))).astype(np.float32)


def arguments(size: int, constant: bool) -> dict[str, Any]:
    image = np.random.default_rng(0).uniform(-128, 127, (size, size)).astype(np.float32)
    found: dict[str, Any] = {
        "out": np.zeros_like(image),
        "in": image,
        "c": basis(),
        "rows": polycl.Local(4 * WIDTH**2),
        "width": size,
    }
    return found if constant else found | {"bw": WIDTH, "inverse": 0}


def run(
    size: int,
    method: WgMethod,
    constant: bool = False,
    machine: str = "paper",
    overlap: bool | None = None,
) -> Run:
    """Raises AssertionError where a bit differs from the cpu device."""
    program = polycl.load(SOURCE, ["-DCONSTANT"] if constant else [])
    kernel = program.kernel("dct")
    device = TtaDevice(machine, wg_method=method, pipeline_loops=overlap)
    results: list[Any] = []
    for target in (device, polycl.device("cpu", contract=False)):
        values = arguments(size, constant)
        kernel(**values, global_size=(size, size), local_size=(WIDTH, WIDTH), device=target)
        results.append(values["out"])
    found, expected = (np.asarray(result).view(np.uint32) for result in results)
    assert np.array_equal(found, expected)
    assert device.result is not None
    assert device.schedule is not None
    counts = dict(
        zip(
            (block.name for block in device.schedule.program.blocks),
            device.result.block_counts,
            strict=True,
        )
    )
    bound = sum(counts[b.block] * _resources(b.bounds) for b in device.schedule.bounds)
    return Run(size, device.result.cycles, bound)


def _resources(bounds: tuple[tuple[str, int], ...]) -> int:
    return max(cycles for name, cycles in bounds if name != "latency")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[16, 64, 256], metavar="SIZE")
    parser.add_argument("--machine", default="paper", metavar="NAME")
    args = parser.parse_args()
    print(
        f"{'block width':12} {'overlap':8} {'method':12} {'size':>5} {'cycles':>10} "
        f"{'a mul-add':>9} {'times fewer':>11} {'of the bound':>12}"
    )
    for constant, size, overlap in product((False, True), args.sizes, (False, True)):
        serial: Run | None = None
        for method in ("loops", "interchange", "horizontal", "replicate"):
            found = run(size, method, constant, args.machine, overlap)
            serial = serial or found
            print(
                f"{'constant' if constant else 'argument':12} {'yes' if overlap else 'no':8} "
                f"{method:12} {size:5} {found.cycles:10} {found.per_multiply_add:9.2f} "
                f"{serial.cycles / found.cycles:11.1f} {found.cycles / found.bound:12.2f}",
                flush=True,
            )
    print(f"[pocl15] reports {PAPER} times fewer cycles.")


if __name__ == "__main__":
    main()
