"""The compiler as a server of the OpenCL driver: `python -m polycl.runtime.icd.server SOCKET`.

The main process imports the compiler once and compiles nothing for others. A forked child has a
connection, and this has one program: the module is kept from request to request, and LLVM can abort
no other program. A connection ends after CHILD_IDLE_S without a request; its child takes another
one (`workers.py`). The server ends after POLYCL_SERVER_IDLE seconds without a connection (default:
600).

A message in either direction is the number of its fields, a u32, and for each field its length, a
u64, and its bytes; numbers are little-endian. `requests.py` documents the fields.

The command returns as soon as the server listens, or when it sees that another one does. Errors of
the compiler itself are in `SOCKET.log`, with their tracebacks.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import signal
import socket
import stat
import sys
import time
import traceback
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from polycl.runtime.compiler_server import READY, receive, send
from polycl.runtime.icd.workers import Workers

if TYPE_CHECKING:
    from polycl.runtime.icd.requests import Connection

# The compiler is imported late: when the server listens.

CHILD_IDLE_S = 10.0
_START_S = 5.0
"""How long to wait for a server that is ending, or does not listen yet."""
_LOG_LIMIT = 1 << 20
_TURN_S = 0.005
"""How often a child looks for a free place."""

_WARM_UPS = (
    (b"kernel void k(global float *x) { x[get_global_id(0)] *= 2; }", b"distinct small"),
    (
        b"""kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
          int2 at = (int2)(get_global_id(0), get_global_id(1));
          write_imagef(out, at, sin(read_imagef(in, s, at)));
        }""",
        b"image=0:4306,4,12816,12816,4 sampler=2:18",
    ),
)
"""Kernels, and facts of their arguments, that the server compiles itself, so that its children have
loaded what they use."""
_TOOLS = ("polycl.tools.forward", "polycl.tools.ocl_run")
"""What a child that runs ocl-run needs."""
_QUIET_S = 1.0
"""After so long without a connection, the server compiles the next of _WARM_UPS."""


class StartError(Exception):
    """The server cannot start."""


def main(arguments: Sequence[str]) -> int:
    """Start the server that listens at the path `arguments[0]`, unless there is one."""
    if len(arguments) != 1:
        print("usage: python -m polycl.runtime.icd.server SOCKET", file=sys.stderr)
        return 2
    path = os.path.abspath(arguments[0])
    _close_inherited()
    try:
        idle = _seconds(os.environ.get("POLYCL_SERVER_IDLE") or "600")
        place = listen(path)
    except (OSError, StartError) as error:
        print(f"polycl's compiler server cannot start: {error}", file=sys.stderr)
        return 1
    if place is None or os.fork():
        return 0
    os.setsid()
    os.chdir("/")
    _redirect(path)
    serve(*place, path, idle)
    return 0


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e6:
        raise StartError(f"POLYCL_SERVER_IDLE is '{text}'; expected seconds, for example 600")
    return seconds


def _close_inherited() -> None:
    """Close the files of the program that has started this one."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            # One was that of the folder itself.
            with suppress(OSError):
                os.close(int(name))


def _redirect(path: str) -> None:
    """Standard output and errors go to the log."""
    log = f"{path}.log"
    with suppress(OSError):
        if os.path.getsize(log) > _LOG_LIMIT:
            os.unlink(log)
    for target, name, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        (2, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
    ):
        file = os.open(name, flags, 0o600)
        os.dup2(file, target)
        os.close(file)


def listen(path: str) -> tuple[socket.socket, int] | None:
    """A socket that listens at `path`, and a file whose lock says so; None if another server does.

    Raises:
        StartError: the folder can be written by others.
        OSError: the socket cannot be made.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StartError(f"'{folder}' must be a folder that only its owner, you, can use")
    lock = _locked(path)
    if lock is None:
        return None
    os.ftruncate(lock, 0)
    with suppress(FileNotFoundError):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(128)
    return listener, lock


def _locked(path: str) -> int | None:
    """The file `path`.lock, locked; None if another server has it, and listens."""
    name = f"{path}.lock"
    end = time.monotonic() + _START_S
    while True:
        lock = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_same(lock, name):
                return lock
        except BlockingIOError:
            if _is_answered(path):
                os.close(lock)
                return None
            if time.monotonic() > end:
                # Somebody has removed its socket: nobody finds it any more.
                with suppress(FileNotFoundError):
                    os.unlink(name)
            time.sleep(0.01)
        os.close(lock)


def _is_same(file: int, name: str) -> bool:
    """Whether the open `file` still has its name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), os.lstat(name))
    return False


def _is_answered(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) == 0


def serve(listener: socket.socket, lock: int, path: str, idle: float) -> None:
    """Answer connections until there was none for `idle` seconds."""
    own = os.lstat(path)
    # A library of numpy would start threads, which do not survive a fork.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    # Clang reads these, but each request has its own.
    for name in ("CPATH", "C_INCLUDE_PATH"):
        os.environ.pop(name, None)
    requests = importlib.import_module("polycl.runtime.icd.requests")
    for name in _TOOLS:
        importlib.import_module(name)
    warm_ups = list(_WARM_UPS)

    def warm_up() -> None:
        requests.warm_up(*warm_ups.pop(0))
        gc.collect()
        # The children's collectors do not visit, and so copy, what is there now.
        gc.freeze()

    warm_up()

    def work(connection: socket.socket) -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with suppress(ConnectionError):
            _converse(connection, f"{path}.lock", requests.Connection())
        gc.collect()

    workers = Workers(listener, lock, work, lambda: requests.warm_up(*_WARM_UPS[0]))
    # The kernel reaps the children.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    workers.keep_ready()
    os.pwrite(lock, READY, 0)
    listener.setblocking(False)
    while True:
        if workers.wait(_QUIET_S if warm_ups else idle):
            with suppress(OSError):
                workers.give(listener.accept()[0])
        elif warm_ups:
            warm_up()
        else:
            break
    # Nobody finds the socket now; who has found it before is answered. If the folder was removed,
    # another server may listen there.
    with suppress(OSError):
        if os.path.samestat(own, os.lstat(path)):
            os.unlink(path)
    with suppress(BlockingIOError):
        while True:
            workers.give(listener.accept()[0])


def _converse(connection: socket.socket, lock: str, program: Connection) -> None:
    connection.settimeout(CHILD_IDLE_S)
    places = os.open(lock, os.O_RDWR)
    try:
        while True:
            try:
                fields = receive(connection)
            except (TimeoutError, ConnectionError):
                return
            with _turn(places):
                reply = _answer(program, fields)
            send(connection, reply)
            if fields[0] == b"run tool" and reply[0] == b"ok":
                _run_tool(connection)
                return
    finally:
        os.close(places)


def _run_tool(connection: socket.socket) -> None:
    # By name: this layer is below that of tools.
    forward, tool = (importlib.import_module(name) for name in _TOOLS)
    forward.run_forwarded(connection, tool.main)


def _answer(program: Connection, fields: list[bytes]) -> list[bytes]:
    try:
        status, log, path, artifact = program.answer(fields)
    except Exception as error:
        traceback.print_exc()
        sys.stderr.flush()
        what = " ".join(f"{type(error).__name__}: {error}".split())
        status, path, artifact = "error", "", b""
        log = f"internal error: {what}; this is a bug in polycl: please report it"
    return [*(text.encode("utf-8", "surrogateescape") for text in (status, log, path)), artifact]


def _free_place(places: int) -> int | None:
    for place in range(len(os.sched_getaffinity(0))):
        with suppress(OSError):
            fcntl.lockf(places, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            return place
    return None


@contextmanager
def _turn(places: int) -> Generator[None]:
    """Waits until at most as many children compile as there are cores.

    Each has a lock on one byte of the file, which ends with the child, however it ends.
    """
    mine = _free_place(places)
    while mine is None:
        # To wait for one of them could take as long as its kernel.
        time.sleep(_TURN_S)
        mine = _free_place(places)
    try:
        yield
    finally:
        fcntl.lockf(places, fcntl.LOCK_UN, 1, mine)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
