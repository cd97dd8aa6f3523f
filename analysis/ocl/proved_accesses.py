"""The accesses of a kernel that happen for all work-items and iterations between known bounds.

An address is a polynomial of ids, counters and arguments, and so are the conditions around it:
branches on comparisons, bounds of loops, and that no number wraps in its type. What depends on
memory, on carried values or on anything else proves nothing, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.reaches import (
    ARGUMENT,
    GLOBAL,
    GLOBAL_ID,
    GROUP_ID,
    GROUPS,
    LOCAL,
    LOCAL_ID,
    OFFSET,
    Form,
    ProvedAccess,
)
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import OPPOSITES, is_unsigned, predicate_of
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.errors import location_of
from polycl.symbolic import atom, integer

_MOST_ACCESSES = 64
"""Of one kernel: a launch must not wait for them."""

_UNKNOWN = "?"
"""How the atoms of numbers that nothing is known of begin. Each has its own: two differ."""


@dataclass(frozen=True)
class _Number:
    """What a value is, if the conditions (at least 0) hold."""

    form: Form
    conditions: tuple[Form, ...] = ()

    def with_conditions(self, *conditions: Form) -> _Number:
        return _Number(self.form, (*self.conditions, *conditions))


_Conditions: TypeAlias = tuple[Form, ...]


def proved_accesses(kernel: ocl.KernelLike) -> tuple[ProvedAccess, ...]:
    """The accesses of a kernel that are proved, without those that others reach beyond."""
    if not isinstance(kernel, ocl.KernelOp):
        return ()
    finder = _Finder(kernel)
    # Where the others of unstructured control flow run is not known.
    finder.visit(kernel.body.blocks[0], ())
    return tuple(_outermost(finder.found))[:_MOST_ACCESSES]


class _Numbers(Domain[_Number]):
    """Integers of one work-item."""

    def __init__(self, kernel: ocl.KernelOp):
        super().__init__()
        self._unknown = 0
        for position, argument in enumerate(kernel.args):
            if isinstance(argument.type, IntegerType) and bits_of(argument.type) > 1:
                self.known[argument] = _Number(atom(ARGUMENT.format(position)))

    def number(self, number: int, value: SSAValue) -> _Number:
        return _Number(integer(number))

    def leaf(self, value: SSAValue) -> _Number | None:
        match value.owner:
            case ocl.GlobalIdOp() as op:
                return _Number(atom(GLOBAL_ID.format(op.dimension)))
            case ocl.LocalIdOp() as op:
                return _Number(atom(LOCAL_ID.format(op.dimension)))
            case ocl.GroupIdOp() as op:
                return _Number(atom(GROUP_ID.format(op.dimension)))
            case ocl.GlobalSizeOp() as op:
                return _Number(atom(GLOBAL.format(op.dimension)))
            case ocl.NumGroupsOp() as op:
                return _Number(atom(GROUPS.format(op.dimension)))
            case ocl.GlobalOffsetOp() as op:
                return _Number(atom(OFFSET.format(op.dimension)))
            case ocl.EnqueuedLocalSizeOp() as op:
                return _Number(atom(LOCAL.format(op.dimension)))
            case ocl.LocalSizeOp() as op:
                # The last groups may be smaller.
                size = atom(LOCAL.format(op.dimension))
                rest = atom(GROUPS.format(op.dimension)) * size
                return _Number(size, (atom(GLOBAL.format(op.dimension)) - rest,))
            case _:
                return super().leaf(value)

    def opaque(self, value: SSAValue) -> _Number:
        self._unknown += 1
        return _Number(atom(f"{_UNKNOWN}{self._unknown}"))

    def summed(self, op: Operation, x: _Number, y: _Number) -> _Number:
        form = x.form + y.form if isinstance(op, arith.AddiOp) else x.form - y.form
        return _Number(form, x.conditions + y.conditions)

    def product(self, op: Operation, x: _Number, y: _Number) -> _Number:
        return _Number(x.form * y.form, x.conditions + y.conditions)

    def shifted(self, op: arith.ShLIOp, x: _Number, y: _Number) -> _Number | None:
        amount = y.form.constant
        if amount is None or not 0 <= amount < bits_of(op.result.type):
            return None
        return _Number(x.form * (1 << amount), x.conditions)

    def signed(self, op: arith.ExtSIOp | arith.IndexCastOp, x: _Number) -> _Number | None:
        return _fits(x, op.input.type, unsigned=False)

    def unsigned(self, op: arith.ExtUIOp, x: _Number) -> _Number | None:
        return _fits(x, op.input.type, unsigned=True)

    def truncated(self, op: arith.TruncIOp, x: _Number) -> _Number:
        # The form is the number modulo the width of its type.
        return x

    rules = {
        arith.AddiOp: summed,
        arith.SubiOp: summed,
        arith.MuliOp: product,
        arith.ShLIOp: shifted,
        arith.ExtSIOp: signed,
        arith.IndexCastOp: signed,
        arith.ExtUIOp: unsigned,
        arith.TruncIOp: truncated,
    }


def _fits(x: _Number, type: Attribute, *, unsigned: bool) -> _Number | None:
    """The number that the bits of the type are, if it is in their range."""
    bits = bits_of(type)
    if bits == 1:
        return None
    if bits == 64 and not unsigned:
        return x
    low, high = (0, (1 << bits) - 1) if unsigned else (-(1 << bits - 1), (1 << bits - 1) - 1)
    if bits == 64:
        return x.with_conditions(x.form)
    if (number := x.form.constant) is not None:
        return x if low <= number <= high else None
    return x.with_conditions(x.form - low, high - x.form)


class _Finder:
    def __init__(self, kernel: ocl.KernelOp):
        self.found: list[ProvedAccess] = []
        self._numbers = _Numbers(kernel)
        self._positions = {argument: i for i, argument in enumerate(kernel.args)}
        self._loops = 0

    def visit(self, block: Block, around: _Conditions) -> None:
        """Find the accesses of a block that runs where the conditions hold."""
        for op in block.ops:
            match op:
                case scf.IfOp():
                    for region, holds in zip(op.regions, (True, False), strict=True):
                        conditions = self._condition(op.cond, holds=holds)
                        if region.blocks and conditions is not None:
                            self.visit(region.block, around + conditions)
                case scf.ForOp():
                    self._loop(op, around)
                case _:
                    self._access(op, around)

    def _loop(self, op: scf.ForOp, around: _Conditions) -> None:
        first, end, step = (self._of(value) for value in (op.lb, op.ub, op.step))
        counter = op.body.block.args[0]
        # Comparisons of counters are signed: their numbers fit, as the bounds do.
        self._loops += 1
        iteration: Form = atom(f"loop{self._loops}")
        now = first.form + step.form * iteration
        self._numbers.known[counter] = _Number(now)
        runs = (iteration, step.form - 1, end.form - 1 - now)
        conditions = (*first.conditions, *end.conditions, *step.conditions, *runs)
        if isinstance(counter.type, IndexType):
            self.visit(op.body.block, around + conditions)

    def _of(self, value: SSAValue) -> _Number:
        return evaluate(value, self._numbers)

    def _condition(self, value: SSAValue, *, holds: bool) -> _Conditions | None:
        """When a truth value is so; None if that is not known."""
        number = constant_value(value)
        if number is not None:
            return () if bool(number) == holds else None
        match value.owner:
            case arith.CmpiOp() as op if bits_of(op.lhs.type) > 1:
                return self._comparison(op, holds=holds)
            case arith.AndIOp() | arith.OrIOp() as op:
                # Both must be so, or neither.
                if isinstance(op, arith.AndIOp) != holds:
                    return None
                sides = [self._condition(side, holds=holds) for side in op.operands]
                known = [side for side in sides if side is not None]
                return tuple(form for side in known for form in side) if len(known) == 2 else None
            case arith.XOrIOp() as op:
                for one, other in (op.operands, op.operands[::-1]):
                    number = constant_value(other)
                    if number is not None:
                        return self._condition(one, holds=holds != bool(number))
                return None
            case _:
                return None

    def _comparison(self, op: arith.CmpiOp, *, holds: bool) -> _Conditions | None:
        unsigned = bool(is_unsigned(op))
        sides = [_fits(self._of(side), side.type, unsigned=unsigned) for side in op.operands]
        a, b = sides
        if a is None or b is None:
            return None
        predicate = predicate_of(op) if holds else OPPOSITES[predicate_of(op)]
        more = a.form - b.form
        forms: dict[str, _Conditions] = {
            "eq": (more, -more),
            "lt": (-more - 1,),
            "le": (-more,),
            "gt": (more - 1,),
            "ge": (more,),
        }
        decided = forms.get(predicate[-2:])
        return None if decided is None else a.conditions + b.conditions + decided

    def _access(self, op: Operation, around: _Conditions) -> None:
        match op:
            case ocl.LoadOp():
                word, type, width = "reads", op.result.type, 1
            case ocl.StoreOp():
                word, type, width = "writes", op.value.type, 1
            case ocl.VLoadOp():
                type = op.result.type
                word, width = "reads", type.element_count()  # pyright: ignore[reportAttributeAccessIssue]
            case ocl.VStoreOp():
                type = op.value.type
                word, width = "writes", type.element_count()  # pyright: ignore[reportAttributeAccessIssue]
            case ocl.AtomicRMWOp():
                word, type, width = "updates", op.result.type, 1
            case _:
                return
        pointer: SSAValue = op.pointer
        element = stride_of(pointer_type(pointer).pointee)
        size = element * width if width > 1 else size_of(type)
        place = _Number(integer(0))
        index = None if isinstance(op, ocl.AtomicRMWOp) else op.index
        if index is not None:
            place = self._moved(place, index, element * width)
        while True:
            match pointer.owner:
                case ocl.OffsetOp() as step:
                    stride = stride_of(pointer_type(pointer).pointee)
                    place, pointer = self._moved(place, step.index, stride), step.pointer
                case ocl.CastOp() as step:
                    pointer = step.pointer
                case ocl.MemberOp() as step:
                    moved = place.form + step.offset
                    place, pointer = _Number(moved, place.conditions), step.pointer
                case _:
                    break
        array: int | str
        nbytes: int | None = None
        if isinstance(pointer, BlockArgument) and pointer in self._positions:
            array = self._positions[pointer]
        elif isinstance(pointer.owner, ocl.LocalAllocOp | ocl.AllocaOp):
            array = pointer.name_hint or "array"
            nbytes = size_of(pointer_type(pointer).pointee)
        else:
            return
        access = ProvedAccess(
            array, nbytes, size, word, place.form, around + place.conditions, _location(op)
        )
        if not any(_is_unknown(form) for form in (access.place, *access.conditions)):
            self.found.append(_of_items(access))

    def _moved(self, place: _Number, index: SSAValue, stride: int) -> _Number:
        number = self._of(index)
        return _Number(place.form + number.form * stride, place.conditions + number.conditions)


def _is_unknown(form: Form) -> bool:
    return any(name.startswith(_UNKNOWN) for name in form.atoms)


def _location(op: Operation) -> str:
    place = location_of(op)
    return "" if place is None else ":".join(map(str, place))


def _of_items(access: ProvedAccess) -> ProvedAccess:
    """The access with the bounds of the ids that it uses."""
    used = {name for form in (access.place, *access.conditions) for name in form.atoms}
    ids: dict[str, Form] = {}
    bounds: list[Form] = []
    for d in range(3):
        kinds = (GLOBAL_ID, LOCAL_ID, GROUP_ID)
        own, local, group = (atom(kind.format(d)) for kind in kinds)
        of_all, of_group = atom(GLOBAL.format(d)), atom(LOCAL.format(d))
        offset, groups = atom(OFFSET.format(d)), atom(GROUPS.format(d))
        by_id, by_local, by_group = (kind.format(d) in used for kind in kinds)
        if by_id and not by_local and not by_group:
            bounds += [own - offset, offset + of_all - 1 - own]
            continue
        if by_id or (by_local and by_group):
            ids[GLOBAL_ID.format(d)] = offset + group * of_group + local
            by_local = by_group = True
            bounds.append(of_all - 1 - group * of_group - local)
        if by_local:
            bounds += [local, of_group - 1 - local, of_all - 1 - local]
        if by_group:
            bounds += [group, groups - 1 - group]

    def replaced(form: Form) -> Form:
        return form.substitute(lambda name: ids.get(name, atom(name)))

    conditions = dict.fromkeys([*bounds, *map(replaced, access.conditions)])
    return ProvedAccess(
        access.array,
        access.nbytes,
        access.size,
        access.word,
        replaced(access.place),
        tuple(form for form in conditions if (n := form.constant) is None or n < 0),
        access.location,
    )


def _outermost(accesses: Iterable[ProvedAccess]) -> list[ProvedAccess]:
    """Those accesses that others with the same conditions do not reach beyond."""
    families: dict[object, list[ProvedAccess]] = {}
    for access in accesses:
        moving = access.place.where(bool)
        families.setdefault((access.array, moving, access.conditions), []).append(access)
    result: list[ProvedAccess] = []
    for family in families.values():
        first = min(family, key=_start)
        last = max(family, key=lambda access: _start(access) + access.size)
        result += [first] if first is last else [first, last]
    return result


def _start(access: ProvedAccess) -> int:
    return access.place.coefficients.get((), 0)
