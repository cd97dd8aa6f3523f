"""The time of each phase between a source and its first result.

    with collect_phases() as seconds:
        polycl.load("k.cl").kernel("k")(x, global_size=1024)
    print(seconds)

`phase` costs almost nothing while no one collects.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter

_sink: ContextVar[dict[str, float] | None] = ContextVar("polycl_phases", default=None)


@contextmanager
def collect_phases() -> Generator[dict[str, float]]:
    """Seconds for each phase inside the `with` block, in the order of their first start.

    A phase that ran several times has the sum. A phase that the cache made unnecessary is missing.
    """
    seconds: dict[str, float] = {}
    token = _sink.set(seconds)
    try:
        yield seconds
    finally:
        _sink.reset(token)


@contextmanager
def phase(name: str) -> Generator[None]:
    """The `with` block is (a part of) the phase `name`."""
    seconds = _sink.get()
    if seconds is None:
        yield
        return
    seconds.setdefault(name, 0.0)
    start = perf_counter()
    try:
        yield
    finally:
        seconds[name] += perf_counter() - start


def add_phases(seconds: Mapping[str, float]) -> None:
    """Add the seconds of phases of another process."""
    sink = _sink.get()
    if sink is not None:
        for name, more in seconds.items():
            sink[name] = sink.get(name, 0.0) + more
