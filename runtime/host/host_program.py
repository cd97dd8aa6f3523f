"""Calls of programs of host and kernels: `program.host("md")(x, y, n, device="cpu")`.

Arrays of the host are numpy arrays, which are updated in place. Each command of the host runs on
the device; buffers stay in its memory from launch to launch. Loops of the host without commands are
compiled, except on the device `interp`, which interprets them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    ModuleOp,
    StringAttr,
    i1,
    i8,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.module_parts import is_host_function
from polycl.backends.device import Device, DeviceArray
from polycl.backends.host import run_host_memory as host_memory
from polycl.backends.interp import InterpDevice
from polycl.backends.interp.buffers import AddressMap
from polycl.backends.interp.buffers import Buffer as HostArray
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.ops import HANDLERS
from polycl.backends.interp.state import Budget, located_error
from polycl.backends.interp.translate import FunctionCode, Handlers
from polycl.backends.interp.translate import Program as Translation
from polycl.backends.pipeline import make_context
from polycl.diagnostics import unknown_name
from polycl.dialects import host, ocl
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.kernel import PARAM_IMPLIED
from polycl.errors import ArgumentError
from polycl.lowering.host.ocl_lower_transpose import OclLowerTransposePass
from polycl.lowering.host.outline_host_code import OutlineHostCodePass
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.runtime.arguments import to_kernel_arg
from polycl.runtime.devices import default_device
from polycl.runtime.dtypes import dtype_of
from polycl.runtime.host.recorded_data import RecordedArray, recorded_arrays
from polycl.runtime.host.run import run_commands as commands
from polycl.runtime.host.run.device_memory import Buffer, host_bytes
from polycl.runtime.host.run.native import NativeFunctions
from polycl.runtime.host.run.opaque import KNOWN
from polycl.runtime.host.run.random_numbers import RANDOM, RandomNumbers
from polycl.runtime.host.run.run_launches import Ready
from polycl.runtime.implied import fill_implied
from polycl.runtime.parameters import Parameter

if TYPE_CHECKING:
    from polycl.runtime.program import Program

Functions = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class CommandTime:
    """The number and the total time of a command's executions in a call."""

    command: str
    """The operation and its object: "host.launch @ker", "host.write %d_n", "host code"."""

    count: int
    seconds: float


class HostFunction:
    """The host's side of a program: one function that launches its kernels."""

    def __init__(self, module: ModuleOp, op: FuncOp):
        self.op = op
        self.name = op.sym_name.data
        self.parameters = tuple(
            _parameter(self.name, op, index, arg)
            for index, arg in enumerate(op.body.blocks[0].args)
        )
        self.results: tuple[Attribute, ...] = tuple(op.function_type.outputs)
        """The types of the returned numbers."""

        names = tuple(parameter.name for parameter in self.parameters)
        self.recorded: Mapping[str, RecordedArray] = recorded_arrays(op, names)
        """The recorded data of arguments, which are used where an argument is not given."""

        self.times: tuple[CommandTime, ...] = ()
        """The times of the commands of the last call, in the order of first use."""

        self.clock: Callable[[], float] = time.perf_counter
        """What `times` is measured with; `time.process_time` on a machine with other work."""

        self.module = module
        """The module of the function."""

        self._codes: dict[tuple[bool, int | None, bool], _Code] = {}

    def __call__(
        self,
        *args: Any,
        device: Device | str = "cpu",
        functions: Functions | None = None,
        **named: Any,
    ) -> Any:
        """Run the host, and its kernels on `device`; returns the result if it is numbers.

        An argument for an array is like that of a kernel's buffer (`polycl.runtime.arguments`).
        `functions` are the callees of `host.opaque`, by name: they take arrays and numbers, and may
        change the arrays.

        Raises:
            ArgumentError: an argument does not fit; nothing was run.
            PolyclError: the program cannot run on the device, or it failed: located.
        """
        target = default_device(device) if isinstance(device, str) else device
        given = [
            to_kernel_arg(parameter, value)
            for parameter, value in zip(self.parameters, self._match(args, named), strict=True)
        ]
        values = [
            self._value(parameter, arg.type, value)
            for parameter, arg, value in zip(
                self.parameters, self.op.body.blocks[0].args, given, strict=True
            )
        ]
        code = self._code(target)
        run = HostRun(self.name, code, target, functions or {}, self.clock)
        try:
            results = code.entry.call(run, values)  # type: ignore[arg-type]
            run.finish()
        finally:
            self.times = run.times
        found = [_result(type, value) for type, value in zip(self.results, results, strict=True)]
        return None if not found else found[0] if len(found) == 1 else tuple(found)

    def _match(self, args: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        names = [parameter.name for parameter in self.parameters]
        count = f"{len(names)} argument{'s' * (len(names) != 1)} ({', '.join(names)})"
        if len(args) > len(names):
            raise ArgumentError(f"function '{self.name}' takes {count}, got {len(args)}")
        values = dict(zip(names, args, strict=False))
        for name, value in named.items():
            if name not in names:
                text = unknown_name("parameter", name, names)
                raise ArgumentError(f"function '{self.name}': {text}")
            if name in values:
                raise ArgumentError(f"function '{self.name}': parameter '{name}' is given twice")
            values[name] = value
        for name, array in self.recorded.items():
            values[name] = values[name] if name in values else array.first()
        values = fill_implied(self.parameters, values)
        missing = [name for name in names if name not in values]
        if missing:
            raise ArgumentError(
                f"function '{self.name}' takes {count}: missing {', '.join(missing)}"
            )
        return [values[name] for name in names]

    def _value(self, parameter: Parameter, type: Attribute, given: Any) -> Any:
        """A checked argument as a value of the interpreter."""
        if not isinstance(type, MemRefType):
            codec = codec_of(type)
            return codec.read(memoryview(given).toreadonly(), 0, AddressMap())
        if not isinstance(given, np.ndarray):
            raise parameter.error("expected a numpy array: the host works on its own memory")
        (size,) = type.get_shape()
        wanted = size * host_memory.element_stride(type)
        if size != DYNAMIC_INDEX and given.nbytes != wanted:
            raise parameter.error(f"expected an array of {wanted} bytes, got {given.nbytes}")
        reason = "the array passed for it is read-only"
        return HostArray.of_array(
            f"array '{parameter.name}'", given, read_only="" if given.flags.writeable else reason
        )

    def _code(self, target: Device) -> _Code:
        interprets = isinstance(target, InterpDevice)
        steps = target.max_steps if isinstance(target, InterpDevice) else None
        key = (interprets, steps, target.capability > 0)
        if key not in self._codes:
            self._codes[key] = _Code(self.module, self.name, *key)
        return self._codes[key]

    def parameter(self, name: str) -> Parameter:
        """The parameter `name`. Raises KeyError if there is none."""
        return {parameter.name: parameter for parameter in self.parameters}[name]

    def __repr__(self) -> str:
        parameters = ", ".join(f"{p.name}: {_text(p)}" for p in self.parameters)
        return f"<polycl.HostFunction {self.name}({parameters})>"


class _Code:
    """A host function, ready to run."""

    def __init__(
        self, module: ModuleOp, name: str, interprets: bool, max_steps: int | None, on_gpu: bool
    ):
        # A late import, since a program makes its host functions.
        from polycl.runtime.program import Program

        module = module.clone()
        context = make_context()
        OclLowerTransposePass(tiles=not on_gpu).apply(context, module)
        InlineFunctionsPass().apply(context, module)
        if not interprets:
            OutlineHostCodePass().apply(context, module)
        self.program: Program = Program(module)
        natives = NativeFunctions(module)
        handlers = Handlers(
            operations={
                **HANDLERS.operations,
                **host_memory.OPERATIONS,
                **commands.OPERATIONS,
                CallOp: natives.call,
            },
            terminators=HANDLERS.terminators,
        )
        function = next(
            op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == name
        )
        budget = None if max_steps is None else Budget(max_steps)
        self.entry: FunctionCode = Translation(handlers, budget).function(function, function)


class HostRun:
    """One call of a host function: the state of its commands, like that of a work-item."""

    def __init__(
        self,
        name: str,
        code: _Code,
        device: Device,
        functions: Functions,
        clock: Callable[[], float],
    ):
        self.name = name
        self.clock = clock
        self.device = device
        self.addresses = AddressMap()
        self.kernels = code.program.kernels
        self.ready = Ready(device)
        self._functions = functions
        self._random = RandomNumbers()
        self._times: dict[str, tuple[int, float]] = {}
        self._released: dict[int, NDArray[np.uint8] | DeviceArray] = {}

    def __str__(self) -> str:
        return f"function @{self.name}"

    def add_time(self, label: str, seconds: float) -> None:
        count, total = self._times.get(label, (0, 0.0))
        self._times[label] = (count + 1, total + seconds)

    @property
    def times(self) -> tuple[CommandTime, ...]:
        return tuple(CommandTime(label, *value) for label, value in self._times.items())

    def new_buffer(self, nbytes: int) -> Buffer:
        memory = self._released.pop(nbytes, None)
        return Buffer.new(self.device, nbytes) if memory is None else Buffer(memory)

    def release(self, op: Operation, buffer: Buffer) -> None:
        """Free a buffer. The next buffer of its size reuses its memory: new memory has no pages
        yet, and the system takes longer to provide them than a transpose takes."""
        self.ready.forget()
        if not buffer.is_shared:
            self._released[buffer.nbytes] = buffer.memory
        buffer.free()

    def finish(self) -> None:
        """Wait for the device, if it runs asynchronously."""
        finish: Callable[[], None] | None = getattr(self.device, "finish", None)
        if finish is not None:
            finish()

    def call_opaque(self, op: host.OpaqueOp, values: Sequence[Any]) -> list[Any]:
        """The results of opaque code, if the caller has passed a function for it."""
        name = op.function.data
        function = self._functions.get(name)
        if function is None and name in KNOWN:
            return KNOWN[name](op, values)
        if function is None and name in RANDOM:
            return self._random.call(op, values)
        if function is None:
            raise located_error(op, f"'{name}' is unknown; pass functions={{'{name}': ...}}")
        self.finish()
        found = function(*(_given(v.type, x) for v, x in zip(op.arguments, values, strict=True)))
        results = found if isinstance(found, tuple) else () if found is None else (found,)
        if len(results) != len(op.results_):
            raise located_error(
                op, f"'{name}' returned {len(results)} values, not {len(op.results_)}"
            )
        pairs = zip(op.results_, results, strict=True)
        return [_returned(name, result.type, value) for result, value in pairs]


def is_entry(op: FuncOp) -> bool:
    """Whether a function is one that `HostFunction` can call."""
    if op.is_declaration or not is_host_function(op):
        return False
    types = (*op.function_type.inputs, *op.function_type.outputs)
    return not any(isinstance(type, host.BufferType | ocl.EventType) for type in types)


def host_functions_of(module: ModuleOp) -> dict[str, HostFunction]:
    """The entry functions of a module's host program, by name, in order."""
    functions = (op for op in module.ops if isinstance(op, FuncOp) and is_entry(op))
    return {op.sym_name.data: HostFunction(module, op) for op in functions}


def _parameter(function: str, op: FuncOp, index: int, arg: SSAValue) -> Parameter:
    name = arg.name_hint or f"arg{index}"
    if isinstance(arg.type, MemRefType):
        type: Attribute = PtrType(arg.type.element_type, AddressSpace.GLOBAL)
        return Parameter(function, name, type, "", not _is_written(arg), owner="function")
    type = {IndexType(): i64, i1: i8}.get(arg.type, arg.type)
    attributes = op.arg_attrs.data[index].data if op.arg_attrs is not None else {}
    implied = attributes.get(PARAM_IMPLIED)
    source = implied.data if isinstance(implied, StringAttr) else ""
    return Parameter(function, name, type, "", False, source, owner="function")


def _is_written(array: SSAValue) -> bool:
    """Whether anything may write to an array of the host."""
    for use in array.uses:
        match use.operation:
            case memref.LoadOp() | memref.DimOp() | host.WriteOp() | host.TransposeOp():
                pass
            case _:
                return True
    return False


def _text(parameter: Parameter) -> str:
    is_array = parameter.space is not None
    return f"{'array of ' * is_array}{parameter.dtype_text}"


def _given(type: Attribute, value: Any) -> Any:
    """A value of the interpreter as a Python value."""
    if isinstance(type, MemRefType):
        return host_bytes(value).view(dtype_of(type.element_type, None, in_buffer=True))
    if isinstance(type, host.BufferType):
        data = np.empty(value.nbytes, np.uint8)
        value.read(0, data)
        data.setflags(write=False)
        return data.view(dtype_of(type.element, None, in_buffer=True))
    return _result(type, value)


def _result(type: Attribute, value: Any) -> Any:
    """A number as a Python number."""
    if type == i1:
        return bool(value)
    if isinstance(value, int):
        bits = 8 * codec_of(type).size
        return value - (1 << bits) if value >> (bits - 1) else value
    return value


def _returned(name: str, type: Attribute, value: Any) -> Any:
    passed = {IndexType(): i64, i1: i8}.get(type, type)
    given = to_kernel_arg(Parameter(name, "result", passed, "", False, owner="function"), value)
    assert isinstance(given, bytes)
    return codec_of(type).read(memoryview(given), 0, AddressMap())
