"""`python -m bench` measures, checks the results, and writes what it found."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bench import corpus
from bench.costs import rank_correlation
from bench.idioms.computations import COMPUTATIONS
from bench.idioms.forms import computations
from bench.polycl_runtime import PolyclRuntime
from bench.protocol import Build

ROOT = Path(__file__).resolve().parent.parent


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.timeout(120)
def test_a_case_is_measured_and_checked(tmp_path: Path):
    figures, plot = tmp_path / "figures.json", tmp_path / "roofline.png"
    files = ["--json", str(figures), "--plot", str(plot)]
    done = bench("saxpy-64K", "--threads", "1", "--rounds", "1", *files)
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(figures.read_text())["results"]
    assert result["failures"] == []
    assert result["checked_against"] == "numpy"
    ours = {time["form"]: time for time in result["times"] if time["runtime"] == "polycl"}
    assert set(ours) == {"int", "size_t"}
    assert all(0 < time["minimum"] <= time["median"] for time in ours.values())


@pytest.mark.timeout(120)
def test_a_pass_is_left_out_and_a_stopped_run_goes_on(tmp_path: Path):
    figures = tmp_path / "figures.json"
    wanted = ["saxpy-64K", "--ablate", "--json", str(figures)]
    done = bench(*wanted, "--without", "wg-vectorize")
    assert done.returncode == 0, done.stderr
    ratios = json.loads(figures.read_text())
    assert all(set(passes) == {"wg-vectorize"} for passes in ratios.values())
    assert any(passes["wg-vectorize"] for passes in ratios.values())
    # What was measured stays as it is.
    marked = {launch: {"wg-vectorize": 2.0} for launch in ratios}
    figures.write_text(json.dumps(marked))
    done = bench(*wanted, "--without", "wg-vectorize", "--without", "sink-stores")
    assert done.returncode == 0, done.stderr
    expected = {launch: {"wg-vectorize": 2.0, "sink-stores": None} for launch in ratios}
    assert json.loads(figures.read_text()) == expected


def test_passes_that_change_nothing_are_known(tmp_path: Path):
    """Code without one of them is the same."""
    source = tmp_path / "add.cl"
    source.write_text(
        "kernel void add(global int *y, global const int *x, int w, int h) {\n"
        "  int i = get_global_id(0), j = get_global_id(1);\n"
        "  if (i < w && j < h) y[j * w + i] += x[j * w + i];\n"
        "}\n"
    )
    runtime = PolyclRuntime("1")
    y, x = np.ones((2, 64, 64), np.int32)
    runtime.load([y, x, np.int32(60), np.int32(60)])
    build = Build(str(source), (), "add", (64, 64), (8, 8))
    _, changing = runtime.prepare_noting(build)
    assert {"ocl-free-groups", "wg-split-guards", "wg-vectorize"} <= set(changing)
    code = runtime.code
    others = {"split-structs", "index-by-counter", "wg-split-borders", "wg-jam", "wg-mask-rows"}
    assert not others & set(changing)
    runtime.prepare(replace(build, without=tuple(sorted(others))))
    assert runtime.code == code
    runtime.prepare(replace(build, without=("wg-vectorize",)))
    assert runtime.code != code


@pytest.mark.timeout(120)
def test_launches_of_a_folder_are_measured(tmp_path: Path):
    (tmp_path / "twice.cl").write_text(
        "// LAUNCH: global=1024 local=64 args: x=rand:f32:1024 n=1024\n"
        "// LAUNCH: global=1024 offset=64 args: x=rand:f32:1088 n=1024\n"
        "kernel void twice(global float *x, int n) {\n"
        "  for (int i = get_global_id(0); i < n; i += get_global_size(0)) x[i] *= 2;\n"
        "}\n"
    )
    figures = tmp_path / "figures.json"
    wanted = ["empty-1", "--ablate", "--json", str(figures), "--without", "wg-vectorize"]
    done = bench(*wanted, "--kernels", str(tmp_path))
    assert done.returncode == 0, done.stderr
    ratios = json.loads(figures.read_text())
    assert ratios["twice:1"]["wg-vectorize"]
    assert "twice:2" not in ratios


@pytest.mark.timeout(120)
def test_estimates_are_compared_with_times():
    done = bench("blend", "--costs")
    assert done.returncode == 0, done.stderr
    assert "blend form 0 64, wg-vectorize: " in done.stdout
    assert "`wg-vectorize`: 2 launches, rank correlation" in done.stdout


def test_rank_correlation():
    assert rank_correlation([(1, 10), (2, 20), (3, 1000)]) == pytest.approx(1)
    assert rank_correlation([(1, 3), (2, 2), (3, 1)]) == pytest.approx(-1)
    assert rank_correlation([(1, 1), (2, 3), (3, 2), (4, 4)]) == pytest.approx(0.8)


def test_an_unknown_case_is_an_error():
    done = bench("saxpi")
    assert done.returncode == 2
    assert "no such case: saxpi" in done.stderr


def test_math_functions_are_measured_beside_the_library(tmp_path: Path):
    figures = tmp_path / "math.json"
    done = bench("--math", "exp", "atan2", "--json", str(figures))
    assert done.returncode == 0, done.stderr
    rows = json.loads(figures.read_text())["functions"]
    assert [(row["function"], row["type"]) for row in rows] == [
        ("exp", "float"), ("exp", "double"), ("atan2", "float"), ("atan2", "double")
    ]  # fmt: skip
    assert all(0 < row["cycles"] < row["libm_cycles"] for row in rows)


def test_an_unknown_math_function_is_an_error():
    done = bench("--math", "expp")
    assert done.returncode == 2
    assert "no such function: expp" in done.stderr


def test_corpus_puts_files_together_and_reports_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "sums"
    folder.mkdir()
    (folder / "common.opencl").write_text('R"(\ntypedef float real;\n)"\n')
    (folder / "sum.opencl").write_text(
        '// A raw string of C++.\nR"(\n'
        'kernel void sum(global real *x) { x[get_global_id(0)] += N; }\n)"\n'
    )
    (folder / "blocks.opencl").write_text('kernel void k(global int *o) { asm(""); }\n')
    (folder / "broken.opencl").write_text("kernel void k(global int *o) { o = ; }\n")
    project = corpus.Project(
        "sums", "someone/sums", ["*.opencl"], ["common.*"], {"sum*": ["common.*"]}, "-DN=2"
    )
    monkeypatch.setattr(corpus, "projects", lambda: [project])
    assert corpus.main([str(tmp_path), "--results", "--jobs", "1"]) == 1
    out = capsys.readouterr().out
    assert "| sums | 3 | 2 | 1 | 1 | 2 |" in out
    assert "| 1 | import: inline assembly is not supported | sums/blocks.opencl:1 |" in out
    assert "1 kernels have the same results on interp and cpu" in out


@pytest.mark.timeout(120)
def test_forms_of_a_computation_are_measured_and_checked(tmp_path: Path):
    figures, plot = tmp_path / "figures.json", tmp_path / "heat_map.png"
    command = [
        sys.executable,
        "-m",
        "bench.idioms",
        "sort-step",
        "--form",
        "int",
        "--form",
        "select",
    ]
    command += ["--rounds", "1", "--json", str(figures), "--plot", str(plot)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "| sort-step | 2 |" in done.stdout
    times = json.loads(figures.read_text())["sort-step"]["polycl"]
    assert set(times) == {"int", "select"}
    assert all(seconds > 0 for seconds in times.values())


def test_each_computation_has_data_and_at_least_twelve_forms():
    found = {each.name: len(each.builds) for each in computations()}
    assert set(found) == set(COMPUTATIONS)
    assert len(found) >= 15
    assert min(found.values()) >= 12
