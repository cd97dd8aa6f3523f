"""`--check-each-pass` of ocl-opt and ocl-run, with a pass that is wrong."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from broken_pass import BreakPass
from polycl.tools import ocl_opt, ocl_run
from polycl.universe import UNIVERSE

TEXT = """\
kernel void k(global const float *x, global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] - F * y[i];
}
"""

FINDING = (
    "k.cl:4:5: error: pass 'test-break' changed what kernel 'k' does: y[0] was -2.0 before the "
    "pass and is 2.0 after it (1 of 1 elements differ)\n"
    "note: the smallest launch found: --kernel k --global 1 --local 1 --arg x=zeros:f32:1 "
    "--arg y=values:f32:1.0 --arg n=1\n"
)
AGAIN = "note: to see it again: "


@pytest.fixture(autouse=True)
def _broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(UNIVERSE.all_passes, "test-break", lambda: BreakPass)
    monkeypatch.chdir(tmp_path)
    Path("k.cl").write_text(TEXT)


def run(monkeypatch: pytest.MonkeyPatch, command: str) -> int:
    prog, *arguments = shlex.split(command)
    monkeypatch.setattr(sys, "argv", [prog, *arguments])
    with pytest.raises(SystemExit) as caught:
        (ocl_opt if prog == "ocl-opt" else ocl_run).main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_ocl_opt_names_the_pass_and_how_to_see_it_again(capsys, monkeypatch):
    command = "ocl-opt k.cl -DF=2.0f -p 'inline-functions,test-break{how=swap},cse'"
    assert run(monkeypatch, f"{command} --check-each-pass") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(FINDING)
    again = err.removeprefix(FINDING)
    assert again.startswith(AGAIN)
    assert run(monkeypatch, again.removeprefix(AGAIN)) == 1
    out, err = capsys.readouterr()
    assert "y: 1 of 1 elements differ" in out
    assert err.startswith("ocl-run: error: the results of interp and interp differ by ")


def test_ocl_opt_says_what_was_checked(capsys, monkeypatch):
    command = "ocl-opt k.cl -D F=2.0f -p inline-functions,ocl-to-wg --check-each-pass"
    assert run(monkeypatch, command) == 0
    out, err = capsys.readouterr()
    assert "wg.func @k" in out
    expected = "kernel 'k': 6 launches give the same after each of 2 passes\n"
    assert err == f"ocl-opt: check-each-pass: {expected}"


def test_each_part_of_a_split_file_is_checked(capsys, monkeypatch):
    head = 'ocl.kernel @{}(%x: !ocl.ptr<i32, global> {{ocl.name = "x"}}) {{ ocl.return }}\n'
    Path("k.mlir").write_text(head.format("a") + "// -----\n" + head.format("b"))
    command = "ocl-opt k.mlir --split-input-file -p cse --check-each-pass"
    assert run(monkeypatch, command) == 0
    assert capsys.readouterr().err == (
        "ocl-opt: check-each-pass: kernel 'a': 6 launches give the same after 1 pass\n"
        "ocl-opt: check-each-pass: kernel 'b': 6 launches give the same after 1 pass\n"
    )


GIVEN = (
    "ocl-run k.cl -DF=1.0f --global 4 --arg x=iota:f32:4 --arg y=rand:f32:4 --arg n=4 --seed 3 "
    "--check-each-pass"
)


def test_ocl_run_judges_the_launch_itself(capsys, monkeypatch):
    assert run(monkeypatch, f"{GIVEN} -p 'test-break{{how=swap}},ocl-to-wg'") == 1
    err = capsys.readouterr().err
    assert "k.cl:4:5: error: pass 'test-break' changed what kernel 'k' does: y[0] was " in err
    assert "(4 of 4 elements differ)" in err
    assert "note: the launch: --kernel k --global 4 --local 4 --arg x=iota:f32:4" in err
    again = next(line for line in err.splitlines() if line.startswith(AGAIN))
    assert run(monkeypatch, again.removeprefix(AGAIN)) == 1
    assert "y: 4 of 4 elements differ" in capsys.readouterr().out


def test_ocl_run_checks_the_passes_of_the_device(capsys, monkeypatch):
    assert run(monkeypatch, GIVEN) == 0
    out, err = capsys.readouterr()
    assert out.startswith("k on cpu: global size 4, local size 4\n")
    assert err.startswith("ocl-run: check-each-pass: kernel 'k': 1 launch gives the same after ")
    assert err.endswith("'wg-to-launch' ends the checking: @k is no longer a kernel\n")


def test_ocl_run_without_passes(capsys, monkeypatch):
    assert run(monkeypatch, f"{GIVEN} --device interp") == 1
    expected = "--check-each-pass: device 'interp' runs no passes; say -p PASSES"
    assert capsys.readouterr().err == f"ocl-run: error: {expected}\n"


def test_the_tolerance(capsys, monkeypatch):
    spec = "-p 'test-break{how=swap}' --check-each-pass"
    assert run(monkeypatch, f"ocl-opt k.cl -DF=0.0f {spec} --tolerance 4294967296") == 0
    capsys.readouterr()
    assert run(monkeypatch, "ocl-opt k.cl --tolerance 1") == 1
    assert capsys.readouterr().err == "ocl-opt: error: --tolerance needs --check-each-pass\n"
    assert run(monkeypatch, "ocl-opt k.cl --tolerance -1") == 1
    assert "'-1' is not a number of ULP" in capsys.readouterr().err
