"""`python -m bench.idioms.borders`: stencils with each kind of border, against a padded array.

A kernel is generated for each number of dimensions, kind of border, radius, type of ids and way of
writing it. The time of each is that over the time of the same sum over an array that holds the
border, too, so that no work-item tests anything.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import Arg, Tolerance
from bench.check import difference
from bench.machine import undisturbed
from bench.measure import first_line
from bench.own_cases import uniform
from bench.protocol import Build
from bench.report import processor
from bench.runtimes import ROOT, RuntimeProcess, Spec

SHAPES = {1: (1 << 16,), 2: (256, 512), 3: (16, 32, 256)}
"""Of arrays, by the number of dimensions, outermost first."""
LOCAL = {1: (64,), 2: (64, 4), 3: (32, 4, 2)}
SIZES = {"w": "width", "h": "height", "d": "depth"}
"""Variables of a kernel -> its arguments."""
RADII = ("1", "2", "3", "4", "argument")
ARGUMENT = 3
"""The radius if it is an argument."""
TYPES = ("int", "uint", "size_t", "long", "short")
MODES = {"clamp": "edge", "mirror": "reflect", "wrap": "wrap", "constant": "constant"}
"""Kinds of borders -> modes of `numpy.pad`."""

NEIGHBOURS = {
    ("clamp", "?:"): ("x >= k ? x - k : 0", "x + k < n ? x + k : n - 1"),
    ("clamp", "min, max"): ("max(x, (ID)k) - k", "min((ID)(x + k), (ID)(n - 1))"),
    ("clamp", "clamp"): (
        "clamp((int)x - (int)k, 0, (int)n - 1)",
        "clamp((int)x + (int)k, 0, (int)n - 1)",
    ),
    ("clamp", "if"): ("0; if (x >= k) $ = x - k", "x + k; if ($ >= n) $ = n - 1"),
    ("clamp", "nested ?:"): (
        "(int)x - (int)k < 0 ? 0 : (int)x - (int)k >= (int)n ? n - 1 : x - k",
        "(int)x + (int)k < 0 ? 0 : (int)x + (int)k >= (int)n ? n - 1 : x + k",
    ),
    ("clamp", "truth"): ("(x - k) * (x >= k)", "x + k - (x + k - n + 1) * (x + k >= n)"),
    ("clamp", "select"): (
        "select((int)x - (int)k, 0, (int)x < (int)k)",
        "select((int)(x + k), (int)n - 1, (int)(x + k) >= (int)n)",
    ),
    ("mirror", "?:"): ("x >= k ? x - k : k - x", "x + k < n ? x + k : 2 * n - 2 - x - k"),
    ("mirror", "min, max"): (
        "max((int)x - (int)k, (int)k - (int)x)",
        "min((ID)(x + k), (ID)(2 * (n - 1) - (x + k)))",
    ),
    ("mirror", "abs"): (
        "abs((int)x - (int)k)",
        "(int)n - 1 - abs((int)n - 1 - (int)x - (int)k)",
    ),
    ("mirror", "if"): ("x - k; if (x < k) $ = k - x", "x + k; if ($ >= n) $ = 2 * (n - 1) - $"),
    ("wrap", "?:"): ("x >= k ? x - k : x + n - k", "x + k < n ? x + k : x + k - n"),
    ("wrap", "%"): ("(x + n - k) % n", "(x + k) % n"),
    ("wrap", "&"): ("(x - k) & (n - 1)", "(x + k) & (n - 1)"),
    ("wrap", "truth"): ("x - k + (x < k) * n", "x + k - (x + k >= n) * n"),
    ("wrap", "if"): ("x + n - k; if ($ >= n) $ -= n", "x + k; if ($ >= n) $ -= n"),
}
"""Kind of border, style -> the neighbours of x at the distance k below and above it, of n."""

FUNCTIONS = {
    ("clamp", "function"): "if (i < 0) return 0; if (i >= n) return n - 1; return i;",
    ("clamp", "else if"): "if (i < 0) i = 0; else if (i > n - 1) i = n - 1; return i;",
    ("clamp", "end first"): "return i >= n ? n - 1 : i < 0 ? 0 : i;",
    ("clamp", "unsigned"): "return (uint)i < (uint)n ? i : i < 0 ? 0 : n - 1;",
    ("clamp", "max of min"): "return max(0, min(i, n - 1));",
    ("mirror", "function"): "if (i < 0) i = -i; if (i >= n) i = 2 * n - 2 - i; return i;",
    ("mirror", "end first"): "return i >= 0 ? i < n ? i : 2 * n - 2 - i : -i;",
    ("mirror", "min of abs"): "i = abs(i); return min(i, 2 * n - 2 - i);",
    ("mirror", "unsigned"): "return (uint)i < (uint)n ? i : i < 0 ? -i : 2 * (n - 1) - i;",
    ("mirror", "while"): (
        "while (i < 0 || i >= n) { if (i < 0) i = -i; else i = 2 * n - 2 - i; } return i;"
    ),
    ("mirror", "two loops"): "while (i < 0) i = -i; while (i >= n) i = 2 * n - 2 - i; return i;",
    ("wrap", "function"): "if (i < 0) i += n; if (i >= n) i -= n; return i;",
    ("wrap", "end first"): "return i >= n ? i - n : i < 0 ? i + n : i;",
    ("wrap", "while"): "while (i < 0) i += n; while (i >= n) i -= n; return i;",
    ("wrap", "% twice"): "return (i % n + n) % n;",
    ("wrap", "% and ?:"): "i %= n; return i < 0 ? i + n : i;",
    ("wrap", "unsigned"): "return (uint)i < (uint)n ? i : i < 0 ? i + n : i - n;",
}
"""Kind of border, style -> the body of a function of a coordinate i and the size n."""

TAPS = {
    "?:": "sum += w * ({inside} ? {value} : 0.0f);",
    "if": "if ({inside}) sum += w * {value};",
    "not": "sum += !({inside}) ? 0.0f : w * {value};",
    "both": "sum += (int)({at}) < 0 || (int)({at}) >= (int){n} ? 0.0f : w * {value};",
    "unsigned": "if ((uint)({at}) < (uint){n}) sum += w * {value};",
    "any": (
        "{{ int2 p = (int2)({at}, 0); "
        "if (!any(p < 0) && !any(p >= (int2)({n}, 1))) sum += w * {value}; }}"
    ),
}
"""Ways to leave out what is outside of the array."""

SKIPS = ("if", "return", "nested if", "offset")
"""Ways to leave out the work-items at the border."""


@dataclass(frozen=True)
class Form:
    dimensions: int
    border: str
    radius: str
    type: str
    style: str

    @property
    def name(self) -> str:
        return f"{self.dimensions}-D {self.border} {self.radius} {self.type} {self.style}"

    @property
    def padded(self) -> Form:
        """The kernel that reads an array with its border."""
        return Form(self.dimensions, self.border, self.radius, "int", "padded")

    @property
    def reach(self) -> int:
        return ARGUMENT if self.radius == "argument" else int(self.radius)


def forms() -> Iterator[Form]:
    """All, without the padded ones."""
    styles = [*NEIGHBOURS, *(("constant", style) for style in TAPS), *(("skip", s) for s in SKIPS)]
    styles += FUNCTIONS
    chosen = itertools.product(SHAPES, RADII, styles, TYPES)
    for dimensions, radius, (border, style), type in chosen:
        if type == "short" and max(SHAPES[dimensions]) >= 1 << 15:
            # Its ids would not fit.
            continue
        yield Form(dimensions, border, radius, type, style)


def source(form: Form) -> str:
    """The text of a kernel `stencil`."""
    names, sizes = "xyz"[: form.dimensions], ("w", "h", "d")[: form.dimensions]
    padded = form.style == "padded"
    shift = " + R" if form.style == "offset" else ""
    ids = "".join(f"  ID {x} = get_global_id({i}){shift};\n" for i, x in enumerate(names))
    sizes_text = "".join(f"  ID {n} = {SIZES[n]};\n" for n in sizes)
    index = names[-1]
    for x, n in zip(names[-2::-1], sizes[-2::-1], strict=True):
        width = f"({n} + 2 * R)" if padded else n
        index = f"({index}) * {width} + {x}"
    at = f"#define A({', '.join(names)}) in[{index}]\n"
    taps = "".join(
        _tap(form, axis, direction) for axis in range(form.dimensions) for direction in (0, 1)
    )
    out = names[-1]
    for x, n in zip(names[-2::-1], sizes[-2::-1], strict=True):
        out = f"({out}) * {n} + {x}"
    centre = ", ".join(f"{x} + R" if padded else x for x in names)
    if form.radius == "argument":
        loop = f"  for (ID k = 1; k <= R; k++) {{\n    float w_ = weights[k];\n{taps}  }}\n"
    else:
        loop = "".join(
            f"  {{ const ID k = {k}; float w_ = weights[{k}];\n{taps}  }}\n"
            for k in range(1, form.reach + 1)
        )
    loop = loop.replace("w *", "w_ *")
    work = f"  float sum = A({centre}) * weights[0];\n{loop}  out[{out}] = sum;\n"
    tests = [f"{x} >= R && {x} < {n} - R" for x, n in zip(names, sizes, strict=True)]
    if form.border == "skip" and not padded:
        match form.style:
            case "if":
                work = f"  if ({' && '.join(tests)}) {{\n{work}  }}\n"
            case "return":
                outside = [f"{x} < R || {x} + R >= {n}" for x, n in zip(names, sizes, strict=True)]
                work = f"  if ({' || '.join(outside)}) return;\n{work}"
            case "nested if":
                nest = "".join(f"if ({test}) " for test in tests)
                work = f"  {nest}{{\n{work}  }}\n"
            case _:
                ends = [f"{x} < {n} - R" for x, n in zip(names, sizes, strict=True)]
                work = f"  if ({' && '.join(ends)}) {{\n{work}  }}\n"
    radius = "(ID)radius" if form.radius == "argument" else form.radius
    body = FUNCTIONS.get((form.border, form.style))
    function = f"int inside(int i, int n) {{ {body} }}\n" if body else ""
    return (
        f"#define ID {form.type}\n#define R {radius}\n{at}{function}"
        "kernel void stencil(global const float *whole, global const float *padded,\n"
        "                    global float *out, global const float *weights,\n"
        "                    int width, int height, int depth, int radius) {\n"
        f"  global const float *in = {'padded' if padded else 'whole'};\n"
        f"{ids}{sizes_text}{work}}}\n"
    )


def _tap(form: Form, axis: int, direction: int) -> str:
    """The text that adds the neighbour along an axis, below (0) or above (1)."""
    x, n = "xyz"[axis], "whd"[axis]

    def value(at: str) -> str:
        shift = " + R" if form.style == "padded" else ""
        each = [f"{name}{shift}" for name in "xyz"[: form.dimensions]]
        each[axis] = at
        return f"A({', '.join(each)})"

    sign = "-+"[direction]
    if form.style == "padded":
        return f"    sum += w * {value(f'{x} + R {sign} k')};\n"
    if form.border == "skip":
        return f"    sum += w * {value(f'{x} {sign} k')};\n"
    if form.border == "constant":
        inside = (f"{x} >= k", f"{x} + k < {n}")[direction]
        at = f"{x} {sign} k"
        tap = TAPS[form.style].format(inside=inside, value=value(at), at=at, n=n)
        return f"    {tap}\n"
    if (form.border, form.style) in FUNCTIONS:
        text = f"inside((int)x {sign} (int)k, n)"
    else:
        text = NEIGHBOURS[form.border, form.style][direction]
    text = "".join({"x": x, "n": n}.get(word, word) for word in _words(text))
    name = f"{x}{direction}"
    return f"    {{ ID {name} = {text.replace('$', name)}; sum += w * {value(name)}; }}\n"


def _words(text: str) -> list[str]:
    """Identifiers, and the characters between them."""
    return ["".join(g) for _, g in itertools.groupby(text, lambda c: c.isalnum() or c)]


def data(dimensions: int, border: str, radius: int) -> tuple[list[Arg], NDArray[Any]]:
    """The arguments, and the result in double precision."""
    shape = SHAPES[dimensions]
    image, weights = uniform(int(np.prod(shape))).reshape(shape), uniform(8, seed=2)
    mode: Any = MODES.get(border, "constant")
    padded = np.pad(image, radius, mode)
    wide = padded.astype(np.float64)

    def moved(axis: int, by: int) -> NDArray[np.float64]:
        at = [slice(radius, radius + size) for size in shape]
        at[axis] = slice(radius + by, radius + by + shape[axis])
        return wide[tuple(at)]

    result = weights[0] * moved(0, 0)
    for axis in range(dimensions):
        for k in range(1, radius + 1):
            result = result + float(weights[k]) * (moved(axis, -k) + moved(axis, k))
    sizes = [np.int32(size) for size in (*shape[::-1], 1, 1)[:3]]
    return [image, padded, np.zeros(shape, np.float32), weights, *sizes, np.int32(radius)], result


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.idioms.borders", description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT,TEXT", help="forms with these words")
    parser.add_argument("--sample", type=int, metavar="N", help="N forms, the same each time")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: 1)")
    parser.add_argument("--without", default="", metavar="PASS,PASS", help="leave out passes")
    parser.add_argument("--source", action="store_true", help="print the kernels and end")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each form (default: 3)")
    parser.add_argument("--seconds", type=float, default=0.005, help="of a turn")
    parser.add_argument("--worst", type=int, default=20, help="how many to list")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "borders.json")
    args = parser.parse_args()
    words = [word for word in args.only.split(",") if word]
    chosen = [form for form in forms() if all(f" {w} " in f" {form.name} " for w in words)]
    if args.sample is not None and args.sample < len(chosen):
        chosen = sorted(random.Random(args.seed).sample(chosen, args.sample), key=lambda f: f.name)
    if args.source:
        for form in chosen:
            print(f"// {form.name}\n{source(form)}")
        return
    options = (f"without={args.without}",) if args.without else ()
    ratios: dict[Form, float] = {}
    with tempfile.TemporaryDirectory() as folder, undisturbed(False):
        print(f"this machine: {processor()}")
        process = Spec("polycl", "polycl", options).start(1, Path(folder))

        def key(form: Form) -> tuple[int, str, int]:
            return form.dimensions, form.border, form.reach

        for _, group in itertools.groupby(sorted(chosen, key=key), key):
            ratios |= measure(list(group), process, Path(folder), args)
        process.close()
    print_tables(ratios, args.worst)
    args.json.parent.mkdir(parents=True, exist_ok=True)
    args.json.write_text(json.dumps({f.name: r for f, r in ratios.items()}, indent=1) + "\n")
    print(f"all figures: {args.json}")


def measure(
    group: Sequence[Form], process: RuntimeProcess, folder: Path, args: argparse.Namespace
) -> dict[Form, float]:
    """Times over that of the padded kernel, of forms with the same data; says which are wrong."""
    first = group[0]
    values, result = data(first.dimensions, first.border, first.reach)
    process.ask("load", values)
    buffers = {i: value for i, value in enumerate(values) if isinstance(value, np.ndarray)}
    times: dict[Form, float] = {}
    for form in dict.fromkeys([*(form.padded for form in group), *group]):
        path = folder / f"{len(list(folder.glob('*.cl')))}.cl"
        path.write_text(source(form))
        expected = result
        if form.border == "skip" and form.style != "padded":
            inner = (slice(form.reach, -form.reach),) * form.dimensions
            expected = np.zeros_like(result)
            expected[inner] = result[inner]
        size = SHAPES[form.dimensions][::-1]
        build = Build(str(path), (), "stencil", size, LOCAL[form.dimensions])
        try:
            process.ask("build", form.name, build)
            found = process.ask("check", form.name)
            if problem := difference({**buffers, 2: expected}, found, Tolerance()):
                raise RuntimeError(problem)
            times[form] = math.inf
        except RuntimeError as error:
            print(f"{form.name}: {first_line(error)}")
    for _ in range(args.rounds):
        for form, least in times.items():
            turn = process.ask("run", form.name, args.seconds, False)
            times[form] = min(least, turn.minimum)
    return {
        form: times[form] / times[form.padded]
        for form in group
        if form in times and form.padded in times
    }


def print_tables(ratios: dict[Form, float], worst: int) -> None:
    """The geometric mean and the largest ratio by each property, and the slowest forms."""
    for name in ("dimensions", "radius", "type", "border", "style"):
        print(f"| {name} | forms | geometric mean | above 1.3 | worst |\n|---|---|---|---|---|")

        def key(form: Form, name: str = name) -> str:
            text = str(getattr(form, name))
            return f"{form.border} {text}" if name == "style" else text

        for value, group in itertools.groupby(sorted(ratios, key=key), key):
            print_row(value, [ratios[form] for form in group])
        print()
    print_row("all", list(ratios.values()))
    for form in sorted(ratios, key=ratios.__getitem__, reverse=True)[:worst]:
        print(f"{ratios[form]:6.2f}  {form.name}")


def print_row(name: str, values: Sequence[float]) -> None:
    if values:
        mean = math.exp(sum(map(math.log, values)) / len(values))
        slow = sum(value > 1.3 for value in values)
        print(f"| {name} | {len(values)} | {mean:.2f} | {slow} | {max(values):.1f} |")


if __name__ == "__main__":
    main()
