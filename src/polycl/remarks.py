"""Remarks: the decisions of passes and their reasons.

A pass calls `emit_remark`, which is cheap without a collector. A tool or a test collects:

    with collect_remarks() as remarks:
        pipeline.apply(ctx, module)
    for remark in remarks:
        print(remark)

Collectors nest (the innermost gets the remarks) and belong to the current context, so threads
do not see each other's.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from xdsl.ir import Operation

from polycl.errors import location_of
from polycl.notebooks import table


@dataclass(frozen=True)
class Remark:
    """One decision of one pass, at the source location it concerns."""

    location: tuple[str, int, int] | None
    """File, line and column (both from 1), or None where the source is unknown."""

    pass_name: str
    message: str

    def __str__(self) -> str:
        where = "<unknown>" if self.location is None else ":".join(map(str, self.location))
        return f"{where}: remark: {self.message} [{self.pass_name}]"


class Remarks(list[Remark]):
    """Remarks in order, of which notebooks show a table."""

    def _repr_html_(self) -> str:
        # Several copies of a loop have the same remark.
        rows = [
            ["?" if r.location is None else ":".join(map(str, r.location)), r.message, r.pass_name]
            for r in dict.fromkeys(self)
        ]
        return table(["place", "remark", "pass"], rows)


_sink: ContextVar[list[Remark] | None] = ContextVar("polycl_remarks", default=None)


@contextmanager
def collect_remarks() -> Generator[Remarks]:
    """Collects the remarks emitted inside the `with` block, in order."""
    remarks = Remarks()
    token = _sink.set(remarks)
    try:
        yield remarks
    finally:
        _sink.reset(token)


def remarks_wanted() -> bool:
    """Whether there is a collector: for remarks that are expensive to make."""
    return _sink.get() is not None


def emit_remark(op: Operation, pass_name: str, message: str) -> None:
    """Adds a remark of `pass_name` on `op` to the current collector, if there is one."""
    sink = _sink.get()
    if sink is not None:
        sink.append(Remark(location_of(op), pass_name, message))
