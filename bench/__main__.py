"""`python -m bench`: our cpu device against the other OpenCL runtimes of this machine."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.ablate import ablate
from bench.case import Case
from bench.cold import print_cold_starts
from bench.costs import costs
from bench.machine import bandwidth, fma_peak, limit_seconds, undisturbed
from bench.math_speed import RANGES, print_math_speeds
from bench.measure import Bench, Judge
from bench.own_cases import own_cases
from bench.report import Row, as_json, print_table, processor
from bench.roofline import LEVELS, plot_roofline
from bench.runtimes import ROOT, Spec, peers
from bench.shape_cases import shape_cases
from bench.suite_kernels import suite_cases
from polycl.backends.cpu.pipeline import FOR_SPEED


def main() -> None:
    parser = arguments()
    args = parser.parse_args()
    if args.math:
        return measure_math(parser, args)
    cases = own_cases() + shape_cases() + (suite_cases(args.suites) if args.suites else [])
    unknown = set(args.cases) - {case.name for case in cases}
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}; --list shows what there is")
    for name in args.without:
        if name not in ("each", *FOR_SPEED):
            parser.error(f"--without {name}: expected 'each' or one of {', '.join(FOR_SPEED)}")
    cases = [case for case in cases if not args.cases or case.name in args.cases]
    if args.list:
        print("\n".join(case.name for case in cases))
        return
    if args.ablate:
        return ablate(cases, args)
    if args.costs:
        return costs(cases, args)
    with tempfile.TemporaryDirectory() as folder:
        titles = find_runtimes(args, Path(folder))
        if args.cold:
            print_cold_starts(cases, list(titles), args.threads[0])
        else:
            compare(cases, titles, args, Path(folder))


def measure_math(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    unknown = set(args.cases) - set(RANGES)
    if unknown:
        parser.error(
            f"no such function: {', '.join(sorted(unknown))}; there are {', '.join(RANGES)}"
        )
    with undisturbed(args.realtime):
        figures = print_math_speeds(args.cases or list(RANGES))
    write_json(args.json or ROOT / "build" / "math.json", figures)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all; see --list")
    parser.add_argument("--list", action="store_true", help="the names of the cases")
    parser.add_argument(
        "--suites",
        type=Path,
        metavar="DIR",
        help="a folder with checkouts of Rodinia and Parboil: their kernels, too",
    )
    parser.add_argument(
        "--threads",
        type=counts,
        default=counts("1,2"),
        metavar="N,N",
        help="numbers of threads, one after the other (default: 1,2)",
    )
    parser.add_argument("--rounds", type=int, default=7, help="turns of each runtime (default: 7)")
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="PASS",
        help="also measure polycl without a pass of its pipeline; 'each': one by one",
    )
    parser.add_argument(
        "--ablate",
        action="store_true",
        help="leave out each pass for speed in turn instead: where is the code faster without?",
    )
    parser.add_argument(
        "--costs",
        action="store_true",
        help="what wg-vectorize and wg-jam estimate, beside what is measured, instead",
    )
    parser.add_argument(
        "--idioms",
        action="store_true",
        help="also the forms of bench.idioms; with --ablate the fastest and the slowest of each",
    )
    parser.add_argument(
        "--everyday",
        nargs="?",
        const="",
        metavar="NAME",
        help="also the kernels of bench.everyday whose path contains NAME (--ablate, --costs)",
    )
    parser.add_argument(
        "--kernels",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="with --ablate: also the launches of the kernels in a folder, by their LAUNCH lines",
    )
    parser.add_argument(
        "--constants",
        action="store_true",
        help="also measure polycl with integer arguments as constants",
    )
    parser.add_argument(
        "--realtime",
        action="store_true",
        help="what is measured goes before all else that the machine does (may need root)",
    )
    parser.add_argument("--icd", action="append", default=[], metavar="NAME=FILE.icd")
    parser.add_argument("--cold", action="store_true", help="measure cold starts instead")
    parser.add_argument(
        "--math",
        action="store_true",
        help="measure math functions instead, all or those named, beside the C math library",
    )
    parser.add_argument(
        "--json", type=Path, help="default: build/bench.json, with --math build/math.json"
    )
    parser.add_argument("--plot", type=Path, default=ROOT / "build" / "roofline.png")
    return parser


def counts(text: str) -> list[int]:
    most = len(os.sched_getaffinity(0))
    return [int(word) for word in text.split(",") if 1 <= int(word) <= most] or [most]


def find_runtimes(args: argparse.Namespace, folder: Path) -> dict[Spec, str]:
    """Those that start on this machine, with their titles; says which do not, and why."""
    passes = FOR_SPEED if "each" in args.without else args.without
    ours = [Spec("polycl", "polycl")]
    if args.constants:
        ours.append(Spec("constants", "polycl", ("constants=yes",)))
    ours += [Spec(f"-{name}", "polycl", (f"without={name}",)) for name in passes]
    others, missing = peers(args.icd, folder)
    found: dict[Spec, str] = {}
    for spec in ours + others:
        spec = replace(spec, realtime=args.realtime)
        try:
            process = spec.start(1, folder)
        except RuntimeError as error:
            missing[spec.name] = str(error)
        else:
            print(f"{spec.name}: {process.title}")
            process.close()
            found[spec] = process.title
    for name, why in missing.items():
        print(f"{name}: left out: {why}")
    return found


def compare(
    cases: Sequence[Case], titles: dict[Spec, str], args: argparse.Namespace, folder: Path
) -> None:
    specs = list(titles)
    with undisturbed(args.realtime):
        limits = print_limits(args.threads)
    benches = [Bench(specs, threads, args.rounds, folder) for threads in args.threads]
    rows: dict[int, list[Row]] = {threads: [] for threads in args.threads}
    for case in cases:
        judge = Judge(case)
        for bench in benches:
            result = bench.measure(judge)
            with undisturbed(args.realtime):
                limit = limit_seconds(case, judge.args, bench.threads)
            first = rows[args.threads[0]][-1] if bench is not benches[0] else None
            rows[bench.threads].append(Row(result, limit, specs, first))
            print(bench.threads, *rows[bench.threads][-1].cells(), sep="  ", flush=True)
    for bench in benches:
        bench.close()
        print_table(rows[bench.threads])
    names = {spec.name: title for spec, title in titles.items()}
    everything = [row for some in rows.values() for row in some]
    write_json(args.json or ROOT / "build" / "bench.json", as_json(everything, names, limits))
    try:
        plot_roofline(rows[args.threads[0]], args.plot)
        print(f"roofline: {args.plot}")
    except ImportError:
        print("roofline: left out: install matplotlib (the extra 'bench')")


def write_json(path: Path, figures: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=1) + "\n")
    print(f"\nall figures: {path}")


def print_limits(threads: Sequence[int]) -> dict[str, Any]:
    print(f"this machine: {processor()}")
    limits: dict[str, Any] = {}
    for count in threads:
        limits[f"fma_gflops_{count}"] = fma_peak(count)
        text = f"  {count} thread(s): {fma_peak(count):.1f} GFLOP/s of f32 multiply-adds"
        for name, nbytes in LEVELS.items():
            speed = limits[f"{name}_gbs_{count}"] = bandwidth(nbytes, count, False)
            text += f", {name} {speed:.1f} GB/s"
        print(text)
    return limits


if __name__ == "__main__":
    main()
