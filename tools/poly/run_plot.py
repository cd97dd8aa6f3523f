"""ocl-run --plot: pictures of a split kernel instead of a run."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from polycl.diagnostics import unknown_name
from polycl.errors import PolyclError
from polycl.runtime.figures.files import check_kind
from polycl.runtime.kernel import Kernel
from polycl.runtime.poly import (
    Figure,
    SplitKernel,
    access,
    codelets,
    dispatch,
    domain,
    save,
    split,
    table,
)
from polycl.tools.driver import UsageError
from polycl.tools.run_arguments import read_arguments

Options = Mapping[str, str]


def plot(args: argparse.Namespace, kernel: Kernel) -> None:
    """Draw the picture that the command line requests.

    Raises:
        PolyclError: it cannot be drawn.
    """
    kind = args.plot_kind or "codelets"
    if kind not in _KINDS:
        known = ", ".join(_KINDS)
        raise UsageError(
            f"--plot-kind {kind}: {unknown_name('kind', kind, _KINDS)} (the kinds: {known})"
        )
    options = _options(kind, args.plot_option)
    if kind == "table":
        _check_text(args.plot)
    elif args.plot is None:
        raise UsageError(f"where to draw? expected --plot {kind}.svg")
    else:
        check_kind(Path(args.plot))
    count = math.prod(args.global_size)
    launch = split(
        kernel,
        read_arguments(kernel, args.arg, count, args.seed, all_needed=False),
        global_size=args.global_size,
        local_size=args.local_size,
        global_offset=args.offset,
        width=_number(options.get("width", "8"), "width"),
        constant_size=kind != "dispatch",
    )
    if kind != "table":
        save(_KINDS[kind](launch, options), args.plot)
    elif args.plot in (None, "-"):
        print(table(launch), end="")
    else:
        try:
            Path(args.plot).write_text(table(launch), encoding="utf-8")
        except OSError as error:
            raise PolyclError(f"cannot write '{args.plot}': {error.strerror}") from error


def _codelets(launch: SplitKernel, options: Options) -> Figure:
    region = launch.region(options.get("region"))
    subkernel = launch.subkernel(options.get("subkernel"), region.sym_name.data)
    return codelets(subkernel, launch.sizes(region), launch.groups, launch.offset)


def _domain(launch: SplitKernel, options: Options) -> Figure:
    dims = options.get("dims")
    names = tuple(dims.split(",")) if dims is not None else None
    if names is not None and len(names) != 2:
        raise UsageError(f"--plot-option dims={dims}: expected two names, such as dims=x,k")
    return domain(
        launch.subkernel(options.get("subkernel"), options.get("region")),
        launch.values(_group(options), options.get("region")),
        options.get("array"),
        dims=(names[0], names[1]) if names else None,
        at=_at(options),
        first=_number(options.get("first", "0"), "first"),
    )


def _access(launch: SplitKernel, options: Options) -> Figure:
    return access(
        launch.subkernel(options.get("subkernel"), options.get("region")),
        launch.values(_group(options), options.get("region")),
        options.get("array"),
        tile=_number(options.get("tile", "0"), "tile"),
        at=_at(options),
    )


def _dispatch(launch: SplitKernel, options: Options) -> Figure:
    kernel = launch.region(options.get("region"))
    return dispatch(
        kernel,
        launch.values(_group(options), options.get("region")),
        _plane(options.get("x", "L0:1..64"), "x"),
        _plane(options.get("y", "L1:1..64"), "y"),
    )


_KINDS: Mapping[str, Callable[[SplitKernel, Options], Figure]] = {
    "codelets": _codelets,
    "domain": _domain,
    "access": _access,
    "dispatch": _dispatch,
    "table": _codelets,
}

_KEYS = {
    "codelets": ("width", "region", "subkernel"),
    "domain": ("width", "region", "subkernel", "group", "array", "dims", "first", "at.NAME"),
    "access": ("width", "region", "subkernel", "group", "array", "tile", "at.NAME"),
    "dispatch": ("width", "region", "group", "x", "y"),
    "table": ("width",),
}


def _options(kind: str, texts: list[str]) -> Options:
    found: dict[str, str] = {}
    known = _KEYS[kind]
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not value:
            raise UsageError(f"--plot-option {text}: expected KEY=VALUE")
        if key not in known and not (key.startswith("at.") and "at.NAME" in known):
            raise UsageError(
                f"--plot-option {text}: {unknown_name('option', key, known)} "
                f"(those of {kind}: {', '.join(known)})"
            )
        found[key] = value
    return found


def _at(options: Options) -> dict[str, int]:
    return {
        key.removeprefix("at."): _number(value, key)
        for key, value in options.items()
        if key.startswith("at.")
    }


def _group(options: Options) -> tuple[int, int, int]:
    text = options.get("group", "0")
    if not re.fullmatch(r"\d+(x\d+){0,2}", text):
        raise UsageError(f"--plot-option group={text}: expected N, NxM or NxMxK")
    x, y, z = (*map(int, text.split("x")), 0, 0)[:3]
    return x, y, z


def _plane(text: str, key: str) -> tuple[str, range]:
    found = re.fullmatch(r"(\w+):(-?\d+)\.\.(-?\d+)", text)
    if found is None:
        raise UsageError(f"--plot-option {key}={text}: expected {key}=NAME:FIRST..LAST")
    return found[1], range(int(found[2]), int(found[3]) + 1)


def _number(text: str, key: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"--plot-option {key}={text}: expected a number")
    return int(text)


def _check_text(path: str | None) -> None:
    if path not in (None, "-") and Path(path).suffix not in (".txt", ".md"):
        raise UsageError(
            f"--plot {path}: a table is a text; expected a .txt file, or no --plot to print it"
        )
