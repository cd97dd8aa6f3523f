"""Checks of some kinds only: what is found, what is left out, and how they are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.interp.checks import KINDS, CheckError

SOURCE = """
kernel void k(global int *x, global int *y, int n) {
  local int tile[8];
  int l = get_local_id(0), set;
  tile[l] = x[l];
  y[l] = tile[7 - l];
  y[l + n] = 1 / x[l];
  if (x[0] > 5) set = 1;
  y[0] = set;
}
"""
ALL = {"race", "bounds", "division", "uninitialised"}


def kinds_found(device: str, check: Any) -> set[str]:
    x, y = np.arange(8, dtype=np.int32), np.zeros(12, np.int32)
    try:
        polycl.load(SOURCE).kernel("k")(
            x, y, 6, global_size=8, local_size=8, device=polycl.device(device, check=check)
        )
    except CheckError as error:
        return {finding.kind for finding in error.findings}
    return set()


@pytest.mark.parametrize("device", ["cpu", "interp"])
@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (True, ALL),
        ("all", ALL),
        ("race", {"race"}),
        ("races", {"race"}),
        (["bounds"], {"bounds"}),
        ("bounds, divisions", {"bounds", "division"}),
        (("uninitialised",), {"uninitialised"}),
        (["shift"], set()),
    ],
)
def test_only_what_is_wanted_is_found(device: str, check: Any, expected: set[str]) -> None:
    assert kinds_found(device, check) == expected


@pytest.mark.parametrize("device", ["cpu", "interp"])
@pytest.mark.parametrize("check", ["racing", ["race", "bound"], ""])
def test_unknown_kinds(device: str, check: Any) -> None:
    with pytest.raises(polycl.ArgumentError, match=f"expected .*{', '.join(KINDS)}"):
        polycl.device(device, check=check)
