"""Images of the driver: all kinds in all kinds of memory, all formats, all checks."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Host = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("seed", [1, 2])
def test_kinds_commands_and_checks(run_host: Host, seed: int) -> None:
    assert run_host("images.c", str(seed)).stdout == "good\n"


def test_formats(run_host: Host) -> None:
    assert run_host("image_formats.py").stdout == "good\n"
