// Pipes: what the device, pipes and kernels report, refusals, and packets from kernel to kernel.
//
//     pipes DRIVER
#define CL_TARGET_OPENCL_VERSION 300
#include "open_driver.h"
#include <string.h>

static const cl_icd_dispatch *cl;
static cl_device_id device;
static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) failures++, printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);       \
  } while (0)
#define SUCCEEDS(call) CHECK((call) == CL_SUCCESS)

enum { ITEMS = 1000, PACKETS = 700 };

static const char *const source =
    "#ifndef __opencl_c_pipes\n"
    "#error no pipes\n"
    "#endif\n"
    "kernel void produce(write_only pipe int p, global int *failed) {\n"
    "  int v = get_global_id(0) + 1;\n"
    "  if (write_pipe(p, &v)) atomic_inc(failed);\n"
    "}\n"
    "kernel void consume(global int *sum, read_only pipe int p) {\n"
    "  int v;\n"
    "  if (!read_pipe(p, &v)) atomic_add(sum, v);\n"
    "}\n";

static cl_uint number(cl_device_info name) {
  cl_uint found = 0;
  SUCCEEDS(cl->clGetDeviceInfo(device, name, sizeof found, &found, NULL));
  return found;
}

static void check_infos(cl_context context, cl_command_queue queue, cl_mem pipe) {
  cl_uint size = 0, count = 0;
  cl_mem_object_type type = 0;
  cl_int error;
  char byte = 0;
  CHECK(number(CL_DEVICE_PIPE_SUPPORT) == CL_TRUE && number(CL_DEVICE_MAX_PIPE_ARGS) >= 16);
  CHECK(number(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 1);
  CHECK(number(CL_DEVICE_PIPE_MAX_PACKET_SIZE) >= 1024);
  SUCCEEDS(cl->clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof size, &size, NULL));
  SUCCEEDS(cl->clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof count, &count, NULL));
  SUCCEEDS(cl->clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL));
  CHECK(size == 4 && count == PACKETS && type == CL_MEM_OBJECT_PIPE);
  CHECK(cl->clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof size, &size, NULL) == CL_INVALID_VALUE);
  // The host has no access.
  CHECK(cl->clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 1, &byte, 0, NULL, NULL) ==
        CL_INVALID_MEM_OBJECT);
  cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &error);
  CHECK(cl->clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &size, NULL) == CL_INVALID_MEM_OBJECT);
  SUCCEEDS(cl->clReleaseMemObject(buffer));
}

static cl_int creation_error(cl_context context, cl_mem_flags flags, cl_uint size, cl_uint count) {
  cl_int error = 77;
  CHECK(!cl->clCreatePipe(context, flags, size, count, NULL, &error));
  return error;
}

static void check_refusals(cl_context context) {
  CHECK(creation_error(NULL, 0, 4, 4) == CL_INVALID_CONTEXT);
  CHECK(creation_error(context, CL_MEM_READ_ONLY, 4, 4) == CL_INVALID_VALUE);
  CHECK(creation_error(context, 0, 0, 4) == CL_INVALID_PIPE_SIZE);
  CHECK(creation_error(context, 0, 4, 0) == CL_INVALID_PIPE_SIZE);
  CHECK(creation_error(context, 0, 1 << 20, 4) == CL_INVALID_PIPE_SIZE);
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  cl_platform_id platform;
  cl_int error;
  cl = open_driver(arguments[1], &platform);
  SUCCEEDS(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = cl->clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_mem pipe = cl->clCreatePipe(context, CL_MEM_HOST_NO_ACCESS, 4, PACKETS, NULL, &error);
  SUCCEEDS(error);
  check_refusals(context);
  check_infos(context, queue, pipe);
  const char *text = source;
  cl_program program = cl->clCreateProgramWithSource(context, 1, &text, NULL, &error);
  const char *options = "-cl-std=CL3.0 -cl-kernel-arg-info";
  SUCCEEDS(cl->clBuildProgram(program, 1, &device, options, NULL, NULL));
  cl_kernel produce = cl->clCreateKernel(program, "produce", &error);
  cl_kernel consume = cl->clCreateKernel(program, "consume", &error);
  cl_kernel_arg_type_qualifier qualifier = 0;
  cl_kernel_arg_access_qualifier access = 0;
  char name[16] = "";
  SUCCEEDS(cl->clGetKernelArgInfo(consume, 1, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                                  &qualifier, NULL));
  SUCCEEDS(cl->clGetKernelArgInfo(consume, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
                                  &access, NULL));
  SUCCEEDS(cl->clGetKernelArgInfo(consume, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
  CHECK(qualifier == CL_KERNEL_ARG_TYPE_PIPE && access == CL_KERNEL_ARG_ACCESS_READ_ONLY);
  CHECK(!strcmp(name, "int"));
  int results[2] = {0, 0};
  cl_mem numbers =
      cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof results, results, &error);
  CHECK(cl->clSetKernelArg(produce, 0, sizeof numbers, &numbers) == CL_INVALID_MEM_OBJECT);
  CHECK(cl->clSetKernelArg(produce, 1, sizeof pipe, &pipe) == CL_INVALID_MEM_OBJECT);
  CHECK(cl->clSetKernelArg(produce, 0, sizeof pipe, NULL) == CL_INVALID_MEM_OBJECT);
  SUCCEEDS(cl->clSetKernelArg(produce, 0, sizeof pipe, &pipe));
  SUCCEEDS(cl->clSetKernelArg(produce, 1, sizeof numbers, &numbers));
  SUCCEEDS(cl->clSetKernelArg(consume, 0, sizeof numbers, &numbers));
  SUCCEEDS(cl->clSetKernelArg(consume, 1, sizeof pipe, &pipe));
  for (int i = 0; i < 3; i++) {
    size_t items = i == 2 ? 300 : ITEMS;
    SUCCEEDS(cl->clEnqueueNDRangeKernel(queue, i ? consume : produce, 1, NULL, &items, NULL, 0,
                                        NULL, NULL));
    SUCCEEDS(cl->clEnqueueReadBuffer(queue, numbers, CL_TRUE, 0, sizeof results, results, 0, NULL,
                                     NULL));
    if (!i) CHECK(results[0] == ITEMS - PACKETS);
    if (!i) results[0] = 0;
    if (!i)
      SUCCEEDS(cl->clEnqueueWriteBuffer(queue, numbers, CL_TRUE, 0, sizeof results, results, 0,
                                        NULL, NULL));
  }
  // PACKETS different numbers from 1 to ITEMS; nothing was left for the last launch.
  CHECK(results[0] >= PACKETS * (PACKETS + 1) / 2);
  CHECK(results[0] <= PACKETS * (2 * ITEMS - PACKETS + 1) / 2);
  cl_mem_object_type type;
  SUCCEEDS(cl->clRetainMemObject(pipe));
  SUCCEEDS(cl->clReleaseMemObject(pipe));
  SUCCEEDS(cl->clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL));
  SUCCEEDS(cl->clReleaseKernel(produce));
  SUCCEEDS(cl->clReleaseKernel(consume));
  SUCCEEDS(cl->clReleaseProgram(program));
  SUCCEEDS(cl->clReleaseMemObject(pipe));
  SUCCEEDS(cl->clReleaseMemObject(numbers));
  SUCCEEDS(cl->clReleaseCommandQueue(queue));
  SUCCEEDS(cl->clReleaseContext(context));
  if (!failures) puts("good");
  return failures != 0;
}
