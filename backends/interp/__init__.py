"""The interpreter: the oracle that every other device is compared with."""

from polycl.backends.interp.device import InterpDevice

__all__ = ["InterpDevice"]
