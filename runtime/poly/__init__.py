"""Pictures of split kernels: which work-items take which path, and how they access memory."""

from polycl.runtime.figures.figure import Figure
from polycl.runtime.figures.files import save
from polycl.runtime.figures.svg import svg
from polycl.runtime.poly.access_picture import access
from polycl.runtime.poly.codelets_picture import codelets
from polycl.runtime.poly.dispatch_picture import dispatch
from polycl.runtime.poly.domain_picture import domain
from polycl.runtime.poly.split_kernel import SplitKernel, split
from polycl.runtime.poly.table_picture import table

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
