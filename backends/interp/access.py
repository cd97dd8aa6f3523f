"""The check of every access to memory, and its error."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from polycl.backends.interp.buffers import NOWHERE, NULL, Pointer
from polycl.backends.interp.state import WorkItem, run_error


@dataclass(frozen=True)
class AccessFault:
    """The error of an access: its kind (a name of the checks) and the text."""

    kind: str
    text: str


def resolve_access(
    item: WorkItem, pointer: Pointer, size: int, align: int, *, writes: bool
) -> Pointer | AccessFault:
    """The place of an access of `size` bytes, or why there is none.

    It is `pointer` itself, or the buffer at its address if it was computed as an integer.
    """
    buffer, offset = pointer
    if buffer is NOWHERE:
        buffer, offset = item.addresses.pointer(offset)
    verb = "write" if writes else "read"
    access = f"{verb} of {size} byte{'s' if size != 1 else ''}"
    if buffer is NOWHERE:
        if pointer == NULL:
            return AccessFault("bounds", f"{access} through a null pointer")
        where = f"at address {offset:#x}, where there is no memory"
        return AccessFault("bounds", f"{access} {where}")
    if not 0 <= offset <= buffer.size - size:
        return AccessFault(
            "bounds",
            f"{access} at byte offset {offset} is out of bounds: {buffer.what} has "
            f"{buffer.size} bytes",
        )
    if offset % align:
        return AccessFault(
            "alignment",
            f"{access} at byte offset {offset} of {buffer.what} is misaligned; "
            f"expected a multiple of {align}",
        )
    if writes and buffer.read_only:
        return AccessFault("constant", f"{access} to {buffer.what}, but {buffer.read_only}")
    if not writes and not buffer.readable_size and size:
        return AccessFault("constant", f"{access} from {buffer.what}, which is write-only")
    return buffer, offset


def check_access(
    op: Operation, item: WorkItem, pointer: Pointer, size: int, align: int, *, writes: bool
) -> Pointer:
    """The place of an access of `size` bytes, as `resolve_access` finds it.

    Raises:
        LaunchError: null, out of bounds, misaligned, or a write to read-only memory.
    """
    place = resolve_access(item, pointer, size, align, writes=writes)
    if isinstance(place, AccessFault):
        raise run_error(op, item, place.text)
    return place
