"""What the accesses and branches of one work-group do, work-item by work-item.

The interpreter executes the group, with handlers that also note addresses and decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.module_parts import find_kernel
from polycl.backends.device import Size3
from polycl.backends.interp.buffers import NOWHERE
from polycl.backends.interp.device import InterpDevice, InterpExecutable
from polycl.backends.interp.elementwise import width_of
from polycl.backends.interp.integers import signed
from polycl.backends.interp.ops import HANDLERS
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import (
    EndHandler,
    Handlers,
    OpHandler,
    Step,
    Translator,
    Wait,
    Waiting,
)
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import stride_of
from polycl.errors import ArgumentError, LaunchError
from polycl.runtime.explorer.behaviours import BRANCHES, MEMORY
from polycl.runtime.explorer.launches import Launch
from polycl.runtime.kernel import Kernel

MOST_TIMES = 16
"""Executions of an operation by a work-item that are noted."""
MOST_STEPS = 5_000_000
"""Operations that the group executes at most."""

Trace = list[list[int | None]]
"""For each execution, what each work-item of the group does, x fastest: the byte in the object that
it accesses, 0 or 1 for a branch and for each iteration of a `while`, or the number of iterations of
a `for`; None where it does not execute the operation so often."""


def traces_of(
    kernel: Kernel,
    module: ModuleOp,
    operations: Sequence[Sequence[Operation]],
    launch: Launch,
) -> list[Trace]:
    """The trace of each list of operations of `module`, which has the kernel on the level `ocl`, in
    the group of the launch that is looked at; up to an error, or to MOST_STEPS operations.

    Raises:
        PolyclError: the launch does not fit the kernel, or has no such group.
    """
    bound = launch.bind(kernel, InterpDevice())
    group, counts = launch.group, bound.ndrange.num_groups
    if any(number >= count for number, count in zip(group, counts, strict=True)):
        raise ArgumentError(f"there is no work-group {group}; the launch has {counts} groups")
    notes = _Notes(operations)
    found = find_kernel(module, kernel.name)
    executable = InterpExecutable(module, found, MOST_STEPS, handlers=notes.handlers())
    try:
        # What the kernel prints is not wanted.
        with redirect_stdout(StringIO()):
            executable.run(bound.args, bound.ndrange, [group])
    except LaunchError:
        # What was noted until then is right.
        pass
    nx, ny, nz = bound.ndrange.size_of(group)
    items = [(x, y, z) for z in range(nz) for y in range(ny) for x in range(nx)]
    return [notes.trace(number, items) for number in range(len(operations))]


class _Notes:
    """The values of the operations that are traced, by work-item."""

    def __init__(self, operations: Sequence[Sequence[Operation]]):
        self._numbers = {op: number for number, ops in enumerate(operations) for op in ops}
        self._values: list[dict[Size3, list[int]]] = [{} for _ in operations]

    def trace(self, number: int, items: Sequence[Size3]) -> Trace:
        values = self._values[number]
        times = max(map(len, values.values()), default=0)
        return [
            [noted[time] if time < len(noted := values.get(item, [])) else None for item in items]
            for time in range(times)
        ]

    def handlers(self) -> Handlers:
        """The interpreter's handlers; those of the operations note what they see."""
        operations = dict(HANDLERS.operations)
        for type in (*MEMORY, *BRANCHES):
            if type in operations:
                operations[type] = self._noting(operations[type])
        ends = dict(HANDLERS.terminators)
        ends[scf.ConditionOp] = self._noting_end(ends[scf.ConditionOp])
        return Handlers(operations, ends)

    def _noting(self, handler: OpHandler) -> OpHandler:
        def handle(op: Any, t: Translator) -> Step | Waiting | None:
            step, note = handler(op, t), self._note(op, t)
            if step is None or note is None:
                return step
            if isinstance(step, Waiting):
                inner = step.run

                def wait(frame: Frame) -> Wait:
                    note(frame)
                    yield from inner(frame)

                return Waiting(wait)

            def run(frame: Frame) -> None:
                note(frame)
                step(frame)

            return run

        return handle

    def _noting_end(self, handler: EndHandler) -> EndHandler:
        def handle(op: Any, t: Translator) -> Callable[[Frame], Any]:
            end, note = handler(op, t), self._note(op, t)
            if note is None:
                return end

            def run(frame: Frame) -> Any:
                note(frame)
                return end(frame)

            return run

        return handle

    def _note(self, op: Operation, t: Translator) -> Callable[[Frame], None] | None:
        if op not in self._numbers:
            return None
        values, look = self._values[self._numbers[op]], _look(op, t)

        def note(frame: Frame) -> None:
            noted = values.setdefault(frame[0].local_id, [])
            if len(noted) < MOST_TIMES and (value := look(frame)) is not None:
                noted.append(value)

        return note


def _look(op: Operation, t: Translator) -> Callable[[Frame], int | None]:
    """What is noted of an operation."""
    match op:
        case scf.ForOp():
            lower, upper, step = t.slots((op.lb, op.ub, op.step))
            read = signed(width_of(op.lb.type))

            def iterations(frame: Frame) -> int:
                by = max(read(frame[step]), 1)
                return len(range(read(frame[lower]), read(frame[upper]), by))

            return iterations
        case scf.IfOp() | scf.ConditionOp():
            condition = t.slot(op.operands[0])
            return lambda frame: int(bool(frame[condition]))
        case _:
            assert isinstance(op, MEMORY)
            return _place(t.slot(op.pointer), getattr(op, "index", None), op, t)


def _place(
    pointer: int, index: SSAValue | None, op: Any, t: Translator
) -> Callable[[Frame], int | None]:
    step = stride_of(ocl.pointee_of(op.pointer))
    slot = None if index is None else t.slot(index)
    read = signed(64)

    def place(frame: Frame) -> int | None:
        buffer, offset = frame[pointer]
        if buffer is NOWHERE:
            return None
        return offset if slot is None else offset + read(frame[slot]) * step

    return place
