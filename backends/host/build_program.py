"""A whole program that was read and changed, built again: what is written, and its other files.

`main` is that of `-t opencl-host-c`. The program's C files are compiled as they are, for the
functions and variables that stay in them: their own `main` has another name, and a file whose
static functions are called from outside gets aliases for them.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr

from polycl.backends.host.host_c import host_c
from polycl.backends.host.host_statements import static_symbol
from polycl.dialects import host
from polycl.dialects.host.launches import FILE, FILES
from polycl.errors import PolyclError

_WARNINGS = ("-Wall", "-Werror")
"""For the written file. Those of the program's own files are none of this compiler's."""


def files_of(module: ModuleOp) -> list[str]:
    """The C files of a whole program; none of another module."""
    found = module.attributes.get(FILES)
    if not isinstance(found, ArrayAttr):
        return []
    return [file.data for file in found if isinstance(file, StringAttr)]


def build_program(
    module: ModuleOp,
    folder: Path,
    binary: Path,
    options_of: Mapping[str, Sequence[str]],
    flags: Sequence[str] = (),
    objects: Sequence[str] = (),
    libraries: Sequence[str] = ("-lOpenCL",),
    headers: str = "",
) -> None:
    """Build the program of a module that `import_program` has read; its files are in `folder`.

    `options_of` has the -D and -I of its files, `flags` are for all of them; `objects` are
    further files to link, `libraries` those with OpenCL's loader, and
    `headers` is the folder of its headers where the system has none.

    Raises:
        PolyclError: there is no C for an operation, or the compiler has errors.
    """
    found = ["-idirafter", headers] if headers else []
    folder.mkdir(parents=True, exist_ok=True)
    main = folder / "host.c"
    main.write_text(host_c(module), encoding="utf-8")
    made = [folder / "host.o"]
    # The same memory has types of the program's files and types of the IR.
    flags_of_main = ["-O2", "-fno-strict-aliasing", *_WARNINGS, *found]
    _compile(["cc", *flags_of_main, "-c", str(main), "-o", str(made[0])])
    statics = _statics(module)
    for number, file in enumerate(files_of(module)):
        part = folder / f"{number}_{Path(file).name}"
        names = statics.get(file, [])
        aliases = [f'extern __typeof__({name}) {static_symbol(name)} '
                   f'__attribute__((alias("{name}")));' for name in names]  # fmt: skip
        lines = [f"#define main main_of_file_{number}", f'#include "{Path(file).resolve()}"']
        part.write_text("\n".join([*lines, *aliases, ""]), encoding="utf-8")
        made.append(part.with_suffix(".o"))
        options = [*found, f"-I{Path(file).resolve().parent}", *options_of.get(file, ()), *flags]
        _compile(["cc", "-O2", "-w", *options, "-c", str(part), "-o", str(made[-1])])
    linker = "c++" if objects else "cc"
    _compile([linker, *map(str, made), *objects, *libraries, "-lm", "-o", str(binary)])


def _statics(module: ModuleOp) -> dict[str, list[str]]:
    """The static functions and variables of each file that the module uses."""
    found: dict[str, dict[str, None]] = {}
    for op in module.walk():
        match op:
            case host.OpaqueOp():
                name, file = op.function.data, op.attributes.get(FILE)
            case host.ExternOp():
                name, file = op.symbol.data, op.file
            case _:
                continue
        if isinstance(file, StringAttr):
            found.setdefault(file.data, {})[name] = None
    return {file: list(names) for file, names in found.items()}


def _compile(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise PolyclError(f"{' '.join(command)} failed:\n{done.stderr.strip()}")
