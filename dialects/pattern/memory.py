"""The memory of values: marks on the operations that compute them [lift15, section 3.2].

`toLocal(map-local(f))` is `%t = pattern.map_local ...` and then `%u = pattern.to_local %t`.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition

from polycl.dialects.pattern.values import OneToOneOp, Properties, array_in


class ToMemoryBase(OneToOneOp, ABC):
    """The input, computed into one kind of memory."""

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        return [array_in(operands[0])]


@irdl_op_definition
class ToLocalOp(ToMemoryBase):
    """In the work-group's local memory: `%u = pattern.to_local %t : !pattern.array<64, f32>`."""

    name = "pattern.to_local"


@irdl_op_definition
class ToGlobalOp(ToMemoryBase):
    """In global memory: `%u = pattern.to_global %t : !pattern.array<64, f32>`."""

    name = "pattern.to_global"


@irdl_op_definition
class ToPrivateOp(ToMemoryBase):
    """In the work-item's own memory: `%u = pattern.to_private %t : !pattern.array<4, f32>`."""

    name = "pattern.to_private"
