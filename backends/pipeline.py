"""Runs passes over a module, with located errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    PassFailedException,
    VerifyException,
)

from polycl.backends.limits import check_ops
from polycl.backends.phases import phase
from polycl.backends.reproducer import leave_reproducer, reproducers_wanted
from polycl.diagnostics import from_verify_error, one_line, unknown_name
from polycl.errors import ArgumentError, LaunchError
from polycl.remarks import collect_remarks
from polycl.universe import UNIVERSE

T = TypeVar("T")


def make_context() -> Context:
    """A context with every dialect: xDSL's, those of installed plugins, and ours."""
    context = Context()
    dialects = installed().all_dialects | UNIVERSE.all_dialects
    for name, factory in dialects.items():
        context.register_dialect(name, factory)
    return context


def available_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Every pass by name: xDSL's, those of installed plugins, and ours."""
    return installed().all_passes | UNIVERSE.all_passes


@cache
def installed() -> Universe:
    """What xDSL and installed plugins register: to look for plugins takes 4 ms."""
    return Universe.get_multiverse()


def parse_passes(spec: str) -> tuple[ModulePass, ...]:
    """The passes that `spec` names, in the syntax of `ocl-opt -p`: `"a,b{option=1}"`.

    Raises:
        ArgumentError: a syntax error, an unknown pass or an unknown option.
    """
    known = available_passes()
    try:
        specs = tuple(parse_pipeline(spec))
    except (ArgSpecParseError, StopIteration, RuntimeError) as error:
        raise ArgumentError(f"pipeline '{spec}': {one_line(error) or 'ends too early'}") from error
    passes: list[ModulePass] = []
    for item in specs:
        if item.name not in known:
            raise ArgumentError(f"pipeline '{spec}': {unknown_name('pass', item.name, known)}")
        try:
            passes.append(known[item.name]().from_spec(item))
        except (ValueError, TypeError) as error:
            raise ArgumentError(f"pipeline '{spec}': '{item.name}': {one_line(error)}") from error
    return tuple(passes)


def run_passes(
    module: ModuleOp,
    passes: tuple[ModulePass, ...],
    use: Callable[[ModuleOp], T] = ModuleOp.verify,
    again: Callable[[], ModuleOp] | None = None,
) -> T:
    """Run `passes` over `module` in place, and return `use(module)`, which by default verifies it.

    If a pass fails, all run again on a copy of the module that is verified after each pass: to
    verify after each pass always would take as long as the passes. `again` makes this copy; without
    it one is made before the passes.

    Raises:
        PolyclError: a pass failed, or left a module that does not verify.
        Exception: `use` raised it, and all modules verify.
    """
    context = _context_for(passes)
    again = again or module.clone().clone
    try:
        for step in passes:
            with phase(step.name):
                step.apply(context, module)
            check_ops(module, f"after pass '{step.name}'")
        return use(module)
    except Exception:
        # The remarks have been emitted.
        with collect_remarks():
            _find_failure(context, again(), passes)
        raise


def _context_for(passes: tuple[ModulePass, ...]) -> Context:
    """A context without plugins for our own and xDSL's passes: to look for plugins takes time."""
    owners = {type(step).__module__.partition(".")[0] for step in passes}
    if not owners <= {"polycl", "xdsl"}:
        return make_context()
    context = Context()
    for name, factory in (get_all_dialects() | UNIVERSE.all_dialects).items():
        context.register_dialect(name, factory)
    return context


def _find_failure(context: Context, module: ModuleOp, passes: tuple[ModulePass, ...]) -> None:
    """Run the passes until one fails, and raise its error."""
    for i, step in enumerate(passes):
        before = module.clone() if reproducers_wanted() else None
        try:
            _run_pass(context, module, step)
        except Exception as error:
            if before is not None:
                leave_reproducer(before, passes[i:], error)
            raise


def run_pipeline(module: ModuleOp, spec: str) -> None:
    """Run the pipeline `spec` over `module` in place; see `parse_passes`."""
    run_passes(module, parse_passes(spec))


def _run_pass(context: Context, module: ModuleOp, step: ModulePass) -> None:
    try:
        step.apply(context, module)
    except VerifyException as error:
        raise from_verify_error(module, error, f" (in pass '{step.name}')") from error
    except (PassFailedException, DiagnosticException) as error:
        raise LaunchError(f"pass '{step.name}': {one_line(error)}") from error
    try:
        module.verify()
    except VerifyException as error:
        raise from_verify_error(module, error, f" (after pass '{step.name}')") from error
    check_ops(module, f"after pass '{step.name}'")
