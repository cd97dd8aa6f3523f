"""Long expressions in several lines, as in [lift15, Figure 9]."""

from __future__ import annotations

from collections.abc import Iterator


def layout(text: str, width: int) -> str:
    """`text` in lines of at most `width` characters where possible.

    Breaks the parentheses with the longest chain of functions, and chains at their `o`:

        def f(x) = reduce(+,0) o join o map-workgroup(
          join o map-local(...)
          o split-64
        ) o split-1024(x)
    """
    indent = len(text) - len(text.lstrip())
    if len(text) <= width:
        return text
    start, end = _largest_chain(text)
    if start == end:
        return text
    inner = text[start:end].strip()
    lines = [layout(text[:start], width)]
    lines += [layout(" " * (indent + 2) + part, width) for part in _fill(inner, width - indent - 2)]
    lines.append(layout(" " * indent + text[end:], width))
    return "\n".join(lines)


def _largest_chain(text: str) -> tuple[int, int]:
    """The start and the end of the longest chain in parentheses; (0, 0) without one."""
    best, opened = (0, 0), list[int]()
    for i, character in enumerate(text):
        if character == "(":
            opened.append(i + 1)
        elif character == ")" and opened:
            start = opened.pop()
            longer = i - start > best[1] - best[0]
            if not opened and longer and " o " in text[start:i]:
                best = (start, i)
    return best


def _fill(chain: str, width: int) -> Iterator[str]:
    """A chain in lines, each with as many functions as fit."""
    line = ""
    for function in _functions(chain):
        longer = f"{line} o {function}" if line else function
        if line and len(longer) > width:
            yield line
            longer = f"o {function}"
        line = longer
    yield line


def _functions(chain: str) -> Iterator[str]:
    """The parts of a chain between the `o` outside of parentheses."""
    depth, start = 0, 0
    for i, character in enumerate(chain):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and chain.startswith(" o ", i):
            yield chain[start:i]
            start = i + 3
    yield chain[start:]
