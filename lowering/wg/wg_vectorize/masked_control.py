"""Branches and loops. Where the work-items agree they stay; where not, lanes are masked off.

The body of a divergent branch runs if any lane takes it, with the mask of those that do. A
divergent loop runs as long as any lane is in it; what leaves it is kept for each lane when that
lane leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from xdsl.dialects import arith, func, scf, ub
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from polycl.analysis.ocl.speculation import may_fail
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in
from polycl.dialects.vec import count_of
from polycl.dialects.wg.attributes import LIKELY, REFILLED
from polycl.lowering.ocl.ocl_expand_builtins import is_dot_product
from polycl.lowering.wg.wg_vectorize import vector_memory as memory
from polycl.lowering.wg.wg_vectorize.accesses import accessed_type, holds_in_lanes
from polycl.lowering.wg.wg_vectorize.atomic_lanes import lanes_on
from polycl.lowering.wg.wg_vectorize.forms import (
    Forms,
    bind,
    flattened,
    form_of,
    types_of,
    vectors_form,
)
from polycl.lowering.wg.wg_vectorize.lane_values import NotVectorizable, Scalar, mask_type
from polycl.lowering.wg.wg_vectorize.shuffles import repeated
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter
from polycl.lowering.wg.wg_vectorize.vector_operations import compute
from polycl.lowering.wg.wg_vectorize.waiting_loops import waits_for_others

BRANCH_OVER = 12
"""A divergent branch with more operations is jumped over where no lane takes it."""

MOST_TWICE = 100
"""Operations of a branch that is there twice, with a mask and without."""

_FREE = (arith.ConstantOp, ub.PoisonOp, scf.YieldOp)

_TWICE = (ocl.LoadOp, scf.IfOp, scf.YieldOp)
"""Operations with effects that may be there twice, beside stores."""


def emit_ops(e: Emitter, block: Block) -> None:
    """All operations of a block but its terminator."""
    for op in block.ops:
        if op is not block.last_op:
            emit_op(e, op)


def emit_op(e: Emitter, op: Operation) -> None:
    e.source = op
    if not op.regions:
        compute(e, op)
        return
    match op:
        case scf.IfOp():
            _if(e, op)
        case scf.ForOp():
            _for(e, op)
        case scf.WhileOp():
            _while(e, op)
        case _:
            compute(e, op)


def _scalar(e: Emitter, old: SSAValue) -> SSAValue:
    value = e.value(old)
    assert isinstance(value, Scalar)
    return value.value


@contextmanager
def _inside(e: Emitter, block: Block, mask: SSAValue | None) -> Generator[None]:
    """Emit at the end of `block` meanwhile, under a mask."""
    outer = e.mask, e.source
    with e.inside(block):
        e.mask = mask
        yield
    e.mask, e.source = outer


def _emit_body(e: Emitter, block: Block, forms: Forms) -> None:
    """The operations of a block, and what it yields in these forms."""
    emit_ops(e, block)
    e.emit_void(scf.YieldOp(*flattened(e, forms, terminator(block).operands)))


# Branches


def _if(e: Emitter, op: scf.IfOp) -> None:
    if e.is_uniform(op.cond):
        _uniform_if(e, op)
        return
    condition = e.vector(op.cond)
    orelse_block = _else_block(op)
    block = op.true_region.block
    if orelse_block is not None and _is_replacement(e, block, orelse_block):
        _replacement(e, op, block, orelse_block, condition)
        return
    if LIKELY in op.attributes and orelse_block is not None and block.first_op is block.last_op:
        others = e.xor(condition, e.per_lane([1] * e.lanes, i1))
        _replacement(e, op, orelse_block, block, others)
        return
    if orelse_block is None and _is_guard_of_stores(e, op):
        _all_or_some(e, op, condition)
        return
    then_side = _divergent_side(e, op, op.true_region.block, e.masked(condition))
    if orelse_block is None:
        return
    inverse = e.xor(condition, e.per_lane([1] * e.lanes, i1))
    else_side = _divergent_side(e, op, orelse_block, e.masked(inverse))
    yields = (terminator(block).operands for block in (op.true_region.block, orelse_block))
    for result, x, y, then, orelse in zip(op.results, *yields, then_side, else_side, strict=True):
        if x is y:
            e.values[result] = e.value(x)
        else:
            form = vectors_form(e, result)
            e.values[result] = form.value(_selected(e, condition, then, orelse))


def _else_block(op: scf.IfOp) -> Block | None:
    return op.false_region.block if op.false_region.blocks else None


def _uniform_if(e: Emitter, op: scf.IfOp) -> None:
    forms = [form_of(e, result) for result in op.results]
    regions: list[Region] = []
    for region in op.regions:
        if not region.blocks:
            continue
        new = e.new_block()
        with _inside(e, new, e.mask):
            _emit_body(e, region.block, forms)
        regions.append(Region(new))
    orelse = regions[1] if len(regions) == 2 else None
    branch = scf.IfOp(_scalar(e, op.cond), types_of(e, forms), regions[0], orelse)
    branch.attributes.update(op.attributes)
    e.emit_void(branch)
    bind(e, forms, op.results, branch.results)


def _is_replacement(e: Emitter, block: Block, orelse: Block) -> bool:
    """Whether the lanes that take the branch compute values, and the others have theirs."""
    if orelse.first_op is not orelse.last_op or not _is_worth_a_branch(e, block):
        return False
    pairs = zip(terminator(block).operands, terminator(orelse).operands, strict=True)
    return all(x is not y for x, y in pairs)


def _replacement(
    e: Emitter, op: scf.IfOp, block: Block, orelse: Block, condition: SSAValue
) -> None:
    """The results are values from before, but for the lanes that take one side.

    They are selected in there: where it is jumped over, nothing is to be done.
    """
    forms = [vectors_form(e, result) for result in op.results]
    mask = e.masked(condition)
    before = flattened(e, forms, terminator(orelse).operands)
    then, otherwise = e.new_block(), e.new_block()
    with _inside(e, then, mask):
        emit_ops(e, block)
        new = flattened(e, forms, terminator(block).operands)
        e.emit_void(scf.YieldOp(*_selected(e, condition, new, before)))
    with _inside(e, otherwise, None):
        e.emit_void(scf.YieldOp(*before))
    branch = scf.IfOp(e.any_lane(mask), types_of(e, forms), Region(then), Region(otherwise))
    e.emit_void(branch)
    bind(e, forms, op.results, branch.results)


def _is_guard_of_stores(e: Emitter, op: scf.IfOp) -> bool:
    """Whether ids are compared, so that most often all lanes pass, and what is stored then would
    be stored slowly under a mask."""
    ops = operations_in(op.true_region)
    if e.functions.masks or e.is_rare or e.mask is not None or len(ops) > MOST_TWICE:
        return False
    stores = [inner for inner in ops if isinstance(inner, ocl.StoreOp)]
    others = [inner for inner in ops if not isinstance(inner, (ocl.StoreOp, *_TWICE))]
    if not stores or not all(map(is_side_effect_free, others)):
        return False
    return _compares_ids(e, op.cond)


def _compares_ids(e: Emitter, condition: SSAValue) -> bool:
    match condition.owner:
        case arith.CmpiOp(lhs=lhs, rhs=rhs):
            return e.stride(lhs) is not None and e.stride(rhs) is not None
        case arith.AndIOp(lhs=lhs, rhs=rhs) | arith.OrIOp(lhs=lhs, rhs=rhs):
            return _compares_ids(e, lhs) and _compares_ids(e, rhs)
        case arith.XOrIOp(lhs=lhs, rhs=rhs):
            return _compares_ids(e, lhs) and e.is_uniform(rhs)
        case _:
            return e.is_uniform(condition)


def _all_or_some(e: Emitter, op: scf.IfOp, condition: SSAValue) -> None:
    """The body twice: without a mask if all lanes take the branch, and under one if some do."""
    block = op.true_region.block
    is_off = e.any_lane(e.xor(condition, e.per_lane([1] * e.lanes, i1)))
    some, all = e.new_block(), e.new_block()
    loaded, made_by_all = dict(e.loaded), set(e.made_by_all)
    with _inside(e, all, None):
        emit_ops(e, block)
        e.emit_void(scf.YieldOp())
    # What is known of the accesses of one block does not hold in the other one, or after both.
    e.loaded, e.made_by_all = dict(loaded), set(made_by_all)
    with _inside(e, some, None):
        _divergent_side(e, op, block, condition)
        e.emit_void(scf.YieldOp())
    e.loaded, e.made_by_all = loaded, made_by_all
    e.emit_void(scf.IfOp(is_off, [], Region(some), Region(all)))


def _divergent_side(e: Emitter, op: scf.IfOp, block: Block, mask: SSAValue) -> list[list[SSAValue]]:
    """One side of a divergent branch: the vectors of each of its results."""
    forms = [vectors_form(e, result) for result in op.results]
    yielded = terminator(block).operands
    if not _is_worth_a_branch(e, block):
        with _inside(e, e.block, mask):
            emit_ops(e, block)
        return [form.flat(e, value) for form, value in zip(forms, yielded, strict=True)]
    inside = [value for value in yielded if _is_inside(value, block)]
    inner_forms = [vectors_form(e, value) for value in inside]
    then, otherwise = e.new_block(), e.new_block()
    with _inside(e, then, mask):
        emit_ops(e, block)
        e.emit_void(scf.YieldOp(*flattened(e, inner_forms, inside)))
    with _inside(e, otherwise, None):
        e.emit_void(scf.YieldOp(*(e.zero(type) for type in types_of(e, inner_forms))))
    orelse = Region(otherwise) if inside else None
    branch = scf.IfOp(e.any_lane(mask), types_of(e, inner_forms), Region(then), orelse)
    e.emit_void(branch)
    bind(e, inner_forms, inside, branch.results)
    return [form.flat(e, value) for form, value in zip(forms, yielded, strict=True)]


def _is_inside(value: SSAValue, block: Block) -> bool:
    owner = value.owner
    return owner is block or (isinstance(owner, Operation) and block.is_ancestor(owner))


def _is_worth_a_branch(e: Emitter, block: Block) -> bool:
    """Whether a side must not run without lanes, or is long enough to be jumped over."""
    ops = operations_in(block)
    if sum(not isinstance(op, _FREE) for op in ops) > BRANCH_OVER:
        return True
    for op in ops:
        match op:
            case scf.ForOp() | scf.WhileOp():
                return True
            case ocl.LoadOp() | ocl.StoreOp() if memory.is_row_for_all(e, op):
                pass
            case ocl.StoreOp() | ocl.VStoreOp():
                # Without lanes it takes hundreds of cycles where memory was never written before.
                return True
            case ocl.LoadOp() | ocl.VLoadOp():
                if memory.is_at_one_place(e, op):
                    return True
                if not holds_in_lanes(accessed_type(op)):
                    return True
            case arith.DivSIOp() | arith.DivUIOp() | arith.RemSIOp() | arith.RemUIOp():
                # For scalars: a vector's lanes that are off are given a divisor.
                if e.is_uniform(op.results[0]) and may_fail(op):
                    return True
            case ocl.BuiltinOp() if is_dot_product(op):
                pass
            case ocl.AtomicRMWOp() | ocl.AtomicCmpXchgOp() | ocl.PrintfOp() | ocl.BuiltinOp():
                return True
            case func.CallOp():
                return True
            case _:
                pass
    return False


# Loops


def _for(e: Emitter, op: scf.ForOp) -> None:
    strides = [e.stride(bound) for bound in (op.lb, op.ub, op.step)]
    if strides[0] is not None and strides[0] == strides[1] and strides[2] == 0:
        _uniform_for(e, op)
    else:
        _divergent_for(e, op)


def _uniform_for(e: Emitter, op: scf.ForOp) -> None:
    """The trip count is uniform: the counter is a progression over the lanes."""
    body = op.body.block
    induction, *carried = body.args
    forms = [form_of(e, arg) for arg in carried]
    start = flattened(e, forms, op.iter_args)
    bounds = [_scalar(e, bound) for bound in (op.lb, op.ub, op.step)]
    block = e.new_block([induction.type, *types_of(e, forms)])
    block.args[0].name_hint = induction.name_hint
    e.values[induction] = Scalar(block.args[0], e.stride(op.lb) or 0)
    bind(e, forms, carried, block.args[1:])
    with _inside(e, block, e.mask):
        _emit_body(e, body, forms)
    loop = scf.ForOp(bounds[0], bounds[1], bounds[2], start, Region(block))
    e.emit_void(loop)
    bind(e, forms, op.results, loop.results)


def _divergent_for(e: Emitter, op: scf.ForOp) -> None:
    body = op.body.block
    induction, *carried = body.args
    forms = [form_of(e, arg) for arg in (induction, *carried)]

    def test() -> SSAValue:
        return e.compare("slt", e.vector(induction), e.vector(op.ub))

    def advance() -> list[SSAValue]:
        emit_ops(e, body)
        e.source = op
        if forms[0].stride is None:
            counter = e.add(e.vector(induction), e.vector(op.step))
        else:
            counter = e.add(_scalar(e, induction), _scalar(e, op.step))
        return [counter, *flattened(e, forms[1:], terminator(body).operands)]

    args, start = body.args, [op.lb, *op.iter_args]
    _masked_loop(e, op.results, forms, start, args, test, args, args, advance, offset=1)


def _while(e: Emitter, op: scf.WhileOp) -> None:
    before, after = op.before_region.block, op.after_region.block
    condition = terminator(before)
    assert isinstance(condition, scf.ConditionOp)
    if e.is_uniform(condition.condition):
        _uniform_while(e, op, condition)
        return
    if waits_for_others(op):
        raise NotVectorizable(op, "a work-item may wait here for one of the same vector")
    forms = [form_of(e, arg) for arg in before.args]

    def test() -> SSAValue:
        emit_ops(e, before)
        return e.vector(condition.condition)

    def advance() -> list[SSAValue]:
        emit_ops(e, after)
        return flattened(e, forms, terminator(after).operands)

    start, values = op.arguments, condition.args
    goes_on = _half_of_lanes(e) if REFILLED in op.attributes else None
    carried = before.args, test, values, after.args, advance
    _masked_loop(e, op.results, forms, start, *carried, goes_on=goes_on)


def _half_of_lanes(e: Emitter) -> Callable[[SSAValue], SSAValue]:
    """Whether more than half of the lanes that are on now are in a mask."""
    half = e.shr(lanes_on(e, i32), 1, signed=False)

    def are_on(mask: SSAValue) -> SSAValue:
        with e.under(mask):
            return e.compare("ugt", lanes_on(e, i32), half)

    return are_on


def _uniform_while(e: Emitter, op: scf.WhileOp, condition: scf.ConditionOp) -> None:
    before, after = op.before_region.block, op.after_region.block
    forms = [form_of(e, arg) for arg in before.args]
    start = flattened(e, forms, op.arguments)
    first = e.new_block(types_of(e, forms))
    bind(e, forms, before.args, first.args)
    middle = [form_of(e, arg) for arg in after.args]
    with _inside(e, first, e.mask):
        emit_ops(e, before)
        holds = _scalar(e, condition.condition)
        e.emit_void(scf.ConditionOp(holds, *flattened(e, middle, condition.args)))
    second = e.new_block(types_of(e, middle))
    bind(e, middle, after.args, second.args)
    with _inside(e, second, e.mask):
        _emit_body(e, after, forms)
    loop = scf.WhileOp(start, types_of(e, middle), Region(first), Region(second))
    e.emit_void(loop)
    bind(e, middle, op.results, loop.results)


def _masked_loop(
    e: Emitter,
    results: Sequence[SSAValue],
    forms: Forms,
    start: Sequence[SSAValue],
    tested: Sequence[SSAValue],
    test: Callable[[], SSAValue],
    values: Sequence[SSAValue],
    continued: Sequence[SSAValue],
    advance: Callable[[], list[SSAValue]],
    offset: int = 0,
    goes_on: Callable[[SSAValue], SSAValue] | None = None,
) -> None:
    """A loop that runs while any lane is in it, with the results that are used.

    `test` computes the condition; `values` continue, as `continued`, from which `advance` computes
    the start of the next iteration. The results are the values from number `offset` on. One that
    the loop carries as vectors anyway stays as it is for the lanes that have left; of the others
    the loop carries a copy that does. If `goes_on` ends it, the results of lanes that are still in
    it are of the last test.
    """
    used = {i + offset: x for i, x in enumerate(results) if x.first_use is not None}
    mask = mask_type(e.lanes)
    next_forms = [form_of(e, value) for value in continued]
    staying = {
        i: tested.index(values[i])
        for i in used
        if values[i] in tested
        and forms[tested.index(values[i])].stride is None
        and next_forms[i].stride is None
    }
    copied = [i for i in used if i not in staying]
    kept_types = types_of(e, [vectors_form(e, values[i]) for i in copied])
    first_on = e.mask_vector()
    flat_start = [*flattened(e, forms, start), first_on, *(e.zero(type) for type in kept_types)]
    before = e.new_block([*types_of(e, forms), mask, *kept_types])
    on, *kept = bind(e, forms, tested, before.args)
    with _inside(e, before, on):
        still_on = e.masked(test())
        flat = [v for i in copied for v in vectors_form(e, values[i]).flat(e, values[i])]
        new_kept = _selected(e, on, flat, kept)
        passed = [*flattened(e, next_forms, values), still_on, *new_kept]
        e.emit_void(scf.ConditionOp((goes_on or e.any_lane)(still_on), *passed))
    next_types = [value.type for value in passed]
    after = e.new_block(next_types)
    still_on, *kept_after = bind(e, next_forms, continued, after.args)
    with _inside(e, after, still_on):
        old = {i: next_forms[i].flat(e, continued[i]) for i in staying}
        next = advance()
        for i, number in staying.items():
            at = len(types_of(e, forms[:number]))
            end = at + len(old[i])
            next[at:end] = _selected(e, still_on, next[at:end], old[i])
        e.emit_void(scf.YieldOp(*next, still_on, *kept_after))
    loop = scf.WhileOp(flat_start, next_types, Region(before), Region(after))
    e.emit_void(loop)
    copies = list(loop.results[len(next_types) - len(kept_types) :])
    found: list[SSAValue] = []
    for i in used:
        if i in staying:
            at = len(types_of(e, next_forms[:i]))
            found += loop.results[at : at + len(next_forms[i].types(e.lanes))]
        else:
            count = len(vectors_form(e, values[i]).types(e.lanes))
            found += copies[:count]
            del copies[:count]
    left = list(used.values())
    bind(e, [vectors_form(e, result) for result in left], left, found)


def _selected(
    e: Emitter, mask: SSAValue, new: Sequence[SSAValue], old: Sequence[SSAValue]
) -> list[SSAValue]:
    """What is new for the lanes that are on, and what is old for the others."""
    return [
        e.select(repeated(e, mask, count_of(n.type) // e.lanes), n, o)
        for n, o in zip(new, old, strict=True)
    ]
