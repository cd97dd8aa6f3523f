"""`python -m bench.study`: the settings of [split16] section 6 on its kernels, one thread."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.__main__ import write_json
from bench.measure import Bench, Judge
from bench.runtimes import ROOT, Spec, peers
from bench.study.cases import study_cases
from bench.study.plots import plot_speedups
from bench.study.report import FIGURES, Row, as_json, print_report
from bench.study.settings import SETTINGS
from bench.study.shares import print_shares

RUNTIMES = ("intel", *SETTINGS, "ours")


def main() -> None:
    parser = arguments()
    args = parser.parse_args()
    cases = study_cases()
    unknown = set(args.kernels) - {case.name for case in cases}
    if unknown:
        parser.error(f"no such kernel: {', '.join(sorted(unknown))}; --list shows what there is")
    unknown = set(args.settings) - set(RUNTIMES)
    if unknown:
        parser.error(f"no such setting: {', '.join(sorted(unknown))}; expected {RUNTIMES}")
    cases = [case for case in cases if not args.kernels or case.name in args.kernels]
    if args.list:
        print("\n".join(case.name for case in cases))
        return
    if args.shares:
        print_shares(cases, args.width)
        return
    with tempfile.TemporaryDirectory() as folder:
        specs = find_runtimes(args.settings, args.width, args.realtime, Path(folder))
        bench = Bench(specs, 1, args.rounds, Path(folder))
        rows: list[Row] = []
        for case in cases:
            rows.append(Row(bench.measure(Judge(case))))
            print(rows[-1], flush=True)
        bench.close()
    names = [spec.name for spec in specs]
    print_report(rows, names)
    write_json(args.json, as_json(rows, args.width))
    try:
        for number, title, all_shown in FIGURES:
            shown = [name for name in all_shown if name in names]
            for end in ("svg", "png") if shown else ():
                path = args.plots / f"study-figure{number}.{end}"
                plot_speedups(rows, shown, f"{title}, one thread", path)
                print(f"plot: {path}")
    except ImportError:
        print("plots: left out: install matplotlib (the extra 'bench')")


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.study", description=__doc__)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: all; see --list")
    parser.add_argument("--list", action="store_true", help="the names of the kernels")
    parser.add_argument(
        "--settings",
        type=lambda text: text.split(","),
        default=list(RUNTIMES),
        metavar="NAME,NAME",
        help=f"default: {','.join(RUNTIMES)}",
    )
    parser.add_argument(
        "--shares", action="store_true", help="[split16] Table 3 instead: nothing is measured"
    )
    parser.add_argument("--rounds", type=int, default=5, help="turns of each (default: 5)")
    parser.add_argument(
        "--width",
        type=int,
        default=8,
        help="lanes of a vector (default: 8, as in [split16])",
    )
    parser.add_argument(
        "--realtime",
        action="store_true",
        help="what is measured goes before all else that the machine does (may need root)",
    )
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "study.json")
    parser.add_argument(
        "--plots", type=Path, default=ROOT / "build", metavar="DIR", help="default: build"
    )
    return parser


def find_runtimes(names: Sequence[str], width: int, realtime: bool, folder: Path) -> list[Spec]:
    """In the order of RUNTIMES; prints why there is no Intel runtime, if so."""
    others, missing = peers([], folder)
    specs = [spec for spec in others if spec.name == "intel"]
    options = (f"width={width}",)
    specs += [Spec(name, "polycl", (f"setting={name}", *options)) for name in SETTINGS]
    specs.append(Spec("ours", "polycl"))
    found: list[Spec] = []
    for spec in specs:
        if spec.name in names:
            spec = replace(spec, realtime=realtime)
            try:
                process = spec.start(1, folder)
            except RuntimeError as error:
                missing[spec.name] = str(error)
            else:
                print(f"{spec.name}: {process.title}")
                process.close()
                found.append(spec)
    for name in names:
        if name in missing:
            print(f"{name}: left out: {missing[name]}")
    return found


if __name__ == "__main__":
    main()
