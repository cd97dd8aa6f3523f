"""Pictures of split kernels: which work-items take which path, and how they access memory."""

from polycl.runtime.poly.access_picture import access
from polycl.runtime.poly.codelets import codelets
from polycl.runtime.poly.dispatch import dispatch
from polycl.runtime.poly.domain import domain
from polycl.runtime.poly.figure import Figure
from polycl.runtime.poly.files import save
from polycl.runtime.poly.split import SplitKernel, split
from polycl.runtime.poly.svg import svg
from polycl.runtime.poly.table import table

__all__ = [
    "Figure",
    "SplitKernel",
    "access",
    "codelets",
    "dispatch",
    "domain",
    "save",
    "split",
    "svg",
    "table",
]
