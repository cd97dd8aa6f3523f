"""LLVM runs in a process of its own, and its end is an error of the kernel alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.backends.cpu import codegen, llvm_process
from polycl.backends.cpu import compile as compile_module
from polycl.backends.cpu.jit import compile_object, emit_assembly
from polycl.backends.cpu.llvm_process import LlvmAborted

GOOD = "define i32 @f() {\n  ret i32 1\n}\n"
ABORTS = 'define void @f() {\n  call void asm sideeffect "bogus", ""()\n  ret void\n}\n'
"""LLVM as it is initialised here has no parser of assembly, which it only notices at the end."""
SOURCE = "kernel void k(global int *x) {\n  x[get_global_id(0)] = 7;\n}\n"
ENDLESS = """
define void @f(ptr %x, ptr %y, ptr %z, i64 %n) {
start:
  br label %outer
outer:
  %o = phi i64 [0, %start], [%p, %out]
  br label %inner
inner:
  %i = phi i64 [0, %outer], [%j, %inner]
  %v = phi i32 [0, %outer], [%v2, %inner]
  %k = phi i32 [0, %outer], [%k2, %inner]
  %px = getelementptr [4 x i8], ptr %x, i64 %i
  %w = load i32, ptr %px
  %py = getelementptr [4 x i8], ptr %y, i64 %i
  %l = load i32, ptr %py
  %more = icmp sgt i32 %w, %v
  %same = icmp eq i32 %w, %v
  %first = icmp slt i32 %l, %k
  %and = and i1 %same, %first
  %takes = or i1 %more, %and
  %v2 = select i1 %takes, i32 %w, i32 %v
  %k2 = select i1 %takes, i32 %l, i32 %k
  %j = add i64 %i, 1
  %again = icmp ult i64 %j, 15
  br i1 %again, label %inner, label %out
out:
  store i32 %k2, ptr %z
  %p = add i64 %o, 1
  %goes = icmp ult i64 %p, %n
  br i1 %goes, label %outer, label %end
end:
  ret void
}
"""
"""Once it has unrolled the inner loop, LLVM 22 asks of each choice whether it is the same for all
lanes, and of its operands anew: exponentially often."""


@pytest.fixture
def reproducers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / "polycl-reproducers"


def process_id() -> int:
    process = llvm_process._process
    assert process is not None
    return process.pid


def test_objects_are_those_of_this_process():
    assert compile_object(GOOD) == codegen.generate(codegen.OBJECT, GOOD, 3, {})
    assert "f:" in emit_assembly(GOOD)


def test_a_wrong_text_is_refused():
    with pytest.raises(polycl.LaunchError, match="rejects the generated code.*\n.*function result"):
        compile_object(GOOD.replace("i32 1", "i64 1"))


def test_an_abort_leaves_this_process_and_the_input(reproducers: Path):
    with pytest.raises(LlvmAborted) as caught:
        compile_object(ABORTS)
    (saved,) = reproducers.iterdir()
    assert saved.read_text() == ABORTS
    message = str(caught.value)
    assert message.startswith("LLVM ended with SIGABRT on the code of this kernel (LLVM ERROR: ")
    assert f"its input is in {saved}" in message
    assert compile_object(GOOD)


def test_an_abort_is_located(reproducers: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compile_module, "llvm_ir", lambda *_: ABORTS)
    kernel = polycl.load(SOURCE).kernel("k")
    with pytest.raises(polycl.UnsupportedError, match=r"<source>.cl:1:13: error: LLVM ended with"):
        kernel(np.zeros(4, np.int32), global_size=4)


def test_where_llvm_would_not_end_its_passes_over_loops_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
):
    compile_object(GOOD)
    before = process_id()
    monkeypatch.setattr(llvm_process, "MOST_SECONDS", 1)
    assert compile_object(ENDLESS)
    assert process_id() != before


def test_a_process_that_others_end_is_started_again():
    compile_object(GOOD)
    os.kill(process_id(), signal.SIGKILL)
    assert compile_object(GOOD)


def test_a_fork_has_its_own():
    compile_object(GOOD)
    child = os.fork()
    if child == 0:
        os._exit(0 if llvm_process._process is None and compile_object(GOOD) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert compile_object(GOOD)


def test_without_processes_llvm_runs_here():
    program = f"""
import resource
import numpy as np, polycl
polycl.backends.cpu.device  # loaded before the limit
x = np.zeros(4, np.int32)
kernel = polycl.load({SOURCE!r}).kernel("k")
def refuse(*args, **kwargs):
    raise BlockingIOError(11, "Resource temporarily unavailable")
import subprocess
subprocess.Popen = refuse
kernel(x, global_size=4, device=polycl.device("cpu", threads=1))
print(x.tolist())
"""
    program = program.replace("polycl.backends.cpu.device", "import polycl.backends.cpu.device")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[7, 7, 7, 7]\n", "")


def test_a_process_ends_after_many_requests(monkeypatch: pytest.MonkeyPatch):
    llvm_process._stop()
    monkeypatch.setattr(llvm_process._Process, "left", 2)
    compile_object(GOOD)
    first = process_id()
    compile_object(GOOD)
    assert llvm_process._process is None
    compile_object(GOOD)
    assert process_id() != first
    llvm_process._stop()


def test_another_interpreter_is_not_used(monkeypatch: pytest.MonkeyPatch):
    llvm_process._stop()
    monkeypatch.setattr(llvm_process, "_direct", False)
    monkeypatch.setattr("sys.executable", "/bin/true")
    assert compile_object(GOOD)
    assert llvm_process._direct


def test_phases_of_the_process_count():
    with polycl.collect_phases() as seconds:
        compile_object(GOOD)
    assert {"LLVM's optimiser", "code generation"} <= seconds.keys()


LOOP = """entry:
  br label %"head"
head:
  %x = phi i32 [0, %"entry"], [%y, %"inner"]
  br i1 true, label %inner, label %end
inner:
  %y = add i32 %x, 1
  br i1 true, label %inner, label %head
end:
"""


def test_loops_are_counted_by_the_labels_that_are_branched_back_to():
    assert codegen.count_loops(GOOD) == 0
    assert codegen.count_loops(LOOP) == 2


def test_kernel_with_more_loops_than_llvm_unrolls():
    count = codegen.MOST_LOOPS + 6
    loops = "\n".join(f"for (int j = 0; j < n; ++j) y += x[j + {k}] ^ y;" for k in range(count))
    kernel = polycl.load(
        f"kernel void k(global int *x, global int *out, int n) {{ int y = get_global_id(0); {loops}"
        " out[get_global_id(0)] = y; }"
    ).kernel("k")
    x = np.arange(count + 9, dtype=np.int32)
    out = {device: np.zeros(16, np.int32) for device in ("cpu", "interp")}
    for device, result in out.items():
        kernel(x, result, 9, global_size=16, local_size=16, device=device)
    assert (out["cpu"] == out["interp"]).all()
