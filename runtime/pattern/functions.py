"""Pattern programs that can be called: `function(x, y)` takes and returns numpy arrays.

An array of the program is a numpy array with a dimension for each of its sizes, the outermost
first; vectors have one dimension more. An array of tuples is a tuple of arrays, one for each part.
The shapes of the arguments determine the sizes of a call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from polycl.backends.device import Device
from polycl.backends.interp import InterpDevice
from polycl.backends.pattern.pattern_arrays import dtype_of, parts
from polycl.backends.pattern.run_pattern_function import run_pattern_function
from polycl.dialects.pattern import ArrayType, NatAttr, nat, sizes_of, solve_sizes
from polycl.dialects.pattern.launch import LaunchOp
from polycl.dialects.pattern.types import innermost
from polycl.errors import ArgumentError
from polycl.runtime.devices import default_device
from polycl.runtime.value_arguments import describe_value

if TYPE_CHECKING:
    from polycl.runtime.pattern.pattern_program import LoweredFunction


@dataclass(frozen=True)
class FunctionParameter:
    """A parameter of a pattern program."""

    name: str
    type: Attribute

    def __str__(self) -> str:
        return f"{self.name}: {self.type}"


class Function:
    """One pattern program: a `func.func` on arrays."""

    def __init__(self, op: FuncOp):
        self.op = op
        self.name = op.sym_name.data
        self.parameters = tuple(
            FunctionParameter(arg.name_hint or f"arg{number}", arg.type)
            for number, arg in enumerate(op.body.block.args)
        )
        self.results: tuple[Attribute, ...] = tuple(op.function_type.outputs)
        """The types of the results."""

        self._is_lowered = is_lowered(op)
        self._known_sizes: dict[tuple[Any, ...], dict[str, int]] = {}
        self._lowered: dict[tuple[int, tuple[tuple[str, int], ...]], LoweredFunction] = {}

    def __call__(self, *args: Any, device: Device | str = "interp", out: Any = None) -> Any:
        """The result, or a tuple of several; the arguments stay as they are, unless the function
        has the attribute `pattern.inplace`.

        The device "interp" runs the patterns; all others run the kernels that `pattern-to-ocl`
        makes for the sizes of the call. These write the first result to `out`, a C-contiguous array
        of its shape.

        Raises:
            ArgumentError: an argument does not fit; nothing was run.
            PolyclError: the program cannot be run on the device, or failed.
        """
        target = default_device(device) if isinstance(device, str) else device
        key = tuple(map(_kind, args))
        sizes = self._known_sizes.get(key)
        if sizes is None:
            self._known_sizes[key] = sizes = self.sizes(*args)
        if not isinstance(target, InterpDevice) or self._is_lowered:
            results = self.lowered(sizes, capability=target.capability).run(args, target, out)
        else:
            results = run_pattern_function(self.op, args, sizes, target.max_steps)
        return results[0] if len(results) == 1 else results

    def lowered(self, sizes: Mapping[str, int], *, capability: int = 0) -> LoweredFunction:
        """The program as kernels for these sizes; they are made once.

        `capability`: of the device cuda, the GPU's compute capability times ten. Its buffers are
        aligned, and from 80 on it has asynchronous copies to local memory and tensor cores.
        """
        # Late: the interpreter needs no code generation.
        from polycl.runtime.pattern.pattern_program import LoweredFunction

        key = (capability, tuple(sorted(sizes.items())))
        if key not in self._lowered:
            self._lowered[key] = LoweredFunction(
                self.op,
                sizes,
                aligned=capability > 0,
                async_copies=capability >= 80,
                tensor_cores=capability,
            )
        return self._lowered[key]

    def sizes(self, *args: Any) -> dict[str, int]:
        """The values of the size variables in a call with these arguments.

        Raises:
            ArgumentError: the arguments do not fit the parameters' types or each other.
        """
        if len(args) != len(self.parameters):
            raise ArgumentError(
                f"function '{self.name}' takes {len(self.parameters)} arguments "
                f"({', '.join(map(str, self.parameters))}), got {len(args)}"
            )
        equations = [
            equation
            for parameter, arg in zip(self.parameters, args, strict=True)
            for equation in self._equations(parameter, parameter.type, arg)
        ]
        try:
            sizes = solve_sizes(equations)
        except ValueError as error:
            raise ArgumentError(f"function '{self.name}': {error}") from None
        self._check_assumptions(sizes)
        return sizes

    def _equations(
        self, parameter: FunctionParameter, type: Attribute, arg: Any
    ) -> Iterator[tuple[NatAttr, int]]:
        """The equations of the sizes from the shape of an argument."""
        pieces = parts(type)
        if pieces is not None:
            if not isinstance(arg, Sequence) or len(arg) != len(pieces):
                raise self._misfit(parameter, f"a tuple of {len(pieces)}", arg)
            for piece, part in zip(pieces, arg, strict=True):
                yield from self._equations(parameter, piece, part)
            return
        sizes = [*_sizes(type), *_vector_size(innermost(type))]
        dtype = _scalar_dtype(type)
        if not sizes:
            self._check_number(parameter, dtype, arg)
            return
        allowed = {dtype}
        if dtype.kind == "i":
            allowed.add(np.dtype(f"u{dtype.itemsize}"))
        if not isinstance(arg, np.ndarray) or arg.dtype not in allowed or arg.ndim != len(sizes):
            expected = f"an array of {dtype}, {len(sizes)}-dimensional"
            raise self._misfit(parameter, expected, arg)
        yield from zip(sizes, arg.shape, strict=True)

    def _check_number(self, parameter: FunctionParameter, dtype: np.dtype[Any], arg: Any) -> None:
        if dtype.kind == "f":
            if not isinstance(arg, int | float | np.number | np.bool_):
                raise self._misfit(parameter, "a number", arg)
            return
        bits = 8 * dtype.itemsize if dtype.kind == "i" else 1
        low, high = -(1 << bits - 1), (1 << bits) - 1
        if not isinstance(arg, int | np.integer | np.bool_) or not low <= int(arg) <= high:
            raise self._misfit(parameter, f"an integer of {bits} bits", arg)

    def _misfit(self, parameter: FunctionParameter, expected: str, arg: Any) -> ArgumentError:
        return ArgumentError(
            f"function '{self.name}', parameter {parameter}: expected {expected}, "
            f"got {describe_value(arg)}"
        )

    def _check_assumptions(self, sizes: Mapping[str, int]) -> None:
        known = sizes_of(self.op)
        for name, value in sizes.items():
            least = known[name].min.data if name in known else 1
            divisor = known[name].divisible_by.data if name in known else 1
            if value < least or value % divisor:
                multiple = f" and a multiple of {divisor}" if divisor > 1 else ""
                raise ArgumentError(
                    f"function '{self.name}': the size {name} is {value}, "
                    f"expected at least {least}{multiple}"
                )

    def __repr__(self) -> str:
        results = ", ".join(map(str, self.results))
        return f"<polycl.Function {self.name}({', '.join(map(str, self.parameters))}) -> {results}>"


def _kind(arg: Any) -> Any:
    """All that the sizes of a call depend on."""
    if isinstance(arg, np.ndarray):
        return arg.shape, arg.dtype
    return tuple(map(_kind, arg)) if isinstance(arg, tuple | list) else type(arg)


def is_pattern_function(op: FuncOp) -> bool:
    """Whether a function takes or returns arrays of the `pattern` dialect."""
    types = (*op.function_type.inputs, *op.function_type.outputs)
    return not op.is_declaration and any(isinstance(type, ArrayType) for type in types)


def functions_of(module: ModuleOp) -> dict[str, Function]:
    """The pattern programs of a module by name, in order."""
    functions = (op for op in module.ops if isinstance(op, FuncOp))
    return {op.sym_name.data: Function(op) for op in functions if is_pattern_function(op)}


def is_lowered(op: FuncOp) -> bool:
    """Whether a function is a result of `pattern-to-ocl`: it launches kernels of its module."""
    return any(isinstance(nested, LaunchOp) for nested in op.body.block.ops)


def _sizes(type: Attribute) -> Iterator[NatAttr]:
    while isinstance(type, ArrayType):
        yield type.size
        type = type.element_type


def _vector_size(type: Attribute) -> list[NatAttr]:
    return [nat(n) for n in type.get_shape()] if isinstance(type, VectorType) else []


def _scalar_dtype(type: Attribute) -> np.dtype[Any]:
    inner = innermost(type)
    return dtype_of(inner.element_type if isinstance(inner, VectorType) else inner)
