"""`pattern-inline-calls`: functions that pattern programs call become parts of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.dialects.pattern import SIZES, ArrayType, SizeAttr, YieldOp, sizes_of
from polycl.dialects.pattern.paper import NAME
from polycl.errors import error_at


@dataclass(frozen=True)
class PatternInlineCallsPass(ModulePass):
    """Inline the functions that pattern programs call, which rules and kernels need.

    ```
    pattern.map %x as %e: f32 {             pattern.map %x as %e: f32
      %s = func.call @twice(%e) : ...   ->      attributes {pattern.name = "twice"} {
      pattern.yield %s : f32                  %s = arith.addf %e, %e : f32
    }                                         pattern.yield %s : f32
    ```

    A function of a pattern that is one call keeps the name of the called function. What the called
    function assumes of its sizes becomes an assumption of the program. The functions themselves
    stay in the module.

    Raises:
        PolyclError: located: a function calls itself, or has no body.
    """

    name = "pattern-inline-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and _has_arrays(function):
                inline_calls(function)


def has_calls(function: FuncOp) -> bool:
    """Whether a function calls another one."""
    return any(isinstance(op, CallOp) for op in function.walk())


def with_calls_inlined(function: FuncOp) -> FuncOp:
    """The function without calls: itself, or a copy in a module of its own.

    Raises:
        PolyclError: as the pass.
    """
    if not has_calls(function):
        return function
    module = function.parent_op()
    if not isinstance(module, ModuleOp):
        return function
    copy = module.clone()
    result = SymbolTable.lookup_symbol(copy, function.sym_name)
    assert isinstance(result, FuncOp)
    inline_calls(result)
    result.detach()
    ModuleOp([result])
    return result


def inline_calls(function: FuncOp) -> None:
    """Inline all calls in `function`. Raises PolyclError: located."""
    _inline(function, (function.sym_name.data,))


def _inline(function: FuncOp, callers: tuple[str, ...]) -> None:
    for call in [op for op in function.walk() if isinstance(op, CallOp)]:
        name = call.callee.string_value()
        callee = SymbolTable.lookup_symbol(function, call.callee)
        if name in callers:
            raise error_at(call, f"recursive call of @{name}; a pattern program has no recursion")
        if not isinstance(callee, FuncOp) or callee.is_declaration:
            raise error_at(call, f"@{name} has no body; expected a function of this module")
        copy = callee.clone()
        # Symbols are looked up around a function.
        Rewriter.insert_op(copy, InsertPoint.before(function))
        _inline(copy, (*callers, name))
        copy.detach()
        _keep_name(call)
        _keep_assumptions(function, copy)
        _replace(call, copy)


def _replace(call: CallOp, callee: FuncOp) -> None:
    blocks = callee.body.blocks
    end = callee.body.blocks.first.last_op if callee.body.blocks.first is not None else None
    if len(blocks) != 1 or not isinstance(end, ReturnOp):
        raise error_at(call, f"@{callee.sym_name.data} has several blocks; expected one")
    results: list[SSAValue] = list(end.arguments)
    end.detach()
    # The values of a call that returns its argument are that of the caller.
    given: dict[SSAValue, SSAValue] = dict(zip(callee.body.block.args, call.arguments, strict=True))
    values = [given.get(value, value) for value in results]
    Rewriter.inline_block(callee.body.block, InsertPoint.before(call), call.arguments)
    end.drop_all_references()
    Rewriter.replace_op(call, [], values)


def _keep_name(call: CallOp) -> None:
    """The function of a pattern that is this call alone has the name of the called function."""
    block = call.parent
    around = block.parent_op() if block is not None else None
    if block is None or around is None or isinstance(around, FuncOp) or NAME in around.attributes:
        return
    end = call.next_op
    is_all = block.first_op is call and isinstance(end, YieldOp) and end.prev_op is call
    same = tuple(call.arguments) == tuple(block.args)
    if is_all and same and end is not None and tuple(end.operands) == tuple(call.res):
        around.attributes[NAME] = StringAttr(call.callee.string_value())


def _keep_assumptions(function: FuncOp, callee: FuncOp) -> None:
    known = sizes_of(function)
    more = sizes_of(callee)
    if not more:
        return
    for name, size in more.items():
        own = known.get(name, size)
        least = max(own.min.data, size.min.data)
        known[name] = SizeAttr(name, least, math.lcm(own.divisible_by.data, size.divisible_by.data))
    function.attributes[SIZES] = ArrayAttr(list(known.values()))


def _has_arrays(function: FuncOp) -> bool:
    types: list[Attribute] = [*function.function_type.inputs, *function.function_type.outputs]
    return not function.is_declaration and any(isinstance(type, ArrayType) for type in types)
