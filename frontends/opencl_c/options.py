"""The options of clBuildProgram (OpenCL 1.2, section 5.6.4) that concern a front end."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.utils import FastMathFlag

from polycl.errors import ArgumentError
from polycl.frontends.opencl_c.relaxed_math import PERMITTED

STANDARDS = ("CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CLC++", "CLC++1.0", "CLC++2021")

# Permissions for the code generator, of which `PERMITTED` and `_CONTRACTION_EVERYWHERE` have those
# that something makes use of, and settings of diagnostics.
_ACCEPTED = frozenset(
    [
        "-cl-denorms-are-zero",
        "-cl-fast-relaxed-math",
        "-cl-finite-math-only",
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-kernel-arg-info",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
        "-cl-no-subgroup-ifp",
        "-cl-opt-disable",
        "-cl-strict-aliasing",
        "-cl-unsafe-math-optimizations",
        "-w",
    ]
)
_CONTRACTION_EVERYWHERE = (
    "-cl-fast-relaxed-math",
    "-cl-mad-enable",
    "-cl-unsafe-math-optimizations",
)


@dataclass(frozen=True)
class Options:
    """Parsed build options.

    `clang` holds the arguments that libclang takes unchanged, in order.
    """

    standard: str = "CL1.2"
    clang: tuple[str, ...] = ()
    warnings_are_errors: bool = False
    uniform_groups: bool = True
    """Whether launches have groups of one size only (OpenCL 2.0, section 5.8.4.5): with
    -cl-uniform-work-group-size, and before OpenCL C 2.0."""
    is_default: bool = False
    """Whether no option says of which version of OpenCL C the source is."""
    contraction_everywhere: bool = False
    """Whether a product may be fused with a sum of another expression: with -cl-mad-enable and
    the options that imply it (OpenCL 3.0, section 5.8.4.3)."""
    permitted: tuple[FastMathFlag, ...] = ()
    """What else is permitted of float arithmetic (`relaxed_math.py`)."""
    debug: bool = False
    """Whether code is for a debugger (-g): each work-item keeps its variables in memory."""
    lines: bool = False
    """Whether code has its source lines: also for profilers (-gline-tables-only)."""


def parse_options(options: Sequence[str]) -> Options:
    """Read build options; `-D X` and `-I dir` may be one string, two, or glued together.

    Raises:
        ArgumentError: an option is unknown or lacks its value.
    """
    return parse_words([word for option in options for word in _split(option)])


def joined_words(words: Iterable[str]) -> Iterator[str]:
    """The words of build options, with `-D X` and `-I dir` as one word each."""
    rest = iter(words)
    for word in rest:
        yield word + next(rest, "") if word in ("-D", "-I") else word


def parse_words(words: Iterable[str]) -> Options:
    """Read build options that are split into words, as those of a command line.

    Raises:
        ArgumentError: an option is unknown or lacks its value.
    """
    standard = ""
    clang: list[str] = []
    warnings_are_errors = uniform_groups = contraction_everywhere = debug = lines = False
    permitted: list[FastMathFlag] = []
    for word in joined_words(words):
        contraction_everywhere |= word in _CONTRACTION_EVERYWHERE
        permitted += PERMITTED.get(word, ())
        if word in ("-D", "-I"):
            raise ArgumentError(f"build option '{word}' lacks its value; write '{word} VALUE'")
        elif word[:2] in ("-D", "-I"):
            clang.append(word)
        elif word.startswith("-cl-std="):
            standard = word.removeprefix("-cl-std=")
            if standard not in STANDARDS:
                raise ArgumentError(
                    f"unknown OpenCL C version '{standard}' in build option '{word}'; "
                    f"expected one of {', '.join(STANDARDS)}"
                )
        elif word == "-cl-single-precision-constant":
            clang.append(word)
        elif word == "-cl-fast-relaxed-math":
            clang.append("-D__FAST_RELAXED_MATH__=1")
        elif word == "-cl-uniform-work-group-size":
            uniform_groups = True
        elif word == "-g":
            debug = lines = True
        elif word == "-gline-tables-only":
            lines = True
        elif word == "-Werror":
            warnings_are_errors = True
        elif word not in _ACCEPTED:
            raise ArgumentError(
                f"unknown build option '{word}'; expected -D, -I, -g, -w, -Werror or a -cl-* "
                "option of OpenCL 1.2 section 5.6.4"
            )
    # OpenCL 3.0, section 5.8.4.6.
    is_default, standard = not standard, standard or "CL1.2"
    return Options(
        standard,
        tuple(clang),
        warnings_are_errors,
        uniform_groups or standard.startswith("CL1."),
        is_default,
        contraction_everywhere,
        tuple(dict.fromkeys(permitted)),
        debug,
        lines,
    )


def _split(option: str) -> list[str]:
    """The words of one string, which may hold several options: `-DX=1 -D Y -w`.

    A lone definition whose value has unquoted blanks is one word.
    """
    words = shlex.split(option)
    lone = [
        word
        for before, word in zip(words, words[1:], strict=False)
        if not word.startswith("-") and before not in ("-D", "-I")
    ]
    return [option.strip()] if lone and option.lstrip()[:2] in ("-D", "-I") else words
