"""What was decided for the launches of a kernel, and the files in which the driver finds it.

A built program has the file DIGEST.port in the folder of a platform (`runtime/icd/port.c`); DIGEST
is that of its sources (`polycl.runtime.icd.artifact.Bundle`), wherever they are. A line
is a decision; its fields are separated by tabs:

    kernel, global size or *, local size or -, group or -, words

Sizes are three numbers with spaces between. The line is for launches with this global size (`*`:
several ones were recorded) and local size (`-`: the program gave none), whose arguments have the
values of the words. They run in groups of the size `group` (`-`: as without a decision), by code
that is compiled with the words, which are those of the request `variant`
(`polycl.runtime.icd.requests`):

    constants=POSITION:NUMBER,...   arguments passed by value: their bytes, as little-endian numbers
    without=PASS,...                passes for speed that are left out
    with=WAY,...                    ways that pay with some data only
    features=NAME,...               features of the processor, by LLVM's names, that are left out
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from polycl.backends.cache import default_folder as cache_folder
from polycl.backends.device import Size3

PLATFORMS = ("polycl-cpu",)
"""The platforms whose launches the driver runs."""


@dataclass(frozen=True)
class Decision:
    """A decision about launches of a kernel, and the condition under which it holds."""

    program: str
    """The digest of the built program's sources and build options."""

    kernel: str
    global_size: Size3 | None
    local_size: Size3 | None
    group: Size3 | None = None
    constants: tuple[tuple[int, int], ...] = ()
    without: tuple[str, ...] = ()
    enable: tuple[str, ...] = ()
    features: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What the compiler is told."""
        lists = {
            "constants": [f"{position}:{number}" for position, number in self.constants],
            "without": self.without,
            "with": self.enable,
            "features": self.features,
        }
        return " ".join(f"{name}={','.join(items)}" for name, items in lists.items() if items)

    @property
    def line(self) -> str:
        """The decision as a line of its program's file."""
        sizes = (_sizes(self.global_size, "*"), _sizes(self.local_size, "-"))
        return "\t".join((self.kernel, *sizes, _sizes(self.group, "-"), self.words))


def default_folder(platform: str) -> Path | None:
    """Where the driver finds decisions for a platform by its name; None without a cache."""
    folder = cache_folder()
    return None if folder is None else folder / f"port-{platform}"


def _sizes(sizes: Sequence[int] | None, other: str) -> str:
    return other if sizes is None else " ".join(map(str, sizes))


def keep(decisions: Iterable[Decision], folder: Path) -> list[Path]:
    """Write the files of the decisions' programs, in place of earlier ones."""
    texts: dict[str, str] = {}
    for decision in decisions:
        texts[decision.program] = texts.get(decision.program, "") + f"{decision.line}\n"
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{program}.port" for program in texts]
    for file in files:
        unfinished = file.with_suffix(".tmp")
        unfinished.write_text(texts[file.stem], encoding="utf-8")
        unfinished.replace(file)
    return files
