"""Control flow: `scf`, `cf`, calls and returns.

Each structured operation has a plain form, and a waiting form for bodies with a barrier. They are
equal line by line; the waiting form executes its body with `yield from`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from xdsl.dialects import cf, func, scf, ub
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import SymbolTable

from polycl.backends.interp.elementwise import width_of
from polycl.backends.interp.integers import signed
from polycl.backends.interp.state import Frame, run_error
from polycl.backends.interp.translate import (
    Body,
    EndHandler,
    JumpOrValues,
    OpHandler,
    Step,
    Translator,
    Wait,
    Waiting,
    inside,
)
from polycl.dialects import ocl, wg
from polycl.errors import error_at

_NOTHING = Body(lambda frame: (), False)
"""An absent `else`."""


def _assign(frame: Frame, slots: Sequence[int], values: Sequence[Any]) -> None:
    for slot, value in zip(slots, values, strict=True):
        frame[slot] = value


def _choice(
    op: Operation, t: Translator, bodies: Sequence[Body], choose: Callable[[Frame], int]
) -> Step | Waiting:
    """Runs the body with the number that `choose` gives; its values are the results."""
    results = t.slots(op.results)
    runs = [body.run for body in bodies]
    waits = [body.waits for body in bodies]

    def step(frame: Frame) -> None:
        _assign(frame, results, runs[choose(frame)](frame))

    def waiting(frame: Frame) -> Wait:
        number = choose(frame)
        values = (yield from runs[number](frame)) if waits[number] else runs[number](frame)
        _assign(frame, results, values)

    return Waiting(waiting) if any(waits) else step


def _if(op: scf.IfOp, t: Translator) -> Step | Waiting:
    condition = t.slot(op.cond)
    then = t.region(op.true_region)
    otherwise = t.region(op.false_region) if op.false_region.blocks else _NOTHING
    return _choice(op, t, (otherwise, then), lambda frame: 1 if frame[condition] else 0)


def _index_switch(op: scf.IndexSwitchOp, t: Translator) -> Step | Waiting:
    argument = t.slot(op.arg)
    bodies = [t.region(op.default_region), *(t.region(region) for region in op.case_regions)]
    mask = (1 << 64) - 1
    cases = {int(c) & mask: i + 1 for i, c in enumerate(op.cases.get_values())}
    return _choice(op, t, bodies, lambda frame: cases.get(frame[argument], 0))


def _execute_region(op: scf.ExecuteRegionOp, t: Translator) -> Step | Waiting:
    return _choice(op, t, [t.region(op.region)], lambda frame: 0)


def _for(op: scf.ForOp, t: Translator) -> Step | Waiting:
    lower, upper, stride = t.slots((op.lb, op.ub, op.step))
    start = t.slots(op.iter_args)
    induction, *carried = t.slots(op.body.block.args)
    results = t.slots(op.res)
    position = t.program.position()
    body = t.region(op.body)
    run = body.run
    width = width_of(op.lb.type)
    read, mask = signed(width), (1 << width) - 1

    def bounds(frame: Frame) -> range:
        by = read(frame[stride])
        if by <= 0:
            raise run_error(op, frame[0], f"the step of a loop must be positive, got {by}")
        return range(read(frame[lower]), read(frame[upper]), by)

    def step(frame: Frame) -> None:
        values: Sequence[Any] = [frame[slot] for slot in start]
        for number in bounds(frame):
            frame[induction] = number & mask
            _assign(frame, carried, values)
            values = run(frame)
        _assign(frame, results, values)

    def waiting(frame: Frame) -> Wait:
        values: Sequence[Any] = [frame[slot] for slot in start]
        for iteration, number in enumerate(bounds(frame)):
            frame[induction] = number & mask
            _assign(frame, carried, values)
            values = yield from inside(run(frame), position, iteration)
        _assign(frame, results, values)

    return Waiting(waiting) if body.waits else step


def _while(op: scf.WhileOp, t: Translator) -> Step | Waiting:
    start = t.slots(op.arguments)
    before_arguments = t.slots(op.before_region.block.args)
    after_arguments = t.slots(op.after_region.block.args)
    results = t.slots(op.res)
    position = t.program.position()
    before, after = t.region(op.before_region), t.region(op.after_region)
    test, run = before.run, after.run

    def step(frame: Frame) -> None:
        values: Sequence[Any] = [frame[slot] for slot in start]
        while True:
            _assign(frame, before_arguments, values)
            condition, *values = test(frame)
            if not condition:
                break
            _assign(frame, after_arguments, values)
            values = run(frame)
        _assign(frame, results, values)

    def waiting(frame: Frame) -> Wait:
        values: Sequence[Any] = [frame[slot] for slot in start]
        for iteration in count():
            _assign(frame, before_arguments, values)
            found = test(frame)
            if before.waits:
                found = yield from inside(found, position, iteration)
            condition, *values = found
            if not condition:
                break
            _assign(frame, after_arguments, values)
            values = run(frame)
            if after.waits:
                values = yield from inside(values, position, iteration)
        _assign(frame, results, values)

    return Waiting(waiting) if before.waits or after.waits else step


def _call(op: func.CallOp, t: Translator) -> Step | Waiting:
    callee = _callee(op, op.callee)
    arguments, results = t.slots(op.arguments), t.slots(op.res)
    position = t.program.position()
    code = t.program.function(callee, op)
    call = code.call

    def step(frame: Frame) -> None:
        _assign(frame, results, call(frame[0], [frame[slot] for slot in arguments]))

    def waiting(frame: Frame) -> Wait:
        wait = call(frame[0], [frame[slot] for slot in arguments])
        values = yield from inside(wait, position)
        _assign(frame, results, values)

    return Waiting(waiting) if code.waits else step


def _callee(op: Operation, symbol: SymbolRefAttr) -> func.FuncOp:
    callee = SymbolTable.lookup_symbol(op, symbol)
    if not isinstance(callee, func.FuncOp):
        raise error_at(op, f"call of {symbol}, which is not a function of this module")
    if callee.is_declaration:
        raise error_at(op, f"call of {symbol}, which has no body in this module")
    return callee


def values_of(op: Operation, t: Translator) -> Callable[[Frame], JumpOrValues]:
    """A terminator whose operands are the results of a region."""
    slots = t.slots(op.operands)
    match slots:
        case ():
            return lambda frame: ()
        case (slot,):
            return lambda frame: (frame[slot],)
        case _:
            return lambda frame: tuple([frame[slot] for slot in slots])


def _number(block: Block) -> int:
    region = block.parent
    assert region is not None
    return region.get_block_index(block)


def _jump(t: Translator, block: Block, operands: Sequence[SSAValue]) -> Callable[[Frame], int]:
    """Passes `operands` to the arguments of `block`."""
    number, sources, targets = _number(block), t.slots(operands), t.slots(block.args)

    def jump(frame: Frame) -> int:
        # Read all before writing any: a block may swap its own arguments.
        _assign(frame, targets, [frame[source] for source in sources])
        return number

    return jump


def _branch(op: cf.BranchOp, t: Translator) -> Callable[[Frame], JumpOrValues]:
    return _jump(t, op.successor, op.arguments)


def _conditional_branch(
    op: cf.ConditionalBranchOp, t: Translator
) -> Callable[[Frame], JumpOrValues]:
    condition = t.slot(op.cond)
    then = _jump(t, op.then_block, op.then_arguments)
    otherwise = _jump(t, op.else_block, op.else_arguments)
    return lambda frame: then(frame) if frame[condition] else otherwise(frame)


def _switch(op: cf.SwitchOp, t: Translator) -> Callable[[Frame], JumpOrValues]:
    flag = t.slot(op.flag)
    default = _jump(t, op.default_block, op.default_operands)
    mask = (1 << width_of(op.flag.type)) - 1
    values = () if op.case_values is None else op.case_values.get_values()
    jumps = [
        _jump(t, block, operands)
        for block, operands in zip(op.case_blocks, op.case_operand, strict=True)
    ]
    cases = {int(value) & mask: jump for value, jump in zip(values, jumps, strict=True)}
    return lambda frame: cases.get(frame[flag], default)(frame)


def _unreachable(op: ub.UnreachableOp, t: Translator) -> Callable[[Frame], JumpOrValues]:
    def end(frame: Frame) -> JumpOrValues:
        raise run_error(op, frame[0], "'ub.unreachable' was reached")

    return end


def _assert(op: cf.AssertOp, t: Translator) -> Step:
    condition = t.slot(op.arg)

    def step(frame: Frame) -> None:
        if not frame[condition]:
            raise run_error(op, frame[0], f"assertion failed: {op.msg.data}")

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    scf.IfOp: _if,
    scf.IndexSwitchOp: _index_switch,
    scf.ExecuteRegionOp: _execute_region,
    scf.ForOp: _for,
    scf.WhileOp: _while,
    func.CallOp: _call,
    cf.AssertOp: _assert,
}

TERMINATORS: dict[type[Operation], EndHandler] = {
    scf.YieldOp: values_of,
    scf.ConditionOp: values_of,
    func.ReturnOp: values_of,
    wg.YieldOp: values_of,
    ocl.ReturnOp: values_of,
    wg.ReturnOp: values_of,
    cf.BranchOp: _branch,
    cf.ConditionalBranchOp: _conditional_branch,
    cf.SwitchOp: _switch,
    ub.UnreachableOp: _unreachable,
}
