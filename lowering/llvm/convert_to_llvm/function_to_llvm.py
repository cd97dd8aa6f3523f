"""The function that is being converted: its values and blocks, and how operations are added."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.dialects import llvm as llvm_ext
from polycl.dialects.ocl import NO_CONTRACT, AddressSpace, ConstantDataOp, space_of
from polycl.dialects.relaxed import FASTMATH
from polycl.dialects.vec import count_of, element_of, same_shape, vector_of
from polycl.errors import error_at
from polycl.lowering.llvm.constants import constant_bytes
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import (
    FLAT,
    Spaces,
    llvm_type,
    mangled,
)


@dataclass
class Symbols:
    """The external functions that the module calls, by name, in the order of first use; and data
    of the module's own, before the conversion and after it."""

    constants: Mapping[str, ConstantDataOp] = field(default_factory=dict[str, ConstantDataOp])
    declared: dict[str, llvm.FuncOp] = field(default_factory=dict[str, llvm.FuncOp])
    added: list[llvm.GlobalOp] = field(default_factory=list[llvm.GlobalOp])
    _memory: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def memory(self, name: str) -> bytes:
        """What the memory of a constant of the module's own holds: the same for all lookups."""
        if name not in self._memory:
            data = self.constants[name]
            self._memory[name] = constant_bytes(data.type, data.value)
        return self._memory[name]

    def declare(
        self,
        name: str,
        inputs: Sequence[Attribute],
        output: Attribute | None,
        attributes: Sequence[str] = ("nobuiltin", "nounwind"),
    ) -> None:
        """Declare an external function. By default LLVM must not replace its calls by other code:
        `pow(x, 2)` is the result of the library's `pow`, here and in the interpreter."""
        if name in self.declared:
            return
        self.declared[name] = llvm.FuncOp(
            name,
            llvm.LLVMFunctionType(inputs, output),
            llvm.LinkageAttr("external"),
            other_props={"passthrough": ArrayAttr(map(StringAttr, attributes))},
        )


_CONTRACT = llvm.FastMathAttr([FastMathFlag.ALLOW_CONTRACT])
_ROUNDED = llvm.FastMathAttr(None)


@cache
def _flags(flags: arith.FastMathFlagsAttr, contract: bool) -> llvm.FastMathAttr:
    found = {*flags.data, *([FastMathFlag.ALLOW_CONTRACT] if contract else [])}
    return llvm.FastMathAttr([flag for flag in FastMathFlag if flag in found])


@cache
def _positions(mask: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i32, mask)


@cache
def _integer(value: int, type: IntegerType) -> IntegerAttr[IntegerType]:
    return IntegerAttr(value, type)


@cache
def _intrinsic(name: str, args: int) -> dict[str, Attribute]:
    """The properties of a call of an intrinsic with that many arguments."""
    return {
        "intrin": StringAttr(name),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, ()),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, (args, 0)),
    }


@cache
def _predicate(name: str) -> IntegerAttr[IntegerType]:
    return IntegerAttr(llvm.ICmpPredicateFlag(name).to_int(), i64)


@cache
def _equal_integers(value: int, type: VectorType[IntegerType]) -> DenseIntOrFPElementsAttr:
    """An attribute is checked when it is made, which takes time for each element."""
    return DenseIntOrFPElementsAttr.from_list(type, [value] * type.element_count())


@dataclass(frozen=True)
class Conventions:
    """What differs between the targets of LLVM."""

    converters: Mapping[type[Operation], Converter]
    """How each operation is converted. Other operations have no form on the target."""

    contract: bool = True
    """Whether fused multiply-adds are allowed."""

    estimate: bool = False
    """Whether functions of limited precision may come from the processor's estimates."""

    scales: bool = False
    """Whether the processor multiplies vectors by powers of two at full speed (AVX-512)."""

    masks: bool = True
    """Whether the processor reads and writes under masks as fast as without, bytes, too."""

    tables: bool = False
    """Whether the processor chooses among the bytes of two registers (AVX-512 VBMI)."""

    lookups: int = 0
    """The bits of the registers in which a processor chooses among 32-bit numbers by a vector of
    indices: 512 (AVX-512, among 64-bit numbers, too), 256 (AVX2) or 0."""

    words: bool = False
    """Whether gathers of bytes and 16-bit numbers are gathers of words without a mask, too."""

    slow_division: bool = False
    """Whether the processor takes longer for a division of vectors than for an estimate of it."""

    relaxed: bool = False
    """Whether LLVM gets what options of the program permit of float arithmetic."""

    converts: bool = False
    """Whether the processor makes `double`s of vectors of 64-bit integers, and back (AVX-512DQ)."""

    spaces: Spaces = FLAT
    aligned_buffers: bool = False
    """Whether buffers of vectors are aligned for vectors (OpenCL 1.2, section 6.1.5)."""

    unroll_hints: bool = False
    """Whether LLVM gets the program's hints to unroll loops. The loops of the device `cpu` run for
    several work-items, for which they are not meant."""

    scopes: tuple[str | None, str | None] = (None, None)
    """The names of the scopes of a work-group and of a device; None: all threads."""

    has_libm: bool = True
    """Whether there is a C math library to call."""

    def scope_of(self, pointer: SSAValue) -> str | None:
        """The scope of an atomic access: only its work-group sees local memory."""
        return self.scopes[space_of(pointer) is not AddressSpace.LOCAL]


@dataclass
class FunctionLowering:
    """One function on its way to the LLVM dialect.

    A converter reads an operation's operands by `value` and gives its results back.
    """

    symbols: Symbols
    conventions: Conventions
    entry: Block
    """Where stack memory is allocated: once for each call of the function."""

    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    blocks: dict[Block, Block] = field(default_factory=dict[Block, Block])
    choices: dict[SSAValue, tuple[str, SSAValue]] = field(
        default_factory=dict[SSAValue, tuple[str, SSAValue]]
    )
    """The variable and the stack memory of each `wg.choose`, by its result."""

    def __post_init__(self) -> None:
        self.block = self.entry
        self.has_flags = False
        """Whether float arithmetic has flags."""
        self.anchor: Operation | None = None
        """The operation that is being converted; emitted operations get its location."""

    def append_block(self, block: Block) -> None:
        """Add a block after the current one."""
        region = self.entry.parent_region()
        assert region is not None
        region.insert_block_after(block, self.block)

    def value(self, old: SSAValue) -> SSAValue:
        """The converted value of `old`."""
        return self.values[old]

    def values_of(self, old: Sequence[SSAValue]) -> list[SSAValue]:
        return [self.values[value] for value in old]

    def emit(self, op: Operation) -> SSAValue:
        """Add `op` to the current block; its first result."""
        self.emit_void(op)
        return op.results[0]

    def emit_void(self, op: Operation) -> None:
        """Add `op`, which has no result, to the current block."""
        if self.anchor is not None:
            op.location = self.anchor.location
        self.block.add_op(op)

    def new(
        self,
        kind: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute] = {},
    ) -> SSAValue:
        """Add an operation with one result. xDSL's constructors, which compare what they are given
        with the definition of each operand, take a third of the time of the whole conversion."""
        op = kind.create(operands=operands, result_types=[type], properties=properties)
        return self.emit(op)

    def allocate(self, nbytes: int, alignment: int) -> SSAValue:
        """Stack memory that lives as long as the function's call."""
        one = llvm.ConstantOp(IntegerAttr(1, i64), i64)
        memory = llvm.LLVMArrayType(nbytes, IntegerType(8))
        alloca = llvm.AllocaOp(one.result, memory, alignment)
        alloca.location = self.anchor.location if self.anchor is not None else alloca.location
        # SROA of LLVM 22 merges the stores of vectors into memory that a single load reads, and
        # does it too early where they are not in the order of their addresses
        # (llvm/llvm-project#189680). It leaves memory alone that has another user than loads and
        # stores, and promotes it to registers in its other ways.
        start = llvm.CallIntrinsicOp("llvm.lifetime.start.p0", [alloca.res], [])
        first = self.entry.first_op
        for op in (one, alloca, start):
            if first is None:
                self.entry.add_op(op)
            else:
                self.entry.insert_op_before(op, first)
        return alloca.res

    def zeros(self, nbytes: int, alignment: int) -> SSAValue:
        """Stack memory that is zero when the function is called."""
        memory = self.allocate(nbytes, alignment)
        assert isinstance(memory.owner, Operation) and memory.owner.next_op is not None
        start = memory.owner.next_op
        type = VectorType(IntegerType(8), [nbytes])
        zero = llvm.ConstantOp(_equal_integers(0, type), type)
        store = llvm.StoreOp(zero, memory, alignment)
        self.entry.insert_ops_after([zero, store], start)
        return memory

    # Values

    def type(self, type: Attribute) -> Attribute:
        """The type of a value in LLVM."""
        return llvm_type(type, self.conventions.spaces)

    def address_of(self, symbol: str, type: Attribute) -> SSAValue:
        """The address of a global, as a pointer of that type of `ocl`."""
        properties = {"global_name": SymbolRefAttr(symbol)}
        return self.new(llvm.AddressOfOp, [], self.type(type), properties)

    def constant(self, value: float, type: Attribute) -> SSAValue:
        """`value` as a scalar or in each element of a vector."""
        element = element_of(type)
        attribute: Attribute
        if isinstance(type, VectorType) and isinstance(element, IntegerType):
            attribute = _equal_integers(int(value), type)
        elif isinstance(type, VectorType):
            numbers = [value] * type.element_count()
            attribute = DenseIntOrFPElementsAttr.from_list(type, numbers)
        elif isinstance(element, AnyFloat):
            attribute = FloatAttr(value, element)
        else:
            assert isinstance(element, IntegerType)
            attribute = _integer(int(value), element)
        return self.new(llvm.ConstantOp, [], type, {"value": attribute})

    def poison(self, type: Attribute) -> SSAValue:
        return self.new(llvm_ext.PoisonOp, [], type)

    def float_binary(
        self,
        op: type[llvm.AbstractFloatArithOp],
        x: SSAValue,
        y: SSAValue,
        may_fuse: bool = True,
    ) -> SSAValue:
        """Float arithmetic that may be contracted into a fused multiply-add, if allowed.

        Contraction is decided here only (OpenCL 1.2, section 6.12.13: FP_CONTRACT). An operation
        with the attribute `ocl.no_contract` is always rounded on its own.
        """
        kept = self.anchor is not None and NO_CONTRACT in self.anchor.attributes
        contract = self.conventions.contract and may_fuse and not kept
        return self.new(op, [x, y], x.type, {"fastmathFlags": self.float_flags(contract)})

    def float_flags(self, contract: bool = False) -> llvm.FastMathAttr:
        """What is permitted of the operation that is being converted, by options of its program
        and as the argument says. Sums that patterns reassociate (`fastmath<reassoc>` alone) have
        the order of our passes."""
        flags = None if self.anchor is None else self.anchor.properties.get(FASTMATH)
        if (
            isinstance(flags, arith.FastMathFlagsAttr)
            and FastMathFlag.NO_SIGNED_ZEROS in flags.data
            and self.conventions.relaxed
        ):
            self.has_flags = True
            return _flags(flags, contract)
        return _CONTRACT if contract else _ROUNDED

    def icmp(self, predicate: str, x: SSAValue, y: SSAValue) -> SSAValue:
        result = same_shape(i1, x.type)
        return self.new(llvm.ICmpOp, [x, y], result, {"predicate": _predicate(predicate)})

    def fcmp(self, predicate: str, x: SSAValue, y: SSAValue) -> SSAValue:
        if isinstance(x.type, VectorType):
            return self.emit(llvm_ext.FCmpOp(predicate, x, y))
        return self.emit(llvm.FCmpOp(x, y, predicate))

    def select(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        if isinstance(condition.type, VectorType):
            return self.new(llvm_ext.SelectOp, [condition, x, y], x.type)
        return self.emit(llvm.SelectOp(condition, x, y))

    def extract_element(self, vector: SSAValue, position: SSAValue | int) -> SSAValue:
        if isinstance(position, int):
            position = self.constant(position, i64)
        return self.new(llvm_ext.ExtractElementOp, [vector, position], element_of(vector.type))

    def insert_element(
        self, vector: SSAValue, value: SSAValue, position: SSAValue | int
    ) -> SSAValue:
        if isinstance(position, int):
            position = self.constant(position, i64)
        return self.new(llvm.InsertElementOp, [vector, value, position], vector.type)

    def shuffle(self, x: SSAValue, y: SSAValue, mask: Sequence[int]) -> SSAValue:
        """Elements of `x` followed by those of `y`, chosen by position; -1 is any value."""
        result = vector_of(element_of(x.type), len(mask))
        properties = {"mask": _positions(tuple(mask))}
        return self.new(llvm.ShuffleVectorOp, [x, y], result, properties)

    def splat(self, value: SSAValue, result: Attribute) -> SSAValue:
        first = self.insert_element(self.poison(result), value, 0)
        return self.shuffle(first, self.poison(result), [0] * count_of(result))

    def resized(self, vector: SSAValue, count: int) -> SSAValue:
        """The first `count` elements; missing ones are undefined."""
        have = count_of(vector.type)
        mask = [i if i < have else -1 for i in range(count)]
        return self.shuffle(vector, self.poison(vector.type), mask)

    def extract_value(self, aggregate: SSAValue, position: int, type: Attribute) -> SSAValue:
        source = aggregate
        while isinstance(source.owner, llvm.InsertValueOp):
            (index,) = source.owner.position.get_values()
            if index == position:
                return source.owner.value
            source = source.owner.container
        at = DenseArrayBase.from_list(i64, [position])
        return self.emit(llvm.ExtractValueOp(at, aggregate, type))

    def insert_value(self, aggregate: SSAValue, value: SSAValue, position: int) -> SSAValue:
        at = DenseArrayBase.from_list(i64, [position])
        return self.emit(llvm.InsertValueOp(at, aggregate, value))

    # Calls

    def intrinsic(self, name: str, args: Sequence[SSAValue], *, of: Attribute) -> SSAValue:
        """Call an intrinsic that is overloaded on `of`, which is the type of its result."""
        return self.intrinsic_named(f"llvm.{name}.{mangled(of)}", args, of)

    def intrinsic_named(self, name: str, args: Sequence[SSAValue], type: Attribute) -> SSAValue:
        """Call an intrinsic by its full name, for a result of that type."""
        return self.new(llvm.CallIntrinsicOp, args, type, _intrinsic(name, len(args)))

    def intrinsic_void(self, name: str, args: Sequence[SSAValue]) -> None:
        self.emit_void(llvm.CallIntrinsicOp(name, args, []))

    def call(self, name: str, args: Sequence[SSAValue], result: Attribute) -> SSAValue:
        """Call a function of the C math library. Raises PolyclError where there is none."""
        if not self.conventions.has_libm:
            assert self.anchor is not None
            raise error_at(
                self.anchor, f"'{name}' of the C math library is not there on this target"
            )
        self.symbols.declare(name, [arg.type for arg in args], result)
        return self.emit(llvm.CallOp(name, *args, return_type=result))

    def call_builtin(
        self, name: str, args: Sequence[SSAValue], result: Attribute | None = None
    ) -> SSAValue | None:
        """Call a function of the target whose calls must stay where they are."""
        self.symbols.declare(name, [arg.type for arg in args], result, ("convergent", "nounwind"))
        op = llvm.CallOp(name, *args, return_type=result)
        self.emit_void(op)
        return op.results[0] if result is not None else None

    def each_element(
        self,
        function: Callable[..., SSAValue],
        args: Sequence[SSAValue],
        result: Attribute,
    ) -> SSAValue:
        """`function` on scalars, or on the elements of vectors one after another."""
        if not isinstance(result, VectorType):
            return function(*args)
        vector = self.poison(result)
        for i in range(result.element_count()):
            elements = [self.extract_element(arg, i) for arg in args]
            vector = self.insert_element(vector, function(*elements), i)
        return vector


Results: TypeAlias = "SSAValue | Sequence[SSAValue] | None"
Converter: TypeAlias = Callable[[Any, FunctionLowering], Results]
"""An operation of a registered class -> the values of its results."""
