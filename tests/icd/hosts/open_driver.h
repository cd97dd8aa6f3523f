// What all hosts of the tests begin with.

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// The functions of the driver in a file, as a loader finds them; ends the program without them.
static const cl_icd_dispatch *open_driver(const char *path, cl_platform_id *platform) {
  void *driver = dlopen(path, RTLD_NOW);
  if (!driver) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  clGetPlatformIDs_t *platforms = (clGetPlatformIDs_t *)dlsym(driver, "clIcdGetPlatformIDsKHR");
  platforms(1, platform, NULL);
  return *(const cl_icd_dispatch **)*platform;
}
