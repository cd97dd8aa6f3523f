"""POLYCL_RECORD: recorded hosts, replayed as they are, transformed, and written as C."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.backends.host.host_c import host_c
from polycl.backends.pipeline import run_pipeline
from polycl.errors import PolyclError, SourceError
from polycl.runtime.host.driver_log import read_log
from polycl.runtime.host.recorded_data import TOLERANCE, differences
from polycl.tools.polycl import run as polycl_command

Host = Callable[..., "subprocess.CompletedProcess[str]"]

ROOT = Path(__file__).resolve().parents[2]
LOADER = Path(sys.prefix) / "lib/libOpenCL.so.1"
HEADERS = ROOT / "runtime/icd"

HOSTS = {
    # Loops, and launches in the module.
    "loops": (2, 3),
    "gaussian": (2, 1),
    "swapped": (1, 3),
    "temporary": (1, 2),
    "mapped": (0, 2),
    "parts": (3, 2),
    "sums": (0, 2),
    "ordered": (0, 2),
    "structures": (1, 2),
    "images": (None, None),
    "threads": (None, None),
}


def record(run_host: Host, name: str, folder: Path) -> Path:
    """The log of a host, which prints the same as without a recording."""
    plain = run_host("recorded.c", name)
    recorded = run_host("recorded.c", name, POLYCL_RECORD=str(folder / "new/folder"))
    assert recorded.stdout == plain.stdout
    assert recorded.stderr == ""
    return folder / "new/folder/recorded.log"


def replay(path: Path, device: str) -> list[float | None]:
    """The distances of what a module's program reads from what was recorded."""
    host = polycl.load(path).host()
    values = {name: array.first() for name, array in host.recorded.items()}
    host(*values.values(), device=device)
    return list(differences(host.recorded, values).values())


def are_equal(distances: list[float | None]) -> bool:
    return bool(distances) and all(d is None or d <= TOLERANCE for d in distances)


def written(module: ModuleOp, path: Path) -> Path:
    path.write_text(f"{module!s}\n")
    return path


@pytest.mark.parametrize("name", HOSTS)
def test_recorded_hosts(run_host: Host, driver: Path, name: str, tmp_path: Path) -> None:
    """Replayed equal on two devices, transformed for a platform, and written as C."""
    log = record(run_host, name, tmp_path)
    module = read_log(log)
    loops, launches = HOSTS[name]
    if loops is not None:
        text = str(module)
        assert (text.count("scf.for"), text.count("host.launch")) == (loops, launches), text
    path = written(module, log.with_suffix(".mlir"))
    for device in ("cpu", "interp"):
        assert are_equal(replay(path, device)), device
    # Without loops it is the same program.
    flat = read_log(log, fold=False)
    assert str(flat).count("host.launch") >= (launches or 0)
    assert are_equal(replay(written(flat, log.with_name("flat.mlir")), "cpu"))
    changed = module.clone()
    run_pipeline(changed, "ppopencl{platform=amd-cpu}")
    assert are_equal(replay(written(changed, log.with_name("changed.mlir")), "cpu"))
    for number, program in enumerate((module, changed)):
        run_as_c(host_c(program), log.parent, number, driver, run_host)


def run_as_c(text: str, folder: Path, number: int, driver: Path, run_host: Host) -> None:
    source, binary = folder / f"written{number}.c", folder / f"written{number}"
    source.write_text(text)
    flags = ["-std=gnu11", "-Wall", "-Werror", "-O1", "-I", str(HEADERS)]
    # The loader needs other libraries of its package.
    libraries = [str(LOADER), f"-Wl,-rpath-link,{LOADER.parent}", "-lm"]
    subprocess.run(["cc", *flags, str(source), "-o", str(binary), *libraries], check=True)
    run_host(
        "run_program.py",
        str(binary),
        str(folder),
        LD_LIBRARY_PATH=str(LOADER.parent),
        OCL_ICD_FILENAMES=str(driver),
    )


@pytest.mark.parametrize(
    "passes",
    [
        "ocl-reorganize-threads{dimension=x factor=2}",
        "ocl-data-layout{platform=nvidia-gpu}",
        "ocl-holistic-vectorize{factor=4}",
        "ppopencl{platform=intel-rt}",
        "ppopencl{platform=nvidia-gpu}",
    ],
)
def test_host_passes(run_host: Host, passes: str, tmp_path: Path) -> None:
    """Each pass keeps what a recorded program reads."""
    for name in ("loops", "gaussian"):
        log = record(run_host, name, tmp_path / name)
        module = read_log(log)
        run_pipeline(module, passes)
        assert are_equal(replay(written(module, log.with_suffix(".mlir")), "cpu"))


def test_crash(run_host: Host, tmp_path: Path) -> None:
    """What was recorded before the end of a program can be read, also if a line is not whole."""
    run_host("recorded.c", "crash", status=-6, POLYCL_RECORD=str(tmp_path))
    log = tmp_path / "recorded.log"
    with log.open("a") as file:
        file.write('{"op":"write","buf')
    assert are_equal(replay(written(read_log(log), log.with_suffix(".mlir")), "cpu"))


def test_refused(run_host: Host, tmp_path: Path) -> None:
    run_host("recorded.c", "refused", POLYCL_RECORD=str(tmp_path))
    with pytest.raises(SourceError, match=r"recorded\.log:2:1: error: the command of type 0x11f6"):
        read_log(tmp_path / "recorded.log")


def test_second_run_has_its_own_log(run_host: Host, tmp_path: Path) -> None:
    for _ in range(2):
        run_host("recorded.c", "sums", POLYCL_RECORD=str(tmp_path))
    assert sorted(path.name for path in tmp_path.glob("*.log")) == [
        "recorded-2.log",
        "recorded.log",
    ]


def test_a_program_with_a_name_that_is_taken(run_host: Host, tmp_path: Path) -> None:
    """A program may be called `main`, or as a function of C's library or a word of Python."""
    run_host("recorded.c", "sums", POLYCL_RECORD=str(tmp_path))
    log = tmp_path / "recorded.log"
    for name in ("main", "time", "class"):
        log = log.rename(log.with_stem(name))
        text = host_c(read_log(log))
        assert text.count(f" {name}(") == (name == "main")
        assert f"run_{name}(" in text


def test_folder_that_cannot_be_written(run_host: Host, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = run_host("recorded.c", "sums", POLYCL_RECORD=str(file / "folder"))
    assert "POLYCL_RECORD: cannot make the folder" in done.stderr


def test_command(run_host: Host, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`polycl record`, and a program whose data are damaged."""
    with pytest.raises(PolyclError, match="there is no recorded run in it"):
        polycl_command(["record", str(tmp_path)])
    run_host("recorded.c", "sums", POLYCL_RECORD=str(tmp_path))
    polycl_command(["record", str(tmp_path)])
    assert capsys.readouterr().out == f"wrote {tmp_path / 'recorded.mlir'}\n"
    host = polycl.load(tmp_path / "recorded.mlir").host()
    array = next(array for array in host.recorded.values() if array.is_expected)
    np.save(array.path, array.load() + 1)
    (distance, *_) = replay(tmp_path / "recorded.mlir", "cpu")
    assert distance is not None
    assert distance > TOLERANCE
    array.path.unlink()
    with pytest.raises(PolyclError, match="recorded data cannot be read"):
        host()
