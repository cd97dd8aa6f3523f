"""Control flow: `if`, `for`, `while` and returns."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i32
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import BOOL, INT, LONG, Number
from polycl.backends.opencl_c.folding import QUERIES
from polycl.backends.opencl_c.text import Expr, of_sign, typed
from polycl.backends.opencl_c.write_arithmetic import negated
from polycl.backends.opencl_c.write_comparisons import is_natural
from polycl.backends.opencl_c.writer import Statements, Writer
from polycl.dialects import ocl
from polycl.dialects.ocl import INT_COUNTER, UNROLL
from polycl.errors import error_at

STATEMENTS = Statements()


@STATEMENTS.of(scf.IfOp)
def _if(w: Writer, op: scf.IfOp) -> None:
    test = _condition(w, op.cond)
    if test is None:
        _body(w, op.true_region.block, op.results)
        return
    w.declare_empty(op.results)
    has_else = _has_else(w, op)
    if has_else and _is_void(w, op, op.true_region.block):
        if _is_last(w, op):
            w.line(f"if ({test.text}) return;")
            _body(w, op.false_region.block, op.results)
            return
        w.line(f"if ({negated(test).text}) {{")
        _branch(w, op, op.false_region.block)
        w.line("}", close=True)
        return
    w.line(f"if ({test.text}) {{")
    _branch(w, op, op.true_region.block)
    while has_else:
        if op.true_region.block in w.breaks.ends:
            w.line("}", close=True)
            _body(w, op.false_region.block, op.results)
            return
        # An `if` that is the only statement of the else branch is written as `else if`.
        inner = _only_if(w, op)
        if inner is None:
            w.line("} else {", close=True)
            _branch(w, op, op.false_region.block)
            break
        op = inner
        test = _condition(w, op.cond)
        assert test is not None
        w.line(f"}} else if ({test.text}) {{")
        _branch(w, op, op.true_region.block)
        has_else = _has_else(w, op)
    w.line("}", close=True)


def _condition(w: Writer, value: SSAValue) -> Expr | None:
    """A condition without tests of flags that are never set; None if nothing is left."""
    owner = value.owner
    if w.breaks.is_void(value):
        return None
    if isinstance(owner, arith.AndIOp) and w.folding.is_folded(value):
        a, b = _condition(w, owner.lhs), _condition(w, owner.rhs)
        if a is None or b is None:
            return b if a is None else a
        return text.binary("&&", text.AND, a, b, BOOL)
    return w.expression(value)


def _is_last(w: Writer, op: scf.IfOp) -> bool:
    """Whether a kernel, or a function without a result, ends after `op`."""
    function, block = op.parent_op(), op.parent
    if not isinstance(function, ocl.KernelOp | func.FuncOp) or block is None:
        return False
    return not terminator(block).operands and w.folding.statements(block)[-1:] == [op]


def _has_else(w: Writer, op: scf.IfOp) -> bool:
    return bool(op.false_region.blocks) and not _is_void(w, op, op.false_region.block)


def _only_if(w: Writer, op: scf.IfOp) -> scf.IfOp | None:
    block = op.false_region.block
    statements = w.folding.statements(block)
    if len(statements) != 1 or not isinstance(statements[0], scf.IfOp):
        return None
    inner = statements[0]
    if _condition(w, inner.cond) is None or block in w.breaks.ends:
        return None
    if inner in w.folding.choices or not w.copies_are_void(op.results, terminator(block).operands):
        return None
    return inner if all(w.is_declared(result) for result in inner.results) else None


def _is_void(w: Writer, op: Operation, block: Block) -> bool:
    """Whether a branch has no statements."""
    is_empty = not w.folding.statements(block) and block not in w.breaks.ends
    return is_empty and w.copies_are_void(op.results, terminator(block).operands)


def _branch(w: Writer, op: Operation, block: Block) -> None:
    with w.scope():
        _body(w, block, op.results)


def _body(w: Writer, block: Block, targets: Sequence[SSAValue]) -> None:
    """The statements of a block, then copies of what it yields to `targets`."""
    last = terminator(block)
    w.block(block)
    with w.at(last):
        w.copies(targets, last.operands)
        if block in w.breaks.ends:
            w.line("break;", close=True)


@STATEMENTS.of(scf.ForOp)
def _for(w: Writer, op: scf.ForOp) -> None:
    block = op.body.block
    counter, *arguments = block.args
    w.copies(arguments, op.iter_args)
    type = _counter_type(w, op, counter)
    start, end = (_bound(w.expression(bound), type) for bound in (op.lb, op.ub))
    if isinstance(op.ub.owner, QUERIES) and is_natural(op.lb):
        end = w.expression(op.ub)
    step = _bound(w.expression(op.step), type)
    with w.scope():
        name = w.name(w.name_for(counter) if counter.name_hint else "i")
        w.bind_expression(counter, Expr(name, type, reads=frozenset({name})))
        advance = f"{name}++" if step.literal == 1 else f"{name} += {step.text}"
        test = f"{name} < {end.at(text.SHIFT)}"
        last = _last(op)
        if last is not None and type == INT:
            test = f"{name} <= {w.expression(last).at(text.SHIFT)}"
        line = f"for ({type} {name} = {start.text}; {test}; {advance}) {{"
        _hint(w, op)
        w.header(line)
        _body(w, block, arguments)
    w.line("}", close=True)


def _hint(w: Writer, op: Operation) -> None:
    """A pragma, which compilers that do not know it ignore."""
    hint = op.attributes.get(UNROLL)
    if isinstance(hint, IntegerAttr) and (count := hint.value.data) >= 0:
        words = {0: "#pragma unroll", 1: "#pragma nounroll"}
        (w.header if isinstance(op, scf.ForOp) else w.line)(
            words.get(count, f"#pragma unroll {count}")
        )


def _bound(expr: Expr, type: Number) -> Expr:
    is_large = expr.literal is not None and abs(expr.literal) > 1 << 30
    return typed(expr) if is_large else of_sign(expr, type)


def _counter_type(w: Writer, op: scf.ForOp, counter: SSAValue) -> Number:
    """`int` where the last value of the counter plus the step fits, or where the program's was one:
    it does not overflow in C. Else `long`."""
    if isinstance(counter.type, IntegerType):
        return w.type_of(counter).signed()
    start, end = w.expression(op.lb), w.expression(op.ub)
    if INT_COUNTER in op.attributes:
        if _last(op) is not None and _is_int(start):
            return INT
        # The start is an `int` of the program, too, if wider here as an id.
        if _is_int(end) and _is_int(w.expression(op.step)):
            return INT
    if isinstance(op.ub.owner, ocl.LocalSizeOp | ocl.EnqueuedLocalSizeOp) and _is_int(start):
        return INT
    step = _constant(op.step)
    most = _constant(op.ub)
    if step is None or not _is_int(start) or not _is_int(end):
        return LONG
    if step == 1 or (most is not None and most + step < 1 << 31):
        return INT
    return LONG


def _last(op: scf.ForOp) -> SSAValue | None:
    """The `int` that the counter reaches, where the bound is its successor."""
    bound = op.ub.owner
    if not isinstance(bound, arith.AddiOp) or _constant(bound.rhs) != 1:
        return None
    last = bound.lhs.owner
    if not isinstance(last, arith.IndexCastOp) or last.input.type != i32:
        return None
    return last.input


def _constant(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def _is_int(expr: Expr) -> bool:
    if expr.literal is not None:
        return abs(expr.literal) < 1 << 31
    return expr.number == INT or expr.number.width < 32


@STATEMENTS.of(scf.WhileOp)
def _while(w: Writer, op: scf.WhileOp) -> None:
    before, after = op.before_region.block, op.after_region.block
    w.copies(before.args, op.arguments)
    w.declare_empty([*before.args, *after.args])
    _loop(w, op)
    flag = w.breaks.after.get(op)
    if flag is not None:
        w.line(f"if ({w.expression(flag).text}) {{")
        with w.scope():
            w.line("break;", close=True)
        w.line("}", close=True)


def _loop(w: Writer, op: scf.WhileOp) -> None:
    before, after = op.before_region.block, op.after_region.block
    condition, end = condition_of(op), terminator(after)
    plain = w.copies_are_void(after.args, condition.args)
    _hint(w, op)
    if plain and not w.folding.statements(before):
        test = _condition(w, condition.condition)
        w.line(f"while ({'true' if test is None else test.text}) {{")
        with w.scope():
            _body(w, after, before.args)
        w.line("}", close=True)
        return
    header = len(w.lines)
    w.line("while (true) {")
    with w.scope():
        test = _before(w, op)
        repeats = not w.folding.statements(after) and w.copies_are_void(before.args, end.operands)
        # The names of the body of a do loop are not visible in its condition.
        repeats = repeats and (test is None or not test.reads & w.names_here())
        if not repeats:
            if test is not None:
                with w.at(condition):
                    w.line(f"if ({negated(test).text}) break;")
            _body(w, after, before.args)
    if not repeats:
        w.line("}", close=True)
        return
    w.replace(header, "do {")
    with w.at(condition):
        w.line(f"}} while ({'true' if test is None else test.text});")


def _before(w: Writer, op: scf.WhileOp) -> Expr | None:
    """Write the statements before the condition; the result is the condition, None if that is
    true."""
    condition = condition_of(op)
    w.block(op.before_region.block)
    arguments = op.after_region.block.args
    test = _condition(w, condition.condition)
    with w.at(condition):
        changed = {w.expression(a).text for a in arguments if not w.breaks.is_dropped(a)}
        is_void = w.copies_are_void(arguments, condition.args)
        if test is not None and not is_void and test.reads & changed:
            test = w.saved(test)
        w.copies(arguments, condition.args)
    return test


@STATEMENTS.of(scf.IndexSwitchOp)
def _switch(w: Writer, op: scf.IndexSwitchOp) -> None:
    w.declare_empty(op.results)
    w.line(f"switch ({w.expression(op.arg).text}) {{")
    labels = [f"case {value}:" for value in op.cases.get_values()]
    for label, region in zip(
        [*labels, "default:"], [*op.case_regions, op.default_region], strict=True
    ):
        w.line(f"{label} {{", close=True)
        _branch(w, op, region.block)
        with w.scope():
            w.line("break;", close=True)
        w.line("}", close=True)
    w.line("}", close=True)


@STATEMENTS.of(scf.ExecuteRegionOp)
def _execute_region(w: Writer, op: scf.ExecuteRegionOp) -> None:
    if len(op.region.blocks) != 1:
        raise error_at(op, "has several blocks; expected structured control flow")
    w.declare_empty(op.results)
    w.line("{")
    _branch(w, op, op.region.block)
    w.line("}", close=True)


def return_(w: Writer, op: func.ReturnOp) -> None:
    if len(op.arguments) > 1:
        raise error_at(op, "returns several results; a function of OpenCL C has one")
    for value in op.arguments:
        expression = w.expression(value)
        if expression.type is not None:
            function = op.parent_op()
            assert isinstance(function, func.FuncOp)
            unsigned = w.shared.signs.of_result(function.sym_name.data)
            expression = w.fitting(expression, w.number(value.type, unsigned, value))
        w.line(f"return {expression.text};")
