"""Builds the OpenCL driver, which is in C, and puts it into the wheel or an editable checkout.

Without a C compiler the wheel has no driver; all the rest of polycl is Python. A checkout whose
symbolic links were lost (git's `core.symlinks=false`) does not build: it has text files in the
place of `src/polycl/dialects` and its like, and a wheel built from it would lack them without a
word. Everything else is in pyproject.toml.
"""

import runpy
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

PACKAGE = Path(__file__).resolve().parent / "src" / "polycl"
FOLDERS = ("analysis", "backends", "dialects", "frontends", "lowering", "runtime", "tools")

lost = [name for name in FOLDERS if not (PACKAGE / name / "__init__.py").is_file()]
if lost:
    raise SystemExit(
        f"error: src/polycl/{lost[0]} must be a symbolic link to the folder {lost[0]}; "
        "clone again with 'git clone -c core.symlinks=true' (on Windows: in developer mode)"
    )

icd = SimpleNamespace(**runpy.run_path(str(PACKAGE / "runtime" / "icd" / "driver.py")))
scratch = tempfile.TemporaryDirectory()


@cache
def built_driver() -> Path | None:
    """The driver, built once; None if it cannot be built here."""
    target = Path(scratch.name, icd.DRIVER)
    try:
        icd.build_driver(target)
    except icd.BuildError as error:
        print(f"warning: polycl is built without its OpenCL driver: {error}", file=sys.stderr)
        return None
    return target


class BuildWithDriver(build_py):
    def run(self) -> None:
        super().run()
        driver = built_driver()
        if driver is None:
            return
        package = PACKAGE if self.editable_mode else Path(self.build_lib, "polycl")
        folder = package / "runtime" / "icd"
        # A process that has loaded an older driver keeps that file.
        (folder / icd.DRIVER).unlink(missing_ok=True)
        shutil.copy(driver, folder / icd.DRIVER)
        if self.editable_mode:
            icd.remember_interpreter(folder)


class WheelWithDriver(bdist_wheel):
    def run(self) -> None:
        if built_driver() is not None:
            self.root_is_pure = False
            # The files lie where those of extension modules do.
            self.distribution.has_ext_modules = lambda: True
        super().run()

    def get_tag(self) -> tuple[str, str, str]:
        _, _, platform = super().get_tag()
        # The driver does not depend on the version of Python.
        return "py3", "none", platform


setup(cmdclass={"build_py": BuildWithDriver, "bdist_wheel": WheelWithDriver})
