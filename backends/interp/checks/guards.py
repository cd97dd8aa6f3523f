"""Wrappers around the interpreter's own steps.

An operation that computes gives an unset result for an unset operand: on vectors, element by
element. An operation that decides (a branch, a loop's bounds) must not get an unset operand. An
error of an operation is a finding, and the launch continues with a zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, cf, math, scf, vector
from xdsl.dialects.builtin import IndexType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.backends.interp.checks.findings import Severity
from polycl.backends.interp.checks.poison import Poison, poison_in, poison_of
from polycl.backends.interp.codec import UnsupportedType, codec_of
from polycl.backends.interp.elementwise import width_of
from polycl.backends.interp.integers import undefined_division
from polycl.backends.interp.ops.run_arith import is_signed_division
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import (
    OpHandler,
    Step,
    Translator,
    Wait,
    Waiting,
)
from polycl.dialects import ocl, vec
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.errors import LaunchError, SourceError, location_of

DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)
SHIFTS = (arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)


def _kind(op: Operation) -> str:
    """The kind of an error that `op` raises."""
    if isinstance(op, (*DIVISIONS, math.IPowIOp)):
        return "division"
    if isinstance(op, SHIFTS):
        return "shift"
    return "bounds" if isinstance(op, vector.ExtractOp | vector.InsertOp) else "other"


def _strict_operands(op: Operation) -> Sequence[SSAValue]:
    """The operands that `op` computes with; it only moves the others."""
    match op:
        case vector.ExtractOp() | vector.InsertOp():
            return tuple(op.dynamic_position)
        case ocl.ShuffleOp() | ocl.Shuffle2Op():
            return (op.mask,)
        case (
            ocl.ExtractOp()
            | ocl.InsertOp()
            | ocl.ConcatOp()
            | vector.ShuffleOp()
            | vector.BroadcastOp()
            | ocl.CastOp()
            | ocl.PrefetchOp()
        ):
            return ()
        case _:
            return tuple(op.operands)


# Their results do not depend on the elements at the same places.
_NOT_BY_ELEMENT = (
    arith.BitcastOp,
    vector.BitcastOp,
    ocl.BitcastOp,
    ocl.ShuffleOp,
    ocl.Shuffle2Op,
)


def _by_element(op: Operation) -> bool:
    """Whether element i of every result depends on the elements i of the operands only."""
    if isinstance(op, _NOT_BY_ELEMENT):
        return False
    if isinstance(op, ocl.BuiltinOp) and BUILTINS[op.function.data].is_geometric:
        return False
    types = [value.type for value in (*op.operands, *op.results)]
    counts = {type.element_count() if isinstance(type, VectorType) else 0 for type in types}
    return len(counts) == 1 and 0 not in counts


def strict(handler: OpHandler) -> OpHandler:
    """The handler of an operation that computes, with checks."""

    def handle(op: Any, t: Translator) -> Step | Waiting | None:
        step = handler(op, t)
        if step is None or isinstance(step, Waiting):
            return step
        return _guarded(op, t, step)

    return handle


def _guarded(op: Operation, t: Translator, step: Step) -> Step:
    computed = [v for v in _strict_operands(op) if not isinstance(v.owner, arith.ConstantOp)]
    slots = tuple(dict.fromkeys(t.slots(computed)))
    scalar = not any(_is_composite(value.type) for value in computed)
    results = tuple((t.slot(result), result.type) for result in op.results)
    spread = _spread(op, t, step) if _by_element(op) else None

    def failed(frame: Frame, error: LaunchError) -> None:
        _tell(op, frame, error)
        for slot, type in results:
            frame[slot] = zero_of(type)

    def unset(frame: Frame, poison: Poison) -> None:
        if spread is not None:
            spread(frame, poison)
            return
        for slot, type in results:
            frame[slot] = poison_of(type, poison)

    def run(frame: Frame) -> None:
        for slot in slots:
            poison = poison_in(frame[slot])
            if poison is not None:
                unset(frame, poison)
                return
        try:
            step(frame)
        except LaunchError as error:
            failed(frame, error)

    if not scalar or len(slots) not in (1, 2):
        return run
    first, last = slots[0], slots[-1]

    def run_scalar(frame: Frame) -> None:
        if type(frame[first]) is Poison:
            unset(frame, frame[first])
            return
        if type(frame[last]) is Poison:
            unset(frame, frame[last])
            return
        try:
            step(frame)
        except LaunchError as error:
            failed(frame, error)

    return run_scalar


def _tell(op: Operation, frame: Frame, error: LaunchError) -> None:
    """Keep an error of `op`."""
    item = frame[0]
    text = error.message if isinstance(error, SourceError) else str(error)
    item.launch.error(_kind(op), op, item, text.removesuffix(f"; in {item}"))


def _is_composite(type: Attribute) -> bool:
    return isinstance(type, VectorType | ocl.StructType | ocl.ArrayType | ocl.UnionType)


def zero_of(type: Attribute) -> Any:
    try:
        return codec_of(type).zero
    except UnsupportedType:
        return 0


def _spread(op: Operation, t: Translator, step: Step) -> Callable[[Frame, Poison], None]:
    """Runs `op` on the elements that are set; the other elements of the results are unset."""
    operands, results = t.slots(op.operands), t.slots(op.results)

    def run(frame: Frame, poison: Poison) -> None:
        before = [frame[slot] for slot in operands]
        places = {
            place: part
            for value in before
            for place, part in enumerate(value)
            if type(part) is Poison
        }
        for slot, value in zip(operands, before, strict=True):
            # Any operation has a result for ones.
            frame[slot] = tuple(1 if i in places else part for i, part in enumerate(value))
        try:
            step(frame)
        except LaunchError as error:
            _tell(op, frame, error)
            for slot in results:
                frame[slot] = (0,) * len(before[0])
        for slot, value in zip(operands, before, strict=True):
            frame[slot] = value
        for slot in results:
            frame[slot] = tuple(places.get(i, part) for i, part in enumerate(frame[slot]))

    return run


def bitwise(handler: OpHandler) -> OpHandler:
    """`and` and `or`: `0 & x` is 0 and `~0 | x` is ~0 for every x."""

    def handle(op: arith.AndIOp | arith.OrIOp, t: Translator) -> Step | Waiting | None:
        if isinstance(op.result.type, VectorType):
            return strict(handler)(op, t)
        step = handler(op, t)
        assert step is not None and not isinstance(step, Waiting)
        a, b, target = t.slot(op.lhs), t.slot(op.rhs), t.slot(op.result)
        ones = (1 << width_of(op.result.type)) - 1
        decisive = 0 if isinstance(op, arith.AndIOp) else ones

        def run(frame: Frame) -> None:
            x, y = frame[a], frame[b]
            if type(x) is Poison:
                frame[target] = y if y == decisive and type(y) is not Poison else x
            elif type(y) is Poison:
                frame[target] = x if x == decisive else y
            else:
                step(frame)

        return run

    return handle


def select(handler: OpHandler) -> OpHandler:
    """Only the chosen value may make the result unset."""

    def handle(op: vec.AnySelect, t: Translator) -> Step | Waiting | None:
        condition, a, b = t.slots(op.operands)
        target, type_ = t.slot(op.result), op.result.type
        if isinstance(op, vec.SelectOp):

            def run_vector(frame: Frame) -> None:
                frame[target] = tuple(
                    c if type(c) is Poison else x if c else y
                    for c, x, y in zip(frame[condition], frame[a], frame[b], strict=True)
                )

            return run_vector

        def run(frame: Frame) -> None:
            c = frame[condition]
            if type(c) is Poison:
                frame[target] = poison_of(type_, c)
            else:
                frame[target] = frame[a] if c else frame[b]

        return run

    return handle


def division(handler: OpHandler) -> OpHandler:
    """An undefined division is an error; in a vector, where its element is used."""
    checked = strict(handler)

    def handle(op: Any, t: Translator) -> Any:
        step = checked(op, t)
        assert step is not None and not isinstance(step, Waiting)
        if isinstance(op.result.type, IndexType):
            return step
        result = t.slot(op.result)
        a, b = t.slots(op.operands)
        reason = undefined_division(width_of(op.result.type), is_signed=is_signed_division(op))

        def scalar(frame: Frame) -> None:
            step(frame)
            x, y = frame[a], frame[b]
            if type(x) is int and type(y) is int and (text := reason(x, y)):
                frame[0].launch.error("division", op, frame[0], text)

        def by_element(frame: Frame) -> None:
            step(frame)
            reasons = [
                reason(x, y) if type(x) is int and type(y) is int else ""
                for x, y in zip(frame[a], frame[b], strict=True)
            ]
            if any(reasons):
                frame[result] = tuple(
                    Poison(op, division=text) if text else value
                    for value, text in zip(frame[result], reasons, strict=True)
                )

        return by_element if isinstance(op.result.type, VectorType) else scalar

    return handle


def shift(handler: OpHandler) -> OpHandler:
    """OpenCL C takes amounts modulo the width, for which the frontend adds a mask: a mask that
    changes the amount is a warning."""
    checked = strict(handler)

    def handle(op: arith.ShLIOp | arith.ShRSIOp | arith.ShRUIOp, t: Translator) -> Any:
        step = checked(op, t)
        assert step is not None and not isinstance(step, Waiting)
        mask = op.rhs.owner
        if not isinstance(mask, arith.AndIOp) or location_of(mask) != location_of(op):
            return step
        if location_of(op) is None:
            return step
        amount, width = t.slot(mask.lhs), width_of(op.result.type)

        def run(frame: Frame) -> None:
            step(frame)
            value = frame[amount]
            for one in value if isinstance(value, tuple) else (value,):
                if type(one) is not Poison and one >= width:
                    _warn_shift(frame, op, one, width)

        return run

    return handle


def _warn_shift(frame: Frame, op: Operation, amount: int, width: int) -> None:
    item = frame[0]
    severity: Severity = "warning"
    text = f"shift of i{width} by {amount}, which OpenCL C takes as {amount % width}; in {item}"
    item.launch.findings.add("shift", op, lambda: text, (), severity)


def poison(op: Any, t: Translator) -> None:
    t.constant(op.result, poison_of(op.result.type, Poison(op)))


def deciding(
    handler: Callable[[Any, Translator], Any],
    operands: Callable[[Any], Sequence[SSAValue]],
    use: str,
) -> Callable[[Any, Translator], Any]:
    """The handler of an operation, or of a terminator, that must not get unset `operands`."""

    def handle(op: Any, t: Translator) -> Any:
        step = handler(op, t)
        check = _demand(op, t, operands(op), use)
        if check is None or step is None:
            return step
        if isinstance(step, Waiting):
            waiting = step.run

            def run_waiting(frame: Frame) -> Wait:
                check(frame)
                yield from waiting(frame)

            return Waiting(run_waiting)

        def run(frame: Frame) -> Any:
            check(frame)
            return step(frame)

        return run

    return handle


def _demand(op: Operation, t: Translator, operands: Sequence[SSAValue], use: str) -> Step | None:
    """Reports unset operands and makes them zero (the step of a loop: one)."""
    places = tuple(
        (t.slot(value), value.type, isinstance(op, scf.ForOp) and value is op.step)
        for value in operands
        if not isinstance(value.owner, arith.ConstantOp)
    )
    if not places:
        return None

    def check(frame: Frame) -> None:
        for slot, type, is_step in places:
            unset = poison_in(frame[slot])
            if unset is not None:
                frame[0].launch.unset(unset, op, frame[0], use)
                frame[slot] = 1 if is_step else zero_of(type)

    return check


CONTROL: dict[type[Operation], Callable[[Any], Sequence[SSAValue]]] = {
    scf.IfOp: lambda op: (op.cond,),
    scf.IndexSwitchOp: lambda op: (op.arg,),
    scf.ForOp: lambda op: (op.lb, op.ub, op.step),
    cf.AssertOp: lambda op: (op.arg,),
    ocl.PrintfOp: lambda op: tuple(op.arguments),
    **dict.fromkeys((ocl.GroupReduceOp, ocl.GroupScanOp), lambda op: (op.value,)),
    ocl.GroupShuffleOp: lambda op: (op.index,),
}
"""Operations whose control flow or output depends on operands."""

ENDS: dict[type[Operation], Callable[[Any], Sequence[SSAValue]]] = {
    scf.ConditionOp: lambda op: (op.operands[0],),
    cf.ConditionalBranchOp: lambda op: (op.cond,),
    cf.SwitchOp: lambda op: (op.flag,),
}
"""The same for terminators."""
