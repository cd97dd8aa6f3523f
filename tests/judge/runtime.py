"""Finds Intel's CPU runtime for OpenCL among the installed packages and runs kernels on it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from judge.messages import Failure, Job, LocalBytes, Verdict, receive, send
from polycl.backends.device import LocalMemory

# Distribution -> a library in it, whose folder the loader must know.
LIBRARIES = {
    "intel-opencl-rt": "libintelocl.so",
    "intel-cmplr-lib-rt": "libsvml.so",
    "tbb": "libtbb.so.12",
}
INSTALL = (
    "install it by pip install 'polycl[test]' (Linux on x86-64), or run the tests with --no-judge"
)


class JudgeMissing(Exception):
    """There is no runtime to ask."""


class JudgeError(Exception):
    """The runtime did not build or run the kernel."""


def find_library(distribution: str, name: str) -> Path:
    """Where pip put the library `name`. Raises JudgeMissing where it did not."""
    try:
        found = [f for f in files(distribution) or () if f.name == name]
    except PackageNotFoundError:
        raise JudgeMissing(f"the package '{distribution}' is missing: {INSTALL}") from None
    if not found:
        raise JudgeMissing(f"the package '{distribution}' has no {name}: {INSTALL}")
    return Path(str(found[0].locate())).resolve()


class Judge:
    """A process with an OpenCL runtime; started at the first launch, restarted after a crash.

    `icd` names another runtime: the path of an `.icd` file, of which there may be one on the
    system, say /etc/OpenCL/vendors/pocl.icd.
    """

    def __init__(self, icd: Path | None = None):
        self._folder = tempfile.TemporaryDirectory()
        self._environment = dict(os.environ)
        if icd is None:
            icd = self._intel()
        self._environment["OCL_ICD_VENDORS"] = str(icd)
        self._environment["PYOPENCL_NO_CACHE"] = "1"
        self._environment["PYTHONPATH"] = str(Path(__file__).parents[1])
        self._process: subprocess.Popen[bytes] | None = None
        self.name = ""
        """The platform and its version; known once a kernel was launched."""

    def _intel(self) -> Path:
        paths = {d: find_library(d, name) for d, name in LIBRARIES.items()}
        # The .icd files in the package hold paths of the machine where it was built.
        icd = Path(self._folder.name, "intel.icd")
        icd.write_text(f"{paths['intel-opencl-rt']}\n")
        folders = [*dict.fromkeys(str(p.parent) for p in paths.values())]
        inherited = [f for f in (os.environ.get("LD_LIBRARY_PATH"),) if f]
        self._environment["LD_LIBRARY_PATH"] = os.pathsep.join([*folders, *inherited])
        return icd

    @property
    def environment(self) -> dict[str, str]:
        """In which another process finds the runtime, and no other one."""
        return dict(self._environment)

    def run(
        self,
        source: bytes,
        kernel: str,
        args: Sequence[Any],
        *,
        options: Sequence[str] = (),
        global_size: tuple[int, ...],
        local_size: tuple[int, ...] | None = None,
        global_offset: tuple[int, ...] | None = None,
    ) -> Verdict:
        """Launch once. `args` are as for a `polycl.Kernel`; the arrays are not changed.

        Raises:
            JudgeError: the runtime refused, failed or crashed; says what it said.
        """
        values = [LocalBytes(a.nbytes) if isinstance(a, LocalMemory) else a for a in args]
        for value in values:
            # Fancier values are for polycl's own tests.
            assert isinstance(value, np.ndarray | np.generic | int | float | LocalBytes | None)
        sizes = (global_size, local_size, global_offset)
        answer = self._ask(Job(source, tuple(options), kernel, tuple(values), *sizes))
        if isinstance(answer, Failure):
            raise JudgeError(answer.message)
        return answer

    def _ask(self, job: Job) -> Verdict | Failure:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, job)
            return receive(process.stdout)
        except (EOFError, BrokenPipeError):
            self._process = None
            return Failure(f"the runtime's process ended with status {process.wait()}")

    def _start(self) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "judge.worker"]
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=self._environment)
        assert process.stdout is not None
        try:
            hello = receive(process.stdout)
        except EOFError:
            hello = Failure(f"its process ended with status {process.wait()}")
        if isinstance(hello, Failure):
            raise JudgeMissing(f"the OpenCL runtime does not start: {hello.message}")
        self.name = hello
        self._process = process
        return process

    def close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()
            self._process = None
        self._folder.cleanup()

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self,
        type: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
