"""The driver in the package."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

DRIVER = "polycl/runtime/icd/libpolycl_opencl.so.1"


def build(kind: str, checkout: Path, target: Path, **variables: str) -> tuple[Path, str]:
    """The wheel, and what the build printed about errors."""
    code = f"from setuptools import build_meta as b; b.build_{kind}({str(target)!r})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=checkout,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    (wheel,) = target.glob("*.whl")
    return wheel, done.stderr


@pytest.mark.usefixtures("driver")
def test_a_wheel_has_the_driver_for_all_versions_of_python(checkout: Path, tmp_path: Path):
    wheel, errors = build("wheel", checkout, tmp_path)
    assert "OpenCL driver" not in errors
    assert "-py3-none-linux_" in wheel.name
    with zipfile.ZipFile(wheel) as content:
        assert content.read(DRIVER)[:4] == b"\x7fELF"
        assert "polycl/runtime/icd/interpreter.txt" not in content.namelist()


def test_without_a_compiler_the_wheel_is_pure(checkout: Path, tmp_path: Path):
    wheel, errors = build("wheel", checkout, tmp_path, CC="/nonexistent/cc")
    assert (
        "warning: polycl is built without its OpenCL driver: cannot run '/nonexistent/cc': "
        "No such file or directory\n"
    ) in errors
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as content:
        assert DRIVER not in content.namelist()


@pytest.mark.usefixtures("driver")
def test_an_editable_install_has_the_driver_in_its_place(checkout: Path, tmp_path: Path):
    folder = checkout / "runtime" / "icd"
    (folder / "libpolycl_opencl.so.1").unlink(missing_ok=True)
    build("editable", checkout, tmp_path)
    assert (folder / "libpolycl_opencl.so.1").read_bytes()[:4] == b"\x7fELF"
    assert (folder / "interpreter.txt").read_text() == f"{sys.executable}\n"
