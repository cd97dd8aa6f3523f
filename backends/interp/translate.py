"""Translates functions into Python closures, once for each compilation.

Each SSA value of a function gets a slot in its frame. Each operation becomes a step: a closure
`step(frame)` that reads its operands' slots and writes its results'. A region becomes a closure,
too, which returns the values that leave it. Where a region contains a barrier, both are generator
functions instead: they yield the `Stop` at which the work-item waits, and get an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from xdsl.dialects import func
from xdsl.ir import Block, Operation, Region, SSAValue

from polycl.backends.interp.codec import UnsupportedType
from polycl.backends.interp.state import Budget, Frame, WorkItem, located_error
from polycl.dialects.ocl import KernelLike
from polycl.errors import error_at

Step: TypeAlias = Callable[[Frame], None]


@dataclass(frozen=True)
class Stop:
    """A place where a work-item waits for others."""

    op: Operation
    path: tuple[int, ...]
    """Its position in program order: that of the operation, after the position and the iteration
    of each loop around it. The first of several is the least one."""
    values: tuple[Any, ...] = ()
    """The operands of a collective operation."""


Wait: TypeAlias = Generator[Stop, Any, None]


def inside(wait: Generator[Stop, Any, Any], *prefix: int) -> Generator[Stop, Any, Any]:
    """The stops of `wait`, which is inside the loop or call at `prefix`."""
    answer = None
    while True:
        try:
            stop = wait.send(answer)
        except StopIteration as end:
            return end.value
        answer = yield replace(stop, path=(*prefix, *stop.path))


JumpOrValues: TypeAlias = "int | tuple[Any, ...]"
"""The end of a block: the number of the next block, or the values that leave the region."""


@dataclass(frozen=True)
class Waiting:
    """A step in which a work-item may wait at a barrier."""

    run: Callable[[Frame], Wait]


@dataclass(frozen=True)
class Body:
    """A region: `run(frame)` gives the values that leave it.

    Where it `waits`, `run` is a generator function that returns them.
    """

    run: Callable[[Frame], Any]
    waits: bool


@dataclass(frozen=True)
class FunctionCode:
    """A function: `call(item, arguments)` gives its results, as `Body.run` does."""

    call: Callable[[WorkItem, Sequence[Any]], Any]
    waits: bool


OpHandler: TypeAlias = "Callable[[Any, Translator], Step | Waiting | None]"
"""Makes the step of an operation; None if it does nothing at run time."""
EndHandler: TypeAlias = "Callable[[Any, Translator], Callable[[Frame], JumpOrValues]]"
"""Makes the end of a block from its terminator."""


@dataclass(frozen=True)
class Handlers:
    """The handler of each operation class."""

    operations: Mapping[type[Operation], OpHandler]
    terminators: Mapping[type[Operation], EndHandler]


class Program:
    """The functions of one module, translated at their first use.

    With a `budget` they count the operations that they execute, and stop when it is spent.
    """

    def __init__(self, handlers: Handlers, budget: Budget | None = None):
        self.handlers = handlers
        self.budget = budget
        self._functions: dict[Operation, FunctionCode] = {}
        self._open: list[Operation] = []
        self._positions = 0

    def position(self) -> int:
        """The position of an operation in program order: they are translated in that order."""
        self._positions += 1
        return self._positions

    def function(self, op: KernelLike | func.FuncOp, caller: Operation) -> FunctionCode:
        """The code of a kernel or function that `caller` uses."""
        if op in self._open:
            raise error_at(
                caller, f"recursive call of @{op.sym_name.data}; OpenCL C has no recursion"
            )
        if op not in self._functions:
            self._open.append(op)
            self._functions[op] = Translator(self).function(op)
            self._open.pop()
        return self._functions[op]


class Translator:
    """Translates one function."""

    def __init__(self, program: Program):
        self.program = program
        self._slots: dict[SSAValue, int] = {}
        self._count = 0
        self._constants: dict[int, Any] = {}

    def slot(self, value: SSAValue) -> int:
        """The place of `value` in the frame."""
        if value not in self._slots:
            self._slots[value] = self._new_slot()
        return self._slots[value]

    def slots(self, values: Sequence[SSAValue]) -> tuple[int, ...]:
        return tuple(self.slot(value) for value in values)

    def constant(self, value: SSAValue, content: Any) -> None:
        """Put `content` into the slot of `value` before the function starts."""
        self._constants[self.slot(value)] = content

    def constant_slot(self, content: Any) -> int:
        """A new slot that holds `content` from the start."""
        slot = self._new_slot()
        self._constants[slot] = content
        return slot

    def function(self, op: KernelLike | func.FuncOp) -> FunctionCode:
        parameters = self.slots(op.body.blocks[0].args)
        body = self.region(op.body)
        template: Frame = [None] * (self._count + 1)
        for slot, content in self._constants.items():
            template[slot] = content
        run = body.run

        def call(item: WorkItem, arguments: Sequence[Any]) -> Any:
            frame = template.copy()
            frame[0] = item
            for slot, argument in zip(parameters, arguments, strict=True):
                frame[slot] = argument
            return run(frame)

        return FunctionCode(call, body.waits)

    def _new_slot(self) -> int:
        self._count += 1
        return self._count

    def region(self, region: Region) -> Body:
        blocks = [self._block(block) for block in region.blocks]
        if len(blocks) == 1:
            return blocks[0]
        runs = [block.run for block in blocks]
        # One driver for all: a block that waits is a generator function.
        waits = [block.waits for block in blocks]

        def run(frame: Frame) -> tuple[Any, ...]:
            end: JumpOrValues = 0
            while isinstance(end, int):
                end = runs[end](frame)
            return end

        def run_waiting(frame: Frame) -> Generator[Stop, Any, tuple[Any, ...]]:
            end: JumpOrValues = 0
            while isinstance(end, int):
                end = (yield from runs[end](frame)) if waits[end] else runs[end](frame)
            return end

        return Body(run_waiting, True) if any(waits) else Body(run, False)

    def _block(self, block: Block) -> Body:
        self.slots(block.args)
        *operations, terminator = block.ops
        steps = [step for op in operations if (step := self._step(op)) is not None]
        end = self._end(terminator)
        waits = [isinstance(step, Waiting) for step in steps]
        runs: list[Callable[[Frame], Any]] = [
            step.run if isinstance(step, Waiting) else step for step in steps
        ]

        def run(frame: Frame) -> JumpOrValues:
            for step in runs:
                step(frame)
            return end(frame)

        budget = self.program.budget
        if budget is not None:
            # Every loop executes a block in each iteration, so every loop ends.
            cost = len(runs) + 1
            runs.insert(0, lambda frame: budget.spend(cost, terminator))
            waits.insert(0, False)
        pairs = tuple(zip(runs, waits, strict=True))

        def run_waiting(frame: Frame) -> Generator[Stop, Any, JumpOrValues]:
            for step, step_waits in pairs:
                if step_waits:
                    yield from step(frame)
                else:
                    step(frame)
            return end(frame)

        return Body(run_waiting, True) if any(waits) else Body(run, False)

    def _step(self, op: Operation) -> Step | Waiting | None:
        handler = self.program.handlers.operations.get(type(op))
        if handler is None:
            raise error_at(op, f"the interpreter cannot execute '{op.name}'")
        try:
            return handler(op, self)
        except UnsupportedType as error:
            raise error_at(op, f"'{op.name}': {error}") from error

    def _end(self, op: Operation) -> Callable[[Frame], JumpOrValues]:
        handler = self.program.handlers.terminators.get(type(op))
        if handler is None:
            raise located_error(op, f"the interpreter cannot end a block with '{op.name}'")
        return handler(op, self)
