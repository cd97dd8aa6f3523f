"""A kernel that sees global ids only runs in groups that suit it, with the same results."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.backends.device import WIDE_IDS, NDRange, Size3
from polycl.dialects.inside import functions_of
from polycl.dialects.ocl import KernelLike
from polycl.lowering.wg.group_shape import best_group
from polycl.remarks import collect_remarks
from polycl.runtime.index_space import in_best_groups, make_ndrange

SOURCE = """
float shifted(global const float *a, int i) { return a[i] + 1; }

kernel void rows(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  b[y * w + x] = 2 * a[y * w + x];
}
kernel void columns(global const float *a, global float *b, int w) {
  int x = get_global_id(1), y = get_global_id(0);
  b[y * w + x] = 2 * a[y * w + x];
}
kernel void transpose(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  b[x * w + y] = a[y * w + x];
}
kernel void product(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < w; k++) sum += a[y * w + k] * a[k * w + x];
  b[y * w + x] = sum;
}
kernel void squares(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int k = 0; k < w; k++) b[y * w + x] += a[y * w + k] * a[x * w + k];
}
kernel void blocks(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int k = 0; k < 64; k++) b[(y * w + x) * 64 + k] = a[y * w + x * 8 + k / 8] * k;
}
kernel void heads(global const float *q, global const float *k, global float *b, int w) {
  int t = get_global_id(0), h = get_global_id(1);
  float s = 0;
  for (int j = 0; j < w; j++) s += q[(h * w + t) * w + j] * k[h * w + j] - k[(h + 1) * w + j];
  b[h * w + t] = s;
}
kernel void far(global const float *a, global float *b, int w) {
  int y = get_global_id(0);
  for (int x = 0; x < w; x++) b[y * w + x] = a[y * w + x];
}
kernel void down_columns(global const float *a, global float *b, int w) {
  int x = get_global_id(0);
  float sum = 0;
  for (int y = 0; y < w; y++) sum += a[y * w + x];
  b[x] = sum;
}
kernel void up_columns(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = w;
  while (y-- > 0) b[x] += a[y * w + x];
}
kernel void powers(global const float *a, global float *b, int w) {
  int x = get_global_id(0);
  if (x >= w) return;
  float v = a[x], at = 2;
  while (v < 100 && at != 0) v *= at += 1;
  b[x] = v;
}
kernel void polynomial(global const float *a, global float *b, int w) {
  int x = get_global_id(0);
  float sum = a[x], at = sum;
  for (int k = 0; k < w; k++) sum = sum * at + b[k];
  b[w + x] = sum;
}
kernel void diagonals(global const float *a, global float *b, int w) {
  int x = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < w; k++) if (x + k < w) sum += a[k * w + x];
  b[x] = sum;
}
kernel void correlation(global const float *a, global float *b, int w) {
  int x = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < w; k++) sum += a[k + x] * b[k];
  b[w + x] = sum;
}
kernel void called(global const float *a, global float *b, int w) {
  int x = get_global_id(1), y = get_global_id(0);
  b[y * w + x] = shifted(a, y * w + x);
}
kernel void clamped(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  b[y * w + x] = a[clamp(y - 1, 0, w - 1) * w + clamp(x + 1, 0, w - 1)];
}
kernel void truths(global const float *a, global float *b, int w) {
  uint x = get_global_id(0), y = get_global_id(1), n = w;
  uint left = (x - 1) * (x >= 1), right = x + 1 - (x + 2 - n) * (x + 1 >= n);
  b[y * n + x] = a[y * n + left] + a[y * n + right];
}
kernel void first_row(global float *b, int w) {
  int x = get_global_id(0);
  if (x >= w || get_global_id(1)) return;
  for (int y = 1; y < w; y++) b[y * w + x] += b[(y - 1) * w + x];
}
kernel void mirrored(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1), left = x - 1;
  if (x < 1) left = 1 - x;
  b[y * w + x] = a[y * w + left] + a[y * w + min(x + 1, 2 * (w - 1) - (x + 1))];
}
kernel void turned(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1), left = x - 1, right = x + 1, below = y + 1;
  while (left < 0) left += w;
  while (right >= w) right -= w;
  for (int k = 0; k < w; k++)
    b[y * w + x] = a[y * w + left] + a[y * w + right] + a[y * w + (w - 1 - abs(w - 2 - x))]
        + a[((uint)below < (uint)w ? below : below < 0 ? 0 : w - 1) * w + x];
}
int reflect(int i, int n) {
  while (i < 0 || i >= n) {
    if (i < 0) i = -i;
    else i = 2 * n - 2 - i;
  }
  return i;
}
kernel void reflected(global const float *a, global float *b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  b[y * w + x] = a[y * w + reflect(x - 1, w)] + a[y * w + reflect(x + 1, w)]
      + a[reflect(y - 1, h) * w + x];
}
kernel void masked(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  b[y * w + x] = a[y * w + ((x + 1) & (w - 1))];
}
kernel void grid(global const float *a, global float *b, int w) {
  for (int y = get_global_id(1); y < w; y += get_global_size(1))
    for (int x = get_global_id(0); x < w; x += get_global_size(0))
      b[y * w + x] = a[(y > 0 ? y - 1 : 0) * w + (x > 0 && w > 3 ? x - 1 : x + w - 1)];
}
kernel void chosen(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int k = 0; k < w; k++)
    b[y * w + x] += a[(a[y * w + x] > k ? x : 0) * w + (a[x] < y ? y : 0)];
}
kernel void volume(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  b[(z * w + y) * w + x] = a[(z * w + y) * w + x];
}
kernel void divided(global const float *a, global float *b, int w) {
  int i = get_global_id(1) * get_global_size(0) + get_global_id(0), x = i % w, y = i / w;
  if (y < w) b[y * w + x] = a[x] + a[w * x + y % 2];
}
kernel void early(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x == 3 || y == 2) return;
  b[y * w + x] = a[y * w + x];
}
kernel void count(global const float *a, global int *b, int w) {
  atomic_add(&b[(get_global_id(0) + get_global_id(1)) % w], (int)get_global_size(1));
}
kernel void offset(global const float *a, global float *b, int w) {
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  b[y * w + x] = get_global_linear_id() + get_work_dim();
}
kernel __attribute__((reqd_work_group_size(2, 1, 1)))
void required(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  b[y * w + x] = 2 * a[y * w + x];
}

kernel void local_ids(global float *b) { b[get_global_id(0)] = get_local_id(0); }
kernel void local_sizes(global float *b) { b[get_global_id(0)] = get_local_size(0); }
kernel void group_ids(global float *b) { b[get_global_id(0)] = get_group_id(0); }
kernel void group_counts(global float *b) { b[get_global_id(0)] = get_num_groups(0); }
int row(void) { return get_local_id(0); }
kernel void in_function(global float *b) { b[get_global_id(0)] = row(); }
kernel void barriers(global float *b) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  b[get_global_id(0)] = 1;
}
kernel void local_memory(global float *b, local float *t) { b[get_global_id(0)] = 1; }
kernel void prints(global float *b) { printf("%d\\n", (int)get_global_id(0)); }
kernel void locks(global float *b, global int *lock) {
  while (atomic_cmpxchg(lock, 0, 1)) ;
  b[0] += get_global_id(0);
  atomic_xchg(lock, 0);
}
kernel void polls(global float *b, volatile global int *flags) {
  int i = get_global_id(0);
  while (i > 0 && !flags[i - 1]) ;
  b[i] = i;
  flags[i] = 1;
}
int jumps(int i) {
again:
  if (i > 3) { i -= 3; goto again; }
  return i;
}
kernel void goes(global float *b) { b[get_global_id(0)] = jumps(get_global_id(0)); }
kernel void images(read_only image2d_t in, write_only image2d_t out) {
  int2 at = {get_global_id(0), get_global_id(1)};
  write_imagef(out, at, read_imagef(in, at));
}
kernel void vectors(global const float *a, global float *b, int w) {
  int2 at = {get_global_id(0), get_global_id(1)};
  b[mad24(at.y, w, at.x)] = a[at.y * w + at.x];
}
kernel void large(global float *b) {
  float t[2000];
  for (int i = 0; i < 2000; i++) t[i] = b[i];
  for (int i = 0; i < 2000; i++) b[i] = t[1999 - i];
}
kernel void no_ids(global float *b) { b[0] = 1; }
"""

BEST: dict[str, Size3 | None] = {
    "rows": (64, 1, 0),
    "columns": (1, 64, 0),
    "transpose": (8, 8, 0),
    "product": (64, 4, 0),
    "vectors": (64, 1, 0),
    "squares": (8, 8, 0),
    # The second dimension shares nothing.
    "heads": (16, 1, 0),
    "blocks": (16, 1, 0),
    "far": (16, 0, 0),
    # Each iteration reads a row.
    "down_columns": (256, 0, 0),
    "up_columns": (256, 0, 0),
    "powers": (256, 0, 0),
    "polynomial": (64, 0, 0),
    "correlation": (64, 0, 0),
    "diagonals": (64, 0, 0),
    "called": (1, 64, 0),
    "clamped": (64, 1, 0),
    "truths": (64, 1, 0),
    # Along y one work-item runs, or else they would race.
    "first_row": (64, 4, 0),
    "mirrored": (64, 1, 0),
    # The loop over k shares what it reads between rows.
    "turned": (64, 4, 0),
    "reflected": (64, 1, 0),
    "masked": (64, 1, 0),
    "grid": (256, 1, 0),
    "chosen": (64, 4, 0),
    "volume": (64, 1, 1),
    "divided": (64, 1, 0),
    "early": (64, 1, 0),
    "required": (64, 1, 0),
    **dict.fromkeys(("local_ids", "local_sizes", "group_ids", "group_counts", "in_function")),
    **dict.fromkeys(
        (
            "barriers",
            "local_memory",
            "prints",
            "locks",
            "polls",
            "goes",
            "images",
            "large",
            "no_ids",
        )
    ),
}


@pytest.fixture(scope="module")
def program() -> polycl.Program:
    return polycl.load(SOURCE, ["-cl-std=CL2.0"])


def test_best_group(program: polycl.Program) -> None:
    module = program.kernel("rows").module
    found = {op.sym_name.data: best_group(op) for op in functions_of(module, KernelLike)}
    assert {name: found[name] for name in BEST} == BEST


def run(
    program: polycl.Program, name: str, w: int, sizes: tuple[Any, ...], device: Any
) -> NDArray[Any]:
    cells = w**3 if name == "volume" else w * w
    a = (np.arange(cells) % 61).astype(np.float32)
    b = np.full(cells, -1, np.int32 if name == "count" else np.float32)
    program.kernel(name)(
        a, b, w, global_size=sizes[0], local_size=sizes[1], global_offset=sizes[2], device=device
    )
    return b


NAMES = (
    "rows",
    "columns",
    "transpose",
    "product",
    "called",
    "clamped",
    "truths",
    "early",
    "count",
    "offset",
    "grid",
    "divided",
)
SIZES = [
    # (width of the array), (global size, local size, offset)
    (65, ((65, 65), (1, 1), None)),
    (70, ((61, 70), (1, 2), None)),
    (80, ((48, 80), (8, 8), None)),
    (33, ((17, 33), (17, 3), None)),
    (100, ((90, 16), (3, 16), (4, 2))),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("w", "sizes"), SIZES)
def test_results_are_those_of_the_groups_of_the_launch(
    program: polycl.Program, name: str, w: int, sizes: tuple[Any, ...]
) -> None:
    expected = run(program, name, w, sizes, "interp")
    found = run(program, name, w, sizes, polycl.device("cpu", threads=1))
    assert np.array_equal(expected, found)


@pytest.mark.parametrize("name", ["down_columns", "up_columns"])
@pytest.mark.parametrize(("whole", "local", "taken"), [(512, 32, 128), (300, 20, 64), (100, 4, 16)])
def test_loops_down_columns(
    program: polycl.Program, name: str, whole: int, local: int, taken: int
) -> None:
    assert chosen(LOOP_ROW, whole, local)[0] == (taken, 1, 1)
    sizes = (whole, local, None)
    expected = run(program, name, whole, sizes, "interp")
    found = run(program, name, whole, sizes, polycl.device("cpu", threads=1))
    assert np.array_equal(expected, found)


def test_three_dimensions_and_required_sizes(program: polycl.Program) -> None:
    for name, w, sizes in (
        ("volume", 19, ((19, 18, 17), (1, 1, 1), None)),
        ("required", 50, ((50, 50), (2, 1), None)),
    ):
        expected = run(program, name, w, sizes, "interp")
        found = run(program, name, w, sizes, polycl.device("cpu", threads=1))
        assert np.array_equal(expected, found)


def chosen(
    best: Size3 | None, whole: Any, given: Any, threads: int = 1, offset: Any = None
) -> tuple[Size3, tuple[int, ...]]:
    ndrange = in_best_groups(make_ndrange("k", whole, given, offset), best, threads)
    return ndrange.local_size, ndrange.guarded or ()


ROW, COLUMN, ROWS, TILE = (64, 1, 1), (1, 64, 1), (64, 4, 1), (8, 8, 1)
FAR_ROW, LOOP_ROW = (16, 1, 1), (256, 1, 1)


@pytest.mark.parametrize(
    ("best", "whole", "given", "expected"),
    [
        # Rows that divide the global size, or else a guard.
        (ROW, (1024, 1024), (16, 16), ((64, 1, 1), ())),
        (ROW, (320, 100), (8, 4), ((64, 1, 1), ())),
        (ROW, (1000, 7), (1, 1), ((64, 1, 1), (0,))),
        # A row is one group if it is not a multiple of a vector: programs round up to multiples.
        (ROW, (70, 7), (1, 1), ((70, 1, 1), ())),
        (ROWS, (63, 63), (21, 3), ((63, 1, 1), ())),
        (ROW, (80, 7), (1, 1), ((16, 1, 1), ())),
        (ROW, (70, 1), (1, 1), ((16, 1, 1), (0,))),
        (COLUMN, (1024, 1024), (16, 16), ((1, 64, 1), ())),
        (ROWS, (1024, 1024), (8, 8), ((64, 4, 1), ())),
        (ROWS, (1024, 1022), (1, 1), ((64, 2, 1), ())),
        (ROWS, 1024, 1, ((64, 1, 1), ())),
        (TILE, (1001, 1001), (1, 1), ((8, 8, 1), (0, 1))),
        (TILE, (1024, 1024), (256, 1), ((8, 8, 1), ())),
        # Vectors of 16 would not be full.
        (ROWS, (500, 500), (20, 10), ((64, 4, 1), (0,))),
        (FAR_ROW, 1024, 1, ((16, 1, 1), ())),
        (LOOP_ROW, 1024, 64, ((256, 1, 1), ())),
        (LOOP_ROW, (1024, 4), (64, 4), ((256, 1, 1), ())),
        # The groups of the launch are as good.
        (LOOP_ROW, 1024, 128, ((128, 1, 1), ())),
        (FAR_ROW, (1024, 1024), (8, 8), ((8, 8, 1), ())),
        (None, (1024, 1024), (16, 16), ((16, 16, 1), ())),
        (ROW, (1000, 1000), (100, 1), ((100, 1, 1), ())),
        (ROW, 1024, 32, ((32, 1, 1), ())),
        (ROW, (96, 64), (32, 8), ((32, 8, 1), ())),
        (ROWS, (1024, 1024), (16, 16), ((16, 16, 1), ())),
        (TILE, (1024, 1024), (16, 16), ((16, 16, 1), ())),
        # Rows would be short.
        (ROW, (8, 1024), (8, 8), ((8, 8, 1), ())),
        (COLUMN, 1024, 16, ((16, 1, 1), ())),
        # Rows of work-items do the same.
        ((64, 0, 0), (1024, 8), (16, 1), ((16, 1, 1), ())),
    ],
)
def test_choice(
    best: Size3 | None, whole: Any, given: Any, expected: tuple[Size3, tuple[int, ...]]
) -> None:
    assert chosen(best, whole, given) == expected


def test_all_threads_have_groups() -> None:
    assert chosen(ROW, 1024, 1, threads=4) == ((64, 1, 1), ())
    assert chosen(ROW, 512, 1, threads=4) == ((32, 1, 1), ())
    assert chosen(ROW, 64, 1, threads=4) == ((16, 1, 1), ())
    # One work-item for each thread stays one for each thread.
    assert chosen(ROW, 16, 1, threads=4) == ((1, 1, 1), ())
    assert chosen(ROW, 128, 1, threads=16) == ((1, 1, 1), ())
    assert chosen(LOOP_ROW, 1024, 16, threads=4) == ((64, 1, 1), ())
    assert chosen(LOOP_ROW, 1024, 64, threads=4) == ((64, 1, 1), ())
    assert chosen(LOOP_ROW, 1600, 100, threads=4) == ((100, 1, 1), ())
    assert chosen(ROWS, (256, 16), (1, 1), threads=4) == ((64, 4, 1), ())
    assert chosen(ROWS, (256, 4), (1, 1), threads=4) == ((64, 1, 1), ())


def test_ids_stay_below_2_to_31() -> None:
    most = WIDE_IDS - 100
    assert chosen(ROW, 100, 1, offset=most) == ((1, 1, 1), ())
    assert chosen(ROW, 100, 1, offset=most - 64) == ((16, 1, 1), (0,))
    assert chosen(ROW, 128, 1, offset=WIDE_IDS) == ((1, 1, 1), ())


def test_groups_cover_the_global_size_once() -> None:
    """Whatever is chosen: each work-item is in one group; there is a guard if any is outside."""
    sizes = (1, 7, 16, 33, 64, 100, 1000)
    bests = (ROW, COLUMN, ROWS, TILE, LOOP_ROW, (1, 1, 64), (1, 8, 8))
    for whole in product(sizes, sizes, (1, 5)):
        for best, threads in product(bests, (1, 4)):
            ndrange = NDRange(whole, (1, 1, 1), work_dim=3)
            result = in_best_groups(ndrange, best, threads)
            assert result.global_size == whole
            for d in range(3):
                covered = result.num_groups[d] * result.local_size[d]
                assert whole[d] <= covered < whole[d] + result.local_size[d]
                assert (covered > whole[d]) == (d in (result.guarded or ()))


def cost(length: int, whole: int) -> float:
    """Of a row of `whole` work-items in groups of `length`, in vectors of 16: half of one for a
    group, and twice as much for one under a mask that the group computes."""
    groups, outside = -(-whole // length), -whole % length
    vectors, rest = divmod(length, 16)
    return groups * (0.5 + vectors + 1.2 * (rest > 0)) + (length / 16 if outside else 0)


def test_rows_are_nearly_as_fast_as_the_best_fixed_size() -> None:
    """The cost is at most 1.25 times that of the best of some sizes if a row has up to 128
    work-items and is not a multiple of a vector; else 1.4 times, as only short groups are whole in
    rows that a program has rounded up."""
    for whole in range(17, 201):
        size, _ = chosen(ROW, (whole, 64), (1, 1))
        best = min(cost(length, whole) for length in (16, 32, 48, 64, 96, 128, 256))
        limit = 1.25 if whole <= 128 and whole % 16 else 1.4
        assert cost(size[0], whole) <= limit * best, (whole, size)


def test_remark_and_the_way_to_leave_it_out(program: polycl.Program) -> None:
    kernel = polycl.load(SOURCE, ["-cl-std=CL2.0"]).kernel("rows")
    a, b = np.ones(100 * 100, np.float32), np.zeros(100 * 100, np.float32)
    for device, count in ((polycl.device("cpu"), 1), (polycl.device("cpu", disable=[PASS]), 0)):
        with collect_remarks() as remarks:
            kernel.bind(a, b, 100, global_size=(100, 100), local_size=(10, 10), device=device)
        assert sum(remark.pass_name == PASS for remark in remarks) == count


PASS = "ocl-free-groups"
