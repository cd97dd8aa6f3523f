"""The limits of a device, as constraints on the parameters of a low-level program."""

from __future__ import annotations

from collections.abc import Iterator

from polycl.dialects.pattern import ArrayType, MapLocalOp, NatAttr, ToLocalOp, nat
from polycl.dialects.pattern.types import innermost
from polycl.runtime.pattern.explore.accesses import scalar_bytes
from polycl.runtime.pattern.explore.draft import Draft, size_of
from polycl.runtime.pattern.explore.machines import Machine
from polycl.runtime.pattern.explore.space import AtMost, Constraint


def device_limits(draft: Draft, machine: Machine) -> tuple[Constraint, ...]:
    """The constraints of a low-level program: the size of work-groups and of local memory."""
    found = dict.fromkeys(_limits(draft, machine))
    known = {choice.name for choice in draft.plan.choices}
    return tuple(limit for limit in found if limit.variables <= known)


def _limits(draft: Draft, machine: Machine) -> Iterator[AtMost]:
    for op in draft.function.walk():
        if isinstance(op, MapLocalOp):
            size, around = size_of(op), op.parent_op()
            while around is not None:
                if isinstance(around, MapLocalOp):
                    size *= size_of(around)
                around = around.parent_op()
            yield AtMost(str(size), str(machine.max_local_size), "work-items of a group")
        if isinstance(op, ToLocalOp):
            type = op.results[0].type
            size = _scalars(type) * scalar_bytes(innermost(type))
            yield AtMost(str(size), str(machine.local_bytes), "local memory")


def _scalars(type: object) -> NatAttr:
    total = nat(1)
    while isinstance(type, ArrayType):
        total, type = total * type.size, type.element_type
    return total
