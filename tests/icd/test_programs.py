"""Host programs on the driver, through the ICD loader: what they compute, and how they fail."""

from __future__ import annotations

import json
import platform
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from polycl.backends.cache import LEFT_OUT, source_state
from polycl.runtime.icd.driver import DRIVER, FOLDER

Host = Callable[..., "subprocess.CompletedProcess[str]"]

HOSTS = Path(__file__).resolve().parent / "hosts"


def _linked_program(
    host_environment: dict[str, str], tmp_path: Path
) -> tuple[Path, dict[str, str]]:
    """A host in C that is linked with the loader, and the variables of its environment."""
    # The tests' packages bring a loader.
    folder = Path(sys.prefix, "lib")
    program = tmp_path / "vector_add"
    loader = ["-L", str(folder), f"-Wl,-rpath,{folder}", "-l:libOpenCL.so.1"]
    compiler = shutil.which("cc") or "gcc"
    source = str(HOSTS / "vector_add.c")
    subprocess.run([compiler, "-w", f"-I{FOLDER}", source, *loader, "-o", str(program)], check=True)
    variables = host_environment | {
        "LD_LIBRARY_PATH": str(folder),
        "OCL_ICD_FILENAMES": host_environment["OCL_ICD_VENDORS"],
    }
    return program, variables


def test_a_c_program_that_is_linked_with_the_loader(
    host_environment: dict[str, str], tmp_path: Path
) -> None:
    program, variables = _linked_program(host_environment, tmp_path)
    for _ in ("cold", "warm"):
        done = subprocess.run([program], env=variables, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "polycl: 100000 sums are right\n"), done.stderr


@pytest.mark.parametrize("case", ["simple", "forked", "in_flight", "out_of_order", "threads"])
def test_a_python_program(run_host: Host, case: str) -> None:
    run_host("programs.py", case)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_atomic_operations_of_several_queues(run_host: Host, threads: str) -> None:
    """On a device of one thread they are plain loads and stores."""
    run_host("programs.py", "shared_sums", POLYCL_THREADS=threads)


def test_the_build_log_has_the_diagnostics_of_clang(run_host: Host) -> None:
    log = run_host("programs.py", "diagnostics").stdout
    assert "source.cl:2:10: error: use of undeclared identifier 'y'\n  x[0] = y;\n" in log


def test_a_program_on_the_interpreter(run_host: Host) -> None:
    run_host("programs.py", "simple", POLYCL_DEVICE="interp")


def test_a_program_is_told_about_its_races(run_host: Host) -> None:
    errors = run_host("programs.py", "race", status=1, POLYCL_CHECK="1").stderr
    assert "source.cl:3:3: error: data race on local memory 't'" in errors
    assert "no barrier(CLK_LOCAL_MEM_FENCE) is between them" in errors


def test_a_trace_has_calls_and_commands(run_host: Host, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    run_host("programs.py", "simple", POLYCL_TRACE=str(trace))
    # Readers of traces do without the end of the list.
    events = json.loads(trace.read_text().removesuffix(",\n") + "]")
    calls = {event["name"]: event for event in events if event["cat"] == "call"}
    assert calls["clBuildProgram"]["args"]["result"] == 0
    assert calls["clCreateKernel"]["args"]["kernel_name"] == "double_it"
    commands = [event["name"] for event in events if event["cat"] == "command"]
    assert commands == ["double_it", "read buffer"]


def test_remarks_name_the_lines_of_the_source(run_host: Host, tmp_path: Path) -> None:
    remarks = tmp_path / "remarks.txt"
    run_host("programs.py", "simple", POLYCL_REMARKS=str(remarks))
    first, *lines = remarks.read_text().splitlines()
    assert first == "kernel 'double_it', local size 64 x 1 x 1:"
    assert any("source.cl:1:" in line and "[wg-vectorize]" in line for line in lines), lines


def test_a_kernel_that_crashes_is_named(run_host: Host) -> None:
    done = run_host("programs.py", "crash", status=-signal.SIGSEGV)
    assert done.stderr.startswith("polycl: kernel 'far' crashed: an access to memory")
    assert "global size 65536 x 1 x 1 and the local size 64 x 1 x 1" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["-g", "-gline-tables-only"])
def test_the_line_of_a_crash_is_named(run_host: Host, option: str) -> None:
    done = run_host("programs.py", "crash", option, status=-signal.SIGSEGV)
    assert done.stderr.startswith("polycl: kernel 'far' crashed at source.cl:1: an access")
    assert done.stderr.endswith("POLYCL_CHECK=1 says what is wrong there\n")


def test_gdb_stops_in_an_unchanged_program(
    host_environment: dict[str, str], tmp_path: Path
) -> None:
    """With the source that the program has as text only."""
    if shutil.which("gdb") is None:
        pytest.skip("gdb is not installed")
    program, variables = _linked_program(host_environment, tmp_path)
    commands = ["set breakpoint pending on", "break source.cl:4 if global_id[0] == 99", "run"]
    commands += ["print i", "print a[i]", "list 4,4", "delete", "continue"]
    run = ["gdb", "-q", "-nx", "-batch", *(w for c in commands for w in ("-ex", c)), str(program)]
    variables |= {"POLYCL_BUILD_OPTIONS": "-g"}
    done = subprocess.run(
        run, env=variables, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )
    shown = done.stdout
    assert re.search(r"^\$1 = 99\n\$2 = 99\n4\t  c\[i\] = a\[i\] \+ b\[i\];$", shown, re.M), shown
    assert "polycl: 100000 sums are right" in shown


def test_without_an_interpreter_the_build_fails_with_a_reason(
    run_host: Host, tmp_path: Path
) -> None:
    variables = {"POLYCL_PYTHON": str(tmp_path / "nowhere"), "POLYCL_CACHE_DIR": str(tmp_path)}
    # A server of the other tests would answer. A UNIX socket's path must be short.
    with TemporaryDirectory(prefix="polycl-") as folder:
        done = run_host("programs.py", "simple", status=1, XDG_RUNTIME_DIR=folder, **variables)
    assert "BUILD_PROGRAM_FAILURE" in done.stderr
    assert "POLYCL_PYTHON is" in done.stderr
    assert "which is not a program; set it to the absolute path" in done.stderr


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of system calls")
def test_without_processes_the_build_fails_with_a_reason(run_host: Host) -> None:
    variables = {"POLYCL_CACHE_DIR": ""}
    with TemporaryDirectory(prefix="polycl-") as folder:
        done = run_host("programs.py", "no_fork", status=1, XDG_RUNTIME_DIR=folder, **variables)
    assert "BUILD_PROGRAM_FAILURE" in done.stderr
    assert "polycl: the compiler cannot be started: " in done.stderr
    # A server that is there is enough.
    run_host("programs.py", "simple")
    run_host("programs.py", "no_fork", **variables)


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("POLYCL_DEVICE", "gpu", "interp or cpu"),
        ("POLYCL_DEVICE_TYPE", "GPU", "cpu, gpu or accelerator"),
        ("POLYCL_THREADS", "two", "a number from 1"),
        ("POLYCL_THREADS", "-1", "a number from 1"),
    ],
)
def test_a_wrong_variable_is_named(
    run_host: Host, variable: str, value: str, expected: str
) -> None:
    done = run_host("programs.py", "simple", **{variable: value})
    assert done.stderr == f"polycl: {variable} is '{value}'; expected {expected}: it is ignored\n"


def test_the_type_of_the_device(run_host: Host) -> None:
    assert run_host("programs.py", "types").stdout == "cpu\n"
    assert run_host("programs.py", "types", POLYCL_DEVICE_TYPE="gpu").stdout == "gpu\n"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_calls(run_host: Host, seed: int) -> None:
    assert run_host("fuzz.c", "20000", str(seed)).stdout == "20000 calls\n"


@pytest.mark.parametrize("left_out", ["", "avx512"])
def test_the_server_of_python_is_that_of_the_driver(
    run_host: Host,
    host_environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    left_out: str,
) -> None:
    driver = FOLDER / DRIVER
    newest = max(path.stat().st_mtime for path in FOLDER.glob("*.[ch]"))
    if not driver.exists() or driver.stat().st_mtime < newest:
        pytest.skip("the driver of this checkout is not up to date: run 'polycl icd build'")
    monkeypatch.setenv(LEFT_OUT, left_out)
    choice = {LEFT_OUT: left_out, "OCL_ICD_VENDORS": str(driver)}
    run_host("programs.py", "simple", **choice)
    socket = f"{source_state().hex()[:16]}.sock"
    assert Path(host_environment["XDG_RUNTIME_DIR"], "polycl", socket).exists()


@pytest.mark.parametrize("source", ["", '#inc\\\nlude "size.h"\n'])
def test_a_program_is_cached_for_all_folders(
    run_host: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path, source: str
) -> None:
    """One that includes a file is not: another folder may have another file."""
    found: list[int] = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "size.h").touch()
        (tmp_path / name / "k.cl").write_text(source + "kernel void k(global int *x) { *x = 1; }")
        cache = {"POLYCL_CACHE_DIR": str(tmp_path / "cache")}
        run_host("programs.py", "build_file", "k.cl", folder=tmp_path / name, **cache)
        found.append(len(list((tmp_path / "cache").glob("*.entry"))))
    assert found == ([1, 2] if source else [1, 1])
