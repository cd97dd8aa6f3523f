"""Host programs in C -> commands of the `ocl` dialect, in one module with their kernels.

source.py, read.py     C -> the typed tree of frontends/opencl_c, with types.py for the host's types
prepare.py             functions in the place of their calls; calls.py: what the API's calls do;
                       evaluation.py, folding.py: what is known, and dead code; parts.py: small
                       arrays and structs as values; moving.py: pointers that move;
                       sources.py: where the kernels are
launches.py            clSetKernelArg -> variables that launches read; what buffers consist of
arrays.py, emit.py,    the typed tree -> operations; commands.py: those of calls.py; library.py:
module.py              functions of C's library

What prepare.py and launches.py do is done on the tree, since operations need types that are not
known before: a buffer's element is what kernels see in it, which takes the kernel's name, the
argument's number and the variable that each clSetKernelArg gets. Passes of lowering/ start from
types, and no frontend imports them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from polycl.errors import ArgumentError, PolyclError
from polycl.frontends.host.host_module import host_function, kernel_module
from polycl.frontends.host.prepare import Preparer
from polycl.frontends.host.programs import entry_points, lost_programs
from polycl.frontends.host.read import read_host
from polycl.frontends.host.source import OPENCL_HEADERS, parse_host
from polycl.frontends.host.sources import all_sources

__all__ = ["OPENCL_HEADERS", "import_host"]


def import_host(
    data: bytes | str,
    filename: str = "<string>",
    options: Sequence[str] = (),
    kernels: Sequence[str] = (),
    function: str | None = None,
) -> ModuleOp:
    """Compile a host program in C, with its kernels, to one module.

    `options` (-D and -I, and for the kernels those of clBuildProgram) are for both. `kernels` are
    the paths of the kernel files where not those that the program names. Each function that uses
    OpenCL and is not called by another is a function of the module, or `function` alone.

    Raises:
        SourceError: clang's errors, or a call that does not fit its kernel.
        UnsupportedError: legal C that this importer does not have.
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
    preparer = Preparer(found)
    hosts = {name: preparer.entry(name) for name in names}
    sources = all_sources(host.sources for host in hosts.values())
    module = kernel_module(sources, filename, kernels, options)
    for name, host in hosts.items():
        where = found.functions[name].location
        module.body.block.add_op(host_function(name, where, host, module, preparer.new_variable))
    return module
