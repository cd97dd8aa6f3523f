"""The driver, built from this checkout, and host programs that use it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from polycl.runtime.icd.driver import DRIVER, FOLDER, BuildError, build_driver

HOSTS = Path(__file__).resolve().parent / "hosts"

Host = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver's shared object."""
    path = tmp_path_factory.mktemp("driver") / DRIVER
    try:
        build_driver(path)
    except BuildError as error:
        pytest.skip(str(error))
    return path


@pytest.fixture(scope="session")
def host_environment(driver: Path) -> Iterator[dict[str, str]]:
    """The variables for a host program: it sees this driver only, which has its own compiler."""
    # A UNIX socket's path must be short.
    with tempfile.TemporaryDirectory(prefix="polycl-") as folder:
        os.chmod(folder, 0o700)
        yield {
            **os.environ,
            "OCL_ICD_VENDORS": str(driver),
            "POLYCL_CACHE_DIR": f"{folder}/cache",
            "POLYCL_PYTHON": sys.executable,
            "POLYCL_SERVER_IDLE": "20",
            "PYOPENCL_NO_CACHE": "1",
            "XDG_RUNTIME_DIR": folder,
        }


@pytest.fixture(scope="session")
def run_host(
    driver: Path, host_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Host:
    """Runs a program of the folder `hosts` with arguments; those in C get the driver's path first.

    They are compiled with the warnings on, and must return `status`. Further keywords are variables
    of their environment, `folder` is where they are started.
    """
    programs = tmp_path_factory.mktemp("hosts")

    def run(
        name: str,
        *arguments: str,
        timeout: float = 100,
        status: int = 0,
        folder: Path | None = None,
        **variables: str,
    ) -> subprocess.CompletedProcess[str]:
        source = HOSTS / name
        if source.suffix == ".py":
            command = [sys.executable, "-W", "ignore", str(source)]
        else:
            program = programs / source.stem
            if not program.exists():
                compiler = shutil.which("cc") or "gcc"
                flags = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror"]
                flags += [f"-I{FOLDER}", "-pthread", "-o", str(program), str(source), "-ldl"]
                subprocess.run([compiler, *flags], check=True)
            command = [str(program), str(driver)]
        done = subprocess.run(
            [*command, *arguments],
            cwd=folder,
            env=host_environment | variables,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert done.returncode == status, (
            f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}"
        )
        return done

    return run
