"""The accesses of a kernel, to choose one for a picture."""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from polycl.analysis.poly.model import Access, Model, model_of
from polycl.dialects.poly import SubkernelOp
from polycl.dialects.poly.isl_text import dimensions_of, parameters_of
from polycl.errors import ArgumentError
from polycl.runtime.poly.grid import kernel_of


def model_before_split(subkernel: SubkernelOp) -> Model:
    """The model of all work-items: each codelet has the whole program."""
    return model_of(kernel_of(subkernel), subkernel.codelets[0].body)


def access_named(model: Model, name: str | None) -> Access:
    """The first access of an array, or the n-th of `name:n`; by default the one in most loops.

    Raises:
        ArgumentError: there is none.
    """
    if not model.accesses:
        raise ArgumentError("the kernel does not access memory")
    if name is None:
        return max(model.accesses, key=lambda access: len(counters(access)))
    array, _, number = name.partition(":")
    found = [access for access in model.accesses if access.array == array]
    place = int(number) if number.isdecimal() else 0
    if place >= len(found):
        names = ", ".join(dict.fromkeys(access.array for access in model.accesses))
        have = f"'{array}' has {len(found)} accesses" if found else f"no access of '{array}'"
        raise ArgumentError(f"{have}; the arrays: {names}")
    return found[place]


def counters(access: Access) -> tuple[str, ...]:
    """The names of all dimensions of its domain: work-items, then loops."""
    return dimensions_of(access.domain)


def fixed(found: isl.Set, values: Mapping[str, int]) -> isl.Set:
    """The set with fixed values of some parameters and dimensions, by name."""
    for kind in (isl.dim_type.param, isl.dim_type.set):
        for name, value in values.items():
            place = found.find_dim_by_name(kind, name)
            if place >= 0:
                found = found.fix_val(kind, place, isl.Val.int_from_si(found.get_ctx(), value))
    return found


def relevant(access: Access, values: Mapping[str, int]) -> dict[str, int]:
    """The parameters on which the access depends."""
    sets = [access.domain]
    names: set[str] = set()
    if access.index is not None:
        sets += [coefficient.domain() for coefficient in access.index.terms.values()]
        names.update(*access.index.terms)
    for found in sets:
        names.update(parameters_of(found))
    return {name: value for name, value in values.items() if name in names}


def text_of(access: Access) -> str:
    """`read input`, `write output`."""
    return f"{access.direction} '{access.array}'"
