"""Derivations in the explorer: a level after each step, whose lines lead to the steps."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

import polycl
from polycl.backends.mlir_printer import MLIRPrinter
from polycl.errors import PolyclError
from polycl.lowering.pattern.rules.derivation import Derivation
from polycl.runtime.explorer.page import Page
from polycl.runtime.pattern.explore.draft import Draft
from polycl.runtime.pattern.explore.lowerings import as_it_is
from polycl.runtime.pattern.explore.machines import cpu_machine
from polycl.runtime.pattern.explore.strategies import strategy
from polycl.tools.explorer_server import explorer_app
from polycl.tools.pattern.explorer_derivation import DerivationSession
from polycl.tools.polycl import run

PATTERN = Path(__file__).resolve().parents[2] / "examples" / "pattern"


def page_of(program: str, script: str) -> Page:
    module = polycl.load(PATTERN / f"{program}.mlir").module
    return DerivationSession("s.deriv", module, None).page(script)


@pytest.mark.parametrize(
    ("program", "script"),
    [
        ("asum", "asum.cpu"),
        ("asum", "figure9a"),
        ("gemv", "gemv.gpu"),
        ("stencil2d", "stencil2d.cpu"),
    ],
)
def test_each_step_is_a_level_and_the_last_is_the_result(program: str, script: str):
    text = (PATTERN / f"{script}.deriv").read_text()
    page = page_of(program, text)
    assert page.error is None
    module = polycl.load(PATTERN / f"{program}.mlir").module
    steps: list[int] = []
    result = Derivation.parse(text).replay(
        module, observer=lambda step, function: steps.append(step.position.line)
    )
    assert [level.source for level in page.levels[1:-2]] == steps
    last = StringIO()
    MLIRPrinter(last).print_op(result)
    assert "\n".join(line.text for line in page.levels[-3].lines) == last.getvalue()
    assert [level.name for level in page.levels[-2:]] == ["pattern-to-ocl", "OpenCL C"]
    done: set[int] = {0}
    for level in page.levels[:-2]:
        done.add(level.source)
        # A line comes from a step that was made, and what a step adds comes from it.
        assert {line.source for line in level.lines} <= done
        assert {level.lines[i].source for i in level.added} <= {level.source}
    assert {line.source for line in page.levels[-3].lines} & set(steps)


def test_a_step_that_does_not_apply_ends_the_levels_with_its_error():
    page = page_of("asum", "size N divisible_by 64\n3c n=64 @map\n4a.global @join\n")
    assert [level.name for level in page.levels] == [
        "program",
        "size N divisible_by 64",
        "3c n=64 @map",
    ]
    error = page.data()["error"]
    assert error["line"] == 3
    assert "4a.global does not apply at @join" in error["text"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file, program = tmp_path / "page.html", str(PATTERN / "asum.mlir")
    script = str(PATTERN / "asum.cpu.deriv")
    run(["explorer", program, "--derive", script, "--export", str(file)])
    assert capsys.readouterr().out == f"wrote {file}\n"
    assert "pattern-to-ocl" in file.read_text()
    with pytest.raises(PolyclError, match="which program"):
        run(["explorer", "--derive", script])
    with pytest.raises(PolyclError, match="a function 'f'"):
        run(["explorer", program, "--kernel", "f", "--derive", script])
    with pytest.raises(PolyclError, match="cannot open"):
        run(["explorer", program, "--derive", str(tmp_path / "no.deriv")])


def test_the_server_replays_what_is_typed():
    module = polycl.load(PATTERN / "asum.mlir").module
    app = explorer_app(DerivationSession("new.deriv", module, None), "", "token")

    def levels(script: str) -> list[str]:
        reply = app.test_client().post("/token/compile", json={"source": script})
        assert reply.json is not None
        return [level["name"] for level in reply.json["levels"]]

    assert levels("") == ["program", "pattern-to-ocl", "OpenCL C"]
    assert levels("4a.global @map")[1] == "4a.global @map"
    # The program is not changed by the derivations before.
    assert levels("size N divisible_by 8\n3c n=8 @map")[1:3] == [
        "size N divisible_by 8",
        "3c n=8 @map",
    ]
    assert levels("nonsense") == ["program"]


def test_what_the_exploration_finds_is_shown_rule_by_rule():
    """A strategy is a macro; each of its rules is a level."""
    module = polycl.load(PATTERN / "matmul.mlir").module
    tiles = strategy("tiles of copied columns for the map")
    found = as_it_is(tiles.apply(Draft(module, module, "matmul"), "", cpu_machine(2)))
    page = page_of("matmul", f"tune r1 = 4\ntune c1 = 16\n{found.plan.script}")
    assert page.error is None
    names = [level.name for level in page.levels]
    assert names[:4] == ["program", "size M = ?r1*M1", "size N = ?c1*N1", "x.fission @"]
    assert "x.copy-transpose @fn" in names
    assert names[-1] == "OpenCL C"
