"""The objects of host and kernels that are the same data ([ppopencl19], section 3.2.1, Table 2).

A transfer makes the host's memory and a buffer aliases, and a launch makes the buffer an alias of
the kernel's argument. `BufferClasses` unites values that may be the same buffer: the operands and
results of loops and branches, and the arguments and results of unknown calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import host


@dataclass(frozen=True)
class Alias:
    """One row of Table 2."""

    host: SSAValue
    device: SSAValue | None
    """The buffer; None where the host's object is a scalar, which is passed by value."""

    launch: host.LaunchOp
    argument: int
    directions: tuple[str, ...]
    """`write` to the device, `read` from it, or both."""


class BufferClasses:
    """Classes of buffers and arrays of the host that may be the same object.

    `find(value)` is the representative of a value's class. Transfers do not join classes.
    """

    def __init__(self, root: Operation):
        self._parent: dict[SSAValue, SSAValue] = {}
        for op in root.walk():
            for a, b in _same(op):
                if isinstance(a.type, host.BufferType | MemRefType):
                    self.join(a, b)

    def find(self, value: SSAValue) -> SSAValue:
        """The representative of the class of `value`."""
        while (parent := self._parent.get(value, value)) is not value:
            value = parent
        return value

    def join(self, a: SSAValue, b: SSAValue) -> None:
        """Join the classes of two values."""
        a, b = self.find(a), self.find(b)
        if a is not b:
            self._parent[b] = a


def _same(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Pairs of values that may be the same because of control flow."""
    match op:
        case scf.ForOp():
            yielded = terminator(op.body.block).operands
            for start, inside, back, result in zip(
                op.iter_args, op.body.block.args[1:], yielded, op.results, strict=True
            ):
                yield from ((start, inside), (start, back), (start, result))
        case scf.WhileOp():
            before, after = op.before_region.block, op.after_region.block
            condition = condition_of(op)
            yield from zip(op.arguments, before.args, strict=True)
            yield from zip(before.args, terminator(after).operands, strict=True)
            yield from zip(condition.args, after.args, strict=True)
            yield from zip(condition.args, op.results, strict=True)
        case scf.IfOp():
            for region in op.regions:
                for block in region.blocks:
                    yield from zip(op.results, terminator(block).operands, strict=True)
        case arith.SelectOp():
            yield from ((op.result, op.lhs), (op.result, op.rhs))
        case memref.CastOp():
            yield (op.source, op.dest)
        case host.OpaqueOp() | CallOp():
            # An unknown call may return its argument, or a part of it as clCreateSubBuffer does.
            for result in op.results:
                yield from ((a, result) for a in op.operands if type(a.type) is type(result.type))
        case _:
            pass


def aliases(function: FuncOp, classes: BufferClasses | None = None) -> list[Alias]:
    """The aliases of a host function, by launch and argument."""
    classes = classes or BufferClasses(function)
    transfers: dict[SSAValue, dict[SSAValue, list[str]]] = {}
    for op in function.walk():
        if isinstance(op, host.WriteOp | host.ReadOp):
            array, device = (op.source, op.target)
            if isinstance(op, host.ReadOp):
                array, device = device, array
            found = transfers.setdefault(classes.find(device), {}).setdefault(array, [])
            direction = "write" if isinstance(op, host.WriteOp) else "read"
            found += [] if direction in found else [direction]
    rows: list[Alias] = []
    for op in function.walk():
        if not isinstance(op, host.LaunchOp):
            continue
        for argument, value in enumerate(op.arguments):
            if isinstance(value.type, host.BufferType):
                for array, directions in transfers.get(classes.find(value), {}).items():
                    rows.append(Alias(array, value, op, argument, tuple(directions)))
            elif not isinstance(value.type, host.LocalMemoryType):
                rows.append(Alias(_scalar_source(value), None, op, argument, ("write",)))
    return rows


def _scalar_source(value: SSAValue) -> SSAValue:
    """The name of a scalar in the source, before conversions."""
    while isinstance(value.owner, arith.IndexCastOp | arith.ExtSIOp | arith.TruncIOp):
        value = value.owner.operands[0]
    return value


def alias_table(module: ModuleOp) -> Iterator[str]:
    """The output of `ocl-print-aliases`: Table 2 for each host function, scalars last."""
    for function in module.walk():
        if not isinstance(function, FuncOp) or not (rows := aliases(function)):
            continue
        yield f"host @{function.sym_name.data}"
        header = ("Host Object", "Kernel Object", "Kernel Argument", "Transfer Direction")
        lines = [header, *dict.fromkeys(_line(row) for row in rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(4)]
        for line in lines:
            yield "  " + "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()


def _line(row: Alias) -> tuple[str, str, str, str]:
    kernel = row.launch.callee()
    device = row.device.name_hint if row.device else kernel.param_names[row.argument]
    argument = f"{kernel.sym_name.data} ({_ordinal(row.argument)})"
    return (
        row.host.name_hint or "?",
        device or "?",
        argument,
        ", ".join(row.directions),
    )


def _ordinal(number: int) -> str:
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 <= number % 100 <= 20 else suffix}"
