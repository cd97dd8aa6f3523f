"""What the OpenCL driver costs a program, beside other drivers: `python -m bench.icd`."""
