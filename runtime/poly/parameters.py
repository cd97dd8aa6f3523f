"""The values of the parameters of a `poly.kernel` in a launch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.integers import signed
from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.poly.concrete import result_of
from polycl.dialects import ocl
from polycl.dialects.poly import KernelOp
from polycl.dialects.poly.kernel import names_of
from polycl.errors import ArgumentError, PolyclError, error_at
from polycl.runtime.poly.grid import Sizes, Space


def sizes_of(kernel: KernelOp, arguments: Mapping[str, Any], space: Space) -> Sizes:
    """The values of the operands of `kernel` for each group, computed as by the code before it.

    For a loop around the kernel, the values are those of its first iteration.

    `arguments` are the known arguments of the function, by name.

    Raises:
        PolyclError: an operand depends on something else, such as memory that is not given.
    """
    values = _Values(arguments, space)
    found: dict[str, Any] = {}
    for name, operand in zip(names_of(kernel.params), kernel.arguments, strict=True):
        try:
            value = values.of(operand)
        except _Unknown as unknown:
            raise _error(kernel, name, unknown) from None
        found[name] = int(value.reshape(())) if value.size == 1 else value
    return {f"L{d}": space.local[d] for d in range(3)} | found


def values_of_groups(sizes: Sizes, space: Space) -> list[dict[str, int]]:
    """The parameters' values in each group, dimension 0 first."""
    shape = (space.groups[2], space.groups[1], space.groups[0])
    names = list(sizes)
    columns = [np.broadcast_to(sizes[name], shape).reshape(-1).tolist() for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def values_of_group(sizes: Sizes, group: tuple[int, int, int]) -> dict[str, int]:
    """The parameters' values in the group with these ids of dimension 0, 1 and 2."""
    found: dict[str, int] = {}
    for name, value in sizes.items():
        if isinstance(value, np.ndarray):
            value = value[tuple(group[2 - i] if value.shape[i] > 1 else 0 for i in range(3))]
        found[name] = int(value)
    return found


class _Unknown(Exception):
    def __init__(self, value: SSAValue):
        super().__init__()
        self.value = value


def _error(kernel: KernelOp, name: str, unknown: _Unknown) -> PolyclError:
    value = unknown.value
    if isinstance(value.owner, Operation):
        return error_at(
            value.owner,
            f"the sizes of @{kernel.sym_name.data} depend on '{value.owner.name}' (in its "
            f"parameter '{name}'), which is not known before the kernel runs",
        )
    return ArgumentError(
        f"the sizes of @{kernel.sym_name.data} depend on the argument "
        f"'{_name_of(value) or name}'; give its value"
    )


class _Values:
    """Values of the code before a region, as arrays with one number for each group."""

    def __init__(self, arguments: Mapping[str, Any], space: Space):
        self._arguments = arguments
        self._space = space
        self._known: dict[SSAValue, NDArray[np.int64]] = {}

    def of(self, value: SSAValue) -> NDArray[np.int64]:
        if value not in self._known:
            self._known[value] = self._found(value)
        return self._known[value]

    def _found(self, value: SSAValue) -> NDArray[np.int64]:
        owner = value.owner
        if isinstance(owner, Block):
            return self._first_value(value)
        space = self._space
        match owner:
            case ocl.LocalSizeOp():
                return _numbers(space.local[owner.dimension])
            case ocl.GlobalOffsetOp():
                return _numbers(space.offset[owner.dimension])
            case ocl.GlobalSizeOp():
                return _numbers(space.size(owner.dimension))
            case ocl.NumGroupsOp():
                return _numbers(space.groups[owner.dimension])
            case ocl.GroupIdOp():
                shape = [1, 1, 1]
                shape[2 - owner.dimension] = -1
                return np.arange(space.groups[owner.dimension]).reshape(shape)
            case ocl.LoadOp():
                return self._loaded(owner)
            case _:
                pass
        operands = np.broadcast_arrays(*map(self.of, owner.operands)) if owner.operands else []
        shape = operands[0].shape if operands else (1, 1, 1)
        flat = [operand.reshape(-1).tolist() for operand in operands]
        rows = zip(*flat, strict=True) if flat else [()]
        results = [result_of(owner, row) for row in rows]
        if not all(isinstance(result, int) for result in results):
            raise _Unknown(value)
        return np.array(results, np.int64).reshape(shape)

    def _first_value(self, value: SSAValue) -> NDArray[np.int64]:
        """An argument of the kernel, or the initial value of a loop around the region."""
        loop = value.owner.parent_op() if isinstance(value.owner, Block) else None
        assert isinstance(value, BlockArgument)
        match loop:
            case scf.ForOp():
                return self.of([loop.lb, *loop.iter_args][value.index])
            case scf.WhileOp() if value.owner is loop.before_region.block:
                return self.of(loop.arguments[value.index])
            case scf.WhileOp():
                return self.of(condition_of(loop).args[value.index])
            case _:
                return self._argument(value)

    def _argument(self, value: SSAValue) -> NDArray[np.int64]:
        given = self._arguments.get(_name_of(value))
        if isinstance(given, int | np.integer):
            return _numbers(signed(int(given), value.type))
        raise _Unknown(value)

    def _loaded(self, op: ocl.LoadOp) -> NDArray[np.int64]:
        """An element of an array that is given."""
        memory = self._arguments.get(_name_of(op.pointer))
        if not isinstance(memory, np.ndarray) or memory.dtype.kind not in "iu":
            raise _Unknown(op.result)
        place = self.of(op.index) if op.index is not None else _numbers(0)
        if place.min() < 0 or place.max() >= memory.size:
            raise _Unknown(op.result)
        return memory.reshape(-1)[place].astype(np.int64)


def _name_of(value: SSAValue) -> str:
    """The name of an argument; "" for other values."""
    owner = value.owner
    function = owner.parent_op() if isinstance(owner, Block) else None
    if not isinstance(value, BlockArgument) or not isinstance(function, ocl.KernelLike):
        return ""
    return function.param_names[value.index]


def _numbers(number: int) -> NDArray[np.int64]:
    return np.full((1, 1, 1), number, np.int64)
