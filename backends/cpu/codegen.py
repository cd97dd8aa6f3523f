"""LLVM IR -> machine code of this CPU, as an object file or as assembly.

As a script this file is the process in which LLVM runs: a defect of LLVM ends that process, and not
the user's. `llvm_process.py` starts it. It imports llvmlite alone, so that it starts quickly.
"""

from __future__ import annotations

import os
import pickle
import re
import resource
import signal
import sys
from collections.abc import Sequence
from functools import cache
from math import ceil
from time import perf_counter
from typing import Any, BinaryIO

OBJECT, ASSEMBLY = "object", "assembly"
PTX = "ptx"
"""Followed by the processor and its features: `ptx sm_80 +ptx70`."""
SPIRV, SPIRV_TEXT = "spirv", "spirv-text"
"""Followed by the version: `spirv 1.2`."""
WITHOUT_VECTORS = 2
"""The level at which LLVM makes no vectors of loops."""
FEW_OPERATIONS = 1
"""The level for code that executes so few operations that LLVM's passes over loops, which are nine
tenths of its pipeline, would take longer than to execute it."""
MOST_LOOPS = 64
"""With more loops LLVM unrolls none, except where arrays may become registers by that: its time
grows with the square of the branches of a function, and 128 loops take ten times as long.
Work-items are unrolled by then (`wg-jam`): kernels of 80 loops run as fast without."""

MOST_FOLLOWED = 200
"""Accesses to memory of which a scheduler knows at once what depends on them; of more, the oldest
keep their order. Counter modes of AES and CLEFIA, 5,500 instructions in one block, take 0.4 instead
of 1.4 s, and run as fast."""

LEAST_GAIN = 8
"""What vectors of neighbouring operations must save, in LLVM's estimates. These take gathers for
cheap: four words of AES that are looked up in tables would take 1.25 times as long on a Zen 4."""

_LABELS = re.compile(r'^"?([^\s":;%@]+)"?:$|label %"?([^\s",]+)"?', re.MULTILINE)
"""The definition of a label (1), and its use in a branch (2)."""

_FUSIBLE = re.compile(r" = f(?:add|sub|mul) ")
"""Arithmetic that LLVM may fuse."""

WIDEST = 512
"""Bits of the vectors for which no instruction sets all bits whatever was there before."""

_DEFINITION = re.compile(r"^(define .*\{\n)(\S+:.*\n)?((?:.*\n)*?)(?=\}\n)", re.MULTILINE)
"""Of a function in LLVM's own text: its first line, the label of its first block, and the rest."""

_STEP = re.compile(r"(%\S+)( = add (?:\w+ )*<(\d+) x i(\d+)> %[^,]*, )splat \(i\d+ (-?1)\)")
"""A vector that counts, in LLVM's own text: its name, what follows, lanes, their bits, number."""

_INDEX = re.compile(r" = getelementptr .*, <\d+ x i\d+> (%\S+)")
"""A vector of indices: what is added to it becomes a part of the instruction that gathers."""

LEFT_OUT = "POLYCL_CPU_WITHOUT"
"""As in `backends.cache`, of which this process has nothing."""

_WITHOUT = " without "
"""In what `generate` is asked for, between the kind of code and features that are left out."""

READY = b"ready"
"""What the process writes first."""


def generate(what: str, text: str, level: int, seconds: dict[str, float]) -> bytes:
    """Optimise LLVM IR for this CPU, and emit `what`: an OBJECT file, or ASSEMBLY.

    The object has no absolute addresses, so that other processes can link it. `level` is that of
    clang's -O, 0 to 3. `seconds` gets the time of each phase.

    Raises:
        RuntimeError: LLVM does not accept the text; the message has LLVM's reason.
    """
    from llvmlite import binding

    kind, without, words = what.partition(_WITHOUT)
    if kind not in (OBJECT, ASSEMBLY):
        return _generate_for_gpu(what, text, level, seconds)
    left_out = tuple(words.split(",")) if without else ()
    machine = target_machine(level, left_out)
    start = perf_counter()
    module = binding.parse_assembly(text)
    module.verify()
    verified = perf_counter()
    has_memory = " alloca " in text
    # There are no more loops than branches to labels, which are counted at once.
    few = has_memory or text.count("label %") <= MOST_LOOPS or count_loops(text) <= MOST_LOOPS
    # Which products and sums are fused would depend on what becomes vectors.
    packs = level > WITHOUT_VECTORS and not _FUSIBLE.search(text)
    _optimise(machine, module, level, has_memory, few, packs)
    if processor_features(left_out).get("avx512f", False):
        module = _with_kept_steps(module)
    optimised = perf_counter()
    data = machine.emit_object(module) if kind == OBJECT else machine.emit_assembly(module).encode()
    seconds["LLVM's verifier"] = verified - start
    seconds["LLVM's optimiser"] = optimised - verified
    seconds["code generation"] = perf_counter() - optimised
    return data


def _generate_for_gpu(what: str, text: str, level: int, seconds: dict[str, float]) -> bytes:
    """PTX, or SPIR-V: the driver of a device compiles it."""
    from llvmlite import binding

    _initialise_all()
    kind, *options = what.split(" ")
    if kind == PTX:
        target = binding.Target.from_triple("nvptx64-nvidia-cuda")
        processor, features = options
        machine = target.create_target_machine(cpu=processor, features=features, opt=level)
    else:
        target = binding.Target.from_triple(f"spirv64v{options[0]}-unknown-unknown")
        # Its legalizer leaves a mask in the width of before, where it combines operations.
        machine = target.create_target_machine(opt=0)
    start = perf_counter()
    module = binding.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    if kind == PTX:
        tuning = binding.create_pipeline_tuning_options(speed_level=level)
        # Accesses to neighbouring addresses become one.
        tuning.slp_vectorization = True
        builder = binding.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
    else:
        # What other passes make, such as integers of any width, has no form in SPIR-V.
        passes = binding.create_new_module_pass_manager()
        passes.add_dead_code_elimination_pass()
        tuning = binding.create_pipeline_tuning_options(speed_level=FEW_OPERATIONS)
        passes.run(module, binding.create_pass_builder(machine, tuning))
    seconds["LLVM's optimiser"] = perf_counter() - start
    is_binary = kind == SPIRV
    data = machine.emit_object(module) if is_binary else machine.emit_assembly(module).encode()
    seconds["code generation"] = perf_counter() - start - seconds["LLVM's optimiser"]
    return data


def count_loops(text: str) -> int:
    """The labels in LLVM IR to which a later line branches back."""
    labels: set[str] = set()
    targets: set[str] = set()
    for label, target in _LABELS.findall(text):
        if label:
            labels.add(label)
        elif target in labels:
            targets.add(target)
    return len(targets)


def _with_kept_steps(module: Any) -> Any:
    from llvmlite import binding

    text = str(module)
    kept = keep_steps(text)
    return module if kept == text else binding.parse_assembly(kept)


def keep_steps(text: str) -> str:
    """The same LLVM IR, in which vectors of 512 bits and more count up and down by numbers of which
    LLVM does not know that they are 1 or -1.

    For either it makes vectors with all bits set, anew in each iteration where registers are short,
    by `vpternlogd`. LLVM takes that to depend on nothing, but the processor waits for what was in
    the register before (measured with Zen 4): iterations no longer overlap.
    """
    return _DEFINITION.sub(_keep_steps_of, text)


def _keep_steps_of(definition: re.Match[str]) -> str:
    head, label, body = definition.groups()
    made: dict[str, str] = {}
    indices = set(_INDEX.findall(body))

    def kept(step: re.Match[str]) -> str:
        result, add, lanes, element, number = step.groups()
        if int(lanes) * int(element) < WIDEST or result in indices:
            return step[0]
        name, type = f"%polycl.step.{number}.{lanes}.{element}", f"<{lanes} x i{element}>"
        made[name] = (
            f'  {name}.n = call i{element} asm "", "=r,0"(i{element} {number})\n'
            f"  {name}.0 = insertelement {type} poison, i{element} {name}.n, i64 0\n"
            f"  {name} = shufflevector {type} {name}.0, {type} poison, "
            f"<{lanes} x i32> zeroinitializer\n"
        )
        return result + add + name

    body = _STEP.sub(kept, body)
    return "".join((head, label or "", *made.values(), body))


def _optimise(
    machine: Any, module: Any, level: int, has_memory: bool, unrolls: bool, packs: bool
) -> None:
    """`packs` is whether neighbouring operations of one work-item become vectors."""
    from llvmlite import binding

    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=level)
    options.slp_vectorization = packs
    options.loop_vectorization = level > WITHOUT_VECTORS
    options.loop_unrolling = unrolls
    builder = binding.create_pass_builder(machine, options)
    if level != FEW_OPERATIONS:
        builder.getModulePassManager().run(module, builder)
    if (has_memory and level) or level == FEW_OPERATIONS:
        _promote_memory(module, builder)


def _promote_memory(module: Any, builder: Any) -> None:
    """Keep memory in registers if all accesses are at constant indices, and simplify what follows.

    LLVM's pipeline does this after it has unrolled the loops. It may simplify the last access that
    prevents it later (in a loop with one iteration, in a branch that is never taken).
    """
    from llvmlite import binding

    passes = binding.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.run(module, builder)


@cache
def _initialise() -> None:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


@cache
def _initialise_all() -> None:
    """The targets of other processors than this one."""
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()


@cache
def set_options() -> None:
    """Leave out a pass of LLVM 22 that makes wrong code, bound a search, and ask more of vectors of
    neighbouring operations, in this process.

    VectorCombine takes x + shuffle(x) for x + x where x was put together of parts. The schedulers
    compare each access of a block with all others that they follow, up to a thousand by default.
    """
    from llvmlite import binding

    binding.set_option("polycl", "-disable-vector-combine")
    binding.set_option("polycl", f"-slp-threshold={LEAST_GAIN}")
    binding.set_option("polycl", f"-dag-maps-huge-region={MOST_FOLLOWED}")


def with_features(what: str, left_out: Sequence[str]) -> str:
    """What `generate` is asked for, for code without some features."""
    return f"{what}{_WITHOUT}{','.join(left_out)}" if left_out else what


@cache
def processor_features(left_out: tuple[str, ...] = ()) -> dict[str, bool]:
    """The features of this CPU, by LLVM's names, and whether code may use them.

    Those whose names start with a word of `left_out`, or of the environment variable
    POLYCL_CPU_WITHOUT, are left out: with `avx512` code is as for a processor without AVX-512.
    """
    from llvmlite import binding

    left_out += tuple(os.environ.get(LEFT_OUT, "").replace(",", " ").split())
    features = dict(binding.get_host_cpu_features())
    return {name: has and not name.startswith(left_out) for name, has in features.items()}


@cache
def processor_name() -> str:
    """That of this CPU, by LLVM."""
    from llvmlite import binding

    return str(binding.get_host_cpu_name())


def feature_text(left_out: tuple[str, ...] = ()) -> str:
    """The same as LLVM reads it: `+avx2,-avx512f`."""
    features = sorted(processor_features(left_out).items())
    return ",".join(("-", "+")[has] + name for name, has in features)


@cache
def target_machine(level: int, left_out: tuple[str, ...] = ()) -> Any:
    """LLVM's description of this CPU. To make it takes as long as to compile an empty function."""
    from llvmlite import binding

    _initialise()
    return binding.Target.from_default_triple().create_target_machine(
        cpu=processor_name(),
        features=feature_text(left_out),
        opt=level,
        # The small code model loads constants with one instruction relative to the program counter;
        # the default of JITs uses two instructions and an absolute address.
        codemodel="small",
        reloc="pic",
    )


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until the input ends.

    A request is what `generate` takes, and the most seconds of the processor, after which a signal
    ends this process; the reply is whether it succeeded, its result or LLVM's reason, and the
    seconds of its phases.
    """
    # Ctrl-C is for the process that asks; an abort leaves no file.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    set_options()
    target_machine(3)
    replies.write(READY)
    replies.flush()
    while True:
        try:
            what, text, level, most_seconds = pickle.load(requests)
        except EOFError:
            return
        used = resource.getrusage(resource.RUSAGE_SELF)
        end = ceil(used.ru_utime + used.ru_stime) + most_seconds
        # Whoever started the process may have set a limit that stays.
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        end = end if most == resource.RLIM_INFINITY else min(end, most)
        resource.setrlimit(resource.RLIMIT_CPU, (end, most))
        seconds: dict[str, float] = {}
        try:
            reply = True, generate(what, text, level, seconds), seconds
        except RuntimeError as error:
            reply = False, str(error), seconds
        pickle.dump(reply, replies, pickle.HIGHEST_PROTOCOL)
        replies.flush()


if __name__ == "__main__":
    sys.path[:] = sys.argv[1:]
    # What a library prints is not a reply.
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, output)
