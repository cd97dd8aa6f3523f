"""`tta-select-operations`: operations that a processor lacks become those that it has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import ModuleOp, f32, i1, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.dialects.tta import OPSET, ComputeOp, LoadOp, StoreOp
from polycl.dialects.tta.opset import SHIFTS
from polycl.errors import error_at
from polycl.lowering.tta.tta_schedule.build_graph import (
    BINARY,
    FLOAT_COMPARISONS,
    INTEGER_COMPARISONS,
)
from polycl.lowering.tta.word_builder import WordBuilder, constant_of

SIGN = 0x80000000
INFINITE = 0x7F800000

_PREDICATES = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
_UNSIGNED = {"ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge"}
PREDICATES = {"eq": "eq", "ne": "ne", **_PREDICATES, **_UNSIGNED}
"""The predicates of `arith.cmpi` by the processor's operations."""
_SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_INVERSE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


@dataclass(frozen=True)
class TtaSelectOperationsPass(ModulePass):
    """Replace operations that are not in `operations` by sequences of those that are.

    ```
    %c = arith.cmpi ult, %a, %b : i32      ->      %c = arith.cmpi ugt, %b, %a : i32
    ```

    Comparisons are swapped or inverted, minima are selected, shifts are composed of shifts by
    constants (`shl1_32`), sums, or tests of each bit, a difference is a sum with the complement, a
    sum is a difference with the negative, bytes are masked, floats are compared by their bits, and
    words are selected by masks. An operation for which there is no such sequence is an error.
    """

    name = "tta-select-operations"

    operations: tuple[str, ...] = ()
    constants: int = 32
    """The bits of the constants that can be moved; others are composed by shifts."""
    apart: tuple[str, ...] = ()
    """For messages: operations of units that are not connected with the others."""
    guards: bool = True
    """Whether words are moved under guards; where not, they are selected by masks."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp):
                for block in function.body.blocks:
                    self._block(block)

    def _block(self, block: Block) -> None:
        operations = list(block.ops)
        known = all(machine_operation(op) in (None, *self.operations) for op in operations)
        if known and self.constants >= 32 and self.guards:
            return
        for op in operations:
            op.detach()
        builder = _Selection(
            block, operations[0], frozenset(self.operations), self.apart, self.guards
        )
        for op in operations:
            builder.anchor = op
            self._compose(op, builder)
            name = machine_operation(op)
            if isinstance(op, arith.SelectOp) and not self.guards:
                new = builder.select(op.cond, op.lhs, op.rhs)
            elif name is None or name in self.operations:
                block.add_op(op)
                continue
            else:
                new = builder.replacement(op, name)
            for result in op.results:
                new.name_hint = new.name_hint or result.name_hint
                result.replace_all_uses_with(new)
            op.erase()

    def _compose(self, op: Operation, builder: _Selection) -> None:
        """Replaces constant operands with too many bits."""
        for i, operand in enumerate(op.operands):
            pattern = constant_of(operand)
            if pattern is not None and pattern >> self.constants:
                op.operands[i] = builder.composed(pattern, self.constants, operand.type)


def machine_operation(op: Operation) -> str | None:
    """The processor's operation that executes `op`; None if it needs none."""
    match op:
        case arith.ConstantOp() | arith.ExtUIOp() | arith.BitcastOp() | arith.SelectOp():
            return None
        case cf.BranchOp() | cf.ConditionalBranchOp() | ReturnOp():
            return None
        case arith.CmpiOp():
            return INTEGER_COMPARISONS[op.predicate.value.data]
        case arith.CmpfOp():
            return FLOAT_COMPARISONS.get(op.predicate.value.data)
        case ComputeOp() | LoadOp() | StoreOp():
            return op.operation.data
        case _:
            return BINARY.get(type(op))


class _Selection(WordBuilder):
    """Adds operations that the processor has; others are replaced while they are added."""

    def __init__(
        self,
        block: Block,
        anchor: Operation,
        operations: frozenset[str],
        apart: tuple[str, ...],
        guards: bool,
    ):
        super().__init__(block, anchor)
        self.operations = operations
        self.apart = apart
        self.guards = guards
        self._pending: list[str] = []
        """The operations that are being replaced, one in the replacement of the other."""
        self._composed: dict[tuple[int, Attribute], SSAValue] = {}

    def emit(self, op: Operation) -> SSAValue:
        op.location = self.anchor.location
        name = machine_operation(op)
        if name is None or name in self.operations:
            return super().emit(op)
        return self.replacement(op, name)

    def replacement(self, op: Operation, name: str) -> SSAValue:
        """The value of an operation that the processor lacks."""
        rule = _RULES.get(name)
        found = None
        if rule is not None and name not in self._pending:
            self._pending.append(name)
            if isinstance(op, LoadOp):
                self.alias = op.alias
            found = rule(self, *op.operands)
            self._pending.pop()
        if found is None:
            needed = self._pending[0] if self._pending else name
            because = "" if needed == name else f", which can be replaced only by '{name}'"
            who = "no unit of the machine does it"
            if self.apart:
                others = ", ".join(f"'{other}'" for other in self.apart)
                who = f"no unit that is connected with the others does it (not connected: {others})"
            raise error_at(self.anchor, f"'{self.anchor.name}' needs '{needed}'{because}: {who}")
        return found

    def composed(self, pattern: int, bits: int, type: Attribute) -> SSAValue:
        """A constant from constants of `bits` bits."""
        key = pattern, type
        if key not in self._composed:
            step = min(bits, 16)
            if bits < 2:
                raise error_at(self.anchor, f"no constant of more than {bits} bits can be moved")
            value = self.constant(pattern >> step)
            if pattern >> step >> bits:
                value = self.composed(pattern >> step, bits, i32)
            shifted = self.emit(arith.ShLIOp(value, self.constant(step)))
            low = pattern & ((1 << step) - 1)
            word = self.emit(arith.OrIOp(shifted, self.constant(low))) if low else shifted
            self._composed[key] = self.as_float(word) if type == f32 else word
        return self._composed[key]

    def has(self, *names: str) -> bool:
        return self.operations.issuperset(names)

    def select(self, flag: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        if self.guards or constant_of(flag) is not None or a is b:
            return super().select(flag, a, b)
        if a.type == i1:
            return self.either(self.both(flag, a), self.both(self.invert(flag), b))
        mask = self.sub(self.constant(0), self.extend(flag))
        x, y = self.bits(a), self.bits(b)
        found = self.xor(y, self.and_(self.xor(x, y), mask))
        return self.as_float(found) if a.type == f32 else found

    # Comparisons

    def relation(self, name: str, a: SSAValue, b: SSAValue) -> SSAValue | None:
        """A comparison by the swapped, the inverse or the biased one."""
        order, sign = name[:2], name[2:]
        swapped, inverse = _SWAPPED[order] + sign, _INVERSE[order] + sign
        both = _SWAPPED[_INVERSE[order]] + sign
        if self.has(swapped):
            return self.compare(PREDICATES[swapped], b, a)
        if self.has(inverse):
            return self.invert(self.compare(PREDICATES[inverse], a, b))
        if self.has(both):
            return self.invert(self.compare(PREDICATES[both], b, a))
        other = order if sign else order + "u"
        if any(o + other[2:] in self.operations for o in _SWAPPED):
            return self.compare(PREDICATES[other], self.xor(a, SIGN), self.xor(b, SIGN))
        return None

    def float_relation(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """A comparison of floats by their bits."""
        a, b = self.bits(a), self.bits(b)
        zeros = self.compare("eq", self.shl(self.or_(a, b), 1), 0)
        if predicate in ("oeq", "une"):
            found = self.either(self.compare("eq", a, b), zeros)
        else:
            # Bits of negative numbers are ordered the other way round.
            x, y = (self.xor(v, self.shru(self.shr(v, 31), 1)) for v in (a, b))
            if predicate in ("ogt", "oge"):
                x, y = y, x
            less = self.compare("slt", x, y)
            if predicate in ("olt", "ogt"):
                found = self.both(less, self.invert(zeros))
            else:
                found = self.either(self.either(less, self.compare("eq", a, b)), zeros)
        ordered = [self.compare("ule", self.and_(v, SIGN - 1), INFINITE) for v in (a, b)]
        found = self.both(found, self.both(*ordered))
        return self.invert(found) if predicate == "une" else found

    # Shifts

    def shifted(self, name: str, a: SSAValue, b: SSAValue) -> SSAValue | None:
        """A shift as steps: those of a constant, or each of 16, 8, 4, 2, 1 if it is in `b`."""
        steps = [n for n in reversed(SHIFTS) if self.has(f"{name}{n}_32")]
        if not steps and name == "shl":
            steps = [1]  # a sum
        if not steps:
            return self.signed_shift(a, b) if name == "shr" else self.moved_bits(a, b)
        count = constant_of(b)
        if count is not None:
            return self._steps(name, a, count, steps)
        for step in reversed(SHIFTS):
            chosen = self.compare("ne", self.and_(b, step), 0)
            a = self.select(chosen, self._steps(name, a, step, steps), a)
        return a

    def _steps(self, name: str, a: SSAValue, count: int, steps: list[int]) -> SSAValue:
        while count:
            step = next((n for n in steps if n <= count), None)
            if step is None:
                raise error_at(self.anchor, f"a shift by {count} is not made of {steps}")
            operation = f"{name}{step}_32"
            a = self.compute(operation, a) if self.has(operation) else self.add(a, a)
            count -= step
        return a

    def moved_bits(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`shru` without right shifts: the upper bits of `a`, one by one, go to another word."""
        count = constant_of(b)
        found = self.constant(0)
        kept = 32 if count is None else 32 - (count & 31)
        for i in range(kept):
            more = self.add(self.add(found, found), self.extend(self.compare("slt", a, 0)))
            if count is None:
                more = self.select(self.compare("ult", self.and_(b, 31), 32 - i), more, found)
            found = more
            if i + 1 < kept:
                a = self.add(a, a)
        return found

    def signed_shift(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`shr` by `shru`: the sign's bit is at `sign` then."""
        sign = self.shru(self.constant(SIGN), b)
        return self.sub(self.xor(self.shru(a, b), sign), sign)

    # Bits and sums

    def complement(self, a: SSAValue) -> SSAValue:
        if a.type == i1:
            return self.invert(a)
        return self.xor(a, -1) if self.has("xor") else self.sub(self.constant(-1), a)

    def minus(self, a: SSAValue, b: SSAValue) -> SSAValue | None:
        if not self.has("add", "xor"):
            return None
        known = constant_of(b)
        if known is not None:
            return self.add(a, -known)
        return self.add(self.add(a, self.xor(b, -1)), 1)

    def plus(self, a: SSAValue, b: SSAValue) -> SSAValue | None:
        """A sum as a difference with the negative."""
        if not self.has("sub"):
            return None
        known = constant_of(b)
        return self.sub(a, self.sub(self.constant(0), b) if known is None else -known)

    def bitwise(self, name: str, a: SSAValue, b: SSAValue) -> SSAValue | None:
        """One of and, or, xor by the two others: `a + b` is `(a | b) + (a & b)`."""
        if name == "and" and self.has("ior", "xor"):
            return self.xor(self.xor(a, b), self.or_(a, b))
        if name == "ior" and self.has("and", "xor"):
            return self.xor(self.xor(a, b), self.and_(a, b))
        if name == "xor" and self.has("and", "ior", "sub"):
            return self.sub(self.or_(a, b), self.and_(a, b))
        return None

    # Memory

    def load(self, operation: str, address: SSAValue) -> SSAValue:
        load = LoadOp(operation, address, i32)
        load.alias = self.alias
        return self.emit(load)

    def narrow_load(self, bits: int, signed: bool, address: SSAValue) -> SSAValue | None:
        """A load of 8 or 16 bits by the one that extends in the other way."""
        if signed and self.has(f"ldu{bits}"):
            word = self.shl(self.load(f"ldu{bits}", address), 32 - bits)
            return self.shr(word, 32 - bits)
        if not signed and self.has(f"ld{bits}"):
            return self.and_(self.load(f"ld{bits}", address), (1 << bits) - 1)
        return None


Rule = Callable[..., SSAValue | None]


def _extreme(predicate: str) -> Rule:
    return lambda w, a, b: w.select(w.compare(predicate, a, b), a, b)


def _relation(name: str) -> Rule:
    return lambda w, a, b: w.relation(name, a, b)


def _float_relation(predicate: str) -> Rule:
    return lambda w, a, b: w.float_relation(predicate, a, b)


def _shift(name: str) -> Rule:
    return lambda w, a, b: w.shifted(name, a, b)


def _bitwise(name: str) -> Rule:
    return lambda w, a, b: w.bitwise(name, a, b)


def _sign_extension(bits: int) -> Rule:
    return lambda w, a: w.shr(w.shl(a, 32 - bits), 32 - bits)


def _load(bits: int, signed: bool) -> Rule:
    return lambda w, address: w.narrow_load(bits, signed, address)


_RULES: dict[str, Rule] = {
    **{name: _relation(name) for name in (*_PREDICATES, *_UNSIGNED)},
    "eq": lambda w, a, b: w.invert(w.compare("ugt", w.xor(a, b), 0)),
    "ne": lambda w, a, b: w.invert(w.compare("eq", a, b)),
    **{"min": _extreme("slt"), "max": _extreme("sgt")},
    **{"minu": _extreme("ult"), "maxu": _extreme("ugt")},
    **{name + "f": _float_relation("o" + name) for name in ("eq", "lt", "le", "gt", "ge")},
    "nef": _float_relation("une"),
    "negf": lambda w, a: w.as_float(w.xor(w.bits(a), SIGN)),
    "absf": lambda w, a: w.as_float(w.and_(w.bits(a), SIGN - 1)),
    **{name: _shift(name) for name in ("shl", "shr", "shru")},
    **{name: _bitwise(name) for name in ("and", "ior", "xor")},
    "add": lambda w, a, b: w.plus(a, b),
    "sub": lambda w, a, b: w.minus(a, b),
    **{"sxqw": _sign_extension(8), "sxhw": _sign_extension(16)},
    **{f"ld{bits}": _load(bits, True) for bits in (8, 16)},
    **{f"ldu{bits}": _load(bits, False) for bits in (8, 16)},
}
"""By the processor's operation: how it is replaced, or None."""

assert OPSET.keys() >= _RULES.keys()
