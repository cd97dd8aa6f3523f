"""An isl context for each thread, and a limit on the operations of isl."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import islpy as isl

IslT = TypeVar("IslT", isl.Set, isl.Map, isl.PwAff)


class BudgetExceeded(Exception):
    """isl exceeded its budget of operations; the caller continues without the result."""


class _OfThread(threading.local):
    """A context is not thread-safe; `__init__` runs once in each thread."""

    def __init__(self) -> None:
        # The main thread has islpy's own, so that objects written as `isl.Set("...")` fit ours.
        is_main = threading.current_thread() is threading.main_thread()
        self.context = isl.DEFAULT_CONTEXT if is_main else isl.Context()
        self.read = lru_cache(maxsize=1024)(self._read)

    def _read(self, kind: Any, text: str) -> Any:
        return kind.read_from_str(self.context, text)


_of_thread = _OfThread()


def isl_context() -> isl.Context:
    return _of_thread.context


def object_of(kind: type[IslT], text: str) -> IslT:
    """The object of a correct text, in the context of this thread."""
    return _of_thread.read(kind, text)


def is_out_of_budget(error: isl.Error) -> bool:
    """Whether isl stopped because of the budget."""
    return "maximal number of operations exceeded" in str(error)


def _is_exhausted(probe: isl.Set) -> bool:
    """Whether the budget is used up: isl reports a syntax error for texts that it reads then."""
    try:
        probe.lexmin()
    except isl.Error as error:
        return is_out_of_budget(error)
    return False


@contextmanager
def isl_budget(operations: int) -> Generator[None]:
    """Allows at most this many operations of isl inside; of nested budgets, the outer one counts.

    The count is isl's own, so it is the same on every machine. The context is usable afterwards.

    Raises:
        BudgetExceeded: isl needed more.
    """
    context = isl_context()
    if context.get_max_operations():
        yield
        return
    probe = isl.Set.read_from_str(context, "{ [i] : 0 <= i < 8 }")
    context.reset_operations()
    context.set_max_operations(operations)
    try:
        yield
    except isl.Error as error:
        if not is_out_of_budget(error) and not _is_exhausted(probe):
            raise
        raise BudgetExceeded(f"isl needed more than {operations} operations") from error
    finally:
        context.set_max_operations(0)
        context.reset_operations()
