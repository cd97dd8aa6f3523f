"""Pattern programs that can be called: `function(x, y)` takes and returns numpy arrays.

An array of the program is a numpy array with a dimension for each of its sizes, the outermost
first; vectors have one dimension more. An array of tuples is a tuple of arrays, one for each part.
The shapes of the arguments determine the sizes of a call.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import AnyFloat, ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from polycl.backends.device import Device
from polycl.backends.interp import InterpDevice
from polycl.backends.pattern.pattern_arrays import dtype_of, parts
from polycl.backends.pattern.run_pattern_function import run_pattern_function
from polycl.diagnostics import unknown_name
from polycl.dialects.pattern import ArrayType, NatAttr, nat, sizes_of, solve_sizes
from polycl.dialects.pattern.launch import LaunchOp
from polycl.dialects.pattern.paper import paper
from polycl.dialects.pattern.types import innermost, nats_in
from polycl.errors import ArgumentError
from polycl.lowering.pattern.pattern_inline_calls import with_calls_inlined
from polycl.notebooks import text, titled
from polycl.runtime.devices import default_device
from polycl.runtime.observers import OBSERVERS
from polycl.runtime.value_arguments import describe_value

if TYPE_CHECKING:
    from polycl.lowering.pattern.rules.derivation import Derivation
    from polycl.runtime.pattern.pattern_program import LoweredFunction
    from polycl.runtime.pattern.ready_call import ReadyCall


@dataclass(frozen=True)
class FunctionParameter:
    """A parameter of a pattern program."""

    name: str
    type: Attribute

    def __str__(self) -> str:
        return f"{self.name}: {self.type}"


class BoundFunction:
    """A pattern program with its arguments and device: `launch()` handles no arguments.

    A launch reads the arrays that were bound; its result is always in the same memory, `result`.
    """

    def __init__(self, result: Any, launches: Sequence[Callable[[], object]]):
        self.result = result
        self._launches = tuple(launches)

    def launch(self) -> Any:
        """Run once; the result."""
        for launch in self._launches:
            launch()
        return self.result


class Function:
    """One pattern program: a `func.func` on arrays."""

    def __init__(
        self,
        op: FuncOp,
        derivation: Derivation | None = None,
        parameters: Mapping[str, int] | None = None,
    ):
        self.op = with_calls_inlined(op)
        self._device: Device | str = "interp"
        """Where calls run that name no device."""
        self._derivation = derivation
        self._tuned = dict(parameters or {})
        self.name = op.sym_name.data
        self.parameters = tuple(
            FunctionParameter(arg.name_hint or f"arg{number}", arg.type)
            for number, arg in enumerate(op.body.block.args)
        )
        self.results: tuple[Attribute, ...] = tuple(op.function_type.outputs)
        """The types of the results."""

        known = {name for parameter in self.parameters for name in _variables(parameter.type)}
        results = {name for type in self.results for name in _variables(type)}
        self._sizes_of_results = sorted(results - known)
        """The size variables that only 'out' determines."""

        self._is_lowered = is_lowered(op)
        self._known_sizes: dict[tuple[Any, ...], dict[str, int]] = {}
        self._lowered: dict[tuple[Any, ...], LoweredFunction] = {}
        self._ready: dict[tuple[Any, ...], list[ReadyCall]] = {}
        self._latest: ReadyCall | None = None

    def __call__(
        self, *args: Any, device: Device | str | None = None, out: Any = None, **named: Any
    ) -> Any:
        """The result, or a tuple of several; the arguments stay as they are, unless the function
        has the attribute `pattern.inplace`. Arguments may be `named` as the parameters.

        The device "interp", the default, runs the patterns; all others run the kernels that
        `pattern-to-ocl` makes for the sizes of the call. These write the first result to `out`, a
        C-contiguous array of its shape, which determines sizes that no argument does. `out` may be
        an argument of the type of the result, if the program reads of it only the element that it
        computes. Of several results, `out` may be a tuple, with an array or None for each of them.

        Raises:
            ArgumentError: an argument does not fit; nothing was run.
            PolyclError: the program cannot be run on the device, or failed.
        """
        if device is None:
            device = self._device
        latest = self._latest
        if latest is not None and latest.device is device and not named and not OBSERVERS:
            result = latest.call(args, out)
            if result is not None:
                return result
        return self._call(args, device, out, named)

    def _call(
        self, args: tuple[Any, ...], device: Device | str, out: Any, named: Mapping[str, Any]
    ) -> Any:
        """A call that may be another one than the latest."""
        if named:
            args = self._in_order(args, named)
        if len(args) == len(self.parameters):
            args = tuple(map(_number, args, self.parameters))
        if not OBSERVERS:
            for ready in self._ready.get((device, *map(_kind, args)), ()):
                result = ready.call(args, out)
                if result is not None:
                    self._latest = ready
                    return result
        target = default_device(device) if isinstance(device, str) else device
        outs = self._outs(out)
        key = tuple(map(_kind, args))
        sizes = self._known_sizes.get(key)
        if sizes is None:
            self._known_sizes[key] = sizes = self.sizes(*args)
        if self._sizes_of_results:
            sizes = self._with_sizes_of_results(sizes, outs[0])
        if 0 in sizes.values() and not self._is_lowered:
            limit = target.max_steps if isinstance(target, InterpDevice) else None
            results = self._without_elements(args, sizes, limit, outs)
        elif not isinstance(target, InterpDevice) or self._is_lowered:
            inplace = self._overwritten(args, outs)
            head = self._head(sizes, args, target)
            capability = target.capability
            lowered = self.lowered(sizes, capability=capability, inplace=inplace, head=head)
            places = outs if inplace is None else (None, *outs[1:])
            results = lowered.run(args, target, places)
            if not self._sizes_of_results:
                alignment = 1 if self._derivation is None else self._derivation.alignment(sizes)
                self._make_ready(lowered, args, device, inplace is not None, alignment)
        else:
            results = run_pattern_function(self.op, args, sizes, target.max_steps)
            results = self._written(results, outs)
        return results[0] if len(results) == 1 else results

    def _outs(self, out: Any) -> tuple[Any, ...]:
        """Where each result goes; None: into a new array. Raises ArgumentError."""
        count = len(self.results)
        if count == 1 or not isinstance(out, tuple | list):
            return (out, *[None] * (count - 1))
        if len(out) != count:
            raise ArgumentError(
                f"function '{self.name}': expected an array or None as 'out' for each of its "
                f"{count} results, got a tuple of {len(out)}"
            )
        if any(np.shares_memory(a, b) for a, b in itertools.combinations(_arrays(out), 2)):
            raise ArgumentError(
                f"function '{self.name}': the arrays in 'out' overlap; expected one for each result"
            )
        return tuple(out)

    def _in_order(self, args: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """The arguments, of which some have names. Raises ArgumentError."""
        names = [parameter.name for parameter in self.parameters]
        for name in named:
            if name not in names:
                raise ArgumentError(
                    f"function '{self.name}': {unknown_name('parameter', name, names)}; options "
                    "are 'device' and 'out'"
                )
            if name in names[: len(args)]:
                raise ArgumentError(
                    f"function '{self.name}': the parameter '{name}' is given twice"
                )
        return *args, *(named[name] for name in names[len(args) :] if name in named)

    def derived(self, script: Derivation | str | Path, **parameters: int) -> Function:
        """This function, whose kernels a derivation makes for the sizes of each call.

        `script` is a derivation or its file (docs/pattern/rules.md); `parameters` are values of its
        tunables, instead of those of the script for the sizes of a call. The device "interp" runs
        the patterns as they are.

        Raises:
            PolyclError: the file cannot be read or is malformed.
        """
        # Late: the interpreter needs no rules.
        from polycl.lowering.pattern.rules.derivation import Derivation

        found = script if isinstance(script, Derivation) else Derivation.read(script)
        return Function(self.op, found, parameters)

    def bind(self, *args: Any, device: Device | str = "cpu", out: Any = None) -> BoundFunction:
        """Check, compile and run once, for any number of launches; see `__call__`.

        Raises:
            ArgumentError: an argument does not fit, or the function has not one array as a result.
        """
        if len(self.results) != 1 or parts(self.results[0]) is not None:
            raise ArgumentError(f"function '{self.name}': bind is for functions of one array")
        result = self(*args, device=device, out=out)
        target = default_device(device) if isinstance(device, str) else device
        inplace = self._overwritten(args, [out])
        on_host = not isinstance(target, InterpDevice) and getattr(target, "array", None) is None
        if (
            on_host
            and not self._sizes_of_results
            and all(isinstance(arg, tuple | list) is False for arg in args)
        ):
            sizes = self.sizes(*args)
            head = self._head(sizes, args, target)
            lowered = self.lowered(sizes, inplace=inplace, head=head)
            return BoundFunction(result, lowered.bound(args, result, target))
        again = out if inplace is not None else result
        return BoundFunction(result, [lambda: self(*args, device=device, out=again)])

    def _without_elements(
        self,
        args: Sequence[Any],
        sizes: Mapping[str, int],
        max_steps: int | None,
        outs: Sequence[Any],
    ) -> tuple[Any, ...]:
        """The results where an array has no elements: kernels have at least one work-item."""
        empty = [_empty(type, sizes) for type in self.results]
        if all(array.size == 0 for result in empty for array in _arrays(result)):
            # Nothing is computed, nor is what no element needs, such as the edge of no elements.
            return self._written(tuple(empty), outs)
        found = run_pattern_function(self.op, args, sizes, max_steps)
        results = [
            self._in_shape(type, result, sizes)
            for type, result in zip(self.results, found, strict=True)
        ]
        return self._written(tuple(results), outs)

    def _written(self, results: tuple[Any, ...], outs: Sequence[Any]) -> tuple[Any, ...]:
        """The results of the interpreter, in the arrays of the caller where there are some."""
        return tuple(
            result if out is None else self._copied(result, out)
            for result, out in zip(results, outs, strict=True)
        )

    def _copied(self, result: Any, out: Any) -> Any:
        """`out`, with a result. Raises ArgumentError where it does not fit."""
        places, leaves = _arrays(out), _arrays(result)
        if [(a.size, a.dtype) for a in places] != [(a.size, a.dtype) for a in leaves] or not all(
            a.flags.c_contiguous for a in places
        ):
            wanted = ", ".join(f"{a.dtype} {list(a.shape)}" for a in leaves)
            raise ArgumentError(
                f"function '{self.name}': expected C-contiguous arrays as 'out': {wanted}; "
                f"got {describe_value(out)}"
            )
        for place, leaf in zip(places, leaves, strict=True):
            place[...] = leaf.reshape(place.shape)
        return out

    def _in_shape(self, type: Attribute, result: Any, sizes: Mapping[str, int]) -> Any:
        """A result of the interpreter, whose lists lose the lengths of rows without any row."""
        pieces = parts(type)
        if pieces is not None:
            pairs = zip(pieces, result, strict=True)
            return tuple(self._in_shape(piece, part, sizes) for piece, part in pairs)
        expected = [*_sizes(type), *_vector_size(innermost(type))]
        shape = tuple(size.evaluate(sizes) for size in expected)
        if result.size != math.prod(shape):
            raise ArgumentError(f"function '{self.name}' cannot be run for the sizes {sizes}")
        return result.reshape(shape)

    def _overwritten(self, args: Sequence[Any], given: Sequence[Any]) -> int | None:
        """The number of the argument that the first result overwrites, as it is given as its place,
        too. Raises ArgumentError where a part of an argument is.
        """
        first, outs = given[0], _arrays(given)
        for number, arg in enumerate(args):
            for array in _arrays(arg):
                if not any(np.may_share_memory(array, each) for each in outs):
                    continue
                if array is first and self.parameters[number].type == self.results[0]:
                    return number
                if any(np.shares_memory(array, each) for each in outs):
                    raise ArgumentError(
                        f"function '{self.name}', parameter {self.parameters[number]}: it overlaps "
                        "'out'; expected other memory, or the argument itself, if it has the type "
                        f"of the result, {self.results[0]}"
                    )
        return None

    def _make_ready(
        self,
        lowered: LoweredFunction,
        args: Sequence[Any],
        device: Device | str,
        given: bool,
        alignment: int,
    ) -> None:
        """Keep what the next call like this one need not do again."""
        ready = lowered.ready(args, device, given, alignment)
        if ready is None:
            return
        if len(self._ready) >= _MOST_READY:
            self._ready.clear()
        kept = self._ready.setdefault((device, *map(_kind, args)), [])
        if len(kept) < _MOST_READY_OF_A_KIND:
            kept.append(ready)

    def lowered(
        self,
        sizes: Mapping[str, int],
        *,
        capability: int = 0,
        inplace: int | None = None,
        head: Mapping[str, int] | None = None,
    ) -> LoweredFunction:
        """The program as kernels for these sizes; they are made once.

        `inplace`: the number of the argument that the result overwrites.
        `head`: the values of tunables that depend on the device or the first array's address.
        `capability`: of the device cuda, the GPU's compute capability times ten. Its buffers are
        aligned, and from 80 on it has asynchronous copies to local memory and tensor cores.
        """
        # Late: the interpreter needs no code generation.
        from polycl.runtime.pattern.pattern_program import LoweredFunction

        head = head or {}
        key = (capability, inplace, tuple(sorted(sizes.items())), tuple(sorted(head.items())))
        if key not in self._lowered:
            self._lowered[key] = LoweredFunction(
                self._derived_for(sizes, head),
                sizes,
                aligned=capability > 0,
                async_copies=capability >= 80,
                tensor_cores=capability,
                inplace=inplace,
            )
        return self._lowered[key]

    def _head(
        self, sizes: Mapping[str, int], args: Sequence[Any], device: Device
    ) -> dict[str, int]:
        """The values of tunables that depend on the device or the address of the first array."""
        first = next(iter(_arrays(args)), None)
        if self._derivation is None or first is None:
            return {}
        heads = self._derivation.heads(sizes, first.ctypes.data, first.itemsize)
        return {**self._derivation.for_lanes(sizes, device.lanes), **heads}

    def _derived_for(self, sizes: Mapping[str, int], head: Mapping[str, int]) -> FuncOp:
        if self._derivation is None and self._is_lowered:
            return self.op
        # Late: the interpreter needs no rules.
        from polycl.lowering.pattern.pattern_set_sizes import set_sizes
        from polycl.lowering.pattern.rules.derivation import find_function
        from polycl.lowering.pattern.rules.long_rows import reduce_long_rows_first
        from polycl.lowering.pattern.rules.products import transpose_right_matrices
        from polycl.lowering.pattern.rules.rows import sum_rows_in_groups
        from polycl.lowering.pattern.rules.sums import reduce_in_parallel

        module = ModuleOp([self.op.clone()])
        if self._derivation is None:
            function = find_function(module, None)
            set_sizes(function, sizes)
            reduce_in_parallel(module, function)
            reduce_long_rows_first(function)
            sum_rows_in_groups(module, function)
            transpose_right_matrices(function)
            return function
        tuned = {**head, **self._tuned}
        low = self._derivation.replay(module, parameters=tuned, sizes=sizes, verify=False)
        low.verify()
        return find_function(low, None)

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
            list(self._equations(parameter, parameter.type, arg))
            for parameter, arg in zip(self.parameters, args, strict=True)
        ]
        try:
            sizes = solve_sizes(equation for each in equations for equation in each)
        except ValueError as error:
            raise self._contradiction(equations, error) from None
        self._check_assumptions(sizes)
        return sizes

    def _with_sizes_of_results(self, sizes: Mapping[str, int], out: Any) -> dict[str, int]:
        """The sizes with those that only the shape of `out` determines. Raises ArgumentError."""
        names, found = self._sizes_of_results, dict(sizes)
        if out is not None:
            result = FunctionParameter("out", self.results[0])
            try:
                found = solve_sizes(self._equations(result, result.type, out), sizes)
            except ValueError as error:
                raise ArgumentError(f"function '{self.name}', {result}: {error}") from None
        missing = [name for name in names if name not in found]
        if missing:
            raise ArgumentError(
                f"function '{self.name}': no argument determines the size {', '.join(missing)} of "
                f"the result {self.results[0]}; pass out=..., an array of the result's shape"
            )
        self._check_assumptions(found)
        return found

    def _contradiction(
        self, equations: Sequence[Sequence[tuple[NatAttr, int]]], error: ValueError
    ) -> ArgumentError:
        """The error of sizes that contradict each other, with the first parameter that does."""
        known: dict[str, int] = {}
        for parameter, own in zip(self.parameters, equations, strict=True):
            for equation in own:
                try:
                    known = solve_sizes([equation], known)
                except ValueError as first:
                    if set(equation[0].variables) <= known.keys():
                        what = f"parameter {parameter}: {first}, from the arguments before it"
                        return ArgumentError(f"function '{self.name}', {what}")
        return ArgumentError(f"function '{self.name}': {error}")

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
        type = parameter.type
        plain = isinstance(type, ArrayType) and parts(type) is None
        remedy = ""
        if plain and not isinstance(arg, np.ndarray):
            remedy = f"; convert it with np.array(..., np.{_scalar_dtype(type)})"
        elif plain and arg.dtype != _scalar_dtype(type):
            remedy = f"; convert it with .astype(np.{_scalar_dtype(type)})"
        elif plain:
            remedy = "; reshape it"
        return ArgumentError(
            f"function '{self.name}', parameter {parameter}: expected {expected}, "
            f"got {describe_value(arg)}{remedy}"
        )

    def _check_assumptions(self, sizes: Mapping[str, int]) -> None:
        known = sizes_of(self.op)
        for name, value in sizes.items():
            least = known[name].min.data if name in known else 0
            divisor = known[name].divisible_by.data if name in known else 1
            if value < least or value % divisor:
                multiple = f" and a multiple of {divisor}" if divisor > 1 else ""
                raise ArgumentError(
                    f"function '{self.name}': the size {name} is {value}, "
                    f"expected at least {least}{multiple}"
                )

    def paper(self, width: int = 100) -> str:
        """The program in the notation of [lift15], in lines of at most `width` characters."""
        return paper(self.op, width)

    def draw(self, path: str | Path | None = None) -> str:
        """The program as a picture in SVG, also written to a file `.svg`, `.png` or `.pdf`.

        Raises:
            PolyclError: the file cannot be written, or has another suffix.
        """
        # Late: only pictures need it.
        from polycl.runtime.figures.files import save
        from polycl.runtime.figures.svg import svg
        from polycl.runtime.pattern.drawing import figure_of

        figure = figure_of(self.op)
        if path is not None:
            save(figure, path)
        return svg(figure)

    def _repr_html_(self) -> str:
        return titled(f"function {self.name}", text(self.paper()) + self.draw())

    def __repr__(self) -> str:
        results = ", ".join(map(str, self.results))
        return f"<polycl.Function {self.name}({', '.join(map(str, self.parameters))}) -> {results}>"


_MOST_READY = 256
"""The number of kinds of arguments for which a function keeps prepared calls."""

_MOST_READY_OF_A_KIND = 16
"""Those with and without `out`, with one of the arguments as `out`, and of other alignments."""


def _arrays(data: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays in an argument."""
    if isinstance(data, tuple | list):
        return [array for part in data for array in _arrays(part)]
    return [data] if isinstance(data, np.ndarray) else []


_EXACT = 1 << 53
"""Smaller integers are doubles."""


def _number(arg: Any, parameter: FunctionParameter) -> Any:
    """A number of numpy as one of Python, and an integer for a float as a float: ready calls take
    no others."""
    if isinstance(arg, np.number | np.bool):
        arg = arg.item()
    if type(arg) is int and isinstance(parameter.type, AnyFloat) and abs(arg) < _EXACT:
        return float(arg)
    return arg


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


def _empty(type: Attribute, sizes: Mapping[str, int]) -> Any:
    """Uninitialised memory for a value."""
    pieces = parts(type)
    if pieces is not None:
        return tuple(_empty(piece, sizes) for piece in pieces)
    shape = [*_sizes(type), *_vector_size(innermost(type))]
    return np.empty([size.evaluate(sizes) for size in shape], _scalar_dtype(type))


def _variables(type: Attribute) -> set[str]:
    return {name for size in nats_in(type) for name in size.variables}


def _vector_size(type: Attribute) -> list[NatAttr]:
    return [nat(n) for n in type.get_shape()] if isinstance(type, VectorType) else []


def _scalar_dtype(type: Attribute) -> np.dtype[Any]:
    inner = innermost(type)
    return dtype_of(inner.element_type if isinstance(inner, VectorType) else inner)
