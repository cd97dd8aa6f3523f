"""Native code with checks is kept in the cache."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.backends.cache import cache_in
from polycl.backends.cpu.device import CpuDevice

SOURCE = "kernel void k(global int *y, global const int *to) { y[to[get_global_id(0)]] = 1; }"


def launch(size: int) -> None:
    y, to = np.zeros(size, np.int32), np.arange(size, dtype=np.int32)
    device = polycl.device("cpu", check=True)
    polycl.load(SOURCE).kernel("k")(y, to, global_size=size, local_size=16, device=device)
    assert y.all()


def test_the_second_program_compiles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []
    compile = CpuDevice.compile

    def counted(self: CpuDevice, *args, **options):
        compiled.append("")
        return compile(self, *args, **options)

    monkeypatch.setattr(CpuDevice, "compile", counted)
    with cache_in(tmp_path):
        launch(64)
        assert len(compiled) == 1
        launch(64)
        # Another size, with the same checks left.
        launch(128)
        assert len(compiled) == 1
