"""Generated kernels that repeat one group of statements, for the time of compilation.

Every group changes the same two values in another way than its neighbours do, so that no group can
be left out, hoisted or shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """A group of statements. `{k}` in its texts is the group's number."""

    body: str
    before: str = ""
    """At program scope, once for each group."""
    first: str = ""
    """At the start of the kernel, once for each group."""
    once: str = ""
    """At the start of the kernel, once."""
    last: str = ""
    """At the end of the kernel, once."""
    parameters: str = ""

    def source(self, groups: int) -> str:
        """A kernel `k` with `groups` groups, for work-groups of 64 work-items."""

        def repeat(text: str) -> str:
            return "\n".join(text.replace("{k}", str(number)) for number in range(1, groups + 1))

        return f"""{repeat(self.before)}
kernel void k(global float *a, global int *b, int n{self.parameters}) {{
  int i = get_global_id(0), l = get_local_id(0), y = b[i];
  float x = a[i];
  {self.once}
{repeat(self.first)}
{repeat(self.body)}
  {self.last}
  a[i] = x;
  b[i] = y;
}}
"""


SHAPES: dict[str, Shape] = {
    "straight code": Shape("  x = x * {k}.5f + a[i + {k}]; y ^= (y << 3) + {k};"),
    "ifs": Shape("  if (y > {k}) { x += {k}.5f; y -= 3; } else { x *= 1.25f; y ^= {k}; }"),
    "ifs in ifs": Shape("  if (y > {k}) { x += 1; if (x > {k}) { y += 1; if (y < n) x += y; } }"),
    "loops": Shape("  for (int j = 0; j < n; ++j) { x += a[j + {k}]; y += j * {k}; }"),
    "loops in loops": Shape(
        "  for (int j = 0; j < n; ++j) for (int m = j; m < {k}; ++m) x += a[j * n + m];"
    ),
    "breaks": Shape(
        "  for (int j = 0; j < n; ++j) { if (a[j] > x) break; if (b[j] == {k}) continue; y += j; }"
    ),
    "returns": Shape("  if (y == {k}) return; x += y * {k};"),
    "switches": Shape(
        "  switch (y & 3) { case 0: x += {k}; break; case 1: y ^= {k}; case 2: x *= 2; break;"
        " default: y += 1; }"
    ),
    "barriers": Shape(
        "  t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x += t[(l + {k}) % 64] * y;"
        " barrier(CLK_LOCAL_MEM_FENCE);",
        once="local float t[64];",
    ),
    "barriers in loops": Shape(
        "  for (int j = 0; j < n; ++j) { t[l] = x; barrier(CLK_LOCAL_MEM_FENCE);"
        " x += t[(l + {k}) % 64]; barrier(CLK_LOCAL_MEM_FENCE); }",
        once="local float t[64];",
    ),
    "local arrays": Shape(
        "  t{k}[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x += t{k}[63 - l];",
        first="  local float t{k}[64];",
    ),
    "private arrays": Shape(
        "  float p{k}[4]; for (int j = 0; j < 4; ++j) p{k}[j] = x * j + {k}; x += p{k}[y & 3];"
    ),
    "arrays in registers": Shape(
        "  uint w{k}[4]; for (int j = 0; j < 4; ++j) w{k}[j] = y + j * {k};"
        " for (int j = 0; j < 4; ++j) y ^= w{k}[j] << j;"
    ),
    "memory in a loop": Shape(
        "  t[{k}] += j; y ^= t[{k}]; p{k}[n] += y;",
        first="  int p{k}[8];",
        once="local int t[4096]; for (int j = 0; j < n; ++j) {",
        last="}",
    ),
    "functions": Shape(
        "  x = f{k}(x, y);",
        before="float f{k}(float x, int y) { if (y > {k}) x += {k}; return x * y + {k}; }",
    ),
    "structs": Shape(
        "  struct { float u; int v[2]; } s{k} = {x, {y, {k}}}; if (y > x) s{k}.v[0] ^= 1;"
        " x = s{k}.u + s{k}.v[1]; y = s{k}.v[0];"
    ),
    "vectors": Shape(
        "  float4 v{k} = vload4(i, a + {k}); v{k} = v{k}.wzyx * x + (float4)({k});"
        " x += dot(v{k}, v{k}.yzwx);"
    ),
    "atomics": Shape("  atomic_add(b + (y & 63), {k}); y += atomic_max(b + {k}, l);"),
    "math functions": Shape("  x = sin(x) + exp(x * {k}) * sqrt(fabs(x)); y += (int)x;"),
    "images": Shape(
        "  x += read_imagef(m, s, (int2)(y & 15, {k})).y;",
        once="const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE"
        " | CLK_FILTER_NEAREST;",
        parameters=", read_only image2d_t m",
    ),
}


def mixed(groups: int) -> str:
    """A kernel `k` in which groups of many shapes follow each other."""
    names = ("straight code", "ifs", "loops", "breaks", "switches", "private arrays", "functions")
    shapes = [SHAPES[name] for name in (*names, "structs", "vectors", "straight code")]

    def joined(text: Callable[[Shape], str]) -> str:
        # Each text is that of its own shape, whose number is unique among all.
        return "\n".join(
            text(shapes[number % len(shapes)]).replace("{k}", str(number))
            for number in range(1, groups + 1)
        )

    body, before = joined(lambda shape: shape.body), joined(lambda shape: shape.before)
    return Shape(body, before).source(1)
