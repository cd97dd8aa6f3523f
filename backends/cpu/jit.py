"""LLVM IR -> machine code of this CPU in this process.

`codegen.py` makes an object file, in a process of its own; it is linked into this one.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from llvmlite import binding

from polycl.backends.cache import current_cache, key_of
from polycl.backends.cpu.codegen import (
    ASSEMBLY,
    OBJECT,
    feature_text,
    generate,
    processor_features,
    processor_name,
    target_machine,
    with_features,
)
from polycl.backends.cpu.elf import has_debug_info, shared_object
from polycl.backends.cpu.llvm_process import run_llvm
from polycl.backends.cpu.perf_map import add_to_perf_map
from polycl.backends.libm import load_libm
from polycl.backends.phases import phase
from polycl.errors import LaunchError

OPTIMISATION_LEVEL = 3
"""-O3: loops over work-items are vectorised and unrolled by LLVM."""

_left_out: ContextVar[tuple[str, ...]] = ContextVar("left_out", default=())
_library_numbers = count()
_lock = threading.Lock()
"""The linker is shared by the threads of this process."""


def _renew_lock() -> None:
    global _lock
    _lock = threading.Lock()


# In a forked process no thread would release it.
os.register_at_fork(after_in_child=_renew_lock)


@dataclass(frozen=True)
class NativeCode:
    """Linked code. It stays in memory as long as this object."""

    addresses: dict[str, int]
    _tracker: Any


def compile_object(text: str, level: int = OPTIMISATION_LEVEL) -> bytes:
    """Optimise LLVM IR for this CPU and emit an object file; `llvm_process.run_llvm` does it.

    Raises:
        LaunchError: LLVM does not accept the text; the message has LLVM's reason.
    """
    return run_llvm(with_features(OBJECT, _left_out.get()), text, level)


def native_code(text: str, names: list[str], level: int, own: bool = False) -> NativeCode:
    """The functions `names` of LLVM IR, from the cache if possible.

    The text is compiled in this process if it is polycl's `own`, and not made of a user's program:
    LLVM is loaded here, too. Raises LaunchError.
    """
    cache = current_cache()
    key = key_of(processor(), text, str(level))
    found = None if cache is None else cache.get(key)
    if found is None:
        found = generate(OBJECT, text, level, {}) if own else compile_object(text, level)
        if cache is not None:
            cache.put(key, found)
    return link_object(found, names)


@contextmanager
def leaving_out(features: tuple[str, ...]) -> Generator[None]:
    """Code that is made inside does not use features whose names, by LLVM, start so."""
    token = _left_out.set(features)
    try:
        yield
    finally:
        _left_out.reset(token)


def has_feature(name: str) -> bool:
    """Whether code may use a feature of this machine's processor, by LLVM's name."""
    return processor_features(_left_out.get()).get(name, False)


def has_masks() -> bool:
    """Whether memory of all types is accessed under masks at full speed."""
    return has_feature("avx512bw") and has_feature("avx512vl")


def has_tables() -> bool:
    """Whether lanes choose among the elements of two registers, bytes, too."""
    return has_feature("avx512vbmi") and has_masks()


def scales_quickly() -> bool:
    """Whether vectors are multiplied by powers of two in one instruction of AVX-512 that takes no
    longer where the result is no normal number: measured with Zen 4. On a Sapphire Rapids it takes
    one cycle, but 230 to 250 where a result underflows."""
    return has_masks() and processor_name() in ("znver4", "znver5")


def divides_slowly() -> bool:
    """Whether 16 divisions take longer than as many estimates with a Newton step. Measured: 3.5 and
    1.4 ns on an Emerald Rapids, whose divider is that of all Intel's processors with AVX-512; 1.7
    and 1.4 on a Zen 4, where loops that wait for the result take longer with estimates."""
    return has_feature("avx512vl") and processor_name() not in ("znver4", "znver5")


def processor() -> str:
    """The processor and its features, on which code for this machine depends."""
    return f"{processor_name()} {feature_text(_left_out.get())}"


def emit_assembly(text: str, level: int = OPTIMISATION_LEVEL) -> str:
    """Optimise LLVM IR for this CPU and show its machine code as assembly. Raises LaunchError."""
    return run_llvm(with_features(ASSEMBLY, _left_out.get()), text, level).decode()


def link_object(object_code: bytes, names: list[str]) -> NativeCode:
    """Link an object into this process; `names` are the functions whose addresses are wanted."""
    if has_debug_info(object_code):
        return _load_for_tools(object_code, names)
    with _lock, phase("link"):
        library = binding.JITLibraryBuilder().add_object_img(object_code).add_current_process()
        for name in names:
            library.export_symbol(name)
        try:
            tracker = library.link(_linker(), f"polycl.{next(_library_numbers)}")
        except RuntimeError as error:
            raise LaunchError(f"LLVM cannot link the generated code: {error}") from error
        code = NativeCode({name: tracker[name] for name in names}, tracker)
        add_to_perf_map(object_code, code.addresses)
        return code


def _load_for_tools(object_code: bytes, names: list[str]) -> NativeCode:
    """Load code with debug information as a shared library: gdb, perf and others find the file, and
    read its lines and variables."""
    with _lock, phase("link"):
        content = shared_object({}, object_code, {name: name for name in names})
        key = key_of(content)
        kept = current_cache()
        path = None if kept is None else kept.put(key, content)
        if path is None:
            path = Path(_folder().name, f"{key}.so")
            # A library that is loaded already must not change.
            if not path.exists():
                path.write_bytes(content)
        try:
            library = ctypes.CDLL(str(path))
        except OSError as error:
            raise LaunchError(f"cannot load the generated code: {error}") from error
        addresses = {
            name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in names
        }
        add_to_perf_map(object_code, addresses)
        return NativeCode(addresses, library)


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where libraries are if there is no cache; it is removed when the process ends."""
    return TemporaryDirectory(prefix="polycl-")


@cache
def _linker() -> Any:
    machine = target_machine(OPTIMISATION_LEVEL)
    # The math library is in every Python process, but the linker does not always see it.
    load_libm(binding.load_library_permanently)
    # JITLink puts the sections of an object next to each other. The older linker puts each into a
    # hole of the address space; code refers to its constants by 32 bits, and a process with
    # gigabytes of memory aborts where two holes are further apart.
    return binding.create_lljit_compiler(machine, use_jit_link=True)
