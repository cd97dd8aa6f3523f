"""The OpenCL platform: a driver in C that the ICD loader finds, and the compiler behind it."""
