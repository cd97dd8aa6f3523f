"""Indices into arrays inside of larger objects, while a kernel runs."""

from __future__ import annotations

from dataclasses import dataclass

from polycl.analysis.ocl.subscripts import Subscript, subscripts
from polycl.backends.interp.integers import to_signed
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import Translator
from polycl.dialects import ocl


@dataclass(frozen=True)
class Limit:
    """The limit of an index that is the sum of the slots, each times its factor."""

    terms: tuple[tuple[int, int], ...]
    subscript: Subscript

    def fault(self, frame: Frame) -> str | None:
        limit, width = self.subscript.limit, self.subscript.width
        index = sum(to_signed(frame[slot], 64) * factor for slot, factor in self.terms)
        if 0 <= index <= limit - width:
            return None
        last = f" to {index + width - 1}" if width > 1 else ""
        plural = "s" if limit != 1 else ""
        what = self.subscript.what
        return f"index {index}{last} is outside of {what}, which has {limit} element{plural}"


def limits_of(
    op: ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp, t: Translator
) -> tuple[Limit, ...]:
    """The limits of the indices of an access, from the innermost array to the outermost."""
    return tuple(
        Limit(tuple((t.slot(value), factor) for value, factor in found.terms), found)
        for found in subscripts(op)
    )
