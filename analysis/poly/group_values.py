"""The values of the parameters of a `poly.kernel` in each work-group of a launch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.integers import OPERATIONS, bits_of, compared, signed, unsigned
from polycl.dialects import ocl, wg
from polycl.dialects.poly import KernelOp
from polycl.dialects.poly.kernel import names_of

Size = Sequence[int]


class UnknownValue(Exception):
    """A value of a group is unknown, for example as it depends on memory."""


@dataclass(frozen=True)
class Groups:
    """The work-groups of a launch: sizes of dimension 0, 1 and 2, and the kernel's arguments."""

    global_size: Size
    local_size: Size
    arguments: Mapping[str, int]
    """Integers by the name of the parameter."""
    offset: Size = (0, 0, 0)


def group_values(kernel: KernelOp, groups: Groups) -> list[dict[str, int]]:
    """The kernel's parameters by name, for each execution of the kernel by a group.

    A group executes it once, or in each iteration of the loops around it.

    Raises:
        UnknownValue: a parameter, or a loop or a branch around the kernel, depends on memory.
    """
    found: list[dict[str, int]] = []
    names = names_of(kernel.params)
    counts = [-(-g // s) for g, s in zip(groups.global_size, groups.local_size, strict=True)]
    for ids in product(*(range(count) for count in reversed(counts))):
        group = _Group(groups, tuple(reversed(ids)))
        for _ in group.runs(kernel):
            values = [group.value(operand) for operand in kernel.arguments]
            found.append(dict(zip(names, values, strict=True)))
    return found


class _Group:
    """One group, with the current counters of loops."""

    def __init__(self, groups: Groups, ids: tuple[int, ...]):
        self._groups = groups
        self._ids = ids
        self._counters: dict[SSAValue, int] = {}

    def runs(self, op: Operation) -> Iterator[None]:
        """Yields for each execution of the operation, with the counters of the loops around it."""
        parent = op.parent_op()
        match parent:
            case wg.FuncOp():
                yield
            case scf.ForOp():
                for _ in self.runs(parent):
                    for counter in range(*(self.value(bound) for bound in parent.operands[:3])):
                        self._counters[parent.body.block.args[0]] = counter
                        yield
            case scf.IfOp():
                for _ in self.runs(parent):
                    taken = parent.true_region if self.value(parent.cond) else parent.false_region
                    if op.parent_region() is taken:
                        yield
            case _:
                raise UnknownValue(f"inside of '{parent.name if parent else 'nothing'}'")

    def value(self, value: SSAValue) -> int:
        if value in self._counters:
            return self._counters[value]
        owner = value.owner
        if isinstance(owner, Block):
            name = value.name_hint or ""
            if isinstance(owner.parent_op(), wg.FuncOp) and name in self._groups.arguments:
                return self._groups.arguments[name]
            raise UnknownValue(f"the argument '{name}' of a region")
        return self._result(owner)

    def _result(self, op: Operation) -> int:
        type = op.results[0].type
        match op:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return signed(number.value.data, type)
            case ocl.GroupIdOp():
                return self._ids[op.dimension]
            case ocl.GlobalSizeOp():
                return self._groups.global_size[op.dimension]
            case ocl.LocalSizeOp():
                return self._groups.local_size[op.dimension]
            case ocl.GlobalOffsetOp():
                return self._groups.offset[op.dimension]
            case ocl.NumGroupsOp():
                d = op.dimension
                return -(-self._groups.global_size[d] // self._groups.local_size[d])
            case arith.SelectOp():
                return self.value(op.lhs if self.value(op.cond) else op.rhs)
            case arith.CmpiOp():
                return compared(op, self.value(op.lhs), self.value(op.rhs))
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.TruncIOp():
                number = self.value(op.operands[0])
                # A true i1 is -1 as a signed number, and 1 here.
                return signed(-number if bits_of(op.operands[0].type) == 1 else number, type)
            case arith.ExtUIOp():
                return signed(unsigned(self.value(op.input), op.input.type), type)
            case _ if op.__class__ in OPERATIONS:
                a, b = (self.value(operand) for operand in op.operands)
                number = OPERATIONS[op.__class__](a, b, type)
                if number is not None:
                    return signed(number, type)
            case _:
                pass
        raise UnknownValue(f"the result of '{op.name}'")
