"""However C spells an index, a chunk needs and writes the elements that its work-items access."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest

import polycl
from polycl.analysis.poly.byte_ranges import ByteRanges
from polycl.runtime.poly.distribute.plan import Plan

SIZE, LOCAL, N = 128, 8, 1024
Elements = Callable[[int], Iterable[int]]

EXACT: dict[str, tuple[Elements, Elements]] = {
    # What the kernel does with id i: elements of y that it writes, elements of x that it reads.
    "uint i = ID; y[127u - i] = x[2 * i];": (lambda i: [127 - i], lambda i: [2 * i]),
    "uint i = ID; if (i - 5u < 100u) y[i] = x[i - 5u];": (
        lambda i: [i] if 5 <= i < 105 else [],
        lambda i: [i - 5] if 5 <= i < 105 else [],
    ),
    "uint i = ID * 67108864u; y[ID] = x[i >> 26];": (lambda i: [i], lambda i: [i % 64]),
    "uchar i = 3 * ID; y[ID] = x[i];": (lambda i: [i], lambda i: [3 * i % 256]),
    "char i = ID + 100; y[ID] = x[i + 128];": (
        lambda i: [i],
        lambda i: [(i + 100 + 128) % 256],
    ),
    "int i = ID; y[(i & ~3) + 3 - (i & 3)] = x[i ^ 5];": (
        lambda i: [i // 4 * 4 + 3 - i % 4],
        lambda i: [i ^ 5],
    ),
    "int i = ID; y[(i >> 3) << 3 | (i & 7)] = x[i | 64];": (lambda i: [i], lambda i: [i | 64]),
    "uint i = ID, b = i & 7u, a = i >> 3; y[a * 8u + b] = x[b * 16u + a];": (
        lambda i: [i],
        lambda i: [i % 8 * 16 + i // 8],
    ),
    "int i = ID; y[i] = x[((i - 64) >> 1) + 40] + x[abs(i - 64)];": (
        lambda i: [i],
        lambda i: [(i - 64) // 2 + 40, abs(i - 64)],
    ),
    "int i = ID; y[i + (i > 63)] = x[i];": (lambda i: [i + (i > 63)], lambda i: [i]),
    "global float *p = y + ID * 2; for (int k = 0; k < 2; k++) *p++ = x[ID];": (
        lambda i: [2 * i, 2 * i + 1],
        lambda i: [i],
    ),
    "int i = ID * 2, k = 0; do { y[i + k] = x[i + k]; } while (++k < 2);": (
        lambda i: [2 * i, 2 * i + 1],
        lambda i: [2 * i, 2 * i + 1],
    ),
    "for (int r = ID; r < 300; r += 128) { if (r == 150) continue; y[r] = x[r]; }": (
        lambda i: [r for r in range(i, 300, 128) if r != 150],
        lambda i: [r for r in range(i, 300, 128) if r != 150],
    ),
    "for (uint k = 0; k != 3u; k++) y[ID * 4 + k] = x[k];": (
        lambda i: [4 * i, 4 * i + 1, 4 * i + 2],
        lambda _: [0, 1, 2],
    ),
}
WIDE = (
    # Numbers that need more than 64 bits somewhere.
    "long k = (long)x[0] * 3; y[ID] = x[(k & (1L << 63)) ? 1 : 0] + x[k * 1000 + (k >> 63) * 7];",
    "y[ID] = x[mul_hi((ulong)ID, 5ul)] + x[(ulong)x[0] >> 63] + x[(ulong)ID & 1ul << 63];",
    "int k = x[0]; y[ID] = x[k * 7 - 3 * ID] + x[k * k] + x[k << 20] + x[(uchar)k * 4 + (short)k];",
)
NARROWED: dict[str, Iterable[int]] = {
    # The elements of x that may be read, where data decide.
    "y[ID] = x[(int)x[0] & 15];": range(16),
    "int k = x[0]; if (k >= 3 && k < 9) y[ID] = x[k];": [0, *range(3, 9)],
    "uint k = ID * 2654435761u; y[ID] = x[k % 63u];": range(63),
    "y[ID] = x[clamp((int)x[0], 0, 20)];": range(21),
    "for (int k = 0; k < 6; k++) { if (x[k] > 1) break; y[ID] = 1; }": range(6),
}


def plan_of(body: str) -> Plan:
    text = f"kernel void k(global const float *x, global float *y) {{ {body} }}"
    kernel = polycl.load(text.replace("ID", "get_global_id(0)")).kernel("k")
    x, y = np.zeros((2, N), np.float32)
    return polycl.distribute(kernel).plan(x, y, global_size=SIZE, local_size=LOCAL, workers=3)


def elements(numbers: Iterable[int]) -> ByteRanges:
    starts = np.array(sorted({*numbers}), np.int64) * 4
    return ByteRanges.of(starts, starts + 4)


@pytest.mark.parametrize("body", EXACT)
def test_what_is_accessed(body: str) -> None:
    written, read = EXACT[body]
    plan = plan_of(body)
    for chunk in plan.chunks:
        first = chunk.part.first[0] * LOCAL
        ids = range(first, first + chunk.part.groups[0] * LOCAL)
        assert chunk.uses[0].reads == elements(e for i in ids for e in read(i))
        assert chunk.uses[1].writes == elements(e for i in ids for e in written(i))
        assert not chunk.uses[1].kept


@pytest.mark.parametrize("body", NARROWED)
def test_data_decide_within_bounds(body: str) -> None:
    plan = plan_of(body)
    assert not plan.footprint.remarks
    for chunk in plan.chunks:
        assert chunk.uses[0].reads == elements(NARROWED[body])


def test_padding_keeps_its_values() -> None:
    text = "kernel void k(global float3 *q) { q[get_global_id(0)] = (float3)(1, 2, 3); }"
    q = np.zeros((64, 4), np.float32)
    plan = polycl.distribute(polycl.load(text).kernel("k")).plan(
        q, global_size=64, local_size=8, workers=2
    )
    assert all(chunk.uses[0].kept == chunk.uses[0].writes for chunk in plan.chunks)


@pytest.mark.parametrize("odd", [0, 1])
def test_buffers_that_an_argument_chooses(odd: int) -> None:
    text = """
    kernel void k(global float *a, global float *b, int odd) {
      global float *from = odd ? a : b, *to = odd ? b : a;
      to[get_global_id(0)] = from[get_global_id(0)];
    }
    """
    a, b = np.zeros((2, 64), np.float32)
    plan = polycl.distribute(polycl.load(text).kernel("k")).plan(
        a, b, odd, global_size=64, local_size=8, workers=2
    )
    assert [(t.name, t.sent, t.returned) for t in plan.traffic] == [
        ("a", 256 * odd, 256 * (1 - odd)),
        ("b", 256 * (1 - odd), 256 * odd),
    ]


@pytest.mark.parametrize("body", WIDE)
def test_wide_numbers_have_some_answer(body: str) -> None:
    plan = plan_of(body)
    assert all(chunk.uses[0].reads for chunk in plan.chunks)
    assert all(chunk.uses[1].writes.nbytes < 4 * SIZE for chunk in plan.chunks)
