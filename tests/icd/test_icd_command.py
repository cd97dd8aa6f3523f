"""`polycl icd`, and how the driver is built."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import polycl
from polycl.errors import PolyclError
from polycl.runtime.icd import driver as driver_module
from polycl.runtime.icd.driver import FOLDER, BuildError, build_driver, remember_interpreter
from polycl.tools import icd_command
from polycl.tools.icd_features import features
from polycl.tools.polycl import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def place(driver: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the driver, instead of that of the checkout."""
    place = tmp_path / "place"
    place.mkdir()
    shutil.copy(driver, place)
    use_folder(place, monkeypatch)
    return place


def use_folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icd_command, "FOLDER", place)
    monkeypatch.setattr(icd_command, "remember_interpreter", lambda: remember_interpreter(place))
    monkeypatch.setattr(icd_command, "SYSTEM_FOLDER", str(place / "system"))
    monkeypatch.setattr(icd_command, "_pyopencl_file", lambda: place / ".libs" / "polycl.icd")
    for name in ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)


def test_without_an_action_it_says_where_the_driver_is(
    place: Path, capsys: pytest.CaptureFixture[str]
):
    run(["icd"])
    shown = capsys.readouterr().out
    assert f"driver: {place}/libpolycl_opencl.so.1\n" in shown
    assert f"Python of its compiler: {sys.executable}\n" in shown
    assert "Loaders that find it:\n  none yet\n" in shown
    assert (place / "interpreter.txt").read_text() == f"{sys.executable}\n"


def test_a_missing_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    use_folder(tmp_path, monkeypatch)
    for words in (["icd"], ["icd", "run", "true"], ["icd", "install", "--system"]):
        with pytest.raises(PolyclError, match="there is no OpenCL driver in .*'polycl icd build'"):
            run(words)


@pytest.mark.parametrize(
    ("option", "folder"),
    [
        (["--system"], "system"),
        (["--user"], "conda/etc/OpenCL/vendors"),
        (["--pyopencl"], ".libs"),
        (["--folder", "own"], "own"),
    ],
)
def test_install_and_uninstall(
    place: Path,
    option: list[str],
    folder: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("CONDA_PREFIX", str(place / "conda"))
    monkeypatch.chdir(place)
    file = place / folder / "polycl.icd"
    run(["icd", "install", *option])
    written = capsys.readouterr().out
    assert written.startswith(f"wrote {file}\n")
    assert ("PYOPENCL_CTX=polycl" in written) == (option == ["--pyopencl"])
    assert file.read_text() == f"{place}/libpolycl_opencl.so.1\n"
    run(["icd"])
    assert (f"\n  {file}\n" in capsys.readouterr().out) == (option[0] != "--folder")
    run(["icd", "uninstall", *option])
    assert capsys.readouterr().out == f"removed {file}\n"
    assert not file.exists()
    run(["icd", "uninstall", *option])
    assert capsys.readouterr().out == f"there is no {file}\n"


def test_places_that_are_none(place: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(PolyclError, match="no loader reads a folder of a user"):
        run(["icd", "install", "--user"])
    monkeypatch.setattr(icd_command, "_pyopencl_file", lambda: None)
    with pytest.raises(PolyclError, match="pyopencl .* in this Python"):
        run(["icd", "install", "--pyopencl"])
    with pytest.raises(PolyclError, match="--system --user --pyopencl --folder is required"):
        run(["icd", "install"])

    def refuse(*arguments: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(PolyclError, match="you may not write to .*system; run 'sudo .* install"):
        run(["icd", "install", "--system"])


def test_run_sets_the_variables_of_the_loaders(place: Path):
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from polycl.tools import icd_command\n"
        "from polycl.tools.polycl import run\n"
        "icd_command.FOLDER = Path(sys.argv[1])\n"
        "run(['icd', 'run', 'env', '-u', 'HOME'])"
    )
    command = [sys.executable, "-c", code, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert f"OCL_ICD_VENDORS={place}/libpolycl_opencl.so.1" in lines
    assert f"OCL_ICD_FILENAMES={place}/libpolycl_opencl.so.1" in lines
    assert not [line for line in lines if line.startswith("HOME=")]
    with pytest.raises(PolyclError, match="there is no program 'no-such-program'"):
        run(["icd", "run", "no-such-program"])


def test_a_failing_compiler(tmp_path: Path):
    target = tmp_path / "driver.so"
    with pytest.raises(BuildError, match="cannot run '/nonexistent/cc': No such file"):
        build_driver(target, {"CC": "/nonexistent/cc -m64"})
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho 'all is wrong' >&2\nexit 1\n")
    compiler.chmod(0o755)
    with pytest.raises(BuildError, match="failed:\nall is wrong"):
        build_driver(target, {"CC": str(compiler)})
    assert not target.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["cc"]


def test_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(driver_module, "COMPILERS", ("no-such-cc",))
    with pytest.raises(BuildError, match=r"no C compiler \(no-such-cc\) in PATH; install one"):
        build_driver(tmp_path / "driver.so", {})


def test_a_folder_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch):
    assert not remember_interpreter(Path("/proc/self/no-such-folder"))


BUILD = """
import pyopencl as cl
(platform,) = cl.get_platforms()
context = cl.Context(platform.get_devices())
cl.Program(context, "kernel void k(global int *o) { *o = 1; }").build()
print("built")
"""


def run_with(driver: Path, environment: dict[str, str], folder: Path) -> str:
    """Build a program with a driver that has to find its compiler, whose socket is in `folder`."""
    folder.mkdir(mode=0o700)
    environment = {**environment, "OCL_ICD_VENDORS": str(driver), "XDG_RUNTIME_DIR": str(folder)}
    environment |= {"POLYCL_SERVER_IDLE": "1", "POLYCL_CACHE_DIR": ""}
    environment.pop("POLYCL_PYTHON", None)
    command = [sys.executable, "-W", "ignore", "-c", BUILD]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def test_the_driver_finds_its_interpreter(
    driver: Path, host_environment: dict[str, str], tmp_path: Path
):
    version = f"python3.{sys.version_info.minor}"
    place = tmp_path / "lib" / version / "site-packages" / "polycl" / "runtime" / "icd"
    place.mkdir(parents=True)
    shutil.copy(driver, place)
    text = run_with(place / driver.name, host_environment, tmp_path / "a")
    assert "the Python interpreter that has polycl was not found" in text

    # That of the installation in which the driver lies.
    program = tmp_path / "bin" / version
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\ntouch {tmp_path}/used\nexec {sys.executable} "$@"\n')
    program.chmod(0o755)
    assert run_with(place / driver.name, host_environment, tmp_path / "b") == "built\n"
    assert (tmp_path / "used").exists()

    program.unlink()
    remember_interpreter(place)
    assert run_with(place / driver.name, host_environment, tmp_path / "c") == "built\n"


def test_the_table_of_features_is_up_to_date(driver: Path):
    text = (ROOT / "docs" / "platform.md").read_text(encoding="utf-8")
    _, _, rest = text.partition("<!-- polycl icd features -->\n")
    table, _, _ = rest.partition("<!-- end -->")
    assert table == features(driver), (
        "put the output of 'polycl icd features' into docs/platform.md"
    )


def test_driver_has_the_version_of_polycl() -> None:
    version = f'#define POLYCL_VERSION "{polycl.__version__}"'
    assert version in (FOLDER / "platform.c").read_text()
