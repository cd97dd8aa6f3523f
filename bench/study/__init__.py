"""The evaluation of [split16] section 6: `python -m bench.study`.

docs/benchmarks.md describes the measurements.
"""
