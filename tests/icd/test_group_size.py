"""The driver chooses the groups that the Python runtime chooses."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from shutil import which

import pytest

import polycl.runtime.icd
from polycl.backends.device import MAX_GROUP, WIDE_IDS, NDRange, Size3
from polycl.runtime.index_space import in_best_groups

DRIVER = Path(polycl.runtime.icd.__file__).parent

# Each line of its input is a launch: the best size, the global size, the offset, the local size and
# the threads. Prints the local size that is taken.
MAIN = """
#include "driver.h"
#include <stdio.h>

static bool read3(size_t n[3]) { return scanf("%zu %zu %zu", &n[0], &n[1], &n[2]) == 3; }

int main(void) {
  struct function function = {0};
  size_t global[3], offset[3], local[3];
  unsigned threads;
  while (read3(function.best) && read3(global) && read3(offset) && read3(local) &&
         scanf("%u", &threads) == 1) {
    choose_group_size(&function, global, offset, threads, local);
    printf("%zu %zu %zu\\n", local[0], local[1], local[2]);
  }
}
"""

BEST: tuple[Size3, ...] = (
    *((0, 0, 0), (128, 1, 0), (128, 0, 0), (0, 128, 1), (64, 4, 0), (4, 64, 1), (8, 8, 0)),
    *((1, 8, 8), (16, 0, 0), (1, 1, 128), (256, 1, 0)),
)
SIZES = (1, 2, 3, 8, 15, 16, 20, 32, 64, 96, 100, 128, 320, 1000, 1024)


def _launch(choose: random.Random) -> tuple[Size3, NDRange, int]:
    def three(values: tuple[int, ...]) -> Size3:
        x, y, z = choose.choices(values, k=3)
        return x, y, z

    local = (MAX_GROUP, 2, 1)
    while local[0] * local[1] * local[2] > MAX_GROUP:
        local = three((1, 1, 1, 2, 4, 8, 10, 16, 32, 64, 100, 256))
    offset = three((0, 0, 0, 0, 0, 0, 5, WIDE_IDS - 1100, WIDE_IDS))
    ndrange = NDRange(three(SIZES), local, offset, 3)
    return choose.choice(BEST), ndrange, choose.choice((1, 4, 64))


def test_groups_are_those_of_the_python_runtime(tmp_path: Path) -> None:
    compiler = which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler: install gcc or clang")
    (tmp_path / "main.c").write_text(MAIN)
    program = tmp_path / "main"
    files = [tmp_path / "main.c", DRIVER / "group_size.c"]
    subprocess.run(
        [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{DRIVER}", "-o", program, *files],
        check=True,
    )
    choose = random.Random(0)
    launches = [_launch(choose) for _ in range(20000)]
    lines = [
        " ".join(map(str, (*best, *nd.global_size, *nd.global_offset, *nd.local_size, threads)))
        for best, nd, threads in launches
    ]
    done = subprocess.run(
        [program], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    found = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    expected = [
        in_best_groups(ndrange, best if any(best) else None, threads).local_size
        for best, ndrange, threads in launches
    ]
    different = [
        (launch, a, b) for launch, a, b in zip(launches, found, expected, strict=True) if a != b
    ]
    assert not different, different[0]
    assert sum(a != nd.local_size for a, (_, nd, _) in zip(found, launches, strict=True)) > 2000
