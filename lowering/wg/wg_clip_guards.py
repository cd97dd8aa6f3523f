"""`wg-clip-guards`: a region runs for the work-items that pass its guard, and no others."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.integers import bits_of, signed, unsigned
from polycl.analysis.ocl.intervals import interval
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.wg.powers_of_two import is_low_mask
from polycl.dialects import ocl, wg
from polycl.dialects.comparisons import SWAPPED, predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.known_steps import fold_known, operations_between
from polycl.lowering.ocl.moving import erase_unused, hoisted, is_hoistable, replace_by_block
from polycl.lowering.wg.wg_hoist_grid_loops import has_else
from polycl.lowering.wg.wg_split_guards import depends_on_group
from polycl.remarks import emit_remark

_SAFE_BITS = 32
"""Of numbers in which a product of a local id and a small number does not wrap."""

_FREE = (ocl.AllocaOp, wg.YieldOp)
"""What a region may have beside its guards, as operations without effects: private memory."""

_LARGE, _MOST_ITEMS = 1 << 16, 1 << 13
"""Of a local id, and of its factor, so that the product does not wrap."""


@dataclass(frozen=True)
class WgClipGuardsPass(ModulePass):
    """Make the comparison of a local id with a uniform bound the size of the region.

    ```
    wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) {      %n = min(max(%st, 0), %c256)
      %go = arith.cmpi slt, %x, %st                  ->  wg.parallel (%x, %y, %z) in (%n, ...) {
      scf.if %go { ... }                                   ...
    }                                                    }
    ```

    The guard contains all operations of the region, as in the levels of a reduction or a scan, or
    several guards of one condition do.
    What the bound is computed from is the same for the whole group. A guard `id == n` leaves one
    work-item, and `(id + 1) % step == 0`, as in sums of neighbours, the ids from a first one in
    steps: `id` is `step` times an id of the smaller region, plus the first one. So does
    `(id & step - 1) == 0`, where `step` is known to be a power of two. Where the guard compares a
    product of the id and a number that the group knows, the work-items beyond the bound do not run,
    and the guard stays.
    Guards of global ids are for `wg-split-guards`.
    """

    name = "wg-clip-guards"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            # The sizes no longer tell the local size.
            if function.local_size is None:
                continue
            for region in operations_of(function.body, wg.ParallelOp):
                if region.step is None and not region.res:
                    _clip(region)


def _clip(region: wg.ParallelOp) -> None:
    while guards := _guards_of(region.body.block):
        condition = guards[0].cond
        rest = _clip_by(region, condition)
        if rest is condition:
            break
        for guard in guards:
            if rest is not None:
                guard.operands[0] = rest
            else:
                replace_by_block(guard, guard.true_region.block)
        if rest is not None:
            break
    # A remainder that nothing uses would count where vectors are weighed.
    erase_unused(region.body)
    if any(constant_value(size) == 0 for size in region.sizes):
        Rewriter.erase_op(region)


def _guards_of(block: Block) -> list[scf.IfOp]:
    """The branches of one condition that contain all that a block does."""
    guards: list[scf.IfOp] = []
    reads = False
    for op in block.ops:
        if isinstance(op, scf.IfOp) and not op.results and not has_else(op):
            guards.append(op)
        elif isinstance(op, ocl.LoadOp) and op.volatile is None:
            reads = True
        elif op.regions or not (is_side_effect_free(op) or isinstance(op, _FREE)):
            return []
    alike = all(guard.cond is guards[0].cond for guard in guards)
    if reads and guards and not _compares_with_constant(guards[0].cond):
        # The last tile would be masked anyway, and all would run in a loop of unknown length.
        return []
    return guards if alike else []


def _compares_with_constant(condition: SSAValue) -> bool:
    compared = condition.owner.operands if isinstance(condition.owner, arith.CmpiOp) else ()
    return any(constant_value(value) is not None for value in compared)


def _clip_by(region: wg.ParallelOp, condition: SSAValue) -> SSAValue | None:
    """Clip by what of a condition can be; what is left of it, None where nothing is."""
    owner = condition.owner
    if isinstance(owner, arith.AndIOp):
        sides = [_clip_by(region, side) for side in (owner.lhs, owner.rhs)]
        if sides == [owner.lhs, owner.rhs]:
            return condition
        left = [side for side in sides if side is not None]
        if len(left) < 2:
            return left[0] if left else None
        both = arith.AndIOp(left[0], left[1])
        Rewriter.insert_op(both, InsertPoint.after(owner))
        return both.result
    if not isinstance(owner, arith.CmpiOp):
        return condition
    if _end_at_number(region, owner):
        return None
    predicate, lhs, rhs = predicate_of(owner), owner.lhs, owner.rhs
    if predicate == "eq" and _keep_steps(region, owner):
        return None
    if _local_dimension(region, lhs) is None:
        # `bound > id` means `id < bound`.
        lhs, rhs = rhs, lhs
        predicate = SWAPPED.get(predicate, "eq" if predicate == "eq" else "")
    dimension = _local_dimension(region, lhs)
    if dimension is None:
        _leave_out_last(region, owner)
        return condition
    return None if _clip_dimension(region, dimension, predicate, rhs) else condition


def _end_at_number(region: wg.ParallelOp, guard: arith.CmpiOp) -> bool:
    """End where a guard begins to fail that compares a known multiple of an id plus a known number
    with a known number."""
    predicate, lhs, rhs = predicate_of(guard), guard.lhs, guard.rhs
    if predicate in SWAPPED:
        predicate, lhs, rhs = SWAPPED[predicate], rhs, lhs
    bound, type = constant_value(rhs), lhs.type
    if predicate not in ("slt", "sle", "ult", "ule") or bound is None:
        return False
    sizes = [constant_value(size) or 0 for size in region.sizes]
    ranges: dict[SSAValue, range] = dict(zip(region.local_ids, map(range, sizes), strict=True))
    sum = linear(lhs, ranges)
    dimension = next((d for d in range(3) if [*sum.factors] == [region.local_ids[d]]), None)
    if dimension is None or not sizes[dimension]:
        return False
    read = unsigned if predicate.startswith("u") else signed
    size, factor = sizes[dimension], sum.factors[region.local_ids[dimension]]
    values = range(sum.number, sum.number + factor * size, factor)
    if any(read(value, type) != value for value in (values[0], values[-1])):
        return False
    most = read(bound, type) - (0 if predicate.endswith("e") else 1)
    count = len([value for value in values if value <= most])
    if count < size and values[-1] <= most:
        # The first ones fail.
        return False
    _shrink(region, dimension, Build(region).index(count))
    return True


@dataclass(frozen=True)
class _Steps:
    """The ids of a region from `first` in steps of `step`, which the group knows."""

    step: SSAValue
    first: SSAValue | None = None
    """None if it is 0."""
    exist: SSAValue | None = None
    """Whether there are any; None if so."""


def _keep_steps(region: wg.ParallelOp, guard: arith.CmpiOp) -> bool:
    """Run for the ids alone for which a remainder or the lowest bits are what a guard asks for."""
    for dimension in range(3):
        for value, rest in ((guard.lhs, guard.rhs), (guard.rhs, guard.lhs)):
            if not is_hoistable(rest, region):
                continue
            before = region.prev_op
            steps = _steps_of_remainder(region, dimension, value.owner, rest)
            steps = steps or _steps_of_mask(region, dimension, value.owner, rest)
            if steps is not None:
                _run_in_steps(region, dimension, steps)
                assert region.parent is not None
                # Vectors access multiples by a constant.
                fold_known(operations_between(region.parent, before, region))
                return True
    return False


def _is_id_plus(value: SSAValue, region: wg.ParallelOp, dimension: int) -> bool:
    """Whether a value is a local id plus what the group knows, modulo the width of its type."""
    owner = value.owner
    if _local_dimension(region, value) == dimension:
        return True
    match owner:
        case arith.AddiOp():
            sides = ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs))
            return any(
                _is_id_plus(x, region, dimension) and is_hoistable(y, region) for x, y in sides
            )
        case arith.SubiOp():
            return _is_id_plus(owner.lhs, region, dimension) and is_hoistable(owner.rhs, region)
        case arith.IndexCastOp() | arith.TruncIOp():
            is_narrower = bits_of(value.type) <= bits_of(owner.input.type)
            return is_narrower and _is_id_plus(owner.input, region, dimension)
        case _:
            return False


def _steps_of_mask(
    region: wg.ParallelOp, dimension: int, owner: Operation | Block, rest: SSAValue
) -> _Steps | None:
    """Of the ids for which `sum & mask == rest`, where the mask is one less than a power of two."""
    if not isinstance(owner, arith.AndIOp):
        return None
    for sum, mask in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
        if not _is_id_plus(sum, region, dimension) or not is_hoistable(mask, region):
            continue
        if not is_low_mask(mask):
            continue
        build = Build(region)
        bits, size = hoisted(mask, region), region.sizes[dimension]
        # Steps beyond the last id are alike; the mask may be all ones.
        step = build.add(build.min(build.unsigned_index(bits), size, signed=False), build.index(1))
        is_zero = constant_value(rest) == 0
        if is_zero and _local_dimension(region, sum) == dimension:
            return _Steps(step)
        start = hoisted(sum, region, {region.local_ids[dimension]: build.index(0)})
        rest = hoisted(rest, region)
        first = build.unsigned_index(build.and_(build.sub(rest, start), bits))
        exist = None if is_zero else build.compare("eq", build.and_(rest, bits), rest)
        return _Steps(step, first, exist)
    return None


def _steps_of_remainder(
    region: wg.ParallelOp, dimension: int, owner: Operation | Block, rest: SSAValue
) -> _Steps | None:
    """Of the ids for which `sum % divisor == rest`, where the sum is not negative."""
    if not isinstance(owner, arith.RemSIOp | arith.RemUIOp):
        return None
    sum = linear(owner.lhs)
    if sum.factors != {region.local_ids[dimension]: 1} or not 0 <= sum.number < _LARGE:
        return None
    if bits_of(owner.lhs.type) < _SAFE_BITS or not is_hoistable(owner.rhs, region):
        return None
    build = Build(region)
    divisor, zero, one = hoisted(owner.rhs, region), build.index(0), build.index(1)
    if isinstance(owner, arith.RemUIOp):
        step = build.unsigned_index(divisor)
    else:
        # The sign of the divisor does not matter.
        step = build.as_index(divisor)
        step = build.max(step, build.sub(zero, step), signed=True)
    # Division by zero is undefined. Steps beyond the last sum are alike, and nothing wraps below.
    most = region.sizes[dimension]
    if sum.number:
        most = build.add(most, build.index(sum.number))
    step = build.max(build.min(step, most, signed=False), one, signed=False)
    is_zero = constant_value(rest) == 0
    if is_zero and not sum.number:
        return _Steps(step)
    rest = hoisted(rest, region)
    is_unsigned = isinstance(owner, arith.RemUIOp)
    rest = build.unsigned_index(rest) if is_unsigned else build.as_index(rest)
    exist = None if is_zero else build.compare("ult", rest, step)
    start = build.emit(arith.RemUIOp(build.index(sum.number), step))
    first = build.add(rest, build.sub(step, start))
    return _Steps(step, build.emit(arith.RemUIOp(first, step)), exist)


def _run_in_steps(region: wg.ParallelOp, dimension: int, steps: _Steps) -> None:
    build = Build(region)
    # The sum does not wrap: a step is hardly larger than the size.
    size, step = region.sizes[dimension], steps.step
    left, first = size, steps.first
    if first is not None:
        left = build.sub(size, build.min(first, size, signed=False))
    before = build.sub(build.add(left, step), build.index(1))
    count = build.emit(arith.DivUIOp(before, step))
    if steps.exist is not None:
        count = build.select(steps.exist, count, build.index(0))
    region.operands[dimension] = count
    id = region.local_ids[dimension]
    inside = Build(region, InsertPoint.at_start(region.body.block))
    multiple = arith.MuliOp(id, step)
    inside.emit_void(multiple)
    place = multiple.result if first is None else inside.add(multiple.result, first)
    id.replace_uses_with_if(place, lambda use: use.operation is not multiple)
    emit_remark(
        region,
        WgClipGuardsPass.name,
        f"runs for the multiples of a number along {'xyz'[dimension]}, without a guard",
    )


def _local_dimension(region: wg.ParallelOp, value: SSAValue) -> int | None:
    """The dimension whose local id `value` is, in a type that has all ids."""
    while isinstance(value.owner, arith.IndexCastOp | arith.TruncIOp | arith.ExtUIOp):
        if bits_of(value.type) < _SAFE_BITS:
            return None
        value = value.owner.operands[0]
    for dimension, id in enumerate(region.local_ids):
        if value is id:
            return dimension
    return None


def _clip_dimension(region: wg.ParallelOp, dimension: int, predicate: str, bound: SSAValue) -> bool:
    """Make a dimension end at a bound, if the bound is known to the group."""
    build = Build(region)
    if predicate == "eq":
        if not is_hoistable(bound, region):
            return False
        _run_one(region, dimension, hoisted(bound, region))
        return True
    if predicate not in ("slt", "sle", "ult", "ule"):
        return False
    if not is_hoistable(bound, region):
        return False
    outside = hoisted(bound, region)
    _shrink(region, dimension, _size_below(region, dimension, outside, predicate, build))
    return True


def _number(value: SSAValue) -> int | None:
    """A number that is known, as 255 of `256 - 1`."""
    least, most = interval(value)
    return int(least) if least == most else None


def _run_one(region: wg.ParallelOp, dimension: int, only: SSAValue) -> None:
    """Run for one id, if it exists."""
    build, size = Build(region), region.sizes[dimension]
    number, most = _number(only), constant_value(size)
    if number is not None and most is not None:
        count = build.index(int(0 <= number < most))
    else:
        exists = build.compare("ult", build.unsigned_index(only), size)
        count = build.select(exists, build.index(1), build.index(0))
    if number != 0:
        only = build.unsigned_index(only) if number is None else build.index(number)
        region.local_ids[dimension].replace_all_uses_with(only)
    _shrink(region, dimension, count)


def _leave_out_last(region: wg.ParallelOp, guard: arith.CmpiOp) -> None:
    """Do not run the last work-items, for which a multiple of the id is not below a bound.

    The guard stays: all work-items run where the number that multiplies the id is not positive, or
    where the sum may wrap.
    """
    predicate, value, bound = predicate_of(guard), guard.lhs, guard.rhs
    if predicate in SWAPPED:
        predicate, value, bound = SWAPPED[predicate], bound, value
    if predicate not in ("slt", "sle", "ult", "ule") or not is_hoistable(bound, region):
        return
    dimension = next((d for d in range(3) if _is_sum(value, region, d)), None)
    # Vectors access multiples by a constant.
    known = linear(value).factors
    if dimension is None or any(_local_dimension(region, v) == dimension for v in known):
        return
    size = constant_value(region.sizes[dimension])
    if size is None or size > _MOST_ITEMS or bits_of(value.type) < _SAFE_BITS:
        return
    if any(depends_on_group(v, set()) for v in (value, bound)):
        # A guard of global ids is for wg-split-guards.
        return
    build = Build(region)
    zero, one, large = build.index(0), build.index(1), build.index(_LARGE)
    id = region.local_ids[dimension]
    plus, next_one = (build.as_index(hoisted(value, region, {id: n})) for n in (zero, one))
    times = build.sub(next_one, plus)
    is_small = build.and_(
        build.compare("ult", build.sub(times, one), large), build.compare("ult", plus, large)
    )
    times = build.select(is_small, times, one)
    signed = predicate.startswith("s")
    end = hoisted(bound, region)
    end = build.as_index(end) if signed else build.unsigned_index(end)
    end = build.min(end, build.index(_LARGE * _MOST_ITEMS), signed=signed)
    if predicate.endswith("e"):
        end = build.add(end, one)
    distance = build.max(build.sub(end, plus), zero, signed=True)
    rounded_up = build.add(distance, build.sub(times, one))
    count = build.emit(arith.DivUIOp(rounded_up, times))
    all = region.sizes[dimension]
    count = build.min(count, all, signed=False)
    _shrink(region, dimension, build.select(is_small, count, all), "with")


def _is_sum(value: SSAValue, region: wg.ParallelOp, dimension: int) -> bool:
    """Whether a value is `times * id + plus`, modulo the width of its type, of two numbers that
    the group knows."""
    owner = value.owner
    if _local_dimension(region, value) == dimension or is_hoistable(value, region):
        return True
    match owner:
        case arith.AddiOp() | arith.SubiOp():
            return all(_is_sum(operand, region, dimension) for operand in owner.operands)
        case arith.MuliOp():
            known = [operand for operand in owner.operands if is_hoistable(operand, region)]
            return bool(known) and all(_is_sum(v, region, dimension) for v in owner.operands)
        case arith.IndexCastOp():
            has_all_bits = bits_of(owner.input.type) == bits_of(value.type)
            return has_all_bits and _is_sum(owner.input, region, dimension)
        case arith.ShLIOp():
            return is_hoistable(owner.rhs, region) and _is_sum(owner.lhs, region, dimension)
        case _:
            return False


def _size_below(
    region: wg.ParallelOp, dimension: int, bound: SSAValue, predicate: str, build: Build
) -> SSAValue:
    """How many ids are below (or at) a bound."""
    signed = predicate.startswith("s")
    bound = build.as_index(bound) if signed else build.unsigned_index(bound)
    size = region.sizes[dimension]
    if predicate.endswith("e"):
        # The bound may be the largest number, so it is clipped before one is added.
        one = build.index(1)
        last = build.sub(size, one)
        bound = build.add(build.min(bound, last, signed=signed), one)
    if not signed:
        return build.min(bound, size, signed=False)
    known, most = constant_value(bound), constant_value(size)
    if known is not None and most is not None:
        return build.index(min(max(known, 0), most))
    zero = build.index(0)
    return build.min(build.max(bound, zero, signed=True), size, signed=True)


def _shrink(region: wg.ParallelOp, dimension: int, size: SSAValue, guard: str = "without") -> None:
    region.operands[dimension] = size
    emit_remark(
        region,
        WgClipGuardsPass.name,
        f"runs for the work-items below a bound along {'xyz'[dimension]}, {guard} a guard",
    )
