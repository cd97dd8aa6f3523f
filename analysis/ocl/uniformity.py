"""Which values are the same for all work-items of a group, or affine in the local id.

A forward analysis of structured control flow. Facts hold between work-items that are at the same
place in the same iteration of the same loops; a value that leaves a loop whose trip count differs
between work-items is therefore varying.

It is sound because:
  - ids do not wrap (a launch checks their range), and signed overflow is undefined in C;
  - memory that several work-items see is uniform at a uniform address: were it not, two of them
    would race (OpenCL 1.2, section 3.3.1). Private memory, volatile and atomic accesses vary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, func, scf, vector
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.calls import callee_of
from polycl.analysis.ocl.cut_sums import may_wrap
from polycl.analysis.ocl.forward import ForwardAnalysis
from polycl.analysis.ocl.lane_stride import ALL_VARYING, UNIFORM, Lanes, depends_on, local_id
from polycl.dialects import ocl, vec, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import Kinds, operations_in
from polycl.dialects.ocl.layout import stride_of

_SHARED_SPACES = (ocl.AddressSpace.GLOBAL, ocl.AddressSpace.CONSTANT, ocl.AddressSpace.LOCAL)

# Operations whose strides are those of their operand.
_CASTS = (
    ocl.CastOp,
    ocl.MemberOp,
    ocl.PtrToIntOp,
    ocl.IntToPtrOp,
)
# Casts of an id: its values stay in the id's range, so they do not wrap.
_ID_CASTS = (arith.IndexCastOp, arith.TruncIOp, arith.ExtUIOp, arith.ExtSIOp)

_EXACT_CASTS = Kinds(arith.IndexCastOp, arith.ExtSIOp)
"""Casts that keep an integer."""


class Uniformity(ForwardAnalysis[Lanes]):
    """The lanes of every value in a kernel or a work-group function.

    `small_buffers` means that no buffer has 2^32 - 2^12 bytes or more; users of the facts read it.
    """

    unknown = ALL_VARYING

    def __init__(
        self,
        function: ocl.KernelLike | func.FuncOp | None,
        *,
        small_buffers: bool = False,
        parameters: Sequence[Lanes] | None = None,
    ):
        """`parameters` are those of a function; a kernel's are uniform. None: no facts yet."""
        super().__init__()
        self.small_buffers = small_buffers
        self._computes: dict[func.FuncOp, bool] = {}
        if function is None:
            return
        if parameters is None:
            parameters = [UNIFORM] * len(function.args)
        self.facts.update(zip(function.args, parameters, strict=True))
        # In unstructured control flow a block argument depends on the branch that was taken: it
        # counts as varying.
        for block in function.body.blocks:
            self.visit_block(block)

    def visit_new(self, op: Operation) -> None:
        """Add the facts of `op` and of new operations inside of it and right before and after it.

        What is after these keeps its facts.
        """
        first = op
        while (before := first.prev_op) is not None and self._is_new(before):
            first = before
        while first is not op and first.next_op is not None:
            self.visit(first)
            first = first.next_op
        self.visit(op)
        after = op.next_op
        while after is not None and self._is_new(after):
            self.visit(after)
            after = after.next_op

    def visit_changed(self, region: wg.ParallelOp) -> None:
        """The facts of a region that has changed, and of new operations right before and after it.

        What is outside keeps its facts: all that leaves a region is uniform.
        """
        for op in (region, *operations_in(region.body)):
            for block in (block for inner in op.regions for block in inner.blocks):
                for arg in block.args:
                    # A loop would go on with what it has carried before.
                    self.facts.pop(arg, None)
        self.visit_new(region)

    def _is_new(self, op: Operation) -> bool:
        return bool(op.results) and self.facts.keys().isdisjoint(op.results)

    def lanes(self, value: SSAValue) -> Lanes:
        """The strides of `value`; a value that was never reached counts as varying."""
        return self.facts.get(value, ALL_VARYING)

    def is_uniform(self, value: SSAValue) -> bool:
        """Whether `value` is proven to be the same for all work-items of a group."""
        return self.lanes(value).is_uniform

    def computes(self, call: func.CallOp) -> bool:
        """Whether a call does nothing but compute its results."""
        callee = callee_of(call)
        if callee not in self._computes:
            *body, _ = callee.body.block.ops
            self._computes[callee] = all(is_side_effect_free(op) for op in body)
        return self._computes[callee]

    def visit(self, op: Operation) -> None:
        if not op.regions:
            if op.results:
                self.set_all(op.results, self.of_operation(op))
            return
        if isinstance(op, wg.WorkItemRegion):
            for dimension, arg in enumerate(op.local_ids):
                self.facts[arg] = local_id(dimension)
            self.visit_block(op.regions[0].block)
            self.set_all(op.results, UNIFORM)
            return
        if not isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp):
            for block in (block for region in op.regions for block in region.blocks):
                self.visit_block(block)
        super().visit(op)

    def of_operation(self, op: Operation) -> Lanes:
        rule = _RULES.get(type(op))
        if rule is not None:
            return rule(op, self)
        if op.regions or not is_side_effect_free(op):
            return ALL_VARYING
        return depends_on(*map(self.lanes, op.operands))

    def joined(self, a: Lanes, b: Lanes) -> Lanes:
        return a.joined(b)

    def decided(self, fact: Lanes, by: Sequence[SSAValue]) -> Lanes:
        return fact.decided_by(depends_on(*map(self.lanes, by)))

    def chosen(self, condition: SSAValue, then: SSAValue, orelse: SSAValue) -> Lanes:
        return self.lanes(then) if then is orelse else super().chosen(condition, then, orelse)

    def counter(self, loop: scf.ForOp) -> Lanes:
        return self.decided(self.lanes(loop.lb), [loop.step])


class Facts:
    """The uniformity analysis of functions, computed on demand.

    A pass with several kernels in a function shares the analysis; changes of the function that
    `changed` is not told of are not seen.
    """

    def __init__(self) -> None:
        self._found: dict[ocl.KernelLike, Uniformity] = {}

    def of(self, function: ocl.KernelLike) -> Uniformity:
        if function not in self._found:
            self._found[function] = Uniformity(function)
        return self._found[function]

    def changed(self, function: ocl.KernelLike, op: Operation) -> None:
        """Note that `op` is changed, and operations right before and after it are new."""
        if function in self._found:
            self._found[function].visit_new(op)


# Transfer functions of single operations

_Rule = Callable[[Operation, Uniformity], Lanes]


def _alloca(op: Operation, facts: Uniformity) -> Lanes:
    """Each work-item has its own private memory; outside parallel regions it is the group's."""
    return UNIFORM if isinstance(op.parent_op(), wg.FuncOp) else ALL_VARYING


def _call(op: Operation, facts: Uniformity) -> Lanes:
    assert isinstance(op, func.CallOp)
    if not facts.computes(op):
        return ALL_VARYING
    return depends_on(*map(facts.lanes, op.operands))


def _first(op: Operation, facts: Uniformity) -> Lanes:
    value, *_ = op.operands
    return facts.lanes(value)


def _sum(op: Operation, facts: Uniformity) -> Lanes:
    lhs, rhs = op.operands
    return facts.lanes(lhs) + facts.lanes(rhs)


def _difference(op: Operation, facts: Uniformity) -> Lanes:
    lhs, rhs = op.operands
    return facts.lanes(lhs) - facts.lanes(rhs)


def _id(op: Operation, facts: Uniformity) -> Lanes:
    assert isinstance(op, ocl.GlobalIdOp | ocl.LocalIdOp)
    return local_id(op.dimension)


def _of_group(op: Operation, facts: Uniformity) -> Lanes:
    """All work-items of a group get the same result, those of sub-groups do not."""
    assert isinstance(op, ocl.Collective)
    return ALL_VARYING if op.is_sub_group else UNIFORM


def _sub_group(op: Operation, facts: Uniformity) -> Lanes:
    assert isinstance(op, ocl.SubGroupOp)
    same = (ocl.SubGroupField.MAX_SIZE, ocl.SubGroupField.COUNT, ocl.SubGroupField.ENQUEUED_COUNT)
    return UNIFORM if op.field.data in same else ALL_VARYING


def _product(facts: Uniformity, value: SSAValue, factor: SSAValue, number: int | None) -> Lanes:
    if not facts.is_uniform(factor):
        return depends_on(facts.lanes(value), facts.lanes(factor))
    return facts.lanes(value).scaled(number)


def _mul(op: Operation, facts: Uniformity) -> Lanes:
    lhs, rhs = op.operands
    if facts.is_uniform(lhs):
        lhs, rhs = rhs, lhs
    return _product(facts, lhs, rhs, element_number(rhs))


def _shl(op: Operation, facts: Uniformity) -> Lanes:
    value, amount = op.operands
    number = element_number(amount)
    return _product(facts, value, amount, None if number is None else 1 << max(number, 0))


def _and(op: Operation, facts: Uniformity) -> Lanes:
    for value, mask in (op.operands, op.operands[::-1]):
        number = element_number(mask)
        if number is not None and number >= 0:
            return facts.lanes(value).masked(number)
    return depends_on(*map(facts.lanes, op.operands))


def _remainder(op: Operation, facts: Uniformity) -> Lanes:
    """Unsigned; by a power of two, it is the lowest bits."""
    value, divisor = op.operands
    number = element_number(divisor)
    if number is not None and number > 0 and number & number - 1 == 0:
        return facts.lanes(value).masked(number - 1)
    return depends_on(facts.lanes(value), facts.lanes(divisor))


def _cut(op: Operation, facts: Uniformity) -> Lanes:
    lanes = facts.lanes(op.operands[0])
    if lanes.is_uniform or not isinstance(op, arith.IndexCastOp | arith.TruncIOp):
        return lanes
    return lanes.blurred() if may_wrap(op) else lanes


def _extsi(op: Operation, facts: Uniformity) -> Lanes:
    [source] = op.operands
    # Signed arithmetic does not overflow, but C has none in 8 or 16 bits: it truncates.
    return facts.lanes(source).blurred() if is_narrow(source) else facts.lanes(source)


def _extui(op: Operation, facts: Uniformity) -> Lanes:
    [source] = op.operands
    # Unsigned arithmetic may wrap, and then zero extension is not affine; an id does not.
    return facts.lanes(source) if _is_id(source) else facts.lanes(source).blurred()


def _is_id(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, _ID_CASTS):
        return not is_narrow(value) and _is_id(owner.operands[0])
    return isinstance(owner, ocl.GlobalIdOp | ocl.LocalIdOp)


def is_narrow(value: SSAValue) -> bool:
    """Whether an id may not fit."""
    return isinstance(value.type, IntegerType) and value.type.width.data < 32


def _offset(op: Operation, facts: Uniformity) -> Lanes:
    pointer, index = op.operands
    start, steps = facts.lanes(pointer), facts.lanes(index)
    if steps is UNIFORM:
        return start
    return start + steps.scaled(stride_of(ocl.pointee_of(pointer)))


def _load(op: Operation, facts: Uniformity) -> Lanes:
    lanes = depends_on(*map(facts.lanes, op.operands))
    if lanes is ALL_VARYING:
        return lanes
    assert isinstance(op, ocl.LoadOp | ocl.VLoadOp)
    if isinstance(op, ocl.LoadOp) and op.volatile is not None:
        return ALL_VARYING
    # A private address that all work-items have is that of memory of the group.
    if ocl.space_of(op.pointer) not in _SHARED_SPACES and not facts.is_uniform(op.pointer):
        return ALL_VARYING
    return lanes


_RULES: dict[type[Operation], _Rule] = vec.with_vectors(
    {
        **dict.fromkeys((ocl.GlobalIdOp, ocl.LocalIdOp), _id),
        # All work-items take part in one copy and get the same event.
        **dict.fromkeys(
            (ocl.LocalAllocOp, wg.ContextOp, wg.AnyOp, ocl.AsyncCopyOp), lambda op, facts: UNIFORM
        ),
        **dict.fromkeys((wg.SlotOp, wg.GetOp, wg.PeekOp), lambda op, facts: ALL_VARYING),
        **dict.fromkeys(_CASTS, _first),
        **dict.fromkeys((arith.IndexCastOp, arith.TruncIOp), _cut),
        **dict.fromkeys((ocl.LoadOp, ocl.VLoadOp), _load),
        **dict.fromkeys((ocl.GroupReduceOp, ocl.GroupShuffleOp), _of_group),
        wg.ReduceOp: lambda op, facts: UNIFORM,
        ocl.SubGroupOp: _sub_group,
        ocl.AllocaOp: _alloca,
        func.CallOp: _call,
        ocl.OffsetOp: _offset,
        arith.AddiOp: _sum,
        arith.SubiOp: _difference,
        arith.MuliOp: _mul,
        arith.ShLIOp: _shl,
        arith.AndIOp: _and,
        arith.RemUIOp: _remainder,
        arith.ExtSIOp: _extsi,
        arith.ExtUIOp: _extui,
        arith.SelectOp: lambda op, facts: facts.chosen(*op.operands),
    }
)


def constant_value(value: SSAValue) -> int | None:
    """The integer that `value` is, looking through integer casts, or None."""
    while _EXACT_CASTS[type(owner := value.owner)] and isinstance(owner, Operation):
        [value] = owner.operands
    return constant_index(value)


def constant_index(value: SSAValue) -> int | None:
    """The integer that `value` is, if an `arith.constant` defines it."""
    owner = value.owner
    # `isinstance` is slow for other classes than the one that is asked for.
    if type(owner) is not arith.ConstantOp or not isinstance(owner.value, IntegerAttr):
        return None
    return owner.value.value.data


def element_number(value: SSAValue) -> int | None:
    """The integer that `value` is, or each of its elements."""
    if isinstance(value.owner, vector.BroadcastOp):
        return constant_value(value.owner.source)
    return constant_value(value) if (number := vec.splat_of(value)) is None else number
