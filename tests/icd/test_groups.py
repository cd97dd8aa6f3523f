"""Sub-groups of the driver."""

from __future__ import annotations

import subprocess
from collections.abc import Callable


def test_groups(run_host: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    assert run_host("groups.c").stdout == "good\n"
