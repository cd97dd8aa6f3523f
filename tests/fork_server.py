"""Runs the tools of the tests in forks of one process, which has imported them.

To import ocl-run takes 0.8 s of processor time, most tests less than 0.1 s. `start` makes clients
with the tools' names; lit's tests and the examples in the documentation find them first. A client
sends its files, folder, arguments and environment to the server, whose child runs the tool, and
ends as that child ends. With other variables than the tests have, the child starts the tool itself,
since modules may read them when they are imported.
"""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOLS = ("filecheck", "ocl-opt", "ocl-run", "polycl")
# Of one test or one shell; the tools do not read them when they are imported.
OF_ONE_TEST = (
    *("LIT_CURRENT_TESTCASE", "PATH", "PYTEST_CURRENT_TEST", "TEMP", "TEMPDIR", "TMP", "TMPDIR"),
    *("OLDPWD", "PWD", "SHLVL", "_"),
)

# It imports what is in Python's program: most of its time is Python's start. `json` and `socket`
# would double it.
CLIENT = """\
#!{python} -IS
import _signal, _socket, marshal, os, sys

server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({address!r})
request = [os.path.basename(sys.argv[0]), sys.argv[1:], os.getcwd(), dict(os.environ)]
files = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
control = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)]
sent = server.sendmsg([text := marshal.dumps(request)], control)
if text[sent:]:
    server.sendall(text[sent:])
server.shutdown(_socket.SHUT_WR)
status = int(server.recv(16) or _signal.SIGKILL)
if os.WIFSIGNALED(status):
    _signal.signal(os.WTERMSIG(status), _signal.SIG_DFL)
    os.kill(os.getpid(), os.WTERMSIG(status))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def start(environment: dict[str, str]) -> str:
    """Start the server, which ends with this process. Returns the folder of the clients."""
    folder = tempfile.mkdtemp(prefix="polycl-lit-")
    owner = os.getpid()
    # The processes of lit's pool, which are forks, do not remove it.
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(folder, ignore_errors=True))
    address = os.path.join(folder, "socket")
    for tool in TOOLS:
        client = os.path.join(folder, tool)
        with open(client, "w") as file:
            file.write(CLIENT.format(python=sys.executable, address=address))
        os.chmod(client, 0o700)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    # It ends when its input does: when the last process that has the pipe's other end has ended.
    subprocess.Popen(
        [sys.executable, __file__, str(listener.fileno())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=environment,
        pass_fds=[listener.fileno()],
    )
    listener.close()
    return folder


def load_tools() -> dict[str, Callable[[], int | None]]:
    """The tools' main functions; all passes and dialects are imported, too."""
    from filecheck.main import main as filecheck

    from polycl.tools.ocl_opt import OclOptMain
    from polycl.tools.ocl_opt import main as ocl_opt
    from polycl.tools.ocl_run import main as ocl_run
    from polycl.tools.polycl import main as polycl
    from polycl.universe import UNIVERSE

    for load in (*UNIVERSE.all_dialects.values(), *UNIVERSE.all_passes.values()):
        load()
    # What is found once in each process, such as plugins, and classes that isinstance has met.
    OclOptMain([os.path.join(ROOT, "examples", "nbody.cl"), "-p", "cpu"]).run()
    return {"filecheck": filecheck, "ocl-opt": ocl_opt, "ocl-run": ocl_run, "polycl": polycl}


def serve(listener: socket.socket) -> str | None:
    """The name of the tool to run, in each child that runs one; None in the server, at the end."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while listener in select.select([listener, 0], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork() == 0:
            return _serve_one(connection)
        connection.close()
    return None


def _serve_one(connection: socket.socket) -> str:
    """In a child of the server: wait for its own child, in which this returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    first, files, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    parts = [first]
    while parts[-1]:
        parts.append(connection.recv(1 << 16))
    tool, arguments, folder, environment = marshal.loads(b"".join(parts))
    child = os.fork()
    if child:
        for file in files:
            os.close(file)
        connection.sendall(b"%d" % os.waitpid(child, 0)[1])
        os._exit(0)
    connection.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    if _of_tests(environment) != _of_tests(dict(os.environ)):
        program = os.path.join(os.path.dirname(sys.executable), tool)
        os.execve(program, [program, *arguments], environment)
    os.environ.clear()
    os.environ.update(environment)
    # The server's own know too much of its files, such as whether one can seek in them.
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    sys.argv = [tool, *arguments]
    return tool


def _of_tests(environment: dict[str, str]) -> dict[str, str]:
    """Without the variables that differ from test to test."""
    return {name: value for name, value in environment.items() if name not in OF_ONE_TEST}


if __name__ == "__main__":
    mains = load_tools()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as listener:
        name = serve(listener)
    if name is not None:
        with suppress(BrokenPipeError):
            sys.exit(mains[name]())
