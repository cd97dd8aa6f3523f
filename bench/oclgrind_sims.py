"""Oclgrind's own tests through `ocl-run --check`: how many print what its reference files have.

    python bench/oclgrind_sims.py DIR [NAME ...] [-v]

DIR is `tests/kernels` of a checkout of Oclgrind (https://github.com/jrprice/Oclgrind), which is
not part of this repository. A line of a reference file is EXACT or MATCH (a part of a line of the
output), which is compared, or ERROR, where the two tools differ in words: what counts is that an
error is reported, or that none is ("if strict": only with `--check-strict`). Tests of the
interactive debugger are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIMEOUT = 60
"""Seconds for one test."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Run the tests of Oclgrind through ocl-run --check."
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, say misc/vecadd")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what failed in full")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    args = parser.parse_args()
    sims = sorted(args.folder.rglob("*.sim"))
    if args.names:
        sims = [s for s in sims if str(s.relative_to(args.folder).with_suffix("")) in args.names]
    sims = [sim for sim in sims if sim.with_suffix(".ref").exists()]
    skipped = [sim for sim in sims if sim.with_suffix(".inp").exists()]
    sims = [sim for sim in sims if sim not in skipped]
    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(args.jobs) as pool:
        for sim, (verdict, detail) in zip(sims, pool.map(judge, sims), strict=True):
            counts[verdict] += 1
            if verdict != "pass":
                shown = detail if args.verbose else detail.splitlines()[0]
                print(f"{verdict:<15} {sim.relative_to(args.folder)}: {shown}")
    for verdict, count in counts.most_common():
        print(f"{count:>4} {verdict}")
    print(f"{len(sims):>4} in all; {len(skipped)} of the interactive debugger left out")


def judge(sim: Path) -> tuple[str, str]:
    """(verdict, why) of one test."""
    first = sim.read_text().partition("\n")[0]
    options = first.split("--build-options ", 1)[1].split() if "--build-options" in first else []
    command = [sys.executable, "-m", "polycl.tools.ocl_run", str(sim), "--check", *options]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return "hangs", f"more than {TIMEOUT} s"
    expected = [line for line in sim.with_suffix(".ref").read_text().splitlines() if line]
    errors = [line for line in expected if line.startswith("ERROR")]
    reported = run.returncode != 0
    output = [line for line in run.stdout.splitlines() if line]
    message = run.stderr.strip() or "(no message)"
    different = compare([line for line in expected if line not in errors], output)
    if different is not None and reported and not output:
        return "does not run", message
    if different is not None:
        return "other output", different
    if errors and not reported:
        strict = subprocess.run([*command, "--check-strict"], capture_output=True, timeout=TIMEOUT)
        return "error missed" if not strict.returncode else "if strict", errors[0][6:]
    if reported and not errors:
        return "false alarm", message
    return "pass", ""


def compare(expected: list[str], output: list[str]) -> str | None:
    """How `output` differs from the lines `expected`, or None."""
    for line, have in zip(expected, output, strict=False):
        kind, text = line[:5], line[6:]
        if text != have if kind == "EXACT" else text not in have:
            return f"expected '{text}', got '{have}'"
    if len(expected) != len(output):
        return f"expected {len(expected)} lines of output, got {len(output)}"
    return None


if __name__ == "__main__":
    main()
