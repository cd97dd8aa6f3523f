"""How values go into and out of regions: as scalars, or as vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from polycl.dialects import ocl
from polycl.dialects.parents import owner_of
from polycl.dialects.vec import count_of
from polycl.lowering.wg.wg_vectorize.accesses import holds_in_lanes
from polycl.lowering.wg.wg_vectorize.lane_values import (
    Lanes,
    NotVectorizable,
    Row,
    Scalar,
    Value,
    lanes_type,
)
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter


@dataclass(frozen=True)
class Form:
    """How a value goes into and out of regions: as a scalar, or as vectors."""

    old: SSAValue
    stride: int | None
    """Of a scalar; None: vectors."""

    is_row: bool = False

    def types(self, lanes: int) -> list[Attribute]:
        type = self.old.type
        if self.stride is not None:
            return [type]
        if isinstance(type, ocl.PtrType):
            return [lanes_type(i64, lanes)]
        if self.is_row:
            return [lanes_type(type, count_of(type) * lanes)]
        return [lanes_type(type, lanes)] * count_of(type)

    def flat(self, e: Emitter, source: SSAValue) -> list[SSAValue]:
        """The values that `source` consists of, in this form."""
        if self.is_row:
            return [e.row(source, count_of(self.old.type))]
        if self.stride is None:
            return list(e.vectors(source))
        value = e.value(source)
        assert isinstance(value, Scalar)
        return [value.value]

    def value(self, flat: Sequence[SSAValue]) -> Value:
        if self.is_row:
            return Row(flat[0])
        return Lanes(tuple(flat)) if self.stride is None else Scalar(flat[0], self.stride)


def form_of(e: Emitter, old: SSAValue) -> Form:
    stride = e.stride(old)
    return vectors_form(e, old) if stride is None else Form(old, stride)


def vectors_form(e: Emitter, old: SSAValue) -> Form:
    if not holds_in_lanes(old.type):
        raise NotVectorizable(owner_of(old), f"a divergent value of type {old.type}")
    return Form(old, None, is_row=old in e.rows)


Forms: TypeAlias = Sequence[Form]


def types_of(e: Emitter, forms: Forms) -> list[Attribute]:
    return [type for form in forms for type in form.types(e.lanes)]


def flattened(e: Emitter, forms: Forms, sources: Sequence[SSAValue]) -> list[SSAValue]:
    return [
        flat for form, source in zip(forms, sources, strict=True) for flat in form.flat(e, source)
    ]


def bind(
    e: Emitter, forms: Forms, targets: Sequence[SSAValue], flat: Sequence[SSAValue]
) -> Sequence[SSAValue]:
    """Give the targets their values; what is left of `flat`."""
    at = 0
    for form, target in zip(forms, targets, strict=True):
        count = len(form.types(e.lanes))
        values = flat[at : at + count]
        for i, value in enumerate(values):
            if target.name_hint is not None:
                value.name_hint = target.name_hint if count == 1 else f"{target.name_hint}_{i}"
        e.values[target] = form.value(values)
        at += count
    return flat[at:]
