"""The results of collective operations, from the values of all work-items of a group.

Absent values are None. The order in which floats are combined is that of the dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from polycl.backends.interp import integers
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.elementwise import format_of, width_of
from polycl.backends.interp.floats import max_num, min_num
from polycl.dialects import ocl
from polycl.dialects.ocl.collectives import CombineKind, identity_of

_INTEGER: dict[CombineKind, Callable[[int], integers.Binary]] = {
    CombineKind.ADD: integers.add,
    CombineKind.MUL: integers.mul,
    CombineKind.MIN: integers.min_signed,
    CombineKind.MAX: integers.max_signed,
    CombineKind.UMIN: integers.min_unsigned,
    CombineKind.UMAX: integers.max_unsigned,
    CombineKind.AND: integers.bit_and,
    CombineKind.OR: integers.bit_or,
    CombineKind.XOR: integers.bit_xor,
}


@dataclass(frozen=True)
class Combine:
    """A combination of two values, and the value that changes no other one."""

    of: Callable[[Any, Any], Any]
    identity: Any
    start: Any = None
    """What the results of an exclusive scan are combined with: 0.0 where the identity is -0.0."""

    @classmethod
    def by(cls, kind: CombineKind, type: Attribute) -> Combine:
        identity = identity_of(kind, type)
        if isinstance(type, IntegerType):
            bits = int(identity) & ((1 << width_of(type)) - 1)
            return cls(_INTEGER[kind](width_of(type)), bits)
        format = format_of(type)
        of = {
            CombineKind.ADD: format.add,
            CombineKind.MUL: format.mul,
            CombineKind.MIN: min_num,
            CombineKind.MAX: max_num,
        }[kind]
        return cls(of, identity, 0.0 if kind is CombineKind.ADD else None)

    def reduced_rows(self, values: Sequence[Any], width: int) -> list[Any]:
        """For each value, its row of `width` values combined."""
        results: list[Any] = []
        for start in range(0, len(values), width):
            row = self._row(values, start, width)
            distance = width // 2
            while distance:
                row = [self.of(row[i], row[i ^ distance]) for i in range(width)]
                distance //= 2
            results += row[: len(values) - start]
        return results

    def reduced(self, values: Sequence[Any], width: int) -> Any:
        """All values combined."""
        total = [self.identity] * width
        for start in range(0, len(values), width):
            total = list(map(self.of, total, self._row(values, start, width)))
        return self.reduced_rows(total, width)[0]

    def scanned(
        self, values: Sequence[Any], width: int, *, whole: bool, exclusive: bool
    ) -> list[Any]:
        """For each value, the ones up to it combined: those of its row, or of the `whole`."""
        results: list[Any] = []
        before = self.identity
        for start in range(0, len(values), width):
            row = self._row(values, start, width)
            distance = 1
            while distance < width:
                row = [
                    self.of(row[i - distance], x) if i >= distance else x for i, x in enumerate(row)
                ]
                distance *= 2
            first = before
            if whole:
                row = [self.of(before, value) for value in row]
                before = row[-1]
            if exclusive:
                row = [first, *row[:-1]]
                if self.start is not None:
                    row = [self.of(value, self.start) for value in row]
            results += row[: len(values) - start]
        return results

    def _row(self, values: Sequence[Any], start: int, width: int) -> list[Any]:
        row = [self.identity if v is None else v for v in values[start : start + width]]
        return row + [self.identity] * (width - len(row))


def collective_results(
    op: ocl.Collective, operands: Sequence[tuple[Any, ...] | None], width: int
) -> Sequence[Any]:
    """The result for each work-item of a group, from their operands; `width` is that of the
    sub-groups."""
    values = [None if given is None else given[0] for given in operands]
    match op:
        case ocl.GroupReduceOp():
            combine = Combine.by(op.kind.data, op.value.type)
            if not op.is_sub_group:
                return [combine.reduced(values, width)] * len(values)
            return combine.reduced_rows(values, op.cluster_size or width)
        case ocl.GroupScanOp():
            combine = Combine.by(op.kind.data, op.value.type)
            exclusive, whole = op.exclusive is not None, not op.is_sub_group
            return combine.scanned(values, width, whole=whole, exclusive=exclusive)
        case _:
            indices = [0 if given is None else given[1] for given in operands]
            if op.is_sub_group:
                indices = [index % width for index in indices]
            zero = codec_of(op.value.type).zero
            found = [values[i] if i < len(values) else None for i in indices]
            return [zero if value is None else value for value in found]
