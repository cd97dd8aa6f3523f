"""The state of a running kernel: launch, work-group, work-item; and its errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from xdsl.ir import Operation

from polycl.backends.device import NDRange, Size3
from polycl.backends.interp.buffers import AddressMap, Buffer
from polycl.dialects.ocl import SUB_GROUP_SIZE
from polycl.errors import LaunchError, SourceError, location_of

Frame: TypeAlias = list[Any]
"""The values of one call of one function: slot 0 is the `WorkItem`, the others are SSA values."""


class RunError(LaunchError, SourceError):
    """A kernel did something that is not allowed; located in the kernel's source."""


class StepLimit(LaunchError):
    """A launch executed more operations than it may; perhaps it never ends."""


class Budget:
    """The number of operations that a launch may execute."""

    def __init__(self, steps: int):
        self.steps = steps
        self.left = steps

    def reset(self) -> None:
        """A new launch starts."""
        self.left = self.steps

    def spend(self, cost: int, op: Operation) -> None:
        """Count `cost` operations of the block that ends in `op`. Raises StepLimit."""
        self.left -= cost
        if self.left < 0:
            raise StepLimit(f"more than {self.steps} operations were executed, at {place_of(op)}")


class Launch:
    """One run of a kernel over its NDRange."""

    def __init__(self, ndrange: NDRange, constants: Mapping[str, Buffer], addresses: AddressMap):
        self.ndrange = ndrange
        self.constants = constants
        """Program-scope data by symbol name."""
        self.addresses = addresses
        self.sub_group_size = SUB_GROUP_SIZE
        """The size that the kernel specifies, if it does."""

    def new_local(self, name: str, size: int) -> Buffer:
        """Local memory of a new group for parameter `name`."""
        return Buffer.allocate(f"parameter '{name}'", size)


class Group:
    """One work-group while it runs."""

    def __init__(self, launch: Launch, group_id: Size3):
        self.launch = launch
        self.id = group_id
        ndrange = launch.ndrange
        places = zip(ndrange.global_offset, group_id, ndrange.local_size, strict=True)
        self.origin = tuple(offset + number * size for offset, number, size in places)
        """The global id of its first work-item."""
        self.size = ndrange.size_of(group_id)
        """Its local size."""
        self.local_memory: dict[Operation, Buffer] = {}
        """One buffer for each `ocl.local_alloc`, allocated by the first work-item."""


class WorkItem:
    """One work-item while it runs, or the work-group's own code, which has no local id."""

    __slots__ = ("addresses", "global_id", "group", "launch", "local_id")

    def __init__(self, group: Group, local_id: Size3 | None):
        self.group = group
        self.launch = group.launch
        self.addresses = group.launch.addresses
        self.local_id = local_id
        self.global_id: Size3 | None = None
        if local_id is not None:
            (x, y, z), (ox, oy, oz) = local_id, group.origin
            self.global_id = (ox + x, oy + y, oz + z)

    def __str__(self) -> str:
        if self.local_id is None:
            return f"work-group {self.group.id}"
        return (
            f"the work-item with global id {self.global_id}, local id {self.local_id} "
            f"in work-group {self.group.id}"
        )


def run_error(op: Operation, item: WorkItem, message: str) -> LaunchError:
    """The error that `op` raises in `item`."""
    return located_error(op, f"{message}; in {item}")


def located_error(op: Operation, message: str) -> LaunchError:
    """A launch error at the source location of `op`, or one that names the operation."""
    where = location_of(op)
    if where is None:
        return LaunchError(f"'{op.name}': {message}")
    return RunError(message, *where)


def place_of(op: Operation) -> str:
    """`file:line:col` of an operation, or its name where that is unknown."""
    where = location_of(op)
    return f"'{op.name}'" if where is None else ":".join(map(str, where))
