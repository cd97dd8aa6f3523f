"""Loops of the host as native code: each outlined function is a kernel of one work-item."""

from __future__ import annotations

from functools import cache
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, ModuleOp, i1, i8, i64
from xdsl.ir import Attribute
from xdsl.traits import SymbolTable

from polycl.backends.device import Device
from polycl.backends.host.run_host_memory import element_stride
from polycl.backends.interp.ops import HANDLERS
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.backends.pipeline import make_context
from polycl.errors import PolyclError
from polycl.lowering.host.outline_host_code import OUTLINED
from polycl.lowering.ocl.convert_gpu_to_ocl import ConvertGpuToOclPass
from polycl.remarks import emit_remark
from polycl.runtime.devices import device
from polycl.runtime.host.run.run_commands import bytes_of, timed
from polycl.runtime.host.run.run_launches import Number, is_memory, launch_step
from polycl.runtime.kernel import Kernel
from polycl.runtime.modules import LateModule, signatures_of

HOST_CODE = "host code"
"""The name of these loops in reports of times."""


class NativeFunctions:
    """The outlined functions of a module, compiled when they are first called.

    The interpreter executes a function that cannot be compiled, with a remark.
    """

    def __init__(self, module: ModuleOp):
        self._module = module

    def call(self, op: func.CallOp, t: Translator) -> Any:
        """The step of a call."""
        name = op.callee.string_value()
        callee = SymbolTable.lookup_symbol(self._module, name)
        interpret: OpHandler = HANDLERS.operations[func.CallOp]
        if not isinstance(callee, func.FuncOp) or OUTLINED not in callee.attributes:
            return interpret(op, t)
        slow = interpret(op, t)
        fast = self._native(op, callee, t)
        assert callable(slow)
        if fast is None:
            return timed(HOST_CODE, slow)
        native, failed = fast, False

        def step(frame: Frame) -> None:
            nonlocal failed
            if not failed:
                try:
                    native(frame)
                    return
                except PolyclError as error:
                    # Only the compilation can fail, before anything has run.
                    failed = True
                    _remark(callee, error)
            slow(frame)

        return timed(HOST_CODE, step)

    def _native(self, op: func.CallOp, callee: func.FuncOp, t: Translator) -> Step | None:
        module = ModuleOp([callee.clone()])
        try:
            ConvertGpuToOclPass().apply(make_context(), module)
            module.verify()
            (signature,) = signatures_of(module)
        except PolyclError as error:
            _remark(callee, error)
            return None
        kernel = Kernel(LateModule(lambda: module, (signature,)), signature)
        takes = [v if is_memory(v) else _number(v.type, t.slot(v)) for v in op.arguments]
        names = [argument.name_hint for argument in callee.body.block.args]
        for parameter in kernel.parameters[len(takes) :]:
            # The number of elements of an array of dynamic size.
            array = op.arguments[names.index(parameter.implied.partition(".")[0])]
            takes.append(_count(t.slot(array), element_stride(array.type)))
        return launch_step(op, t, lambda run: kernel, takes, device=native_device())


def _number(type: Attribute, slot: int) -> Number:
    passed = i64 if isinstance(type, IndexType) else i8 if type == i1 else type
    encode = bytes_of(passed)
    return lambda frame: encode(frame[slot])


def _count(slot: int, stride: int) -> Number:
    return lambda frame: (frame[slot].size // stride).to_bytes(8, "little")


def _remark(callee: func.FuncOp, error: PolyclError) -> None:
    message = str(error).splitlines()[0]
    emit_remark(callee, "host", f"this host code is interpreted, which is slow: {message}")


@cache
def native_device() -> Device:
    """One thread, without contraction, as in the host's C."""
    return device("cpu", threads=1, contract=False)
