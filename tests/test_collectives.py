"""Collective functions of work-groups and sub-groups against numpy, on the interpreter and the CPU.

The sizes of groups are odd, so that sub-groups are partial; floats are small integers, so that sums
are exact in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context

import polycl
from polycl.backends.interp.checks import CheckError
from polycl.backends.opencl_c.target import OpenclCTarget
from polycl.errors import LaunchError, PolyclError

Array = np.ndarray[Any, np.dtype[Any]]
WIDTH = 16
"""The work-items of a sub-group of a kernel that requires no other size."""
DEVICES = ("interp", "cpu")
PASSES = "inline-functions,ocl-set-local-size{{size={}}},ocl-expand-sub-groups,ocl-to-wg"
SIZES: Sequence[tuple[int, ...]] = ((37,), (16,), (5, 3, 2), (32, 2), (1,), (7, 7))


def build(tmp_path: Path, source: str, name: str = "k") -> polycl.Kernel:
    path = tmp_path / "k.cl"
    path.write_text(source)
    return polycl.load(path, options=["-cl-std=CL3.0"]).kernel(name)


def on_all(kernel: polycl.Kernel, local: tuple[int, ...], *arrays: Array) -> list[Array]:
    """The arrays after a launch of two groups, the same on all devices and after the passes."""
    whole = (2 * local[0], *local[1:])
    size = ",".join(map(str, (*local, 1, 1)[:3]))
    regions = PASSES.format(size)
    results: list[list[Array]] = []
    for device, pipeline in (
        ("interp", None),
        ("cpu", None),
        ("interp", regions),
        ("interp", f"{regions},wg-lower-contexts"),
    ):
        copies = [array.copy() for array in arrays]
        bound = kernel.bind(
            *copies,
            global_size=whole,
            local_size=local,
            device=polycl.device(device),
            pipeline=pipeline,
        )
        bound.launch()
        results.append(copies)
    for other in results[1:]:
        for first, second in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(first, second)
    return results[0]


def rows(values: Array, total: int, width: int) -> list[Array]:
    """The values of each group, and in these of each row of `width`."""
    groups = values.reshape(-1, total)
    return [group[i : i + width] for group in groups for i in range(0, total, width)]


# Reductions and scans

TYPES = {
    "char": np.int8,
    "uchar": np.uint8,
    "short": np.int16,
    "ushort": np.uint16,
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
    "half": np.float16,
    "float": np.float32,
    "double": np.float64,
}
SAMPLE = ("ushort", "half", "double")
COMBINE: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "mul": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def identity(name: str, dtype: np.dtype[Any]) -> Any:
    if name in ("min", "max"):
        if dtype.kind == "f":
            return np.inf if name == "min" else -np.inf
        info = np.iinfo(dtype)
        return info.max if name == "min" else info.min
    return {"mul": 1, "and": -1}.get(name, 0)


def combined(name: str, form: str, row: Array) -> Array:
    ufunc: Any = COMBINE[name]
    with np.errstate(over="ignore"):
        if form == "reduce":
            return np.full(len(row), ufunc.reduce(row, dtype=row.dtype))
        scanned = ufunc.accumulate(row, dtype=row.dtype)
    if form == "scan_inclusive":
        return scanned
    first = np.array([identity(name, row.dtype)]).astype(row.dtype)
    return np.concatenate([first, scanned[:-1]])


FORMS = ("reduce", "scan_inclusive", "scan_exclusive")


@pytest.mark.parametrize(
    "type",
    [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in TYPES],
)
@pytest.mark.parametrize("scope", ["work_group", "sub_group", "sub_group_non_uniform"])
def test_reductions_and_scans(tmp_path: Path, type: str, scope: str) -> None:
    dtype = np.dtype(TYPES[type])
    names = ["add", "min", "max"]
    if scope == "work_group" and dtype.itemsize < 4 and type != "half":
        pytest.skip("OpenCL C has no such function")
    if scope == "sub_group_non_uniform":
        names += ["mul"] if dtype.kind == "f" else ["mul", "and", "or", "xor"]
    cases = [(form, name) for form in FORMS for name in names]
    lines = [
        f"  o[{number} * n + i] = {scope}_{form}_{name}(x[i]);\n"
        for number, (form, name) in enumerate(cases)
    ]
    kernel = build(
        tmp_path,
        f"kernel void k(global const {type} *x, global {type} *o) {{\n"
        "  size_t i = get_group_id(0) * get_local_size(0) * get_local_size(1) * get_local_size(2)"
        " + get_local_linear_id();\n"
        "  size_t n = get_global_size(0) * get_global_size(1) * get_global_size(2);\n"
        f"{''.join(lines)}}}\n",
    )
    random = np.random.default_rng(5)
    for local in ((37,), (5, 3, 2)):
        total = int(np.prod(local))
        x = random.integers(0 if dtype.kind == "u" else -3, 4, 2 * total).astype(dtype)
        _, o = on_all(kernel, local, x, np.zeros(len(cases) * len(x), dtype))
        width = total if scope == "work_group" else WIDTH
        for number, (form, name) in enumerate(cases):
            expected = np.concatenate([combined(name, form, r) for r in rows(x, total, width)])
            found = o[number * len(x) : (number + 1) * len(x)]
            np.testing.assert_array_equal(found, expected, f"{form}_{name} {local}")


def test_the_order_of_sums_is_that_of_the_dialect(tmp_path: Path) -> None:
    kernel = build(
        tmp_path,
        "kernel void k(global const float *x, global float *o) {\n"
        "  size_t i = get_global_id(0);\n"
        "  o[4 * i] = work_group_reduce_add(x[i]);\n"
        "  o[4 * i + 1] = sub_group_reduce_add(x[i]);\n"
        "  o[4 * i + 2] = work_group_scan_exclusive_add(x[i]);\n"
        "  o[4 * i + 3] = sub_group_scan_inclusive_add(x[i]);\n"
        "}\n",
    )
    x = np.random.default_rng(7).normal(size=2 * 53).astype(np.float32)
    _, o = on_all(kernel, (53,), x, np.zeros(4 * len(x), np.float32))
    row = np.pad(x[:53], (0, 11)).reshape(4, 16)
    total = row[0]
    for other in row[1:]:
        total = total + other
    while len(total) > 1:
        total = total[: len(total) // 2] + total[len(total) // 2 :]
    assert o[0] == total[0]


def test_values_that_are_no_numbers(tmp_path: Path) -> None:
    kernel = build(
        tmp_path,
        "kernel void k(global const float *x, global float *o) {\n"
        "  size_t i = get_global_id(0);\n"
        "  o[3 * i] = sub_group_scan_exclusive_add(-x[i] * 0.0f);\n"
        "  o[3 * i + 1] = sub_group_scan_inclusive_min(x[i]);\n"
        "  o[3 * i + 2] = work_group_reduce_max(x[i]);\n"
        "}\n",
    )
    x = np.full(2 * 21, np.nan, np.float32)
    x[5], x[30] = 1, np.inf
    on_all(kernel, (21,), x, np.zeros(3 * len(x), np.float32))


# Queries, votes, ballots, shuffles

ITEMS = """
kernel void k(global const int *x, global uint *o) {
  size_t i = get_group_id(0) * get_local_size(0) * get_local_size(1) * get_local_size(2)
             + get_local_linear_id();
  uint lane = get_sub_group_local_id();
  int v = x[i];
  uint4 ballot = sub_group_ballot(v & 1);
  uint results[] = {
    RESULTS
  };
  for (int r = 0; r < COUNT; r++) o[COUNT * i + r] = results[r];
}
"""


def bits(row: Array, last: int | None = None) -> int:
    return sum(1 << lane for lane, value in enumerate(row[:last]) if value & 1)


def everyone(lane: int) -> int:
    return (1 << WIDTH) - 1


RESULTS: dict[str, Callable[[Array, int, int, int], Any]] = {
    "get_sub_group_size()": lambda row, lane, number, total: len(row),
    "get_max_sub_group_size()": lambda row, lane, number, total: WIDTH,
    "get_num_sub_groups()": lambda row, lane, number, total: -(-total // WIDTH),
    "get_enqueued_num_sub_groups()": lambda row, lane, number, total: -(-total // WIDTH),
    "get_sub_group_id()": lambda row, lane, number, total: number,
    "lane": lambda row, lane, number, total: lane,
    "sub_group_any(v > 2) != 0": lambda row, lane, number, total: (row > 2).any(),
    "sub_group_all(v > -3) != 0": lambda row, lane, number, total: (row > -3).all(),
    "sub_group_elect() != 0": lambda row, lane, number, total: lane == 0,
    "sub_group_non_uniform_all_equal(v)": lambda row, lane, number, total: (row == row[0]).all(),
    "ballot.x": lambda row, lane, number, total: bits(row),
    "ballot.y | ballot.w": lambda row, lane, number, total: 0,
    "sub_group_inverse_ballot(ballot) != 0": lambda row, lane, number, total: row[lane] & 1,
    "sub_group_ballot_bit_extract(ballot, 3) != 0": lambda row, lane, number, total: (
        bits(row) >> 3 & 1
    ),
    "sub_group_ballot_bit_count(ballot)": lambda row, lane, number, total: bits(row).bit_count(),
    "sub_group_ballot_inclusive_scan(ballot)": lambda row, lane, number, total: bits(
        row, lane + 1
    ).bit_count(),
    "sub_group_ballot_exclusive_scan(ballot)": lambda row, lane, number, total: bits(
        row, lane
    ).bit_count(),
    "bits ? sub_group_ballot_find_lsb(ballot) : 0": lambda row, lane, number, total: (
        (bits(row) & -bits(row)).bit_length() - 1 if bits(row) else 0
    ),
    "bits ? sub_group_ballot_find_msb(ballot) : 0": lambda row, lane, number, total: (
        bits(row).bit_length() - 1 if bits(row) else 0
    ),
    "get_sub_group_eq_mask().x": lambda row, lane, number, total: 1 << lane,
    "get_sub_group_lt_mask().x": lambda row, lane, number, total: (1 << lane) - 1,
    "get_sub_group_le_mask().x": lambda row, lane, number, total: (2 << lane) - 1,
    "get_sub_group_gt_mask().x": lambda row, lane, number, total: (
        everyone(lane) & ~((2 << lane) - 1)
    ),
    "get_sub_group_ge_mask().x": lambda row, lane, number, total: (
        everyone(lane) & ~((1 << lane) - 1)
    ),
    "sub_group_broadcast(v, 0)": lambda row, lane, number, total: row[0],
    "sub_group_broadcast_first(v)": lambda row, lane, number, total: row[0],
    "sub_group_non_uniform_broadcast(v, get_sub_group_size() - 1)": (
        lambda row, lane, number, total: row[-1]
    ),
    "sub_group_shuffle(v, lane / 2)": lambda row, lane, number, total: row[lane // 2],
    "sub_group_shuffle_xor(v, 0)": lambda row, lane, number, total: row[lane],
    "lane < 2 ? 0 : shuffled_up": lambda row, lane, number, total: row[lane - 2] if lane > 1 else 0,
    "lane + 1 >= get_sub_group_size() ? 0 : shuffled_down": (
        lambda row, lane, number, total: row[lane + 1] if lane + 1 < len(row) else 0
    ),
    "get_sub_group_size() == 16 ? rotated : 0": lambda row, lane, number, total: (
        row[(lane - 3) % WIDTH] if len(row) == WIDTH else 0
    ),
    "get_sub_group_size() == 16 ? turned : 0": lambda row, lane, number, total: (
        row[lane // 4 * 4 + (lane + 1) % 4] if len(row) == WIDTH else 0
    ),
    "sub_group_clustered_reduce_add(v, 4)": lambda row, lane, number, total: row[
        lane // 4 * 4 : lane // 4 * 4 + 4
    ].sum(),
    "sub_group_clustered_reduce_max(v, 128)": lambda row, lane, number, total: row.max(),
    "sub_group_non_uniform_reduce_logical_xor(v)": lambda row, lane, number, total: (
        np.count_nonzero(row) & 1
    ),
    "sub_group_non_uniform_scan_exclusive_logical_and(v)": lambda row, lane, number, total: row[
        :lane
    ].all(),
}


def items_source() -> str:
    source = ITEMS.replace("RESULTS", ",\n    ".join(RESULTS)).replace("COUNT", str(len(RESULTS)))
    return source.replace(
        "  uint results",
        "  uint bits = ballot.x;\n"
        "  int shuffled_up = sub_group_shuffle_up(v, 2);\n"
        "  int shuffled_down = sub_group_shuffle_down(v, 1);\n"
        "  int rotated = sub_group_rotate(v, -3);\n"
        "  int turned = sub_group_clustered_rotate(v, 1, 4);\n"
        "  uint results",
    )


@pytest.mark.parametrize("local", SIZES, ids=str)
def test_functions_of_sub_groups(tmp_path: Path, local: tuple[int, ...]) -> None:
    kernel = build(tmp_path, items_source())
    total = int(np.prod(local))
    x = np.random.default_rng(3).integers(-3, 5, 2 * total).astype(np.int32)
    _, o = on_all(kernel, local, x, np.zeros(len(RESULTS) * len(x), np.uint32))
    found = o.view(np.int32).reshape(-1, len(RESULTS))
    item = 0
    for place, row in enumerate(rows(x, total, WIDTH)):
        number = place % -(-total // WIDTH)
        for lane in range(len(row)):
            for column, (text, expected) in enumerate(RESULTS.items()):
                value = int(expected(row, lane, number, total))
                assert found[item, column] == value, (text, item, list(row))
            item += 1


def test_work_group_votes_and_broadcasts(tmp_path: Path) -> None:
    kernel = build(
        tmp_path,
        "kernel void k(global const int *x, global int *o) {\n"
        "  size_t i = get_group_id(0) * 40 + get_local_linear_id();\n"
        "  o[4 * i] = work_group_any(x[i] == 7) != 0;\n"
        "  o[4 * i + 1] = work_group_all(x[i] < 70) != 0;\n"
        "  o[4 * i + 2] = work_group_broadcast(x[i], 2, 3, 1);\n"
        "  int sum = 0;\n"
        "  for (int n = 0; work_group_any(n < x[i]); n++) sum += n;\n"
        "  o[4 * i + 3] = sum;\n"
        "}\n",
    )
    x = np.arange(80, dtype=np.int32) % 75
    _, o = on_all(kernel, (5, 4, 2), x, np.zeros(4 * 80, np.int32))
    for group in range(2):
        mine, found = x[40 * group :][:40], o[160 * group :][:160].reshape(40, 4)
        most = int(mine.max())
        expected = [int((mine == 7).any()), int((mine < 70).all()), mine[2 + 5 * (3 + 4)]]
        assert (found == [*expected, most * (most - 1) // 2]).all()


# Divergent control flow

DIVERGENT = """
kernel void k(global const int *x, global int *o) {
  size_t i = get_global_id(0);
  int v = x[i], r = 0;
  // Uniform for a sub-group, not for the work-group.
  if (get_sub_group_id() % 2 == 0) r += sub_group_reduce_add(v);
  else r -= sub_group_scan_inclusive_max(v);
  for (uint n = 0; n < get_sub_group_id() + 1; n++) r += sub_group_broadcast(v + n, n);
  // The active work-items only.
  if (v & 1) r += 10 * sub_group_non_uniform_reduce_add(1);
  else if (v & 2) r += 10 * sub_group_non_uniform_scan_inclusive_add(v);
  while (v > 0) {
    if (v & 1) r += 100 * sub_group_non_uniform_reduce_add(v);
    v -= 1 + (v & 1);
    if (v == 4) break;
    r += sub_group_elect();
  }
  r += 1000 * sub_group_reduce_max(v);
  o[i] = r;
}
"""


def divergent(x: Array) -> Array:
    """The same for the work-items of one group, loop by loop."""
    results = np.zeros(len(x), np.int64)
    for number, start in enumerate(range(0, len(x), WIDTH)):
        v = x[start : start + WIDTH].astype(np.int64)
        r = np.zeros(len(v), np.int64)
        r += v.sum() if number % 2 == 0 else -np.maximum.accumulate(v)
        for n in range(number + 1):
            r += v[n] + n
        odd = v & 1 == 1
        r[odd] += 10 * odd.sum()
        other = ~odd & (v & 2 == 2)
        r[other] += 10 * np.cumsum(v[other])
        active = v > 0
        while active.any():
            odd = active & (v & 1 == 1)
            r[odd] += 100 * v[odd].sum()
            v[active] -= 1 + (v[active] & 1)
            active &= v != 4
            if active.any():
                r[np.flatnonzero(active)[0]] += 1
            active &= v > 0
        results[start : start + WIDTH] = r + 1000 * v.max()
    return results


@pytest.mark.parametrize("size", [16, 40, 57])
def test_divergent_control_flow(tmp_path: Path, size: int) -> None:
    x = np.random.default_rng(size).integers(0, 9, 2 * size).astype(np.int32)
    _, o = on_all(build(tmp_path, DIVERGENT), (size,), x, np.zeros(2 * size, np.int32))
    np.testing.assert_array_equal(o, np.concatenate([divergent(x[:size]), divergent(x[size:])]))


def test_a_barrier_of_the_sub_group(tmp_path: Path) -> None:
    kernel = build(
        tmp_path,
        "kernel void k(global const int *x, global int *o) {\n"
        "  local int t[64];\n"
        "  size_t l = get_local_id(0);\n"
        "  if (get_sub_group_id() == 1) {\n"
        "    t[l] = x[get_global_id(0)];\n"
        "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    o[get_global_id(0)] = t[l ^ 1];\n"
        "  }\n"
        "}\n",
    )
    x = np.arange(128, dtype=np.int32)
    _, o = on_all(kernel, (64,), x, np.zeros(128, np.int32))
    kernel(x, o.copy(), global_size=128, local_size=64, device=polycl.device("interp", check=True))
    item = np.arange(128)
    expected = np.where(item % 64 // 16 == 1, item ^ 1, 0)
    np.testing.assert_array_equal(o, expected)


# cl_intel_subgroups

INTEL = """
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global const uint *x, global uint *o, global ushort *s) {
  size_t i = get_global_id(0), row = i / 8 * 8;
  uint lane = get_sub_group_local_id();
  uint2 v = intel_sub_group_block_read2(x + 2 * row);
  intel_sub_group_block_write2(o + 2 * row, v.yx);
  ushort2 w = intel_sub_group_shuffle((ushort2)(lane, 7), 3u);
  s[4 * i] = intel_sub_group_shuffle_up((ushort)(100 + lane), (ushort)lane, 3u);
  s[4 * i + 1] = intel_sub_group_shuffle_down((ushort)lane, (ushort)(100 + lane), 3u);
  s[4 * i + 2] = w.x + w.y + intel_sub_group_shuffle_xor((ushort)lane, 1u);
  s[4 * i + 3] = intel_sub_group_reduce_add((ushort)lane) + get_max_sub_group_size();
}
"""


def test_functions_of_intel(tmp_path: Path) -> None:
    x = np.arange(64, dtype=np.uint32)
    zeros = np.zeros(128, np.uint16)
    _, o, s = on_all(build(tmp_path, INTEL), (16,), x, np.zeros(64, np.uint32), zeros)
    rows = x.reshape(-1, 2, 8)
    np.testing.assert_array_equal(o, rows[:, ::-1].reshape(-1))
    for lane, (up, down, sum, total) in enumerate(s.reshape(-1, 4)[:8]):
        assert up == (105 + lane if lane < 3 else lane - 3)
        assert down == (lane + 3 if lane < 5 else 100 + lane - 5)
        assert (sum, total) == (3 + 7 + (lane ^ 1), 28 + 8)


# As OpenCL C again


@pytest.mark.parametrize("name", ["items", "divergent", "intel"])
def test_the_text_of_opencl_c_is_read_back(tmp_path: Path, name: str) -> None:
    source = {"items": items_source(), "divergent": DIVERGENT, "intel": INTEL}[name]
    first = build(tmp_path, source)
    text = StringIO()
    program = polycl.load(tmp_path / "k.cl", options=["-cl-std=CL3.0"])
    OpenclCTarget().emit(Context(), program.module, text)
    again = build(tmp_path, text.getvalue())
    x = np.random.default_rng(1).integers(0, 5, 96).astype(np.uint32)
    results: list[list[Array]] = []
    for kernel in (first, again):
        o = np.zeros(96 * len(RESULTS), np.uint32)
        arrays = [x.view(np.int32), o.view(np.int32)] if name == "divergent" else [x, o]
        arrays = [x.view(np.int32), o] if name == "items" else arrays
        arrays += [np.zeros(4 * 96, np.uint16)] if name == "intel" else []
        size = 48 if name == "intel" else 96
        device = polycl.device("interp")
        kernel(*arrays, global_size=size, local_size=size // 2, device=device)
        results.append(arrays)
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)


# Refusals


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("o[0] = sub_group_clustered_reduce_add(o[1], o[2]);", "must be a constant power of two"),
        ("o[0] = sub_group_clustered_reduce_add(o[1], 3);", "must be a constant power of two"),
    ],
)
def test_clusters_without_a_size(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(PolyclError, match=message) as caught:
        build(tmp_path, f"kernel void k(global int *o) {{\n  {body}\n}}\n")
    assert "k.cl:2:" in str(caught.value)


def test_a_size_that_sub_groups_do_not_have(tmp_path: Path) -> None:
    with pytest.raises(PolyclError, match="one of 8, 16, 32 work-items, got 64"):
        build(
            tmp_path,
            "__attribute__((intel_reqd_sub_group_size(64))) kernel void k(global int *o) {}\n",
        )


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ("sub_group_reduce_add(1)", "divergent collective function .* of the sub-group"),
        ("work_group_reduce_add(1)", "divergent collective function .* of the group"),
        ("(sub_group_barrier(0), 1)", "divergent barrier .* of the sub-group"),
    ],
)
def test_divergence_is_found(tmp_path: Path, call: str, what: str) -> None:
    source = "kernel void k(global int *o) {\n  if (get_local_id(0) < 5)\n"
    kernel = build(tmp_path, f"{source}    o[get_global_id(0)] = {call};\n}}\n")
    for check, error in ((False, LaunchError), (True, CheckError)):
        device = polycl.device("interp", check=check)
        with pytest.raises(error, match=f"(?s){what}") as caught:
            kernel(np.zeros(32, np.int32), global_size=32, local_size=32, device=device)
        assert "k.cl:3:" in str(caught.value)


def test_a_collective_function_of_an_unset_value(tmp_path: Path) -> None:
    source = "kernel void k(global int *o) {\n  int v;\n"
    kernel = build(tmp_path, f"{source}  o[get_global_id(0)] = sub_group_reduce_add(v);\n}}\n")
    device = polycl.device("interp", check=True)
    with pytest.raises(CheckError, match="a collective function is given an uninitialised value"):
        kernel(np.zeros(32, np.int32), global_size=32, local_size=32, device=device)
