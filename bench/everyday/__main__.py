"""`python -m bench.everyday`: kernels as strangers write them, beside other runtimes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import runtimes
from bench.corpus_speed import Bench, Measured, print_means, report
from bench.everyday.launches import KERNELS, launches
from bench.runtimes import Spec


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.everyday", description=__doc__)
    parser.add_argument("name", nargs="?", default="", help="only files with this text in the path")
    parser.add_argument("--folder", type=Path, default=KERNELS, help="of the kernels")
    parser.add_argument("--icd", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--no-peers", action="store_true", help="our own device alone")
    parser.add_argument(
        "--tree", type=Path, help="another checkout, with its own .venv, as one more peer 'tree'"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="turns of each kernel (default: 3)")
    parser.add_argument("--json", type=Path, help="all times")
    args = parser.parse_args(argv)
    found: list[Measured] = []
    with tempfile.TemporaryDirectory() as name:
        specs = [Spec("polycl", "polycl")]
        if args.tree:
            specs.append(Spec("tree", "polycl", tree=args.tree.resolve()))
        if not args.no_peers:
            peers, missing = runtimes.peers(args.icd, Path(name))
            specs += peers
            for peer, why in missing.items():
                print(f"{peer} is left out: {why}", file=sys.stderr)
        bench = Bench(specs, args.threads, Path(name))
        try:
            for launch in launches(args.folder, args.name):
                result = Measured(str(launch.path.relative_to(args.folder)), launch.kernel)
                bench.measure(result, launch.args(), launch.build(), args.rounds)
                report(result, found, args.json)
        finally:
            bench.close()
    print_means(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
