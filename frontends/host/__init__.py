"""Host programs in C -> commands of the `host` dialect, in one module with their kernels.

source.py, read.py     C -> the typed tree of frontends/opencl_c, with host_types.py
prepare.py             inlines functions; calls.py: the effects of API calls; evaluation.py,
                       folding.py: constant propagation and dead code; parts.py: scalar replacement
                       of small arrays and structs; moving.py: moving pointers; sources.py: the
                       sources of kernels
host_launches.py       clSetKernelArg -> variables that launches read; the elements of buffers
arrays.py,             the typed tree -> operations; commands.py: the calls of calls.py;
emit_host.py,          library.py: functions of C's library
host_module.py

prepare.py and host_launches.py work on the tree, since operations need types that are not yet
known: the element of a buffer follows from the kernels that access it, which takes the kernel's
name, the argument's number and the variable of each clSetKernelArg. Passes of lowering/ start from
types, and no frontend imports them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr

from polycl.dialects.host.launches import FILES
from polycl.errors import ArgumentError, PolyclError
from polycl.frontends.host.host_module import host_function, kernel_module
from polycl.frontends.host.prepare import Preparer
from polycl.frontends.host.programs import entry_points, lost_programs
from polycl.frontends.host.read import HostSource, read_host
from polycl.frontends.host.read_program import read_program
from polycl.frontends.host.source import OPENCL_HEADERS, parse_host
from polycl.frontends.host.sources import all_sources

__all__ = ["OPENCL_HEADERS", "import_host", "import_program"]


def import_host(
    data: bytes | str,
    filename: str = "<string>",
    options: Sequence[str] = (),
    kernels: Sequence[str] = (),
    function: str | None = None,
) -> ModuleOp:
    """Compile a host program in C, with its kernels, to one module.

    `options` (-D and -I, and for the kernels those of clBuildProgram) are for both. `kernels` are
    the paths of the kernel files, instead of those that the program names. Each function that uses
    OpenCL and is not called by another becomes a function of the module, or `function` alone.

    Raises:
        SourceError: clang's errors, or a call that does not fit its kernel.
        UnsupportedError: legal C that this importer does not support.
        PolyclError: there is no kernel, or no call of OpenCL.
    """
    for_clang = [option for option in options if option.startswith(("-D", "-I"))]
    found = read_host(parse_host(data, filename, for_clang))
    names = entry_points(found)
    wanted = [function] if function is not None else lost_programs(found)
    for name in wanted:
        if name in found.refused:
            raise found.refused[name]
    if function is not None:
        if function not in found.functions:
            have = ", ".join(found.functions) or "none"
            raise ArgumentError(f"{filename}: no function '{function}' (its functions: {have})")
        names = [function]
    if not names:
        raise next(
            iter(found.refused.values()),
            PolyclError(f"{filename}: no function in it calls OpenCL"),
        )
    return _module(found, names, filename, kernels, options)


def import_program(
    files: Sequence[str],
    options: Sequence[str] = (),
    kernels: Sequence[str] = (),
    function: str = "main",
    options_of: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> ModuleOp:
    """Compile a whole program of several files in C, with its kernels, to one module.

    Its memory is C's, and functions that use no OpenCL stay in their files: the module is run by
    what `-t opencl-host-c` writes, together with these files. `options` and `kernels` are those of
    `import_host`; `options_of` has further -D and -I of single files.

    Raises:
        SourceError: clang's errors, or a call that does not fit its kernel.
        UnsupportedError: legal C that this importer does not support.
        PolyclError: there is no kernel, or the function does not use OpenCL.
    """
    for_clang = [option for option in options if option.startswith(("-D", "-I", "-include"))]
    found = read_program({file: [*options_of.get(file, ()), *for_clang] for file in files})
    if function in found.refused:
        raise found.refused[function]
    if function not in found.functions:
        have = ", ".join(found.functions) or "none"
        raise PolyclError(
            f"{files[0]}: '{function}' does not use OpenCL (functions that do: {have})"
        )
    file = found.files[function]
    # Programs run in their folder, from which kernels include files.
    module = _module(found, [function], file, kernels, [*options, "-I", str(Path(file).parent)])
    module.attributes[FILES] = ArrayAttr(StringAttr(file) for file in files)
    return module


def _module(
    found: HostSource,
    names: Sequence[str],
    filename: str,
    kernels: Sequence[str],
    options: Sequence[str],
) -> ModuleOp:
    preparer = Preparer(found)
    hosts = {name: preparer.entry(name) for name in names}
    sources = all_sources(host.sources for host in hosts.values())
    module = kernel_module(sources, filename, kernels, options)
    program = found if found.is_program else None
    for name, host in hosts.items():
        where = found.functions[name].location
        new = preparer.new_variable
        module.body.block.add_op(host_function(name, where, host, module, new, program))
    return module
