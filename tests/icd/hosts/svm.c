// Shared virtual memory: its commands, kernels that follow pointers in it, and the checks.
//
//     svm DRIVER
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "open_driver.h"
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3 << 18 }; // more than one part of a copy

static const cl_icd_dispatch *cl;
static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) failures++, printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);       \
  } while (0)
#define RETURNS(expected, call)                                                                    \
  do {                                                                                             \
    cl_int code_ = (call);                                                                         \
    if (code_ != (expected))                                                                       \
      failures++, printf("%s:%d: %s returned %d, not %s\n", __FILE__, __LINE__, #call, code_,      \
                         #expected);                                                               \
  } while (0)
#define SUCCEEDS(call) RETURNS(CL_SUCCESS, call)

static const char *const source =
    "kernel void add(global int *a, global const int *b) {\n"
    "  a[get_global_id(0)] += b[get_global_id(0)];\n"
    "}\n"
    "typedef struct node { global struct node *next; int value; } node;\n"
    "kernel void sum(global node *first, global int *total) {\n"
    "  int found = 0;\n"
    "  for (global node *at = first; at; at = at->next) found += at->value;\n"
    "  *total = found;\n"
    "}\n";

struct node {
  struct node *next;
  cl_int value;
};

static void CL_CALLBACK free_all(cl_command_queue queue, cl_uint count, void *pointers[],
                                 void *total) {
  (void)queue;
  for (cl_uint i = 0; i < count; i++) free(pointers[i]);
  *(cl_uint *)total += count;
}

static void check_errors(cl_context context, cl_command_queue queue) {
  static char memory[256];
  const void *outside[] = {memory};
  CHECK(!cl->clSVMAlloc(NULL, 0, 64, 0));
  CHECK(!cl->clSVMAlloc(context, 0, 0, 0));
  CHECK(!cl->clSVMAlloc(context, 0, (size_t)1 << 62, 0));
  CHECK(!cl->clSVMAlloc(context, 0, 64, 3));
  CHECK(!cl->clSVMAlloc(context, 0, 64, 1 << 20));
  CHECK(!cl->clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0));
  CHECK(!cl->clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
  CHECK(!cl->clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 64, 0));
#define COPY(queue, to, from, size, count)                                                         \
  cl->clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, size, count, NULL, NULL)
  RETURNS(CL_INVALID_COMMAND_QUEUE, COPY(NULL, memory, memory + 64, 8, 0));
  RETURNS(CL_INVALID_VALUE, COPY(queue, NULL, memory, 8, 0));
  RETURNS(CL_INVALID_VALUE, COPY(queue, memory, NULL, 8, 0));
  RETURNS(CL_MEM_COPY_OVERLAP, COPY(queue, memory, memory + 4, 8, 0));
  RETURNS(CL_INVALID_EVENT_WAIT_LIST, COPY(queue, memory, memory + 64, 8, 1));
  SUCCEEDS(COPY(queue, memory, memory + 64, 0, 0));
#define FILL(to, pattern, pattern_size, size)                                                      \
  cl->clEnqueueSVMMemFill(queue, to, pattern, pattern_size, size, 0, NULL, NULL)
  char *aligned = (char *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
  RETURNS(CL_INVALID_VALUE, FILL(NULL, "abcd", 4, 8));
  RETURNS(CL_INVALID_VALUE, FILL(aligned, NULL, 4, 8));
  RETURNS(CL_INVALID_VALUE, FILL(aligned, "abcd", 3, 9));
  RETURNS(CL_INVALID_VALUE, FILL(aligned, "abcd", 4, 9));
  RETURNS(CL_INVALID_VALUE, FILL(aligned + 2, "abcd", 4, 8));
  RETURNS(CL_INVALID_VALUE,
          cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, NULL, 8, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE,
          cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, 0, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE, cl->clEnqueueSVMMap(queue, CL_TRUE, 128, memory, 8, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE, cl->clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE,
          cl->clEnqueueSVMMigrateMem(queue, 1, outside, NULL, 0, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE, cl->clEnqueueSVMMigrateMem(queue, 0, outside, NULL, 0, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE, cl->clEnqueueSVMFree(queue, 1, NULL, NULL, NULL, 0, NULL, NULL));
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  cl_platform_id platform;
  cl_device_id device;
  cl = open_driver(argv[1], &platform);
  cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, NULL);
  check_errors(context, queue);

  const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  cl_int *a = cl->clSVMAlloc(context, fine, COUNT * sizeof *a, 0);
  cl_int *b = cl->clSVMAlloc(context, CL_MEM_READ_WRITE, COUNT * sizeof *b, 64);
  CHECK(a && b && (uintptr_t)a % 128 == 0 && (uintptr_t)b % 64 == 0);
  for (int i = 0; i < COUNT; i++) a[i] = i;
  const cl_int three = 3;
  SUCCEEDS(cl->clEnqueueSVMMemFill(queue, b, &three, sizeof three, COUNT * sizeof *b, 0, NULL,
                                   NULL));
  const char *text = source;
  cl_program program = cl->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  SUCCEEDS(cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel add = cl->clCreateKernel(program, "add", NULL);
  SUCCEEDS(cl->clSetKernelArgSVMPointer(add, 0, a));
  SUCCEEDS(cl->clSetKernelArgSVMPointer(add, 1, b));
  const size_t size = COUNT;
  SUCCEEDS(cl->clEnqueueNDRangeKernel(queue, add, 1, NULL, &size, NULL, 0, NULL, NULL));
  SUCCEEDS(cl->clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, COUNT * sizeof *a, 0, NULL, NULL));
  SUCCEEDS(cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, b, COUNT * sizeof *b, 0, NULL, NULL));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) wrong += b[i] != i + 3;
  CHECK(wrong == 0);
  SUCCEEDS(cl->clEnqueueSVMUnmap(queue, b, 0, NULL, NULL));
  const void *parts[] = {a + 5, b};
  const size_t sizes[] = {100, 0}, large[] = {100, COUNT * sizeof *b + 1};
  SUCCEEDS(cl->clEnqueueSVMMigrateMem(queue, 2, parts, sizes, 0, 0, NULL, NULL));
  RETURNS(CL_INVALID_VALUE, cl->clEnqueueSVMMigrateMem(queue, 2, parts, large, 0, 0, NULL, NULL));

  // A buffer in this memory, and a list in memory of malloc.
  cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, a, NULL);
  cl_bool uses_svm = CL_FALSE;
  SUCCEEDS(cl->clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses_svm, &uses_svm,
                                  NULL));
  CHECK(uses_svm);
  SUCCEEDS(cl->clReleaseMemObject(buffer));
  struct node *nodes[3];
  for (int i = 0; i < 3; i++) {
    nodes[i] = malloc(sizeof **nodes);
    *nodes[i] = (struct node){i ? nodes[i - 1] : NULL, 1 << i};
  }
  cl_kernel sum = cl->clCreateKernel(program, "sum", NULL);
  const cl_bool yes = CL_TRUE;
  SUCCEEDS(cl->clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes,
                                   &yes));
  SUCCEEDS(cl->clSetKernelArgSVMPointer(sum, 0, nodes[2]));
  SUCCEEDS(cl->clSetKernelArgSVMPointer(sum, 1, a));
  const size_t one = 1;
  SUCCEEDS(cl->clEnqueueNDRangeKernel(queue, sum, 1, NULL, &one, NULL, 0, NULL, NULL));
  SUCCEEDS(cl->clFinish(queue));
  CHECK(a[0] == 7);

  cl_uint freed = 0;
  cl_event event;
  SUCCEEDS(cl->clEnqueueSVMFree(queue, 3, (void **)nodes, free_all, &freed, 0, NULL, &event));
  SUCCEEDS(cl->clWaitForEvents(1, &event));
  cl_command_type type;
  SUCCEEDS(cl->clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  CHECK(freed == 3 && type == CL_COMMAND_SVM_FREE);
  SUCCEEDS(cl->clReleaseEvent(event));
  void *last[] = {b};
  SUCCEEDS(cl->clEnqueueSVMFree(queue, 1, last, NULL, NULL, 0, NULL, NULL));
  SUCCEEDS(cl->clFinish(queue));
  RETURNS(CL_INVALID_VALUE, cl->clEnqueueSVMMigrateMem(queue, 2, parts, sizes, 0, 0, NULL, NULL));
  cl->clSVMFree(context, a);
  cl->clSVMFree(context, NULL);
  SUCCEEDS(cl->clReleaseKernel(add));
  SUCCEEDS(cl->clReleaseKernel(sum));
  SUCCEEDS(cl->clReleaseProgram(program));
  SUCCEEDS(cl->clReleaseCommandQueue(queue));
  SUCCEEDS(cl->clReleaseContext(context));
  if (!failures) printf("good\n");
  return failures != 0;
}
