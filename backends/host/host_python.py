"""`-t pyopencl`: the host's functions as Python, with the kernels."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp, VectorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator
from xdsl.utils.target import Target

from polycl.analysis.ocl.module_parts import host_functions
from polycl.backends.host.host_python_text import (
    HEADER,
    STATEMENTS,
    dtype_text,
    expression,
    is_float,
    lanes_of,
)
from polycl.backends.opencl_c.c_types import identifier
from polycl.backends.opencl_c.write_module import emit
from polycl.dialects import host
from polycl.errors import error_at
from polycl.lowering.host.ocl_lower_transpose import OclLowerTransposePass


@dataclass(frozen=True)
class PyopenclTarget(Target):
    """A Python script on numpy and pyopencl, which has the kernels as a text.

    Each function of the host is a function of Python, which updates its numpy arrays in place.
    """

    name = "pyopencl"

    contract: bool = True

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        print(host_python(module, self.contract), file=output, end="")


def host_python(module: ModuleOp, contract: bool = True) -> str:
    """The script for `module`, which is not changed.

    Raises:
        PolyclError: located: an operation without Python text; or there is no host function.
    """
    module = module.clone()
    OclLowerTransposePass().apply(Context(), module)
    hosts = host_functions(module)
    if not hosts:
        raise error_at(module, "there is no host code in the module; -t opencl-c writes kernels")
    emission = emit(module, contract)
    kernels = emission.text.replace("\\", "\\\\").replace('"""', '\\"""')
    functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
    called = _called(hosts, {op.sym_name.data: op for op in functions})
    texts = [HEADER.format(kernels=kernels, standard=emission.standard)]
    texts += [PythonWriter(function).text() for function in functions if function in called]
    return "\n\n".join(text.rstrip() + "\n" for text in texts)


def _called(
    hosts: Sequence[func.FuncOp], functions: dict[str, func.FuncOp]
) -> dict[func.FuncOp, None]:
    found: dict[func.FuncOp, None] = {}
    open_ = list(hosts)
    while open_:
        function = open_.pop()
        found[function] = None
        for op in function.walk():
            callee = (
                functions.get(op.callee.string_value()) if isinstance(op, func.CallOp) else None
            )
            if callee is not None and callee not in found:
                open_.append(callee)
    return found


class PythonWriter:
    """Writes one function by statements: an integer is a signed int, a float is numpy's, an array
    is one-dimensional."""

    def __init__(self, function: func.FuncOp):
        self._function = function
        self._names: dict[SSAValue, str] = {}
        self._taken = {
            *keyword.kwlist,
            "np",
            "cl",
            "time",
            "queue",
            "context",
            "kernels",
            "range",
            "int",
        }
        self._lines: list[str] = []
        self._depth = 1

    def text(self) -> str:
        function = self._function
        block = function.body.block
        parameters = ", ".join(self.new_name(argument) for argument in block.args)
        if any(host.is_host_operation(op) for op in function.walk()):
            self.line("open_device()")
        for argument in block.args:
            if isinstance(argument.type, MemRefType):
                name, element = self.name(argument), argument.type.element_type
                lanes = ""
                if isinstance(element, VectorType):
                    # numpy has no view of numbers as vectors.
                    lanes = f".reshape(-1, {lanes_of(element)})"
                    element = element.element_type
                self.line(f"{name} = {name}.reshape(-1).view({dtype_text(element)}){lanes}")
            elif is_float(argument.type):
                name = self.name(argument)
                self.line(f"{name} = {dtype_text(argument.type)}({name})")
        self.block(block)
        if not self._lines:
            self.line("pass")
        return "\n".join([f"def {identifier(function.sym_name.data)}({parameters}):", *self._lines])

    def line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def new_name(self, value: SSAValue) -> str:
        wanted = identifier(value.name_hint or "v")
        name, count = wanted, 0
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        self._names[value] = name
        return name

    def name(self, value: SSAValue) -> str:
        """The variable of a value, or its constant."""
        constant = expression(self, value.owner) if _is_constant(value) else None
        return self._names[value] if constant is None else constant

    def block(self, block: Block) -> None:
        for op in block.ops:
            self.operation(op)

    def operation(self, op: Operation) -> None:
        match op:
            case scf.ForOp():
                self._for(op)
            case scf.IfOp():
                self._if(op)
            case scf.WhileOp():
                self._while(op)
            case func.ReturnOp():
                if op.arguments:
                    self.line(f"return {', '.join(map(self.name, op.arguments))}")
            case func.CallOp():
                arguments = ", ".join(map(self.name, op.arguments))
                self.assign(op.results, f"{identifier(op.callee.string_value())}({arguments})")
            case _ if op.has_trait(IsTerminator):
                pass
            case _ if type(op) in STATEMENTS:
                STATEMENTS[type(op)](self, op)
            case _:
                found = expression(self, op)
                if found is None:
                    raise error_at(op, f"'{op.name}' is not written in Python")
                if op.results and not _is_constant(op.results[0]):
                    self.assign(op.results, found)

    def assign(self, results: Sequence[SSAValue], text: str) -> None:
        if not results:
            self.line(text)
            return
        self.line(f"{', '.join(map(self.new_name, results))} = {text}")

    def _copies(self, targets: Sequence[SSAValue], sources: Sequence[SSAValue]) -> None:
        """Assign all values simultaneously."""
        pairs = [(self._names[t], self.name(s)) for t, s in zip(targets, sources, strict=True)]
        pairs = [(target, source) for target, source in pairs if target != source]
        if pairs:
            names, values = zip(*pairs, strict=True)
            self.line(f"{', '.join(names)} = {', '.join(values)}")

    def _for(self, op: scf.ForOp) -> None:
        body = op.body.block
        for argument in body.args[1:]:
            self.new_name(argument)
        for result, argument in zip(op.results, body.args[1:], strict=True):
            self._names[result] = self._names[argument]
        self._copies(body.args[1:], op.iter_args)
        bounds = ", ".join(map(self.name, (op.lb, op.ub, op.step)))
        if bounds.startswith("0, ") and bounds.endswith(", 1"):
            bounds = self.name(op.ub)
        elif bounds.endswith(", 1"):
            bounds = bounds.removesuffix(", 1")
        self.line(f"for {self.new_name(body.args[0])} in range({bounds}):")
        self._body(body, body.args[1:])

    def _body(self, block: Block, targets: Sequence[SSAValue]) -> None:
        """The statements of a region, whose terminator assigns to `targets`."""
        self._depth += 1
        before = len(self._lines)
        self.block(block)
        last = block.last_op
        if isinstance(last, scf.YieldOp):
            self._copies(targets, last.operands)
        if len(self._lines) == before:
            self.line("pass")
        self._depth -= 1

    def _if(self, op: scf.IfOp) -> None:
        for result in op.results:
            self.new_name(result)
        self.line(f"if {self.name(op.cond)}:")
        self._body(op.true_region.block, op.results)
        if op.false_region.blocks:
            self.line("else:")
            self._body(op.false_region.block, op.results)

    def _while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        for argument in before.args:
            self.new_name(argument)
        self._copies(before.args, op.arguments)
        condition = before.last_op
        assert isinstance(condition, scf.ConditionOp)
        for argument, result in zip(after.args, op.results, strict=True):
            self._names[result] = self.new_name(argument)
        self.line("while True:")
        self._depth += 1
        self.block(before)
        self._copies(after.args, condition.args)
        self.line(f"if not {self.name(condition.condition)}:")
        self.line("    break")
        self._depth -= 1
        self._body(after, before.args)


def _is_constant(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and owner.name == "arith.constant"
