"""Fixtures that several test files share."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from judge.runtime import Judge
from polycl.backends.cache import cache_in

ROOT = Path(__file__).resolve().parent.parent

# What a test compiles is compiled here and now; tests of the cache choose their own folder.
os.environ["POLYCL_CACHE_DIR"] = ""
os.environ["POLYCL_SERVER"] = "0"

# How long an example takes says more of the machine than of what is tested. The examples are the
# same in each run, so that a change fails for what it changes; `--hypothesis-profile random` looks
# for new ones.
settings.register_profile("polycl", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None)
settings.load_profile("polycl")

Runner = Callable[..., "subprocess.CompletedProcess[str]"]


def pytest_collection_finish() -> None:
    """Otherwise Python's collector of garbage takes an eighth of the time: it visits all tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-judge",
        action="store_true",
        help="compare polycl's devices with each other only, not with an OpenCL runtime",
    )
    parser.addoption(
        "--judge-icd",
        type=Path,
        metavar="FILE",
        help="the .icd file of the OpenCL runtime to compare with (default: Intel's from PyPI)",
    )


@pytest.fixture(scope="session")
def judge(request: pytest.FixtureRequest) -> Iterator[Judge | None]:
    """An OpenCL runtime in a process of its own (a missing one is an error); or --no-judge."""
    if request.config.getoption("--no-judge"):
        yield None
        return
    with Judge(request.config.getoption("--judge-icd")) as judge:
        yield judge


@pytest.fixture(scope="module")
def kept_code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What one test of the file has compiled is not compiled again by the next."""
    with cache_in(tmp_path_factory.mktemp("code")):
        yield


def copy_checkout(target: Path) -> Path:
    """A copy of what a checkout holds, its links kept: building writes into the source tree."""
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "build", "*.egg-info", "__pycache__", "Output", ".*_cache", ".hypothesis"
    )
    return Path(shutil.copytree(ROOT, target, symlinks=True, ignore=ignored))


def pip_install(source: Path, target: Path) -> None:
    """Installs `source` without its dependencies into the folder `target`."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(target), str(source)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the checkout that a test may build in or spoil."""
    pytest.importorskip("setuptools", minversion="77")
    return copy_checkout(tmp_path / "source")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with polycl and the project in tests/embedding, both installed by pip."""
    pytest.importorskip("setuptools", minversion="77")
    folder = tmp_path_factory.mktemp("installed")
    source = copy_checkout(folder / "source")
    pip_install(source, folder / "site")
    pip_install(source / "tests" / "embedding", folder / "site")
    return folder / "site"


@pytest.fixture
def run_installed(installed: Path, tmp_path: Path) -> Runner:
    """Runs this Python with arguments in an empty folder, seeing only what pip installed."""

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        return subprocess.run(
            [sys.executable, *args],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )

    return run
