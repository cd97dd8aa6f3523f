"""Write the `wg.func` of a plan."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    LocationAttr,
    ModuleOp,
    i1,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.parallel_regions import (
    Branch,
    Combined,
    CountedLoop,
    GroupOp,
    Item,
    Mask,
    ParallelRegion,
    Plan,
    Slot,
    WhileLoop,
)
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl import sub_group_size_of
from polycl.dialects.ocl.debug import is_debug_build
from polycl.dialects.ocl.kernel import ENQUEUED_LOCAL_SIZE, NON_UNIFORM
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_expand_sub_groups import first_of_sub_group, group_size
from polycl.lowering.ocl.ocl_to_wg.crossing import Crossing

Values = dict[SSAValue, SSAValue]


class Emitter:
    """Builds one `wg.func`, and lists its context arrays in `contexts`."""

    def __init__(self, kernel: ocl.KernelOp, plan: Plan):
        self._plan = plan
        self.crossing = Crossing(plan)
        self._entry = Block(arg_types=kernel.function_type.inputs)
        self._group: Values = {}
        self.contexts: list[wg.ContextOp] = []
        self._context_of: dict[Slot, wg.ContextOp] = {}
        self._entered: list[Mask] = []
        """Those for which a counted loop around is entered by some work-item."""
        self._first_id: dict[int, SSAValue] = {}
        self._private: dict[SSAValue, Slot] = {}
        self._prologue: list[Operation] = []
        """Operations at the top of the function, whose values every region may need."""
        self._map_all(kernel.args, self._entry.args)
        self._kernel = kernel
        self.sizes = [self._local_size(kernel, dimension) for dimension in range(3)]
        self.sub_group_size = sub_group_size_of(kernel)
        self._items(plan.items, self._entry)
        end = wg.ReturnOp()
        self._entry.add_op(end)
        self._entry.insert_ops_before(self._prologue, self._entry.first_op or end)
        self.function = wg.FuncOp(
            kernel.sym_name.data,
            kernel.function_type,
            Region(self._entry),
            kernel.param_attrs,
            reqd_work_group_size=kernel.required_size,
            assume=kernel.assumptions,
        )
        if kernel.work_group_size_hint is not None:
            self.function.work_group_size_hint = kernel.work_group_size_hint
        self.function.attributes = dict(kernel.attributes)
        self.function.location = kernel.location
        if kernel.required_size is not None:
            self.function.set_local_size(kernel.required_size)

    def _local_size(self, kernel: ocl.KernelOp, dimension: int) -> SSAValue:
        required = kernel.required_size
        if required is None:
            op: Operation = ocl.LocalSizeOp(dimension)
        else:
            op = arith.ConstantOp(IntegerAttr(required[dimension], IndexType()))
        op.location = kernel.location
        op.results[0].name_hint = f"l{'xyz'[dimension]}"
        self._prologue.append(op)
        return op.results[0]

    def _enqueued_size(self, dimension: int) -> SSAValue:
        """The local size that the launch gives, between the first work-items of two groups."""
        kernel = self._kernel
        given = kernel.attributes.get(ENQUEUED_LOCAL_SIZE)
        if isinstance(given, DenseArrayBase):
            number = int(given.get_values()[dimension])
            op: Operation = arith.ConstantOp(IntegerAttr(number, IndexType()))
        elif NON_UNIFORM in kernel.attributes and kernel.required_size is None:
            op = ocl.EnqueuedLocalSizeOp(dimension)
        else:
            return self.sizes[dimension]
        op.location = kernel.location
        self._prologue.append(op)
        return op.results[0]

    def first_global_id(self, dimension: int) -> SSAValue:
        """The global id of the group's first work-item along one dimension."""
        if dimension not in self._first_id:
            group, offset = ocl.GroupIdOp(dimension), ocl.GlobalOffsetOp(dimension)
            self._prologue += (group, offset)
            start = arith.MuliOp(group, self._enqueued_size(dimension))
            first = arith.AddiOp(start, offset)
            self._prologue += (start, first)
            first.result.name_hint = f"first_{'xyz'[dimension]}"
            self._first_id[dimension] = first.result
        return self._first_id[dimension]

    def context(self, slot: Slot) -> SSAValue:
        if slot not in self._context_of:
            op = wg.ContextOp(slot.type)
            op.result.name_hint = slot.name
            self._prologue.append(op)
            self._context_of[slot] = op
            self.contexts.append(op)
        return self._context_of[slot].result

    # Items

    def _map(self, old: SSAValue, new: SSAValue) -> None:
        self._group[old] = new
        new.name_hint = old.name_hint

    def _map_all(self, olds: Sequence[SSAValue], news: Sequence[SSAValue]) -> None:
        for old, new in zip(olds, news, strict=True):
            self._map(old, new)

    def _items(self, items: Sequence[Item], block: Block) -> None:
        for item in items:
            match item:
                case ParallelRegion():
                    block.add_op(self._parallel(item))
                case GroupOp():
                    block.add_op(item.op.clone(self._group))
                case Combined():
                    block.add_op(self._combined(item))
                case Branch():
                    self._branch(item, block)
                case CountedLoop():
                    block.add_op(self._counted_loop(item, block))
                case WhileLoop():
                    self._while_loop(item, block)

    def _combined(self, item: Combined) -> Operation:
        op, width, kind = item.op, self.sub_group_size, item.op.kind.data
        source = self.context(item.source)
        active = None if item.mask is None else self.context(item.mask.slot)
        if item.target is None:
            new = wg.ReduceOp(kind, width, source, active)
            self._map(op.result, new.result)
        elif isinstance(op, ocl.GroupReduceOp):
            width = min(op.cluster_size or width, width)
            new = wg.ReduceRowsOp(kind, width, source, self.context(item.target), active)
        else:
            exclusive, whole = op.exclusive is not None, not op.is_sub_group
            target = self.context(item.target)
            new = wg.ScanOp(kind, width, source, target, active, whole=whole, exclusive=exclusive)
        new.location = op.location
        return new

    def passed_on(self, op: ocl.GroupShuffleOp) -> SSAValue:
        """The array with the values of all work-items."""
        return self.context(self._plan.sources[op.value])

    def _branch(self, item: Branch, block: Block) -> None:
        if item.divergent:
            self._items(item.then, block)
            self._items(item.orelse, block)
            return
        then, otherwise = (
            self._side(old, items, item.op.results)
            for old, items in zip(item.op.regions, (item.then, item.orelse), strict=True)
        )
        results = self._of_group(item.op.results)
        op = scf.IfOp(self._group[item.op.cond], [r.type for r in results], then, otherwise)
        op.location = item.op.location
        block.add_op(op)
        self._map_all(results, op.results)

    def _side(self, old: Region, items: Sequence[Item], results: Sequence[SSAValue]) -> Region:
        if not old.blocks:
            return Region()
        new = Block()
        self._items(items, new)
        self._yield(new, old.block, results)
        return Region(new)

    def _of_group(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """The values that exist once for the group."""
        return [value for value in values if value in self._plan.group_values]

    def _carried(self, values: Sequence[SSAValue], targets: Sequence[SSAValue]) -> list[SSAValue]:
        """The new ones of `values` that become values of the group, as `targets`."""
        pairs = zip(values, targets, strict=True)
        return [self._group[value] for value, target in pairs if target in self._plan.group_values]

    def _yield(self, block: Block, old: Block, targets: Sequence[SSAValue]) -> None:
        block.add_op(scf.YieldOp(*self._carried(terminator(old).operands, targets)))

    def _block(self, arguments: Sequence[SSAValue]) -> Block:
        """A block with those of the arguments that exist once for the group."""
        kept = self._of_group(arguments)
        block = Block(arg_types=[argument.type for argument in kept])
        self._map_all(kept, block.args)
        return block

    def _counted_loop(self, item: CountedLoop, block: Block) -> Operation:
        old = item.op
        _, *args = old.body.block.args
        inits = self._carried(old.iter_args, args)
        lb, ub, step = (self._group[bound] for bound in (old.lb, old.ub, old.step))
        body = self._block(old.body.block.args)
        mask = None if item.mask in self._entered else item.mask
        if mask is not None:
            self._entered.append(mask)
        self._items(item.body, body)
        self._yield(body, old.body.block, args)
        op = scf.ForOp(lb, ub, step, inits, Region(body))
        op.location = old.location
        if mask is not None:
            self._entered.remove(mask)
            op = self._if_any(mask, op, block)
        carried = zip(old.results, args, strict=True)
        self._map_all([r for r, arg in carried if arg in self._plan.group_values], op.results)
        return op

    def _if_any(self, mask: Mask, loop: scf.ForOp, block: Block) -> Operation:
        """The loop, if any work-item enters it: it may be long."""
        any_active = wg.AnyOp(self.context(mask.slot))
        any_active.location = loop.location
        block.add_op(any_active)
        types = [result.type for result in loop.results]
        then = Region(Block([loop, scf.YieldOp(*loop.results)]))
        orelse = Region(Block([scf.YieldOp(*loop.iter_args)])) if types else None
        branch = scf.IfOp(any_active.result, types, then, orelse)
        branch.location = loop.location
        return branch

    def _while_loop(self, item: WhileLoop, block: Block) -> None:
        old = item.op
        old_before, old_after = old.before_region.block, old.after_region.block
        inits = self._carried(old.arguments, old_before.args)
        before, after = self._block(old_before.args), self._block(old_after.args)
        self._items(item.before, before)
        condition = condition_of(old)
        if item.mask is None:
            again = self._group[condition.condition]
        else:
            any_active = wg.AnyOp(self.context(item.mask.slot))
            any_active.location = old.location
            before.add_op(any_active)
            again = any_active.result
        before.add_op(scf.ConditionOp(again, *self._carried(condition.args, old_after.args)))
        self._items(item.after, after)
        self._yield(after, old_after, old_before.args)
        results = self._of_group(old.results)
        op = scf.WhileOp(inits, [r.type for r in results], Region(before), Region(after))
        op.location = old.location
        block.add_op(op)
        self._map_all(results, op.results)

    # Parallel regions

    def _parallel(self, region: ParallelRegion) -> Operation:
        op = wg.ParallelOp(self.sizes)
        for arg, name in zip(op.local_ids, "xyz", strict=True):
            arg.name_hint = name
        if region.ops:
            op.location = region.ops[0].location
        body = _RegionBody(self, op.local_ids, dict(self._group))
        results = self._masked(region, op.body.block, body)
        op.body.block.add_op(wg.YieldOp([body.values[value] for value in results]))
        if results:
            typed = wg.ParallelOp(
                self.sizes, op.detach_region(op.body), [value.type for value in results]
            )
            typed.location = op.location
            op.erase()
            op = typed
        self._map_all(results, op.res)
        return op

    def _masked(
        self, region: ParallelRegion, block: Block, body: _RegionBody
    ) -> Sequence[SSAValue]:
        if region.mask is None:
            return body.fill(region, block)
        active = wg.GetOp(self.context(region.mask.slot), body.local_ids)
        inside, otherwise = Block(), Block()
        body.fill(region, inside)
        inside.add_op(scf.YieldOp())
        for mask, _, _ in region.mask_puts:
            if mask is not region.mask:
                body.put_constant(mask, False, otherwise)
        orelse = Region()
        if otherwise.first_op is not None:
            otherwise.add_op(scf.YieldOp())
            orelse.add_block(otherwise)
        block.add_ops([active, scf.IfOp(active.result, (), Region(inside), orelse)])
        return ()

    # What a region's body needs

    def again_at(self, op: Operation) -> LocationAttr:
        """The location of what is computed again in another region. A debugger would stop there a
        second time."""
        module = self._kernel.parent_op()
        is_shown = not isinstance(module, ModuleOp) or not is_debug_build(module)
        return op.location if is_shown else self._kernel.location

    def private_context(self, alloca: ocl.AllocaOp) -> SSAValue:
        slot = self._private.setdefault(
            alloca.result, Slot(ocl.pointee_of(alloca.result), alloca.result.name_hint)
        )
        return self.context(slot)


class _RegionBody:
    """The body of one `wg.parallel`: operations, and the values they need from elsewhere."""

    def __init__(self, emitter: Emitter, local_ids: Sequence[SSAValue], values: Values):
        self._emitter = emitter
        self.local_ids = local_ids
        self.values = values

    def fill(self, region: ParallelRegion, block: Block) -> Sequence[SSAValue]:
        """Add the region's operations and puts; returns the values that are its results."""
        crossing = self._emitter.crossing
        results: list[SSAValue] = []
        for op in region.ops:
            for value in _captured(op):
                self._resolve(value, block)
            new = op.clone(self.values)
            block.add_op(new)
            for old, copy in zip(operations_in(op), operations_in(new), strict=True):
                if isinstance(old, ocl.GroupShuffleOp) and isinstance(copy, ocl.GroupShuffleOp):
                    self._shuffle(old, copy)
            for result in op.results:
                if result in crossing.slots:
                    self._put(crossing.slots[result], self.values[result], block, op)
                if result in crossing.results:
                    results.append(result)
        # All values first: a put may overwrite what another one still has to read.
        puts = [(slot, self._resolve(value, block)) for slot, value in region.puts]
        mask_puts = [
            (mask, None if value is None else self._resolve(value, block), wanted)
            for mask, value, wanted in region.mask_puts
        ]
        for slot, value in puts:
            self._put(slot, value, block)
        for mask, value, wanted in mask_puts:
            if value is None:
                self.put_constant(mask, True, block)
                continue
            if not wanted:
                true = arith.ConstantOp(IntegerAttr(1, i1))
                negated = arith.XOrIOp(value, true)
                block.add_ops([true, negated])
                value = negated.result
            self._put(mask.slot, value, block)
        return results

    def _shuffle(self, old: ocl.GroupShuffleOp, copy: ocl.GroupShuffleOp) -> None:
        """Read the slot of another work-item instead, at an index that is always in bounds."""
        sizes, width = self._emitter.sizes, self._emitter.sub_group_size
        index, build = copy.index, Build(copy)
        if old.is_sub_group:
            first = first_of_sub_group(build, self.local_ids, sizes, width)
            index = build.or_(first, build.and_(index, build.index(width - 1)))
        total = group_size(build, sizes)
        number = constant_index(total)
        if not old.is_sub_group or number is None or number % width:
            index = build.min(index, build.sub(total, build.index(1)), signed=False)
        value = build.emit(wg.PeekOp(self._emitter.passed_on(old), index))
        Rewriter.replace_op(copy, [], [value])
        if self.values.get(old.result) is copy.result:
            self.values[old.result] = value

    def put_constant(self, mask: Mask, value: bool, block: Block) -> None:
        """Set the work-item's flag in `mask`."""
        constant = arith.ConstantOp(IntegerAttr(int(value), i1))
        block.add_op(constant)
        self._put(mask.slot, constant.result, block)

    def _put(
        self, slot: Slot, value: SSAValue, block: Block, origin: Operation | None = None
    ) -> None:
        put = wg.PutOp(value, self._emitter.context(slot), self.local_ids)
        if origin is not None:
            put.location = origin.location
        block.add_op(put)

    def _resolve(self, value: SSAValue, block: Block) -> SSAValue:
        """The value inside this region: computed, read from its slot, or already there."""
        if value not in self.values:
            new = self._materialise(value, block)
            if new.name_hint is None:
                new.name_hint = value.name_hint
            self.values[value] = new
        return self.values[value]

    def _materialise(self, value: SSAValue, block: Block) -> SSAValue:
        crossing = self._emitter.crossing
        owner = value.owner
        if value in crossing.slots:
            op: Operation = wg.GetOp(self._emitter.context(crossing.slots[value]), self.local_ids)
        elif isinstance(owner, ocl.LocalIdOp):
            return self.local_ids[owner.dimension]
        elif isinstance(owner, ocl.GlobalIdOp):
            first = self._emitter.first_global_id(owner.dimension)
            op = arith.AddiOp(first, self.local_ids[owner.dimension])
        elif isinstance(owner, ocl.AllocaOp):
            op = self._private_memory(owner)
        else:
            assert isinstance(owner, Operation)
            for operand in owner.operands:
                self._resolve(operand, block)
            op = owner.clone(dict(self.values))
        if isinstance(owner, Operation):
            op.location = self._emitter.again_at(owner)
        block.add_op(op)
        return op.results[0]

    def _private_memory(self, alloca: ocl.AllocaOp) -> Operation:
        if not self._emitter.crossing.needs_context(alloca):
            return alloca.clone()
        return wg.SlotOp(self._emitter.private_context(alloca), self.local_ids)


def _captured(op: Operation) -> list[SSAValue]:
    """The values from outside that `op` or an operation inside it uses, in order."""
    inside: set[SSAValue] = set()
    captured: dict[SSAValue, None] = {}
    for inner in operations_in(op):
        # A shuffle reads the slots of others.
        operands = (inner.index,) if isinstance(inner, ocl.GroupShuffleOp) else inner.operands
        for operand in operands:
            if operand not in inside:
                captured[operand] = None
        inside.update(inner.results)
        for region in inner.regions:
            for block in region.blocks:
                inside.update(block.args)
    return list(captured)
