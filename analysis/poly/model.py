"""The polyhedral model of a kernel: the domain and the accesses of each operation.

[split16], section 5. Code that is not affine is over-approximated (section 5.1): a branch or loop
with a condition that is not affine may run for all work-items, and an address that is not an index
polynomial is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects import arith, scf
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.uniformity import Facts, Uniformity, constant_value
from polycl.analysis.poly.index import Index, parameter
from polycl.analysis.poly.spaces import Space
from polycl.analysis.poly.values import Leaf, Values
from polycl.dialects import ocl, poly, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.poly.kernel import names_of
from polycl.errors import error_at


@dataclass(frozen=True)
class Access:
    """A read or a write of memory."""

    op: Operation
    direction: str
    """`read` or `write`."""
    array: str
    domain: isl.Set
    """The work-items and iterations for which it runs: `R[y, x, k]`."""
    index: Index | None
    """The index in elements of the accessed type; None if unknown."""
    is_exact: bool
    """Whether the domain is exact, not an over-approximation."""


@dataclass(frozen=True)
class Control:
    """The body of a loop, or one side of a branch."""

    op: Operation
    domain: isl.Set
    """The work-items and iterations for which it runs; exact if `is_known`, else too large."""
    is_known: bool
    decides: tuple[SSAValue, ...]
    """The values that decide how often it runs."""
    is_first: bool = True
    """False for the else side of a branch."""

    @property
    def is_loop(self) -> bool:
        return not isinstance(self.op, scf.IfOp)


class Model:
    """The model of a body of a kernel; see `model_of`."""

    values_class = Values

    def __init__(
        self,
        body: Block,
        names: tuple[str, ...],
        leaves: Mapping[Leaf, str],
        context: isl.Set,
        items: isl.Set,
        function: ocl.KernelLike | None,
        facts: Facts,
    ):
        self.names = names
        self.context = context
        self.accesses: list[Access] = []
        self.controls: list[Control] = []
        self.effects: list[Operation] = []
        """The operations with side effects: writes, and unknown operations."""
        self.growth: dict[tuple[Operation, int, int], tuple[isl.Set, bool]] = {}
        """The results of predicates.py by operation, dimension and growth."""
        self._function = function
        self._facts = facts
        self.parameters = tuple(dict.fromkeys(leaves.values()))
        self.items = items.intersect_params(context)
        self._taken = {*names, *self.parameters}

        self._values = self.values_class(names, leaves, self.items)
        root = self._values.root
        for place, argument in enumerate(body.args):
            self._values.define(argument, Index.affine(root.dimension(place)), root)
        self._visit_block(body, root, self.items, True)

    @property
    def facts(self) -> Uniformity | None:
        """The uniformity analysis, if the kernel is in a function."""
        return None if self._function is None else self._facts.of(self._function)

    def place_of(self, dimension: int) -> int:
        """The position of an NDRange dimension among the ids, which are ordered outermost first."""
        return len(self.names) - 1 - dimension

    def index_of(self, value: SSAValue) -> Index | None:
        """A value as an index polynomial over the counters around its definition."""
        return self._values.index(value, self._values.space_of(value))

    def space_at(self, op: Operation) -> Space:
        """The ids, and the counters around an operation."""
        block = op.parent
        assert block is not None
        return self._values.spaces[block]

    def index_at(self, value: SSAValue, op: Operation) -> Index | None:
        """A value as an index polynomial over the counters around an operation."""
        return self._values.index(value, self.space_at(op))

    def condition_of(self, value: SSAValue) -> isl.Set | None:
        """The set in which an `i1` is true, over the counters around its definition."""
        return self._values.condition(value, self._values.space_of(value))

    def remainder_cases(self, op: Operation) -> tuple[isl.Set, isl.Set] | None:
        """Where a remainder is the dividend, and where it is the dividend minus the divisor."""
        return self._values.remainder_cases(op)

    def domain_at(self, op: Operation) -> isl.Set:
        """The domain of an operation, or a superset of it."""
        block = op.parent
        assert block is not None
        return self._values.domains[block]

    def _visit_block(self, block: Block, space: Space, domain: isl.Set, known: bool) -> None:
        self._values.spaces[block] = space
        self._values.domains[block] = domain

        for op in block.ops:
            match op:
                case scf.ForOp():
                    self._visit_for(op, space, domain, known)
                case scf.IfOp():
                    self._visit_if(op, space, domain, known)
                case scf.WhileOp():
                    self._visit_while(op, space, domain, known)
                case _:
                    self._visit_op(op, space, domain, known)

    def _visit_op(self, op: Operation, space: Space, domain: isl.Set, known: bool) -> None:
        match op:
            case ocl.LoadOp() | ocl.VLoadOp():
                self._add_access(op, "read", space, domain, known)
            case ocl.StoreOp() | ocl.VStoreOp():
                self._add_access(op, "write", space, domain, known)
                self.effects.append(op)
            case _:
                if not op.has_trait(IsTerminator) and not _is_free(op):
                    self.effects.append(op)
        for region in op.regions:
            for block in region.blocks:
                self._visit_block(block, space, domain, False)

    def _visit_for(self, op: scf.ForOp, space: Space, domain: isl.Set, known: bool) -> None:
        body = op.body.block
        inner = space.with_counter(self._counter_name(body.args[0]))
        self._values.spaces[body] = inner
        counter = Index.affine(inner.dimension(len(inner.dimensions) - 1))
        rounds = inner.lifted(domain, space).intersect(counter.value.nonneg_set())
        step = constant_value(op.step)
        first = self._values.index(op.lb, inner)
        is_known = step is not None and step > 0
        if step is not None and first is not None:
            self._values.define(body.args[0], first + counter.scaled(step), inner)
        if is_known:
            assert step is not None
            more = self._values.less(op.lb, op.ub, inner, counter.scaled(step))
            is_known = more is not None
            if more is not None:
                rounds = rounds.intersect(more).coalesce()
        self.controls.append(Control(op, rounds, is_known, (op.lb, op.ub, op.step)))
        self._visit_block(body, inner, rounds, known and is_known)

    def _visit_while(self, op: scf.WhileOp, space: Space, domain: isl.Set, known: bool) -> None:
        self.controls.append(Control(op, domain, False, (condition_of(op).condition,)))
        for region in op.regions:
            self._visit_block(region.block, space, domain, False)

    def _visit_if(self, op: scf.IfOp, space: Space, domain: isl.Set, known: bool) -> None:
        condition = self._values.condition(op.cond, space)
        then = domain.intersect(self._values.may(op.cond, space, True)).coalesce()
        orelse = domain.intersect(self._values.may(op.cond, space, False)).coalesce()
        if condition is not None:
            orelse = domain.subtract(condition).coalesce()
        for region, part in ((op.true_region, then), (op.false_region, orelse)):
            if not region.blocks:
                continue
            if len(region.block.ops) > 1:
                first = region is op.true_region
                known_part = condition is not None
                self.controls.append(Control(op, part, known_part, (op.cond,), first))
            self._visit_block(region.block, space, part, known and condition is not None)

    def _counter_name(self, counter: BlockArgument | None) -> str:
        hint = (None if counter is None else counter.name_hint) or "k"
        name, number = hint, 1
        while name in self._taken:
            number += 1
            name = f"{hint}{number}"
        self._taken.add(name)
        return name

    def _add_access(
        self, op: Operation, direction: str, space: Space, domain: isl.Set, known: bool
    ) -> None:
        assert isinstance(op, ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp)
        base, index = self._address(op, space)
        self.accesses.append(Access(op, direction, _array_name(base), domain, index, known))

    def _address(self, op: AccessOp, space: Space) -> tuple[SSAValue, Index | None]:
        """The array of an access and the index; vloadn and vstoren have no index."""
        pointer = op.pointer
        zero = Index.affine(space.number(0))
        index = zero if op.index is None else self._values.index(op.index, space)
        unit = pointer.type
        while isinstance(pointer.owner, ocl.OffsetOp | ocl.CastOp | ocl.MemberOp):
            if isinstance(pointer.owner, ocl.OffsetOp) and pointer.type == unit:
                more = self._values.index(pointer.owner.index, space)
                index = None if index is None or more is None else index + more
            elif not isinstance(pointer.owner, ocl.CastOp):
                index = None
            pointer = pointer.owner.operands[0]
            if pointer.type != unit:
                index = None
        if isinstance(op, ocl.VLoadOp | ocl.VStoreOp):
            index = None
        owner = pointer.owner
        if (owner.parent if isinstance(owner, Operation) else owner) in self._values.spaces:
            # Private memory, or a pointer that was loaded: it differs between work-items.
            index = None
        return pointer, index

    def stride(self, access: Access, dimension: int) -> int | None:
        """The growth of the address between neighbouring work-items, in elements, by the
        uniformity analysis."""
        op = access.op
        assert isinstance(op, ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp)
        if self.facts is None:
            return None
        accessed = op.result.type if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value.type
        size = stride_of(accessed)
        lanes = self.facts.lanes(op.pointer)
        if op.index is not None:
            lanes += self.facts.lanes(op.index).scaled(size)
        stride = lanes.strides[dimension]
        return stride // size if isinstance(stride, int) and stride % size == 0 else None

    def is_uniform(self, values: Sequence[SSAValue], dimension: int) -> bool:
        """Whether the uniformity analysis shows that values are uniform along a dimension."""
        facts = self.facts
        return facts is not None and all(facts.lanes(v).strides[dimension] == 0 for v in values)


AccessOp = ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp


def model_of(
    kernel: poly.KernelOp,
    body: Region | None = None,
    items: isl.Set | None = None,
    facts: Facts | None = None,
) -> Model:
    """The model of a kernel, or of a `body` for its work-items.

    `items` are the work-items that run it, `R[y, x]`; the default is all. `facts` may be shared
    with other models of the function.
    """
    names = names_of(kernel.work_items)
    if items is None:
        items = all_items(kernel)
    items = items.set_tuple_name("R")
    block = (kernel.body if body is None else body).block
    function = kernel.parent_op()
    while function is not None and not isinstance(function, wg.FuncOp):
        function = function.parent_op()
    return Model(block, names, leaves_of(kernel), kernel.known, items, function, facts or Facts())


def all_items(kernel: poly.KernelOp) -> isl.Set:
    """The work-items of a group, `R[y, x]`; the operand `L<d>` is the size of dimension d.

    Raises:
        PolyclError: there is no such operand.
    """
    names = names_of(kernel.work_items)
    sizes = dict(zip(names_of(kernel.params), kernel.arguments, strict=True))
    space = Space.of(names, ())
    items = space.universe
    for place in range(len(names)):
        size = f"L{len(names) - 1 - place}"
        if size not in sizes:
            raise error_at(kernel, f"expected the size of the group as an operand named '{size}'")
        number = constant_value(sizes[size])
        item = space.dimension(place)
        if number is None:
            end = parameter(space.space, size)
        else:
            end = space.number(number)
        items = items.intersect(item.nonneg_set()).intersect(item.lt_set(end))
    return items


def leaves_of(kernel: poly.KernelOp) -> dict[Leaf, str]:
    """The parameters by their values; an operand may be a cast of an argument.

    A constant operand is a number in all sets, not a parameter.
    """
    found: dict[Leaf, str] = {}
    for value, name in zip(kernel.arguments, names_of(kernel.params), strict=True):
        if constant_value(value) is not None:
            continue
        found[value, False] = name
        unsigned = False
        owner = value.owner
        while isinstance(owner, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
            unsigned = unsigned or isinstance(owner, arith.ExtUIOp)
            found.setdefault((owner.input, unsigned), name)
            owner = owner.input.owner
    return found


def _is_free(op: Operation) -> bool:
    return isinstance(op, ocl.AllocaOp) or is_side_effect_free(op)


def _array_name(pointer: SSAValue) -> str:
    return pointer.name_hint or "memory"
