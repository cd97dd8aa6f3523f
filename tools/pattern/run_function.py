"""How ocl-run runs a pattern program: its arguments and its results are arrays."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IndexType, IntegerType, VectorType
from xdsl.ir import Attribute

from polycl.backends.device import Device
from polycl.backends.pattern.pattern_arrays import dtype_of
from polycl.dialects.pattern import ArrayType
from polycl.dialects.pattern.types import innermost
from polycl.runtime.dataspec import parse_data
from polycl.runtime.devices import default_device
from polycl.runtime.pattern.functions import Function, FunctionParameter
from polycl.runtime.program import Program
from polycl.tools.driver import UsageError
from polycl.tools.run_arguments import named_specs, with_seed
from polycl.tools.run_devices import DeviceRun, show_comparison, time_line, timed, times_line
from polycl.tools.run_options import refuse, refuse_kernel_options
from polycl.tools.run_results import wanted_results

_FOR_KERNELS = (
    *("global_size", "local_size", "offset", "assume", "pipeline"),
    *("check", "check_strict", "check_each_pass", "sarif", "debug_info", "no_contract"),
)


@dataclass(frozen=True)
class _Result:
    """An array that a function returns."""

    name: str


@dataclass(frozen=True)
class _Results:
    """The results of a function by name: `result`, or `result0`, `result1`, ..."""

    name: str
    parameters: tuple[_Result, ...]


def find_function(program: Program, name: str | None) -> Function | None:
    """The pattern program of the command line, unless that is for a kernel. Raises UsageError."""
    if name in program.kernels or (name is None and program.kernels):
        return None
    if name is not None:
        return program.functions.get(name)
    if len(program.functions) > 1:
        raise UsageError(f"say which function by --kernel; it has: {', '.join(program.functions)}")
    return next(iter(program.functions.values()), None)


def run_if_meant(args: argparse.Namespace, program: Program, options: Mapping[str, Any]) -> bool:
    """Run the pattern program of the command line, if there is one."""
    function = find_function(program, args.kernel)
    if function is not None:
        refuse_kernel_options(args, "a pattern program")
        run_function(args, function, default_device(args.device))
    return function is not None


def run_function(args: argparse.Namespace, function: Function, target: Device) -> None:
    """Run, time, compare and print by the command line. Raises PolyclError."""
    refuse(args, _FOR_KERNELS, f"is for kernels; '{function.name}' is a pattern program")
    values = _arguments(function, args.arg, args.seed)
    sizes = function.sizes(*values)
    results, seconds = _call(function, values, target)
    names = tuple(f"result{i}" for i in range(len(results))) if len(results) > 1 else ("result",)
    named = dict(zip(names, results, strict=True))
    returned = _Results(function.name, tuple(map(_Result, names)))
    show_results = wanted_results(args, returned, named)
    where = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    print(f"{function.name} on {args.device}: {where or 'no sizes'}")
    print(time_line("first run", seconds))
    if args.time:
        print(times_line([_call(function, values, target)[1] for _ in range(args.time)]))
    if args.compare:
        others, other_seconds = _call(function, values, default_device(args.compare))
        first = DeviceRun(args.device, named, 0.0, seconds, None)
        other = dict(zip(names, others, strict=True))
        show_comparison(args, [first, DeviceRun(args.compare, other, 0.0, other_seconds, None)])
    show_results()


def function_table(function: Function) -> str:
    """A function with its parameters and results."""
    lines = [function.name, *(f"  {parameter}" for parameter in function.parameters)]
    return "\n".join([*lines, *(f"  -> {type}" for type in function.results)])


def _call(function: Function, values: list[Any], target: Device) -> tuple[list[Any], float]:
    """The arrays that a function returns, and how many seconds that took."""
    result, seconds = timed(lambda: function(*values, device=target))
    return list(_flat(result)), seconds


def _flat(result: Any) -> Iterator[NDArray[Any]]:
    if isinstance(result, tuple):
        for part in result:
            yield from _flat(part)
    else:
        yield np.asarray(result)


def _arguments(function: Function, texts: list[str], seed: int | None) -> list[Any]:
    """The arguments in order."""
    specs = named_specs("--arg", texts, function)
    values: list[Any] = []
    for parameter in function.parameters:
        if parameter.name not in specs:
            raise UsageError(
                f"function '{function.name}': no --arg for parameter {parameter}; "
                f"for example --arg {parameter.name}={_example(parameter)}"
            )
        spec = with_seed(specs[parameter.name], seed, parameter.name)
        values.append(parse_data(spec, parameter.name))
    return values


def _example(parameter: FunctionParameter) -> str:
    inner = innermost(parameter.type)
    scalar = inner.element_type if isinstance(inner, VectorType) else inner
    sizes: list[str] = []
    type: Attribute = parameter.type
    while isinstance(type, ArrayType):
        sizes.append(str(type.size.value) if type.size.is_constant else "64")
        type = type.element_type
    if isinstance(inner, VectorType):
        sizes.append(str(inner.get_shape()[0]))
    if not sizes:
        return "3" if isinstance(scalar, IntegerType | IndexType) else "2.5"
    dtype = dtype_of(scalar)
    return f"rand:{dtype.kind}{8 * dtype.itemsize}:{'x'.join(sizes)}"
