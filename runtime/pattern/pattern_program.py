"""Runs a lowered pattern program: its host function, which launches kernels."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, VectorType, i1, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, SSAValue

from polycl.backends.device import Device, DeviceArray
from polycl.backends.pattern.pattern_arrays import dtype_of, parts
from polycl.backends.pipeline import make_context
from polycl.dialects.pattern import ArrayType
from polycl.dialects.pattern.launch import AllocOp, LaunchOp
from polycl.errors import ArgumentError
from polycl.lowering.pattern.pattern_set_sizes import set_sizes
from polycl.lowering.pattern.pattern_to_ocl import PatternToOclPass
from polycl.lowering.pattern.pattern_to_ocl.host_code import INPLACE
from polycl.runtime.devices import default_device
from polycl.runtime.kernel import Kernel
from polycl.runtime.pattern.functions import is_lowered
from polycl.runtime.pattern.ready_call import BoundLaunch, ReadyCall, Shape, ready_call
from polycl.runtime.program import Program
from polycl.runtime.value_arguments import describe_value


class LoweredFunction:
    """A pattern program as kernels, for arrays of known sizes.

    A lowered function in a module with its kernels is not lowered again. The sizes are numbers in
    the kernels, unless `specialize` is false: then kernels are for all sizes and get them as
    arguments. `aligned`, `async_copies` and `tensor_cores` are options of `pattern-to-ocl`. The
    result overwrites the argument number `inplace`.
    """

    def __init__(
        self,
        function: FuncOp,
        sizes: Mapping[str, int],
        *,
        aligned: bool = False,
        async_copies: bool = False,
        tensor_cores: int = 0,
        specialize: bool = True,
        inplace: int | None = None,
    ):
        if is_lowered(function):
            around = function.parent_op()
            module = around.clone() if isinstance(around, ModuleOp) else ModuleOp([])
        else:
            clone = function.clone()
            if specialize:
                set_sizes(clone, sizes)
            if inplace is not None:
                clone.attributes[INPLACE] = IntegerAttr(inplace, i64)
            module = ModuleOp([clone])
            PatternToOclPass(
                aligned=aligned, async_copies=async_copies, tensor_cores=tensor_cores
            ).apply(make_context(), module)
            module.verify()
        self.host = next(
            op
            for op in module.ops
            if isinstance(op, FuncOp) and op.sym_name.data == function.sym_name.data
        )
        self.host.detach()
        self.program = Program(module)
        self.sizes = dict(sizes)
        self._overwritten = set(self.host.body.block.args) & set(self._results())
        self._running = threading.Lock()
        self._temporaries: dict[tuple[Device, SSAValue], list[Any]] = {}

    def run(self, args: Sequence[Any], device: Device, outs: Sequence[Any] = ()) -> tuple[Any, ...]:
        """The results; `args` are numpy data of the right shapes.

        `outs`: for the first results, an array or a tuple of arrays where it is written to, or None
        for new memory.
        """
        # Calls share the memory between kernels.
        with self._running:
            return self._run(args, device, outs)

    def _run(self, args: Sequence[Any], device: Device, outs: Sequence[Any]) -> tuple[Any, ...]:
        results = self._results()
        # From the last one: of a value that is returned twice, the first place is the kernel's.
        pairs = reversed(list(zip(results, outs, strict=False)))
        places = {value: out for value, out in pairs if out is not None}
        memory = _DeviceMemory(device)
        values: dict[SSAValue, Any] = {}
        for arg, given in zip(self.host.body.block.args, args, strict=True):
            if not isinstance(arg.type, ArrayType):
                values[arg] = given
                continue
            if arg in self._overwritten and not _is_contiguous(given):
                raise ArgumentError(
                    f"function '{self.host.sym_name.data}', parameter {arg.name_hint}: it is "
                    "overwritten by the result; expected a C-contiguous array"
                )
            values[arg] = memory.move(_leaves(arg.type, given))
        for op in self.host.body.block.ops:
            match op:
                case AllocOp():
                    if op.result in places:
                        arrays = self._given_memory(op.result.type, places[op.result])
                        values[op.result] = memory.move(arrays)
                    elif op.result in results:
                        values[op.result] = memory.move(self._new_memory(op.result.type))
                    else:
                        values[op.result] = self._temporary(op.result, memory)
                case LaunchOp():
                    self._launch(op, values, device)
                case _:
                    continue
        found = [_nested(value.type, memory.fetch(values[value]), self.sizes) for value in results]
        for number, (value, out) in enumerate(zip(results, outs, strict=False)):
            # An argument, or a value that is returned twice, has memory of its own.
            if out is not None and (value in self._overwritten or places[value] is not out):
                arrays = _leaves(value.type, found[number])
                for place, array in zip(self._given_memory(value.type, out), arrays, strict=True):
                    place[...] = array
                found[number] = out
        return tuple(found)

    def ready(
        self, args: Sequence[Any], device: Device | str, given: bool, alignment: int = 1
    ) -> ReadyCall | None:
        """Calls that differ from this one, which has run, in values only; None if it has an
        argument or results that are not plain arrays and numbers.

        `given`: whether `out` is the argument that the result overwrites.
        `alignment`: in bytes; the address of the first array is the same modulo it.
        """
        results = self._results()
        places: list[SSAValue] = list(self.host.body.block.args)
        others = results[1:]
        # A tuple of arrays is returned as several results are.
        is_tuple = len(results) == 1 and _is_flat_tuple(results[0].type)
        if not (is_tuple or all(_is_plain(value.type) for value in results)) or any(
            value in places or value is results[0] or others.count(value) > 1 for value in others
        ):
            return None
        parameters: list[Shape | type] = []
        for arg, value in zip(places, args, strict=True):
            is_array = isinstance(arg.type, ArrayType)
            if is_array and _is_plain(arg.type) and type(value) is np.ndarray:
                offset = value.ctypes.data % alignment
                parameters.append(Shape(value.dtype, value.shape, alignment, offset))
                alignment = 1
            elif not is_array and not isinstance(value, np.ndarray | tuple | list):
                parameters.append(type(value))
            else:
                return None
        shapes = [Shape(*leaf) for value in results for leaf in leaf_shapes(value.type, self.sizes)]
        overwritten = places.index(results[0]) if results[0] in places else None
        target = default_device(device) if isinstance(device, str) else device
        if overwritten is not None:
            shapes[0] = Shape(shapes[0].dtype, args[overwritten].shape)
        numbers = [None if isinstance(value, np.ndarray) else value for value in args]

        def bind() -> list[BoundLaunch]:
            # Other arrays than those of the call, which would live as long as the function.
            arrays = [
                np.empty(p.shape, p.dtype) if isinstance(p, Shape) else number
                for p, number in zip(parameters, numbers, strict=True)
            ]
            return self._bound(arrays, [np.empty(s.shape, s.dtype) for s in shapes], target)

        return ready_call(device, parameters, shapes, overwritten, given, is_tuple, bind)

    def bound(
        self, args: Sequence[Any], result: NDArray[Any], device: Device
    ) -> list[Callable[[], None]]:
        """The launches that compute `result` from these arguments, as a call has returned it, in
        order. No argument is an array of tuples; the device works on the memory of the host."""
        plain = [np.ascontiguousarray(a) if isinstance(a, np.ndarray) else a for a in args]
        return [each.launch for each in self._bound(plain, [result], device)]

    def _bound(
        self, args: Sequence[Any], results: Sequence[NDArray[Any]], device: Device
    ) -> list[BoundLaunch]:
        """The launches of a call with plain arrays and numbers, which has memory of its own
        between kernels; `results` are the leaves of all results."""
        values: dict[SSAValue, Any] = {}
        words: dict[SSAValue, list[int]] = {}
        for number, (arg, value) in enumerate(zip(self.host.body.block.args, args, strict=True)):
            is_array = isinstance(arg.type, ArrayType)
            values[arg] = [value.reshape(-1)] if is_array else value
            words[arg] = [number]
        leaves = enumerate(results, len(args))
        for value in self._results():
            own = [next(leaves) for _ in leaf_shapes(value.type, self.sizes)]
            if value not in values:
                values[value] = [array.reshape(-1) for _, array in own]
                words[value] = [number for number, _ in own]
        launches: list[BoundLaunch] = []
        for op in self.host.body.block.ops:
            match op:
                case AllocOp() if op.result in words:
                    continue
                case AllocOp():
                    values[op.result] = self._new_memory(op.result.type)
                case LaunchOp():
                    kernel, kernel_args, sizes = self._kernel_call(op, values)
                    origins: list[int | None] = []
                    for argument in op.arguments:
                        origins += words.get(argument) or [None] * len(values[argument])
                    origins += [None] * len(op.sizes)
                    bound = kernel.bind(*kernel_args, **sizes, device=device)
                    launches.append(BoundLaunch(kernel, bound.prepared, kernel_args, origins))
                case _:
                    continue
        return launches

    def _results(self) -> list[SSAValue]:
        terminator = self.host.body.block.last_op
        assert isinstance(terminator, ReturnOp)
        return list(terminator.arguments)

    def _launch(self, op: LaunchOp, values: Mapping[SSAValue, Any], device: Device) -> None:
        kernel, args, sizes = self._kernel_call(op, values)
        kernel(*args, **sizes, device=device)

    def _kernel_call(
        self, op: LaunchOp, values: Mapping[SSAValue, Any]
    ) -> tuple[Kernel, list[Any], dict[str, Any]]:
        """The kernel of a launch, its arguments, and its sizes."""
        args: list[Any] = []
        for argument in op.arguments:
            value = values[argument]
            if isinstance(argument.type, ArrayType):
                args += value
            else:
                # A bool is a number for a kernel.
                args.append(int(value) if argument.type == i1 else value)
        args += [size.evaluate(self.sizes) for size in op.sizes]
        items = tuple(size.evaluate(self.sizes) for size in op.global_size)
        local = None
        if op.local_size is not None:
            local = tuple(size.evaluate(self.sizes) for size in op.local_size)
        kernel = self.program.kernel(op.kernel.string_value())
        return kernel, args, {"global_size": items, "local_size": local}

    def _given_memory(self, type: Attribute, out: Any) -> list[np.ndarray[Any, Any]]:
        """The caller's arrays for the result."""
        pieces, expected = parts(type), leaf_shapes(type, self.sizes)
        # Another number of arrays does not fit.
        has_all = not pieces or (isinstance(out, tuple | list) and len(out) == len(pieces))
        arrays = _leaves(type, out) if has_all else []
        fits = len(arrays) == len(expected) and _is_contiguous(out)
        for array, (dtype, shape) in zip(arrays, expected, strict=False):
            fits = fits and array.dtype == dtype and array.size == math.prod(shape)
        if not fits:
            wanted = ", ".join(f"{dtype} {list(shape)}" for dtype, shape in expected)
            raise ArgumentError(
                f"function '{self.host.sym_name.data}': expected C-contiguous arrays as 'out': "
                f"{wanted}; got {describe_value(out)}"
            )
        return arrays

    def _new_memory(self, type: Attribute) -> list[np.ndarray[Any, Any]]:
        return [np.empty(shape, dtype) for dtype, shape in leaf_shapes(type, self.sizes)]

    def _temporary(self, value: SSAValue, memory: _DeviceMemory) -> list[Any]:
        """Memory between kernels, which the next call on the same device reuses."""
        key = (memory.device, value)
        if key not in self._temporaries:
            self._temporaries[key] = memory.move(self._new_memory(value.type))
        return self._temporaries[key]


class _DeviceMemory:
    """Arrays where the kernels of a device read and write them."""

    def __init__(self, device: Device):
        self.device = device
        # A device with memory of its own keeps the arrays between kernels.
        self._make: Callable[[np.ndarray[Any, Any]], DeviceArray] | None
        self._make = getattr(device, "array", None)
        self._hosts: dict[int, np.ndarray[Any, Any]] = {}

    def move(self, arrays: Sequence[np.ndarray[Any, Any]]) -> list[Any]:
        """The arrays in the memory of the device."""
        if self._make is None:
            return list(arrays)
        moved = [self._make(array) for array in arrays]
        self._hosts.update({id(there): here for there, here in zip(moved, arrays, strict=True)})
        return moved

    def fetch(self, arrays: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
        """The arrays of `move` with the data that the kernels have written."""
        if self._make is None:
            return list(arrays)
        hosts = [self._hosts[id(array)] for array in arrays]
        for host, array in zip(hosts, arrays, strict=True):
            host[...] = array.get()
        return hosts


def _is_plain(type: Attribute) -> bool:
    """Whether an array is one numpy array."""
    return parts(type) is None


def _is_flat_tuple(type: Attribute) -> bool:
    """Whether an array is a tuple of numpy arrays."""
    return all(map(_is_plain, parts(type) or [type])) and not _is_plain(type)


def _is_contiguous(data: Any) -> bool:
    if isinstance(data, tuple):
        return all(map(_is_contiguous, data))
    return isinstance(data, np.ndarray) and data.flags.c_contiguous


def leaf_shapes(
    type: Attribute, sizes: Mapping[str, int]
) -> list[tuple[np.dtype[Any], tuple[int, ...]]]:
    """The type and shape of each leaf of an array."""
    pieces = parts(type)
    if pieces is not None:
        return [leaf for piece in pieces for leaf in leaf_shapes(piece, sizes)]
    shape: list[int] = []
    while isinstance(type, ArrayType):
        shape.append(type.size.evaluate(sizes))
        type = type.element_type
    if isinstance(type, VectorType):
        return [(dtype_of(type.element_type), (*shape, type.element_count()))]
    return [(dtype_of(type), tuple(shape))]


def _leaves(type: Attribute, data: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays in numpy data, one for each leaf."""
    pieces = parts(type)
    if pieces is not None:
        pairs = zip(pieces, data, strict=True)
        return [leaf for piece, part in pairs for leaf in _leaves(piece, part)]
    return [np.ascontiguousarray(data).reshape(-1)]


def _nested(type: Attribute, leaves: list[np.ndarray[Any, Any]], sizes: Mapping[str, int]) -> Any:
    """The numpy data of a result from its leaves, which are taken from the list."""
    pieces = parts(type)
    if pieces is not None:
        return tuple(_nested(piece, leaves, sizes) for piece in pieces)
    ((_, shape),) = leaf_shapes(type, sizes)
    return leaves.pop(0).reshape(shape)
