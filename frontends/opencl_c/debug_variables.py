"""The variables of a debug build: each has private memory with its present value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.debug import VARIABLE, SourceVariable
from polycl.frontends.opencl_c.builder import INDEX
from polycl.frontends.opencl_c.conversions import to_memory
from polycl.frontends.opencl_c.tree import Variable, hint_of
from polycl.frontends.opencl_c.types import Kind, pointer_type, unsigned_parts

if TYPE_CHECKING:
    from polycl.frontends.opencl_c.places import Places

_SHOWN = (Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.VECTOR, Kind.POINTER, Kind.STRUCT)
"""The kinds of values that a debugger shows; arrays and unions are in memory."""

_IDS: dict[str, type[ocl.GlobalIdOp | ocl.LocalIdOp | ocl.GroupIdOp]] = {
    "global_id": ocl.GlobalIdOp,
    "local_id": ocl.LocalIdOp,
    "group_id": ocl.GroupIdOp,
}
"""Variables that every kernel has: a debugger cannot call `get_global_id(0)`."""


class DebugVariables:
    """The memory for the variables of one function.

    A store is volatile, so that no pass removes it. The memory belongs to the thread, on which
    work-items run one after the other: wherever another work-item may have been before, the values
    are stored again.
    """

    def __init__(self, emitter: Places, is_renewed: bool):
        self._emitter = emitter
        self._is_renewed = is_renewed
        """Whether work-items may change inside of the function: it has a barrier."""
        self._memory: dict[Variable, SSAValue] = {}
        self._ids: dict[str, SSAValue] = {}

    def declare(self, variables: Iterable[Variable], parameters: list[Variable]) -> None:
        """Allocate memory for the variables that a debugger can show."""
        e = self._emitter
        for variable in variables:
            known = variable in e.slots
            if variable.scope is None or (not known and variable.type.kind not in _SHOWN):
                continue
            is_parameter = variable in parameters
            shown = SourceVariable(
                variable.name,
                variable.scope,
                parameters.index(variable) + 1 if is_parameter else 0,
                tuple(unsigned_parts(variable.type, "")),
                is_address=known,
            )
            e.location = variable.location
            type = e.slots[variable].type if known else variable.type.memory
            self._memory[variable] = self._allocate(ocl.AllocaOp(type), shown)

    def declare_ids(self, scope: tuple[int, int, int, int]) -> None:
        """Allocate memory for the work-item's ids, as arrays of three numbers."""
        for name in _IDS:
            alloca = ocl.AllocaOp(ocl.ArrayType(3, i64))
            memory = self._allocate(alloca, SourceVariable(name, scope, unsigned=("",)))
            first = pointer_type(i64, ocl.AddressSpace.PRIVATE)
            self._ids[name] = self._emitter.op(ocl.CastOp, memory, type=first)

    def _allocate(self, alloca: ocl.AllocaOp, shown: SourceVariable) -> SSAValue:
        alloca.attributes[VARIABLE] = shown.attribute()
        memory = self._emitter.value(alloca)
        memory.name_hint = hint_of(shown.name)
        return memory

    def keep(self, variable: Variable) -> None:
        """Store the present value of a variable, or its address if it is in memory."""
        memory, e = self._memory.get(variable), self._emitter
        if memory is None:
            return
        if variable in e.slots:
            value = e.slots[variable]
        else:
            value = to_memory(e, e.values[variable], variable.type.memory)
        e.store_to(value, memory, volatile=True)

    def keep_all(self) -> None:
        """Store the ids, and the values of all variables that have one."""
        e = self._emitter
        for name, memory in self._ids.items():
            for dimension in range(3):
                id = e.value(arith.IndexCastOp(e.value(_IDS[name](dimension)), i64))
                e.store_to(id, memory, e.constant(dimension, INDEX), volatile=True)
        for variable in self._memory:
            if variable in e.slots or variable in e.values:
                self.keep(variable)

    def renew_after(self, before: Operation | None) -> None:
        """Store all values if other work-items may run between `before` and the end of the block:
        there is a barrier."""
        block = self._emitter.block
        op = block.first_op if before is None else before.next_op
        while self._is_renewed and op is not None:
            if any(_may_wait(inner) for inner in operations_in(op)):
                self.keep_all()
                return
            op = op.next_op

    def enter_loop(self) -> None:
        """Store all values at the start of an iteration, before which there may be a barrier."""
        if self._is_renewed:
            self.keep_all()


def _may_wait(op: Operation) -> bool:
    return op.name in ("ocl.barrier", "ocl.wait_events", "func.call") or "group_" in op.name
