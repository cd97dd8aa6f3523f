"""`wg-split-borders` keeps every bit: random indices with borders, in several integer types.

Unsigned numbers wrap where they like, sizes are from 0 to 2^32 - 1, groups stick out of arrays, and
the distance to a neighbour may be larger than the array. Each kernel runs in the interpreter before
and after the pass, and on the cpu device.
"""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.remarks import collect_remarks

LENGTH = 1024
BEFORE = (
    "inline-functions,promote-private-memory,ocl-set-local-size{size=SIZE},ocl-to-wg,"
    "ocl-expand-builtins,wg-lower-contexts,index-arithmetic"
)
SMALL, LARGE = (1, 2, 3, 16, 17, 100, 256), (0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


class Kernel:
    """A random kernel whose indices are in bounds."""

    words = 1
    """Of 32 bits in an element."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.type = self.random.choice(["int", "uint", "size_t", "long"])
        self.is_signed = self.type in ("int", "long")
        self.n = self.random.choice(SMALL if self.is_signed else SMALL + LARGE)
        self.k = self.random.choice([0, 1, 2, 5, 40])
        self.offset = self.random.choice([0, 0, 0, 7, (1 << 31) - 400])
        if self.is_signed and self.offset > 7:
            self.offset = 3
        taps = "".join(f"  sum += 3 * sum + in[{self.index()}];\n" for _ in range(3))
        if self.random.random() < 0.3:
            taps = f"  for (ID k = 0; k <= r; k++) {{\n{taps}  }}\n"
        else:
            taps = f"  ID k = r;\n{taps}"
        self.source = (
            f"#define ID {self.type}\n"
            "kernel void stencil(global const uint *in, global uint *out, uint size, uint r) {\n"
            "  ID x = get_global_id(0), y = get_global_id(1);\n"
            f"  ID n = size;\n  uint sum = 1;\n{taps}"
            "  out[(get_global_id(1) - get_global_offset(1)) * get_global_size(0)\n"
            "      + get_global_id(0) - get_global_offset(0)] = sum;\n}\n"
        )

    def index(self) -> str:
        value, last = self.expression(3), LENGTH - 1
        if self.random.random() < 0.3:
            # A colour of a pixel.
            value = f"{self.random.choice([2, 3, 4, 5])} * ({value}) + 1"
        if self.is_signed:
            return f"clamp((ID)({value}), (ID)0, (ID){last})"
        return f"min((ID)({value}), (ID){last})"

    def expression(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.1:
            return pick(["x", "x", "x", "x - k", "x + k", "(ID)(x - 1)", "n - 1 - x", "y", "3"])
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        match pick(["+", "?:", "?:", "?:", "min", "max", "%", "&", "half", "cast", "n", "k"]):
            case "+":
                return f"({a} {pick('+-')} {b})"
            case "?:":
                bound = pick(["0", "k", "n", "n - k", "n - 1", b])
                test = f"({a}) {pick(['<', '<=', '>', '>=', '==', '!='])} ({bound})"
                if self.random.random() < 0.3:
                    test = f"{test} {pick(['&&', '||'])} x < n"
                return f"({test} ? {a} : {b})"
            case "min" | "max" as name:
                return f"{name}((ID)({a}), (ID)({b}))"
            case "%":
                return f"(({a}) % {pick(['17', '(n | 1)', '(n | 1)'])})"
            case "&":
                return f"(({a}) & {pick(['n', '(n - 1)', '15'])})"
            case "half":
                return f"(({a}) {pick(['* 2', '/ 2', '>> 1'])})"
            case "cast" if self.n <= 256 and self.offset < 8:
                return f"(ID)(int)({a})"
            case name:
                return f"({a} {pick('+-')} {name if name in 'nk' else 1})"

    def run(self, device: str, local: tuple[int, int], **options: Any) -> NDArray[np.uint32]:
        values = np.arange(LENGTH * self.words, dtype=np.uint32) * np.uint32(2654435761)
        if self.words > 1:
            values = values.view([(name, np.uint32) for name in "abcdef"[: self.words]])
        out = np.zeros(128 * 2, np.uint32)
        polycl.load(self.source, language="cl").kernel("stencil")(
            values,
            out,
            np.uint32(self.n),
            np.uint32(self.k),
            global_size=(128, 2),
            local_size=local,
            global_offset=(self.offset, 0),
            device=polycl.device(device),
            **options,
        )
        return out


class RecordKernel(Kernel):
    """A kernel that reads fields of records."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.words = self.random.choice([2, 3, 5])
        names = "abcdef"[: self.words]
        field = self.random.choice(names)
        self.source = f"typedef struct {{ uint {', '.join(names)}; }} Record;\n" + (
            self.source.replace("const uint *in", "const Record *in").replace(
                "];\n", f"].{field};\n"
            )
        )


class GroupKernel(Kernel):
    """A kernel that chooses by what is the same for all work-items, and by numbers in memory."""

    def expression(self, depth: int) -> str:
        pick = self.random.choice
        test = f"{pick('nk')} {pick(['<', '<=', '>', '>=', '==', '!='])} {pick([0, 1, 2, 8, 40])}"
        if self.random.random() < 0.4:
            test = f"{test} {pick(['&&', '||'])} x {pick('<>')} {pick('nk')}"
        sides = ["x", pick(["x + 1", "x - k", "y", "5000 - x", "(ID)in[x & 63]"])]
        self.random.shuffle(sides)
        return f"({test} ? {sides[0]} : {sides[1]})"


OFTEN = (*range(25), 890)
"""In 890 a loop around a selection does not contain its condition."""
SEEDS = [s if s in OFTEN else pytest.param(s, marks=pytest.mark.slow) for s in range(1000)]


@pytest.mark.parametrize("seed", SEEDS)
def test_keeps_every_bit(seed: int):
    kernel = Kernel(seed)
    local = kernel.random.choice([(64, 1), (32, 2), (64, 2)])
    before = BEFORE.replace("SIZE", f"{local[0]},{local[1]},1")
    expected = kernel.run("interp", local, pipeline=before)
    for passes in ("wg-split-borders", "wg-split-borders,wg-vectorize"):
        found = kernel.run("interp", local, pipeline=f"{before},{passes}")
        np.testing.assert_array_equal(found, expected, kernel.source)
    np.testing.assert_array_equal(kernel.run("cpu", local), expected, kernel.source)


@pytest.mark.parametrize("seed", range(2000, 2012))
def test_fields_of_records(seed: int):
    kernel = RecordKernel(seed)
    before = "split-structs," + BEFORE.replace("SIZE", "64,2,1")
    expected = kernel.run("interp", (64, 2), pipeline=before)
    found = kernel.run("interp", (64, 2), pipeline=f"{before},wg-split-borders")
    np.testing.assert_array_equal(found, expected, kernel.source)
    np.testing.assert_array_equal(kernel.run("cpu", (64, 2)), expected, kernel.source)


@pytest.mark.parametrize("seed", range(1000, 1008))
def test_sizes_in_the_source(seed: int):
    kernel = Kernel(seed)
    kernel.source = kernel.source.replace("n = size", f"n = {kernel.n}u")
    before = BEFORE.replace("SIZE", "32,2,1")
    expected = kernel.run("interp", (32, 2), pipeline=before)
    found = kernel.run("interp", (32, 2), pipeline=f"{before},wg-split-borders")
    np.testing.assert_array_equal(found, expected, kernel.source)
    np.testing.assert_array_equal(kernel.run("cpu", (32, 2)), expected, kernel.source)


@pytest.mark.parametrize("seed", [*range(5), 106])
def test_choices_of_the_group(seed: int):
    kernel = GroupKernel(seed)
    before = BEFORE.replace("SIZE", "64,1,1")
    expected = kernel.run("interp", (64, 1), pipeline=before)
    pipeline = f"{before},wg-split-borders{{small_buffers=true}}"
    found = kernel.run("interp", (64, 1), pipeline=pipeline)
    np.testing.assert_array_equal(found, expected, kernel.source)


CHOSEN = """
kernel void k(global const long *in, global short *out, int n, global const ushort *places) {
  int x = get_global_id(0);
  long place = places[x];
  out[x] = in[min((uint)(TEST ? x : place), 8231u)];
}
"""


@pytest.mark.parametrize("test", ["n < 8", "n < 8 && x > 40"])
@pytest.mark.parametrize("n", [4, 1000])
def test_a_limit_stays_where_the_group_chooses_otherwise(test: str, n: int):
    numbers = np.random.default_rng(0)
    values, places = numbers.integers(-99, 99, 8232), numbers.integers(0, 60000, 1029, np.uint16)
    out, x = np.zeros(1029, np.int16), np.arange(1029)
    kernel = polycl.load(CHOSEN.replace("TEST", test), language="cl").kernel("k")
    kernel(values, out, np.int32(n), places, global_size=(1029,), local_size=(7,))
    chosen = (n < 8) & ((x > 40) | ("x" not in test))
    np.testing.assert_array_equal(out, values[np.minimum(np.where(chosen, x, places), 8231)])


LOOPS = (
    "while (i < 0) i += n; while (i >= n) i -= n; return i;",
    "while (n <= i) i = i - n; while (i <= -1) i = n + i; return i;",
    "i += n; while (i > n - 1) i -= n; return i;",
    "uint u = i + 3 * n; while (u >= (uint)n) u -= n; return u;",
    # Others: steps that are not the bound, loops that do more.
    "while (i < 0) i += 2 * n; while (i > 9) i -= n; return i;",
    "int j = 0; while (i < 0) { i += n; j++; } return i + j;",
    # Reflections: some never end where n is 1.
    "while (i < 0 || i >= n) { if (i < 0) i = -i - 1; else i = 2 * n - 1 - i; } return i;",
    "while (!(0 <= i && i < n)) i = i < 0 ? -i : 2 * n - 2 - i; return i;",
    "while (i < 0) i = -i; while (i > n - 1) { i = 2 * (n - 1) - i; i = max(i, -i); } return i;",
    "do i = i < 0 ? -i - 1 : i >= n ? 2 * n - 1 - i : i; while (i < 0 || i >= n); return i;",
    "int j = 7; while (i >= n) { j = i; i -= 3; } return i + j;",
)
WRAPS = (
    "(i % n + n) % n",
    "(i + n) % n",
    "i % n < 0 ? i % n + n : i % n",
    "(ID)(i + 2 * n) % (ID)n",
    "abs(i % n)",
    "i & (n - 1)",
)


def check(
    kernel: polycl.Kernel, values: np.ndarray, numbers: tuple[int, int], local_size: tuple[int, int]
) -> None:
    """128 x 2 results: by the pass alone, and on the cpu device, as without it."""
    before = BEFORE.replace("SIZE", f"{local_size[0]},{local_size[1]},1")
    expected, *found = (np.zeros(128 * 2, np.int32) for _ in range(3))
    size: dict[str, Any] = {"global_size": (128, 2), "local_size": local_size}
    kernel(values, expected, *numbers, device="interp", pipeline=before, **size)
    passes = f"{before},wg-split-borders"
    kernel(values, found[0], *numbers, device="interp", pipeline=passes, **size)
    kernel(values, found[1], *numbers, device="cpu", **size)
    for each in found:
        np.testing.assert_array_equal(each, expected, str(numbers))


@pytest.mark.parametrize(
    ("text", "type"), [*product(WRAPS, ("int", "uint")), *product(LOOPS, ("int",))]
)
def test_wraps(text: str, type: str):
    """In small and large arrays, and with distances beyond their ends."""
    source = f"""
#define ID {type}
int at(int i, int n) {{ {text if text in LOOPS else f"return {text};"} }}
kernel void k(global const int *in, global int *out, int n, int k) {{
  ID x = get_global_id(0), y = get_global_id(1);
  ID l = clamp(at((int)x - k, n), 0, 255), r = clamp(at((int)x + k, n), 0, 255);
  global const int *row = in + 256 * (at((int)y - k, n) & 3);
  out[128 * y + x] = row[l] + 3 * row[r];
}}"""
    kernel, values = polycl.load(source, language="cl").kernel("k"), np.arange(1024, dtype=np.int32)
    for numbers in ((17, 40), (64, 64), (70, 70), (128, 1)):
        check(kernel, values, numbers, (64, 2))


WINDOWS = ("int d = -2; d <= 2; d++", "int d = 2; d >= -r; d--", "int d = 1 - r; d < 3; d += 3")


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("type", ["int", "uint", "size_t"])
def test_windows_that_wrap(window: str, type: str):
    """The quotients of an iteration differ from those of another one; some windows are larger than
    the array."""
    source = f"""
#define ID {type}
kernel void k(global const int *in, global int *out, int size, int r) {{
  ID x = get_global_id(0), y = get_global_id(1), n = size;
  int sum = 0;
  for ({window})
    sum += 3 * sum + in[min((ID)((x + d + n) % n + (y - d + n) % n * n), (ID)255)];
  out[128 * y + x] = sum;
}}"""
    kernel, values = polycl.load(source, language="cl").kernel("k"), np.arange(256, dtype=np.int32)
    for numbers in ((128, 2), (70, 2), (1, 3), (3, 2)):
        check(kernel, values, numbers, (64, 1))


@pytest.mark.parametrize(
    ("type", "last"), [("int", "% w"), ("uint", "% w"), ("size_t", "% w"), ("int", "& (w - 1)")]
)
def test_divided_ids_that_wrap(type: str, last: str):
    """Groups in one row, in several, and at the end; rows that are shorter than vectors, too."""
    source = f"""
kernel void k(global const int *in, global int *out, int width, int height) {{
  {type} i = get_global_id(0), w = width, h = height;
  {type} x = i {last}, y = i / w % h;
  {type} l = (x + w - 1) {last}, r = (x + 2) {last}, u = (y + h - 2) % h;
  out[get_global_id(0)] = in[y * w + l] + 3 * in[y * w + r] + 5 * in[u * w + x] + 7 * (int)y;
}}"""
    kernel = polycl.load(source, language="cl").kernel("k")
    values = np.arange(1024, dtype=np.int32)
    sizes: dict[str, Any] = {"global_size": 256, "local_size": 128}
    before = BEFORE.replace("SIZE", "128,1,1")
    split = f"{before},wg-split-rows,wg-split-borders"
    for width, height in ((32, 4), (256, 2), (70, 2), (2, 3)):
        if last != "% w" and width & (width - 1):
            continue
        expected, *found = (np.zeros(256, np.int32) for _ in range(3))
        arguments = (width, height)
        kernel(values, expected, *arguments, device="interp", pipeline=before, **sizes)
        kernel(values, found[0], *arguments, device="interp", pipeline=split, **sizes)
        kernel(values, found[1], *arguments, device="cpu", **sizes)
        for each in found:
            np.testing.assert_array_equal(each, expected, f"{width} x {height}")


CUT = """
kernel void k(global const uint *in, global uint *out, uint size) {
  long x = get_global_id(0), n = size;
  int l = (int)(x - 2 + n);
  out[x] = in[l < 0 ? 1000 - (int)x : (int)x];
}
"""


@pytest.mark.parametrize("size", [1, 5, 0x7FFFFFFF, 0xFFFFFFFF])
def test_a_number_that_is_cut_has_another_sign(size: int):
    kernel, values = polycl.load(CUT, language="cl").kernel("k"), np.arange(1024, dtype=np.uint32)
    x = np.arange(128)
    cut = (x - 2 + size).astype(np.int64).astype(np.int32)
    for device in ("interp", "cpu"):
        out = np.zeros(128, np.uint32)
        sizes: dict[str, Any] = {"global_size": (128,), "local_size": (64,)}
        kernel(values, out, np.uint32(size), **sizes, device=polycl.device(device))
        np.testing.assert_array_equal(out, np.where(cut < 0, 1000 - x, x))


def test_a_large_region_is_split_for_its_gain():
    """Sixteen wraps by loops on either side are more than 400 operations."""
    taps = "".join(f"sum = 3 * sum + in[at(x - {k}, n)] + in[at(x + {k}, n)];\n" for k in range(16))
    source = f"""
int at(int i, int n) {{ while (i < 0) i += n; while (i >= n) i -= n; return i; }}
kernel void k(global const uint *in, global uint *out, int n) {{
  int x = get_global_id(0);
  uint sum = 1;
  {taps}
  out[x] = sum;
}}"""
    kernel = polycl.load(source, language="cl").kernel("k")
    values = np.arange(256, dtype=np.uint32) * np.uint32(2654435761)
    before = BEFORE.replace("SIZE", "64,1,1")
    sizes: dict[str, Any] = {"global_size": (128,), "local_size": (64,)}
    with collect_remarks() as remarks:
        for n in (128, 5):
            expected, found = (np.zeros(128, np.uint32) for _ in range(2))
            kernel(values, expected, n, **sizes, device="interp", pipeline=before)
            passes = f"{before},wg-split-borders"
            kernel(values, found, n, **sizes, device="interp", pipeline=passes)
            np.testing.assert_array_equal(found, expected)
    assert any("neighbours read neighbours" in r.message for r in remarks)


CLAMPED = """
kernel void k(global const uchar *in, global uchar *out) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = x > 0 ? x - 1 : 0, right = x < 1023 ? x + 1 : 1023, below = min(y + 1, 511);
  out[1024 * y + x] = in[1024 * y + left] + in[1024 * y + right] + in[1024 * below + right];
}
"""


def test_a_width_in_the_source_is_like_an_argument():
    with collect_remarks() as remarks:
        passes = BEFORE.replace("SIZE", "32,8,1") + ",wg-split-borders"
        polycl.load(CLAMPED, language="cl").kernel("k")(
            *(np.zeros(1024 * 512, np.uint8) for _ in range(2)),
            global_size=(32, 8),
            local_size=(32, 8),
            device=polycl.device("interp"),
            pipeline=passes,
        )
    assert any("in 3 more accesses" in r.message for r in remarks)


RING = """
kernel void k(global const uint *in, global uint *out) {
  ID x = get_global_id(0), y = get_global_id(1);
  ID left = x >= D ? x - D : x + W - D, right = x + D < W ? x + D : x + D - W;
#ifdef EQUAL
  ID below = y == H - 1 ? 0 : y + 1;
  if (D == 1) { left = x == 0 ? W - 1 : x - 1; right = x == W - 1 ? 0 : x + 1; }
#else
  ID below = y + 1 < H ? y + 1 : y + 1 - H;
#endif
  out[W * y + x] = 5 * in[W * y + left] + 3 * in[W * y + right] + in[W * below + x];
}
"""


@pytest.mark.parametrize("type", ["int", "uint", "size_t"])
@pytest.mark.parametrize(
    ("width", "height", "distance"), [(128, 32, 1), (256, 16, 20), (96, 64, 17)]
)
def test_rings_of_known_size_are_split_inside(type: str, width: int, height: int, distance: int):
    options = f"-DID={type} -DW={width} -DH={height} -DD={distance}"
    kernel = polycl.load(RING, options.split(), language="cl").kernel("k")
    values = np.arange(width * height, dtype=np.uint32) * np.uint32(2654435761)
    results: list[NDArray[np.uint32]] = []
    before = BEFORE.replace("SIZE", "32,1,1")
    for device, pipeline in (
        ("interp", before),
        ("interp", f"{before},wg-split-borders"),
        ("cpu", None),
    ):
        results.append(np.zeros_like(values))
        kernel(
            values,
            results[-1],
            global_size=(width, height),
            local_size=(32, 1),
            device=polycl.device(device),
            pipeline=pipeline,
        )
    grid = values.reshape(height, width)
    expected = 5 * np.roll(grid, distance, 1) + 3 * np.roll(grid, -distance, 1)
    expected += np.roll(grid, -1, 0)
    for found in results:
        np.testing.assert_array_equal(found, expected.ravel())


@pytest.mark.parametrize(("kind", "first"), [(Kernel, 0), (RecordKernel, 2000)])
def test_some_are_split(kind: type[Kernel], first: int):
    count = 0
    for seed in range(first, first + 25):
        with collect_remarks() as remarks:
            passes = "split-structs," + BEFORE.replace("SIZE", "64,1,1") + ",wg-split-borders"
            kind(seed).run("interp", (64, 1), pipeline=passes)
        count += any("neighbours read neighbours" in r.message for r in remarks)
    assert count > 5
