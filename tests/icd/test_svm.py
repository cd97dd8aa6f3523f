"""Shared virtual memory of the driver."""

from __future__ import annotations

import subprocess
from collections.abc import Callable


def test_svm(run_host: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    assert run_host("svm.c").stdout == "good\n"
