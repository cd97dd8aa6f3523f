"""Addresses in the initial values of program-scope variables."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest


@pytest.mark.parametrize("device", ["cpu", "interp"])
def test_addresses_in_program_variables(
    run_host: Callable[..., subprocess.CompletedProcess[str]], device: str
) -> None:
    assert run_host("addresses.py", POLYCL_DEVICE=device).stdout == "ok\n"
