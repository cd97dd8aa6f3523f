"""polycl: see, change and run what happens between an OpenCL kernel and the machine."""
