"""`polycl icd`: polycl as a platform of OpenCL programs."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from polycl.errors import PolyclError
from polycl.runtime.icd.driver import (
    DRIVER,
    FOLDER,
    INTERPRETER,
    BuildError,
    build_driver,
    remember_interpreter,
)
from polycl.tools.driver import UsageError, quiet_parser
from polycl.tools.icd_features import features

DESCRIPTION = """\
polycl as a platform of OpenCL programs, which reach it through a loader, libOpenCL.so. Without a
further word: where its driver is, and which loaders find it.
"""

EXAMPLES = """\
examples:
  polycl icd run clinfo             run a program with this platform; nothing is installed
  polycl icd install --pyopencl     for pyopencl of this Python
  sudo polycl icd install --system  for all programs
"""

SYSTEM_FOLDER = "/etc/OpenCL/vendors"
ICD_FILE = "polycl.icd"
"""The file with the driver's path, which loaders read."""

VARIABLES = """\
Variables of the environment:
  POLYCL_CHECK        1: kernels are checked for races, wrong accesses and other errors;
                      race,bounds: for errors of these kinds
  POLYCL_CHECK_EXIT   the exit code where an error was found (default: 1; 0: the program's own)
  POLYCL_CHECK_LOG    a file to which what is found is added
  POLYCL_CHECK_SARIF  the same as SARIF, which code-hosting sites show beside the source lines
  POLYCL_CHECK_SOURCES  the folder with the files of the sources that programs pass as text
  POLYCL_DEVICE       interp: kernels run on the interpreter
  POLYCL_TRACE        the file for a trace of calls and commands (chrome://tracing)
  POLYCL_REMARKS      the file for what the compiler decided about each kernel
  POLYCL_THREADS      the number of compute units (default: the cores that the program may use)
  POLYCL_CACHE_DIR    the folder of compiled kernels; empty: nothing is kept
  POLYCL_PYTHON       the Python interpreter of the compiler, an absolute path
  POLYCL_SERVER       0: ocl-run and Python's programs compile in their own processes
  POLYCL_SERVER_IDLE  the compiler's process ends after so many seconds without work (default: 600)
"""


def add_icd(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command to those of `polycl`."""
    parser = commands.add_parser(
        "icd",
        help="polycl as a platform of OpenCL programs",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
    )
    quiet_parser(parser, "polycl icd")
    parser.set_defaults(run=_show)
    actions = parser.add_subparsers(metavar="ACTION")
    _add_run(actions)
    _add_build(actions)
    _add_features(actions)
    for name, text, run in (
        ("install", "tell a loader about the driver", _install),
        ("uninstall", "undo install", _uninstall),
    ):
        action = actions.add_parser(name, help=text, description=f"{text.capitalize()}.")
        quiet_parser(action, f"polycl icd {name}")
        action.set_defaults(run=run)
        places = action.add_mutually_exclusive_group(required=True)
        add = places.add_argument
        add("--system", action="store_true", help=f"all programs ({SYSTEM_FOLDER}, as root)")
        add("--user", action="store_true", help="programs of the active conda environment")
        add("--pyopencl", action="store_true", help="pyopencl of this Python, from its wheel")
        add("--folder", type=Path, metavar="FOLDER", help="a folder that your loader reads")


def _add_run(actions: argparse._SubParsersAction[Any]) -> None:
    action = actions.add_parser(
        "run",
        help="run a program with this platform alone",
        description="Run a program with this platform alone. Nothing is installed.",
    )
    quiet_parser(action, "polycl icd run")
    action.set_defaults(run=_run)
    action.add_argument("program", metavar="PROGRAM")
    action.add_argument("arguments", metavar="ARGUMENT", nargs=argparse.REMAINDER)


def _add_build(actions: argparse._SubParsersAction[Any]) -> None:
    action = actions.add_parser(
        "build",
        help="compile the driver",
        description="Compile the driver, with $CC or another C compiler: where polycl was "
        "installed without one, or after a change of the driver's sources.",
    )
    quiet_parser(action, "polycl icd build")
    action.set_defaults(run=_build)


def _add_features(actions: argparse._SubParsersAction[Any]) -> None:
    action = actions.add_parser(
        "features",
        help="print what the platform supports",
        description="Print the versions, features, extensions and limits of the platform, as the "
        "driver reports them, as a table in Markdown.",
    )
    quiet_parser(action, "polycl icd features")
    action.set_defaults(run=lambda _: print(features(_driver()), end=""))


def loader_variables(driver: Path) -> dict[str, str]:
    """The variables with which loaders use `driver`: those of ocl-icd, and those of Khronos."""
    return {"OCL_ICD_VENDORS": str(driver), "OCL_ICD_FILENAMES": str(driver)}


def _driver() -> Path:
    """The driver. Raises PolyclError where there is none."""
    driver = FOLDER / DRIVER
    if not driver.exists():
        raise PolyclError(
            f"there is no OpenCL driver in {FOLDER}: polycl was installed without a C compiler; "
            "install one (say, gcc), then run 'polycl icd build'"
        )
    remember_interpreter()
    return driver


def _show(args: argparse.Namespace) -> None:
    driver = _driver()
    print(f"driver: {driver}")
    interpreter = FOLDER / INTERPRETER
    if interpreter.exists():
        print(f"Python of its compiler: {interpreter.read_text(encoding='utf-8').strip()}")
    else:
        print(f"Python of its compiler: that of the folder ({FOLDER} cannot be written)")
    print("\nLoaders that find it:")
    found = [file for file in _known_files(os.environ) if _names(file, driver)]
    for file in found:
        print(f"  {file}")
    for name in loader_variables(driver):
        if os.environ.get(name) == str(driver):
            found.append(Path(name))
            print(f"  the variable {name}")
    if not found:
        print("  none yet")
    print(
        "\nTo use it:\n"
        "  polycl icd run PROGRAM ARGUMENT...\n"
        "  polycl icd install --system, --user (conda), --pyopencl or --folder FOLDER\n"
        f"  export OCL_ICD_VENDORS={driver}\n"
        "    (hides the other platforms; Khronos's loader has OCL_ICD_FILENAMES, which does not)\n"
    )
    print(VARIABLES, end="")


def _run(args: argparse.Namespace) -> None:
    program = shutil.which(args.program)
    if program is None:
        raise PolyclError(f"there is no program '{args.program}'")
    environment = {**os.environ, **loader_variables(_driver())}
    sys.stdout.flush()
    try:
        os.execve(program, [args.program, *args.arguments], environment)
    except OSError as error:
        raise PolyclError(f"cannot run '{program}': {error.strerror}") from error


def _build(args: argparse.Namespace) -> None:
    driver = FOLDER / DRIVER
    try:
        build_driver(driver)
    except BuildError as error:
        raise PolyclError(str(error)) from error
    except OSError as error:
        raise PolyclError(f"cannot write '{driver}': {error.strerror}") from error
    remember_interpreter()
    print(f"built {driver}")


def _install(args: argparse.Namespace) -> None:
    driver = _driver()
    file = _file(args, os.environ)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{driver}\n", encoding="utf-8")
    except PermissionError as error:
        raise PolyclError(_needs_root(file, "install")) from error
    print(f"wrote {file}")
    if args.pyopencl:
        print("where the system has other platforms, the variable PYOPENCL_CTX=polycl chooses it")


def _uninstall(args: argparse.Namespace) -> None:
    file = _file(args, os.environ)
    try:
        file.unlink()
    except FileNotFoundError:
        print(f"there is no {file}")
        return
    except PermissionError as error:
        raise PolyclError(_needs_root(file, "uninstall")) from error
    print(f"removed {file}")


def _needs_root(file: Path, action: str) -> str:
    text = f"you may not write to {file.parent}"
    if str(file.parent) == SYSTEM_FOLDER:
        text += f"; run 'sudo {sys.executable} -m polycl.tools.polycl icd {action} --system'"
    return text


def _file(args: argparse.Namespace, environment: Mapping[str, str]) -> Path:
    """The file that the options mean. Raises UsageError where there can be none."""
    if args.folder is not None:
        return args.folder.absolute() / ICD_FILE
    if args.system:
        return Path(SYSTEM_FOLDER, ICD_FILE)
    if args.user:
        file = _conda_file(environment)
        if file is None:
            raise UsageError(
                "no loader reads a folder of a user or of a virtual environment, only that of an "
                "active conda environment ($CONDA_PREFIX/etc/OpenCL/vendors); use --system, or "
                "--pyopencl, or 'polycl icd run PROGRAM'"
            )
        return file
    file = _pyopencl_file()
    if file is None:
        where = "has no loader of its own" if find_spec("pyopencl") else "is not installed"
        raise UsageError(
            f"pyopencl {where} in this Python ({sys.executable}); its wheel from PyPI has one "
            "(pip install pyopencl), others use the system's: --system"
        )
    return file


def _conda_file(environment: Mapping[str, str]) -> Path | None:
    prefix = environment.get("CONDA_PREFIX")
    return Path(prefix, "etc", "OpenCL", "vendors", ICD_FILE) if prefix else None


def _pyopencl_file() -> Path | None:
    """The file for the loader in pyopencl's wheel, which also reads its own folder."""
    spec = find_spec("pyopencl")
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        libraries = Path(folder, ".libs")
        if libraries.is_dir():
            return libraries / ICD_FILE
    return None


def _known_files(environment: Mapping[str, str]) -> list[Path]:
    files = (Path(SYSTEM_FOLDER, ICD_FILE), _conda_file(environment), _pyopencl_file())
    return [file for file in files if file is not None]


def _names(file: Path, driver: Path) -> bool:
    """Whether the file tells a loader to load `driver`."""
    try:
        return file.read_text(encoding="utf-8").strip() == str(driver)
    except OSError:
        return False
