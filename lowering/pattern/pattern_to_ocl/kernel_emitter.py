"""Operations at the end of a block: indices as `arith`, loads and stores, loops."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.ocl.index_arith import (
    Binary,
    Expr,
    Monomial,
    Range,
    exact_div,
    integer,
    is_nonneg,
    simplify_sum,
    var,
)
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.attributes import ASYNC, UNROLL
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.work_item import DimensionQuery
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import Access, Kernel
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    Buffer,
    Computed,
    Lanes,
    Limited,
    Memory,
    Value,
    View,
    stored_type,
)

_INDEX = IndexType()


class Unbound(Exception):
    """An index contains a variable that has no value where it is needed."""


class Emitter:
    """The insertion point of code, and the facts that hold there."""

    def __init__(
        self,
        kernel: Kernel,
        *,
        aligned: bool = False,
        async_copies: bool = False,
        tensor_cores: int = 0,
    ):
        self.kernel = kernel
        self.async_copies = async_copies
        """Whether copies from global memory ahead of their use are asynchronous."""

        self.tensor_cores = tensor_cores
        """The generation of tensor cores that compute `pattern.mma` (`pattern-to-ocl`), or 0."""

        self.lanes: dict[SSAValue, Expr] = {}
        """The number of the work-item in its sub-group, by the value of its id."""

        self.aligned = aligned
        """Whether vectors are aligned to their size."""

        self.block = kernel.block
        self.env = {name: Range(integer(1), None) for name in kernel.sizes}
        """The facts on the variables in index expressions."""

        self.items: dict[int, tuple[Expr, Expr]] = {}
        """For each dimension the work-item's element of a local map, and the number of elements."""

        self._variables: dict[str, SSAValue] = {}
        # Values that were computed before in this block or in those around it.
        self._known: ChainMap[Any, SSAValue] = ChainMap()
        self._count: dict[str, int] = {}

    # Operations

    def add(self, op: Operation) -> Operation:
        """Append `op`."""
        self.block.add_op(op)
        return op

    def result(self, op: Operation, name: str | None = None) -> SSAValue:
        """Append `op` and return its result."""
        (result,) = self.add(op).results
        result.name_hint = name
        return result

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Within it, operations are added to `block`, which is nested in the current one."""
        outer, known = self.block, self._known
        self.block, self._known = block, known.new_child()
        try:
            yield
        finally:
            self.block, self._known = outer, known

    # Indices

    def fresh(self, name: str, bounds: Range, value: SSAValue | None = None) -> Expr:
        """A new variable for index expressions; one without a value is for analysis only."""
        count = self._count[name] = self._count.get(name, 0) + 1
        unique = f"{name}.{count}"
        self.env[unique] = bounds
        if value is not None:
            self._variables[unique] = value
        return var(unique)

    def opaque(self, value: SSAValue, bounds: Range) -> Expr:
        """A value of the program as an index."""
        if value.type != _INDEX:
            value = self.result(arith.IndexCastOp(value, _INDEX))
        index = self.fresh("value", bounds, value)
        self.kernel.inner_variables |= index.variables
        return index

    def bind(self, variable: Expr, value: SSAValue) -> None:
        """Give a variable its value."""
        (name,) = variable.variables
        self._variables[name] = value

    def index(self, expr: Expr) -> SSAValue:
        """The value of an index expression. Raises Unbound."""
        if expr not in self._known:
            self._known[expr] = self._index(expr)
        return self._known[expr]

    def _index(self, expr: Expr) -> SSAValue:
        if expr.constant is not None:
            return self.kernel.number(expr.constant)
        total: SSAValue | None = None
        # Negative terms come last.
        for monomial, coefficient in sorted(expr.terms, key=lambda term: term[1] < 0):
            term = self._term(monomial, abs(coefficient) if total is not None else coefficient)
            if total is None:
                total = term
            else:
                kind = arith.AddiOp if coefficient > 0 else arith.SubiOp
                total = self.result(kind(total, term))
        assert total is not None
        return total

    def _term(self, monomial: Monomial, coefficient: int) -> SSAValue:
        key = ("term", monomial, coefficient)
        if key not in self._known:
            factors = [self._atom(atom) for atom in monomial]
            if coefficient != 1 or not factors:
                factors.append(self.kernel.number(coefficient))
            product, *others = factors
            for factor in others:
                product = self.result(arith.MuliOp(product, factor))
            self._known[key] = product
        return self._known[key]

    def query(self, kind: type[DimensionQuery], dim: int, name: str) -> SSAValue:
        """An id of the work-item or its group."""
        if (kind, dim) not in self._known:
            self._known[kind, dim] = self.result(kind(dim), name)
        return self._known[kind, dim]

    def _atom(self, atom: Any) -> SSAValue:
        if isinstance(atom, Binary):
            if atom not in self._known:
                self._known[atom] = self._binary(atom)
            return self._known[atom]
        if atom in self._variables:
            return self._variables[atom]
        if atom in self.kernel.sizes:
            return self.kernel.size(atom)
        raise Unbound(atom)

    def _binary(self, atom: Binary) -> SSAValue:
        if atom.kind in ("//", "%"):
            return self._quotient_or_rest(atom)
        x, y = self.index(atom.x), self.index(atom.y)
        return self.result((arith.MinSIOp if atom.kind == "min" else arith.MaxSIOp)(x, y))

    def _quotient_or_rest(self, atom: Binary) -> SSAValue:
        """Unsigned division, of a dividend that is not negative."""
        for more in range(3):
            # The multiple of the divisor that makes the dividend positive adds to the quotient.
            x = atom.x + atom.y * more
            if not is_nonneg(x, self.env):
                continue
            if atom.kind == "%":
                return self.result(arith.RemUIOp(self.index(x), self.index(atom.y)))
            quotient = self.result(arith.DivUIOp(self.index(x), self.index(atom.y)))
            if more == 0:
                return quotient
            return self.result(arith.SubiOp(quotient, self.kernel.number(more)))
        raise ValueError(f"the index {atom} may be negative")

    def equal(self, x: Expr, y: Expr) -> SSAValue:
        """Whether two indices are the same."""
        return self.result(arith.CmpiOp(self.index(x), self.index(y), "eq"))

    def select(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        """`x` where the condition holds, else `y`."""
        return self.result(arith.SelectOp(condition, x, y))

    def element(self, value: SSAValue, lane: Expr) -> SSAValue:
        """One scalar of a vector."""
        position = lane.constant if lane.constant is not None else self.index(lane)
        assert isinstance(value.type, VectorType)
        return self.result(vector.ExtractOp(value, [position], value.type.element_type))

    # Values and memory

    def value(self, view: View) -> SSAValue:
        """A scalar or vector in a register; it is loaded once in its scope."""
        if isinstance(view, Value):
            return view.value
        key = id(view), view
        if key not in self._known:
            self._known[key] = self._value(view)
        return self._known[key]

    def _value(self, view: View) -> SSAValue:
        match view:
            case Computed():
                return view.compute(self)
            case Memory():
                return self._load(view)
            case Lanes():
                parts = [self.value(part) for part in view.parts]
                return self._vector(parts)
            case _:
                raise TypeError(f"an array or a tuple is not a single value: {view}")

    def _vector(self, parts: Sequence[SSAValue]) -> SSAValue:
        type = VectorType(parts[0].type, [len(parts)])
        return self.result(ocl.ConcatOp(parts, type))

    def store(self, value: SSAValue, view: View) -> None:
        """Write a scalar or a vector to `view`."""
        match view:
            case Memory():
                self._store(value, view)
            case Limited():
                checks = [
                    self.result(arith.CmpiOp(self.index(i), self.index(limit), "ult"))
                    for i, limit in view.limits
                ]
                condition, *others = checks
                for other in others:
                    condition = self.result(arith.AndIOp(condition, other))
                self.when(condition, lambda: self._store(value, view.place))
            case Lanes():
                for lane, part in enumerate(view.parts):
                    self.store(self.element(value, integer(lane)), part)
            case _:
                raise TypeError(f"nothing can be written to {view}")

    def _load(self, place: Memory) -> SSAValue:
        place = self.simplified(place)
        pointer = self.kernel.pointer(place.buffer)
        if isinstance(place.type, VectorType):
            lanes = place.type.element_count()
            stored = VectorType(stored_type(place.type.element_type), [lanes])
            if _is_in_pieces(place, lanes):
                return self._vector([self._load(part) for part in _scalars(place, lanes)])
            pointer, index, whole = self._vector_place(pointer, place, lanes)
            if whole:
                load: Operation = ocl.LoadOp(pointer, index)
            else:
                load = ocl.VLoadOp(pointer, index, stored)
        else:
            lanes = 1
            load = ocl.LoadOp(pointer, self.place_index(place.buffer, place.index))
        value = self.result(load)
        self.note(load, place, lanes, is_write=False)
        return self._from_stored(value, place.type)

    def _store(self, value: SSAValue, place: Memory) -> None:
        place = self.simplified(place)
        pointer = self.kernel.pointer(place.buffer)
        value = self._to_stored(value, place.buffer.element)
        if isinstance(place.type, VectorType):
            lanes = place.type.element_count()
            if _is_in_pieces(place, lanes):
                for lane, part in enumerate(_scalars(place, lanes)):
                    self._store(self.element(value, integer(lane)), part)
                return
            pointer, index, whole = self._vector_place(pointer, place, lanes)
            if whole:
                store: Operation = ocl.StoreOp(value, pointer, index)
            else:
                store = ocl.VStoreOp(value, pointer, index)
        else:
            lanes = 1
            store = ocl.StoreOp(value, pointer, self.place_index(place.buffer, place.index))
        if self.async_copies and place.buffer.ahead and _is_loaded(value):
            store.attributes[ASYNC] = UnitAttr()
        self.add(store)
        self.note(store, place, lanes, is_write=True)

    def simplified(self, place: Memory) -> Memory:
        """The place with a short index."""
        return replace(place, index=simplify_sum(place.index, self.env))

    def _vector_place(
        self, pointer: SSAValue, place: Memory, lanes: int
    ) -> tuple[SSAValue, SSAValue, bool]:
        """The address of a vector: a pointer, an index, and whether that points to vectors."""
        quotient = exact_div(place.index, integer(lanes))
        if quotient is None:
            moved = ocl.OffsetOp(pointer, self.index(place.index))
            return self.result(moved), self.index(integer(0)), False
        index = self.place_index(place.buffer, quotient, lanes)
        if not self.aligned:
            return pointer, index, False
        assert isinstance(pointer.type, PtrType)
        type = PtrType(VectorType(pointer.type.pointee, [lanes]), pointer.type.space)
        return self.result(ocl.CastOp(pointer, type)), index, True

    def place_index(self, buffer: Buffer, index: Expr, lanes: int = 1) -> SSAValue:
        """The index of a vector of `lanes` elements, or of a scalar, in a buffer."""
        if not buffer.swizzled:
            return self.index(index)
        nbytes = lanes * size_of(buffer.element)
        row, piece = _ROW_BYTES // nbytes, _PIECE_BYTES // nbytes
        # What is a multiple of eight rows changes no piece: the rest is the same in all of a loop.
        whole = Expr(tuple(term for term in index.terms if term[1] % (8 * row) == 0))
        rest = self.index(index - whole)
        key = ("swizzled", rest, nbytes)
        if key not in self._known:
            number = self.kernel.number
            row_number = self.result(arith.DivUIOp(rest, number(row)))
            turn = self.result(arith.RemUIOp(row_number, number(8)))
            bits = self.result(arith.MuliOp(turn, number(piece)))
            self._known[key] = self.result(arith.XOrIOp(rest, bits))
        moved = self._known[key]
        if whole == integer(0):
            return moved
        return self.result(arith.AddiOp(self.index(whole), moved))

    def note(self, op: Operation, place: Memory, lanes: int, *, is_write: bool) -> None:
        """Tell the placement of barriers what `op` accesses."""
        if place.buffer.space is not AddressSpace.PRIVATE and not place.buffer.ahead:
            items = dict(self.items)
            access = Access(place.buffer, place.index, lanes, is_write, items)
            self.kernel.accesses[op] = access

    def _from_stored(self, value: SSAValue, type: Attribute) -> SSAValue:
        """A loaded value in the type of the program."""
        scalar = type.element_type if isinstance(type, VectorType) else type
        if isinstance(scalar, IndexType):
            return self.result(arith.IndexCastOp(value, _INDEX))
        if scalar == i1:
            return self.result(arith.TruncIOp(value, i1))
        return value

    def _to_stored(self, value: SSAValue, stored: Attribute) -> SSAValue:
        if isinstance(value.type, IndexType):
            return self.result(arith.IndexCastOp(value, stored))
        if value.type == i1:
            assert isinstance(stored, IntegerType)
            return self.result(arith.ExtUIOp(value, stored))
        return value

    # Control flow

    def loop(
        self,
        count: Expr,
        inits: Sequence[SSAValue],
        body: Callable[[Expr, Sequence[SSAValue]], Sequence[SSAValue]],
        name: str = "i",
        *,
        shared: bool = False,
        unroll: bool = False,
    ) -> Sequence[SSAValue]:
        """`count` iterations of `body(number, values)`, which returns the next iteration's values.

        `shared`: all work-items of a group run its iterations together.
        """
        types = [_INDEX, *(value.type for value in inits)]
        block = Block(arg_types=types)
        block.args[0].name_hint = name
        zero, one = self.index(integer(0)), self.index(integer(1))
        limit = self.index(count)
        if shared:
            self.kernel.group_blocks.add(block)
        i = self.fresh(name, Range(integer(0), count - 1), block.args[0])
        if shared:
            self.kernel.round_variables.setdefault(block, set()).update(i.variables)
        else:
            self.kernel.inner_variables |= i.variables
        with self.inside(block):
            results = body(i, block.args[1:])
            self.add(scf.YieldOp(*results))
        loop = scf.ForOp(zero, limit, one, inits, block)
        if unroll:
            loop.attributes[UNROLL] = IntegerAttr(count.constant or 0, i32)
        self.add(loop)
        return loop.results

    def when(self, condition: SSAValue, body: Callable[[], None], *, shared: bool = False) -> None:
        """`body` where the condition holds. `shared`: it holds for all of a group or for none."""
        block = Block()
        if shared:
            self.kernel.group_blocks.add(block)
        with self.inside(block):
            body()
            self.add(scf.YieldOp())
        self.add(scf.IfOp(condition, [], [block]))

    def splat(self, value: SSAValue, width: int) -> SSAValue:
        """A scalar in every lane of a vector."""
        type: Any = VectorType(value.type, [width])
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr | FloatAttr):
            dense = DenseIntOrFPElementsAttr.from_list(type, [owner.value.value.data])
            return self.result(arith.ConstantOp(dense))
        return self.result(vector.BroadcastOp(value, type))


_ROW_BYTES, _PIECE_BYTES = 128, 16
"""Of a row, and of its parts that change places, in a swizzled buffer."""


def _is_in_pieces(place: Memory, lanes: int) -> bool:
    """Whether the elements of a vector may lie apart."""
    nbytes = lanes * size_of(place.buffer.element)
    is_whole = exact_div(place.index, integer(lanes)) is not None and _PIECE_BYTES % nbytes == 0
    return place.buffer.swizzled and not is_whole


def _scalars(place: Memory, lanes: int) -> list[Memory]:
    assert isinstance(place.type, VectorType)
    scalar = place.type.element_type
    return [Memory(place.buffer, place.index + lane, scalar) for lane in range(lanes)]


def _is_loaded(value: SSAValue) -> bool:
    load = value.owner
    return isinstance(load, ocl.LoadOp) and ocl.space_of(load.pointer) is ocl.AddressSpace.GLOBAL
