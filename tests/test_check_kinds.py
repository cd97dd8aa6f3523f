"""Checks of some kinds only: what is found, what is left out, and how they are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import polycl
from polycl.backends.interp.checks import KINDS, CheckError
from polycl.tools.check_picture import COLOURS
from polycl.tools.driver import run_tool
from polycl.tools.ocl_run import run

SOURCE = """
kernel void k(global int *x, global int *y, int n) {
  local int tile[8];
  int l = get_local_id(0), set;
  tile[l] = x[l];
  y[l] = tile[7 - l];
  y[l + n] = 1 / x[l];
  if (x[0] > 5) set = 1;
  y[0] = set;
}
"""
ALL = {"race", "bounds", "division", "uninitialised"}


def kinds_found(device: str, check: Any) -> set[str]:
    x, y = np.arange(8, dtype=np.int32), np.zeros(12, np.int32)
    try:
        polycl.load(SOURCE).kernel("k")(
            x, y, 6, global_size=8, local_size=8, device=polycl.device(device, check=check)
        )
    except CheckError as error:
        return {finding.kind for finding in error.findings}
    return set()


@pytest.mark.parametrize("device", ["cpu", "interp"])
@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (True, ALL),
        ("all", ALL),
        ("race", {"race"}),
        ("races", {"race"}),
        (["bounds"], {"bounds"}),
        ("bounds, divisions", {"bounds", "division"}),
        (("uninitialised",), {"uninitialised"}),
        (["shift"], set()),
    ],
)
def test_only_what_is_wanted_is_found(device: str, check: Any, expected: set[str]) -> None:
    assert kinds_found(device, check) == expected


@pytest.mark.parametrize("device", ["cpu", "interp"])
@pytest.mark.parametrize("check", ["racing", ["race", "bound"], ""])
def test_unknown_kinds(device: str, check: Any) -> None:
    with pytest.raises(polycl.ArgumentError, match=f"the kinds: {', '.join(KINDS)}"):
        polycl.device(device, check=check)


def test_findings_of_ocl_run_as_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kernel, sarif = tmp_path / "k.cl", tmp_path / "k.sarif"
    kernel.write_text(SOURCE)
    arguments = [str(kernel), "--sarif", str(sarif), "--global", "8", "--local", "8"]
    arguments += ["--arg", "x=iota:i32:8", "--arg", "y=zeros:i32:12", "--arg", "n=6"]
    found: list[list[str]] = []
    for check in ("--check", "--check=races,bounds", "--check=shift"):
        failed = run_tool("ocl-run", lambda check=check: run([check, *arguments]))
        assert failed == (check != "--check=shift")
        results = json.loads(sarif.read_text())["runs"][0]["results"]
        found.append(sorted(result["ruleId"] for result in results))
    assert [set(kinds) for kinds in found] == [ALL, {"race", "bounds"}, set()]
    assert "error: data race" in capsys.readouterr().err


def test_sarif_needs_checks(tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(SOURCE)
    with pytest.raises(polycl.PolyclError, match="--sarif needs --check"):
        run([str(tmp_path / "k.cl"), "--sarif", "k.sarif", "--global", "8"])


GATHER = """kernel void gather(global const int *at, global float *x, global float *y, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int j = 0; j < n; j++) sum += x[j];
  y[at[i]] = sum + x[at[n]];
}
"""


def test_what_is_proved_is_said_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.cl").write_text(GATHER)
    arguments = "--global 64 --local 64 --arg at=iota:i32:64 --arg x=rand:f32:64".split()
    arguments += "--arg y=like:x --arg n=32".split()
    run(["--check", "k.cl", "--remarks", "--plot", "k.svg", *arguments])
    out, err = capsys.readouterr()
    assert "no errors found; 5 accesses: 3 proved, 2 checked" in out
    assert (
        "k.cl:4:38: remark: read of 'x' needs no check: all work-items are inside of it, and "
        "nothing writes it [ocl-insert-checks]"
    ) in err
    assert (
        "k.cl:5:3: remark: write of 'y' is checked: a work-item may be outside of it, and "
        "work-items may race on it [ocl-insert-checks]"
    ) in err
    run(["--check=bounds", "k.cl", "--remarks", *arguments])
    assert (
        "k.cl:5:3: remark: write of 'y' is checked: a work-item may be outside of it "
        "[ocl-insert-checks]"
    ) in capsys.readouterr().err
    lines = ElementTree.parse("k.svg").getroot().iter("{http://www.w3.org/2000/svg}g")
    fills = {
        group.findtext("{*}text", ""): rect.get("fill")
        for group in lines
        if (rect := group.find("{*}rect")) is not None
    }
    assert [text.split()[0] for text in fills] == ["4", "5"]
    assert list(fills.values()) == [COLOURS["proved"], COLOURS["checked"]]


def test_what_the_interpreter_checks_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cl").write_text(GATHER)
    arguments = [str(tmp_path / "k.cl"), *"--global 64 --local 64 --arg at=iota:i32:64".split()]
    arguments += "--arg x=rand:f32:64 --arg y=like:x --arg n=32".split()
    run(["--check-strict", *arguments])
    assert "no errors found, by the interpreter: strict checks" in capsys.readouterr().out
    with pytest.raises(polycl.PolyclError, match="nothing to draw: the interpreter checks"):
        run(["--check-strict", *arguments, "--plot", "k.svg"])
    with pytest.raises(polycl.PolyclError, match="expected the name of an .svg file"):
        run(["--check", *arguments, "--plot", "k.png"])
