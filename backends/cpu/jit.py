"""LLVM IR -> machine code of this CPU in this process.

The code is emitted as an object without absolute addresses, and then linked, so that another
process can link a cached object.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

from llvmlite import binding

from polycl.backends.cache import current_cache, key_of
from polycl.backends.libm import load_libm
from polycl.backends.phases import phase
from polycl.errors import LaunchError

OPTIMISATION_LEVEL = 3
"""-O3: loops over work-items are vectorised and unrolled by LLVM."""

_library_numbers = count()
_lock = threading.Lock()
"""LLVM's targets and the linker are shared by the threads of this process."""


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
    """Optimise LLVM IR for this CPU and emit an object file.

    `level` is that of clang's -O, 0 to 3.

    Raises:
        LaunchError: LLVM does not accept the text; the message has LLVM's reason.
    """
    with _lock:
        machine = _target_machine(level)
        module = _optimised(machine, text, level)
        with phase("code generation"):
            return machine.emit_object(module)


def native_code(text: str, names: list[str], level: int) -> NativeCode:
    """The functions `names` of LLVM IR, from the cache if possible. Raises LaunchError."""
    cache = current_cache()
    key = key_of(processor(), text, str(level))
    found = None if cache is None else cache.get(key)
    if found is None:
        found = compile_object(text, level)
        if cache is not None:
            cache.put(key, found)
    return link_object(found, names)


@cache
def has_feature(name: str) -> bool:
    """Whether this machine's processor has a feature, by LLVM's name."""
    return bool(binding.get_host_cpu_features().get(name))


def processor() -> str:
    """The processor and its features, on which code for this machine depends."""
    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def emit_assembly(text: str) -> str:
    """Optimise LLVM IR for this CPU and show its machine code as assembly. Raises LaunchError."""
    with _lock:
        machine = _target_machine()
        return machine.emit_assembly(_optimised(machine, text, OPTIMISATION_LEVEL))


def link_object(object_code: bytes, names: list[str]) -> NativeCode:
    """Link an object into this process; `names` are the functions whose addresses are wanted."""
    with _lock, phase("link"):
        library = binding.JITLibraryBuilder().add_object_img(object_code).add_current_process()
        for name in names:
            library.export_symbol(name)
        try:
            tracker = library.link(_linker(), f"polycl.{next(_library_numbers)}")
        except RuntimeError as error:
            raise LaunchError(f"LLVM cannot link the generated code: {error}") from error
        return NativeCode({name: tracker[name] for name in names}, tracker)


def _optimised(machine: Any, text: str, level: int) -> Any:
    with phase("LLVM's verifier"):
        try:
            module = binding.parse_assembly(text)
            module.verify()
        except RuntimeError as error:
            raise LaunchError(f"LLVM rejects the generated code: {error}") from error
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=level)
    # Our passes vectorise straight-line code where it is profitable; LLVM's search takes seconds on
    # unrolled loops over work-items.
    options.slp_vectorization = False
    builder = binding.create_pass_builder(machine, options)
    with phase("LLVM's optimiser"):
        builder.getModulePassManager().run(module, builder)
        if " alloca " in text:
            _promote_memory(module, builder)
    return module


def _promote_memory(module: Any, builder: Any) -> None:
    """Keep arrays of work-groups in registers if all accesses are at constant indices now.

    LLVM does this after it has unrolled the loops. It may simplify the last access that prevents it
    later (in a loop with one iteration, in a branch that is never taken).
    """
    passes = binding.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.run(module, builder)


@cache
def _initialise() -> None:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    # The math library is in every Python process, but the linker does not always see it.
    load_libm(binding.load_library_permanently)


def _target_machine(level: int = OPTIMISATION_LEVEL) -> Any:
    _initialise()
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=level,
        # The small code model loads constants with one instruction relative to the program counter;
        # the default of JITs uses two instructions and an absolute address.
        codemodel="small",
        reloc="pic",
    )


@cache
def _linker() -> Any:
    return binding.create_lljit_compiler(_target_machine(), use_jit_link=False)
