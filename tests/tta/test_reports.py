"""Reports of ocl-run on launches on the device tta: statistics, pages, sweeps, comparisons."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from polycl.dialects.tta import to_adf
from polycl.dialects.tta.presets import minimal, paper
from polycl.errors import PolyclError
from polycl.tools.ocl_run import run
from polycl.tools.tta.run_sweep import values_of

KERNEL = """
kernel void scale(global const int *x, global int *y, int a) {
  int i = get_global_id(0);
  y[i] = x[i] + a;
}
kernel void third(global float *y) {
  y[get_global_id(0)] = 1.0f / (3 + get_global_id(0));
}
kernel void ids(global int *y) { y[get_global_id(0)] = get_global_id(0); }
"""

SCALE = (
    *("k.cl", "--kernel", "scale", "--global", "32", "--local", "8"),
    *("--arg", "x=iota:i32:32", "--arg", "y=zeros:i32:32", "--arg", "a=5"),
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.cl").write_text(KERNEL)


def page() -> dict[str, Any]:
    text = Path("s.html").read_text()
    assert "http" not in text  # nothing is loaded from a network
    found = re.search(r"^const data = (.*);$", text, re.MULTILINE)
    assert found is not None
    return json.loads(found[1])


def test_machine_list(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--machine-list"])
    out = capsys.readouterr().out
    assert out.split()[:3] == ["paper", "minimal", "wide"]
    assert re.search(r"^buses +24 +3 +32$", out, re.MULTILINE)
    assert re.search(r"^LSU +9 +1 +16$", out, re.MULTILINE)
    Path("my.adf").write_text(to_adf(paper(buses=5, multipliers=2)))
    run(["--machine-list", "--machine", "my.adf"])
    out = capsys.readouterr().out
    assert re.search(r"^buses +24 +3 +32 +5$", out, re.MULTILINE)
    assert re.search(r"^MUL +3 cycles +mul mulhi mulhiu$", out, re.MULTILINE)


def test_stats(capsys: pytest.CaptureFixture[str]) -> None:
    run([*SCALE, "--device", "tta", "--stats", "s.json"])
    stats = json.loads(Path("s.json").read_text())
    cycles = stats["cycles"]
    assert sum(block["runs"] * block["cycles"] for block in stats["blocks"]) == cycles
    assert 0 < stats["dispatch_cycles"] < cycles
    assert all(block["bound"] <= block["cycles"] for block in stats["blocks"])
    assert stats["operations"]["st32"]["count"] == 32
    assert sum(bus["count"] for bus in stats["buses"].values()) == stats["moves"]
    capsys.readouterr()
    run([*SCALE, "--device", "tta", "--stats"])
    out = capsys.readouterr().out
    assert f"cycles: {cycles}, without dispatch {cycles - stats['dispatch_cycles']}\n" in out
    assert re.search(r"^  st32 +32 ", out, re.MULTILINE)


def test_memory(capsys: pytest.CaptureFixture[str]) -> None:
    def stats(*options: str) -> dict[str, Any]:
        run([*SCALE, "--device", "tta", *options, "--stats", "s.json"])
        return json.loads(Path("s.json").read_text())

    fast, all_miss = stats(), stats("--memory", "ways=0 miss=7")
    loads_and_stores = sum(
        use["count"] for name, use in fast["operations"].items() if name[:2] in ("ld", "st")
    )
    assert all_miss["memory"] == {
        "count": loads_and_stores,
        "misses": loads_and_stores,
        "stalls": 7 * loads_and_stores,
    }
    assert all_miss["causes"] == {**fast["causes"], "memory": 7 * loads_and_stores}
    assert sum(fast["causes"].values()) == fast["cycles"] == all_miss["cycles"]
    capsys.readouterr()
    run([*SCALE, "--device", "tta", "--memory", "ways=0 miss=7", "--stats"])
    out = capsys.readouterr().out
    assert f"cycles: {fast['cycles'] + 7 * loads_and_stores}, without dispatch " in out
    assert f"memory: {loads_and_stores} accesses, {loads_and_stores} misses\n" in out


def test_a_machine_from_a_file_is_the_preset_it_was_written_from() -> None:
    Path("small.adf").write_text(to_adf(minimal()))
    found: list[Any] = []
    for machine in ("minimal", "small.adf"):
        run([*SCALE, "--device", "tta", "--machine", machine, "--stats", "s.json"])
        found.append(json.loads(Path("s.json").read_text()))
    assert found[0] == found[1]


def test_schedule() -> None:
    run([*SCALE, "--device", "tta", "--unroll", "4", "--schedule", "s.html", "--stats", "s.json"])
    data, stats = page(), json.loads(Path("s.json").read_text())
    assert data["cycles"] == stats["cycles"]
    assert sum(b["runs"] * len(b["moves"]) for b in data["blocks"]) == stats["moves"]
    for block in data["blocks"]:
        cells = [(cycle, bus) for cycle, bus, *_ in block["moves"]]
        assert len(set(cells)) == len(cells)
        assert all(cycle < block["cycles"] and bus < 24 for cycle, bus in cells)
        assert f"bound {block['bound']}, achieved {block['cycles']}" in block["text"]
    # Four work-items are next to each other: each has its store, in line 4 of the file.
    stores = [m[4] for b in data["blocks"] for m in b["moves"] if m[2].endswith(".st32")]
    assert sorted(stores) == [f"item {i}, line 4" for i in range(4)]


def test_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    sweep = ("--sweep", "buses=4..12:8", "--sweep", "unroll=1,4,3", "--plot", "s.svg")
    run([*SCALE, "--device", "tta", *sweep])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    head = "buses unroll cycles without dispatch resources dependences cost speed-up"
    assert rows[0] == head.split()
    cycles = {(row[0], row[1]): row[2] for row in rows[1:7]}
    assert list(cycles) == [(b, u) for b in ("4", "12") for u in "143"]
    assert int(cycles["12", "4"]) < int(cycles["12", "1"]) <= int(cycles["4", "1"])
    assert [row[7] for row in rows if row[:2] in (["4", "1"], ["12", "1"])] == ["1.00", "1.00"]
    # Neither bound is above the cycles; fewer buses need more.
    bounds = {(row[0], row[1]): (int(row[4]), int(row[5])) for row in (rows[1], rows[4])}
    assert all(0 < bound <= int(cycles[key]) for key, both in bounds.items() for bound in both)
    assert bounds["4", "1"][0] > bounds["12", "1"][0]
    # What cannot be is a line, too.
    assert "unroll=3 does not divide the local size 8x1x1" in " ".join(rows[3])
    texts = [e.text or "" for e in ElementTree.parse("s.svg").iter() if e.tag.endswith("text")]
    assert "5.2: DCT in [pocl15]" in texts
    assert {"buses 4", "buses 12"} <= set(texts)
    assert Path("s-cost.svg").exists()


def test_sweep_of_several_launches(capsys: pytest.CaptureFixture[str]) -> None:
    ids = (
        "--and",
        "--kernel",
        "ids",
        "--global",
        "4",
        "--local",
        "2",
        "--arg",
        "y=zeros:i32:4",
    )
    sweep = ("--sweep", "buses=4,5", "--sweep", "unroll=1,2,4", "--plot", "s.svg")
    run([*SCALE, "--device", "tta", *ids, *sweep])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["buses", "unroll", "scale", "ids", "mean", "cost", "speed-up"]
    scale, other, mean = map(int, rows[2][2:5])
    assert mean == round(math.sqrt(scale * other))
    serial = [int(cycles) for cycles in rows[1][2:4]]
    speedup = math.sqrt(serial[0] / scale * serial[1] / other)
    assert rows[2][6] == f"{speedup:.2f}" != "1.00"
    # A launch that does not run leaves the other one's cycles, and no mean.
    assert rows[3][3:5] == ["-", "-"]
    assert "ids: device 'tta': unroll=4 does not divide the local size 2x1x1" in " ".join(rows[3])
    texts = [e.text or "" for e in ElementTree.parse("s-cost.svg").iter()]
    assert "cycles, geometric mean of 2 launches" in texts
    for words, message in (
        ((*ids, "--device", "tta"), "--and: several launches are for --sweep KEY=VALUES"),
        (
            ("--device", "tta", "--and", *sweep),
            "which index space? expected --global N, NxM or NxMxK",
        ),
        (
            ("--unroll", "2", *ids, "--unroll", "4"),
            "--unroll is given twice; it holds for all launches",
        ),
    ):
        with pytest.raises(PolyclError) as error:
            run([*SCALE, *words])
        assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "values"),
    [("8..32", "8 16 32"), ("8..40", "8 16 32 40"), ("8..14:4", "8 12"), ("3,1", "3 1")],
)
def test_ranges(text: str, values: str) -> None:
    assert values_of(f"buses={text}", text, numbers=True) == values.split()


def test_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    devices = ("--device", "cpu", "--device", "tta", "--device", "interp")
    run([*SCALE, *devices, "--machine", "wide", "--compare"])
    out = capsys.readouterr().out
    assert re.search(r"^  tta +\S+ ms +\S+ ms +\d+$", out, re.MULTILINE)
    for name in ("tta", "interp"):
        assert re.search(rf"^  y +{name} +0 of 32 ", out, re.MULTILINE)


def test_a_difference_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    # The sums depend on the order of the work-items.
    Path("k.cl").write_text(
        "kernel void last(global int *y) { if (get_local_id(0) % 2) y[0] = y[0] * 3 + 1;"
        " else y[0] = y[0] + get_local_id(0); }"
    )
    launch = ["k.cl", "--global", "8", "--local", "8", "--arg", "y=zeros:i32:1"]
    run([*launch, "--device", "tta", "--device", "interp", "--compare"])
    with pytest.raises(PolyclError, match="the results of tta and cpu differ by"):
        run([*launch, "--device", "tta", "--unroll", "8", "--device", "cpu", "--compare"])
    assert re.search(r"^  y +cpu +1 of 1 ", capsys.readouterr().out, re.MULTILINE)


def test_pattern_programs_have_no_such_options() -> None:
    Path("p.mlir").write_text(
        "func.func @f(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> "
        "{ func.return %x : !pattern.array<N, f32> }"
    )
    with pytest.raises(PolyclError, match="--stats is for kernels, not for a pattern program"):
        run(["p.mlir", "--device", "interp", "--arg", "x=iota:f32:8", "--stats"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--device cpu --device tta", "2 devices need --compare; else expected one --device"),
        (
            "--device tta --compare",
            "compare with what? expected --compare DEVICE, or several --device",
        ),
        (
            "--device cpu --device tta --compare interp",
            "--compare interp: with several --device, --compare has no name, and follows FILE",
        ),
        ("--device tta --device tta --compare", "--device: a device is named twice: tta, tta"),
        ("--device cpu --stats", "--stats: expected --device tta as the first, got cpu"),
        (
            "--device tta --stats s.txt",
            "--stats s.txt: expected a name that ends in .json; FILE comes before --stats",
        ),
        ("--device tta --schedule s.svg", "--schedule s.svg: expected a name that ends in .html"),
        (
            "--device tta --schedule no/s.html",
            "cannot write 'no/s.html': there is no folder 'no'",
        ),
        (
            "--device tta --machine paeper",
            "device 'tta': there is no machine 'paeper'; expected paper, minimal, wide, or the "
            "name of an .adf file",
        ),
        (
            "--device tta --machine no.adf",
            "device 'tta': cannot open 'no.adf': No such file or directory",
        ),
        (
            "--device tta --machine no.adf --buses 3",
            "device 'tta': the ADF file specifies the buses",
        ),
        (
            "--device cpu --machine wide",
            "device 'cpu' has no option 'machine'; its options: threads, contract, debug_info, "
            "disable, inlining_budget, any_size, check",
        ),
        ("--device cpu --sweep buses=1..2", "--sweep: expected --device tta, got cpu"),
        ("--device tta --sweep buses", "--sweep buses: expected KEY=VALUES, such as buses=8..32"),
        (
            "--device tta --sweep busses=2",
            "--sweep busses=2: unknown key 'busses'; did you mean 'buses'? (the keys: buses, "
            "multipliers, machine, wg_method, unroll, pipeline_loops)",
        ),
        (
            "--device tta --sweep buses=x",
            "--sweep buses=x: expected 8..32, 8..32:4 or 8,16,24",
        ),
        (
            "--device tta --sweep buses=9..3",
            "--sweep buses=9..3: expected a range that begins above 0 and grows",
        ),
        (
            "--device tta --sweep wg-method=loop",
            "--sweep wg-method=loop: unknown method 'loop'; did you mean 'loops'?",
        ),
        (
            "--device tta --sweep buses=4 --buses 3",
            "--sweep buses=...: --buses is given, too",
        ),
        (
            "--device tta --sweep buses=4 --print y",
            "--sweep shows cycles only: --print does not go with it",
        ),
        (
            "--device tta --sweep unroll=3",
            "--sweep: no variant runs; the first: device 'tta': unroll=3 does not divide the "
            "local size 8x1x1",
        ),
    ],
)
def test_mistakes(options: str, message: str) -> None:
    with pytest.raises(PolyclError) as error:
        run([*SCALE, *options.split()])
    assert str(error.value) == message
    assert [p.name for p in Path().iterdir()] == ["k.cl"]
