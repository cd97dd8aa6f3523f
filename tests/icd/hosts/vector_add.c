// An ordinary host: vectors are added on the first device of the first platform. The argument is an
// option of the build, such as -DSALT=1.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 100000

static const char *source = "kernel void add(global const float *a, global const float *b,\n"
                            "                global float *c) {\n"
                            "  size_t i = get_global_id(0);\n"
                            "  c[i] = a[i] + b[i];\n"
                            "}\n";

static void check(cl_int error, const char *call) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", call, error);
  exit(1);
}

int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  cl_int built = clBuildProgram(program, 1, &device, argc > 1 ? argv[1] : "", NULL, NULL);
  if (built == CL_BUILD_PROGRAM_FAILURE) {
    char log[10000];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fputs(log, stderr);
  }
  check(built, "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "add", &error);
  check(error, "clCreateKernel");
  float *a = malloc(COUNT * sizeof *a), *b = malloc(COUNT * sizeof *b), *c = malloc(COUNT * sizeof *c);
  for (int i = 0; i < COUNT; i++) a[i] = (float)i, b[i] = (float)(2 * i);
  cl_mem_flags from_host = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
  cl_mem buffers[] = {clCreateBuffer(context, from_host, COUNT * sizeof *a, a, &error),
                      clCreateBuffer(context, from_host, COUNT * sizeof *b, b, &error),
                      clCreateBuffer(context, CL_MEM_WRITE_ONLY, COUNT * sizeof *c, NULL, &error)};
  for (cl_uint i = 0; i < 3; i++)
    check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
  size_t size = COUNT;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, COUNT * sizeof *c, c, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (int i = 0; i < COUNT; i++)
    if (c[i] != a[i] + b[i]) return fprintf(stderr, "element %d is %f\n", i, c[i]), 1;
  char name[100];
  check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL), "clGetPlatformInfo");
  printf("%s: %d sums are right\n", name, COUNT);
  return 0;
}
