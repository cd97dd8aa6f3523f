"""Value numbering: equal values have the same number. Integers are polynomials, so that the index
of a work-item's neighbour is `i + 1`; common loads are found and shared.

Sums and products wrap: the polynomials' coefficients are numbers modulo 2^width, and a truncation
applies to each symbol. Equal polynomials are therefore equal in every bit.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import MemoryEffectKind

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.effects import effects_of, is_side_effect_free
from polycl.symbolic import Poly, atom, integer

Symbol: TypeAlias = int
Polynomial: TypeAlias = Poly[Symbol, int]
"""Its modulus is 2 to the number of bits."""


def _width(type: Attribute) -> int | None:
    match type:
        case IndexType():
            return 64
        case IntegerType():
            return type.width.data
        case _:
            return None


_MOST_TERMS = 24


class Numbers:
    """The number of each value."""

    def __init__(self) -> None:
        self._of: dict[SSAValue, Hashable] = {}
        self._symbols: dict[Hashable, Symbol] = {}
        self._low: dict[Symbol, Symbol] = {}

    def _symbol(self, what: Hashable) -> Symbol:
        return self._symbols.setdefault(what, len(self._symbols))

    def source(self, symbol: Symbol) -> Symbol:
        """The symbol of which a symbol is a truncation, or the symbol itself."""
        return self._low.get(symbol, symbol)

    def of(self, value: SSAValue) -> Hashable:
        """A polynomial for an integer, else a name."""
        if value not in self._of:
            self._of[value] = self._number(value)
        return self._of[value]

    def poly(self, value: SSAValue) -> Polynomial:
        found = self.of(value)
        assert isinstance(found, Poly)
        return found

    def _number(self, value: SSAValue) -> Hashable:
        width = _width(value.type)
        if width is not None and width > 1:
            number = constant_value(value)
            if number is not None:
                return integer(number, 1 << width)
            found = self._sum(value, width)
            if found is not None and len(found.coefficients) <= _MOST_TERMS:
                return found
            return atom(self._name(value), 1 << width)
        return self._name(value)

    def _sum(self, value: SSAValue, width: int) -> Polynomial | None:
        op = value.owner
        match op:
            case arith.AddiOp():
                return self.poly(op.lhs) + self.poly(op.rhs)
            case arith.SubiOp():
                return self.poly(op.lhs) - self.poly(op.rhs)
            case arith.MuliOp():
                return self.poly(op.lhs) * self.poly(op.rhs)
            case arith.ShLIOp() if (number := constant_value(op.rhs)) is not None:
                return self.poly(op.lhs) * (1 << max(number, 0))
            case arith.IndexCastOp() | arith.TruncIOp():
                source = _width(op.operands[0].type)
                if source is None or source < width:
                    return None
                return self._cast(self.poly(op.operands[0]), width)
            case _:
                return None

    def _name(self, value: SSAValue) -> Symbol:
        op = value.owner
        if isinstance(op, Operation) and not op.regions and is_side_effect_free(op):
            place = [result is value for result in op.results].index(True)
            properties = tuple(sorted(op.properties.items()))
            operands = tuple(self.of(v) for v in op.operands)
            return self._symbol((op.name, place, properties, operands, value.type))
        return self._symbol(value)

    def _cast(self, source: Polynomial, width: int) -> Polynomial:
        """The low bits; the low bits of a sum are the sum of low bits."""
        if source.modulus == 1 << width:
            return source
        return source.over(lambda symbol: self._low_bits(symbol, width), 1 << width)

    def _low_bits(self, symbol: Symbol, width: int) -> Symbol:
        low = self._symbol(("low", width, self.source(symbol)))
        self._low[low] = self.source(symbol)
        return low


def share_loads(kernel: ocl.KernelOp) -> int:
    """Merge equal loads without a write in between; returns the number of removed loads."""
    return _Sharing().block(kernel.body.block, {})


Known: TypeAlias = dict[Hashable, SSAValue]


class _Sharing:
    def __init__(self) -> None:
        self._numbers = Numbers()

    def block(self, block: Block, known: Known) -> int:
        """Merge the loads of a block; `known` are the available loads, which it updates."""
        removed = 0
        for op in list(block.ops):
            if isinstance(op, ocl.LoadOp) and op.volatile is None:
                removed += self._load(op, known)
            elif op.regions:
                loops = not isinstance(op, scf.IfOp)
                writes = any(_writes(inner) for inner in op.walk() if not inner.regions)
                if writes and loops:
                    known.clear()
                for region in op.regions:
                    for inner in region.blocks:
                        removed += self.block(inner, dict(known))
                if writes:
                    known.clear()
            elif _writes(op):
                known.clear()
        return removed

    def _load(self, op: ocl.LoadOp, known: Known) -> int:
        index = None if op.index is None else self._numbers.of(op.index)
        key = self._numbers.of(op.pointer), index, op.result.type
        if key in known:
            Rewriter.replace_op(op, [], [known[key]])
            return 1
        known[key] = op.result
        return 0


def _writes(op: Operation) -> bool:
    if isinstance(op, ocl.LoadOp | ocl.VLoadOp):
        return False
    effects = effects_of(op)
    return effects is None or any(e.kind != MemoryEffectKind.READ for e in effects)


def neighbours_loads(kernel: ocl.KernelOp, dimension: int) -> set[Operation]:
    """The loads of a block that another load repeats in a work-item nearby: all but the first of
    the loads at distances of small multiples of the step between work-items."""
    numbers = Numbers()
    ids = {
        symbol
        for op in kernel.body.walk()
        if isinstance(op, ocl.GlobalIdOp | ocl.LocalIdOp) and op.dimension == dimension
        for symbol in numbers.poly(op.result).factors
    }
    found: set[Operation] = set()
    groups: dict[Hashable, list[tuple[ocl.LoadOp, Polynomial]]] = {}
    for op in kernel.body.walk():
        if isinstance(op, ocl.LoadOp) and op.index is not None and op.volatile is None:
            index = _unwidened(numbers, op.index)
            key = op.parent, numbers.of(op.pointer), index.modulus
            groups.setdefault(key, []).append((op, index))
    for loads in groups.values():
        for place, (op, index) in enumerate(loads):
            step = index.along(lambda symbol: numbers.source(symbol) in ids)
            near = [step * count for count in (-2, -1, 1, 2)]
            distances = [index - other for _, other in loads[:place]]
            if step.coefficients and any(distance in near for distance in distances):
                found.add(op)
    return found


def _unwidened(numbers: Numbers, index: SSAValue) -> Polynomial:
    """The index before it was cast to more bits."""
    while isinstance(index.owner, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
        index = index.owner.operands[0]
    return numbers.poly(index)
