"""Random kernels whose addresses, branches and loops are what polyhedral analysis reads.

Numbers are small, and nothing is accessed really: only which way a work-item takes matters.
"""

from __future__ import annotations

from hypothesis import strategies as st

_TYPES = ["int", "int", "uint", "long", "size_t", "short", "uchar"]
_ATOMS = ["x", "y", "lx", "n", "m", "w", "1", "2", "-3", "7"]


@st.composite
def index_kernels(draw: st.DrawFn) -> str:
    """The text of one kernel, with the arguments that it takes."""
    names = [*_ATOMS]
    ids = draw(st.sampled_from(["int", "int", "uint", "size_t", "long"]))
    body = _statements(draw, names, depth=2)
    return (
        "kernel void k(global const int *in, global int *out, int n, uint m, long w) {\n"
        f"  {ids} x = get_global_id(0);\n  {ids} y = get_global_id(1);\n"
        f"  int lx = get_local_id(0);\n{body}}}\n"
    )


def _statements(draw: st.DrawFn, names: list[str], depth: int) -> str:
    text = ""
    inner = [*names]
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["access", "access", "value", "value", "if", "for", "leave"]))
        number = f"v{len(inner)}_{depth}_{draw(st.integers(0, 999))}"
        if kind == "value":
            type = draw(st.sampled_from(_TYPES))
            text += f"{type} {number} = {_expression(draw, inner)};\n"
            inner.append(number)
        elif kind == "if" and depth:
            text += f"if ({_condition(draw, inner)}) {{\n{_statements(draw, inner, depth - 1)}}}\n"
            if draw(st.booleans()):
                text += f"else {{\n{_statements(draw, inner, depth - 1)}}}\n"
        elif kind == "for" and depth:
            text += _loop(draw, inner, number, depth)
        elif kind == "leave" and depth == 2:
            text += f"if ({_condition(draw, inner)}) return;\n"
        else:
            text += f"out[{_expression(draw, inner)}] = in[{_expression(draw, inner)}];\n"
    return text


def _loop(draw: st.DrawFn, names: list[str], counter: str, depth: int) -> str:
    """Most go round a few times, whatever the bounds are."""
    type = draw(st.sampled_from(["int", "int", "long", "uint"]))
    first, end = _expression(draw, names, 1), _expression(draw, names, 1)
    body = _statements(draw, [*names, counter], depth - 1)
    form = draw(st.sampled_from(["up", "steps", "down", "around"]))
    if form == "up":
        head = f"{type} {counter} = {first}; {counter} < {end}; {counter}++"
    elif form == "steps":
        head = f"{type} {counter} = {first}; {counter} < {end}; {counter} += 3"
    elif form == "down":
        head = f"int {counter} = {first}; {counter} > {end}; {counter}--"
    else:
        least, most = f"max((int)({first}), 0)", f"min((int)({end}), (int)n + 2)"
        head = f"int {counter} = {least}; {counter} <= {most}; {counter}++"
    return f"for ({head}) {{\n{body}}}\n"


def _condition(draw: st.DrawFn, names: list[str]) -> str:
    one, other = _expression(draw, names, 1), _expression(draw, names, 1)
    simple = f"{one} {draw(st.sampled_from(['<', '<=', '>', '>=', '==', '!=']))} {other}"
    if draw(st.integers(0, 3)):
        return simple
    more = f"{_expression(draw, names, 1)} < {_expression(draw, names, 1)}"
    return f"{simple} {draw(st.sampled_from(['&&', '||']))} {more}"


def _expression(draw: st.DrawFn, names: list[str], depth: int = 2) -> str:
    if depth == 0 or not draw(st.integers(0, 2)):
        return draw(st.sampled_from(names))
    one, other = (_expression(draw, names, depth - 1) for _ in range(2))
    divisor = draw(st.sampled_from(["2", "3", "4", "8"]))
    type = draw(st.sampled_from(_TYPES))
    form = draw(
        st.sampled_from(
            [
                "({a} + {b})",
                "({a} - {b})",
                "({a} + {b})",
                "({a} * {b})",
                "({a} * {c})",
                "({a} / {c})",
                "({a} % {c})",
                "({a} % n)",
                "({a} % m)",
                "({a} >> 1)",
                "({a} & {c})",
                "min((int)({a}), (int)({b}))",
                "max((int)({a}), (int)({b}))",
                "({a} < {b} ? {a} : {b})",
                "({t})({a})",
            ]
        )
    )
    return form.format(a=one, b=other, c=divisor, t=type)
