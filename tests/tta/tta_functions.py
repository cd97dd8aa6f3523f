"""Functions for the scheduler, and what they do operation by operation."""

from __future__ import annotations

import random
from collections.abc import Callable

from xdsl.dialects import arith, cf, func
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from polycl.backends.pipeline import make_context
from polycl.backends.tta.interpreter import Result, interpret
from polycl.dialects.tta import OPSET, ComputeOp, LoadOp, Machine, StoreOp
from polycl.lowering.tta.tta_schedule import Schedule, schedule
from polycl.lowering.tta.tta_schedule.build_graph import (
    BINARY,
    FLOAT_COMPARISONS,
    INTEGER_COMPARISONS,
    constant_of,
    source_of,
)
from polycl.remarks import collect_remarks

DOT = """
func.func @dot(%p1 : i32, %p2 : i32, %step : i32, %n : i32, %out : i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  cf.br ^loop(%p1, %p2, %zero, %c0 : i32, i32, f32, i32)
^loop(%q1 : i32, %q2 : i32, %acc : f32, %k : i32):
  %x = tta.load "ld32" %q1 : f32
  %y = tta.load "ld32" %q2 : f32
  %m = arith.mulf %x, %y : f32
  %acc2 = arith.addf %acc, %m : f32
  %r1 = arith.addi %q1, %c4 : i32
  %r2 = arith.addi %q2, %step : i32
  %k2 = arith.addi %k, %c1 : i32
  %c = arith.cmpi ult, %k2, %n : i32
  cf.cond_br %c, ^loop(%r1, %r2, %acc2, %k2 : i32, i32, f32, i32), ^end(%acc2 : f32)
^end(%result : f32):
  tta.store "st32" %out, %result : f32
  func.return
}"""
"""A dot product of n floats, those of the second vector `step` bytes apart."""


def parse_function(text: str) -> func.FuncOp:
    """The one function of a module."""
    module = Parser(make_context(), text).parse_module()
    module.verify()
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    return function


def evaluate(function: func.FuncOp, arguments: list[int], memory: bytearray) -> None:
    """Executes `function` in its own order; values are 32-bit patterns, `memory` is changed."""
    values: dict[SSAValue, int] = {}
    block = function.body.blocks[0]
    values.update(zip(block.args, arguments, strict=True))

    def get(value: SSAValue) -> int:
        value = source_of(value)
        constant = constant_of(value)
        return values[value] if constant is None else constant

    while True:
        for op in block.ops:
            match op:
                case cf.BranchOp():
                    target, passed = op.successor, op.arguments
                case cf.ConditionalBranchOp() if get(op.cond):
                    target, passed = op.then_block, op.then_arguments
                case cf.ConditionalBranchOp():
                    target, passed = op.else_block, op.else_arguments
                case func.ReturnOp():
                    return
                case _:
                    _execute(op, values, get, memory)
                    continue
            contents = list(map(get, passed))
            values.update(zip(target.args, contents, strict=True))
            block = target


def _execute(
    op: Operation,
    values: dict[SSAValue, int],
    get: Callable[[SSAValue], int],
    memory: bytearray,
) -> None:
    match op:
        case arith.ConstantOp() | arith.ExtUIOp() | arith.BitcastOp():
            return
        case arith.SelectOp():
            values[op.result] = get(op.lhs) if get(op.cond) else get(op.rhs)
            return
        case LoadOp():
            semantics = OPSET[op.operation.data]
            at = get(op.address)
            data = memory[at : at + semantics.size]
            values[op.result] = int.from_bytes(data, "little", signed=semantics.signed) & 0xFFFFFFFF
            return
        case StoreOp():
            if op.condition is None or get(op.condition):
                size = OPSET[op.operation.data].size
                at = get(op.address)
                content = get(op.value) & ((1 << 8 * size) - 1)
                memory[at : at + size] = content.to_bytes(size, "little")
            return
        case arith.CmpiOp():
            name = INTEGER_COMPARISONS[op.predicate.value.data]
        case arith.CmpfOp():
            name = FLOAT_COMPARISONS[op.predicate.value.data]
        case ComputeOp():
            name = op.operation.data
        case _:
            name = BINARY[type(op)]
    compute = OPSET[name].compute
    assert compute is not None
    values[op.results[0]] = compute(*map(get, op.operands))


def check(
    text: str,
    machine: Machine,
    arguments: list[int],
    size: int = 256,
    pipeline: bool = False,
    prove: bool = True,
) -> tuple[Schedule, Result]:
    """Schedules a function, executes it both ways on a random memory, and compares all bytes."""
    function = parse_function(text)
    with collect_remarks() as remarks:
        scheduled = schedule(function, machine, check=prove, pipeline=pipeline)
    assert not any("not proved" in remark.message for remark in remarks)
    expected = bytearray(random.Random(1).randbytes(size))
    expected += bytes(max(0, scheduled.private.stop - size))
    memory = bytearray(expected)
    evaluate(function, arguments, expected)
    registers = dict(zip(scheduled.arguments, arguments, strict=True))
    result = interpret(scheduled.program, memory, registers=registers, max_cycles=10**6)
    private = slice(scheduled.private.start, scheduled.private.stop)
    memory[private] = expected[private]
    assert memory == expected
    assert result.findings == ()
    return scheduled, result


def random_function(rng: random.Random, operations: int) -> str:
    """Two blocks and a loop between them, of random operations on three words and memory."""
    lines = [f"%ck{i} = arith.constant {4 * i} : i32" for i in range(16)]
    words = ["%a", "%b", "%c", "%ck1", "%ck3"]
    truths: list[str] = []
    count = 0

    def body(number: int, indent: str = "  ") -> None:
        nonlocal count
        for _ in range(number):
            name = f"%v{count}"
            count += 1
            kind = rng.randrange(8)
            x, y = rng.choice(words), rng.choice(words)
            address = f"%ck{rng.randrange(16)}"
            if kind == 0:
                lines.append(f'{indent}{name} = tta.load "ld32" {address} : i32')
            elif kind == 1:
                condition = f" if {rng.choice(truths)}" if truths and rng.random() < 0.5 else ""
                lines.append(f'{indent}tta.store "st32" {address}, {x}{condition} : i32')
                continue
            elif kind == 2:
                lines.append(f"{indent}{name} = arith.cmpi slt, {x}, {y} : i32")
                truths.append(name)
                continue
            elif kind == 3 and truths:
                lines.append(f"{indent}{name} = arith.select {rng.choice(truths)}, {x}, {y} : i32")
            elif kind == 4:
                lines.append(f"{indent}{name}f = arith.bitcast {x} : i32 to f32")
                lines.append(f"{indent}{name}g = arith.bitcast {y} : i32 to f32")
                operation = rng.choice(["addf", "subf", "mulf"])
                lines.append(f"{indent}{name}h = arith.{operation} {name}f, {name}g : f32")
                lines.append(f"{indent}{name} = arith.bitcast {name}h : f32 to i32")
            else:
                operation = rng.choice("addi subi andi ori xori shli minsi maxui".split())
                lines.append(f"{indent}{name} = arith.{operation} {x}, {y} : i32")
            words.append(name)

    body(operations)
    lines.append(f"cf.br ^loop({rng.choice(words)}, %ck0 : i32, i32)")
    lines.append("^loop(%x : i32, %i : i32):")
    outer_words, outer_truths = list(words), list(truths)
    words += ["%x", "%i"] * 3
    body(operations)
    lines.append("%j = arith.addi %i, %ck1 : i32")
    lines.append("%more = arith.cmpi slt, %j, %ck4 : i32")
    word = rng.choice(words)
    lines.append(f"cf.cond_br %more, ^loop({word}, %j : i32, i32), ^end({word} : i32)")
    words[:], truths[:] = outer_words, outer_truths
    lines.append("^end(%y : i32):")
    words.append("%y")
    body(operations)
    lines += ['tta.store "st32" %ck2, %y : i32', "func.return"]
    text = "\n".join(lines)
    return f"func.func @random(%a : i32, %b : i32, %c : i32) {{\n{text}\n}}"
