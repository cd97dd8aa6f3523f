"""`ocl-run --explain` names the causes of slow kernels at their lines, and no cause of good ones.

Each file of tests/explain has a slow form, with a comment `// explain: CAUSE` on its line, and the
form that the advice leads to. Nothing here is timed: `python -m bench.explain` does that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.launches import Launch, all_launches, launches_of, sampled

import polycl
from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu.machine_limits import Level, MachineLimits
from polycl.backends.device import Executable, KernelArg, NDRange
from polycl.runtime.explain import Explanation
from polycl.runtime.explain.causes import CAUSES
from polycl.tools.ocl_run import run

FOLDER = Path(__file__).parent / "explain"
FILES = sorted(FOLDER.glob("*.cl"))
_MARK = re.compile(r"// explain: (\S+)")


@pytest.fixture(autouse=True)
def _a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that do not depend on the machine and the moment."""
    levels = (
        Level("L1", 32 << 10, 280.0),
        Level("L2", 1 << 20, 170.0),
        Level("L3", 16 << 20, 130.0),
        Level("memory", 0, 40.0),
    )
    machine = MachineLimits(2, levels, 230.0, 2.8e-10)
    monkeypatch.setattr("polycl.runtime.explain.explanation.machine_limits", lambda _: machine)


class _Nothing(Executable):
    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        raise AssertionError("an explanation runs nothing")


class _Passes(CpuDevice):
    """The device `cpu` without machine code: no explanation needs it."""

    def _cache(self) -> None:
        return None

    def compile(self, *_: object) -> _Nothing:  # pyright: ignore[reportIncompatibleMethodOverride]
        return _Nothing()


def explained(launch: Launch) -> Explanation:
    return launch.bound(_Passes(threads=2)).explain()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_cause_is_named_at_its_line(path: Path) -> None:
    slow, _ = launches_of(path)
    lines = path.read_text().splitlines()
    marked = {(cause, n) for n, text in enumerate(lines, 1) for cause in _MARK.findall(text)}
    found = explained(slow)
    assert {(a.cause, a.location[1]) for a in found.advice} == marked
    text = str(found)
    for advice in found.advice:
        assert advice.message in text
        assert advice.remedy in text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_advised_form_has_that_cause_no_more(path: Path) -> None:
    slow, advised = launches_of(path)
    causes = set(_MARK.findall(path.read_text()))
    found = {advice.cause for advice in explained(advised).advice}
    assert not found & causes, slow


def test_each_cause_is_tested_or_in_the_documentation() -> None:
    page = (Path(__file__).parents[1] / "docs" / "explain.md").read_text()
    tested = {cause for path in FILES for cause in _MARK.findall(path.read_text())}
    assert len(tested) >= 12
    for cause in CAUSES:
        assert f"`{cause.name}`" in page
    assert tested <= {cause.name for cause in CAUSES}


KERNELS = Path(__file__).parent / "kernels"


@pytest.mark.parametrize("launch", sampled(all_launches(KERNELS), 24, 5))
def test_any_kernel_is_explained(launch: Launch) -> None:
    found = explained(launch)
    assert str(found)
    assert found.data()
    assert sum(place.share for place in found.facts.places) <= 1.0001


def _explain(source: str, *args: object, **sizes: object) -> Explanation:
    kernel = next(iter(polycl.load(source).kernels.values()))
    return kernel.bind(*args, **sizes, device=_Passes(threads=2)).explain()  # pyright: ignore[reportArgumentType]


def test_a_distance_that_an_argument_decides_is_that_of_the_launch() -> None:
    source = """kernel void k(global float *x, global float *y, int w) {
      int i = get_global_id(0);
      for (int j = 0; j < 4; j++)
        y[i] += x[i * w + 3 * j];
    }"""
    x, y = np.ones(64 * 40, np.float32), np.ones(64, np.float32)
    found = _explain(source, x, y, 37, global_size=64)
    reads = [p for p in found.facts.places if (p.kind, p.array) == ("read", "x")]
    assert [(p.neighbours, p.iterations) for p in reads] == [(4 * 37, 12)]


def test_integers_in_memory_that_nobody_writes_are_known() -> None:
    """A sparse product: rows of known lengths, columns of a band."""
    source = """kernel void k(global const int *row, global const int *col, global const float *x,
                              global float *y) {
      int i = get_global_id(0);
      float sum = 0;
      for (int k = row[i]; k < row[i + 1]; k++)
        sum += x[col[k]];
      y[i] = sum;
    }"""
    row = np.arange(257, dtype=np.int32) * 6
    col = np.repeat(np.arange(256, dtype=np.int32), 6)
    x, y = np.ones(300, np.float32), np.zeros(256, np.float32)
    found = _explain(source, row, col, x, y, global_size=256)
    loop = next(p for p in found.facts.places if p.kind == "loop")
    assert (loop.taken, loop.mixed, found.facts.complete) == (pytest.approx(6), 1, True)
    gathered = next(p for p in found.facts.places if p.array == "x")
    assert (gathered.neighbours, gathered.iterations) == (4, 0)
    assert gathered.times == pytest.approx(6)


def test_a_plain_kernel_gets_no_advice() -> None:
    source = "kernel void k(global float *x) { x[get_global_id(0)] *= 0.5f; }"
    assert not _explain(source, np.ones(1 << 16, np.float32), global_size=1 << 16).advice


def test_an_explicit_double_is_no_accident() -> None:
    source = """kernel void k(global const float *x, global double *y) {
      int i = get_global_id(0);
      y[i] = x[i] * 0.1;
    }"""
    x, y = np.ones(4096, np.float32), np.ones(4096)
    assert not _explain(source, x, y, global_size=4096).advice


def test_a_barrier_between_a_write_and_a_read_is_needed() -> None:
    source = """kernel void k(global float *x) {
      local float tile[64];
      int l = get_local_id(0);
      tile[l] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = tile[63 - l];
    }"""
    x = np.ones(64 * 64, np.float32)
    assert not _explain(source, x, global_size=64 * 64, local_size=64).advice


def test_other_devices_are_refused() -> None:
    kernel = polycl.load("kernel void k(global int *x) { x[0] = 1; }").kernel("k")
    bound = kernel.bind(np.zeros(1, np.int32), global_size=1, device="interp")
    with pytest.raises(polycl.ArgumentError, match="expected device 'cpu'"):
        bound.explain()


def test_the_command_writes_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "k.cl"
    file.write_text("kernel void k(global float *x) { x[16 * get_global_id(0)] = 1.0f; }")
    words = f"{file} --global 65536 --arg x=zeros:f32:1048576 --explain {tmp_path / 'k.json'}"
    run(words.split())
    assert "wrote" in capsys.readouterr().out
    data = json.loads((tmp_path / "k.json").read_text())
    assert [(advice["cause"], advice["line"]) for advice in data["advice"]] == [("strided", 1)]
    assert data["cost"] == {
        "integer": "[global size x]",
        "bytes written to x": "4 [global size x]",
    }


def test_the_command_times_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a loop that takes all of the time; or the message where there are no samples."""
    file = tmp_path / "k.cl"
    file.write_text(
        "kernel void k(global float *x) {\n"
        "  float y = x[get_global_id(0)];\n"
        "  for (int i = 0; i < 2000; i++)\n"
        "    y = y * 0.5f + sqrt(y);\n"
        "  x[get_global_id(0)] = y;\n"
        "}\n"
    )
    refusal = ""
    try:
        run(f"{file} --global 4096 --arg x=rand:f32:4096 --annotate".split())
    except polycl.PolyclError as error:
        refusal = str(error)
    text = capsys.readouterr().out
    if refusal:
        assert "perf_event" in refusal or "lines are timed" in refusal
        return
    shares = {
        int(match[2]): float(match[1])
        for match in re.finditer(r"^ +([0-9.]+)% +[0-9.]+ +([0-9]+) \|", text, re.M)
    }
    assert max(shares, key=lambda line: shares[line]) == 4


def test_two_forms_are_named() -> None:
    """No estimate says how long lanes wait for the slowest one: the program measures both forms."""
    found = _explain(
        """kernel void k(global int *n, global int *x) {
             int i = get_global_id(0), s = i;
             while (s % 7 != n[i]) s = s * 5 + 1;
             x[i] = s;
           }""",
        np.full(64, 3, np.int32),
        np.zeros(64, np.int32),
        global_size=64,
    )
    assert "vectors and one by one, measured while it runs" in str(found)
