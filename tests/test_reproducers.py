"""A pass that fails leaves a file that shows the failure again."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.dialects.ocl import KernelOp
from polycl.errors import error_at
from polycl.tools import ocl_opt, ocl_run
from polycl.universe import UNIVERSE

TEXT = "kernel void k(global int *x) {\n  x[0] = 1;\n}\n"


@dataclass(frozen=True)
class FailPass(ModulePass):
    """Fails as its option says."""

    name = "test-fail"
    how: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernel = next(child for child in op.ops if isinstance(child, KernelOp))
        match self.how:
            case "located":
                raise error_at(kernel, "expected no kernel")
            case "failed":
                raise PassFailedException("no loop")
            case "invalid":
                kernel.properties["function_type"] = FunctionType.from_lists([], [])
            case _:
                # What it did up to here is not in the reproducer.
                kernel.detach()
                raise KeyError("lost")


@pytest.fixture(autouse=True)
def _failing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(UNIVERSE.all_passes, "test-fail", lambda: FailPass)
    monkeypatch.chdir(tmp_path)
    Path("k.cl").write_text(TEXT)


def run(monkeypatch: pytest.MonkeyPatch, command: str) -> int:
    prog, *arguments = shlex.split(command)
    monkeypatch.setattr(sys, "argv", [prog, *arguments])
    with pytest.raises(SystemExit) as caught:
        (ocl_opt if prog == "ocl-opt" else ocl_run).main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


COMMANDS = {
    "ocl-opt": "ocl-opt k.cl -p 'cse,test-fail{{how={how}}},canonicalize' --reproducer-dir r",
    "ocl-run": "ocl-run k.cl --global 1 --arg x=zeros:i32:4 --device interp --reproducer-dir r "
    "-p 'cse,test-fail{{how={how}}},canonicalize'",
}
NOTE = re.compile(
    r"note: reproducer of pass 'test-fail': (?P<path>r/test-fail-[0-9a-f]{8}\.mlir); "
    r"run it by: (?P<command>ocl-opt (?P=path) --run-reproducer)\n"
)


@pytest.mark.parametrize("how", ["located", "failed", "invalid", "bug"])
@pytest.mark.parametrize("tool", COMMANDS)
def test_the_reproducer_fails_as_the_pass_did(tool: str, how: str, capsys, monkeypatch):
    assert run(monkeypatch, COMMANDS[tool].format(how=how)) == 1
    first = capsys.readouterr().err
    note = NOTE.search(first)
    assert note is not None, first
    assert first.endswith(note[0])
    (file,) = Path("r").iterdir()
    assert str(file) == note["path"]
    text = file.read_text()
    assert text.startswith("// polycl reproducer: ")
    assert f'\n// passes: test-fail{{how="{how}"}},canonicalize\n' in text
    assert "ocl.kernel" in text
    assert 'loc("k.cl":2:3)' in text
    assert run(monkeypatch, note["command"] + " --no-reproducer") == 1
    again = capsys.readouterr().err
    message = again.splitlines()[0].partition("error: ")[2].partition("; this is a bug")[0]
    # Only ocl-opt says the pass of a crash.
    assert message.removeprefix("in pass 'test-fail': ") in first
    assert "note: reproducer" not in again


def test_no_file_without_a_failure_or_when_told(capsys, monkeypatch):
    assert run(monkeypatch, "ocl-opt k.cl -p cse --reproducer-dir r") == 0
    command = COMMANDS["ocl-opt"].format(how="failed")
    assert run(monkeypatch, f"{command} --no-reproducer") == 1
    assert run(monkeypatch, f"{command} --verify-diagnostics") == 0
    assert not Path("r").exists()
    capsys.readouterr()


def test_a_folder_that_cannot_be_written(capsys, monkeypatch):
    Path("r").write_text("a file")
    assert run(monkeypatch, COMMANDS["ocl-opt"].format(how="failed")) == 1
    err = capsys.readouterr().err
    assert err.startswith("ocl-opt: error: pass 'test-fail': no loop\n")
    assert "note: no reproducer of pass 'test-fail' was written: " in err


def test_what_is_no_reproducer(capsys, monkeypatch):
    Path("k.mlir").write_text("builtin.module {}")
    assert run(monkeypatch, "ocl-opt k.mlir --run-reproducer") == 1
    assert "'k.mlir' is not a reproducer" in capsys.readouterr().err
    assert run(monkeypatch, "ocl-opt k.mlir --run-reproducer -p cse") == 1
    assert "--run-reproducer needs a file, and no -p" in capsys.readouterr().err
