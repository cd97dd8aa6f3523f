"""The builder of vector code; the vectors of values are made when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerType,
    VectorType,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import address_in_small_buffer, address_of
from polycl.analysis.ocl.uniformity import Uniformity, constant_index, element_number
from polycl.dialects import ocl, vec, wg
from polycl.dialects.parents import owner_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.build import Build, is_float
from polycl.lowering.wg.wg_vectorize.lane_values import (
    Lanes,
    NotVectorizable,
    Pointers,
    Row,
    Scalar,
    Separate,
    Value,
    lanes_type,
    mask_type,
)
from polycl.lowering.wg.wg_vectorize.shuffles import (
    deinterleaved,
    interleaved,
    repeated,
    shuffled,
)

if TYPE_CHECKING:
    from polycl.lowering.wg.wg_vectorize.vector_functions import VectorFunctions
    from polycl.lowering.wg.wg_vectorize.vector_memory import StoredRow


T = TypeVar("T")


class Emitter(Build):
    """The new body of one region: a tile of `lanes` work-items along `dimension`.

    Code is emitted only where at least one lane of `mask` is active; None means all lanes.
    """

    def __init__(
        self,
        facts: Uniformity,
        dimension: int,
        lanes: int,
        top: Block,
        functions: VectorFunctions,
        rows: Collection[SSAValue] = (),
    ):
        super().__init__(None, top)
        self.functions = functions
        self.facts = facts
        self.dimension = dimension
        self.lanes = lanes
        self.top = top
        self.mask: SSAValue | None = None
        self.values: dict[SSAValue, Value] = {}
        self.rows: Collection[SSAValue] = rows
        """Values of OpenCL C vector types that are computed as rows."""
        self.interleaved: set[SSAValue] = set()
        """Pointers into private memory whose elements lie next to those of the other lanes."""
        self.address_of = cache(address_in_small_buffer if facts.small_buffers else address_of)
        """Of accesses before they are vectors, which nothing changes meanwhile."""
        self.loaded: dict[Operation, SSAValue] = {}
        """What loads read that were made together with one before them."""
        self.stored: dict[Operation, StoredRow] = {}
        """Stores that are made together with one before them, by the last of them."""
        self.is_rare = False
        """Whether few groups run what is made: it is short rather than fast."""
        self.may_write_back = False
        """Whether a lane that is off may write what its element holds, to avoid a mask."""
        self.made_by_all: set[Operation] = set()
        """Accesses that no lane leaves out."""
        self._vectors: dict[SSAValue, tuple[SSAValue, ...]] = {}
        self._rows: dict[tuple[SSAValue, int], SSAValue] = {}
        self._blocks: set[Block] = {top}

    # Adding operations

    def new_block(self, types: Sequence[Attribute] = ()) -> Block:
        block = Block(arg_types=types)
        self._blocks.add(block)
        return block

    def emit_copy(
        self, op: Operation, operands: Sequence[SSAValue], types: Sequence[Attribute]
    ) -> Operation:
        """Add `op` again, on other values."""
        kind = vec.form_of(type(op), operands[0].type) if operands else type(op)
        new = kind.create(
            operands=operands,
            result_types=types,
            properties=op.properties.copy(),
            attributes=op.attributes.copy(),
        )
        for old_result, result in zip(op.results, new.results, strict=True):
            result.name_hint = old_result.name_hint
        self.emit_void(new)
        return new

    # What is known

    def stride(self, old: SSAValue) -> int | None:
        """By how much a value grows from lane to lane, where that is a known number."""
        stride = self.facts.lanes(old).strides[self.dimension]
        return stride if isinstance(stride, int) else None

    def is_uniform(self, old: SSAValue) -> bool:
        return self.stride(old) == 0

    def value(self, old: SSAValue) -> Value:
        """What `old` became. A value from outside of the region is the same for all lanes."""
        return self.values.get(old) or Scalar(old)

    # Constants

    def per_lane(self, numbers: Sequence[int], element: Attribute) -> SSAValue:
        """A vector of numbers."""
        assert isinstance(element, IntegerType | IndexType)
        value = _dense(tuple(numbers), element)
        return self.emit(
            arith.ConstantOp.create(result_types=[value.type], properties={"value": value})
        )

    def lane_numbers(self, element: Attribute, stride: int) -> SSAValue:
        """0, stride, 2 * stride, ..., wrapped to the element's width."""
        numbers = [lane * stride for lane in range(self.lanes)]
        if isinstance(element, IntegerType):
            numbers = [number % (1 << element.width.data) for number in numbers]
        return self.per_lane(numbers, element)

    def zero(self, type: Attribute) -> SSAValue:
        """Zero in each lane."""
        assert isinstance(type, VectorType)
        element = type.element_type
        if isinstance(element, IntegerType | IndexType):
            return self.per_lane([0] * type.element_count(), element)
        scalar = self.emit(arith.ConstantOp(FloatAttr(0.0, element)))
        return self.emit(vector.BroadcastOp(scalar, type))

    # Vectors

    def vectors(self, old: SSAValue) -> tuple[SSAValue, ...]:
        """`old` as vectors: one for each of its parts."""
        match self.value(old):
            case Lanes() | Row() as value:
                return self.parts(value)
            case Scalar(scalar, stride):
                if scalar not in self._vectors:
                    self._vectors[scalar] = self._after(
                        scalar, lambda: self._spread(scalar, stride)
                    )
                return self._vectors[scalar]
            case Pointers() as pointers:
                return (self.addresses(pointers),)
            case Separate():
                raise NotVectorizable(self.source or owner_of(old), f"no vector holds {old.type}")

    def parts(self, value: Lanes | Row) -> tuple[SSAValue, ...]:
        """One vector for each of the elements of a lane."""
        if isinstance(value, Lanes):
            return value.parts
        row = value.elements
        if row not in self._vectors:
            count = count_of(row.type) // self.lanes
            self._vectors[row] = self._after(row, lambda: tuple(deinterleaved(self, row, count)))
        return self._vectors[row]

    def row(self, old: SSAValue, count: int) -> SSAValue:
        """`old`, of `count` elements or a scalar that all of them share, as a row."""
        value = self.value(old)
        if isinstance(value, Row):
            return value.elements
        if isinstance(value, Scalar) and value.stride == 0:
            scalar = value.value
            if (scalar, count) not in self._rows:
                self._rows[scalar, count] = self._after(
                    scalar, lambda: self._same_row(scalar, count)
                )
            return self._rows[scalar, count]
        parts = self.vectors(old)
        if all(part is parts[0] for part in parts):
            return repeated(self, parts[0], count)
        return interleaved(self, parts)

    def _same_row(self, scalar: SSAValue, count: int) -> SSAValue:
        number = element_number(scalar)
        if number is not None:
            return self.constant(number, lanes_type(scalar.type, count * self.lanes))
        if isinstance(scalar.type, VectorType):
            return shuffled(self, scalar, scalar, list(range(count)) * self.lanes)
        return self.splat(scalar, lanes_type(scalar.type, count * self.lanes))

    def vector(self, old: SSAValue) -> SSAValue:
        """`old`, which is not a vector of OpenCL C, as one vector."""
        (part,) = self.vectors(old)
        return part

    def _after(self, value: SSAValue, make: Callable[[], T]) -> T:
        """What `make` emits, inserted after the definition of `value`: loops do not repeat it."""
        owner = value.owner
        home = owner if isinstance(owner, Block) else owner.parent
        if home not in self._blocks:
            point = InsertPoint.at_start(self.top)
        elif isinstance(owner, Operation):
            point = InsertPoint.after(owner)
        else:
            point = InsertPoint.at_start(owner)
        new = Block()
        with self.inside(new):
            made = make()
        ops = list(new.ops)
        for op in ops:
            op.detach()
        Rewriter.insert_op(ops, point)
        return made

    def _spread(self, scalar: SSAValue, stride: int) -> tuple[SSAValue, ...]:
        type = scalar.type
        if isinstance(type, ocl.PtrType):
            base = self.emit(ocl.PtrToIntOp(scalar))
            return (self._progression(base, i64, stride),)
        if isinstance(type, VectorType):
            number = element_number(scalar)
            if number is not None:
                same = self.constant(number, lanes_type(type, self.lanes))
                return (same,) * count_of(type)
            scalars = [
                self.emit(vector.ExtractOp(scalar, [i], type.element_type))
                for i in range(count_of(type))
            ]
            return tuple(self.splat(part) for part in scalars)
        return (self._progression(scalar, type, stride),)

    def _progression(self, first: SSAValue, type: Attribute, stride: int) -> SSAValue:
        all_first = self.splat(first)
        if stride == 0:
            return all_first
        return self.add(all_first, self.lane_numbers(type, stride))

    def splat(self, x: SSAValue, type: Attribute | None = None) -> SSAValue:
        """The scalar in each lane."""
        if not isinstance(x.type, IntegerType | IndexType) and not is_float(x.type):
            source = self.source or owner_of(x)
            raise NotVectorizable(source, f"no vector holds {x.type}")
        return super().splat(x, type or lanes_type(x.type, self.lanes))

    # Pointers

    def pointers(self, old: SSAValue) -> Pointers:
        """A pointer as a base that all lanes share and an index for each."""
        match self.value(old):
            case Pointers() as pointers:
                return pointers
            case Scalar(base, stride):
                unit = abs(stride) or 1
                sign = (stride > 0) - (stride < 0)
                return Pointers(base, self.lane_numbers(IndexType(), sign), unit)
            case Lanes((addresses,)):
                zero = self.constant(0, i64)
                null = self.emit(ocl.IntToPtrOp(zero, ocl.pointer_type(old)))
                indices = vec.IndexCastOp(addresses, lanes_type(IndexType(), self.lanes))
                return Pointers(null, self.emit(indices), 1)
            case _:
                raise NotVectorizable(owner_of(old), f"no vector holds {old.type}")

    def addresses(self, pointers: Pointers) -> SSAValue:
        """The address of each lane, as an i64."""
        type = lanes_type(i64, self.lanes)
        base = self.splat(self.emit(ocl.PtrToIntOp(pointers.base)))
        offsets = self.scaled(pointers.indices, pointers.stride)
        return self.add(base, self.emit(vec.IndexCastOp(offsets, type)))

    def scaled(self, indices: SSAValue, factor: int) -> SSAValue:
        """A scalar index or a vector of them times a number."""
        if factor == 1:
            return indices
        if isinstance(indices.type, VectorType):
            return self.mul(indices, self.per_lane([factor] * self.lanes, IndexType()))
        number = constant_index(indices)
        if number is not None:
            return self.index(number * factor)
        return self.mul(indices, self.index(factor))

    # Lanes and masks

    def lane(self, old: SSAValue, number: int) -> SSAValue:
        """The scalar of one lane."""
        match self.value(old):
            case Separate(values):
                return values[number]
            case Scalar(scalar, 0):
                return scalar
            case Scalar(scalar, _) if number == 0:
                return scalar
            case Pointers(base, indices, stride):
                bytes = self.emit(ocl.CastOp(base, ocl.PtrType(i8, ocl.space_of(base))))
                moved = self.scaled(self._element(indices, number), stride)
                address = self.emit(ocl.OffsetOp(bytes, moved))
                return self.emit(ocl.CastOp(address, old.type))  # pyright: ignore
            case _:
                pass
        elements = [self._element(part, number) for part in self.vectors(old)]
        if isinstance(old.type, ocl.PtrType):
            return self.emit(ocl.IntToPtrOp(elements[0], old.type))
        if not isinstance(old.type, VectorType):
            return elements[0]
        result = self.emit(vector.BroadcastOp(elements[0], old.type))
        for i, element in enumerate(elements[1:], 1):
            result = self.emit(vector.InsertOp(element, result, [i]))
        return result

    def _element(self, vector_: SSAValue, number: int) -> SSAValue:
        """An element of a vector. What is cast is extracted before: LLVM reads single bytes."""
        match vector_.owner:
            case vec.ExtUIOp() | vec.ExtSIOp() | vec.IndexCastOp() as cast:
                element = self._element(cast.input, number)
                return self.emit(
                    vec.cast(vec.SCALAR_FORMS[type(cast)], element, element_of(cast.result.type))
                )
            case _:
                element = element_of(vector_.type)
                return self.emit(vector.ExtractOp(vector_, [number], element))

    def joined_lanes(self, old: SSAValue, scalars: Sequence[SSAValue]) -> Value:
        """The value whose lanes are these scalars."""
        type = old.type
        if isinstance(type, ocl.PtrType):
            scalars = [self.emit(ocl.PtrToIntOp(scalar)) for scalar in scalars]
            return Lanes((self._inserted(scalars),))
        if isinstance(type, VectorType):
            return Lanes(
                tuple(
                    self._inserted(
                        [self.emit(vector.ExtractOp(s, [i], type.element_type)) for s in scalars]
                    )
                    for i in range(count_of(type))
                )
            )
        if isinstance(type, IntegerType | IndexType) or is_float(type):
            return Lanes((self._inserted(scalars),))
        return Separate(tuple(scalars))

    def _inserted(self, scalars: Sequence[SSAValue]) -> SSAValue:
        result = self.splat(scalars[0])
        for i, scalar in enumerate(scalars[1:], 1):
            result = self.emit(vector.InsertOp(scalar, result, [i]))
        return result

    @contextmanager
    def under(self, mask: SSAValue | None) -> Generator[None]:
        """Only the lanes of `mask` are active meanwhile; None: all are."""
        outer, self.mask = self.mask, mask
        yield
        self.mask = outer

    def mask_vector(self) -> SSAValue:
        """The mask, as a constant where all lanes are active."""
        if self.mask is not None:
            return self.mask
        return self.per_lane([1] * self.lanes, i1)

    def masked(self, condition: SSAValue) -> SSAValue:
        """The active lanes where `condition` holds; it may be undefined in the others."""
        if self.mask is None:
            return condition
        none = self.zero(mask_type(self.lanes))
        return self.select(self.mask, condition, none)

    def any_lane(self, mask: SSAValue) -> SSAValue:
        return self.emit(wg.AnyLaneOp(mask))


@cache
def _dense(numbers: tuple[int, ...], element: IntegerType | IndexType) -> DenseIntOrFPElementsAttr:
    """An attribute is checked when it is made, which takes time for each number."""
    return DenseIntOrFPElementsAttr.from_list(VectorType(element, [len(numbers)]), numbers)
