"""A function's blocks -> `cf`, with variables as block arguments."""

from __future__ import annotations

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import DenseIntElementsAttr, IntegerType, VectorType
from xdsl.ir import Block, Operation, Region, SSAValue

from polycl.dialects import ocl, vec
from polycl.frontends.opencl_c.builder import remove_unused
from polycl.frontends.opencl_c.joins import START, Joins
from polycl.frontends.opencl_c.jumps import Choose, End, Jump, SimpleBlock, Test
from polycl.frontends.opencl_c.statements import StatementEmitter
from polycl.frontends.opencl_c.tree import Variable


def emit_jumps(emitter: StatementEmitter, blocks: list[SimpleBlock], is_kernel: bool) -> Region:
    """The body of a function, whose parameters are already in the emitter's entry block."""
    return _JumpEmitter(emitter, blocks, is_kernel).run()


class _JumpEmitter:
    def __init__(self, emitter: StatementEmitter, blocks: list[SimpleBlock], is_kernel: bool):
        self._emitter = emitter
        self._blocks = blocks
        self._is_kernel = is_kernel
        self._start = dict(emitter.values)
        self._joins = Joins(blocks)
        self._made = {block: Block() for block in blocks}
        self._order: list[Block] = []
        self._at_end: dict[SimpleBlock, dict[Variable, SSAValue]] = {}
        """The variables at the end of each emitted block."""

    def run(self) -> Region:
        emitter = self._emitter
        for block in self._blocks:
            emitter.location = block.location
            made = self._made[block]
            for variable in self._joins.arguments[block]:
                argument = made.insert_arg(variable.type.value, len(made.args))
                argument.name_hint = variable.hint
                argument.location = emitter.loc()
        first = self._blocks[0]
        if any(first in block.targets() for block in self._blocks):
            # The entry block of a function has no predecessors.
            emitter.location = first.location
            self._order.append(emitter.block)
            emitter.add(cf.BranchOp(self._made[first], *self._passed(first)))
        else:
            self._made[first] = emitter.block
        for block in self._blocks:
            self._emit(block)
        for made in reversed(self._order):
            remove_unused(made)
        return Region(self._order)

    def _emit(self, block: SimpleBlock) -> None:
        emitter, made = self._emitter, self._made[block]
        self._order.append(made)
        emitter.block = made
        emitter.values = {}
        for variable, source in self._joins.sources[block].items():
            known = self._start if source is START else self._at_end.get(source, {})
            if variable in known:
                emitter.values[variable] = known[variable]
        if arguments := self._joins.arguments[block]:
            emitter.values.update(zip(arguments, made.args, strict=True))
        emitter.statements(block.statements)
        self._way(block)
        self._at_end[block] = emitter.values

    def _passed(self, target: SimpleBlock) -> list[SSAValue]:
        return [self._emitter.get(variable) for variable in self._joins.arguments[target]]

    def _way(self, block: SimpleBlock) -> None:
        emitter = self._emitter
        emitter.location = block.location
        match block.way:
            case Jump(target=target):
                emitter.add(cf.BranchOp(self._made[target], *self._passed(target)))
            case Test(condition=condition, then=then, otherwise=otherwise):
                test = emitter.condition(condition)
                self._branch(test, then, self._made[otherwise], self._passed(otherwise))
            case Choose():
                self._choose(block.way)
            case End(value=value):
                result = None if value is None else emitter.effect(value)
                emitter.location = block.location
                emitter.add(self._return(result))

    def _return(self, result: SSAValue | None) -> Operation:
        if self._is_kernel:
            return ocl.ReturnOp()
        return func.ReturnOp() if result is None else func.ReturnOp(result)

    def _branch(
        self,
        condition: SSAValue,
        then: SimpleBlock,
        otherwise: Block,
        passed: list[SSAValue],
    ) -> None:
        first = self._passed(then)
        self._emitter.add(
            cf.ConditionalBranchOp(condition, self._made[then], first, otherwise, passed)
        )

    def _choose(self, way: Choose) -> None:
        emitter = self._emitter
        value = emitter.emit(way.value)
        assert isinstance(value.type, IntegerType)
        single = [(low, block) for low, high, block in way.cases if low == high]
        for low, high, target in way.cases:
            if low == high:
                continue
            # `case 1 ... 5:` is an unsigned comparison of the distance from 1.
            distance = emitter.op(arith.SubiOp, value, emitter.constant(low, value.type))
            last = emitter.constant(high - low, value.type)
            inside = emitter.compare(arith.CmpiOp, "ule", distance, last)
            after = Block()
            self._branch(inside, target, after, [])
            self._order.append(after)
            emitter.block = after
        if not single:
            emitter.add(cf.BranchOp(self._made[way.default], *self._passed(way.default)))
            return
        numbers = [vec.signed(number, value.type.width.data) for number, _ in single]
        emitter.add(
            cf.SwitchOp(
                value,
                self._made[way.default],
                self._passed(way.default),
                DenseIntElementsAttr.from_list(VectorType(value.type, [len(single)]), numbers),
                [self._made[block] for _, block in single],
                [self._passed(block) for _, block in single],
            )
        )
