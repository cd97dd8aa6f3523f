"""The evaluation of "Input Space Splitting for OpenCL", repeated: `python -m bench.study`.

S. Moll, J. Doerfert, S. Hack: Input Space Splitting for OpenCL. CC 2016, section 6.
docs/benchmarks.md says what is measured and how.
"""
