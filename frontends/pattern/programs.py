"""A Python function as a function of the `pattern` dialect."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region
from xdsl.utils.exceptions import VerifyException

from polycl.diagnostics import one_line, unknown_name
from polycl.dialects.pattern import SIZES, ArrayType, NatAttr, SizeAttr, nat
from polycl.dialects.pattern.sizes import is_integer
from polycl.dialects.pattern.types import nats_in, substitute
from polycl.frontends.pattern.functions import as_value
from polycl.frontends.pattern.places import place_of_code, place_of_traceback
from polycl.frontends.pattern.trace import Trace, add, current, fail, substituting, tracing
from polycl.frontends.pattern.types import Type, type_of, type_text
from polycl.frontends.pattern.values import Value, numeric_like


@dataclass(frozen=True)
class ProgramSource:
    """A Python function with the types of its parameters."""

    function: Callable[..., Any]
    parameters: Mapping[str, Type]
    result: Type | None

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self.function.__name__


def read_program(function: Callable[..., Any], names: Mapping[str, Any]) -> ProgramSource:
    """The parameters of a program, whose annotations may use the local `names`.

    Raises:
        SourceError: a parameter has no type, or one that is not of the dialect.
    """
    place = place_of_code(function.__code__)
    try:
        annotations = inspect.get_annotations(function, locals=names, eval_str=True)
    except NameError as error:
        raise place.error(
            f"program '{function.__name__}': {error} in a type; import it from polycl.pattern, "
            f'or define the size variable: {error.name} = size("{error.name}")'
        ) from error
    parameters: dict[str, Type] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            raise place.error(
                f"program '{function.__name__}': expected plain parameters, got '{parameter}'; "
                "write one for each array: x: Array[f32, N]"
            )
        if parameter.default is not parameter.empty:
            raise place.error(
                f"program '{function.__name__}': the parameter '{name}' has a default; a call has "
                "all arguments: leave it out, or write the value into the program"
            )
        if name not in annotations:
            raise place.error(
                f"program '{function.__name__}': the parameter '{name}' has no type; "
                f"write {name}: Array[f32, N] or {name}: f32"
            )
        parameters[name] = type_of(annotations[name])
    returned = annotations.get("return")
    return ProgramSource(function, parameters, None if returned is None else type_of(returned))


def trace_program(source: ProgramSource) -> ModuleOp:
    """The module with one function: what the Python function computes.

    Raises:
        SourceError: with the place in the Python source.
    """
    types = [type.attribute for type in source.parameters.values()]
    block = Block(arg_types=types)
    for name, arg in zip(source.parameters, block.args, strict=True):
        arg.name_hint = name
    trace = Trace(source.name, [block])
    for type in (*source.parameters.values(), source.result):
        trace.assumptions.update(type.assumptions if type is not None else {})
    place = place_of_code(source.function.__code__)
    with tracing(trace):
        try:
            returned = source.function(*map(Value, block.args))
        except (NameError, AttributeError, TypeError) as error:
            at = place_of_traceback(error.__traceback__) or place
            raise at.error(f"program '{source.name}': {_python_error(error)}") from error
        values = [as_value(value, source.function) for value in _results(returned)]
        found = [value.type for value in values]
        _check_result(source, found)
        add(ReturnOp(*(value.ssa for value in values)))
    function = FuncOp(source.name, (types, found), Region(block))
    function.location = place.location
    used = {name for op in function.walk() for name in _variables(op.result_types)}
    used |= {name for name in _variables(types)}
    assumed = [size for name, size in sorted(trace.assumptions.items()) if name in used]
    if assumed:
        function.attributes[SIZES] = ArrayAttr(assumed)
    module = ModuleOp([function])
    try:
        module.verify()
    except VerifyException as error:
        raise place.error(f"program '{source.name}': {one_line(error)}") from error
    return module


def _python_error(error: Exception) -> str:
    """What Python refused, with what the user may have meant."""
    if isinstance(error, AttributeError):
        known = [name for name in dir(error.obj) if not name.startswith("_")]
        unknown = unknown_name("attribute", error.name or "", known)
        if isinstance(error.obj, ModuleType):
            return f"{error.obj.__name__}: {unknown}"
        if isinstance(error.obj, Value):
            return f"a value: {unknown}; functions come first: sqrt(x), reduce(add, 0.0, x)"
        return f"a {type(error.obj).__name__}: {unknown}"
    if isinstance(error, NameError):
        known: list[str] = []
        traceback = error.__traceback__
        while traceback is not None:
            frame, traceback = traceback.tb_frame, traceback.tb_next
            known += [*frame.f_locals, *frame.f_globals]
        return (
            f"{unknown_name('name', error.name or '', known)}; define it before the program, "
            "or import it from polycl.pattern"
        )
    return str(error)


def _results(returned: Any) -> tuple[Any, ...]:
    """The results of a program: a tuple with an array in it is several."""
    parts = returned.known_parts if isinstance(returned, Value) else returned
    is_several = isinstance(parts, tuple) and any(
        isinstance(value, Value) and isinstance(value.type, ArrayType) for value in parts
    )
    return parts if is_several else (returned,)


def _variables(types: Sequence[Attribute]) -> set[str]:
    return {name for type in types for size in nats_in(type) for name in size.variables}


def _check_result(source: ProgramSource, found: Sequence[Attribute]) -> None:
    place = place_of_code(source.function.__code__)
    if not any(isinstance(type, ArrayType) for type in (*found, *_types(source))):
        raise place.error(
            f"program '{source.name}' has no array as a parameter or result; expected one"
        )
    expected = source.result
    if expected is not None and (len(found) != 1 or found[0] != expected.attribute):
        raise place.error(
            f"program '{source.name}' returns {', '.join(map(type_text, found))}, expected "
            f"{expected}, the type after '->'"
        )


def _types(source: ProgramSource) -> list[Attribute]:
    return [type.attribute for type in source.parameters.values()]


# ---- programs that programs call ----


def call_program(source: ProgramSource, args: Sequence[Any]) -> Value:
    """The result of a program for values of the one that is being built, in its place.

    Its size variables become the sizes of the arguments.

    Raises:
        SourceError: the arguments do not fit the parameters.
    """
    if len(args) != len(source.parameters):
        raise fail(
            f"program '{source.name}' takes {len(source.parameters)} arguments "
            f"({', '.join(source.parameters)}), got {len(args)}"
        )
    env: dict[str, NatAttr] = {}
    values: list[Value] = []
    for (name, type), arg in zip(source.parameters.items(), args, strict=True):
        value = arg if isinstance(arg, Value) else numeric_like(arg, type.attribute)
        what = f"program '{source.name}', parameter {name}"
        if not _unify(type.attribute, value.type, env):
            raise fail(
                f"{what}: expected {type_text(substitute(type.attribute, env))}, "
                f"got {type_text(value.type)}"
            )
        values.append(value)
    for (name, type), value in zip(source.parameters.items(), values, strict=True):
        expected = substitute(type.attribute, env)
        if expected != value.type:
            raise fail(
                f"program '{source.name}', parameter {name}: expected {type_text(expected)}, "
                f"got {type_text(value.type)}"
            )
    for type in source.parameters.values():
        _check_assumptions(source, type, env)
    with substituting(env):
        results = [as_value(r, source.function) for r in _results(source.function(*values))]
    return results[0] if len(results) == 1 else Value(None, results)


def _unify(parameter: Attribute, arg: Attribute, env: dict[str, NatAttr]) -> bool:
    """Finds the sizes that make the parameter's type that of the argument, where it can."""
    while isinstance(parameter, ArrayType) and isinstance(arg, ArrayType):
        size = parameter.size.substitute(env)
        unknown = [name for name in parameter.size.variables if name not in env]
        if len(unknown) == 1:
            (name,) = unknown
            constant = size.substitute({name: nat(0)})
            slope = size.substitute({name: nat(1)}) - constant
            solution = (arg.size - constant).quotient(slope)
            if solution is None or not is_integer(solution, current().assumptions):
                return False
            env[name] = solution
        elif not unknown and size != arg.size:
            return False
        parameter, arg = parameter.element_type, arg.element_type
    if isinstance(parameter, ArrayType) or isinstance(arg, ArrayType):
        return False
    inner, given = getattr(parameter, "types", None), getattr(arg, "types", None)
    if inner is None or given is None:
        return parameter == arg
    return len(inner.data) == len(given.data) and all(
        _unify(a, b, env) for a, b in zip(inner, given, strict=True)
    )


def _check_assumptions(source: ProgramSource, type: Type, env: Mapping[str, NatAttr]) -> None:
    for name, assumed in type.assumptions.items():
        size, known = env[name], current().assumptions
        divisor, least = assumed.divisible_by.data, assumed.min.data
        part = size.quotient(divisor)
        if part is None or not is_integer(part, known):
            raise fail(
                f"program '{source.name}' assumes that {name} is a multiple of {divisor}; "
                f"{size} is not known to be one"
            )
        if _least(size, known) < least:
            raise fail(
                f"program '{source.name}' assumes that {name} is at least {least}; "
                f"{size} is not known to be"
            )


def _least(size: NatAttr, known: Mapping[str, SizeAttr]) -> int:
    """A lower bound of a size."""
    if any(coefficient < 0 for _, coefficient in size.terms):
        return 0
    return size.evaluate({v: known[v].min.data if v in known else 1 for v in size.variables})
