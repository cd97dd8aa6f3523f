"""Programs, kernels, devices and launches: what `polycl` exports."""
