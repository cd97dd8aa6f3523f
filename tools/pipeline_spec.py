"""Reads `-p` and `-t` values, `name{option=value ...}`, with errors a person can act on."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from typing import Any, TypeVar, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, parse_pipeline, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.utils.hints import type_repr

from polycl.columns import PIPELINES
from polycl.diagnostics import one_line, unknown_name
from polycl.tools.driver import UsageError, spec_error_text

_LOCAL_SIZE = 64
"""Of named pipelines, if none is given."""

SpecT = TypeVar("SpecT")
ConvertibleT = TypeVar("ConvertibleT", bound=ArgSpecConvertible)


def parse_passes(
    available: Mapping[str, Callable[[], type[ModulePass]]], text: str
) -> tuple[ModulePass, ...]:
    """The passes that `text` ("a,b{x=1}") names, in order. Raises `UsageError`."""
    specs = _parse("-p", text, lambda t: tuple(parse_pipeline(t)))
    for spec in specs:
        if spec.name not in available and spec.name not in PIPELINES:
            raise UsageError(unknown_name("pass", spec.name, [*available, *PIPELINES]))
    passes: list[ModulePass] = []
    for spec in specs:
        if spec.name in PIPELINES:
            passes += named_pipeline(spec)
        else:
            passes.append(_instantiate("pass", spec, available[spec.name]()))
    return tuple(passes)


def named_pipeline(spec: ArgSpec) -> tuple[ModulePass, ...]:
    """The passes of a device, `cpu` or `cpu{size=16,16}`, for launches with this local size (64 if
    there is none). Raises `UsageError`."""
    # Late: a device takes long to load.
    from polycl.backends.device import NDRange

    options = dict(spec.parameters)
    size = options.pop("size", (_LOCAL_SIZE,))
    numbers = [n for n in size if type(n) is int and n > 0]
    if options or not 1 <= len(numbers) == len(size) <= 3:
        raise UsageError(
            f"pipeline '{spec.name}': expected '{spec.name}' or, with the local size, "
            f"'{spec.name}{{size=16,16}}'"
        )
    x, y, z = (*numbers, 1, 1)[:3]
    launch = NDRange((x, y, z), (x, y, z), work_dim=len(numbers))
    return PIPELINES[spec.name]()(launch)


def check_target(available: Mapping[str, Callable[..., Any]], text: str) -> None:
    """Raises `UsageError` unless `text` names a target and gives it options that it has."""
    spec = _parse("-t", text, parse_spec)
    if spec.name not in available:
        raise UsageError(unknown_name("target", spec.name, available))
    factory = available[spec.name]
    # xDSL's older targets are functions (module, stream) without options.
    if not inspect.signature(factory).parameters:
        _instantiate("target", spec, factory())


def option_texts(cls: type[ArgSpecConvertible]) -> list[str]:
    """`name: type` or `name: type = default` for each option of a pass or target."""
    texts: list[str] = []
    types = get_type_hints(cls)
    for option in _options(cls):
        text = f"{option.name.replace('_', '-')}: {type_repr(types[option.name])}"
        if hasattr(cls, option.name):
            text += f" = {getattr(cls, option.name)}"
        texts.append(text)
    return texts


def _options(cls: type[ArgSpecConvertible]) -> list[Field[Any]]:
    return [f for f in fields(cls) if f.name != "name" and f.init]


def _parse(flag: str, text: str, parse: Callable[[str], SpecT]) -> SpecT:
    """`parse(text)`; a syntax error is shown with a caret under its place in `text`."""
    try:
        return parse(text)
    except ArgSpecParseError as error:
        raise UsageError(f"{flag}: {spec_error_text(error)}") from error
    except (StopIteration, RuntimeError) as error:
        # xDSL's lexer runs dry in the middle of a specification
        raise UsageError(f"{flag}: '{text}' ends too early; expected e.g. name{{a=1}}") from error


def _instantiate(kind: str, spec: ArgSpec, cls: type[ConvertibleT]) -> ConvertibleT:
    known = [f.name for f in _options(cls)]
    for name in spec.normalize_parameter_names().parameters:
        if name not in known:
            have = ", ".join(option_texts(cls)) or "none"
            raise UsageError(f"{kind} '{spec.name}' has no option '{name}'; its options: {have}")
    try:
        return cls.from_spec(spec)
    except (ValueError, TypeError) as error:
        have = ", ".join(option_texts(cls)) or "none"
        raise UsageError(f"{kind} '{spec.name}': {one_line(error)}; its options: {have}") from error
