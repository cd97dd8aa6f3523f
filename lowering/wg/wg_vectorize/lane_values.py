"""What a value of one work-item becomes for a tile of neighbouring work-items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects.vec import element_of, vector_of


@dataclass(frozen=True)
class Scalar:
    """One scalar for all lanes: lane l has `value + l * stride` (bytes, for a pointer)."""

    value: SSAValue
    stride: int = 0


@dataclass(frozen=True)
class Lanes:
    """A vector with one element for each lane; for a value of an OpenCL C vector type, one for each
    of its elements."""

    parts: tuple[SSAValue, ...]


@dataclass(frozen=True)
class Row:
    """One vector with the elements of a value of an OpenCL C vector type as memory has them: all
    those of lane 0, then those of lane 1, and so on."""

    elements: SSAValue


@dataclass(frozen=True)
class Pointers:
    """Lane l has the address `base + indices[l] * stride` bytes."""

    base: SSAValue
    indices: SSAValue
    stride: int


@dataclass(frozen=True)
class Separate:
    """One scalar for each lane: values that no vector holds, as structs."""

    values: tuple[SSAValue, ...]


Value: TypeAlias = "Scalar | Lanes | Row | Pointers | Separate"


class NotVectorizable(Exception):
    """A region stays as it is: the operation at fault, and why."""

    def __init__(self, op: Operation, reason: str):
        super().__init__(reason)
        self.op = op
        self.reason = reason


def lanes_type(type: Attribute, lanes: int) -> VectorType:
    """A vector of the elements of `type`, one for each lane."""
    return vector_of(element_of(type), lanes)


def mask_type(lanes: int) -> VectorType:
    return vector_of(i1, lanes)
