"""The explorer: the data of its page, and the page as a file."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from launches import sampled
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.mlir_printer import MLIRPrinter
from polycl.backends.pipeline import run_passes
from polycl.errors import ArgumentError, PolyclError, SourceError
from polycl.runtime.explorer.changes import changes
from polycl.runtime.explorer.launches import Launch
from polycl.runtime.explorer.levels import Level
from polycl.runtime.explorer.page import Page, explored
from polycl.tools.polycl import run

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ["blur", "mandelbrot", "matmul", "nbody", "reduce", "saxpy"]


@cache
def page_of(name: str) -> Page:
    path = ROOT / "examples" / f"{name}.cl"
    return explored(
        polycl.load(path), path.read_text(), None, Launch(), polycl.device("cpu", threads=1)
    )


class Script(HTMLParser):
    """Finds the data in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.scripts = 0
        self._is_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self._is_data = tag == "script" and dict(attrs).get("id") == "data"

    def handle_endtag(self, tag: str) -> None:
        self._is_data = False

    def handle_data(self, data: str) -> None:
        self.text += data if self._is_data else ""


def data_in(html: str) -> dict[str, Any]:
    script = Script()
    script.feed(html)
    assert script.scripts == 2
    return json.loads(script.text)


@pytest.mark.parametrize("name", sampled(KERNELS, 3))
def test_the_levels_are_what_ocl_opt_prints_after_each_pass(name: str):
    page = page_of(name)
    kernel = polycl.load(ROOT / "examples" / f"{name}.cl").kernel(page.kernel)
    passes = polycl.device("cpu", threads=1).own_passes(page.launch.ndrange(kernel))
    assert page.error is None
    names = ["import", *(step.name for step in passes), "LLVM IR", "assembly"]
    assert [level.name for level in page.levels] == names
    module = only_kernel(kernel.module, kernel.name)
    for step, level in zip(passes, page.levels[1:], strict=False):
        run_passes(module, (step,))
        text = StringIO()
        MLIRPrinter(text).print_op(module)
        assert "\n".join(line.text for line in level.lines) == text.getvalue()


@pytest.mark.parametrize("name", KERNELS)
def test_lines_lead_to_every_level_and_back(name: str):
    """A line that writes global memory is on each level; each line of a level is of the source."""
    page = page_of(name)
    source = page.source.split("\n")
    writes = {b.location[1] for b in page.behaviours if b.what.startswith("write of")}
    assert writes
    for level in page.levels:
        lines = {line.source for line in level.lines}
        assert writes <= lines, level.name
        assert lines <= {*range(len(source) + 1)}
        # What is on a line of its own in the source and does nothing is on no level.
        assert not any(source[line - 1].strip() in ("", "}") for line in lines if line)


def test_a_line_of_llvm_ir_and_of_assembly_has_the_line_of_its_operation():
    page = page_of("saxpy")
    (store,) = [i for i, line in enumerate(page.source.split("\n"), 1) if "y[i] = " in line]
    for name, word in (("LLVM IR", "store <"), ("assembly", "movups\t%")):
        (level,) = [level for level in page.levels if level.name == name]
        found = [line for line in level.lines if word in line.text and "declare" not in line.text]
        assert {line.source for line in found} == {store}
        assert not any("!dbg" in line.text or ".loc" in line.text for line in level.lines)


def plain(line: str) -> str:
    """A line without the names of values and its indentation."""
    return re.sub(r"[%^][\w.$-]+", "", line).strip()


def old_of(level: Level) -> list[str]:
    """The text before a level, by what its pass removed and added."""
    old: list[str] = []
    removed = list(level.removed)
    for i in range(len(level.lines) + 1):
        while removed and removed[0][0] == i:
            old.append(removed.pop(0)[1].text)
        if i < len(level.lines) and i not in level.added:
            old.append(level.lines[i].text)
    return old


@pytest.mark.parametrize("name", KERNELS)
def test_without_its_changes_a_level_is_the_one_before_it(name: str):
    levels = [level for level in page_of(name).levels if level.form != "machine"]
    for before, level in zip(levels, levels[1:], strict=False):
        assert list(map(plain, old_of(level))) == [plain(line.text) for line in before.lines]


@pytest.mark.parametrize(
    ("before", "after", "added", "removed"),
    [
        ("    %0 = f %a\n    g %0", "    %1 = f %a\n    g %1", set(), []),
        ("    %0 = f %a\n    g %0, %a", "    %0 = f %a\n    g %a, %0", {1}, [(1, 1)]),
        ("f %a\ng %a", "f %a\nh %b\ng %a", {1}, []),
        ("f %a\ng %a", "g %a", set(), [(0, 0)]),
        ("f\nloop {\ng\n}", "f\nloop {\nloop {\ng\n}\n}", {1, 5}, []),
        ("  f {\n    g", "  loop {\n    f {\n      g", {0}, []),
        # Names of another function say nothing.
        (
            "  func @f\n    g %0\n  func @h\n    g %0",
            "  func @f\n    g %0\n  func @h\n    g %1",
            set(),
            [],
        ),
    ],
)
def test_changes(before: str, after: str, added: set[int], removed: list[tuple[int, int]]):
    found = changes(before.split("\n"), after.split("\n"))
    assert (set(found.added), list(found.removed)) == (added, removed)


def test_the_page_has_the_data_and_nothing_of_the_source_is_read_as_html():
    text = (
        'kernel void f(global int *x) { // </script><b>"&amp; <!-- \\ DATA TOKEN\n'
        '  if (x[0] < 1 && x[1] > 2) printf("<i>%d</i>", x[2]);\n}\n'
    )
    page = explored(polycl.load(text), text, None, Launch(), polycl.device("cpu", threads=1))
    html = page.html()
    assert "</script><b>" not in html
    assert "<i>%d" not in html
    data = data_in(html)
    assert "\n".join(data["source"]) == text
    assert data == json.loads(json.dumps(page.data()))
    lines = [data["lines"][number] for number in data["levels"][0]["lines"]]
    assert [text for text, line in lines if line == 2 and "<i>%d</i>" in text]


def test_behaviours_by_the_strides_of_neighbours():
    text = """
kernel void f(global float *a, global float *b, global int *i, int n) {
  int x = get_global_id(0);
  b[x] = a[0];
  b[2 * x] = a[n * x];
  b[i[x]] = 1;
  if (x < n)
    b[n] = 2;
  for (int j = 0; j < n; ++j)
    b[j] += 1;
  for (int j = 0; j < x; ++j)
    b[j] += 1;
}
"""
    page = explored(polycl.load(text), text, None, Launch(), polycl.device("cpu", threads=1))
    found = [(b.location[1], b.what, b.kind) for b in page.behaviours]
    assert found[:9] == [
        (4, "read of a", "uniform"),
        (4, "write of b", "consecutive"),
        (5, "read of a", "strided"),
        (5, "write of b", "strided"),
        (6, "read of i", "consecutive"),
        (6, "write of b", "scattered"),
        (7, "branch", "divergent"),
        (8, "write of b", "uniform"),
        (9, "loop", "uniform"),
    ]
    assert (11, "loop", "divergent") in found


def test_remarks_have_their_line_and_pass():
    page = page_of("blur")
    data = page.data()
    names = {level["name"] for level in data["levels"]}
    assert any(r["pass_name"] == "wg-vectorize" and r["line"] == 4 for r in data["remarks"])
    assert {r["pass_name"] for r in data["remarks"]} <= names | {"explain"}
    assert any(r["pass_name"] == "explain" and r["line"] == 9 for r in data["remarks"])


def test_a_pass_that_refuses_ends_the_levels_with_its_error():
    text = (
        "kernel void f(global int *x) {\n  x[0] = work_group_reduce_add(1) + get_local_id(0);\n}\n"
    )
    program = polycl.load(text, ["-cl-std=CL3.0"])
    page = explored(program, text, None, Launch(), polycl.device("tta"))
    assert page.error is not None
    where, error = page.error
    assert isinstance(error, SourceError)
    names = [
        step.name
        for step in polycl.device("tta").own_passes(page.launch.ndrange(program.kernel("f")))
    ]
    assert where == names[len(page.levels) - 1]
    assert page.data()["error"]["line"] == 2


def test_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "page.html"
    blur = str(ROOT / "examples" / "blur.cl")
    run(["explorer", blur, "--global", "64x16", "--local", "16x4", "--export", str(file)])
    assert capsys.readouterr().out == f"wrote {file}\n"
    data = data_in(file.read_text(encoding="utf-8"))
    assert data["launch"] == {
        "global": "64x16",
        "local": "16x4",
        "offset": "",
        "args": [],
        "guessed": False,
        "group": "0x0x0",
        "size": [16, 4, 1],
    }
    with pytest.raises(PolyclError, match="cannot write"):
        run(["explorer", blur, "--export", str(tmp_path / "no" / "page.html")])


def test_traces_are_what_each_work_item_of_a_group_does():
    text = """
kernel void f(global int *x, global int *y, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  if (l < 2)
    y[i] = x[2 * l];
  for (int j = 0; j < l; ++j)
    y[n - i - j] += 1;
}
"""
    values = {"x": np.zeros(8, np.int32), "y": np.zeros(16, np.int32), "n": 15}
    launch = Launch((8,), (4,), None, values, group=(1, 0, 0))
    page = explored(polycl.load(text), text, None, launch, polycl.device("cpu", threads=1))
    kinds = {(b.location[1], b.what): i for i, b in enumerate(page.behaviours)}
    assert page.traces[kinds[4, "branch"]] == [[1, 1, 0, 0]]
    assert page.traces[kinds[5, "read of x"]] == [[0, 8, None, None]]
    assert page.traces[kinds[5, "write of y"]] == [[16, 20, None, None]]
    assert page.traces[kinds[6, "loop"]] == [[0, 1, 2, 3]]
    times = page.traces[kinds[7, "write of y"]]
    assert times == [
        [None, 40, 36, 32],
        [None, None, 32, 28],
        [None, None, None, 24],
    ]
    assert not values["y"].any()
    other = replace(launch, group=(2, 0, 0))
    with pytest.raises(ArgumentError, match="no work-group"):
        explored(polycl.load(text), text, None, other, polycl.device("cpu", threads=1))


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_proven_of_neighbours_is_what_they_do(name: str):
    """The trace of an access that is uniform or consecutive, of a kernel's own launch."""
    page = page_of(name)
    nx = page.group_size[0]
    checked = 0
    for behaviour, trace in zip(page.behaviours, page.traces, strict=True):
        steps = {"uniform": (0,), "consecutive": (behaviour.size, -behaviour.size)}
        if behaviour.kind not in steps:
            continue
        for values in trace:
            for item in range(1, len(values)):
                near, value = values[item - 1], values[item]
                if item % nx and near is not None and value is not None:
                    assert value - near in steps[behaviour.kind], behaviour
                    checked += 1
    assert checked


def test_a_trace_of_a_group_that_fails_ends_there():
    text = "kernel void f(global int *x) { x[get_local_id(0) / 2] = 1; x[8] = 1; }"
    launch = Launch((4,), (4,), None, {"x": np.zeros(4, np.int32)})
    page = explored(polycl.load(text), text, None, launch, polycl.device("cpu", threads=1))
    assert page.traces == [[[0, None, None, None]], [[32, None, None, None]]]


def test_the_schedule_of_a_tta_is_the_last_level():
    path = ROOT / "examples" / "saxpy.cl"
    values = {"x": np.ones(8, np.float32), "y": np.ones(8, np.float32), "a": 2.0}
    device = polycl.device("tta")
    launch = Launch((8,), (4,), None, values)
    page = explored(polycl.load(path), path.read_text(), None, launch, device)
    assert page.error is None
    last = device.own_passes(launch.ndrange(polycl.load(path).kernel("saxpy")))[-1].name
    assert page.levels[-2].name == last
    assert page.levels[-1].name == "schedule"
    assert "saxpy: " in page.levels[-1].html
    assert data_in(page.html())["levels"][-1]["html"] == page.levels[-1].html
    # Without arguments there is no launch that could be counted.
    page = explored(polycl.load(path), path.read_text(), None, Launch((8,), (4,)), device)
    assert page.levels[-1].name == last
