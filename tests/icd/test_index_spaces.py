"""Launches of every shape on the driver."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest


@pytest.mark.parametrize("device", ["cpu", "interp"])
def test_index_spaces(
    run_host: Callable[..., subprocess.CompletedProcess[str]], device: str
) -> None:
    arguments = ["small"] if device == "interp" else []
    assert run_host("index_spaces.py", *arguments, POLYCL_DEVICE=device).stdout == "ok\n"
