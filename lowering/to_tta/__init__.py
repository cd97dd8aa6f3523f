"""Parts of `tta-legalize`."""
