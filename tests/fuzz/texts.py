"""Texts that are nearly right: those of the repository with tokens lost, doubled, swapped."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parent.parent.parent

_TOKEN = re.compile(rb"\s+|\w+|[^\w\s]")
_PART = re.compile(rb"^// -----.*$", re.MULTILINE)
_DIRECTIVE = re.compile(rb"^//.*\n", re.MULTILINE)


def corpus(language: str) -> list[bytes]:
    """The test kernels ("cl"), or the parts of the FileCheck tests ("mlir"), without comments."""
    if language == "cl":
        files = sorted((ROOT / "tests" / "kernels").glob("*.cl"))
    else:
        files = sorted((ROOT / "test" / "lit").rglob("*.mlir"))
    parts = [part for file in files for part in _PART.split(file.read_bytes())]
    texts = [_DIRECTIVE.sub(b"", part).strip() + b"\n" for part in parts]
    return [text for text in texts if len(text) > 20]


Mutation = Callable[[list[bytes], int, int, bytes], None]
"""Changes tokens at or between two places; the last argument is other text."""


def _delete(tokens: list[bytes], i: int, j: int, other: bytes) -> None:
    del tokens[i]


def _delete_range(tokens: list[bytes], i: int, j: int, other: bytes) -> None:
    del tokens[i : i + j % 12 + 1]


def _duplicate(tokens: list[bytes], i: int, j: int, other: bytes) -> None:
    tokens.insert(i, tokens[i])


def _swap(tokens: list[bytes], i: int, j: int, other: bytes) -> None:
    tokens[i], tokens[j] = tokens[j], tokens[i]


def _copy(tokens: list[bytes], i: int, j: int, other: bytes) -> None:
    tokens[i] = tokens[j]


def _replace(tokens: list[bytes], i: int, j: int, other: bytes) -> None:
    tokens[i] = other


def _flip(tokens: list[bytes], i: int, j: int, other: bytes) -> None:
    data = bytearray(tokens[i])
    data[j % len(data)] ^= 1 << (j % 8)
    tokens[i] = bytes(data)


def _cut(tokens: list[bytes], i: int, j: int, other: bytes) -> None:
    del tokens[i:]


MUTATIONS: tuple[Mutation, ...] = (
    *(_delete, _delete_range, _duplicate, _swap, _copy, _replace, _flip, _cut),
)

OTHERS = (
    *(b"0", b"-1", b"1", b"18446744073709551616", b"1e999", b"0x", b"nan", b"\x00", b"\xff"),
    *(b"(", b")", b"{", b"}", b"<", b">", b"[", b"]", b'"', b"'", b",", b":", b"%", b"@", b"!"),
    *(b"f32", b"i1", b"i0", b"i128", b"index", b"vector<3xf32>", b"!ocl.event", b"none", b"^bb1"),
    *(b"float4", b"int", b"void", b"struct", b"goto", b"return", b"if", b"while", b"*", b"&"),
    *(b"global", b"local", b"half", b"sizeof", b"barrier", b"->", b"//", b"/*", b"#", b"\\"),
)
"""What a token is replaced by."""


@st.composite
def mutated(draw: st.DrawFn, language: str) -> bytes:
    """A text of the corpus with one to four changes."""
    tokens = _TOKEN.findall(draw(st.sampled_from(corpus(language))))
    for _ in range(draw(st.integers(1, 4))):
        if not tokens:
            break
        places = st.integers(0, len(tokens) - 1)
        mutation = draw(st.sampled_from(MUTATIONS))
        mutation(tokens, draw(places), draw(places), draw(st.sampled_from(OTHERS)))
    return b"".join(tokens)
