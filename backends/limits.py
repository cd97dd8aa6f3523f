"""A limit for the size of modules, so that tools reject inputs that would take hours."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice

from xdsl.dialects.builtin import ModuleOp

from polycl.errors import PolyclError

MAX_OPS = 1_000_000
"""The default of the command lines."""

_limit: ContextVar[int | None] = ContextVar("polycl_max_ops", default=None)


@contextmanager
def max_ops(limit: int | None) -> Generator[None]:
    """Modules inside the `with` block have at most `limit` operations; None: any number."""
    token = _limit.set(limit)
    try:
        yield
    finally:
        _limit.reset(token)


def max_ops_now() -> int | None:
    """The limit that holds here."""
    return _limit.get()


def check_ops(module: ModuleOp, which: str) -> None:
    """Raises PolyclError if `module` is too large; `which` describes its origin or its state."""
    limit = _limit.get()
    if limit is None:
        return
    # The module itself does not count.
    more = next(islice(module.walk(), limit + 1, None), None)
    if more is not None:
        where = f"the module {which}" if which else "the module"
        raise PolyclError(
            f"{where} has more than {limit} operations; split it, or allow more with --max-ops"
        )
