"""Launches of a kernel with many local sizes: with code of any size, of each size, and chosen."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.parametrize("choice", ["", "1", pytest.param("0", marks=pytest.mark.slow)])
def test_many_local_sizes(
    run_host: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path, choice: str
) -> None:
    """An empty cache is left with few variants, unless there must be one for each size."""
    found = run_host(
        "local_sizes.c", POLYCL_ANY_SIZE=choice, POLYCL_CACHE_DIR=str(tmp_path), timeout=1000
    )
    assert found.stdout.startswith("good"), found.stdout
    assert (len(list(tmp_path.rglob("*.entry"))) < 40) == (choice != "0")


@pytest.mark.parametrize("choice", ["0", "1"])
def test_aligned_arrays(
    run_host: Callable[..., subprocess.CompletedProcess[str]], choice: str
) -> None:
    assert run_host("aligned.py", POLYCL_ANY_SIZE=choice).stdout == "ok\n"


@pytest.mark.parametrize("choice", ["", "0", "1"])
def test_best_groups(
    run_host: Callable[..., subprocess.CompletedProcess[str]], choice: str
) -> None:
    """Groups that are chosen, with code of any size and of one."""
    assert run_host("best_groups.py", POLYCL_ANY_SIZE=choice).stdout == "ok\n"
