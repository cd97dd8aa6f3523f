"""Kernels are compiled while the host goes on, several at the same time.

The driver's compiler is a `Gate` to the real one, which holds requests back: what overlaps is seen
from them, not from the clock.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from polycl.runtime.compiler_server import receive, send
from polycl.runtime.icd.driver import FOLDER

HOST = Path(__file__).resolve().parent / "hosts" / "compiling.c"
LIMIT_S = 50


class Gate:
    """Passes requests on, those for variants once `is_open` is set."""

    def __init__(self, path: Path) -> None:
        """It takes the place of the server that listens at `path`."""
        self._server = path.with_name("s.sock")
        path.rename(self._server)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self.is_open = threading.Event()
        self.changed = threading.Condition()
        self.variants: list[str] = []
        """The kernels of all requests."""
        self.waiting = 0
        self.refused: set[str] = set()
        """Kernels that the compiler refuses once."""
        self.passes: set[int] = set()
        """The requests, as numbers from 0, that are not held back."""
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(connection,), daemon=True).start()

    def _pass_on(self, connection: socket.socket) -> None:
        with connection, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(str(self._server))
            while True:
                fields = receive(connection)
                kernel = fields[2].decode() if fields[0] == b"variant" else ""
                if kernel:
                    self._hold(kernel)
                if kernel in self.refused:
                    self.refused.discard(kernel)
                    send(connection, [b"error", b"it is refused\n", b"", b""])
                    continue
                send(server, fields)
                send(connection, receive(server))

    def _hold(self, kernel: str) -> None:
        with self.changed:
            number = len(self.variants)
            self.variants.append(kernel)
            self.waiting += 1
            self.changed.notify_all()
        if number not in self.passes:
            self.is_open.wait(LIMIT_S)
        with self.changed:
            self.waiting -= 1

    def wait_for(self, count: int) -> None:
        """Wait until `count` requests are held back at the same time."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.waiting == count, LIMIT_S), self.variants

    def close(self) -> None:
        self.is_open.set()
        self._listener.close()


@pytest.fixture
def gate(
    program: Path, driver: Path, host_environment: dict[str, str]
) -> Iterator[tuple[Gate, dict[str, str]]]:
    """A gate, and the environment of hosts that use it."""
    # A UNIX socket's path must be short.
    with TemporaryDirectory(prefix="polycl-") as folder:
        variables = {"XDG_RUNTIME_DIR": folder, "POLYCL_CACHE_DIR": "", "POLYCL_THREADS": "4"}
        environment = host_environment | variables
        assert Run(program, driver, environment, "build").end() == ""
        (path,) = Path(folder, "polycl").glob("*.sock")
        gate = Gate(path)
        yield gate, environment
        gate.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hosts") / "compiling"
    flags = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{FOLDER}"]
    flags += ["-pthread", "-o", str(path), str(HOST), "-ldl"]
    subprocess.run([shutil.which("cc") or "gcc", *flags], check=True)
    return path


class Run:
    """The host with a case."""

    def __init__(self, program: Path, driver: Path, environment: dict[str, str], case: str) -> None:
        self.process = subprocess.Popen(
            [program, driver, case],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_until_enqueued(self) -> None:
        assert self.process.stdout
        assert self.process.stdout.readline() == "enqueued\n"

    def go_on(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def end(self) -> str:
        """What it has written to stderr; it must be content."""
        out, errors = self.process.communicate(timeout=LIMIT_S)
        assert (self.process.returncode, out) == (0, "good\n"), out + errors
        return errors


def test_kernels_are_compiled_at_the_same_time(
    program: Path, driver: Path, gate: tuple[Gate, dict[str, str]]
) -> None:
    """The second and third kernel are with the compiler while it has the first; a kernel with
    other facts is another one, and equal launches share one."""
    compiler, environment = gate
    run = Run(program, driver, environment, "several")
    run.wait_until_enqueued()
    compiler.wait_for(4)
    compiler.is_open.set()
    assert run.end() == ""
    assert sorted(compiler.variants) == ["first", "first", "second", "third"]


def test_one_thread_compiles_one_kernel(
    program: Path, driver: Path, gate: tuple[Gate, dict[str, str]]
) -> None:
    compiler, environment = gate
    run = Run(program, driver, environment | {"POLYCL_THREADS": "1"}, "several")
    run.wait_until_enqueued()
    compiler.wait_for(1)
    compiler.is_open.set()
    assert run.end() == ""


def test_a_kernel_runs_while_another_waits(
    program: Path, driver: Path, gate: tuple[Gate, dict[str, str]]
) -> None:
    compiler, environment = gate
    run = Run(program, driver, environment, "user_event")
    run.wait_until_enqueued()
    compiler.is_open.set()
    assert run.end() == ""


def test_a_kernel_that_is_not_compiled(
    program: Path, driver: Path, gate: tuple[Gate, dict[str, str]]
) -> None:
    compiler, environment = gate
    compiler.refused = {"first", "third"}
    run = Run(program, driver, environment, "failing")
    run.wait_until_enqueued()
    compiler.is_open.set()
    refused = "was not compiled for the local size 64 x 1 x 1:\nit is refused\n"
    assert run.end() == "".join(f"polycl: kernel '{name}' {refused}" for name in ("first", "third"))
    assert sorted(compiler.variants) == ["first", "first", "second", "third"]


def test_all_is_released_while_kernels_are_compiled(
    program: Path, driver: Path, gate: tuple[Gate, dict[str, str]]
) -> None:
    compiler, environment = gate
    run = Run(program, driver, environment, "release")
    run.wait_until_enqueued()
    compiler.wait_for(2)
    compiler.is_open.set()
    assert run.end() == ""


def test_a_child_compiles_for_itself(
    program: Path, driver: Path, gate: tuple[Gate, dict[str, str]]
) -> None:
    """The parent's request is held back all the time, the child's passes."""
    compiler, environment = gate
    compiler.passes = {1}
    run = Run(program, driver, environment, "fork")
    run.wait_until_enqueued()
    compiler.wait_for(1)
    run.go_on()
    run.wait_until_enqueued()
    compiler.is_open.set()
    assert run.end() == ""
    assert compiler.variants == ["second", "second"]


def test_a_host_ends_while_kernels_are_compiled(
    program: Path, driver: Path, gate: tuple[Gate, dict[str, str]]
) -> None:
    _, environment = gate
    assert Run(program, driver, environment, "exit").end() == ""
