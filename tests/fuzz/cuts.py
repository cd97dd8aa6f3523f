"""Random kernels for launches that are cut: what they write is the same in any order.

The addresses, branches and loops are those of `indices.py`. An element of `out` gets a number that
depends on its place only, or an atomic sum; each work-item has an element of `sums`.
"""

from __future__ import annotations

import re

from hypothesis import strategies as st

from fuzz.indices import index_kernels

N = 512
"""Elements of `in` and `out`, a power of two; `sums` has one for each work-item."""

_ACCESS = re.compile(r"^out\[(.*)\] = in\[(.*)\];$", re.M)
_LOOP = re.compile(r"^for \((\w+) (\w+) = (.*); \2 ([<>]) (.*); (.*)\) \{$", re.M)
_HEAD = re.compile(r"^kernel void k\(.*\) \{$", re.M)

_WRITES = (
    "{{ long o = {o}; if (o >= 0 && o < {n}) out[o] = (int)o * 3 + 1; }}",
    "{{ uint o = {o}; if (o < {n}u) out[o] = (int)o * 3 + 1; }}",
    "{{ int o = ({o}) & {mask}; out[o] = o * 3 + 1; }}",
    "{{ global int *p = out + (({o}) & {mask}); *p = (int)(p - out) * 3 + 1; }}",
    "{{ int o = ({o}) & {mask}; if (in[o] & 1) out[o] = o * 3 + 1; }}",
)
_READS = (
    "{{ long s = {s}; if (s >= 0 && s < {n}) sum += in[s]; }}",
    "{{ uint s = {s}; if (s < {n}u) sum += in[s]; }}",
    "sum += in[({s}) & {mask}];",
    "sum += in[in[({s}) & {mask}] & {mask}];",
    "sum += in[clamp((int)({s}), 0, {n} - 1)];",
)
_ATOMIC = "atomic_add(&out[({o}) & {mask}], (int)({s}));"


@st.composite
def cut_kernels(draw: st.DrawFn) -> str:
    """The text of a kernel of `in`, `out`, `sums`, `n`, `m` and `w`; it may race in no result."""
    atomic = draw(st.integers(0, 4)) == 0
    half = N // 2

    def access(found: re.Match[str]) -> str:
        o, s = found.groups()
        if draw(st.booleans()):
            # Away from the ends of the buffer.
            o, s = f"({o}) + {half}", f"({s}) + {half}"
        write = _ATOMIC if atomic else draw(st.sampled_from(_WRITES))
        text = f"{draw(st.sampled_from(_READS))} {write}"
        return text.format(o=o, s=s, n=N, mask=N - 1)

    def loop(found: re.Match[str]) -> str:
        type, counter, first, sign, end, step = found.groups()
        function, more = ("min", "+ 6") if sign == "<" else ("max", "- 6")
        limit = f"(long)({first}) {more}"
        if draw(st.booleans()):
            condition = f"{counter} {sign} {function}((long)({end}), {limit})"
        else:
            condition = f"{counter} {sign} {end} && {counter} {sign} {limit}"
        return f"for ({type} {counter} = {first}; {condition}; {step}) {{"

    text = _LOOP.sub(loop, draw(index_kernels()))
    text = _HEAD.sub(
        "kernel void k(global const int *in, global int *out, global int *sums, int n, uint m, "
        "long w) {\n  int sum = 0;",
        text,
    )
    text = _ACCESS.sub(access, text)
    place = (
        "(get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) "
        "- get_global_offset(0)"
    )
    return f"{text[: text.rindex('}')]}  sums[{place}] = sum;\n}}\n"
