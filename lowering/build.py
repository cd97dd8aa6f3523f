"""Operations at one place: inserted, located, and on scalars or vectors alike."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Self

from xdsl.dialects import arith, math, scf, ub, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl, vec
from polycl.dialects.parents import owner_of
from polycl.dialects.vec import count_of, element_of, same_shape, signed, width_of

Constants = dict[tuple[str, Attribute], SSAValue]


def is_float(type: Attribute) -> bool:
    return isinstance(element_of(type), AnyFloat)


class Build:
    """Inserts operations at `point`, located as `source`.

    The operands of one call have one shape: they are scalars, or vectors of the same length.
    """

    def __init__(
        self,
        source: Operation | None,
        point: InsertPoint | Block | None = None,
        constants: Constants | None = None,
    ):
        """At `point`, at the end of a block, or before `source`.

        A constant that is in `constants` is used again, and each new one is added to it.
        """
        if point is None:
            assert source is not None
            point = InsertPoint.before(source)
        self.source: Operation | None = source
        self.point = InsertPoint.at_end(point) if isinstance(point, Block) else point
        self.constants = constants

    @classmethod
    def after(cls, value: SSAValue) -> Self:
        """Right after the definition of `value`."""
        if isinstance(value.owner, Block):
            return cls(owner_of(value), InsertPoint.at_start(value.owner))
        return cls(value.owner, InsertPoint.after(value.owner))

    def emit(self, op: Operation) -> SSAValue:
        """Insert `op`; its first result."""
        self.emit_void(op)
        return op.results[0]

    def emit_all(self, op: Operation) -> Sequence[SSAValue]:
        """Insert `op`; its results."""
        self.emit_void(op)
        return op.results

    def emit_void(self, op: Operation) -> None:
        if self.source is not None:
            op.location = self.source.location
        Rewriter.insert_op(op, self.point)

    def alike(self, kind: type[Operation], *operands: SSAValue) -> SSAValue:
        """An operation whose result has the type of its first operand. xDSL's constructors, which
        compare what they are given with a definition, take more than twice as long."""
        return self.emit(kind.create(operands=operands, result_types=[operands[0].type]))

    @property
    def block(self) -> Block:
        return self.point.block

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Insert at the end of `block` meanwhile."""
        outer, self.point = self.point, InsertPoint.at_end(block)
        try:
            yield
        finally:
            self.point = outer

    # Control flow

    @contextmanager
    def when(self, condition: SSAValue) -> Generator[scf.IfOp]:
        """Insert in a branch without results meanwhile."""
        body = Block()
        branch = scf.IfOp(condition, [], Region(body))
        self.emit_void(branch)
        with self.inside(body):
            yield branch
            self.emit_void(scf.YieldOp())

    def choose(
        self,
        condition: SSAValue,
        then: Callable[[], Sequence[SSAValue]],
        otherwise: Callable[[], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """The values of one of two sides of a branch, which insert their operations."""
        sides = Block(), Block()
        types: Sequence[Attribute] = ()
        for block, side in zip(sides, (then, otherwise), strict=True):
            with self.inside(block):
                values = side()
                types = [value.type for value in values]
                self.emit_void(scf.YieldOp(*values))
        return self.emit_all(scf.IfOp(condition, types, Region(sides[0]), Region(sides[1])))

    @contextmanager
    def loop(self, first: SSAValue, end: SSAValue, step: SSAValue) -> Generator[SSAValue]:
        """Insert in a loop that carries nothing meanwhile; its counter."""
        body = Block(arg_types=[first.type])
        self.emit_void(scf.ForOp(first, end, step, [], Region(body)))
        with self.inside(body):
            yield body.args[0]
            self.emit_void(scf.YieldOp())

    def carry(
        self,
        bounds: tuple[SSAValue, SSAValue, SSAValue],
        start: Sequence[SSAValue],
        body: Callable[..., Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """What a loop carries, whose body inserts its operations: it is called with the counter and
        the values carried, and returns those of the next iteration."""
        block = Block(arg_types=[bounds[0].type, *(value.type for value in start)])
        with self.inside(block):
            self.emit_void(scf.YieldOp(*body(*block.args)))
        return self.emit_all(scf.ForOp(*bounds, start, Region(block)))

    # Constants

    def constant(self, value: float, type: Attribute) -> SSAValue:
        """`value` as a scalar or in each element; integers wrap to the type's width."""
        if self.constants is None:
            return self._constant(value, type)
        # By the text: 0.0 and -0.0 are equal, and so are 1 and 1.0.
        key = (repr(value), type)
        if key not in self.constants:
            self.constants[key] = self._constant(value, type)
        return self.constants[key]

    def index(self, number: int) -> SSAValue:
        return self.constant(number, IndexType())

    def _constant(self, value: float, type: Attribute) -> SSAValue:
        element = element_of(type)
        if isinstance(element, IntegerType):
            value = signed(int(value), element.width.data)
        if isinstance(type, VectorType) and is_float(type) and not _has_decimal_text(value):
            return self.splat(self.constant(value, element), type)
        if isinstance(type, VectorType):
            attribute = DenseIntOrFPElementsAttr.from_list(type, [value])
        elif isinstance(element, IntegerType | IndexType):
            attribute = IntegerAttr(int(value), element)
        else:
            assert isinstance(element, AnyFloat)
            attribute = FloatAttr(value, element)
        op = arith.ConstantOp.create(result_types=[type], properties={"value": attribute})
        return self.emit(op)

    # Casts

    def cast(self, op: type[Operation], x: SSAValue, type: Attribute) -> SSAValue:
        return self.emit(vec.cast(op, x, type))

    def as_index(self, x: SSAValue) -> SSAValue:
        return self.index_cast(x, IndexType())

    def index_cast(self, x: SSAValue, type: Attribute) -> SSAValue:
        """From an integer to an index or back; `x` itself if it has the type."""
        return x if x.type == type else self.cast(arith.IndexCastOp, x, type)

    def unsigned_index(self, x: SSAValue) -> SSAValue:
        """An unsigned integer, or an index, as an index."""
        if isinstance(x.type, IntegerType):
            x = self.resize(x, 64, signed=False)
        return self.as_index(x)

    # Integers

    def add(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.AddiOp, x, y)

    def sub(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.SubiOp, x, y)

    def mul(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.MuliOp, x, y)

    def and_(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.AndIOp, x, y)

    def or_(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.OrIOp, x, y)

    def xor(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.XOrIOp, x, y)

    def not_(self, x: SSAValue) -> SSAValue:
        return self.xor(x, self.constant(-1, x.type))

    def neg(self, x: SSAValue) -> SSAValue:
        return self.sub(self.constant(0, x.type), x)

    def shl(self, x: SSAValue, bits: SSAValue | int) -> SSAValue:
        return self.alike(arith.ShLIOp, x, self._bits(x, bits))

    def shr(self, x: SSAValue, bits: SSAValue | int, *, signed: bool) -> SSAValue:
        op = arith.ShRSIOp if signed else arith.ShRUIOp
        return self.alike(op, x, self._bits(x, bits))

    def _bits(self, x: SSAValue, bits: SSAValue | int) -> SSAValue:
        return self.constant(bits, x.type) if isinstance(bits, int) else bits

    def min(self, x: SSAValue, y: SSAValue, *, signed: bool) -> SSAValue:
        return self.alike(arith.MinSIOp if signed else arith.MinUIOp, x, y)

    def max(self, x: SSAValue, y: SSAValue, *, signed: bool) -> SSAValue:
        return self.alike(arith.MaxSIOp if signed else arith.MaxUIOp, x, y)

    def compare(self, predicate: str, x: SSAValue, y: SSAValue) -> SSAValue:
        """Of integers or floats: one i1 for each element."""
        compare = vec.cmpf if is_float(x.type) else vec.cmpi
        return self.emit(compare(x, y, predicate))

    def is_negative(self, x: SSAValue) -> SSAValue:
        """Whether an integer's sign bit is set."""
        return self.compare("slt", x, self.constant(0, x.type))

    def select(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.emit(vec.select(condition, x, y))

    def resize(self, x: SSAValue, width: int, *, signed: bool) -> SSAValue:
        """An integer of `width` bits: extended by its sign or by zeros, or cut."""
        if width == width_of(x.type):
            return x
        type = same_shape(IntegerType(width), x.type)
        op: type[Operation] = arith.TruncIOp
        if width > width_of(x.type):
            op = arith.ExtSIOp if signed else arith.ExtUIOp
        return self.cast(op, x, type)

    def linear(
        self, terms: Iterable[tuple[SSAValue | None, int]], type: Attribute = IndexType()
    ) -> SSAValue:
        """The sum of values times numbers, in this order; a number alone has the value None."""
        result: SSAValue | None = None
        for value, factor in terms:
            if value is None and result is None:
                result = self.constant(factor, type)
                continue
            term = value
            if term is None:
                term = self.constant(abs(factor), type)
            elif abs(factor) != 1:
                term = self.mul(term, self.constant(abs(factor), type))
            if result is None:
                result = term if factor > 0 else self.sub(self.constant(0, type), term)
            else:
                result = self.add(result, term) if factor > 0 else self.sub(result, term)
        return self.constant(0, type) if result is None else result

    def leading_zeros(self, x: SSAValue) -> SSAValue:
        return self.emit(math.CountLeadingZerosOp(x))

    # Floats

    def addf(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.AddfOp, x, y)

    def subf(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.SubfOp, x, y)

    def mulf(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.MulfOp, x, y)

    def divf(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.alike(arith.DivfOp, x, y)

    def negf(self, x: SSAValue) -> SSAValue:
        return self.alike(arith.NegfOp, x)

    def minf(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """`fmin`: the other operand where one is NaN."""
        return self.alike(arith.MinnumfOp, x, y)

    def maxf(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """`fmax`: the other operand where one is NaN."""
        return self.alike(arith.MaxnumfOp, x, y)

    def absf(self, x: SSAValue) -> SSAValue:
        return self.alike(math.AbsFOp, x)

    def copysign(self, x: SSAValue, sign: SSAValue) -> SSAValue:
        return self.alike(math.CopySignOp, x, sign)

    def is_infinite(self, x: SSAValue) -> SSAValue:
        return self.compare("oeq", self.absf(x), self.constant(float("inf"), x.type))

    def is_nan(self, x: SSAValue) -> SSAValue:
        return self.compare("uno", x, x)

    def to_float(self, x: SSAValue, element: Attribute) -> SSAValue:
        """A float of another format: exact where it widens, else rounded to nearest even."""
        width = width_of(element)
        if width == width_of(x.type):
            return x
        op = arith.ExtFOp if width > width_of(x.type) else arith.TruncFOp
        return self.cast(op, x, same_shape(element, x.type))

    def int_to_float(self, x: SSAValue, element: Attribute, *, signed: bool) -> SSAValue:
        """Rounded to nearest even."""
        type = same_shape(element, x.type)
        op: type[Operation] = arith.SIToFPOp if signed else arith.UIToFPOp
        return self.cast(op, x, type)

    def float_to_int(self, x: SSAValue, width: int, *, signed: bool) -> SSAValue:
        """Rounded toward zero; undefined out of the integer's range."""
        type = same_shape(IntegerType(width), x.type)
        op: type[Operation] = arith.FPToSIOp if signed else arith.FPToUIOp
        return self.cast(op, x, type)

    def bits(self, x: SSAValue) -> SSAValue:
        """The bits of floats as integers of the same width."""
        type = same_shape(IntegerType(width_of(x.type)), x.type)
        return self.emit(arith.BitcastOp(x, type))

    def from_bits(self, x: SSAValue, type: Attribute) -> SSAValue:
        """The float of type `type` that has these bits."""
        return self.emit(arith.BitcastOp(x, type))

    def builtin(
        self, name: str, arguments: Sequence[SSAValue], types: Sequence[Attribute]
    ) -> Sequence[SSAValue]:
        """A builtin that stays one."""
        op = ocl.BuiltinOp(name, arguments, types)
        self.emit(op)
        return op.res

    # Vectors

    def element(self, x: SSAValue, position: SSAValue | int) -> SSAValue:
        """One element of a vector (at an index that may be a value); element 0 of a scalar."""
        if not isinstance(x.type, VectorType):
            return x
        return self.emit(vector.ExtractOp(x, [position], x.type.element_type))

    def elements(self, x: SSAValue) -> list[SSAValue]:
        """All elements in order; the value itself for a scalar."""
        return [self.element(x, position) for position in range(count_of(x.type))]

    def joined(self, elements: Sequence[SSAValue]) -> SSAValue:
        """A vector of these scalars."""
        type = VectorType(elements[0].type, [len(elements)])
        result = self.emit(ub.PoisonOp(type))
        for position, element in enumerate(elements):
            result = self.emit(vector.InsertOp(element, result, [position]))
        return result

    def splat(self, x: SSAValue, type: Attribute) -> SSAValue:
        """The scalar `x` in each element of `type`, which may be a scalar type too."""
        if not isinstance(type, VectorType) or isinstance(x.type, VectorType):
            return x
        return self.emit(vector.BroadcastOp.create(operands=[x], result_types=[type]))


def _has_decimal_text(value: float) -> bool:
    """Whether xDSL prints an element of a dense float as a decimal fraction.

    It prints infinities, NaN and integers of many digits in hexadecimal, and reads those back as
    integers.
    """
    return isfinite(value) and (abs(value) < 1e5 or not float(value).is_integer())
