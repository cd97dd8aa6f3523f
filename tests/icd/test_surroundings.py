"""Processors and systems other than this one: a cache from elsewhere, no further process."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from polycl.runtime.icd.driver import DRIVER, build_driver

Host = Callable[..., "subprocess.CompletedProcess[str]"]

CPUID = """
#include_next <cpuid.h>
#include <stdlib.h>

// The processor has one feature more or less than it says, as FLIPPED (register and bit) wants.
static int flipped_cpuid(unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b, unsigned *c,
                         unsigned *d) {
  const char *flipped = getenv("FLIPPED");
  int known = __get_cpuid_count(leaf, subleaf, a, b, c, d);
  if (flipped && leaf == 7 && subleaf == 0)
    *(flipped[0] == 'b' ? b : c) ^= 1u << atoi(flipped + 1);
  return known;
}
#define __get_cpuid_count flipped_cpuid
"""

NO_PROCESS = """
#include <errno.h>
int posix_spawn() { return EAGAIN; }
"""


def entries(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.entry")}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="cpuid is an instruction of x86")
def test_code_for_another_processor_is_not_run(run_host: Host, tmp_path: Path) -> None:
    (tmp_path / "cpuid.h").write_text(CPUID)
    # As in a checkout, where a source is newer than the driver.
    driver, cache = tmp_path / "runtime" / "icd" / DRIVER, tmp_path / "cache"
    driver.parent.mkdir(parents=True)
    (tmp_path / ".git").touch()
    build_driver(driver, {"CC": f"{shutil.which('cc') or 'gcc'} -I{tmp_path}"})
    environment = {"OCL_ICD_VENDORS": str(driver), "POLYCL_CACHE_DIR": str(cache)}
    source = driver.with_name("port.c")
    source.touch()
    later = driver.stat().st_mtime + 2
    os.utime(source, (later, later))
    seen: list[set[str]] = []
    # AVX-512VL, AVX-512F and VAES.
    for flipped in ("b31", "b16", "c9"):
        done = run_host("programs.py", "simple", **environment, FLIPPED=flipped)
        assert f"{driver} is older than its source {source}; build it again" in done.stderr
        seen.append(entries(cache))
    first, second, third = seen
    assert set() < first < second < third


def test_a_system_that_gives_no_process(run_host: Host, tmp_path: Path) -> None:
    source, library = tmp_path / "no_process.c", tmp_path / "no_process.so"
    source.write_text(NO_PROCESS)
    compiler = shutil.which("cc") or "gcc"
    subprocess.run([compiler, "-shared", "-fPIC", source, "-o", library], check=True)
    # A folder of its own, in which no compiler waits.
    own = {"XDG_RUNTIME_DIR": str(tmp_path), "POLYCL_CACHE_DIR": str(tmp_path / "cache")}
    done = run_host("programs.py", "simple", status=1, LD_PRELOAD=str(library), **own)
    assert "BUILD_PROGRAM_FAILURE" in done.stderr
    assert "Resource temporarily unavailable" in done.stderr
