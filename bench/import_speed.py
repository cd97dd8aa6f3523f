"""Cost of the importer relative to clang's own parse: `python bench/import_speed.py [FILE.cl...]`.

All is measured in one run, each the best of some rounds, in this order: parse, import, import with
the verifier, parse, ... Every import includes its own parse, with the same options; with the
verifier it is what `polycl.load` does. The time is that of the processor, which other programs
disturb less; clang parses in a thread of its own, which counts. Without files: all of
tests/kernels.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median

from polycl.diagnostics import verify_module
from polycl.frontends.opencl_c import import_source
from polycl.frontends.opencl_c.options import Options, parse_options
from polycl.frontends.opencl_c.source import parse

_KERNELS = Path(__file__).resolve().parent.parent / "tests" / "kernels"


def _seconds(run: Callable[[], object]) -> float:
    gc.collect()  # Each run pays for its own garbage only.
    start = time.process_time()
    run()
    return time.process_time() - start


def _options(path: Path, data: bytes) -> list[str]:
    """The build options of the file's first LAUNCH line."""
    found = re.search(rb'options="([^"]*)"', data)
    return [f"-I{path.parent}", *([found[1].decode()] if found else [])]


def measure(path: Path, rounds: int) -> tuple[float, float, float]:
    """Seconds of the parse, of the whole import, and of the import with the verifier."""
    data = path.read_bytes()
    options = _options(path, data)
    parsed: Options = parse_options(options)
    runs = (
        lambda: parse(data, str(path), parsed),
        lambda: import_source(data, str(path), options),
        lambda: verify_module(import_source(data, str(path), options)),
    )
    times = [[_seconds(run) for run in runs] for _ in range(rounds)]
    best = [min(column) for column in zip(*times, strict=True)]
    return best[0], best[1], best[2]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="where the importer's time goes")
    arguments = parser.parse_args(argv)
    files = arguments.files or sorted(_KERNELS.glob("*.cl"))
    profile = cProfile.Profile()
    gc.freeze()
    measured: list[tuple[float, float, float]] = []
    for path in files:
        measure(path, 1)
        if arguments.profile:
            profile.enable()
        parsed, imported, verified = measure(path, arguments.rounds)
        profile.disable()
        measured.append((parsed, imported, verified))
        if not arguments.profile:
            print(
                f"{parsed * 1e3:7.2f} ms {imported * 1e3:8.2f} ms {imported / parsed:5.2f} "
                f"{verified * 1e3:8.2f} ms {verified / parsed:5.2f}  {path.name}"
            )
    parses = [times[0] for times in measured]
    print(f"{len(files)} files: parse {mean(parses) * 1e3:.2f} ms a file")
    for column, what in ((1, "import"), (2, "import and verifier")):
        values = [times[column] for times in measured]
        ratios = [value / parsed for value, parsed in zip(values, parses, strict=True)]
        print(
            f"{what}: {mean(values) * 1e3:.2f} ms a file; ratio of the means "
            f"{mean(values) / mean(parses):.2f}, mean ratio {mean(ratios):.2f}, "
            f"median {median(ratios):.2f}"
        )
    if arguments.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)
    return 0


if __name__ == "__main__":
    sys.exit(main())
