"""The driver's launches run on one thread where all threads take longer (trial.c)."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from shutil import which

import pytest

import polycl.runtime.icd

DRIVER = Path(polycl.runtime.icd.__file__).parent
PARTS = 16

# Each line of its input is a launch: what it takes on all threads and on one. Prints what it took:
# parts that one thread did before the others joined it, and the time.
MAIN = f"""
#include "driver.h"
#include <stdio.h>

int main(void) {{
  struct trial trial = {{0}};
  long together, apart;
  while (scanf("%ld %ld", &together, &apart) == 2) {{
    struct plan plan;
    trial_plan(&trial, &plan);
    size_t parts = plan.one ? {PARTS} : 0;
    for (size_t ended = 1; plan.one && ended <= {PARTS}; ended++)
      if (!trial_goes_on(&trial, apart * (long)ended / {PARTS}, {PARTS}, ended)) {{
        parts = ended;
        plan.one = false;
        plan.gave_up = true;
      }}
    long time = (apart * (long)parts + together * (long)({PARTS} - parts)) / {PARTS};
    trial_ended(&trial, &plan, time);
    printf("%zu %ld\\n", parts, time);
  }}
}}
"""

Host = Callable[..., "subprocess.CompletedProcess[str]"]
Run = Callable[[list[tuple[int, int]]], list[tuple[int, int]]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    compiler = which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("trials")
    (folder / "main.c").write_text(MAIN, encoding="utf-8")
    command = [compiler, "-std=c11", "-I", str(DRIVER), "main.c", str(DRIVER / "trial.c")]
    subprocess.run([*command, "-o", "main"], cwd=folder, check=True)

    def times(launches: list[tuple[int, int]]) -> list[tuple[int, int]]:
        text = "".join(f"{together} {apart}\n" for together, apart in launches)
        done = subprocess.run(
            [str(folder / "main")], input=text, capture_output=True, text=True, check=True
        )
        lines = [line.split() for line in done.stdout.splitlines()]
        return [(int(parts), int(time)) for parts, time in lines]

    return times


@pytest.mark.parametrize("apart", [100, 700, 1100, 1900, 64_000], ids="one thread: {}".format)
def test_the_faster_way_is_taken(run: Run, apart: int) -> None:
    taken = run([(1000, apart)] * 5000)
    assert all(parts == 0 for parts, _ in taken[:4])
    assert sum(time for _, time in taken) < 5000 * min(1000, apart) * 1.02 + 4 * 1000


def test_a_change_of_the_data_is_followed(run: Run) -> None:
    for before, after in (((1000, 300), (1000, 1900)), ((1000, 1900), (1000, 300))):
        taken = run([before] * 1000 + [after] * 1000)
        assert sum(time for _, time in taken[-500:]) < 500 * min(after) * 1.05


def test_one_interrupted_launch_decides_nothing(run: Run) -> None:
    for interrupted in range(1, 12):
        launches = [(1000 + 100_000 * (i == interrupted), 1900) for i in range(2000)]
        taken = run(launches)
        assert sum(parts == PARTS for parts, _ in taken) <= 64 + 1


def test_no_count_is_lost_between_the_codes_for_one_thread_and_for_all(run_host: Host) -> None:
    """The second time all code is in the cache."""
    for turn in ("first", "again"):
        run_host("counting.py", turn, POLYCL_THREADS="2")
