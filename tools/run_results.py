"""The results that ocl-run prints and writes: `--print NAME[..]` and `--out NAME=FILE`."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.diagnostics import unknown_name
from polycl.errors import PolyclError
from polycl.runtime.images import Image, array_of
from polycl.tools.driver import UsageError
from polycl.tools.run_arguments import HasParameters, named_specs

_PART = re.compile(r"(?P<name>\w+)(\[(?P<index>[-\d:,\s]+)\])?")


def wanted_results(
    args: argparse.Namespace, kernel: HasParameters, values: Mapping[str, Any]
) -> Callable[[], None]:
    """Checks the options of results now; the function that it returns prints and writes them.

    Raises:
        UsageError: an option names nothing, or a file that cannot be written.
    """
    outputs = _check_outputs(kernel, values, args.out)
    selected = [(text, _select(kernel, values, text)) for text in args.prints]

    def show() -> None:
        for text, part in selected:
            print(f"{text} = {part}")
        _write_outputs(values, outputs)

    return show


def _check_outputs(
    kernel: HasParameters, values: Mapping[str, Any], texts: Sequence[str]
) -> dict[str, str]:
    """Parameter name -> file for the `--out` options."""
    outputs = named_specs("--out", texts, kernel)
    for name, file in outputs.items():
        if list(outputs.values()).count(file) > 1:
            raise UsageError(f"--out: two arrays would be written to '{file}'")
        array = _array(f"--out {name}", values[name])
        folder = Path(file).parent
        if not folder.is_dir():
            raise UsageError(f"cannot write '{file}': there is no folder '{folder}'")
        match Path(file).suffix.lower():
            case ".npy":
                pass
            case ".png":
                # Late, as few runs write pictures.
                from polycl.runtime.pictures import picture_problem

                problem = picture_problem(array.shape, array.dtype)
                if problem is not None:
                    raise UsageError(f"cannot write '{name}' to '{file}': {problem}")
            case _:
                raise UsageError(f"cannot write '{file}': expected a .npy or .png file")
    return outputs


def _select(kernel: HasParameters, values: Mapping[str, Any], text: str) -> NDArray[Any]:
    """The part of an array that a `--print` option names, as a view."""
    match = _PART.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"--print {text}: expected NAME or NAME[INDEX], say y[:8] or m[0, 2:4]")
    known = [parameter.name for parameter in kernel.parameters]
    if match["name"] not in known:
        raise UsageError(
            f"--print {text}: {unknown_name('parameter', match['name'], known)} (those of "
            f"'{kernel.name}': {', '.join(known) or 'none'})"
        )
    array = _array(f"--print {text}", values[match["name"]])
    if match["index"] is None:
        return array
    try:
        # The ellipsis makes a view of a single element, too.
        return array[(*(_index(part) for part in match["index"].split(",")), ...)]
    except (IndexError, ValueError) as error:
        shape = "x".join(map(str, array.shape))
        raise UsageError(f"--print {text}: {error} (the shape is {shape})") from error


def _index(text: str) -> int | slice:
    parts = text.split(":")
    if len(parts) == 1:
        return int(parts[0])
    if len(parts) > 3:
        raise ValueError(f"'{text}' is not a slice")
    return slice(*(int(part) if part.strip() else None for part in parts))


def _array(what: str, value: Any) -> NDArray[Any]:
    if isinstance(value, Image):
        return value.array
    if not isinstance(value, np.ndarray):
        raise UsageError(f"{what}: this argument is not an array")
    return value


def _write_outputs(values: Mapping[str, Any], outputs: Mapping[str, str]) -> None:
    """Writes every file or none: all are complete before the first appears under its name."""
    waiting: dict[str, str] = {}
    try:
        for name, file in outputs.items():
            waiting[file] = _write_beside(array_of(values[name]), file)
        for file, temporary in waiting.items():
            os.replace(temporary, file)
    except OSError as error:
        raise PolyclError(
            f"cannot write {', '.join(outputs.values())}: {error.strerror}"
        ) from error
    finally:
        for temporary in waiting.values():
            Path(temporary).unlink(missing_ok=True)
    for name, file in outputs.items():
        print(f"wrote {file} ({name})")


def _write_beside(array: NDArray[Any], file: str) -> str:
    """A complete file in the folder of `file`, under another name."""
    descriptor, temporary = tempfile.mkstemp(prefix=".", dir=Path(file).parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            if Path(file).suffix.lower() == ".npy":
                np.save(stream, array)
            else:
                from polycl.runtime.pictures import save_picture

                save_picture(array, stream)
        # mkstemp makes files that only their owner may read.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return temporary
