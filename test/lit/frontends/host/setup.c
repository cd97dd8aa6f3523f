// RUN: ocl-opt %s -k %S/Inputs/kernels.cl | filecheck %s

// Getting at a device and a compiled program is not part of the IR: one platform, one device, calls
// that succeed. What the program does about errors is gone with its conditions.

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_ERROR(what)                       \
  if (status != CL_SUCCESS) {                   \
    printf("%s: error %d\n", what, status);     \
    exit(1);                                    \
  }

typedef struct {
  cl_context context;
  cl_command_queue queue;
  cl_kernel kernels[2];
} State;

char *read_source(const char *path);

static void fatal(cl_int error, int line) {
  if (error != CL_SUCCESS) {
    printf("error %d in line %d\n", error, line);
    exit(1);
  }
}

static int open_device(State *state, const char *path) {
  cl_int error;
  cl_uint count;
  error = clGetPlatformIDs(0, NULL, &count);
  if (error != CL_SUCCESS || count == 0) {
    printf("no platform\n");
    return -1;
  }
  cl_platform_id *platforms = (cl_platform_id *)malloc(count * sizeof(cl_platform_id));
  fatal(clGetPlatformIDs(count, platforms, NULL), __LINE__);
  cl_context_properties properties[3] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platforms[0], 0};
  free(platforms);
  state->context = clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &error);
  if (!state->context || error)
    goto failed;
  size_t size;
  error = clGetContextInfo(state->context, CL_CONTEXT_DEVICES, 0, NULL, &size);
  cl_device_id *devices = (cl_device_id *)malloc(size);
  error |= clGetContextInfo(state->context, CL_CONTEXT_DEVICES, size, devices, NULL);
  if (error)
    goto failed;
  state->queue = clCreateCommandQueue(state->context, devices[0], 0, &error);
  char *source = read_source(path);
  size_t length = strlen(source);
  cl_program program = clCreateProgramWithSource(state->context, 1, (const char **)&source, &length, &error);
  error = clBuildProgram(program, 1, devices, "-cl-mad-enable", NULL, NULL);
  if (error != CL_SUCCESS) {
    static char log[65536];
    clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
    printf("%s\n", log);
    return -2;
  }
  state->kernels[0] = clCreateKernel(program, "scale", &error);
  state->kernels[1] = clCreateKernel(program, "add", &error);
  return 0;
failed:
  printf("no device\n");
  return -1;
}

// CHECK:      func.func @run(%x: memref<?xf32>, %n: i32) {
// CHECK-NEXT:   %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %d = host.buffer %0 : !host.buffer<f32>
// CHECK-NEXT:   host.write %x to %d : memref<?xf32>, !host.buffer<f32>
// CHECK-NEXT:   host.launch @add global [%0] (%d, %d) : !host.buffer<f32>, !host.buffer<f32>
// CHECK-NEXT:   host.read %d to %x : !host.buffer<f32>, memref<?xf32>
// CHECK-NEXT:   host.release %d : !host.buffer<f32>
// CHECK-NEXT:   func.return
int run(float *x, int n) {
  State state;
  cl_int status;
  if (open_device(&state, "Inputs/kernels.cl"))
    return 1;
  cl_mem d = clCreateBuffer(state.context, CL_MEM_READ_WRITE, n * sizeof(float), NULL, &status);
  CHECK_ERROR("clCreateBuffer")
  status = clEnqueueWriteBuffer(state.queue, d, CL_TRUE, 0, n * sizeof(float), x, 0, NULL, NULL);
  CHECK_ERROR("clEnqueueWriteBuffer")
  status = clSetKernelArg(state.kernels[1], 0, sizeof(cl_mem), (void *)&d);
  status |= clSetKernelArg(state.kernels[1], 1, sizeof(cl_mem), (void *)&d);
  CHECK_ERROR("clSetKernelArg")
  size_t size[1] = {n};
  status = clEnqueueNDRangeKernel(state.queue, state.kernels[1], 1, NULL, size, NULL, 0, NULL, NULL);
  CHECK_ERROR("clEnqueueNDRangeKernel")
  status = clEnqueueReadBuffer(state.queue, d, CL_TRUE, 0, n * sizeof(float), x, 0, NULL, NULL);
  CHECK_ERROR("clEnqueueReadBuffer")
  clReleaseMemObject(d);
  clReleaseKernel(state.kernels[0]);
  return 0;
}
