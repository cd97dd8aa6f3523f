"""The compiler's server, as `polycl.load` and ocl-run use it."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.backends.cache import Cache
from polycl.backends.cpu import llvm_process
from polycl.remarks import collect_remarks
from polycl.runtime import compiler_server

SAXPY = """kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}
"""
OCL_RUN = "import sys; from polycl.tools.forward import ocl_run; sys.exit(ocl_run())"
ARGUMENTS = ["--global", "8", "--arg", "y=zeros:f32:8", "--arg", "x=iota:f32:8", "--arg", "a=2"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a server of its own, which is ready."""
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POLYCL_SERVER", "1")
        patch.setenv("POLYCL_SERVER_IDLE", "20")
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        patch.setattr(compiler_server, "_started", False)
        # The first request starts it, and does not wait.
        assert compiler_server.connect() is None
        end = time.monotonic() + 60
        while (connection := compiler_server.connect()) is None:
            assert time.monotonic() < end, (folder / "polycl").glob("*.log")
            time.sleep(0.05)
        connection.close()
        yield folder


@pytest.fixture
def server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLYCL_SERVER", "1")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is imported or compiled in this process."""

    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("this process compiles")

    monkeypatch.setattr("polycl.runtime.program.read_module", refuse)
    monkeypatch.setattr("polycl.backends.cpu.device.start_llvm", refuse)


def saxpy(**options: object) -> list[float]:
    y = np.ones(8, np.float32)
    device = polycl.device("cpu", threads=1, **options)
    kernel = polycl.load(SAXPY).kernel("saxpy")
    kernel(y, np.arange(8, dtype=np.float32), 2.0, global_size=8, device=device)
    return y.tolist()


@pytest.mark.usefixtures("server", "no_compiler")
def test_the_server_compiles():
    assert saxpy() == [1 + 2 * i for i in range(8)]
    assert saxpy(contract=False, disable=["wg-vectorize"]) == [1 + 2 * i for i in range(8)]


@pytest.mark.usefixtures("server")
def test_the_code_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    entries: list[dict[str, object]] = []
    for use in ("1", "0"):
        monkeypatch.setenv("POLYCL_SERVER", use)
        folder = tmp_path / use
        with polycl.cache_in(folder):
            saxpy()
        cache = Cache(folder)
        keys = [path.stem for path in folder.iterdir()]
        entries.append({key: pickle.loads(cache.get(key) or b"") for key in keys})
    assert len(entries[0]) == 2
    assert entries[0] == entries[1]


@pytest.mark.usefixtures("server")
def test_phases_are_those_of_the_server(no_compiler: None):
    with polycl.collect_phases() as seconds:
        saxpy()
    assert {"import", "ocl-to-wg", "code generation", "link"} <= seconds.keys()


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    "source",
    [
        "kernel void k(global int *x) { x[0] = y; }",
        'kernel void k(global int *x) { asm("nop"); }',
        '#include "missing.h"\nkernel void k(global int *x) {}',
    ],
)
def test_errors_are_the_same(source: str, monkeypatch: pytest.MonkeyPatch):
    errors: list[tuple[type[BaseException], str]] = []
    for use in ("1", "0"):
        monkeypatch.setenv("POLYCL_SERVER", use)
        with pytest.raises(polycl.PolyclError) as caught:
            polycl.load(source).kernel("k")(np.zeros(4, np.int32), global_size=4)
        errors.append((type(caught.value), str(caught.value)))
    assert errors[0] == errors[1]


@pytest.mark.usefixtures("server")
def test_relative_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "size.h").write_text("#define SIZE 3\n")
    monkeypatch.chdir(tmp_path)
    x = np.zeros(2, np.int32)
    source = '#include "size.h"\nkernel void k(global int *x) { x[get_global_id(0)] = SIZE; }'
    polycl.load(source, ["-I", "."]).kernel("k")(x, global_size=2)
    assert x.tolist() == [3, 3]


@pytest.mark.usefixtures("server")
def test_remarks_are_made_here():
    with collect_remarks() as remarks:
        saxpy()
    assert remarks


@pytest.mark.usefixtures("server")
def test_a_module_that_may_change_is_compiled_here():
    program = polycl.load(SAXPY)
    assert program._module.server is not None
    assert program.module is not None
    assert program._module.server is None


@pytest.mark.usefixtures("server")
def test_a_child_that_ends_is_no_harm():
    program = polycl.load(SAXPY)
    server = program._module.server
    assert server is not None
    assert server._connection is not None
    server._connection.shutdown(2)
    y = np.ones(8, np.float32)
    program.kernel("saxpy")(y, y.copy(), 2.0, global_size=8)
    assert y.tolist() == [3.0] * 8


@pytest.mark.usefixtures("server")
def test_another_installation_is_not_used(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compiler_server, "INSTALLATION", b"other")
    assert polycl.load(SAXPY)._module.server is None


@pytest.mark.usefixtures("server")
def test_a_wrong_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("POLYCL_SERVER", "no")
    for _ in range(2):
        assert polycl.load(SAXPY)._module.server is not None
    errors = capsys.readouterr().err
    assert errors == "polycl: POLYCL_SERVER is 'no'; expected 1 or 0: it is ignored\n"


def test_code_for_another_processor_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with polycl.cache_in(tmp_path):
        saxpy()
        before = {path.name for path in tmp_path.iterdir()}
        monkeypatch.setattr("polycl.backends.cpu.device.processor", lambda: "another one")
        with polycl.collect_phases() as seconds:
            saxpy()
    assert "code generation" in seconds
    assert len({path.name for path in tmp_path.iterdir()} - before) == 1


@pytest.mark.parametrize("mode", [0o755, 0o770])
def test_a_folder_of_others_is_not_used(mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "polycl").mkdir()
    (tmp_path / "polycl").chmod(mode)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    path = compiler_server.socket_path()
    assert path is None or not path.startswith(str(tmp_path))


def ocl_run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, "-c", OCL_RUN, *arguments],
        env={**variables, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "saxpy.cl"
    path.write_text(SAXPY)
    return str(path)


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    "arguments",
    [
        [*ARGUMENTS, "--print", "y"],
        [*ARGUMENTS, "--arg", "b=2"],
        ["--list"],
        ["--no-such-option"],
    ],
)
def test_ocl_run_is_the_same(source: str, arguments: list[str]):
    runs = [ocl_run(source, *arguments, POLYCL_SERVER=use) for use in ("1", "0")]
    # The times differ.
    texts = [[x for x in run.stdout.splitlines() if not x.endswith(" ms")] for run in runs]
    assert texts[0] == texts[1]
    assert runs[0].stderr == runs[1].stderr
    assert runs[0].returncode == runs[1].returncode


@pytest.mark.usefixtures("server")
def test_ocl_run_imports_no_compiler(source: str):
    program = OCL_RUN.replace("sys.exit(ocl_run())", "") + (
        "\ntry: ocl_run()\nfinally: assert 'xdsl' not in sys.modules and 'numpy' not in sys.modules"
    )
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-c", program, source, *ARGUMENTS],
        env=variables,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("server")
def test_ocl_run_ends_as_the_kernel(tmp_path: Path):
    path = tmp_path / "crash.cl"
    path.write_text("kernel void k(global int *x) { if (x[0] == 0) x[1ul << 50] = 1; }")
    done = ocl_run(str(path), "--global", "1", "--arg", "x=zeros:i32:1")
    assert done.returncode == -signal.SIGSEGV
    assert done.stderr.startswith("polycl: kernel 'k' crashed: an access to memory")


def test_children_compile_in_a_copy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(llvm_process, "_process", None)
    monkeypatch.setattr(llvm_process, "_by_fork", True)
    from polycl.backends.cpu.jit import compile_object

    try:
        assert compile_object("define i32 @f() {\n  ret i32 1\n}\n")
    finally:
        llvm_process._stop()
