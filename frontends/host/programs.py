"""The functions of a source that are programs."""

from __future__ import annotations

from polycl.frontends.host.calls import is_api
from polycl.frontends.host.host_types import is_setup
from polycl.frontends.host.read import HostSource
from polycl.frontends.host.rewriting import expressions_in
from polycl.frontends.opencl_c.tree import Variable
from polycl.frontends.opencl_c.types import Kind


def entry_points(source: HostSource) -> list[str]:
    """The functions that use the API, directly or through calls, and have no callers.

    `main` is left out if it uses the API only through functions with arrays as parameters; static
    functions, if there are others.
    """
    functions = source.functions
    calls = {name: {c.function for c in f.calls} - {name} for name, f in functions.items()}
    users = {name for name, f in functions.items() if any(map(is_api, expressions_in(f.body)))}
    while True:
        more = {name for name, called in calls.items() if called & users} - users
        if not more:
            break
        users |= more
    by_main = calls.get("main", set())
    others = set[str]().union(*(called for name, called in calls.items() if name != "main"))
    main = functions.get("main")
    programs = [
        name
        for name in functions
        if name in users & by_main - others
        and any(p.type.kind is Kind.POINTER for p in functions[name].parameters)
        and all(p.type.kind is not Kind.HANDLE for p in functions[name].parameters)
    ]
    # Direct uses of a device in `main` are a part of its program.
    if programs and main is not None and not any(map(is_api, expressions_in(main.body))):
        return programs
    # A function with a kernel or buffer parameter is an unused part of a program.
    parts = {name for name, f in functions.items() if any(map(_is_followed, f.parameters))}
    found = [name for name in functions if name in users - others - by_main - parts]
    return [name for name in found if name not in source.internal] or found


def lost_programs(source: HostSource) -> list[str]:
    """The unsupported functions that use the API and have no supported caller."""
    called = {call.function for function in source.functions.values() for call in function.calls}
    return [name for name in source.refused if name in source.lost - called - source.internal]


def _is_followed(parameter: Variable) -> bool:
    return parameter.type.kind is Kind.HANDLE and not is_setup(parameter.type)
