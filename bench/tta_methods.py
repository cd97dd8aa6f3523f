"""What each method contributes on the simulated processor: six kernels on three machines.

    python -m bench.tta_methods [--machines NAME,...] [--kernels NAME,...] [--unroll N]

Each line is a kernel on a machine, without and with `overlap`: software-pipelined loops. The
columns are the cycles of

- `loops`: one work-item after the other, and its iterations one after the other: the baseline;
- `interchange`: an iteration of a uniform loop for all work-items before the next one;
- `horizontal`: uniform loops joined for a few work-items, whose values stay in registers;
- `unrolling`: N work-items in each iteration of the loops over work-items;
- `replication`: the bodies of all work-items of a group in straight-line code;
- `together`: replication with interchange.

Beside each are how many times fewer cycles it takes than `loops` with the same overlap (for
`loops`: than without), and two lower bounds of its blocks: by units and buses, and by latencies.
Every result is compared with numpy. Lines come on stderr when they are known.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import polycl
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.launch_bounds import launch_bounds
from polycl.backends.tta.machine_table import aligned
from polycl.backends.tta.pipeline import WgMethod
from polycl.errors import PolyclError

SOURCE = """
kernel void dct(global const float *in, global const float *c, global float *out, int width) {
  local float rows[64];
  int i = get_local_id(0), j = get_local_id(1);
  int corner = get_group_id(1) * 8 * width + get_group_id(0) * 8;
  float sum = 0.0f;
  for (int k = 0; k < 8; k++) sum += c[k * 8 + i] * in[corner + j * width + k];
  rows[j * 8 + i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0.0f;
  for (int k = 0; k < 8; k++) sum += rows[k * 8 + i] * c[k * 8 + j];
  out[corner + j * width + i] = sum;
}

kernel void fir(global const float *in, global const float *taps, global float *out, int count) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < count; k++) sum += taps[k] * in[i + k];
  out[i] = sum;
}

kernel void product(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

kernel void viterbi(global const int *cost, global const int *branch, global int *out,
                    global uchar *from) {
  int s = get_global_id(0), half_ = get_global_size(0) / 2, p = (s << 1) & (2 * half_ - 1);
  int one = cost[p] + branch[2 * s], other = cost[p + 1] + branch[2 * s + 1];
  out[s] = min(one, other);
  from[s] = other < one;
}

kernel void aes(global const uint *state, global const uint *table, global const uint *key,
                global uint *out) {
  int i = get_global_id(0), c = i & 3, base = i & ~3;
  uint a = state[base + c], b = state[base + (c + 1 & 3)];
  uint d = state[base + (c + 2 & 3)], e = state[base + (c + 3 & 3)];
  out[i] = table[a & 255] ^ rotate(table[b >> 8 & 255], 8u) ^ rotate(table[d >> 16 & 255], 16u) ^
           rotate(table[e >> 24], 24u) ^ key[c];
}

kernel void sobel(global const uchar *in, global uchar *out, int width) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  global const uchar *p = in + (y - 1) * width + x - 1;
  global const uchar *q = p + width, *r = q + width;
  int h = p[0] + 2 * q[0] + r[0] - p[2] - 2 * q[2] - r[2];
  int v = p[0] + 2 * p[1] + p[2] - r[0] - 2 * r[1] - r[2];
  out[(y - 1) * (width - 2) + x - 1] = min((int)(abs(h) + abs(v)), 255);
}
"""

Values = dict[str, Any]
RANDOM = np.random.default_rng(0)


@dataclass(frozen=True)
class Case:
    """A launch, its arguments, and the array that numpy expects in `out`."""

    size: tuple[int, ...]
    local: tuple[int, ...]
    arguments: Callable[[], Values]
    expected: Callable[[Values], np.ndarray[Any, Any]]


def _floats(*shape: int) -> np.ndarray[Any, Any]:
    """Small integers as floats: sums in any order are exact."""
    return np.random.default_rng(1).integers(-8, 8, shape).astype(np.float32)


def _words(count: int, limit: int, kind: Any = np.uint32) -> np.ndarray[Any, Any]:
    return np.random.default_rng(2).integers(0, limit, count).astype(kind)


def _dct(v: Values) -> np.ndarray[Any, Any]:
    blocks = v["in"].reshape(2, 8, 2, 8).transpose(0, 2, 1, 3)
    found = v["c"].T @ (blocks @ v["c"])
    return found.transpose(0, 2, 1, 3).reshape(16, 16)


def _viterbi(v: Values) -> np.ndarray[Any, Any]:
    s = np.arange(64)
    p = s << 1 & 63
    return np.minimum(v["cost"][p] + v["branch"][2 * s], v["cost"][p + 1] + v["branch"][2 * s + 1])


def _aes(v: Values) -> np.ndarray[Any, Any]:
    i = np.arange(64)
    c, base = i & 3, i & ~3
    found = v["key"][c]
    for k in range(4):
        word = v["table"][v["state"][base + (c + k & 3)] >> (8 * k) & 255]
        found = found ^ (word << (8 * k) | (word >> (32 - 8 * k) if k else 0)).astype(np.uint32)
    return found


def _sobel(v: Values) -> np.ndarray[Any, Any]:
    p = v["in"].astype(int)
    a, b, c = p[:-2], p[1:-1], p[2:]
    h = a[:, :-2] + 2 * b[:, :-2] + c[:, :-2] - a[:, 2:] - 2 * b[:, 2:] - c[:, 2:]
    w = a[:, :-2] + 2 * a[:, 1:-1] + a[:, 2:] - c[:, :-2] - 2 * c[:, 1:-1] - c[:, 2:]
    return np.minimum(abs(h) + abs(w), 255).astype(np.uint8)


CASES = {
    "dct": Case(
        (16, 16),
        (8, 8),
        lambda: {"in": _floats(16, 16), "c": _floats(8, 8), "out": _floats(16, 16), "width": 16},
        _dct,
    ),
    "fir": Case(
        (128,),
        (32,),
        lambda: {"in": _floats(160), "taps": _floats(16), "out": _floats(128), "count": 16},
        lambda v: np.correlate(v["in"], v["taps"])[:128].astype(np.float32),
    ),
    "product": Case(
        (16, 16),
        (8, 8),
        lambda: {"a": _floats(16, 16), "b": _floats(16, 16), "c": _floats(16, 16), "n": 16},
        lambda v: v["a"] @ v["b"],
    ),
    "viterbi": Case(
        (64,),
        (32,),
        lambda: {
            "cost": _words(64, 1000, np.int32),
            "branch": _words(128, 100, np.int32),
            "out": np.zeros(64, np.int32),
            "from": np.zeros(64, np.uint8),
        },
        _viterbi,
    ),
    "aes": Case(
        (64,),
        (32,),
        lambda: {
            "state": _words(64, 1 << 32),
            "table": _words(256, 1 << 32),
            "key": _words(4, 1 << 32),
            "out": np.zeros(64, np.uint32),
        },
        _aes,
    ),
    "sobel": Case(
        (16, 16),
        (8, 4),
        lambda: {
            "in": _words(18 * 18, 256, np.uint8).reshape(18, 18),
            "out": np.zeros((16, 16), np.uint8),
            "width": 18,
        },
        _sobel,
    ),
}


@dataclass(frozen=True)
class Run:
    """Cycles of a launch, and the lower bounds of its schedule."""

    cycles: int
    resources: int
    dependences: int


def run(name: str, machine: str, method: WgMethod, unroll: int, overlap: bool) -> Run:
    """Raises AssertionError where a value differs from numpy's."""
    case = CASES[name]
    device = TtaDevice(machine, wg_method=method, unroll=unroll, pipeline_loops=overlap)
    values = case.arguments()
    expected = case.expected(case.arguments())
    kernel = polycl.load(SOURCE).kernel(name)
    kernel(**values, global_size=case.size, local_size=case.local, device=device)
    found = values["c" if name == "product" else "out"]
    assert np.array_equal(found, expected), f"{name} on {machine} by {method}"
    assert device.result is not None and device.schedule is not None
    resources, dependences = launch_bounds(device.schedule, device.result)
    return Run(device.result.cycles, resources, dependences)


WAYS: dict[str, WgMethod] = {
    "loops": "loops",
    "interchange": "interchange",
    "horizontal": "horizontal",
    "unrolling": "loops",
    "replication": "replicate-only",
    "together": "replicate",
}


def _line(name: str, machine: str, unroll: int, overlap: bool) -> list[str]:
    base = run(name, machine, "loops", 1, False)
    cells = [name, machine, "yes" if overlap else "no"]
    for way, method in WAYS.items():
        try:
            found = run(name, machine, method, unroll if way == "unrolling" else 1, overlap)
        except PolyclError as error:
            cells.append(str(error).splitlines()[0].split(": ")[-1][:30])
            continue
        factor = base.cycles / found.cycles
        cells.append(f"{found.cycles} ({factor:.2f}) {found.resources}/{found.dependences}")
        if way == "loops":
            base = found
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--machines", default="paper,minimal,wide", metavar="NAME,...")
    parser.add_argument("--kernels", default=",".join(CASES), metavar="NAME,...")
    parser.add_argument("--unroll", type=int, default=8, metavar="N")
    args = parser.parse_args()
    rows = [["kernel", "machine", "overlap", *WAYS]]
    for name in args.kernels.split(","):
        for machine in args.machines.split(","):
            for overlap in (False, True):
                rows.append(_line(name, machine, args.unroll, overlap))
                print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    print(aligned(rows))
    print("cycles (times fewer) bound by resources/bound by dependences")


if __name__ == "__main__":
    main()
