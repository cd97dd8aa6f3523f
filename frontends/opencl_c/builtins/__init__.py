"""Builtin functions: names and argument types of OpenCL C -> operations.

Each file holds one table, name -> emitter. An emitter gets the expression emitter and the call
and returns the value, or None for a void function.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c.builtins import atomic_builtins as atomics
from polycl.frontends.opencl_c.builtins import byte_builtins as bytes_
from polycl.frontends.opencl_c.builtins import collective_builtins as collectives
from polycl.frontends.opencl_c.builtins import conversion_builtins as conversions
from polycl.frontends.opencl_c.builtins import dot_products as dots
from polycl.frontends.opencl_c.builtins import functions
from polycl.frontends.opencl_c.builtins import image_builtins as images
from polycl.frontends.opencl_c.builtins import memory_builtins as memory
from polycl.frontends.opencl_c.builtins import pipe_builtins as pipes
from polycl.frontends.opencl_c.builtins import relation_builtins as relations
from polycl.frontends.opencl_c.builtins import space_builtins as spaces
from polycl.frontends.opencl_c.builtins import sync_builtins as synchronisation
from polycl.frontends.opencl_c.builtins import work_item_builtins as work_items
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall

TABLE: dict[str, Emit] = (
    work_items.TABLE
    | functions.TABLE
    | dots.TABLE
    | relations.TABLE
    | memory.TABLE
    | bytes_.TABLE
    | spaces.TABLE
    | synchronisation.TABLE
    | collectives.TABLE
    | atomics.TABLE
    | images.TABLE
    | pipes.TABLE
    | conversions.TABLE
)

_REFUSED = {
    "read_image": "images of this kind are",
    "write_image": "images of this kind are",
    "get_image": "images of this kind are",
    "enqueue_": "device-side enqueue is",
}


def emit_builtin(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue | None:
    """Emit a call of a builtin.

    Raises:
        UnsupportedError: a builtin that this compiler does not support.
    """
    emit = TABLE.get(call.name)
    if emit is not None:
        return emit(e, call)
    what = next((text for prefix, text in _REFUSED.items() if call.name.startswith(prefix)), None)
    message = f"{what} not supported" if what else f"builtin '{call.name}' is not supported"
    raise UnsupportedError(message, *call.location)
