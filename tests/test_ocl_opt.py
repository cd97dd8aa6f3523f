"""ocl-opt in process, with passes that fail in every way a pass can."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.errors import PolyclError, SourceError, error_at
from polycl.remarks import emit_remark
from polycl.tools import ocl_opt
from polycl.tools.driver import run_tool
from polycl.tools.pipeline_spec import parse_passes
from polycl.universe import UNIVERSE

TEXT = "func.func @f(%a: i32) -> i32 {\n  func.return %a : i32\n}\n"


@dataclass(frozen=True)
class FailPass(ModulePass):
    """Fails as its option says."""

    name = "test-fail"

    how: str = "located"
    times: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        function = next(child for child in op.walk() if isinstance(child, FuncOp))
        match self.how:
            case "located":
                raise error_at(function, "expected two functions, got one")
            case "failed":
                raise PassFailedException("no parallel loop")
            case "bug":
                raise KeyError("lost")
            case "invalid":
                function.properties["function_type"] = FunctionType.from_lists([i64], [i64])
            case _:
                emit_remark(function, self.name, self.how)


@pytest.fixture(autouse=True)
def failing_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(UNIVERSE.all_passes, "test-fail", lambda: FailPass)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("k.mlir").write_text(TEXT)
    return Path("k.mlir")


def run(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setattr(sys, "argv", ["ocl-opt", "--no-reproducer", *args])
    with pytest.raises(SystemExit) as caught:
        ocl_opt.main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


BUG = (
    "ocl-opt: internal error: in pass 'test-fail': KeyError: 'lost'; this is a bug in polycl: "
    "please report it (POLYCL_DEBUG=1 shows the traceback)\n"
)

FAILURES = {
    "located": "k.mlir:1:1: error: expected two functions, got one\n",
    "failed": "ocl-opt: error: pass 'test-fail': no parallel loop\n",
    "bug": BUG,
}


@pytest.mark.parametrize("how", FAILURES)
def test_a_failing_pass_is_one_line(how: str, path: Path, capsys, monkeypatch):
    assert run(monkeypatch, str(path), "-p", f"test-fail{{how={how}}}") == 1
    assert capsys.readouterr() == ("", FAILURES[how])


def test_invalid_ir_names_the_pass_that_made_it(path: Path, capsys, monkeypatch):
    assert run(monkeypatch, str(path), "-p", "test-fail{how=invalid},cse") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("k.mlir:")
    assert err.endswith(" (after pass 'test-fail')\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("how", ["located", "failed"])
def test_verify_diagnostics_prints_the_error_and_succeeds(how: str, path, capsys, monkeypatch):
    spec = f"test-fail{{how={how}}}"
    assert run(monkeypatch, str(path), "-p", spec, "--verify-diagnostics") == 0
    expected = FAILURES[how].removeprefix("ocl-opt: error: ")
    assert capsys.readouterr() == (expected, "")


def test_output_file_is_written_only_on_success(path: Path, monkeypatch):
    out = Path("out.mlir")
    out.write_text("old")
    spec = "test-fail{how=failed}"
    assert run(monkeypatch, str(path), "-p", spec, "-o", str(out)) == 1
    assert out.read_text() == "old"
    assert run(monkeypatch, str(path), "-o", str(out)) == 0
    assert "func.func @f" in out.read_text()


def test_remarks_go_to_stderr_on_request(path: Path, capsys, monkeypatch):
    spec = 'test-fail{how="kept it"}'
    assert run(monkeypatch, str(path), "-p", spec) == 0
    assert capsys.readouterr().err == ""
    assert run(monkeypatch, str(path), "-p", spec, "--remarks") == 0
    assert capsys.readouterr().err == "k.mlir:1:1: remark: kept it [test-fail]\n"


def test_debugging_shows_the_traceback(path: Path, capsys, monkeypatch):
    monkeypatch.setenv("POLYCL_DEBUG", "1")
    assert run(monkeypatch, str(path), "-p", "test-fail{how=bug}") == 1
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert err.endswith(BUG)


OPTION_ERRORS = {
    "test-fail{hwo=a}": "pass 'test-fail' has no option 'hwo'; "
    "its options: how: str = located, times: int = 1",
    "test-fail{times=a}": "pass 'test-fail': Incompatible types: given ('a',), "
    "expected <class 'int'>; its options: how: str = located, times: int = 1",
    "test-fial": "unknown pass 'test-fial'; did you mean 'test-fail'?",
    "nothing-like-it": "unknown pass 'nothing-like-it'",
}


@pytest.mark.parametrize("spec", OPTION_ERRORS)
def test_wrong_pipelines(spec: str):
    with pytest.raises(PolyclError) as caught:
        parse_passes(UNIVERSE.all_passes, spec)
    assert str(caught.value) == OPTION_ERRORS[spec]


def test_list_passes_shows_summary_and_options(capsys, monkeypatch):
    assert run(monkeypatch, "--list-passes") == 0
    expected = (
        "test-fail\n    Fails as its option says.\n"
        "    option how: str = located\n    option times: int = 1\n"
    )
    assert capsys.readouterr().out.endswith(expected)


def test_the_exit_code_of_a_tool(capsys):
    def interrupted() -> None:
        raise KeyboardInterrupt

    def wrong() -> None:
        raise SourceError("no such thing", "a.cl", 3, 4)

    assert run_tool("tool", lambda: None) == 0
    assert run_tool("tool", lambda: 3) == 3
    assert run_tool("tool", interrupted) == 130
    assert run_tool("tool", wrong) == 1
    assert run_tool("tool", lambda: open("/absent/file") and None) == 1
    assert capsys.readouterr().err == (
        "a.cl:3:4: error: no such thing\n"
        "tool: error: cannot open '/absent/file': No such file or directory\n"
    )
