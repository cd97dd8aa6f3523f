"""The parts that the columns (`poly`, `pattern`, `tta`, `host`) add to the core, by name.

The core imports no column, but these tables: the readers of files, the objects that can be called,
the modes of tools. Each entry is `late("module:attribute")`, so that nothing is imported before it
is used. Dialects, passes and targets are in `universe.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def late(path: str) -> Callable[[], Any]:
    """A factory for the attribute that `path`, written `module:attribute`, names."""
    module, _, attribute = path.partition(":")
    return lambda: getattr(import_module(module), attribute)


READERS: dict[str, Callable[[], Any]] = {
    "c": late("polycl.frontends.host:import_host"),
}
"""By the suffix of a file: `(data, name, build options, kernel files, function) -> ModuleOp`."""

CALLABLES: dict[str, Callable[[], Any]] = {
    "function": late("polycl.runtime.pattern.functions:functions_of"),
    "host function": late("polycl.runtime.host.host_program:host_functions_of"),
}
"""The callable objects other than kernels: `module -> {name: object}`."""

RUN_MODES: dict[str, Callable[[], Any]] = {
    "host function": late("polycl.tools.host.run_host:run_if_meant"),
    "function": late("polycl.tools.pattern.run_function:run_if_meant"),
}
"""The modes of ocl-run other than kernels: `(args, program, device options) -> whether it ran`."""

RUN_TABLES: dict[str, Callable[[], Any]] = {
    "host function": late("polycl.tools.host.run_host:host_table"),
    "function": late("polycl.tools.pattern.run_function:function_table"),
}
"""The text of a callable in `ocl-run --list`."""

RUN_TOOLS: dict[str, Callable[[], Any]] = {
    "cluster": late("polycl.tools.poly.run_distributed:run_on_cluster"),
    "plan": late("polycl.tools.poly.run_distributed:plan"),
    "plot": late("polycl.tools.poly.run_plot:plot"),
    "sweep": late("polycl.tools.tta.run_sweep:sweep"),
    "machine-list": late("polycl.tools.tta.run_tta:machine_list"),
    "write-adf": late("polycl.tools.tta.run_tta:write_adf"),
    "check-report": late("polycl.tools.tta.run_tta:check_options"),
    "report": late("polycl.tools.tta.run_tta:report"),
}
"""The implementation of options of ocl-run."""

PIPELINES: dict[str, Callable[[], Any]] = {
    "cpu": late("polycl.backends.cpu.pipeline:named_pipeline"),
    "gpu": late("polycl.backends.cuda.pipeline:named_pipeline"),
    "to-kernels": late("polycl.runtime.upstream:named_pipeline"),
    "tta": late("polycl.backends.tta.pipeline:named_pipeline"),
}
"""The pipelines that `ocl-opt -p` knows by name: `launch -> passes`."""

IMPLIED_PIPELINES = {
    "cpu-assembly": "cpu",
    "llvm-ir": "cpu",
    "ptx": "gpu",
    "tceasm": "tta",
}
"""The pipeline of a target for sources, if none is given."""

EXPLORER_LEVELS: dict[str, Callable[[], Any]] = {
    "codelets": late("polycl.tools.poly.explorer_levels:codelet_levels"),
    "schedule": late("polycl.tools.tta.explorer_levels:schedule_levels"),
}
"""The last levels of a kernel in the explorer: `(device, passes, kernel, launch) -> levels`."""

EXPLORER_SESSIONS: dict[str, Callable[[], Any]] = {
    "derivation": late("polycl.tools.pattern.explorer_derivation:derivation_session"),
}
"""What the explorer shows other than kernels: `(args) -> session and its first text, or None`."""

COMMANDS: dict[str, Callable[[], Any]] = {
    "completion": late("polycl.tools.completion_command:add_completion"),
    "explore": late("polycl.tools.pattern.explore_command:add_explore"),
    "explorer": late("polycl.tools.explorer_command:add_explorer"),
    "gui": late("polycl.tools.gui_command:add_gui"),
    "icd": late("polycl.tools.icd_command:add_icd"),
    "port": late("polycl.tools.host.port_command:add_port"),
    "rebuild": late("polycl.tools.host.rebuild_command:add_rebuild"),
    "record": late("polycl.tools.host.record_command:add_record"),
}
"""The commands of `polycl`: `(subparsers) -> None`."""
