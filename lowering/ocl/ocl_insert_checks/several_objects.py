"""Accesses through pointers to one of several objects."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import UnitAttr, i1, i8, i32
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.subscripts import subscripts
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_insert_checks.accesses import ACCESSES
from polycl.lowering.ocl.ocl_insert_checks.addresses import AnyAccess, Roots
from polycl.lowering.ocl.ocl_insert_checks.unset import IS_UNSET, zero


def split_accesses(kernel: ocl.KernelOp) -> bool:
    """Make each access through a pointer to one of several objects several accesses: of the object
    whose number the pointer has at run time.

    The numbers are in private variables, where control flow decides on the pointer.

    Returns whether there were any.
    """
    roots = Roots()
    several = [
        op
        for op in operations_of(kernel.body, *ACCESSES)
        if len(found := roots.all_of(op.pointer)) > 1
        and None not in found
        # The pointer's own operations tell the bounds of the arrays inside.
        and not subscripts(op)
    ]
    if not several:
        return False
    tags = _Tags(kernel, roots)
    for op in several:
        objects = [root for root in tags.numbers if root in roots.all_of(op.pointer)]
        _split(op, objects, tags)
    return True


def _split(op: AnyAccess, objects: Sequence[SSAValue], tags: _Tags) -> None:
    build = Build(op)
    tag = tags.of(op.pointer)
    results: Sequence[SSAValue] = ()
    for root in objects:
        is_root = build.compare("eq", tag, build.constant(tags.numbers[root], i32))
        sides = [Block(), Block()]
        build.emit_void(branch := scf.IfOp(is_root, op.result_types, [sides[0]], [sides[1]]))
        if root is objects[0]:
            results = branch.results
        else:
            build.emit_void(scf.YieldOp(*branch.results))
        inside = Build(op, sides[0])
        copy = op.clone()
        place = 1 if isinstance(op, ocl.StoreOp | ocl.VStoreOp) else 0
        copy.operands[place] = _inside(inside, op.pointer, root)
        inside.emit_void(copy)
        inside.emit_void(scf.YieldOp(*copy.results))
        build = Build(op, sides[1])
    # A null pointer.
    body = Block()
    Build(op, body).emit_void(scf.YieldOp())
    suspect = scf.IfOp(build.constant(1, i1), (), [body])
    suspect.attributes[IS_UNSET] = UnitAttr()
    build.emit_void(suspect)
    build.emit_void(scf.YieldOp(*(zero(build, type) for type in op.result_types)))
    for old, new in zip(op.results, results, strict=True):
        new.name_hint = old.name_hint
    Rewriter.replace_op(op, [], results)


def _inside(build: Build, pointer: SSAValue, root: SSAValue) -> SSAValue:
    """The same address, computed from the start of an object."""
    space = pointer_type(root).address_space
    addresses = [build.emit(ocl.PtrToIntOp(value)) for value in (pointer, root)]
    start = build.emit(ocl.CastOp(root, ocl.PtrType(i8, space)))
    moved = build.emit(ocl.OffsetOp(start, build.as_index(build.sub(*addresses))))
    return build.emit(ocl.CastOp(moved, ocl.PtrType(pointer_type(pointer).pointee, space)))


class _Tags:
    """The numbers of the objects of pointers, as values; 0 is none."""

    def __init__(self, kernel: ocl.KernelOp, roots: Roots):
        block = kernel.body.block
        allocations = operations_of(kernel.body, ocl.AllocaOp, ocl.LocalAllocOp, ocl.AddressOfOp)
        objects: list[SSAValue] = [*block.args, *(op.results[0] for op in allocations)]
        self.numbers: dict[SSAValue, int] = {root: number for number, root in enumerate(objects, 1)}
        self._roots = roots
        first = block.first_op
        assert first is not None
        self._start = Build(first, InsertPoint.before(first), constants={})
        self._tags: dict[SSAValue, SSAValue] = {}

    def of(self, pointer: SSAValue) -> SSAValue:
        if pointer not in self._tags:
            objects = self._roots.all_of(pointer)
            if not objects:
                self._tags[pointer] = self._start.constant(0, i32)
            elif isinstance(pointer.owner, ocl.OffsetOp | ocl.CastOp | ocl.MemberOp):
                self._tags[pointer] = self.of(pointer.owner.pointer)
            elif objects == {pointer}:
                self._tags[pointer] = self._start.constant(self.numbers[pointer], i32)
            elif isinstance(pointer.owner, arith.SelectOp):
                choice = pointer.owner
                tags = self.of(choice.lhs), self.of(choice.rhs)
                self._tags[pointer] = Build.after(pointer).select(choice.cond, *tags)
            else:
                self._carried(pointer)
        return self._tags[pointer]

    def _carried(self, pointer: SSAValue) -> None:
        """The number of a result or an argument of control flow: what was stored where it comes
        from."""
        slot = self._start.emit(ocl.AllocaOp(i32))
        after = Build.after(pointer)
        self._tags[pointer] = after.emit(ocl.LoadOp(slot))
        for value, before in _origins(pointer):
            Build(before).emit_void(ocl.StoreOp(self.of(value), slot))


def _origins(pointer: SSAValue) -> Sequence[tuple[SSAValue, Operation]]:
    """The values that a result or argument of control flow takes over, and before what."""
    if isinstance(pointer, BlockArgument):
        loop = pointer.block.parent_op()
        match loop:
            case scf.ForOp():
                place, end = pointer.index - 1, terminator(loop.body.block)
                return [(loop.iter_args[place], loop), (end.operands[place], end)]
            case scf.WhileOp() if pointer.block is loop.before_region.block:
                end = terminator(loop.after_region.block)
                return [(loop.arguments[pointer.index], loop), (end.operands[pointer.index], end)]
            case _:
                assert isinstance(loop, scf.WhileOp)
                condition = condition_of(loop)
                return [(condition.args[pointer.index], condition)]
    owner = pointer.owner
    assert isinstance(owner, Operation)
    place = owner.results.index(pointer)  # pyright: ignore[reportArgumentType]
    match owner:
        case scf.IfOp():
            ends = [terminator(region.block) for region in owner.regions]
            return [(end.operands[place], end) for end in ends]
        case scf.ForOp():
            end = terminator(owner.body.block)
            return [(owner.iter_args[place], owner), (end.operands[place], end)]
        case _:
            assert isinstance(owner, scf.WhileOp)
            condition = condition_of(owner)
            return [(condition.args[place], condition)]
