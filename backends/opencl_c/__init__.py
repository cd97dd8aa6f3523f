"""OpenCL C: a module of the `ocl` dialect as text, and the device that runs it."""
