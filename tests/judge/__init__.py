"""An independent judge: what a real OpenCL runtime makes of a kernel (see `judge.runtime`)."""
