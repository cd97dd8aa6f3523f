"""ocl-run, which the compiler's server runs if there is one.

To import the compiler takes longer than to compile a small kernel. So `ocl_run` hands its command
line, its environment and its files to a child of the server, which has everything loaded, and ends
as that child ends. Without a server, for a debugger or profiler, or if the environment may change
what Python does, it runs in its own process. This module imports nothing of the compiler.
"""

from __future__ import annotations

import io
import os
import pickle
import resource
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from polycl.runtime.compiler_server import ask, connect, receive, send

_LIMITS = [value for name, value in vars(resource).items() if name.startswith("RLIMIT_")]
_OF_STREAMS = ("encoding", "errors", "line_buffering", "write_through")
_HARMLESS = ("PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUNBUFFERED", "PYTHONUTF8")
_WATCHED = ("-g", "-gline-tables-only", "--debug-info")
_ENDED_BY_INTERRUPT = 130


def ocl_run() -> None:
    """The console script."""
    status = _forward(sys.argv[1:])
    if status is None:
        from polycl.tools.ocl_run import main

        main()
    else:
        sys.exit(status)


def _forward(arguments: list[str]) -> int | None:
    """The exit status of the command line in a child of the server; None: there is no child."""
    # A debugger or profiler watches this process. There are files of this process alone, and
    # variables with which Python finds other modules.
    if (
        any(a in _WATCHED or a.startswith(("/dev/", "/proc/")) for a in arguments)
        or os.environ.get("POLYCL_PERF", "0") not in ("", "0")
        or any(name.startswith("PYTHON") and name not in _HARMLESS for name in os.environ)
    ):
        return None
    connection = connect()
    if connection is None:
        return None
    from polycl.backends.cache import INSTALLATION

    with connection:
        if ask(connection, [b"run tool", INSTALLATION]) is None:
            return None
        try:
            socket.send_fds(connection, [b"files"], [0, 1, 2])
            send(connection, [pickle.dumps(_state(arguments))])
        except OSError:
            return None
        return _wait(connection)


def _state(arguments: list[str]) -> dict[str, Any]:
    """What a process has from its parent."""
    mask = os.umask(0)
    os.umask(mask)
    return {
        "arguments": arguments,
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "umask": mask,
        "cores": os.sched_getaffinity(0),
        "nice": os.nice(0),
        "limits": [(which, resource.getrlimit(which)) for which in _LIMITS],
        "streams": [
            {name: getattr(stream, name) for name in _OF_STREAMS}
            for stream in (sys.stdin, sys.stdout, sys.stderr)
        ],
    }


def _wait(connection: socket.socket) -> int:
    """The child's exit status. If a signal has ended it, this process ends by the same."""
    while True:
        try:
            status = int(receive(connection)[0])
            break
        except KeyboardInterrupt:
            # The child gets it, too, and says how it ends.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
        except (OSError, ValueError):
            print("ocl-run: error: the compiler's server has ended; run it again", file=sys.stderr)
            return 1
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


def run_forwarded(connection: socket.socket, tool: Callable[[], None]) -> None:
    """The server's side: run `tool`, which exits, as the process at the other end."""
    _, files, _, _ = socket.recv_fds(connection, 16, 3)
    state = pickle.loads(receive(connection)[0])
    child = os.fork()
    if child == 0:
        status = 1
        try:
            connection.close()
            # Late: the other side does not need it. LLVM must not end the tool.
            from polycl.backends.cpu.llvm_process import fork_llvm

            fork_llvm()
            _become(state, files)
            status = _run(tool)
        except BaseException:
            # Late: this is a bug.
            import traceback

            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    for file in files:
        os.close(file)
    send(connection, [str(_status_of(child, connection)).encode()])


def _status_of(child: int, connection: socket.socket) -> int:
    """How the child ends. It is interrupted if the other end of the connection is closed."""
    with open(os.pidfd_open(child)) as ended:
        ready, _, _ = select.select([ended, connection], [], [])
        if ended not in ready:
            os.kill(child, signal.SIGINT)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _become(state: dict[str, Any], files: list[int]) -> None:
    for target, file in enumerate(files):
        os.dup2(file, target)
        os.close(file)
    modes = zip(("stdin", "stdout", "stderr"), ("r", "w", "w"), state["streams"], strict=True)
    for target, (name, mode, options) in enumerate(modes):
        stream = io.TextIOWrapper(open(target, f"{mode}b", closefd=False), **options)
        setattr(sys, name, stream)
    sys.argv = ["ocl-run", *state["arguments"]]
    os.environ.clear()
    os.environ.update(state["environment"])
    os.chdir(state["folder"])
    os.umask(state["umask"])
    os.sched_setaffinity(0, state["cores"])
    os.nice(max(0, state["nice"] - os.nice(0)))
    for which, limit in state["limits"]:
        # Limits above the server's own need privileges.
        with suppress(OSError, ValueError):
            resource.setrlimit(which, limit)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _run(tool: Callable[[], None]) -> int:
    # Late: only the server's children need them.
    import atexit

    status = 0
    try:
        tool()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except KeyboardInterrupt:
        status = _ENDED_BY_INTERRUPT
    # What the server itself has registered is not there: it forks before.
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    return status
