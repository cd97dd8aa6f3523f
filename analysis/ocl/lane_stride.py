"""The algebra of lane strides: how a value depends on the local id of each dimension.

Along one dimension, a value is
  - affine with a known stride: it grows by that many units from one work-item to the next;
    stride 0 is *uniform*: the same for all work-items,
  - affine with an unknown stride that is itself uniform (`UNKNOWN`),
  - or *varying*: nothing is known (`VARYING`).

Plain mathematics without IR.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Final, TypeAlias


class _Symbol(Enum):
    UNKNOWN = "?"
    VARYING = "varying"


UNKNOWN: Final = _Symbol.UNKNOWN
VARYING: Final = _Symbol.VARYING

Stride: TypeAlias = int | _Symbol


def _add(a: Stride, b: Stride) -> Stride:
    if a is VARYING or b is VARYING:
        return VARYING
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    assert isinstance(a, int) and isinstance(b, int)
    return a + b


def _join(a: Stride, b: Stride) -> Stride:
    if a == b:
        return a
    return VARYING if VARYING in (a, b) else UNKNOWN


def _scale(a: Stride, factor: int | None) -> Stride:
    if isinstance(a, int):
        return UNKNOWN if factor is None and a != 0 else a * (factor or 0)
    return a if a is VARYING or factor != 0 else 0


@dataclass(frozen=True)
class Lanes:
    """The strides of one value along x, y and z."""

    x: Stride
    y: Stride
    z: Stride

    @property
    def strides(self) -> tuple[Stride, Stride, Stride]:
        return self.x, self.y, self.z

    @property
    def is_uniform(self) -> bool:
        return self is UNIFORM or self.strides == (0, 0, 0)

    def __add__(self, other: Lanes) -> Lanes:
        if other is UNIFORM or self is ALL_VARYING:
            return self
        if self is UNIFORM or other is ALL_VARYING:
            return other
        return Lanes(*map(_add, self.strides, other.strides))

    def __sub__(self, other: Lanes) -> Lanes:
        return self + other.scaled(-1)

    def scaled(self, factor: int | None) -> Lanes:
        """Multiplied by a uniform number; None where the number is not known."""
        if self is UNIFORM or self is ALL_VARYING or factor == 1:
            return self
        return Lanes(*(_scale(a, factor) for a in self.strides))

    def masked(self, mask: int) -> Lanes:
        """The bits of a mask, at least 0: steps of whole powers of two above it change none."""
        if self is UNIFORM or self is ALL_VARYING:
            return self
        above = 1 << mask.bit_length()
        steps = (a if isinstance(a, _Symbol) else a % above for a in self.strides)
        return Lanes(*(0 if step == 0 else VARYING for step in steps))

    def joined(self, other: Lanes) -> Lanes:
        """One of the two, the same one for all work-items."""
        if self is other:
            return self
        return Lanes(*map(_join, self.strides, other.strides))

    def blurred(self) -> Lanes:
        """After an unknown deterministic function: uniform stays, the rest varies."""
        if self is UNIFORM or self is ALL_VARYING:
            return self
        return Lanes(*(0 if a == 0 else VARYING for a in self.strides))

    def decided_by(self, condition: Lanes) -> Lanes:
        """Of a value that depends on a decision: it varies where the decision is not uniform."""
        if condition is UNIFORM or self is ALL_VARYING:
            return self
        pairs = zip(self.strides, condition.strides, strict=True)
        return Lanes(*(a if c == 0 else VARYING for a, c in pairs))

    def __str__(self) -> str:
        if self.is_uniform:
            return "uniform"
        if all(stride is VARYING for stride in self.strides):
            return "varying"
        return " ".join(
            f"{name}:{stride.value if isinstance(stride, _Symbol) else stride}"
            for name, stride in zip("xyz", self.strides, strict=True)
            if stride != 0
        )


UNIFORM = Lanes(0, 0, 0)
ALL_VARYING = Lanes(VARYING, VARYING, VARYING)
_VARYING_ALONG = {
    along: Lanes(*(VARYING if varies else 0 for varies in along))
    for along in product((False, True), repeat=3)
} | {(False,) * 3: UNIFORM, (True,) * 3: ALL_VARYING}
"""The facts of values that vary along some dimensions: no more are made for each value."""


def local_id(dimension: int) -> Lanes:
    """The local id of one dimension: stride 1 along it, uniform along the others."""
    return Lanes(*(int(d == dimension) for d in range(3)))


def depends_on(*lanes: Lanes) -> Lanes:
    """A deterministic function of values: uniform along a dimension where all of them are."""
    x = y = z = False
    for lane in lanes:
        if lane is not UNIFORM:
            x, y, z = x or lane.x != 0, y or lane.y != 0, z or lane.z != 0
    return _VARYING_ALONG[x, y, z]
