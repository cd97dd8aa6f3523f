"""The process in which LLVM runs.

LLVM ends its process when it finds itself wrong. So it runs in another process, `codegen.py`, which
gets LLVM IR and replies with the object file. There is one for each process that compiles; it ends
with it. Where no process can be started, LLVM runs in this one.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from polycl.backends.cpu import codegen
from polycl.backends.phases import add_phases
from polycl.errors import LaunchError

MOST_REQUESTS = 1000
"""A process ends after so many: llvmlite 0.50 frees no analyses, some 100 kB for each request."""


MOST_SECONDS = 60
"""The processor's time that LLVM may take for one request. Some of its analyses take a time that
grows exponentially with the code: then it starts anew without its passes over loops."""


class LlvmAborted(LaunchError):
    """LLVM ended its process."""


class _Process:
    """A running process; `wait` returns its status, negative for a signal."""

    left = MOST_REQUESTS
    is_ready = False

    def __init__(
        self,
        pid: int,
        requests: IO[bytes],
        replies: IO[bytes],
        messages: IO[bytes],
        wait: Callable[[], int],
    ):
        self.pid = pid
        self.requests = requests
        self.replies = replies
        self.messages = messages
        self.wait = wait
        self.status: int | None = None

    def close(self) -> None:
        for file in (self.requests, self.replies, self.messages):
            with suppress(OSError):
                file.close()

    def end(self) -> None:
        """End it, whatever it does."""
        self.close()
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.status = self.wait()


_process: _Process | None = None
_direct = False
_by_fork = False
_lock = threading.Lock()


def run_llvm_here() -> None:
    """From now on LLVM runs in this process, which others have made for that."""
    global _direct
    _direct = True


def fork_llvm() -> None:
    """From now on the process of LLVM is a copy of this one, in which LLVM is loaded.

    This is quick, but allowed only for a process that has one thread.
    """
    global _direct, _by_fork
    _direct, _by_fork = False, True


def start_llvm() -> None:
    """Start the process now, so that it is ready when it is needed."""
    with _lock:
        _running()


def run_llvm(what: str, text: str, level: int) -> bytes:
    """The result of `codegen.generate`.

    Raises:
        LlvmAborted: LLVM ended its process; the message says where its input is.
        LaunchError: LLVM does not accept the text; the message has LLVM's reason.
    """
    with _lock:
        process = _ready()
        if process is None:
            return _run_here(what, text, level)
        # The process may have been ended by others while it was idle; LLVM fails twice.
        reply = _ask(process, what, text, level)
        if isinstance(reply, str):
            if process.status == -signal.SIGXCPU:
                level = codegen.FEW_OPERATIONS
            elif process.status == -signal.SIGABRT:
                # It fails on vectors of sums of counters, which it computes in 33 bits.
                level = min(level, codegen.WITHOUT_VECTORS)
            process = _ready()
            reply = reply if process is None else _ask(process, what, text, level)
    if isinstance(reply, str):
        raise LlvmAborted(f"{reply}; {_saved(text)}")
    good, result, seconds = reply
    add_phases(seconds)
    if not good:
        raise LaunchError(f"LLVM rejects the generated code: {result}")
    return result


def _run_here(what: str, text: str, level: int) -> bytes:
    seconds: dict[str, float] = {}
    codegen.set_options()
    try:
        return codegen.generate(what, text, level, seconds)
    except RuntimeError as error:
        raise LaunchError(f"LLVM rejects the generated code: {error}") from error
    finally:
        add_phases(seconds)


def _ask(
    process: _Process, what: str, text: str, level: int
) -> tuple[bool, bytes, dict[str, float]] | str:
    """The reply, or how the process ended."""
    global _process
    finished = False
    try:
        pickle.dump((what, text, level, MOST_SECONDS), process.requests, pickle.HIGHEST_PROTOCOL)
        process.requests.flush()
        reply = pickle.load(process.replies)
        # LLVM 22 numbers the labels of SPIR-V wrong after another module.
        process.left = 0 if what.startswith(codegen.SPIRV) else process.left - 1
        finished = process.left > 0
        return reply
    except (OSError, EOFError, pickle.UnpicklingError):
        return _end_of(process)
    finally:
        # Also after Ctrl-C: its reply would be taken for the next one's.
        if not finished:
            process.end()
            _process = None


def _end_of(process: _Process) -> str:
    """How the process ended, with the last line that it printed."""
    with suppress(OSError):
        process.requests.close()
    process.status = status = process.wait()
    how = signal.Signals(-status).name if status < 0 else f"status {status}"
    process.messages.seek(0)
    lines = [line for line in process.messages.read().decode(errors="replace").splitlines() if line]
    reason = next((line for line in lines if "ERROR" in line or "Assert" in line), None)
    reason = reason or (lines[-1] if lines else "")
    return f"LLVM ended with {how} on the code of this kernel" + (f" ({reason})" if reason else "")


def _saved(text: str) -> str:
    """Save the input of LLVM, and say where it is and what to do."""
    # Late: only an error needs it.
    import zlib

    data = text.encode()
    path = Path(tempfile.gettempdir(), "polycl-reproducers", f"llvm-{zlib.crc32(data):08x}.ll")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        where = f"its input is in {path}: please report it"
    except OSError as error:
        where = f"its input was not saved: {error}"
    return f"{where}; the device 'interp' runs the kernel without LLVM"


def _ready() -> _Process | None:
    """The process, which answers; None: LLVM runs here."""
    global _process, _direct
    process = _running()
    if process is not None and not process.is_ready:
        process.is_ready = process.replies.read(len(codegen.READY)) == codegen.READY
        if not process.is_ready:
            # Where Python is a part of another program, its file may be no Python interpreter.
            process.end()
            _process, _direct = None, True
    return _process


def _running() -> _Process | None:
    """The process, which is started if there is none; None: LLVM runs here."""
    global _process
    if _process is None and not _direct:
        with suppress(OSError):
            _process = _forked() if _by_fork else _spawned()
    return _process


def _spawned() -> _Process:
    messages = _messages()
    # Python's own start would look through the site's folders; these are this process's.
    command = [sys.executable, "-I", "-S", codegen.__file__, *sys.path]
    started = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages
    )
    assert started.stdin is not None
    assert started.stdout is not None
    return _Process(started.pid, started.stdin, started.stdout, messages, started.wait)


def _forked() -> _Process:
    messages = _messages()
    (requests, to_requests), (from_replies, replies) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(messages.fileno(), 2)
            os.close(to_requests)
            codegen.serve(os.fdopen(requests, "rb"), os.fdopen(replies, "wb"))
        finally:
            os._exit(0)
    os.close(requests)
    os.close(replies)

    def wait() -> int:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    streams = os.fdopen(to_requests, "wb"), os.fdopen(from_replies, "rb")
    return _Process(pid, *streams, messages, wait)


def _messages() -> IO[bytes]:
    """A file for what LLVM prints."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return open(os.devnull, "r+b")


@atexit.register
def _stop() -> None:
    global _process
    process, _process = _process, None
    if process is not None:
        process.end()


def _forget() -> None:
    """The process belongs to the parent of a forked process."""
    global _process, _lock
    _lock = threading.Lock()
    process, _process = _process, None
    if process is not None:
        for file in (process.requests, process.replies, process.messages):
            # Another thread may have used the buffer: its lock is never released.
            getattr(file, "raw", file).close()
        # Popen would say that its process is still running.
        started = getattr(process.wait, "__self__", None)
        if started is not None:
            started.returncode = 0


os.register_at_fork(after_in_child=_forget)
