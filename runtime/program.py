"""Source -> a program whose kernels can be called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.dialects.builtin import ModuleOp

from polycl.backends.limits import check_ops
from polycl.backends.phases import phase
from polycl.columns import CALLABLES, READERS
from polycl.deep_calls import deep_calls
from polycl.diagnostics import unknown_name, verify_module
from polycl.errors import ArgumentError, PolyclError
from polycl.runtime.kept_sources import imported
from polycl.runtime.kernel import Kernel
from polycl.runtime.modules import LateModule, signatures_of
from polycl.runtime.program_memory import ProgramMemory

if TYPE_CHECKING:
    from polycl.backends.device import Device
    from polycl.runtime.explorer.page import Page
    from polycl.runtime.host.host_program import HostFunction
    from polycl.runtime.pattern.functions import Function

_T = TypeVar("_T")

CPP_SUFFIX = ".clcpp"
"""Of files in C++ for OpenCL."""
LANGUAGES = ("cl", "mlir", *READERS)

_STATEMENT = re.compile(rb'^[^/"\n]*;[ \t\r]*$', re.M)
"""A line of OpenCL C. C++ for OpenCL has method calls, which look like operations of MLIR."""

# OpenCL C has no '@' outside of strings and comments, nor names with a dot before a string.
_MLIR = re.compile(rb'^[ \t]*("?[a-z_]+\.[a-z_]+"?[ \t]*(@|\(|attributes\b|\{)|#\w+[ \t]*=)', re.M)


class Program:
    """A verified module with kernels, or with functions of the `pattern` dialect.

    It must not be changed once a kernel was launched.
    """

    def __init__(
        self, module: ModuleOp | LateModule, name: str = "<module>", pipeline: str | None = None
    ):
        if isinstance(module, ModuleOp):
            # Late: a source from the cache does not need it.
            from polycl.analysis.ocl.module_parts import without_hosts

            signatures = signatures_of(module)
            late = LateModule(lambda: module, signatures)
            kernels = LateModule(lambda: without_hosts(module), signatures)
        else:
            late = kernels = module
        self._module = late
        self.name = name
        """The file that it came from; what messages call it."""
        self.source = ""
        """The text that it came from, if it came from one."""
        self._memory = ProgramMemory()
        self.kernels: Mapping[str, Kernel] = MappingProxyType(
            {
                signature.name: Kernel(kernels, signature, pipeline, self._memory)
                for signature in late.signatures
            }
        )
        """The kernels by name, in the order of the source."""

    @property
    def module(self) -> ModuleOp:
        """The module. A source from the cache is imported at the first use of this property."""
        return self._module.hand_out()

    def kernel(self, name: str) -> Kernel:
        """The kernel `name`. Raises ArgumentError where there is none."""
        return self._named("kernel", name, self.kernels)

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The pattern programs by name, in the order of the source."""
        return MappingProxyType(CALLABLES["function"]()(self._module.get()))

    def function(self, name: str) -> Function:
        """The pattern program `name`. Raises ArgumentError where there is none."""
        return self._named("function", name, self.functions)

    @cached_property
    def hosts(self) -> Mapping[str, HostFunction]:
        """The host functions by name, in the order of the source."""
        return MappingProxyType(CALLABLES["host function"]()(self._module.get()))

    def host(self, name: str | None = None) -> HostFunction:
        """The host function `name`, or the only one. Raises ArgumentError where there is none."""
        if name is None and len(self.hosts) == 1:
            return next(iter(self.hosts.values()))
        return self._named("host function", name or "", self.hosts)

    def _named(self, kind: str, name: str, known: Mapping[str, _T]) -> _T:
        found = known.get(name)
        if found is None:
            have = f"its {kind}s: {', '.join(known) or 'none'}"
            if kind == "kernel" and name in self.hosts:
                have += f"; '{name}' is a function of the host: host('{name}') calls it"
            raise ArgumentError(f"{self.name}: {unknown_name(kind, name, known)} ({have})")
        return found

    def reset_variables(self) -> None:
        """Program-scope variables get their initial values for the launches that follow."""
        self._memory.reset()

    def explorer(
        self,
        kernel: str | None = None,
        *,
        global_size: int | Sequence[int] | None = None,
        local_size: int | Sequence[int] | None = None,
        global_offset: int | Sequence[int] | None = None,
        group: tuple[int, int, int] = (0, 0, 0),
        device: Device | str = "cpu",
        check: bool = False,
        pipeline: str | None = None,
        **arguments: Any,
    ) -> Page:
        """A kernel (or the first one) after each pass of a device, or of `pipeline`.

        It is a page that notebooks show, and that `save("k.html")` writes. Without sizes and
        arguments a launch is guessed; `check` looks for races and other errors in it.
        docs/explorer.md has the rest.

        Raises:
            ArgumentError: there is no such kernel, or the launch does not fit it.
        """
        # Late: few programs need it.
        from polycl.runtime.devices import default_device
        from polycl.runtime.explorer.launches import Launch
        from polycl.runtime.explorer.page import explored

        sizes = [
            size if size is None else (size,) if isinstance(size, int) else tuple(size)
            for size in (global_size, local_size, global_offset)
        ]
        launch = Launch(*sizes, values=arguments or None, group=group)
        chosen = default_device(device) if isinstance(device, str) else device
        return explored(self, self.source, kernel, launch, chosen, check, pipeline)

    def _repr_html_(self) -> str:
        return "".join(kernel._repr_html_() for kernel in self.kernels.values()) or repr(self)

    def __repr__(self) -> str:
        names = [*self.kernels] or [*self.functions]
        return f"<polycl.Program {self.name}: {', '.join(names) or 'no kernels'}>"


def load(
    source: str | bytes | PathLike[str],
    options: Iterable[str] = (),
    *,
    language: str | None = None,
    pipeline: str | None = None,
    kernels: Iterable[str | PathLike[str]] = (),
) -> Program:
    """The program in a file or a text.

    `source` is a path that ends in `.cl`, `.clcpp` or `.mlir`, or the text itself, OpenCL C or MLIR
    (`language` specifies which, "cl" or "mlir", where that is not obvious). A path that ends in
    `.c` is a host program, whose kernels are in the files that it names, or in `kernels`. `options`
    are OpenCL build options, for example `["-DN=4", "-I", "include", "-cl-std=CL1.2"]`. `pipeline`
    is the default of the launches' argument of the same name: see `Kernel`.

    Raises:
        SourceError: the source is malformed.
        PolyclError: the file cannot be read.
        ArgumentError: an argument is invalid.
    """
    if isinstance(options, str):
        raise ArgumentError(f"options must be a list of strings, got the string {options!r}")
    if language not in (None, *LANGUAGES):
        raise ArgumentError(f"unknown language {language!r}; expected 'cl', 'mlir' or 'c'")
    data, name, found = _read(source, language)
    return load_text(data, name, found, options, pipeline=pipeline, kernels=kernels)


@deep_calls()
def load_text(
    data: bytes,
    name: str,
    language: str,
    options: Iterable[str] = (),
    *,
    pipeline: str | None = None,
    kernels: Iterable[str | PathLike[str]] = (),
) -> Program:
    """The program in the text `data`, of which messages say that it is in the file `name`.

    Raises what `load` raises.
    """
    options = list(options)
    if name.endswith(CPP_SUFFIX) and not any(o.startswith("-cl-std") for o in options):
        options.insert(0, "-cl-std=CLC++")
    if language == "mlir" and options:
        raise ArgumentError(f"{name}: OpenCL build options ({options[0]}) do not apply to MLIR")

    def read() -> ModuleOp:
        with phase("import"):
            if language in READERS:
                module = READERS[language]()(
                    data, name, options, [fspath(path) for path in kernels]
                )
            else:
                module = _read_mlir(data, name)
        return _checked(module, name)

    if language == "cl":
        module = imported(data, name, options, partial(read_module, data, name, options))
    else:
        module = read()
    program = Program(module, name, pipeline)
    program.source = data.decode("utf-8", "replace")
    return program


def read_module(
    data: bytes, name: str, options: Sequence[str], included: list[str], wide_ids: bool = False
) -> ModuleOp:
    """Import the OpenCL C source `data`; `included` gets the paths of its headers."""
    with phase("import"):
        # Late: a source from the cache needs no libclang.
        from polycl.frontends.opencl_c import import_source

        module = import_source(data, name, options, included, wide_ids=wide_ids)
    return _checked(module, name)


def _checked(module: ModuleOp, name: str) -> ModuleOp:
    check_ops(module, f"in {name}")
    with phase("verify"):
        verify_module(module)
    return module


def _read_mlir(data: bytes, name: str) -> ModuleOp:
    """The module of an MLIR text, in which kernels and launches of other dialects become ours."""
    from polycl.backends.pipeline import make_context
    from polycl.frontends.mlir.mlir_text import parse_mlir
    from polycl.runtime.upstream import converted

    return converted(parse_mlir(make_context(), data, name), name)


def _read(source: str | bytes | PathLike[str], language: str | None) -> tuple[bytes, str, str]:
    """The bytes, the name for messages, and the language of `source`."""
    if isinstance(source, bytes):
        return source, *_text_language(source, language)
    if isinstance(source, str) and not _is_path(source):
        data = source.encode()
        return data, *_text_language(data, language)
    try:
        name = fspath(source)
    except TypeError:
        got = type(source).__name__
        raise ArgumentError(f"expected a path or a source text to load, got {got}") from None
    suffix = Path(name).suffix.removeprefix(".")
    if name.endswith(CPP_SUFFIX):
        suffix = "cl"
    known = language is not None or suffix in LANGUAGES
    if isinstance(source, str) and not known:
        raise ArgumentError(
            f"'{name}' is neither a path that ends in .cl, .clcpp, .mlir or .c nor a source text"
        )
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise PolyclError(f"cannot open '{name}': {error.strerror}") from error
    if not known:
        raise ArgumentError(
            f"cannot tell the language of '{name}' by its name; expected it to end in .cl, .clcpp, "
            ".mlir or .c"
        )
    return data, name, language or suffix


def _is_path(text: str) -> bool:
    """Whether `text` names a file: a kernel has line breaks or brackets."""
    return "\n" not in text and not ("(" in text and "{" in text)


def _text_language(data: bytes, language: str | None) -> tuple[str, str]:
    if language is None:
        is_mlir = _MLIR.search(data) and not _STATEMENT.search(data)
        language = "mlir" if is_mlir else "cl"
    return f"<source>.{language}", language


def one_kernel(program: Program, name: str | None) -> Kernel:
    """The kernel `name`, or without a name the only one. Raises ArgumentError."""
    if name is not None:
        return program.kernel(name)
    kernels: Sequence[Kernel] = tuple(program.kernels.values())
    if len(kernels) != 1:
        have = ", ".join(program.kernels)
        message = f"say which kernel; it has: {have}" if have else "there is no kernel in it"
        raise ArgumentError(f"{program.name}: {message}")
    return kernels[0]
