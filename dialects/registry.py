"""A dialect from the operations and attributes of a package."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Attribute, Dialect, Operation


def dialect(name: str, members: Iterable[object]) -> Dialect:
    """The dialect of the operations and attributes among `members` whose names start with `name`.

    `OCL = dialect("ocl", globals().values())` lists what the module has imported.
    """
    found = [
        member
        for member in members
        if isinstance(member, type) and str(getattr(member, "name", "")).startswith(f"{name}.")
    ]
    return Dialect(
        name,
        [member for member in found if issubclass(member, Operation)],
        [member for member in found if issubclass(member, Attribute)],
    )
