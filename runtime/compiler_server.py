"""The compiler's server, as Python processes use it.

There is one server for an account and an installation of polycl: that of the OpenCL driver
(`runtime/icd/server.py`). It has the compiler loaded, so that its children compile at once. It is
used if it answers; if none does, one is started, and this process does its work itself meanwhile.
What the server cannot do is done here, too, so that results and errors are the same with a server
and without one. `POLYCL_SERVER=0` leaves it out.

This module imports nothing of the compiler.
"""

from __future__ import annotations

import os
import pickle
import socket
import stat
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from polycl.backends.cache import INSTALLATION, SOURCE_STATE

READY = b"ready"
"""What a server writes to its lock file when it has loaded the compiler."""

_started = False
INCLUDES = ("CPATH", "C_INCLUDE_PATH")
"""Variables in which clang looks for folders of headers."""


def receive(connection: socket.socket) -> list[bytes]:
    """The next message. Raises ConnectionError if the other side ends."""
    (count,) = struct.unpack("<I", _bytes(connection, 4))
    return [_bytes(connection, *struct.unpack("<Q", _bytes(connection, 8))) for _ in range(count)]


def _bytes(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = connection.recv(min(size - len(data), 1 << 20))
        if not part:
            raise ConnectionError("the connection was closed")
        data += part
    return bytes(data)


def send(connection: socket.socket, fields: Sequence[bytes]) -> None:
    """Send a message."""
    parts = [struct.pack("<I", len(fields))]
    for field in fields:
        parts += [struct.pack("<Q", len(field)), field]
    connection.sendall(b"".join(parts))


class ServerProgram:
    """A source that a child of the server has imported. Other threads may use it, too."""

    def __init__(self, connection: socket.socket):
        self._connection: socket.socket | None = connection
        self._lock = threading.Lock()
        self._owner = os.getpid()

    def compile(self, device: Any, kernel: str, ndrange: Any, limit: int | None) -> Any:
        """What `device.save` gives for a kernel, and the seconds of its phases.

        None: the server did not compile it, for whatever reason.
        """
        request = pickle.dumps((device, kernel, ndrange, limit), pickle.HIGHEST_PROTOCOL)
        # A forked process has its parent's connection, and a lock that may never be released.
        if self._owner != os.getpid():
            return None
        with self._lock:
            if self._connection is None:
                return None
            found = None
            try:
                found = ask(self._connection, [b"compile kernel", request])
            finally:
                if found is None:
                    # The child may have ended in the middle, or long ago.
                    self._connection.close()
                    self._connection = None
        return found


def import_source(
    data: bytes, name: str, options: Sequence[str], limit: int | None
) -> tuple[Any, dict[str, float], ServerProgram] | None:
    """What `kept_sources.import_now` gives for a source, apart from the module, and the seconds of
    phases; None: the server did not import it."""
    connection = connect()
    if connection is None:
        return None
    paths = {variable: os.environ.get(variable) for variable in INCLUDES}
    request = pickle.dumps((data, name, list(options), os.getcwd(), paths, limit))
    found = None
    try:
        found = ask(connection, [b"import source", INSTALLATION, request])
    finally:
        if found is None:
            connection.close()
    return None if found is None else (*found, ServerProgram(connection))


def ask(connection: socket.socket, fields: Sequence[bytes]) -> Any:
    """The object in the reply to a request; None if there is none."""
    try:
        send(connection, fields)
        status, _, _, reply = receive(connection)
    except (OSError, ValueError):
        return None
    return pickle.loads(reply) if status == b"ok" else None


def connect() -> socket.socket | None:
    """A connection to the server; if there is none, one is started for later, and None returned."""
    path = socket_path() if _is_wanted() else None
    if path is None:
        return None
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        _start(path)
        return None
    if _is_ready(path):
        return connection
    connection.close()
    return None


@cache
def _is_valid(choice: str) -> bool:
    """Whether POLYCL_SERVER can be `choice`; says so once if not."""
    valid = choice in ("", "0", "1")
    if not valid:
        print(
            f"polycl: POLYCL_SERVER is '{choice}'; expected 1 or 0: it is ignored", file=sys.stderr
        )
    return valid


def _is_wanted() -> bool:
    choice = os.environ.get("POLYCL_SERVER", "")
    return not _is_valid(choice) or choice != "0"


def _is_ready(path: str) -> bool:
    """Whether the server at `path` has loaded the compiler."""
    try:
        with open(f"{path}.lock", "rb") as file:
            return file.read() == READY
    except OSError:
        return False


def socket_path() -> str | None:
    """The path of the server's socket; None if there is no private folder for it."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folders = [f"{runtime}/polycl"] if runtime.startswith("/") and len(runtime) < 73 else []
    for folder in (*folders, f"/tmp/polycl-{os.geteuid()}"):
        if _is_private(folder):
            return f"{folder}/{SOURCE_STATE.hex()[:16]}.sock"
    return None


def _is_private(folder: str) -> bool:
    """Whether only this user can enter the folder, which is made if it is missing."""
    try:
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        found = os.lstat(folder)
    except OSError:
        return False
    mode = found.st_mode
    return stat.S_ISDIR(mode) and found.st_uid == os.geteuid() and not stat.S_IMODE(mode) & 0o077


def _start(path: str) -> None:
    """Start a server in the background."""
    global _started
    if _started or not sys.executable:
        return
    _started = True
    # A shell's background process is no child of this one, which need not wait for it.
    command = ["/bin/sh", "-c", '"$@" </dev/null >/dev/null 2>"$0.log" &', path, sys.executable]
    command += ["-E", "-P", "-m", "polycl.runtime.icd.server", path]
    with suppress(OSError):
        subprocess.run(command, start_new_session=True, check=False)
