"""Python's limit of nested calls, for IR that is nested deeply: a chain of early returns or of
else-ifs nests one region in the other."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

LIMIT = 10_000

_lock = Lock()
_inside = 0
_before = 0


@contextmanager
def deep_calls() -> Generator[None]:
    """At least `LIMIT` nested calls inside the `with` block, in all threads of the process."""
    global _inside, _before
    with _lock:
        if not _inside:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_before, LIMIT))
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                sys.setrecursionlimit(_before)
