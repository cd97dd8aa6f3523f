"""Random launches of small kernels with random defects, for compiled checks.

A kernel is one of several common shapes (a copy, a transpose, a tile with a halo, a reduction, a
histogram, a walk with a pointer). Its indices, guards, fences and sizes are random; whether one is
wrong is for the interpreter to say. Most kernels have at most one questionable place, since another
finding in the same group would hide that compiled checks overlook one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from random import Random
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class DefectLaunch:
    """A launch of the kernel `k` of `text`: its parameters are global int arrays and numbers."""

    text: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    global_offset: tuple[int, ...]
    lengths: tuple[int, int]
    """The number of elements of `a` and `b`."""
    same: bool
    """Whether `a` and `b` are one array."""
    numbers: tuple[int, int]

    def arguments(self) -> list[NDArray[np.int32] | int]:
        """Fresh ones."""
        a, b = (np.arange(length, dtype=np.int32) % 7 - 1 for length in self.lengths)
        return [a, a if self.same else b, *self.numbers]


Form = Callable[[], str]
T = TypeVar("T")

_GROUPS = [(8,), (8,), (4,), (6,), (16,), (4, 2), (4, 4), (3, 2), (2, 2, 2), (1, 4), (2, 1, 3)]


def defects(seed: int) -> DefectLaunch:
    """The same launch for the same seed."""
    random = Random(seed)
    local = random.choice(_GROUPS)
    counts = tuple(random.choice([1, 2, 2, 3]) for _ in local)
    while prod(local) * prod(counts) > 64:
        counts = tuple(max(count - 1, 1) for count in counts)
    size = tuple(a * b for a, b in zip(local, counts, strict=True))
    offset = tuple(random.choice([0, 0, 0, 0, 1, 2]) for _ in size)
    items = prod(size)
    n = random.choice([items] * 12 + [items - 1, items + 1, -1, 0, size[0]])
    m = random.choice([1, 2, 3, 4, local[0], size[0], 0, -2])
    lengths = [
        random.choice([items - 1, items, items, items + 1, 2 * items] + [4 * items + 8] * 5)
        for _ in range(2)
    ]
    text = _Text(random, local, size).kernel()
    same = random.random() < 0.1
    return DefectLaunch(
        text, size, local, offset, (max(lengths[0], 1), max(lengths[1], 1)), same, (n, m)
    )


class _Text:
    def __init__(self, random: Random, local: tuple[int, ...], size: tuple[int, ...]):
        self.random = random
        self.group = prod(local)
        self.items = prod(size)
        self.width = local[0]
        self.names = 0
        self.loops: list[str] = []

    def kernel(self) -> str:
        kind = self.pick("int", "int", "uint", "long", "ulong", "size_t", "short")
        forms = [
            self.copy,
            self.copy,
            self.transpose,
            self.halo,
            self.reduction,
            self.histogram,
            self.walk,
            self.private,
            self.struct,
            self.vector,
            self.next_tile,
            self.tile2,
            self.swap,
            self.called,
            self.arithmetic,
        ]
        self.collective = [
            self.halo,
            self.reduction,
            self.histogram,
            self.next_tile,
            self.tile2,
            self.swap,
            self.called,
        ]
        body = "".join(
            self.wrapped(self.random.choice(forms)) for _ in range(self.pick(1, 1, 1, 2))
        )
        return (
            "typedef struct { int x; short y; char z[2]; } S;\n"
            "int at(global int *p, int i) { return p[i]; }\n"
            "void put(local int *p, int i, int v) { p[i] = v; }\n"
            "kernel void k(global int *a, global int *b, int n, int m) {\n"
            f"local int t[{self.group + self.pick(0, 0, 0, -1, 1, 2)}];\n"
            f"local int t2[{max(self.group // self.width, 1)}]"
            f"[{self.width + self.pick(0, 0, 1, -1) or 1}];\n"
            f"{kind} x = get_global_id(0), y = get_global_id(1);\n"
            f"{kind} l = get_local_linear_id(), lx = get_local_id(0), ly = get_local_id(1) + "
            "get_local_size(1) * get_local_id(2);\n"
            f"{kind} g = get_global_linear_id(), w = g / {self.group};\n"
            "int q = 3;\n"
            f"{body}b[{self.pick(*['g'] * 9, 'l', 'w')}] {self.pick('=', '+=')} q;\n}}\n"
        )

    def pick(self, *options: T) -> T:
        return self.random.choice(options)

    def name(self) -> str:
        self.names += 1
        return f"i{self.names}"

    def index(self) -> str:
        if self.random.random() < 0.5:
            return "g"
        g = self.pick(
            "g",
            "g",
            "g",
            "g",
            "x",
            "x + y * get_global_size(0)",
            f"get_group_id(0) * {self.group} + l",
            "g - get_global_offset(0)",
            f"{self.items} - 1 - g",
            "l",
            "n - g",
            "n - 1 - g",
            "a[0]",
            *self.loops,
            *(f"g + {i}" for i in self.loops),
            *(f"g * m + {i}" for i in self.loops),
            *(f"{i} * m + {j}" for i in self.loops for j in self.loops if i != j),
        )
        return self.pick(
            g,
            g,
            g,
            g,
            g,
            f"{g} + 1",
            f"{g} - 1",
            f"min((int)({g}), n - 1)",
            f"max((int)({g}) - 1, 0)",
            f"clamp((int)({g}) + 1, 0, n - 1)",
            f"({g}) % n",
            f"({g}) & 7",
            f"({g}) / 2",
            f"({g}) * 2",
            f"({g}) ^ 1",
            f"select((int)({g}), 0, ({g}) >= n)",
            f"({g}) + m",
            f"(uint)({g}) >> 1",
            f"(int)(char)({g})",
            f"abs((int)({g}) - m)",
            f"(({g}) + m) % {self.items}",
            f"({g}) < n ? ({g}) : n - 1",
            f"({g}) | 1",
            f"mul24((int)({g}), 1)",
            f"-({g})",
        )

    def guard(self, form: Form | None = None) -> str:
        if form in self.collective and self.random.random() < 0.95:
            return self.pick(
                "m > 0", "n > 3", "get_group_id(0) < 2", *(f"{i} < m" for i in self.loops)
            )
        e = self.pick("g", "g", "g", "x", "l", *self.loops)
        return self.pick(
            f"{e} < n",
            f"{e} < n",
            f"(uint)({e}) < (uint)n",
            f"{e} + 1 < n",
            f"{e} > 0 && {e} < n - 1",
            f"{e} <= n",
            f"{e} != n",
            f"{e} == m",
            f"{e} >= m",
            f"!({e} >= n || {e} < 1)",
            f"{e} % 2 == 0",
            f"({e} & 3) == m",
            f"n > {self.items - 1}",
            "l == 0",
            f"n - {e} > 0",
            f"{e} * m < n",
            f"a[0] < {e}",
            f"(uint)({e} - 1) < (uint)(n - 2)",
            "l == 0 && w == 0",
            "m > 0",
            f"({e} < n) & ({e} >= m)",
            f"({e} < n) | (m > 0)",
            f"{e} - 1 >= 0",
            f"{e} - m < n",
        )

    def fence(self) -> str:
        return self.pick(
            *["barrier(CLK_LOCAL_MEM_FENCE);\n"] * 30,
            "",
            "barrier(CLK_GLOBAL_MEM_FENCE);\n",
            "barrier(0);\n",
            "mem_fence(CLK_LOCAL_MEM_FENCE);\n",
            "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n",
            "work_group_barrier(CLK_LOCAL_MEM_FENCE);\n",
        )

    def wrapped(self, form: Form) -> str:
        chance = self.random.random()
        if chance < 0.4:
            return form()
        if chance < 0.6:
            return f"if ({self.guard(form)}) {{\n{form()}}}\n"
        if chance < 0.65:
            return f"if ({self.guard(form)}) return;\n{form()}"
        i = self.name()
        head, tail = self.pick(
            (f"for (int {i} = 0; {i} < m; {i}++) {{\n", "}\n"),
            (f"for (int {i} = m - 1; {i} >= 0; {i}--) {{\n", "}\n"),
            (f"for (uint {i} = 0; {i} < 3; {i}++) {{\n", "}\n"),
            (
                f"for (int {i} = {'w' if form in self.collective else 'g'}; {i} < n; "
                f"{i} += {self.items}) {{\n",
                "}\n",
            ),
            (f"for (int {i} = {self.group}; {i} > 0; {i} >>= 1) {{\n", "}\n"),
            (f"for (int {i} = 1; {i} < n; {i} *= 3) {{\n", "}\n"),
            (f"for (int {i} = m; {i} <= 4; {i} += 2) {{\n", "}\n"),
            (f"int {i} = 2;\nwhile ({i}-- > 0) {{\n", "}\n"),
            (f"int {i} = 0;\ndo {{\n", f"}} while (++{i} < m);\n"),
            (f"for (int {i} = 0; {i} < 4; {i}++) {{\nif ({self.guard(form)}) continue;\n", "}\n"),
            (f"for (int {i} = 0; {i} < 4; {i}++) {{\n", f"if ({self.guard(form)}) break;\n}}\n"),
        )
        self.loops.append(i)
        inner = self.wrapped(form) if len(self.loops) < 3 else form()
        self.loops.pop()
        return head + inner + tail

    def copy(self) -> str:
        to, of = self.pick("b", "b", "a"), self.pick("a", "a", "b")
        return f"{to}[{self.index()}] {self.pick('=', '=', '=', '+=')} {of}[{self.index()}];\n"

    def transpose(self) -> str:
        i = self.pick(
            "x * get_global_size(1) + y", "y * get_global_size(0) + x", "x * m + y", "y * m + x"
        )
        j = self.pick("x * get_global_size(1) + y", "y * get_global_size(0) + x", "x * n + y", "g")
        return f"b[{i}] = a[{j}];\n"

    def halo(self) -> str:
        return (
            f"t[l] = a[{self.index()}];\n{self.fence()}"
            f"q += t[{self.local()}] + t[{self.local()}];\n{self.fence()}"
        )

    def local(self) -> str:
        if self.random.random() < 0.4:
            return "l"
        return self.pick(
            "l",
            "l",
            "l + 1",
            "l - 1",
            f"(l + 1) % {self.group}",
            f"{self.group} - 1 - l",
            "0",
            "l ^ 1",
            "l > 0 ? l - 1 : 0",
            f"l & {self.group - 1}",
            f"min((int)l + 1, {self.group - 1})",
            "lx",
            "lx + ly * get_local_size(0)",
            "l / 2",
            "q",
            "m",
            *self.loops,
            *(f"l + {i}" for i in self.loops),
        )

    def reduction(self) -> str:
        s = self.name()
        head = self.pick(
            f"int {s} = {self.group} / 2; {s} > 0; {s} >>= 1",
            f"uint {s} = {self.group} / 2; {s}; {s} /= 2",
            f"int {s} = {self.group}; {s} > 1; {s} /= 2",
            f"int {s} = 1; {s} < {self.group}; {s} <<= 1",
        )
        step = self.pick(
            f"if (l < {s}) t[l] += t[l + {s}];\n",
            f"if (l <= {s}) t[l] += t[l + {s}];\n",
            f"if (l % (2 * {s}) == 0 && l + {s} < {self.group}) t[l] += t[l + {s}];\n",
            f"if (l >= {s}) t[l] += t[l - {s}];\n",
            f"int v = l >= {s} ? t[l - {s}] : 0;\n{self.fence()}t[l] += v;\n",
        )
        out = self.pick(
            "if (l == 0) b[w] = t[0];\n",
            "b[w] = t[0];\n",
            "if (l == 0) b[l] = t[0];\n",
            "q += t[0];\n",
        )
        return f"t[l] = q;\n{self.fence()}for ({head}) {{\n{step}{self.fence()}}}\n{out}"

    def histogram(self) -> str:
        where = self.pick(
            "b + (a[g] & 3)", "b", "b + g", "&t[l & 3]", f"b + ({self.index()})", "&t[0]"
        )
        call = self.pick(
            "atomic_inc({})", "atomic_add({}, q)", "atomic_xchg({}, 1)", "atomic_cmpxchg({}, 0, 1)"
        )
        more = self.pick("", "", "q += b[0];\n", "t[l] = 0;\n", "q += t[l & 3];\n")
        first = self.pick("", "t[l] = 0;\n" + self.fence())
        return first + call.format(where) + ";\n" + self.fence() + more

    def walk(self) -> str:
        p, i = self.name(), self.name()
        return (
            f"{{ global int *{p} = a + {self.pick('g', '0', 'g * m', 'w')};\n"
            f"for (int {i} = 0; {i} < {self.pick('m', '2', 'n')}; {i}++) {{ q += *{p}; "
            f"{p} += {self.pick('1', 'm', 'get_global_size(0)')}; }} }}\n"
        )

    def private(self) -> str:
        return (
            f"{{ int p[4]{self.pick('', '', ' = {0}')}; "
            f"p[{self.pick('l & 3', '0', 'l', 'q & 3')}] = 1;\n"
            f"q += p[{self.pick('l & 3', '0', '3', 'l', 'g % 4', 'm')}]; }}\n"
        )

    def struct(self) -> str:
        i = self.pick("g / 2", "g / 2", "g", "l")
        member = self.pick("x", "y", "z[g & 1]", "z[l]", "z[g % 2]")
        return self.pick(
            f"((global S *)b)[{i}].{member} = q;\n",
            f"q += ((global S *)a)[{i}].{member};\n",
            f"{{ S s; s.x = 1; {self.pick('s.y = 2; ', '')}q += s.{self.pick('x', 'y')}; }}\n",
            f"{{ S s = ((global S *)a)[{i}]; s.{member} = 2; ((global S *)b)[{i}] = s; }}\n",
        )

    def vector(self) -> str:
        i = self.pick("g", "g / 4", "g * 4", "l", "g / 2")
        return self.pick(
            f"vstore4((int4)(q), {i}, b);\n",
            f"q += vload4({i}, a).z;\n",
            f"vstore3((int3)(q), {i}, b);\n",
            f"((global int4 *)b)[{i}] = (int4)(q);\n",
            f"q += ((global int4 *)a)[{i}].x;\n",
            f"{{ float4 f = vload4({i}, (global float *)a); f.y = 1; "
            f"vstore4(f, {i}, (global float *)b); }}\n",
            "if (4 * g + 3 < n) ((global float4 *)b)[g] = (float4)(0.0f);\n",
            "vstore2((int2)(q), l, t);\n",
            f"((global int4 *)b)[{i}].y = 1;\n",
            f"((global char *)b)[{i}] = 1;\n",
            f"{{ int4 v = 0; v[{self.pick('l', 'l & 3', 'm')}] = 1; q += v.x; }}\n",
            f"((global short *)b)[2 * g + {self.pick('0', '1', '2')}] = 1;\n",
        )

    def next_tile(self) -> str:
        r = self.name()
        return (
            f"for (int {r} = 0; {r} < {self.pick('2', 'm', '3')}; {r}++) {{\n"
            f"t[{self.pick('l', self.local())}] = a[{self.pick('g', 'l', f'l + {r}')}];\n"
            f"{self.fence()}"
            f"q += t[{self.local()}];\n{self.fence()}}}\n"
        )

    def tile2(self) -> str:
        i, j = self.pick(("ly", "lx"), ("ly", "lx"), ("lx", "ly"), ("ly", "lx + 1"), ("0", "lx"))
        r, c = self.pick(("ly", "lx"), ("lx", "ly"), ("ly", f"{self.width} - 1 - lx"), ("0", "l"))
        return f"t2[{i}][{j}] = q;\n{self.fence()}q += t2[{r}][{c}];\n{self.fence()}"

    def swap(self) -> str:
        j = self.pick(f"{self.items} - 1 - g", "n - 1 - g", "g ^ 1", "g + 1")
        return f"{{ int v = b[g]; {self.fence()}b[{j}] = v; }}\n"

    def called(self) -> str:
        return self.pick(
            f"q += at(a, {self.index()});\n", f"put(t, {self.local()}, q);\n{self.fence()}"
        )

    def arithmetic(self) -> str:
        return self.pick(
            "q /= m;\n",
            "q %= (int)l - 3;\n",
            "q = 1 << l;\n",
            "q = q >> m;\n",
            "q = 12 / (int)(g + 1);\n",
            "q += (uint)q / (uint)m;\n",
            "q = (char)g / (char)m;\n",
            "q = (int)(g << (l * 5));\n",
            "{ int4 v = (int4)(8) / (int4)(1, 2, m, 4); q += v.x; }\n",
            "{ int u; if (g < n) u = 2; q += u; }\n",
            "{ int u; for (int i = 0; i < m; i++) u = i; q += u; }\n",
            "q = INT_MIN / (m - 2);\n",
        )
