"""The model of a cache: one by hand, and both engines alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from launches import launches_of
from polycl.backends.tta.cache import Accesses, Cache, CacheState, parse_cache
from polycl.backends.tta.device import TtaDevice
from polycl.errors import ArgumentError

KERNELS = Path(__file__).parents[1] / "kernels"


def test_lines_that_were_used_last_stay():
    state = CacheState(Cache(sets=2, ways=2, line=8, miss=10))
    # Lines 0, 2 and 4 share a set of two; an access to any byte of a line uses it.
    for address, misses in ((0, 1), (16, 2), (4, 2), (32, 3), (7, 3), (16, 4), (8, 5), (40, 6)):
        state.access(0, address)
        assert state.misses == misses, address
    assert state.accesses() == Accesses(8, 6, 60)
    state.access(1, 40)
    assert state.misses == 7, "another address space has lines of its own"


@pytest.mark.parametrize("text", ["ways=0", "sets=1048576 ways=1 line=4 miss=3"])
def test_engines_see_the_same_accesses(text: str):
    """Of caches that do not depend on where arrays begin; test_engine.py has others."""
    launch = launches_of(KERNELS / "guards.cl")[0]
    found: list[tuple[int, Accesses]] = []
    for engine in ("compiled", "interpreter"):
        device = TtaDevice(wg_method="horizontal", engine=engine, memory=text)
        launch.bound(device).launch()
        assert device.result is not None
        found.append((device.result.cycles, device.result.accesses))
    assert found[0] == found[1]
    assert found[0][1].misses > 0
    plain = TtaDevice(wg_method="horizontal")
    launch.bound(plain).launch()
    assert plain.result is not None
    assert plain.result.cycles == found[0][0], "the schedule does not know the cache"
    assert plain.result.accesses == Accesses()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sets=3", "sets=3: expected a power of two, at least 1"),
        ("line=2", "line=2: expected a power of two, at least 4"),
        ("size=4", "'size=4': expected sets=N, ways=N, line=N, miss=N"),
        ("miss=-1", "'miss=-1': expected sets=N"),
        ("ways=1 ways=2", "'ways' is given twice"),
        ("sets=1048576 ways=2", "expected at most 1048576 lines"),
    ],
)
def test_refused(text: str, message: str):
    with pytest.raises(ArgumentError, match=message):
        parse_cache(text)
