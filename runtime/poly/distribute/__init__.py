"""One NDRange over many machines: the launch is cut by what isl knows of its accesses."""
