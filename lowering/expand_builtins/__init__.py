"""What `ocl-expand-builtins` puts in the place of builtins and conversions, a file a family."""
