// RUN: ocl-opt %s -k %S/Inputs/kernels.cl --split-input-file --verify-diagnostics | filecheck %s

#include <CL/cl.h>

// CHECK: {{.*}}errors.c:8:29: error: argument 1 ('a') of kernel 'scale' has 4 bytes, got 8
void wrong_size(cl_program program, double a) {
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  clSetKernelArg(kernel, 1, sizeof(a), &a);
}

// -----
#include <CL/cl.h>
void wrong_kind(cl_program program, float a) {
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  clSetKernelArg(kernel, 0, sizeof(a), &a);
}
// CHECK: error: argument 0 ('x') of kernel 'scale' is a buffer, got 'float'

// -----
#include <CL/cl.h>
void wrong_index(cl_program program, float a) {
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  clSetKernelArg(kernel, 3, sizeof(a), &a);
}
// CHECK: error: kernel 'scale' has 3 parameters, there is no argument 3

// -----
#include <CL/cl.h>
void no_kernel(cl_command_queue queue, cl_program program) {
  cl_kernel kernel = clCreateKernel(program, "scal", NULL);
  size_t global = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}
// CHECK: error: there is no kernel 'scal'; its kernels: scale, add, first, apply

// -----
#include <CL/cl.h>
void not_set(cl_command_queue queue, cl_program program) {
  cl_kernel kernel = clCreateKernel(program, "add", NULL);
  size_t global = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}
// CHECK: error: argument 0 ('x') of kernel 'add' is not set before this launch

// -----
#include <CL/cl.h>
void not_always_set(cl_context context, cl_command_queue queue, cl_program program, int n) {
  cl_kernel kernel = clCreateKernel(program, "add", NULL);
  cl_mem d = clCreateBuffer(context, 0, 256, NULL, NULL);
  size_t global = 64;
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
  if (n > 3)
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &d);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}
// CHECK: error: argument 1 ('y') of kernel 'add' is not set on all paths to its launch

// -----
#include <CL/cl.h>
void which(cl_command_queue queue, cl_program program, int n) {
  cl_kernel kernel = clCreateKernel(program, "add", NULL);
  size_t global = 64;
  if (n > 3)
    kernel = clCreateKernel(program, "scale", NULL);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}
// CHECK: error: it is not certain which kernel this is

// -----
#include <CL/cl.h>
void images(cl_context context) { clCreateImage2D(context, 0, 0, 0, 0, 0, 0, 0); }
// CHECK: error: clCreateImage2D is not supported in host programs

// -----
#include <CL/cl.h>
#include <stdlib.h>
void rows(cl_command_queue queue, float *x, int n) {
  float **rows = (float **)malloc(n * sizeof(float *));
  rows[n - 1] = x;
  clFinish(queue);
}
// CHECK: error: pointers in arrays and structs are not supported on the host

// -----
#include <CL/cl.h>
void undeclared(cl_command_queue queue, float *x) {
  x[0] = y;
  clFinish(queue);
}
// CHECK: error: use of undeclared identifier 'y'

// -----
int no_opencl(int n) { return n; }
// CHECK: no function in it calls OpenCL
