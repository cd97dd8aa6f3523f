"""Program binaries, as a program of the host sees them."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess


def test_binaries(run_host: Callable[..., CompletedProcess[str]]):
    assert run_host("binaries.py").stdout == "ok\n"
