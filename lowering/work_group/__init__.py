"""How one work-item's program becomes one work-group's: the parts of `ocl-to-wg`.

`plan` cuts the kernel at its barriers into parallel regions, `crossing` decides how each value
gets from one region to another, `emit` writes the `wg.func`.
"""
