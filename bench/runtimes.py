"""The runtimes of this machine: how each is started, and the line to its process.

Peers: Intel's CPU runtime, where its Python packages are installed, and PoCL, where the system
has it (Debian: pocl-opencl-icd); others by their .icd file. PoCL has two ways to run a work-group,
its own choice of loops and `cbs`: each is a peer.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
INTEL = {
    "intel-opencl-rt": "libintelocl.so",
    "intel-cmplr-lib-rt": "libsvml.so",
    "tbb": "libtbb.so.12",
}
"""Distribution -> a library in it, whose folder the loader must know."""
POCL = Path("/etc/OpenCL/vendors/pocl.icd")
LIMIT = 300.0
"""Seconds that one answer may take."""


@dataclass(frozen=True)
class Spec:
    """How to start a runtime. `kind` is "polycl" or "opencl", see `bench.worker`."""

    name: str
    kind: str = "opencl"
    options: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict, hash=False)
    realtime: bool = False
    """Its process goes before all others of the machine."""
    tree: Path | None = None
    """Another checkout, whose worker its own virtual environment runs."""

    @property
    def is_ours(self) -> bool:
        return self.kind == "polycl"

    def start(self, threads: int, folder: Path) -> RuntimeProcess:
        """A new process; its caches are in `folder`. Raises RuntimeError."""
        environment = {
            **self.environment,
            "POLYCL_CACHE_DIR": str(folder / self.name),
            # A server would start while others are measured; first_result.py measures it.
            "POLYCL_SERVER": "0",
            "POCL_CACHE_DIR": str(folder),
            "POCL_MAX_PTHREAD_COUNT": str(threads),
            "CL_CONFIG_CPU_TBB_NUM_WORKERS": str(threads),
            # Its key does not hold the variables that choose the runtime.
            "PYOPENCL_NO_CACHE": "1",
        }
        command = ["chrt", "-f", "1"] if self.realtime else []
        python = str(self.tree / ".venv" / "bin" / "python") if self.tree else sys.executable
        command += [python, "-m", "bench.worker", self.kind, str(threads), *self.options]
        return RuntimeProcess(command, environment, self.tree or ROOT)


class RuntimeProcess:
    """A process that runs `bench.worker`. Raises RuntimeError where it does not start."""

    def __init__(self, command: Sequence[str], environment: dict[str, str], folder: Path = ROOT):
        begin = time.monotonic()
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **environment},
        )
        self.title, ready = self._answer()
        self.start_seconds: float = ready - begin
        """From the start of the process until the runtime can take requests."""

    def ask(self, name: str, *values: Any) -> Any:
        """Raises RuntimeError: the runtime failed, its process ended, or it took too long."""
        assert self._process.stdin is not None
        try:
            pickle.dump((name, *values), self._process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
        except BrokenPipeError:
            raise RuntimeError(f"its process ended with status {self._process.wait()}") from None
        return self._answer()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        timer = threading.Timer(LIMIT, self._process.kill)
        timer.start()
        try:
            answer = pickle.load(self._process.stdout)
        except (EOFError, pickle.UnpicklingError):
            status = self._process.wait()
            why = f"took over {LIMIT:g} s" if timer.finished.is_set() else f"ended: status {status}"
            raise RuntimeError(f"its process {why}") from None
        finally:
            timer.cancel()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            # What was not sent to a process that died cannot be.
            with suppress(BrokenPipeError):
                if pipe is not None:
                    pipe.close()
        self._process.wait()


def peers(icds: Sequence[str], folder: Path) -> tuple[list[Spec], dict[str, str]]:
    """The peers that this machine has, and by name why it lacks others.

    `icds` are more of them, as NAME=FILE.icd. Files that are needed go into `folder`.
    """
    found: list[Spec] = []
    missing: dict[str, str] = {}
    try:
        found.append(Spec("intel", environment=_intel(folder)))
    except RuntimeError as error:
        missing["intel"] = str(error)
    named = [("pocl", POCL), *((n, Path(f)) for n, _, f in (icd.partition("=") for icd in icds))]
    for name, path in named:
        if path.is_file():
            environment = {"OCL_ICD_VENDORS": str(path)}
            found.append(Spec(name, environment=environment))
            if name.startswith("pocl"):
                loops = {**environment, "POCL_WORK_GROUP_METHOD": "cbs"}
                found.append(Spec(f"{name}-cbs", environment=loops))
        else:
            missing[name] = f"there is no {path}"
    return found, missing


def _intel(folder: Path) -> dict[str, str]:
    """Finds the runtime's libraries; the .icd file in its package has a wrong path."""
    paths: list[Path] = []
    for distribution, library in INTEL.items():
        try:
            found = [f for f in files(distribution) or () if f.name == library]
        except PackageNotFoundError:
            found = []
        if not found:
            raise RuntimeError(f"the package '{distribution}' is not installed")
        paths.append(Path(str(found[0].locate())).resolve())
    icd = folder / "intel.icd"
    icd.write_text(f"{paths[0]}\n")
    folders = [str(path.parent) for path in paths]
    if inherited := os.environ.get("LD_LIBRARY_PATH"):
        folders.append(inherited)
    return {"OCL_ICD_VENDORS": str(icd), "LD_LIBRARY_PATH": os.pathsep.join(folders)}
