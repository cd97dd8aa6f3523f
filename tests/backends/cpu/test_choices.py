"""Regions of which both forms are compiled: the choice between them (choose.ll), by a clock that
the test moves, and that both forms give the same bits."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.jit import NativeCode, native_code
from polycl.lowering.llvm.convert_to_llvm.choices_to_llvm import (
    FIRST,
    FIRST_WITHIN,
    OWN_WORDS,
    SHARED_WORDS,
)
from polycl.remarks import collect_remarks

CHOOSE_LL = Path(polycl.__file__).parent / "backends" / "cpu" / "choose.ll"
_CLOCK = """
@clock = internal global i64 0
define internal i64 @now() {
  %now = load i64, ptr @clock
  ret i64 %now
}
define i64 @choose(ptr %shared, ptr %own) {
  %first = call i1 @polycl_choose(ptr %shared, ptr %own)
  %wide = zext i1 %first to i64
  ret i64 %wide
}
define void @chosen(ptr %shared, ptr %own, i64 %cycles) {
  %now = load i64, ptr @clock
  %then = add i64 %now, %cycles
  store i64 %then, ptr @clock
  call void @polycl_chosen(ptr %shared, ptr %own)
  ret void
}
"""


class _Choice:
    """A choice, with a clock that moves by what the test says an execution takes."""

    def __init__(self, executions: int = FIRST) -> None:
        text = CHOOSE_LL.read_text(encoding="utf-8")
        text = text.replace("declare i64 @llvm.readcyclecounter()\n", "")
        text = text.replace("@llvm.readcyclecounter()", "@now()")
        self.code: NativeCode = native_code(text + _CLOCK, ["choose", "chosen"], 2)
        words = [ctypes.c_void_p, ctypes.c_void_p]
        addresses = self.code.addresses
        self._choose = ctypes.CFUNCTYPE(ctypes.c_int64, *words)(addresses["choose"])
        self._chosen = ctypes.CFUNCTYPE(None, *words, ctypes.c_int64)(addresses["chosen"])
        self.shared = np.zeros(SHARED_WORDS, np.int64)
        self.shared[0] = executions
        self.call()

    def call(self) -> None:
        """The kernel is called again."""
        self.own = np.zeros(OWN_WORDS, np.int64)

    def run(self, first: int | Callable[[], int], second: int) -> int:
        """One execution; the cycles that it took, of those of both forms. The first form may have a
        choice of its own."""
        places = self.shared.ctypes.data, self.own.ctypes.data
        cycles = first if self._choose(*places) else second
        cycles = cycles if isinstance(cycles, int) else cycles()
        self._chosen(*places, cycles)
        return cycles


@pytest.mark.parametrize("groups", [1, 5, 100_000], ids="groups of a call: {}".format)
@pytest.mark.parametrize("times", [(100, 1000), (100, 300), (300, 100), (10_000, 100)])
def test_the_faster_form_runs(times: tuple[int, int], groups: int) -> None:
    choice = _Choice()
    (first, second), total = times, 0
    best = min(first, second)
    for number in range(20_000):
        if number % groups == 0:
            choice.call()
        taken = choice.run(first, second)
        # Some executions that a call takes are left when it ends.
        assert number >= FIRST // 3 or taken == first
        if number > 2 * FIRST:
            total += taken - best
    assert total < 20_000 * best * (0.04 if groups > 5 else 0.08)


@pytest.mark.parametrize("groups", [4, 16, 1000], ids="groups of a call: {}".format)
def test_what_takes_long_is_tried_early(groups: int) -> None:
    """In the first call of at least two executions, not only once there were 64 of them."""
    choice, taken = _Choice(), list[int]()
    for number in range(200):
        if number % groups == 0:
            choice.call()
        taken.append(choice.run(3_000_000, 1_000_000))
    assert taken[20:].count(3_000_000) <= 6
    assert taken[0] == 3_000_000


def test_a_change_of_the_data_is_followed() -> None:
    choice = _Choice()
    for first, second in ((100, 50), (50, 100), (100, 50)):
        taken = [choice.run(first, second) for _ in range(2000)]
        assert taken[-500:].count(50) > 450


@pytest.mark.parametrize("times", [(100, 150), (200, 100), (100, 1000), (1000, 100)])
def test_one_interrupted_execution_decides_nothing(times: tuple[int, int]) -> None:
    for interrupted in range(FIRST, FIRST + 14):
        choice = _Choice()
        late = [100_000 * (number == interrupted) for number in range(1000)]
        taken = [choice.run(times[0] + more, times[1] + more) for more in late]
        # The slower form runs in trials only; of the first executions, one has that of before.
        slower = sum(cycles % 100_000 == max(times) for cycles in taken[FIRST + 12 :])
        assert slower <= 7 * 6 + 64 * (times[0] > times[1])


def test_a_form_that_has_not_ended_is_not_the_faster_one() -> None:
    """Another thread still runs the first form when the second one has ended twice."""
    choice, late = _Choice(0), np.zeros(OWN_WORDS, np.int64)
    assert choice._choose(choice.shared.ctypes.data, late.ctypes.data)
    taken = [choice.run(1000, 100) for _ in range(3)]
    choice._chosen(choice.shared.ctypes.data, late.ctypes.data, 1000)
    taken += [choice.run(1000, 100) for _ in range(100)]
    assert taken[:2] == [100, 100]
    assert taken[20:].count(1000) == 0


def test_groups_that_differ_decide_nothing() -> None:
    """What an execution takes differs by group, and that of vectors more: they wait for a lane."""
    rng = random.Random(1)
    wrong = 0
    for _ in range(10):
        choice = _Choice()
        for number in range(4000):
            length = rng.expovariate(1)
            taken = choice.run(round(500 + 2000 * length), round(400 + 600 * length))
            wrong += number > 1000 and taken == round(500 + 2000 * length)
    assert wrong < 0.1 * 10 * 3000


@pytest.mark.parametrize("times", [(250, 180, 210), (180, 250, 210), (250, 230, 210)])
def test_a_choice_within_another_one_is_made_first(times: tuple[int, int, int]) -> None:
    outer, inner = _Choice(), _Choice(FIRST_WITHIN)
    taken = [outer.run(lambda: inner.run(*times[:2]), times[2]) for _ in range(2000)]
    # The first trial compares the best form of vectors already.
    after = taken[FIRST + 12 :]
    assert after.count(min(times)) > 0.85 * len(after)


def test_tiles_apart_and_together_give_the_same() -> None:
    """Polygons with a box around each: all three forms run, in one launch or another."""
    text = """kernel void k(global const float *box, global const int *y, global const float *at,
                            int n, global int *out) {
      int i = get_global_id(0), found = -1;
      float p = at[i];
      for (int k = 0; k < n; k++) {
        if (p < box[k]) continue;
        int sum = 0;
        for (int j = 0; j < n; j++) sum += y[j] > (int)p + k;
        if (sum % 3 == 0) { found = sum * 100 + k; break; }
      }
      out[i] = found;
    }"""
    rng = np.random.default_rng(1)
    n, count = 12, 64 * 200
    box = (rng.random(n) * 30).astype(np.float32)
    y = rng.integers(0, 30, n).astype(np.int32)
    at = (rng.random(count) * 30).astype(np.float32)
    expected = np.full(count, -1)
    for k in reversed(range(n)):
        sums = (y[None, :] > at.astype(np.int32)[:, None] + k).sum(1)
        expected = np.where((at >= box[k]) & (sums % 3 == 0), sums * 100 + k, expected)
    with collect_remarks() as remarks:
        kernel = polycl.load(text).kernel("k")
        out = np.zeros(count, np.int32)
        cpu = polycl.device("cpu", threads=1)
        bound = kernel.bind(box, y, at, n, out, global_size=count, local_size=64, device=cpu)
        for _ in range(4):
            out[:] = 0
            bound.launch()
            assert (out == expected).all()
    assert any("tiles wait for lanes of others" in str(remark) for remark in remarks)


def _source(seed: int) -> str:
    """A kernel with a loop that work-items leave as data say, and floats, integers and gathers."""
    rng = random.Random(seed)
    terms = [
        "s = s * 0.5f + v[j];",
        "s = v[j] * w - s;",
        "s = s - v[j] * s;",
        "if (v[j] > w) s += v[j] * w; else s = s * w - v[j];",
        "n = n * 5 + q[j];",
        "s += sqrt(v[j]) / (w + 1.5f);",
        "s += v[q[j] & 255] * v[j];",
        "n ^= j;" if seed % 7 < 6 else "n += atomic_add(&q[512], 0);",
        "if (n % 13 == 3) break;",
        "if (j == 17) continue;",
        "d = d * 1.25 + s;",
    ]
    body = "\n".join(rng.sample(terms, 5))
    loop = rng.choice(
        ("for (; j < q[l]; j++)", "while (j < q[l] && s < 1000)", "for (j = l; n % 37 != 5; n++)")
    )
    step = "" if loop.startswith("for") else "j++;"
    if "n % 37" in loop:
        step = "j = (j + 1) & 255; if (++turns > 60) break;"
    return f"""
    kernel void k(global const float *v, global int *q, global float *out, global int *ints,
                  global double *doubles) {{
      int l = get_local_id(0), j = 0, n = l, turns = 0;
      float s = v[l], w = v[l + 1];
      double d = 0;
      {loop} {{
        {step}
        {body}
      }}
      int g = get_global_id(0);
      out[g] = s; ints[g] = n + j; doubles[g] = d;
    }}"""


def _values(seed: int, groups: int) -> tuple[list[Any], list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    count = 64 * groups
    results = [np.zeros(count, type) for type in (np.float32, np.int32, np.float64)]
    data = [rng.uniform(0, 2, 256).astype(np.float32), rng.integers(0, 90, 513).astype(np.int32)]
    return [*data, *results], results


@pytest.mark.parametrize("seed", range(12))
def test_both_forms_give_the_same_bits(seed: int) -> None:
    """Each group computes the same. The first ones run the first form, then there are trials."""
    kernel = polycl.load(_source(seed), language="cl").kernel("k")
    arguments, results = _values(seed, 200)
    with collect_remarks() as remarks:
        kernel(
            *arguments, global_size=12_800, local_size=64, device=polycl.device("cpu", threads=1)
        )
    measured = any("measured while it runs" in remark.message for remark in remarks)
    assert measured == ("atomic_add" not in _source(seed)), remarks
    for result in results:
        groups = result.view(np.uint8).reshape(200, -1)
        assert (groups == groups[0]).all()
    expected, by_interpreter = _values(seed, 2)
    kernel(*expected, global_size=128, local_size=64, device=polycl.device("interp"))
    assert (results[1][:128] == by_interpreter[1]).all()
    for ours, other in ((results[0], by_interpreter[0]), (results[2], by_interpreter[2])):
        np.testing.assert_allclose(ours[:128], other, rtol=2e-3, atol=1e-3)


LEVEL = """
kernel void level(global const int *ends, global const int *edges, global const char *active,
                  global const int *old, global int *cost) {
  int v = get_global_id(0);
  if (active[v])
    for (int e = ends[v]; e < ends[v + 1]; e++) {
      if (old[edges[e]] < cost[v]) cost[v] = old[edges[e]] + 1;
    }
}"""


@pytest.mark.parametrize("share", [0, 0.02, 0.5, 1])
def test_few_or_many_work_items_do_something(share: float) -> None:
    """Vectors are several times slower where all do, and several times faster where none does."""
    rng, count = np.random.default_rng(1), 64 * 150
    ends = np.concatenate([[0], np.cumsum(rng.integers(0, 9, count))]).astype(np.int32)
    edges = rng.integers(0, count, ends[-1], dtype=np.int32)
    active = (rng.random(count) < share).astype(np.int8)
    old = rng.integers(0, 100, count, dtype=np.int32)
    kernel = polycl.load(LEVEL, language="cl").kernel("level")
    costs = [np.full(count, 200, np.int32) for _ in range(2)]
    devices = polycl.device("cpu", threads=1), polycl.device("interp")
    with collect_remarks() as remarks:
        for cost, device, size in zip(costs, devices, (count, 640), strict=True):
            arguments = ends, edges, active, old, cost
            kernel(*arguments, global_size=size, local_size=64, device=device)
    assert any("measured while it runs" in remark.message for remark in remarks)
    assert (costs[0][:640] == costs[1][:640]).all()
    for v in range(count):
        expected = 200
        for other in edges[ends[v] : ends[v + 1]] if active[v] else ():
            expected = old[other] + 1 if old[other] < expected else expected
        assert costs[0][v] == expected


COUNT = """
kernel void count(global const int *ends, global uint *values) {
  int n = 1;
  for (int k = 0; k < ends[get_global_id(0)]; k++) n = n * 3 + k;
  if (n & 1) OPERATION;
}"""


@pytest.mark.parametrize("operation", ["add", "min"])
def test_only_atomics_that_commute_are_measured(operation: str) -> None:
    """Counters in global memory are those of each thread instead (`wg-private-counters`)."""
    count = 64 * 150
    ends = np.random.default_rng(2).integers(0, 40, count).astype(np.int32)
    text = COUNT.replace("OPERATION", f"atomic_{operation}(&values[n & 15], n)")
    kernel = polycl.load(text, language="cl").kernel("count")
    results: list[np.ndarray] = []
    for device in (polycl.device("cpu", threads=2), polycl.device("interp")):
        values = np.full(16, 2**31, np.uint32)
        with collect_remarks() as remarks:
            kernel(ends, values, global_size=count, local_size=64, device=device)
        if not results:
            said = " ".join(remark.message for remark in remarks)
            assert ("measured while it runs" in said) == (operation == "min")
        results.append(values)
    assert (results[0] == results[1]).all()


@pytest.mark.parametrize("step", [2, 3, 8])
def test_both_forms_of_a_border(step: int) -> None:
    """The guards of a convolution with a stride; numbers are small, so that sums are exact."""
    kernel = polycl.load(
        """
    kernel void k(global const float *v, global const float *w, global float *out, int n) {
      int g = get_global_id(0), i = g % 200;
      float s = 0;
      for (int k = 0; k < 5; k++) {
        int x = STEP * i + k - 2;
        if (x >= 0 && x < n) s += w[k] * v[x];
      }
      out[g] = s;
    }""".replace("STEP", str(step)),
        language="cl",
    ).kernel("k")
    n, groups = 150 * step, 400
    rng = np.random.default_rng(step)
    v, w = (rng.integers(0, 9, count).astype(np.float32) for count in (n, 5))
    out = np.zeros(200 * groups, np.float32)
    with collect_remarks() as remarks:
        device = polycl.device("cpu", threads=1)
        kernel(v, w, out, n, global_size=out.size, local_size=200, device=device)
    assert any("a loop reads at a stride under a mask" in str(remark) for remark in remarks)
    padded = np.concatenate([np.zeros(2), v, np.zeros(60 * step)])
    expected = [(padded[step * i : step * i + 5] * w).sum() for i in range(200)]
    np.testing.assert_array_equal(out, np.tile(expected, groups))


@pytest.mark.parametrize("n", [64, 256])
def test_both_forms_of_a_group_at_the_border(n: int) -> None:
    """How far two rotations of a text agree: work-items at the end of a text go on at its begin."""
    kernel = polycl.load(
        """
    kernel void k(global const char *text, global int *out, int n) {
      int i = get_global_id(0) % n, row = get_global_id(0) / n, k = 0;
      text += row * n;
      while (k < n && text[(i + k) % n] == text[(i + k + 3) % n]) k++;
      out[row * n + i] = k;
    }""",
        language="cl",
    ).kernel("k")
    rows = 64 * 300 // n
    text = np.random.default_rng(n).integers(0, 2, (rows, n)).astype(np.int8)
    text[5] = 1
    out = np.zeros(rows * n, np.int32)
    device = polycl.device("cpu", threads=1)
    with collect_remarks() as remarks:
        kernel(text, out, n, global_size=rows * n, local_size=64, device=device)
    # Of groups that are inside, and of parts at the border.
    assert sum("measured while it runs" in remark.message for remark in remarks) > 2
    same = np.concatenate([text == np.roll(text, -3, axis=1)] * 2, axis=1)
    same[:, 2 * n - 1] = False
    for row in range(rows):
        expected = [np.argmin(same[row, i:]) for i in range(n)]
        assert (out[row * n : (row + 1) * n] == np.minimum(expected, n)).all()
