"""What happens to programs when something fails: counts of many tries.

    python -m bench.icd.faults [--times 200]

A program adds vectors and checks the sums. Each try kills the compiler's processes or the program
at a random moment, or takes something away from it; the program must give right sums or end with a
message (never with a signal, never hang), and the next program with the same kernel must give right
sums.

Needs a C compiler and a loader of the system (Debian's ocl-icd-opencl-dev).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tqdm import tqdm

from polycl.runtime.icd.driver import DRIVER, FOLDER, build_driver

HOST = Path(__file__).resolve().parents[2] / "tests" / "icd" / "hosts" / "vector_add.c"
LIMIT_S = 120


class Setting:
    """A driver, a program, and an environment of their own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.cache = folder / "cache"
        self.program = folder / "vector_add"
        build_driver(folder / DRIVER)
        command = ["cc", "-w", f"-I{FOLDER}", str(HOST), "-o", str(self.program), "-lOpenCL"]
        subprocess.run(command, check=True)
        self.environment = os.environ | {
            "OCL_ICD_VENDORS": str(folder / DRIVER),
            "POLYCL_PYTHON": sys.executable,
            "POLYCL_CACHE_DIR": str(self.cache),
            "XDG_RUNTIME_DIR": str(folder),
        }

    def start(self, salt: int, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.program, f"-DSALT={salt}"],
            env=self.environment | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def compilers(self) -> list[int]:
        """The processes of this setting's compiler."""
        found: list[int] = []
        for entry in Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes()
            except (OSError, NotADirectoryError):
                continue
            if b"polycl.runtime.icd.server" in words and str(self.folder).encode() in words:
                found.append(int(entry.name))
        return found

    def kill_compilers(self) -> None:
        for process in self.compilers():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass


def outcome(process: subprocess.Popen[str]) -> str:
    """How a program ended, in words."""
    try:
        output, errors = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return "HANGS"
    if process.returncode == 0:
        return "right" if "sums are right" in output else "WRONG"
    if process.returncode < 0:
        return f"SIGNAL {-process.returncode}"
    return "message" if "polycl: " in errors or "error: " in errors else f"NO MESSAGE: {errors}"


def together(setting: Setting, times: int) -> Counter[str]:
    """16 programs at the same time, an empty cache, no server."""
    setting.kill_compilers()
    return Counter(outcome(process) for process in [setting.start(1) for _ in range(16)])


def killed(
    setting: Setting, times: int, kill: Callable[[subprocess.Popen[str]], None]
) -> Counter[str]:
    counts: Counter[str] = Counter()
    for salt in tqdm(range(times), leave=False):
        process = setting.start(1000 + salt)
        time.sleep(random.uniform(0, 0.1))
        kill(process)
        counts[outcome(process)] += 1
        counts[f"afterwards {outcome(setting.start(1000 + salt))}"] += 1
    return counts


def kill_compilers(setting: Setting, times: int) -> Counter[str]:
    """kill -9 of the server and its children during builds and launches."""
    return killed(setting, times, lambda _: setting.kill_compilers())


def kill_programs(setting: Setting, times: int) -> Counter[str]:
    """kill -9 of the program during builds and launches."""
    counts = killed(setting, times, lambda process: process.kill())
    return Counter({name.replace("SIGNAL 9", "killed"): n for name, n in counts.items()})


def damaged(setting: Setting, times: int) -> Counter[str]:
    """Entries of the cache that are cut off or overwritten are not used."""
    counts: Counter[str] = Counter()
    for n, entry in enumerate(sorted(setting.cache.glob("*.entry"))[: min(times, 20)]):
        content = entry.read_bytes()
        entry.write_bytes(content[: len(content) // 2] if n % 2 else bytes(len(content)))
    for salt in range(min(times, 20)):
        counts[outcome(setting.start(1000 + salt))] += 1
    return counts


def no_cache(setting: Setting, times: int) -> Counter[str]:
    """The folder of the cache cannot be made (a read-only home)."""
    return Counter([outcome(setting.start(n, POLYCL_CACHE_DIR="/proc/none")) for n in range(3)])


def full_disk(setting: Setting, times: int) -> Counter[str]:
    """The file system of the cache is full."""
    folder = setting.folder / "full"
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True).returncode:
        return Counter({"not tried: file systems cannot be mounted here": 1})
    try:
        return Counter(
            [outcome(setting.start(50 + n, POLYCL_CACHE_DIR=str(folder))) for n in range(3)]
        )
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def no_interpreter(setting: Setting, times: int) -> Counter[str]:
    """The interpreter is not there, and one that fails."""
    setting.kill_compilers()
    return Counter(
        outcome(setting.start(70, POLYCL_PYTHON=python)) for python in ("/nowhere", "/bin/false")
    )


def entries_are_whole(setting: Setting, times: int) -> Counter[str]:
    """Every entry of the cache has the digest of its content."""
    return Counter(
        "whole" if hashlib.sha256(data[:-32]).digest() == data[-32:] else "DAMAGED"
        for data in (entry.read_bytes() for entry in setting.cache.glob("*.entry"))
    )


CASES = (
    together,
    kill_compilers,
    kill_programs,
    entries_are_whole,
    damaged,
    no_cache,
    full_disk,
    no_interpreter,
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.icd.faults")
    parser.add_argument("--times", type=int, default=200)
    times: int = parser.parse_args().times
    bad = 0
    with tempfile.TemporaryDirectory(prefix="polycl-") as folder:
        os.chmod(folder, 0o700)
        setting = Setting(Path(folder))
        for case in CASES:
            counts = case(setting, times)
            bad += sum(n for name, n in counts.items() if any(map(str.isupper, name)))
            print(f"{case.__name__:<20}" + ", ".join(f"{n} {name}" for name, n in counts.items()))
        setting.kill_compilers()
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
