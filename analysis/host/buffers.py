"""The buffers of a module with their uses, in groups that share one layout.

Buffers share a layout if they may be the same object, if one is copied to the other, or if they
are the same argument of a kernel in different launches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from polycl.analysis.host.aliases import BufferClasses
from polycl.analysis.host.def_use import is_whole
from polycl.dialects import host, ocl
from polycl.dialects.host.buffers import element_type

_KNOWN_MAKERS = (host.BufferOp, scf.ForOp, scf.WhileOp, scf.IfOp, arith.SelectOp)


@dataclass
class Group:
    """Buffers of one layout and their uses, in the order of the text."""

    buffers: list[host.BufferOp] = field(default_factory=list[host.BufferOp])
    bindings: list[tuple[host.LaunchOp, int]] = field(
        default_factory=list[tuple[host.LaunchOp, int]]
    )
    """The launches, with the number of the argument."""

    writes: list[host.WriteOp] = field(default_factory=list[host.WriteOp])
    reads: list[host.ReadOp] = field(default_factory=list[host.ReadOp])
    refusals: list[str] = field(default_factory=list[str])
    """Why the layout stays: uses that depend on the positions of elements."""

    @property
    def name(self) -> str:
        """The buffers' names."""
        names = [op.result.name_hint or "a buffer" for op in self.buffers]
        return " and ".join(dict.fromkeys(names))


def buffer_groups(module: ModuleOp) -> list[Group]:
    """All groups, in the order of their first buffers."""
    classes = BufferClasses(module)
    parameters: dict[tuple[str, int], SSAValue] = {}
    for op in module.walk():
        if isinstance(op, host.LaunchOp):
            for number, value in enumerate(op.arguments):
                if isinstance(value.type, host.BufferType):
                    key = (op.kernel.string_value(), number)
                    classes.join(parameters.setdefault(key, value), value)
        elif isinstance(op, host.CopyOp):
            classes.join(op.source, op.target)
    groups: dict[SSAValue, Group] = {}
    for op in module.walk():
        if isinstance(op, host.BufferOp):
            groups.setdefault(classes.find(op.result), Group()).buffers.append(op)
    for op in module.walk():
        for value in op.operands:
            if isinstance(value.type, host.BufferType):
                group = groups.get(classes.find(value))
                if group is not None:
                    _add_use(group, op, value)
        for value in op.results:
            if isinstance(value.type, host.BufferType) and not isinstance(op, _KNOWN_MAKERS):
                group = groups.get(classes.find(value))
                if group is not None:
                    group.refusals.append(f"'{op.name}' may result in the same buffer")
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    group = groups.get(classes.find(argument))
                    if group is not None and not isinstance(op, scf.ForOp | scf.WhileOp):
                        group.refusals.append(f"'{op.name}' passes it from outside")
    for group in groups.values():
        functions = {function_of(op) for op in (*group.buffers, *(b[0] for b in group.bindings))}
        if len(functions) > 1:
            group.refusals.append("its kernels are launched by several functions")
    return list(groups.values())


def function_of(op: Operation) -> FuncOp | None:
    """The host function around an operation."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    return parent


def _add_use(group: Group, op: Operation, value: SSAValue) -> None:
    match op:
        case host.LaunchOp():
            for number, argument in enumerate(op.arguments):
                if argument is value and (op, number) not in group.bindings:
                    group.bindings.append((op, number))
                    group.refusals += _element_refusal(op, number, value)
        case host.WriteOp() | host.ReadOp():
            if isinstance(op, host.WriteOp):
                group.writes.append(op)
            else:
                group.reads.append(op)
            group.refusals += _transfer_refusal(op)
        case host.CopyOp():
            if not is_whole(op):
                group.refusals.append("a part of it is copied")
            elif element_type(op.source) != element_type(op.target):
                group.refusals.append("it is copied to a buffer of another element type")
        case host.FillOp():
            if not is_whole(op):
                group.refusals.append("a part of it is filled")
        case host.ReleaseOp() | arith.SelectOp() | scf.YieldOp() | scf.ForOp() | scf.WhileOp():
            pass
        case scf.ConditionOp():
            pass
        case host.OpaqueOp():
            group.refusals.append(f"'{op.function.data}' may access it in any way")
        case _:
            group.refusals.append(f"'{op.name}' uses it")


def _transfer_refusal(op: host.WriteOp | host.ReadOp) -> Iterator[str]:
    what = "written" if isinstance(op, host.WriteOp) else "read"
    if element_type(op.source) != element_type(op.target):
        yield f"it is {what} as {element_type(host_side(op))}"


def host_side(op: host.WriteOp | host.ReadOp) -> SSAValue:
    """The host's memory in a transfer."""
    return op.source if isinstance(op, host.WriteOp) else op.target


def _element_refusal(op: host.LaunchOp, number: int, value: SSAValue) -> Iterator[str]:
    parameter = op.callee().function_type.inputs.data[number]
    if isinstance(parameter, ocl.PtrType) and parameter.pointee != element_type(value):
        yield f"kernel '{op.callee().sym_name.data}' accesses it as {parameter.pointee}"
