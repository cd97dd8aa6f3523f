"""The evaluation of [ppopencl19] section 4: `python -m bench.ppopencl --runtime intel`.

docs/benchmarks.md describes the measurements.
"""
