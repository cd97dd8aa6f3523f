"""Alias facts: the `#tta.alias` of each memory access."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.tta import AliasAttr
from polycl.lowering.wg.merged_items.item_emitter import ITEM, REGION

_Root: TypeAlias = tuple[str, object]
"""A kind of memory, and the object in it."""

_READ_ONLY: _Root = ("read only", 0)
_UNKNOWN: _Root = ("unknown", 0)

_AFFINE = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ConstantOp)
_AFFINE += (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)


class Aliases:
    """Facts about the accesses of a function that `wg-to-launch` made.

    An alias set is read-only memory (arguments, program-scope constants, and the targets of
    `constant` pointers), one local or private variable of the kernel, or the buffer of one argument
    (without `distinct`: of all arguments). A pointer that is computed from another one points to
    the same object: C allows no other pointer arithmetic.
    """

    def __init__(self, function: func.FuncOp, distinct: bool):
        self._args, self._scratch, *_ = function.args
        self._distinct = distinct
        self._numbers: dict[_Root, int] = {}
        self._same_place = _same_place(function)
        # Optimistic dataflow over block arguments: each is affine, and has one root, until an
        # incoming value is not affine or has another root.
        incoming = _incoming(function)
        self._roots: dict[SSAValue, _Root | None] = dict.fromkeys(incoming)
        self._affine: dict[SSAValue, bool] = dict.fromkeys(incoming, True)
        changed = True
        while changed:
            changed = False
            for argument, values in incoming.items():
                if isinstance(argument.type, PtrType):
                    root = _join(self._root_of(value) for value in values)
                    changed |= root != self._roots[argument]
                    self._roots[argument] = root
                affine = all(map(self._is_affine, values))
                changed |= affine != self._affine[argument]
                self._affine[argument] = affine

    def of(self, op: Operation) -> AliasAttr | None:
        """None if nothing is known, or `op` does not access memory."""
        pointer = getattr(op, "pointer", None)
        if not isinstance(pointer, SSAValue) or getattr(op, "volatile", None) is not None:
            return None
        root = self._root_of(pointer)
        number = -1
        if root is not None and root != _UNKNOWN:
            number = self._numbers.setdefault(root, len(self._numbers))
        region, item = op.attributes.get(REGION), op.attributes.get(ITEM)
        if isinstance(region, IntAttr) and isinstance(item, IntAttr) and self._apart(op):
            return AliasAttr(IntAttr(number), item, region)
        unknown = IntAttr(-1)
        return None if number < 0 else AliasAttr(IntAttr(number), unknown, unknown)

    # Sets

    def _root_of(self, pointer: SSAValue) -> _Root | None:
        """The object that a pointer points to; None for an argument that got no value yet."""
        type = pointer.type
        assert isinstance(type, PtrType)
        if pointer == self._args or type.address_space == AddressSpace.CONSTANT:
            return _READ_ONLY
        match pointer.owner:
            case ocl.OffsetOp(pointer=base, index=index) if base == self._scratch:
                # Variables are at constant offsets, arguments at an offset that is loaded.
                constant = constant_index(index)
                return "scratch", pointer if constant is None else constant
            case ocl.OffsetOp(pointer=base) | ocl.CastOp(pointer=base) | ocl.MemberOp(pointer=base):
                return ("scratch", 0) if base == self._scratch else self._root_of(base)
            case arith.SelectOp(lhs=lhs, rhs=rhs):
                return _join(map(self._root_of, (lhs, rhs)))
            case ocl.AddressOfOp():
                return _READ_ONLY
            case ocl.LoadOp(pointer=place, index=None):
                argument = self._argument_at(place)
                if argument is None:
                    return _UNKNOWN
                return "argument", argument if self._distinct else 0
            case Block():
                return self._roots.get(pointer, _UNKNOWN)
            case _:
                return _UNKNOWN

    def _argument_at(self, place: SSAValue) -> int | None:
        """The offset of a pointer into the args block."""
        while isinstance(place.owner, ocl.CastOp):
            place = place.owner.pointer
        if place == self._args:
            return 0
        match place.owner:
            case ocl.OffsetOp(pointer=base, index=index) if base == self._args:
                return constant_index(index)
            case _:
                return None

    # Work-items

    def _apart(self, op: Operation) -> bool:
        """Whether an access of one work-item needs no order with those of other work-items.

        Several work-items may write the same value to one address. That works on all devices, so
        stores stay in order if their addresses are equal, or may be, as they are not affine.
        """
        if isinstance(op, ocl.LoadOp | ocl.VLoadOp):
            return True
        if not isinstance(op, ocl.StoreOp | ocl.VStoreOp) or op in self._same_place:
            return False
        return self._is_affine(op.pointer) and (op.index is None or self._is_affine(op.index))

    def _is_affine(self, value: SSAValue) -> bool:
        match value.owner:
            case ocl.LoadOp(pointer=place):
                return self._root_of(place) == _READ_ONLY
            case ocl.OffsetOp() | ocl.CastOp() | ocl.MemberOp() as op:
                return all(map(self._is_affine, op.operands))
            case Operation() as op:
                return isinstance(op, _AFFINE) and all(map(self._is_affine, op.operands))
            case Block():
                # The arguments of the function are affine.
                return self._affine.get(value, True)


def _join(roots: Iterable[_Root | None]) -> _Root | None:
    found = {root for root in roots if root is not None}
    return found.pop() if len(found) == 1 else _UNKNOWN if found else None


def _incoming(function: func.FuncOp) -> dict[SSAValue, list[SSAValue]]:
    """The values that are passed to each block argument, except those of the entry block."""
    found: dict[SSAValue, list[SSAValue]] = {}
    for block in function.body.blocks:
        match block.last_op:
            case cf.BranchOp() as op:
                edges = [(op.successor, op.arguments)]
            case cf.ConditionalBranchOp() as op:
                edges = [(op.then_block, op.then_arguments), (op.else_block, op.else_arguments)]
            case cf.SwitchOp() as op:
                edges = [(op.default_block, op.default_operands)]
                edges += zip(op.case_blocks, op.case_operand, strict=True)
            case _:
                edges = []
        for successor, values in edges:
            for argument, value in zip(successor.args, values, strict=True):
                found.setdefault(argument, []).append(value)
    return found


def _same_place(function: func.FuncOp) -> set[Operation]:
    """The stores of several work-items to one address."""
    stores: dict[tuple[Attribute | None, SSAValue, SSAValue | None], list[Operation]] = {}
    for op in function.walk():
        if isinstance(op, ocl.StoreOp | ocl.VStoreOp):
            key = op.attributes.get(REGION), op.pointer, op.index
            stores.setdefault(key, []).append(op)
    return {
        op
        for ops in stores.values()
        if len({o.attributes.get(ITEM) for o in ops}) > 1
        for op in ops
    }
