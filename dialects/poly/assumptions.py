"""The assumptions of a kernel about its launches, as sets of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import islpy as isl

from polycl.dialects.ocl.assumptions import parse_assumption
from polycl.dialects.poly.sets import SetAttr
from polycl.dialects.wg import FuncOp
from polycl.errors import error_at


def assumptions_of(function: FuncOp, names: Mapping[str, str] | None = None) -> list[SetAttr]:
    """The assumptions (`assume`) of a function, one set of parameters for each text.

    Arguments keep their names and their values in C. `local_size0` becomes "L0", or its value if
    the function is specialised for a local size; `names` overrides names.

    Raises:
        PolyclError: with its location: no launch satisfies all assumptions.
    """
    local = ["L0", "L1", "L2"]
    if function.local_size is not None:
        local = [str(size) for size in function.local_size.get_values()]
    known = {f"local_size{d}": name for d, name in enumerate(local)} | dict(names or {})
    found = [SetAttr(parse_assumption(text).isl_text(known)) for text in function.assumptions]
    if found and reduce(isl.Set.intersect, (one.isl for one in found)).is_empty():
        texts = " and ".join(f"'{text}'" for text in function.assumptions)
        raise error_at(function, f"no launch satisfies the assumptions {texts}")
    return found
