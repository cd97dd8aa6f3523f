"""Pipes of the driver."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Host = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("variables", [{}, {"POLYCL_DEVICE": "interp"}, {"POLYCL_CHECK": "1"}])
def test_pipes(run_host: Host, variables: dict[str, str]) -> None:
    assert run_host("pipes.c", **variables).stdout == "good\n"
