"""A client of the compiler's server, as the driver is one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from polycl.runtime.compiler_server import receive, send

Reply = tuple[str, str, str, bytes]


def start_server(path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "polycl.runtime.icd.server", str(path)]
    environment = {**os.environ, "POLYCL_SERVER_IDLE": "20", **environment}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


class Client:
    """One connection, which has one program."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))

    def ask(self, *fields: str | bytes) -> Reply:
        """Send a request; returns status, log, path and artifact."""
        send(self.socket, [f.encode() if isinstance(f, str) else f for f in fields])
        status, log, path, artifact = receive(self.socket)
        return status.decode(), log.decode(), path.decode(), artifact

    def build(
        self,
        source: str,
        options: str = "",
        *,
        request: str = "build",
        place: str = "",
        folder: Path | str = "/",
        cpath: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        pairs = [text for pair in (headers or {}).items() for text in pair]
        return self.ask(request, place, options, str(folder), cpath, "", source, *pairs)

    def variant(self, kernel: str, size: str = "64 1 1", facts: str = "", place: str = "") -> Reply:
        return self.ask("variant", place, kernel, size, facts)

    def close(self) -> None:
        self.socket.close()
