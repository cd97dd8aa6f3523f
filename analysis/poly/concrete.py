"""Executes a work-item on concrete numbers, to find its branches and accesses.

It is independent of isl sets, so it can check them. Arithmetic on integers is exact. Other values
are invented: a load returns a function of the array and the offset, a float operation a function of
its operands. Equal inputs give equal results, which suffices for uniformity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polycl.analysis.ocl.integers import (
    OPERATIONS,
    bits_of,
    compared,
    signed,
    unsigned,
)
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.poly import KernelOp
from polycl.dialects.poly.kernel import names_of

_MAX_ITERATIONS = 64
"""The most iterations of a `scf.while`: its condition may be invented and never become false."""


class Place(NamedTuple):
    """An address: an offset in bytes into an array, which is named by its origin."""

    array: tuple[object, ...]
    offset: int


class Access(NamedTuple):
    """An access to memory, with the size of an element."""

    place: Place
    size: int


class Opaque(NamedTuple):
    """A value of which only equality matters, such as a float."""

    bits: int


Value: TypeAlias = int | Place | Opaque

Moment: TypeAlias = tuple[Operation, tuple[int, ...]]
"""An execution of an operation: the operation and the iterations (from 0) of the loops around."""


class CannotExecute(Exception):
    """The work-item has an unsupported operation, or is too long."""


@dataclass
class Trace:
    """The behaviour of one work-item, in order."""

    decisions: dict[Moment, int] = field(default_factory=dict)
    """The branches that were taken, and the trip counts of loops."""

    accesses: dict[Moment, Access] = field(default_factory=dict)
    """Loads and stores."""

    steps: int = 0
    """The number of executed operations."""

    effects: list[Operation] = field(default_factory=list)
    """The effects: stores to shared memory, atomics, unknown operations."""


class Launch:
    """The uniform values for given parameters of a kernel.

    A value from outside the kernel is a parameter, is computed from parameters, or is invented.
    """

    def __init__(self, kernel: KernelOp, parameters: Mapping[str, int], data: int = 0):
        """`data` selects the content of memory."""
        self._values: dict[SSAValue, Value] = {}
        self._queries: dict[tuple[str, str], int] = {}
        self._data = data
        self._texts: dict[Operation, str] = {}
        for name, operand in zip(names_of(kernel.params), kernel.arguments, strict=True):
            self._bind(operand, parameters[name])

    def _bind(self, value: SSAValue, number: int) -> None:
        """Binds a value, the values that it extends, and equal queries."""
        if value in self._values:
            return
        self._values[value] = number
        match value.owner:
            case arith.IndexCastOp(input=source) | arith.ExtSIOp(input=source):
                self._bind(source, number)
            case arith.ExtUIOp(input=source):
                self._bind(source, number)
            case Operation(operands=()) as query:
                self._queries[query.name, self.text_of(query)] = number
            case _:
                pass

    def value_of(self, value: SSAValue) -> Value:
        """The value of something that is defined outside of the kernel."""
        if value not in self._values:
            self._values[value] = self._found(value)
        return self._values[value]

    def _found(self, value: SSAValue) -> Value:
        owner = value.owner
        if isinstance(owner, Block):
            return self.invented(value.type, "argument", value.index)  # pyright: ignore
        if not owner.operands and not is_side_effect_free(owner):
            # Memory: each allocation has its own address.
            return Place((owner.name, len(self._values)), 0)
        results = self.computed(owner, [self.value_of(operand) for operand in owner.operands])
        return results[owner.results.index(value)]

    def computed(self, op: Operation, operands: Sequence[Value], *more: object) -> list[Value]:
        """The results of an operation without regions, which also depend on `more`."""
        known = result_of(op, operands)
        if known is not None:
            return [known]
        query = self._queries.get((op.name, self.text_of(op))) if not operands else None
        if query is not None:
            return [query]
        key = (op.name, self.text_of(op), *operands, *more)
        return [self.invented(result.type, key, i) for i, result in enumerate(op.results)]

    def invented(self, type: Attribute, *key: object) -> Value:
        """An invented value that depends on the key only; it is small, as it may be a bound."""
        digest = blake2b(repr((self._data, key)).encode(), digest_size=8).digest()
        bits = int.from_bytes(digest, "little")
        match type:
            case ocl.PtrType():
                return Place(key, 0)
            case IntegerType(width=width) if width.data == 1:
                return bits % 2
            case IntegerType() | IndexType():
                return bits % 12 - 2
            case _:
                return Opaque(bits)

    def text_of(self, op: Operation) -> str:
        """The properties of an operation as text."""
        if op not in self._texts:
            found = {key: str(value) for key, value in op.properties.items()}
            self._texts[op] = repr(sorted(found.items()))
        return self._texts[op]


def execute(launch: Launch, body: Region, ids: Sequence[int], max_steps: int = 20_000) -> Trace:
    """The trace of the work-item with these ids, outermost first.

    Raises:
        CannotExecute: there is an operation with regions that is not of `scf`, or more than
            `max_steps` operations were executed.
    """
    item = _WorkItem(launch, tuple(ids), max_steps)
    item.run(body.block, ids)
    return item.trace


class _WorkItem:
    def __init__(self, launch: Launch, ids: tuple[int, ...], max_steps: int):
        self.launch = launch
        self.ids = ids
        self.max_steps = max_steps
        self.values: dict[SSAValue, Value] = {}
        self.memory: dict[Place, Value] = {}
        self.iterations: tuple[int, ...] = ()
        self.trace = Trace()

    def run(self, block: Block, arguments: Sequence[Value]) -> list[Value]:
        """Executes a block; returns the operands of its terminator."""
        self.values.update(zip(block.args, arguments, strict=True))
        for op in block.ops:
            self.trace.steps += 1
            if self.trace.steps > self.max_steps:
                raise CannotExecute("the work-item executes too many operations")
            operands = [self.value(operand) for operand in op.operands]
            if type(op) in (scf.YieldOp, scf.ConditionOp):
                return operands
            for result, value in zip(op.results, self.results(op, operands), strict=True):
                self.values[result] = value
        return []

    def value(self, value: SSAValue) -> Value:
        found = self.values.get(value)
        return self.launch.value_of(value) if found is None else found

    def results(self, op: Operation, operands: list[Value]) -> Sequence[Value]:
        handler = _HANDLERS.get(type(op))
        if handler is not None:
            return handler(self, op, operands)
        known = result_of(op, operands)
        if known is not None:
            return [known]
        if op.regions:
            raise CannotExecute(f"'{op.name}' is not supported")
        if is_side_effect_free(op):
            return self.launch.computed(op, operands)
        # The result may differ for each work-item and each execution, as for an atomic.
        self.trace.effects.append(op)
        return self.launch.computed(op, operands, self.ids, self.iterations)

    def branch(self, op: scf.IfOp, operands: list[Value]) -> Sequence[Value]:
        taken = _number(operands[0])
        if any(len(region.block.ops) > 1 for region in op.regions if region.blocks):
            # A branch that only yields values is a select.
            self.decide(op, taken)
        region = op.true_region if taken else op.false_region
        return self.run(region.block, ()) if region.blocks else ()

    def switch(self, op: scf.IndexSwitchOp, operands: list[Value]) -> Sequence[Value]:
        cases = list(op.cases.iter_values())
        wanted = _number(operands[0])
        self.decide(op, wanted if wanted in cases else len(cases))
        region = op.case_regions[cases.index(wanted)] if wanted in cases else op.default_region
        return self.run(region.block, ())

    def inner_region(self, op: scf.ExecuteRegionOp, operands: list[Value]) -> Sequence[Value]:
        if len(op.region.blocks) > 1:
            raise CannotExecute(f"'{op.name}' with branches between blocks is not supported")
        return self.run(op.region.block, ())

    def store(self, op: ocl.StoreOp | ocl.VStoreOp, operands: list[Value]) -> Sequence[Value]:
        self.memory[self.access(op)] = operands[0]
        if not _is_private(op.pointer):
            self.trace.effects.append(op)
        return ()

    def allocate(self, op: ocl.AllocaOp, operands: list[Value]) -> Sequence[Value]:
        return [Place(("alloca", len(self.values)), 0)]

    def decide(self, op: Operation, decision: int) -> None:
        self.trace.decisions[op, self.iterations] = decision

    def counted_loop(self, op: scf.ForOp, operands: list[Value]) -> Sequence[Value]:
        first, end, step = (_number(operand) for operand in operands[:3])
        if step <= 0:
            raise CannotExecute(f"the step of the loop is {step}")
        counters = range(first, end, step)
        self.decide(op, len(counters))
        carried: Sequence[Value] = operands[3:]
        outside = self.iterations
        for k, counter in enumerate(counters):
            self.iterations = (*outside, k)
            carried = self.run(op.body.block, [counter, *carried])
        self.iterations = outside
        return carried

    def while_loop(self, op: scf.WhileOp, operands: list[Value]) -> Sequence[Value]:
        carried: Sequence[Value] = operands
        outside = self.iterations
        done = 0
        while True:
            self.iterations = (*outside, done)
            continues, *carried = self.run(op.before_region.block, carried)
            if not continues or done == _MAX_ITERATIONS:
                break
            carried = self.run(op.after_region.block, carried)
            done += 1
        self.iterations = outside
        self.decide(op, done)
        return carried

    def load(self, op: ocl.LoadOp | ocl.VLoadOp, operands: list[Value]) -> Sequence[Value]:
        place = self.access(op)
        if place not in self.memory:
            return [self.launch.invented(op.result.type, place)]
        return [self.memory[place]]

    def access(self, op: ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp) -> Place:
        start = self.value(op.pointer)
        index = _number(self.value(op.index)) if op.index is not None else 0
        size = _element_size(op)
        place = _moved(start, index * size)
        self.trace.accesses[op, self.iterations] = Access(place, size)
        return place


_HANDLERS: Mapping[type[Operation], Callable[[_WorkItem, Any, list[Value]], Sequence[Value]]] = {
    scf.ForOp: _WorkItem.counted_loop,
    scf.WhileOp: _WorkItem.while_loop,
    scf.IfOp: _WorkItem.branch,
    scf.IndexSwitchOp: _WorkItem.switch,
    scf.ExecuteRegionOp: _WorkItem.inner_region,
    ocl.LoadOp: _WorkItem.load,
    ocl.VLoadOp: _WorkItem.load,
    ocl.StoreOp: _WorkItem.store,
    ocl.VStoreOp: _WorkItem.store,
    ocl.AllocaOp: _WorkItem.allocate,
}


def _element_size(op: ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp) -> int:
    """The bytes of an element that an index counts; for `vload4`, a vector of 4."""
    assert isinstance(op.pointer.type, ocl.PtrType)
    size = stride_of(op.pointer.type.pointee)
    match op:
        case ocl.VLoadOp():
            return size * op.result.type.element_count()
        case ocl.VStoreOp():
            return size * op.value.type.element_count()  # pyright: ignore
        case _:
            return size


def result_of(op: Operation, operands: Sequence[Value]) -> Value | None:
    """The result of an operation on integers or pointers; None for other operations."""
    binary = OPERATIONS.get(type(op))
    if binary is not None:
        a, b = operands
        if not isinstance(a, int) or not isinstance(b, int):
            return None
        result = op.results[0].type
        value = binary(a, b, result)
        return None if value is None else signed(value, result)
    other = _OTHERS.get(type(op))
    return None if other is None else other(op, operands)


def _constant(op: arith.ConstantOp, operands: Sequence[Value]) -> Value | None:
    number = op.value
    return signed(number.value.data, op.result.type) if isinstance(number, IntegerAttr) else None


def _select(op: arith.SelectOp, operands: Sequence[Value]) -> Value | None:
    condition, then, orelse = operands
    if not isinstance(condition, int):
        return None
    return then if condition else orelse


def _compare(op: arith.CmpiOp, operands: Sequence[Value]) -> Value | None:
    a, b = operands
    return compared(op, a, b) if isinstance(a, int) and isinstance(b, int) else None


def _resize(
    op: arith.IndexCastOp | arith.ExtSIOp | arith.TruncIOp, operands: Sequence[Value]
) -> Value | None:
    number = operands[0]
    if not isinstance(number, int):
        return None
    # A true i1 is -1 as a signed number, and 1 here.
    return signed(-number if bits_of(op.input.type) == 1 else number, op.result.type)


def _extend_unsigned(op: arith.ExtUIOp, operands: Sequence[Value]) -> Value | None:
    number = operands[0]
    if not isinstance(number, int):
        return None
    return signed(unsigned(number, op.input.type), op.result.type)


def _offset(op: ocl.OffsetOp, operands: Sequence[Value]) -> Value | None:
    assert isinstance(op.pointer.type, ocl.PtrType)
    return _moved(operands[0], _number(operands[1]) * stride_of(op.pointer.type.pointee))


_OTHERS: Mapping[type[Operation], Callable[[Any, Sequence[Value]], Value | None]] = {
    arith.ConstantOp: _constant,
    arith.SelectOp: _select,
    arith.CmpiOp: _compare,
    arith.IndexCastOp: _resize,
    arith.ExtSIOp: _resize,
    arith.TruncIOp: _resize,
    arith.ExtUIOp: _extend_unsigned,
    ocl.OffsetOp: _offset,
    ocl.CastOp: lambda op, operands: operands[0],
}


def _is_private(pointer: SSAValue) -> bool:
    type = pointer.type
    return isinstance(type, ocl.PtrType) and type.address_space == ocl.AddressSpace.PRIVATE


def _number(value: Value) -> int:
    if not isinstance(value, int):
        raise CannotExecute("a number was computed from another kind of value")
    return value


def _moved(place: Value, bytes: int) -> Place:
    if not isinstance(place, Place):
        raise CannotExecute("an address was computed from another kind of value")
    return Place(place.array, place.offset + bytes)
