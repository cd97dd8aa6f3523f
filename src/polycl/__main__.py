"""`python -m polycl`: the commands of `polycl`."""

from polycl.tools.polycl import main

main()
