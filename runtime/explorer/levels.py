"""A kernel after each pass, down to machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.cpu.compile import no_collection
from polycl.backends.cpu.jit import emit_assembly
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.pipeline import run_passes
from polycl.errors import PolyclError
from polycl.lowering.ocl.count_up import CountUpPass
from polycl.lowering.ocl.ocl_to_wg import OclToWgPass
from polycl.remarks import Remark, collect_remarks
from polycl.runtime.explain.states import Snapshots
from polycl.runtime.explorer.changes import changes
from polycl.runtime.explorer.texts import Line, assembly_lines, llvm_lines, module_lines
from polycl.runtime.kernel import Kernel


@dataclass(frozen=True)
class Level:
    """One state of a kernel."""

    name: str
    """That of the pass that made it; `import`, `LLVM IR` and `assembly` for those without one."""
    form: str
    """The form of its functions: `ocl`, `wg`, `scf`, `cf` or `llvm`; `machine` for the last two."""
    lines: Sequence[Line]
    added: Sequence[int] = ()
    """The lines that the level before it does not have, from 0."""
    removed: Sequence[tuple[int, Line]] = ()
    """The lines of the level before it that are gone, each with the line that follows now."""
    html: str = ""
    """A page of its own, in the place of lines."""
    note: str = ""
    """A line about it."""
    source: int = 0
    """The line of the source that made it, if one did."""


@dataclass
class Walk:
    """A kernel on its way through the passes."""

    levels: list[Level] = field(default_factory=list[Level])
    module: ModuleOp | None = None
    """A copy from before its work-items become a group, where loops run as in the source."""
    snapshots: Snapshots = field(default_factory=Snapshots)
    """What explanations are made of."""
    remarks: list[Remark] = field(default_factory=list[Remark])
    failure: tuple[str, PolyclError] | None = None
    """The pass that does not support the kernel, and its error; `levels` ends before it."""


def walk(kernel: Kernel, passes: Sequence[ModulePass], file: str) -> Walk:
    """The levels of a kernel of the source `file` which `passes` make, with LLVM IR and assembly
    if they end in the LLVM dialect."""
    result = Walk()
    module = only_kernel(kernel.module, kernel.name)
    name = "import"
    with no_collection(), collect_remarks() as result.remarks:
        try:
            result.levels.append(_level(name, module, file, None))
            for step in passes:
                name = step.name
                result.snapshots.note(step, module)
                if name in (CountUpPass.name, OclToWgPass.name) and result.module is None:
                    result.module = module.clone()
                # What follows would find an invalid module; verifying takes as long as the passes.
                run_passes(module, (step,), _unchecked)
                result.levels.append(_level(name, module, file, result.levels[-1]))
            if result.levels[-1].form == "llvm":
                name = "LLVM"
                text = llvm_ir(module, debug_info=True)
                assembly = emit_assembly(text)
                result.levels.append(Level("LLVM IR", "machine", llvm_lines(text, file)))
                result.levels.append(Level("assembly", "machine", assembly_lines(assembly, file)))
        except PolyclError as error:
            result.failure = name, error
    return result


def _level(name: str, module: ModuleOp, file: str, before: Level | None) -> Level:
    lines = module_lines(module, file)
    if before is None:
        return Level(name, _form(module), lines)
    what = changes([line.text for line in before.lines], [line.text for line in lines])
    removed = [(at, before.lines[line]) for line, at in what.removed]
    return Level(name, _form(module), lines, sorted(what.added), removed)


def _unchecked(module: ModuleOp) -> None:
    pass


_FORMS = {"ocl.kernel": "ocl", "wg.func": "wg", "llvm.func": "llvm"}


def _form(module: ModuleOp) -> str:
    for op in module.ops:
        if op.name in _FORMS:
            return _FORMS[op.name]
    return "cf" if any(op.name.startswith("cf.") for op in module.walk()) else "scf"
