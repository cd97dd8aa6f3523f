"""Our cpu device against the other OpenCL runtimes of this machine: `python -m bench`.

docs/benchmarks.md describes the measurements. The other files here that are scripts of their
own (`python bench/NAME.py`) measure one part of polycl each.
"""
