"""Why a kernel is slow: what `ocl-run --explain` and `BoundKernel.explain` show."""

from polycl.runtime.explain.explanation import Explanation, explain

__all__ = ["Explanation", "explain"]
