"""Pictures of split kernels: which work-items take which path, and how they access memory."""

from polycl.runtime.poly_plots.access import access
from polycl.runtime.poly_plots.codelets import codelets
from polycl.runtime.poly_plots.dispatch import dispatch
from polycl.runtime.poly_plots.domain import domain
from polycl.runtime.poly_plots.figure import Figure
from polycl.runtime.poly_plots.files import save
from polycl.runtime.poly_plots.split import SplitKernel, split
from polycl.runtime.poly_plots.svg import svg
from polycl.runtime.poly_plots.table import table

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
