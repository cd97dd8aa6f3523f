"""One kernel under construction: its parameters, its memory and the host's values it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import FunctionType, IndexType, StringAttr, TupleType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polycl.analysis.ocl.index_arith import Expr
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.pattern import NatAttr
from polycl.dialects.pattern.types import ArrayType
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import Buffer, stored_type


@dataclass(frozen=True)
class Access:
    """A load or a store of memory that work-items share."""

    buffer: Buffer
    index: Expr
    lanes: int
    """The number of scalars from `index` on."""

    is_write: bool
    items: Mapping[int, tuple[Expr, Expr]]
    """For each dimension the work-item's element of a map, and the number of elements."""


@dataclass
class Kernel:
    """A kernel that is being filled."""

    name: str
    leaves: Mapping[SSAValue, Sequence[Buffer]]
    """The buffers of the arrays of the host function."""

    sizes: Mapping[str, NatAttr]
    """The sizes of variables of index expressions."""

    block: Block = field(default_factory=Block)
    arguments: list[SSAValue] = field(default_factory=list[SSAValue])
    """The values of the host function that are passed, in order; an array passes its leaves."""

    size_arguments: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    """The sizes that are passed after them."""

    accesses: dict[Operation, Access] = field(default_factory=dict[Operation, Access])
    group_blocks: set[Block] = field(default_factory=set[Block])
    """The blocks that all work-items of a group run together."""

    inner_variables: set[str] = field(default_factory=set[str])
    """Index variables that change within a statement of a work-item, or that it loaded."""

    round_variables: dict[Block, set[str]] = field(default_factory=dict[Block, set[str]])
    """For loops that a group runs together: the variables that differ in each iteration."""

    element_variables: dict[Block, set[str]] = field(default_factory=dict[Block, set[str]])
    """For loops over a work-item's elements of a local map: the element's variable."""

    allocations: dict[Buffer, tuple[Operation, Operation]] = field(
        default_factory=dict[Buffer, tuple[Operation, Operation]]
    )
    """For local and private buffers: the allocation, and the cast to a pointer to its elements."""

    buffers: int = 0
    """The number of allocations, for their names."""

    _pointers: dict[Buffer, SSAValue] = field(default_factory=dict[Buffer, SSAValue])
    _scalars: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    _numbers: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    _prologue: list[Operation] = field(default_factory=list[Operation])
    _names: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.group_blocks.add(self.block)

    def pointer(self, buffer: Buffer) -> SSAValue:
        """The buffer's address; a global buffer becomes a parameter."""
        if buffer not in self._pointers:
            if buffer.space is AddressSpace.GLOBAL:
                assert buffer.host is not None
                self._pass(buffer.host, self.leaves[buffer.host])
            else:
                self._pointers[buffer] = self._allocate(buffer)
        return self._pointers[buffer]

    def size(self, name: str) -> SSAValue:
        """The value of a size variable, as an index."""
        if name not in self.size_arguments:
            # Sizes follow all others: `finish` inserts the parameters.
            placeholder = Block(arg_types=[i64]).args[0]
            cast = arith.IndexCastOp(placeholder, IndexType())
            cast.result.name_hint = name
            self._prologue.append(cast)
            self.size_arguments[name] = cast.result
        return self.size_arguments[name]

    def number(self, value: int) -> SSAValue:
        """A constant index."""
        if value not in self._numbers:
            constant = arith.ConstantOp.from_int_and_width(value, IndexType())
            self._prologue.append(constant)
            self._numbers[value] = constant.result
        return self._numbers[value]

    def scalar(self, value: SSAValue) -> SSAValue:
        """A scalar of the host function: an argument, or a value that is computed again."""
        if value in self._scalars:
            return self._scalars[value]
        owner = value.owner
        if isinstance(owner, Block):
            parameter = self._parameter(stored_type(value.type), value.name_hint or "a")
            self.arguments.append(value)
            self._scalars[value] = self._from_parameter(parameter, value.type)
            return self._scalars[value]
        if owner.regions or not owner.name.startswith(("arith.", "math.", "vector.")):
            raise error_at(owner, f"'{owner.name}' outside of all patterns has no kernel to be in")
        operands = {operand: self.scalar(operand) for operand in owner.operands}
        clone = owner.clone(value_mapper=operands)
        self._prologue.append(clone)
        for old, new in zip(owner.results, clone.results, strict=True):
            self._scalars[old] = new
        return self._scalars[value]

    def variables_of(self, body: Block) -> frozenset[str]:
        """The variables that each iteration of the loop with this body changes."""
        names = set(self.round_variables.get(body, ()))
        for op in body.walk():
            for region in op.regions:
                for block in region.blocks:
                    names |= self.round_variables.get(block, set())
        return frozenset(names)

    def finish(self, local_size: Sequence[int] | None) -> ocl.KernelOp:
        """The kernel, after everything else."""
        for name, index in self.size_arguments.items():
            parameter = self._parameter(i64, name)
            assert isinstance(index.owner, arith.IndexCastOp)
            index.owner.operands[0] = parameter
        allocations = [op for pair in self.allocations.values() for op in pair if not op.parent]
        first = self.block.first_op
        for op in [*allocations, *self._prologue]:
            if isinstance(op, arith.ConstantOp) and not op.result.uses:
                continue
            if first is None:
                self.block.add_op(op)
            else:
                self.block.insert_op_before(op, first)
        self.block.add_op(ocl.ReturnOp())
        return ocl.KernelOp(
            self.name,
            FunctionType.from_lists([arg.type for arg in self.block.args], []),
            Region(self.block),
            [{ocl.PARAM_NAME: StringAttr(name)} for name in self._names],
            reqd_work_group_size=local_size,
        )

    def _pass(self, host: SSAValue, leaves: Sequence[Buffer]) -> None:
        self.arguments.append(host)
        for buffer in leaves:
            type = PtrType(buffer.element, AddressSpace.GLOBAL)
            self._pointers[buffer] = self._parameter(type, buffer.name)

    def _from_parameter(self, parameter: SSAValue, type: Attribute) -> SSAValue:
        """The scalar that is passed: a kernel takes an `i1` as `i8` and an index as `i64`."""
        if parameter.type == type:
            return parameter
        if isinstance(type, IndexType):
            cast: Operation = arith.IndexCastOp(parameter, type)
        else:
            cast = arith.TruncIOp(parameter, i1)
        self._prologue.append(cast)
        return cast.results[0]

    def _parameter(self, type: Attribute, name: str) -> SSAValue:
        unique, count = name, 1
        while unique in self._names:
            count += 1
            unique = f"{name}_{count}"
        self._names.append(unique)
        argument = self.block.insert_arg(type, len(self.block.args))
        argument.name_hint = unique
        return argument

    def _allocate(self, buffer: Buffer) -> SSAValue:
        size = buffer.size.constant
        if size is None:
            raise ValueError(f"{buffer.space.value} memory of {buffer.size} elements")
        make = ocl.LocalAllocOp if buffer.space is AddressSpace.LOCAL else ocl.AllocaOp
        allocation = make(ocl.ArrayType(size, buffer.element))
        allocation.result.name_hint = f"{buffer.name}_array"
        cast = ocl.CastOp(allocation.result, PtrType(buffer.element, buffer.space))
        cast.result.name_hint = buffer.name
        self.allocations[buffer] = (allocation, cast)
        return cast.result


def is_array(type: Attribute) -> bool:
    """Whether a value of `type` is in memory on the host."""
    return isinstance(type, ArrayType)


def has_arrays(type: Attribute) -> bool:
    """Whether a value of `type` is an array, or a tuple with one in it."""
    return is_array(type) or (isinstance(type, TupleType) and any(map(has_arrays, type.types)))
