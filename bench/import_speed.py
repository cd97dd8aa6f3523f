"""What the importer costs beside clang's own parse: `python bench/import_speed.py [FILE.cl...]`.

Both are measured in one run, each the best of some rounds, in this order: parse, whole import,
parse, whole import, ... The whole import includes its own parse. Without files: all of
tests/kernels.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median

from polycl.frontends.opencl_c import import_source
from polycl.frontends.opencl_c.options import Options, parse_options
from polycl.frontends.opencl_c.source import parse

_KERNELS = Path(__file__).resolve().parent.parent / "tests" / "kernels"


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _options(path: Path, data: bytes) -> list[str]:
    """The build options of the file's first LAUNCH line."""
    found = re.search(rb'options="([^"]*)"', data)
    return [f"-I{path.parent}", *([found[1].decode()] if found else [])]


def measure(path: Path, rounds: int) -> tuple[float, float]:
    """Seconds of the parse and of the whole import."""
    data = path.read_bytes()
    options = _options(path, data)
    parsed: Options = parse_options(options)
    times = [
        (
            _seconds(lambda: parse(data, str(path), parsed)),
            _seconds(lambda: import_source(data, str(path), options)),
        )
        for _ in range(rounds)
    ]
    return min(t[0] for t in times), min(t[1] for t in times)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="where the importer's time goes")
    arguments = parser.parse_args(argv)
    files = arguments.files or sorted(_KERNELS.glob("*.cl"))
    profile = cProfile.Profile()
    ratios: list[float] = []
    total_parse = total_import = 0.0
    for path in files:
        measure(path, 1)
        if arguments.profile:
            profile.enable()
        parsed, imported = measure(path, arguments.rounds)
        profile.disable()
        ratios.append(imported / parsed)
        total_parse += parsed
        total_import += imported
        if not arguments.profile:
            print(
                f"{parsed * 1e3:7.2f} ms  {imported * 1e3:8.2f} ms  {ratios[-1]:5.2f}  {path.name}"
            )
    print(
        f"{len(files)} files: parse {total_parse / len(files) * 1e3:.2f} ms, whole import "
        f"{total_import / len(files) * 1e3:.2f} ms a file; ratio of the means "
        f"{total_import / total_parse:.2f}, mean ratio {mean(ratios):.2f}, "
        f"median {median(ratios):.2f}"
    )
    if arguments.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)
    return 0


if __name__ == "__main__":
    sys.exit(main())
