"""Random launches of small kernels, many of which have a planted defect.

They have what the proofs and the cells of compiled checks reason about: places that are sums and
products of numbers of work-items, guards, loops, local memory with or without barriers, atomics
among plain accesses, and elements of several sizes. Whether a launch is wrong is for the
interpreter to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_FENCES = ["CLK_LOCAL_MEM_FENCE"] * 6 + ["CLK_GLOBAL_MEM_FENCE", "0"]

_NUMBER = (
    "get_global_id(0) - get_global_offset(0) + get_global_size(0) * (get_global_id(1) - "
    "get_global_offset(1) + get_global_size(1) * (get_global_id(2) - get_global_offset(2)))"
)
"""The number of a work-item in the launch."""


@dataclass(frozen=True)
class PlantedLaunch:
    """One launch of the kernel `k` of `text`."""

    text: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    offset: tuple[int, ...]
    elements: tuple[int, int]
    """The number of elements of `in` and `out`, of 4 bytes each."""
    n: int
    m: int


def planted(seed: int) -> PlantedLaunch:
    """The same launch for the same seed."""
    random = Random(seed)
    local, groups = random.choice(
        [((8,), (2,)), ((8,), (4,)), ((5,), (3,)), ((16,), (2,)), ((1,), (8,)), ((32,), (1,)),
         ((4, 2), (2, 2)), ((4, 4), (2, 1)), ((2, 3), (2, 1)), ((2, 2, 2), (2, 1, 2))]
    )  # fmt: skip
    sizes = tuple(a * b for a, b in zip(local, groups, strict=True))
    offset = tuple(random.choice([0, 0, 0, 1, 3]) for _ in sizes)
    items, group = 1, 1
    for size, part in zip(sizes, local, strict=True):
        items, group = items * size, group * part
    kernel = _Kernel(random, items, group)
    text = kernel.text()
    slack = [-1, 0, 0, 0, items, 3 * items]
    elements = (items + random.choice(slack), items + random.choice(slack))
    n = random.choice([items, items, items, items - 1, items + 1, items // 2])
    return PlantedLaunch(
        text, sizes, local, offset, elements, n, random.choice([1, 2, 3, 4, group])
    )


class _Kernel:
    def __init__(self, random: Random, items: int, group: int):
        self.random = random
        self.group = group
        self.items = items
        self.count = 0

    def text(self) -> str:
        kind = self.random.choice(["int", "int", "uint", "size_t", "long"])
        body = "".join(self.statement(2) for _ in range(self.random.randint(1, 4)))
        cells = self.group + self.random.choice([-1, 0, 0, 0, 1])
        return (
            "struct pair { int a; int b[3]; };\n"
            "kernel void k(global int *in, global int *out, int n, uint m) {\n"
            f"  local int tile[{max(cells, 1)}];\n"
            f"  {kind} l = get_local_id(0) + get_local_size(0) * (get_local_id(1) + "
            "get_local_size(1) * get_local_id(2));\n"
            f"  {kind} w = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + "
            "get_num_groups(1) * get_group_id(2));\n"
            f"  {kind} g = {self.random.choice([_NUMBER] * 3 + ['get_global_id(0)'])};\n"
            f"  {kind} x = get_global_id(0), y = get_global_id(1);\n"
            f"  int s = 1;\n{body}}}\n"
        )

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def index(self) -> str:
        """Most are the work-item's own."""
        return self.random.choice(
            ["g"] * 8
            + [f"w * {self.group} + l"] * 3
            + ["n - 1 - g", "g + 1", "g - 1", "g / 2", "g ^ 1", "(g * 3) % n", "g % m", "g & 7"]
            + ["min((int)g, (int)n - 1)", "clamp((int)g, 0, (int)n - 1)", "max((int)g - 1, 0)"]
            + ["l", "w", "x", "x + y * get_global_size(0)", "y + x * get_global_size(1)"]
            + ["g < n ? g : 0", "select((int)g, 0, (int)(g >= n))", "g * m", "(g << 1) >> 1", "0"]
            + ["g - get_global_offset(0)", f"w * {self.group} + (l ^ 1)", "(uchar)g", "g + m - 1"]
        )

    def local_index(self) -> str:
        return self.random.choice(
            ["l"] * 5
            + [f"{self.group} - 1 - l", f"(l + 1) % {self.group}", "l ^ 1", "l / 2", "0", "l + 1"]
            + [f"min((int)l + 1, {self.group - 1})", "l % m", "s", "x", f"l & {self.group - 1}"]
        )

    def condition(self) -> str:
        return self.random.choice(
            ["g < n"] * 4
            + ["g <= n", "g + 1 < n", "(uint)g < m", "l == 0", "l < m", "w == 0", "g < n && l > 0"]
            + [
                "g >= 1 && g < n",
                "l == 0 || g < n",
                "(g & 1) == 0",
                "n > 3",
                "g % m == 0",
                "!(x > 2)",
            ]
            + ["(uint)(g - 1) < (uint)n", "in[0] >= 0"]
        )

    def barrier(self) -> str:
        return f"barrier({self.random.choice(_FENCES)});\n" if self.random.random() < 0.85 else ""

    def statement(self, depth: int) -> str:
        forms = [self.store] * 4 + [
            self.other_sizes,
            self.atomic,
            self.local,
            self.local,
            self.number,
        ]
        if depth:
            forms += [self.guard, self.guard, self.loop, self.loop, self.leave, self.reduction]
        form = self.random.choice(forms)
        if form in (self.guard, self.loop):
            inner = "".join(self.statement(depth - 1) for _ in range(self.random.randint(1, 2)))
            return form(inner)  # pyright: ignore[reportCallIssue]
        return form()  # pyright: ignore[reportCallIssue]

    def store(self) -> str:
        to, of = self.random.choice(["out", "out", "in"]), self.random.choice(["in", "in", "out"])
        value = self.random.choice([f"{of}[{self.index()}]"] * 3 + ["s", "(int)g", "7"])
        return f"{to}[{self.index()}] {self.random.choice(['=', '=', '+='])} {value};\n"

    def number(self) -> str:
        place = self.random.choice(["l & 3", "0", "l", "3 - (l & 3)"])
        return self.random.choice(
            [
                "s = (int)l;\n",
                f"s += in[{self.index()}];\n",
                "s = 12 / (int)m;\n",
                "s = (int)l / ((int)l - 3);\n",
                "s = 1 << (l + m);\n",
                "s = (int)g % n;\n",
                f"{{ int p[4]; p[l & 3] = 1; s += p[{place}]; }}\n",
                f"{{ int u; if ({self.condition()}) u = 1; s += u; }}\n",
            ]
        )

    def other_sizes(self) -> str:
        i, j = self.index(), self.index()
        member, column = self.random.choice(["g & 3", "g % 3"]), self.random.choice(["g % 4", "l"])
        return self.random.choice(
            [f"vstore2(vload2({i}, in), {j}, out);\n", f"vstore4((int4)(s), {i}, out);\n",
             f"vstore2((int2)(s), 0, out + ({i}));\n",
             f"if (4 * g + 3 < n) ((global int4 *)out)[{j}] = (int4)(s);\n",
             f"((global uchar *)out)[{i}] = (uchar)s;\n", f"((global short *)out)[{i}] = 3;\n",
             f"((global uchar *)out)[4 * ({i}) + {self.random.choice([0, 3, 4])}] = 1;\n",
             f"((global long *)out)[{i}] = 5;\n",
             f"((global struct pair *)out)[({i}) / 4].b[{member}] = s;\n",
             f"((global int (*)[4])out)[({i}) / 4][{column}] = s;\n"]
        )  # fmt: skip

    def atomic(self) -> str:
        where = self.random.choice([f"out + ({self.index()})", "out", "in + w", "tile", "tile + l"])
        call = self.random.choice(["atomic_add({}, s)", "atomic_inc({})", "atomic_max({}, 3)"])
        return call.format(where) + ";\n"

    def local(self) -> str:
        """A tile that is written, and then read."""
        text = f"tile[{self.local_index()}] = {self.random.choice(['s', '(int)g', 'in[g % n]'])};\n"
        return text + self.barrier() + f"s += tile[{self.local_index()}];\n" + self.barrier()

    def reduction(self) -> str:
        h = self.name()
        half = self.group // 2
        head = self.random.choice(
            [f"int {h} = {half}; {h} > 0; {h} /= 2", f"uint {h} = {half}; {h}; {h} >>= 1",
             f"int {h} = 1; {h} < {self.group}; {h} *= 2"]
        )  # fmt: skip
        guard = self.random.choice([f"l < {h}"] * 3 + [f"l <= {h}", f"l + {h} < {self.group}"])
        text = f"tile[l] = s;\n{self.barrier()}for ({head}) {{\n"
        text += f"if ({guard}) tile[l] += tile[l + {h}];\n{self.barrier()}}}\n"
        return text + f"if (l == 0) out[{self.random.choice(['w', 'w', 'l'])}] = tile[0];\n"

    def guard(self, inner: str) -> str:
        otherwise = f" else {{\n{self.store()}}}" if self.random.random() < 0.25 else ""
        return f"if ({self.condition()}) {{\n{inner}}}{otherwise}\n"

    def loop(self, inner: str) -> str:
        i = self.name()
        head = self.random.choice(
            [f"int {i} = 0; {i} < (int)m; {i}++", f"int {i} = (int)m; {i} > 0; {i}--",
             f"int {i} = (int)g; {i} < n; {i} += get_global_size(0)",
             f"uint {i} = 0; {i} <= m; {i}++",
             f"int {i} = 1; {i} < n; {i} *= 2", f"int {i} = (int)l; {i} < 6; {i} += 2"]
        )  # fmt: skip
        where = self.random.choice([i, f"g * m + {i}", f"g + {i}", f"{i} * n + g", f"n - {i}"])
        more = self.random.choice(["", f"out[{where}] = s;\n", f"s += in[{where}];\n"])
        return f"for ({head}) {{\n{inner}{more}}}\n"

    def leave(self) -> str:
        return f"if ({self.random.choice(['g >= n', 'g > n', self.condition()])}) return;\n"
