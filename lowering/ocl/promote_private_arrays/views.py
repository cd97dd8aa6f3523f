"""Memory that is accessed as values of several types, or in parts, as one variable a piece.

Bytes of a number are in the order of little-endian memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointee_of
from polycl.dialects.parents import parents
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build, is_float
from polycl.lowering.ocl.promote_private_arrays.accesses import Access
from polycl.lowering.ocl.promote_private_arrays.limits import MOST_ELEMENTS
from polycl.lowering.ocl.promote_private_memory import is_followed


def may_be_pieces(array: ocl.AllocaOp, accesses: Sequence[Access]) -> bool:
    """Whether memory has few numbers, and is accessed as such only, where control flow can carry
    them."""
    return (
        bool(accesses)
        and all(_is_number(_number_type(access)) for access in accesses)
        and all(is_followed(access.op, array) for access in accesses)
        and size_of(pointee_of(array.result)) <= MOST_ELEMENTS * _smallest(accesses)
    )


def operations_of(access: Access, accesses: Sequence[Access]) -> int:
    """About how many operations put a value together, if all of it is in pieces."""
    return 3 * (access.size // _smallest(accesses))


def _smallest(accesses: Sequence[Access]) -> int:
    return min(size_of(_number_type(access)) for access in accesses)


def _number_type(access: Access) -> Attribute:
    type = access.type
    return type.element_type if isinstance(type, VectorType) else type


def _is_number(type: Attribute) -> bool:
    """Whether a type is a number of whole bytes."""
    if isinstance(type, IntegerType):
        return type.width.data in (8, 16, 32, 64)
    return isinstance(type, AnyFloat)


def split_views(array: ocl.AllocaOp, accesses: Sequence[Access]) -> None:
    """Let `accesses` whose places are known be of variables instead of `array`.

    ```
    ocl.store %a, %bytes[%c1] : !ocl.ptr<i8>          ocl.store %a, %b1
    ...                                         ->    ...
    %w = ocl.load %words[%c0] : !ocl.ptr<i32>         %w = (%b3 << 24) + (%b2 << 16) + ...
    ```
    """
    memory = _Memory(array, accesses)
    # What is stored is known by what was loaded.
    for access in accesses:
        op = access.op
        if isinstance(op, ocl.LoadOp | ocl.VLoadOp):
            build = Build(op)
            values = [memory.load(build, start, type) for start, type in _numbers(access)]
            is_vector = isinstance(access.type, VectorType)
            Rewriter.replace_op(op, [], [build.joined(values) if is_vector else values[0]])
    for access in accesses:
        op = access.op
        if isinstance(op, ocl.StoreOp | ocl.VStoreOp):
            build = Build(op)
            values = build.elements(op.value)
            for (start, _), value in zip(_numbers(access), values, strict=True):
                memory.store(build, start, value)
            Rewriter.erase_op(op)


def _numbers(access: Access) -> Iterator[tuple[int, Attribute]]:
    """The first byte and the type of each number that is loaded or stored."""
    type = _number_type(access)
    for distance in range(0, access.size, size_of(type)):
        yield access.place.number + distance, type


@dataclass(frozen=True)
class _Piece:
    start: int
    type: Attribute
    variable: SSAValue

    @property
    def size(self) -> int:
        return size_of(self.type)

    @property
    def end(self) -> int:
        return self.start + self.size

    def load(self, build: Build) -> SSAValue:
        """Its bits."""
        value = build.emit(ocl.LoadOp(self.variable))
        return build.bits(value) if is_float(self.type) else value

    def store(self, build: Build, bits: SSAValue) -> None:
        value = build.from_bits(bits, self.type) if is_float(self.type) else bits
        build.emit_void(ocl.StoreOp(value, self.variable))


class _Memory:
    """An array in pieces."""

    def __init__(self, array: ocl.AllocaOp, accesses: Sequence[Access]):
        self._pieces: list[_Piece] = []
        build = Build(array, constants={})
        for start, type in _pieces(accesses):
            variable = build.emit(ocl.AllocaOp(type))
            variable.name_hint = f"{array.result.name_hint or 'v'}_{start}"
            # Bits that were never written may be read with others, which count.
            build.emit_void(ocl.StoreOp(build.constant(0, type), variable))
            self._pieces.append(_Piece(start, type, variable))

    def load(self, build: Build, start: int, type: Attribute) -> SSAValue:
        """The number at a place."""
        pieces = self._pieces_of(start, size_of(type))
        if [(piece.start, piece.type) for piece in pieces] == [(start, type)]:
            return build.emit(ocl.LoadOp(pieces[0].variable))
        width = 8 * size_of(type)
        bits: SSAValue | None = None
        for piece in pieces:
            part, distance = piece.load(build), 8 * (piece.start - start)
            if distance < 0:
                part = build.shr(part, -distance, signed=False)
            part = build.resize(part, width, signed=False)
            if distance > 0:
                part = build.shl(part, distance)
            bits = part if bits is None else build.or_(bits, part)
        assert bits is not None
        return build.from_bits(bits, type) if is_float(type) else bits

    def store(self, build: Build, start: int, value: SSAValue) -> None:
        """Write a number at a place."""
        size = size_of(value.type)
        pieces = self._pieces_of(start, size)
        if [(piece.start, piece.type) for piece in pieces] == [(start, value.type)]:
            build.emit_void(ocl.StoreOp(value, pieces[0].variable))
            return
        bits = build.bits(value) if is_float(value.type) else value
        slices = _Slices(build)
        for piece in pieces:
            first, end = max(piece.start, start), min(piece.end, start + size)
            width = 8 * piece.size
            part = slices.slice(bits, 8 * (first - start), min(width, 8 * size))
            part = build.resize(part, width, signed=False)
            if (first, end) != (piece.start, piece.end):
                written, distance = (1 << 8 * (end - first)) - 1, 8 * (first - piece.start)
                part = build.shl(build.and_(part, build.constant(written, part.type)), distance)
                mask = build.constant(~(written << distance), part.type)
                part = build.or_(part, build.and_(piece.load(build), mask))
            piece.store(build, part)

    def _pieces_of(self, start: int, size: int) -> list[_Piece]:
        return [piece for piece in self._pieces if piece.start < start + size and start < piece.end]


def _pieces(accesses: Sequence[Access]) -> Iterator[tuple[int, Attribute]]:
    """The first byte and the type of each piece.

    A piece ends where an access begins or ends, unless one in more loops goes on there.
    """
    numbers = [
        (start, start + size_of(type), type, _loops_around(access))
        for access in accesses
        for start, type in _numbers(access)
    ]
    deepest: dict[int, int] = {}
    types: dict[int, set[tuple[int, Attribute]]] = {}
    for start, end, type, depth in numbers:
        types.setdefault(start, set()).add((end, type))
        for byte in range(start, end):
            deepest[byte] = max(depth, deepest.get(byte, 0))
    ends = {
        place
        for start, end, _, depth in numbers
        for place in (start, end)
        if depth >= min(deepest.get(place - 1, 0), deepest.get(place, 0))
    }
    place = min(deepest, default=0)
    while place <= max(deepest, default=-1):
        if place not in deepest:
            place += 1
            continue
        end = min(end for end in ends if end > place)
        size = next(size for size in (8, 4, 2, 1) if size <= end - place)
        same = {type for last, type in types.get(place, ()) if last == place + size}
        yield place, same.pop() if len(same) == 1 else IntegerType(8 * size)
        place += size


def _loops_around(access: Access) -> int:
    return sum(isinstance(parent, scf.ForOp | scf.WhileOp) for parent in parents(access.op))


class _Slices:
    """Parts of integers, in bits; what was computed once is used again."""

    def __init__(self, build: Build):
        self._build = build
        self._known: dict[tuple[SSAValue, int, int], SSAValue | None] = {}

    def slice(self, value: SSAValue, first: int, width: int) -> SSAValue:
        """Some bits of an integer; those after its last are any."""
        part = self._put_together(value, first, width)
        if part is None:
            build = self._build
            rest = build.shr(value, first, signed=False) if first else value
            part = build.resize(rest, width, signed=False)
        return part

    def _put_together(self, value: SSAValue, first: int, width: int) -> SSAValue | None:
        """Some bits of an integer that was put together of them, by their own operations: bytes
        of words that are combined by `^` are combined one by one. None if it was not."""
        key = (value, first, width)
        if key not in self._known:
            self._known[key] = self._find(value, first, width)
        return self._known[key]

    def _find(self, value: SSAValue, first: int, width: int) -> SSAValue | None:
        if first == 0 and width == width_of(value.type):
            return value
        match value.owner:
            case arith.ConstantOp():
                number = constant_index(value)
                assert number is not None
                return self._build.constant(number >> first, IntegerType(width))
            case arith.TruncIOp(input=source):
                return self.slice(source, first, width)
            case arith.ExtUIOp(input=source) if first >= width_of(source.type):
                return self._zero(width)
            case arith.ExtUIOp(input=source) if first + width <= width_of(source.type):
                return self.slice(source, first, width)
            case arith.ShLIOp(lhs=source, rhs=bits):
                amount = constant_index(bits)
                if amount is not None and first >= amount:
                    return self.slice(source, first - amount, width)
                is_below = amount is not None and first + width <= amount
                return self._zero(width) if is_below else None
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp() as op:
                known = [self._put_together(operand, first, width) for operand in op.operands]
                if known == [None, None]:
                    return None
                return self._combined(op, *(self.slice(x, first, width) for x in op.operands))
            case _:
                return None

    def _zero(self, width: int) -> SSAValue:
        return self._build.constant(0, IntegerType(width))

    def _combined(
        self, op: arith.AndIOp | arith.OrIOp | arith.XOrIOp, x: SSAValue, y: SSAValue
    ) -> SSAValue:
        """The same operation of other operands, which may be zero."""
        for one, other in ((x, y), (y, x)):
            if constant_index(one) == 0:
                return one if isinstance(op, arith.AndIOp) else other
        return self._build.alike(type(op), x, y)
