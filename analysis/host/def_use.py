"""Def-use chains of memory across host and kernels ([ppopencl19], section 3.2.2).

The memory is arrays of the host and buffers of the device. Stores, transfers, fills and launches
that store define its contents; loads, transfers and launches that load use them. The function
defines the initial contents of its arguments and uses their final contents at its return.

A definition reaches a use if some path from one to the other has no definition of the whole memory
in between; in a loop, the path may lead into a later iteration. Commands are in one in-order queue.
Arguments of the host's function are assumed to be different arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.host.aliases import BufferClasses
from polycl.analysis.host.kernel_access import KernelAccesses
from polycl.dialects import host
from polycl.errors import error_at

Accesses: TypeAlias = Callable[[host.LaunchOp], KernelAccesses]
"""The accesses of the kernel that is launched."""

Chains: TypeAlias = dict[Operation, dict[Operation, None]]
"""The uses of each definition."""

_State: TypeAlias = dict[SSAValue, dict[Operation, None]]
"""The reaching definitions, by the representative of their memory."""

_PASSED_ON = (scf.ForOp, scf.WhileOp, scf.IfOp, arith.SelectOp, memref.CastOp)
"""Operations whose results alias their operands."""

NO_EFFECT = (
    *_PASSED_ON,
    scf.YieldOp,
    scf.ConditionOp,
    memref.DimOp,
    memref.DeallocOp,
    host.ReleaseOp,
)
"""Operations that neither use nor define the contents of their operands."""


class Effect(NamedTuple):
    """An access of an operation to an array or a buffer."""

    memory: SSAValue
    is_used: bool
    is_defined: bool
    parameter: str = ""
    """The kernel's parameter for the memory, in a launch."""


class DefUse:
    """The chains of a host function.

    Raises a located error for control flow other than `scf.for`, `scf.while` and `scf.if`.
    """

    def __init__(self, function: FuncOp, accesses: Accesses):
        self.classes = BufferClasses(function)
        self.objects: dict[SSAValue, list[SSAValue]] = {}
        """The arrays and buffers of each class, by its representative."""
        self.chains: dict[SSAValue, Chains] = {}
        self._accesses = accesses
        new = [value for op in function.walk() for value in made(op)]
        for value in (*arguments(function), *new):
            self.objects.setdefault(self.classes.find(value), []).append(value)
        state: _State = {}
        for value in arguments(function):
            self._define(state, self.classes.find(value), function)
        self._region(function, 0, state)

    def _region(self, op: Operation, region: int, state: _State) -> _State:
        blocks = op.regions[region].blocks
        if len(blocks) > 1:
            raise error_at(
                op,
                f"'{op.name}' branches between {len(blocks)} blocks; def-use chains need "
                "structured control flow: run lift-cf-to-scf first",
            )
        return self._block(blocks[0], state) if blocks else state

    def _block(self, block: Block, state: _State) -> _State:
        for op in block.ops:
            match op:
                case scf.IfOp():
                    state = _joined(self._region(op, 0, state), self._region(op, 1, state))
                case scf.ForOp():
                    # Two iterations reach the fixed point: a state is a set of definitions.
                    for _round in range(2):
                        state = _joined(state, self._region(op, 0, state))
                case scf.WhileOp():
                    before = state
                    for _round in range(2):
                        state = self._region(op, 0, before)
                        before = _joined(before, self._region(op, 1, state))
                case _ if op.regions:
                    raise error_at(
                        op, f"def-use chains need scf.for, scf.while or scf.if, got '{op.name}'"
                    )
                case _:
                    state = self._command(op, state)
        return state

    def _command(self, op: Operation, state: _State) -> _State:
        state = dict(state)
        for value in made(op):
            # Memory that a loop allocates is new in each iteration.
            self._forget(state, self.classes.find(value))
        found = [(self.classes.find(e.memory), e) for e in effects(op, self._accesses)]
        for key, effect in found:
            for definition in state.get(key, {}) if effect.is_used else ():
                self.chains[key][definition][op] = None
        for key, effect in found:
            if effect.is_defined:
                if isinstance(op, host.WriteOp | host.CopyOp | host.FillOp) and is_whole(op):
                    self._forget(state, key)
                self._define(state, key, op)
        return state

    def _forget(self, state: _State, key: SSAValue) -> None:
        """Kill the definitions of a class, unless it may be several objects."""
        if len(self.objects[key]) == 1:
            state.pop(key, None)

    def _define(self, state: _State, key: SSAValue, definition: Operation) -> None:
        self.chains.setdefault(key, {}).setdefault(definition, {})
        state[key] = {**state.get(key, {}), definition: None}


def is_whole(op: host.WriteOp | host.ReadOp | host.CopyOp | host.FillOp) -> bool:
    """Whether a command accesses its whole buffer."""
    if isinstance(op, host.FillOp):
        return op.offset is None and op.count is None
    return op.source_offset is None and op.target_offset is None and op.count is None


def effects(op: Operation, accesses: Accesses) -> list[Effect]:
    """The accesses of an operation of the host to memory."""
    match op:
        case memref.LoadOp():
            return [Effect(op.memref, True, False)]
        case memref.StoreOp():
            return [Effect(op.memref, False, True)]
        case host.FillOp():
            return [Effect(op.target, False, True)]
        case host.WriteOp() | host.ReadOp() | host.CopyOp():
            return [Effect(op.source, True, False), Effect(op.target, False, True)]
        case memref.CopyOp():
            return [Effect(op.source, True, False), Effect(op.destination, False, True)]
        case host.TransposeOp():
            return [Effect(op.source, True, False), Effect(op.result, False, True)]
        case host.LaunchOp():
            return list(_of_launch(op, accesses(op)))
        case ReturnOp():
            function = op.parent_op()
            given = arguments(function) if isinstance(function, FuncOp) else []
            return [
                Effect(v, True, False) for v in dict.fromkeys((*given, *memory_of(op.operands)))
            ]
        case _ if isinstance(op, NO_EFFECT):
            return []
        case _:
            return [Effect(v, True, True) for v in dict.fromkeys(memory_of(op.operands))]


def arguments(function: FuncOp) -> list[SSAValue]:
    """The arrays and buffers that a function gets."""
    return list(memory_of(function.args))


def _of_launch(op: host.LaunchOp, known: KernelAccesses) -> Iterator[Effect]:
    names = known.kernel.param_names
    for parameter, value in enumerate(op.arguments):
        if isinstance(value.type, host.BufferType):
            escapes = known.escape_of(parameter) is not None
            is_used = escapes or any(not access.is_store for access in known.of(parameter))
            is_defined = escapes or any(access.is_store for access in known.of(parameter))
            yield Effect(value, is_used, is_defined, names[parameter])


def memory_of(values: Iterable[SSAValue]) -> Iterator[SSAValue]:
    """The arrays and buffers among values."""
    return (value for value in values if isinstance(value.type, host.BufferType | MemRefType))


def made(op: Operation) -> Iterator[SSAValue]:
    """The results that are, or may be, new memory."""
    return memory_of(() if isinstance(op, _PASSED_ON) else op.results)


def _joined(*states: _State) -> _State:
    result: _State = {}
    for state in states:
        for key, definitions in state.items():
            result[key] = {**result.get(key, {}), **definitions}
    return result
