"""Def-use chains of buffers across the boundary of host and kernels (section 3.2.2).

A write, a copy, a fill and a launch that stores define what is in a buffer; a read, a copy and a
launch that loads use it. `chains` follows structured control flow: a definition reaches a use
where some path from one to the other has no definition of all of the buffer in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.host.aliases import BufferClasses
from polycl.analysis.host.kernel_access import KernelAccesses
from polycl.dialects import ocl

_State = dict[SSAValue, dict[Operation, None]]


@dataclass
class Chains:
    """Who defines what whom uses: operations in the order of the text."""

    uses: dict[Operation, dict[Operation, None]] = field(
        default_factory=dict[Operation, dict[Operation, None]]
    )
    """The uses of each definition."""

    definitions: dict[Operation, dict[Operation, None]] = field(
        default_factory=dict[Operation, dict[Operation, None]]
    )
    """The definitions that reach each use."""


def chains(
    function: FuncOp,
    classes: BufferClasses,
    accesses: Callable[[ocl.HostLaunchOp], KernelAccesses],
) -> Mapping[SSAValue, Chains]:
    """The chains of each class of buffers, by its representative."""
    walk = _Walk(classes, accesses)
    walk.block(function.body.blocks[0], {})
    return walk.found


@dataclass
class _Walk:
    classes: BufferClasses
    accesses: Callable[[ocl.HostLaunchOp], KernelAccesses]
    found: dict[SSAValue, Chains] = field(default_factory=dict[SSAValue, Chains])

    def block(self, block: Block, state: _State) -> _State:
        for op in block.ops:
            match op:
                case scf.IfOp():
                    state = _joined(
                        *(self.block(inner, state) for r in op.regions for inner in r.blocks),
                        *(() if all(r.blocks for r in op.regions) else (state,)),
                    )
                case _ if op.regions:
                    # Nothing to two rounds: what the first defines reaches the second.
                    for _round in range(2):
                        after = state
                        for region in op.regions:
                            for inner in region.blocks:
                                after = self.block(inner, after)
                        state = _joined(state, after)
                case _:
                    state = self.command(op, state)
        return state

    def command(self, op: Operation, state: _State) -> _State:
        state = dict(state)
        for buffer, is_used, is_defined in effects(op, self.accesses):
            key = self.classes.find(buffer)
            chain = self.found.setdefault(key, Chains())
            if is_used:
                for definition in state.get(key, {}):
                    chain.uses.setdefault(definition, {})[op] = None
                    chain.definitions.setdefault(op, {})[definition] = None
            if is_defined:
                kept = {} if self._is_whole(op, key) else state.get(key, {})
                state[key] = {**kept, op: None}
        return state

    def _is_whole(self, op: Operation, key: SSAValue) -> bool:
        """Whether all of the one buffer there is gets defined."""
        if isinstance(op, ocl.WriteOp | ocl.CopyOp | ocl.FillOp):
            return is_whole(op) and isinstance(key.owner, ocl.BufferOp) and op.target is key
        return False


def is_whole(op: ocl.WriteOp | ocl.ReadOp | ocl.CopyOp | ocl.FillOp) -> bool:
    """Whether a command is about all of its buffer."""
    if isinstance(op, ocl.FillOp):
        return op.offset is None and op.count is None
    return op.source_offset is None and op.target_offset is None and op.count is None


def effects(
    op: Operation, accesses: Callable[[ocl.HostLaunchOp], KernelAccesses]
) -> list[tuple[SSAValue, bool, bool]]:
    """The buffers that a command touches: whether it uses and whether it defines them."""
    match op:
        case ocl.WriteOp():
            return [(op.target, False, True)]
        case ocl.ReadOp():
            return [(op.source, True, False)]
        case ocl.CopyOp():
            return [(op.source, True, False), (op.target, False, True)]
        case ocl.FillOp():
            return [(op.target, False, True)]
        case ocl.HostLaunchOp():
            return _of_launch(op, accesses(op))
        case ocl.ReleaseOp() | ocl.BufferOp():
            return []
        case _:
            buffers = [v for v in op.operands if isinstance(v.type, ocl.BufferType)]
            return [(value, True, True) for value in buffers]


def _of_launch(op: ocl.HostLaunchOp, known: KernelAccesses) -> list[tuple[SSAValue, bool, bool]]:
    found: list[tuple[SSAValue, bool, bool]] = []
    for parameter, value in enumerate(op.arguments):
        if isinstance(value.type, ocl.BufferType):
            escapes = known.escape_of(parameter) is not None
            mine = known.of(parameter)
            is_used = escapes or any(not access.is_store for access in mine)
            found.append((value, is_used, escapes or any(access.is_store for access in mine)))
    return found


def _joined(*states: _State) -> _State:
    result: _State = {}
    for state in states:
        for key, definitions in state.items():
            result[key] = {**result.get(key, {}), **definitions}
    return result
