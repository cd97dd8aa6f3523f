// RUN: ocl-opt %s -k %S/Inputs/kernels.cl | filecheck %s

// clSetKernelArg is an assignment that the launches read: also through loops and branches.

#include <CL/cl.h>

// CHECK-LABEL: func.func @ping_pong
// CHECK:         %[[R:.*]], %{{.*}} = scf.for %t = {{.*}} iter_args(%[[A:.*]] = %a, %[[B:.*]] = %b)
// CHECK:           host.launch @add global [{{.*}}] (%[[A]], %[[B]]) : !host.buffer<f32>, !host.buffer<f32>
// CHECK-NEXT:      scf.yield %[[B]], %[[A]] : !host.buffer<f32>, !host.buffer<f32>
// CHECK:         host.read %[[R]] to %x
void ping_pong(cl_context context, cl_command_queue queue, cl_program program, float *x, int n, int steps) {
  cl_kernel kernel = clCreateKernel(program, "add", NULL);
  cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(float), x, NULL);
  cl_mem b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(float), x, NULL);
  size_t global = n;
  for (int t = 0; t < steps; t++) {
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &a);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &b);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    cl_mem swap = a;
    a = b;
    b = swap;
  }
  clEnqueueReadBuffer(queue, a, CL_TRUE, 0, n * sizeof(float), x, 0, NULL, NULL);
}

// Arguments that are set once stay for all launches; one that differs is passed on.
// CHECK-LABEL: func.func @kept
// CHECK:         %[[F:.*]] = scf.if {{.*}} -> (f32) {
// CHECK-NEXT:      scf.yield %f : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %g : f32
// CHECK-NEXT:    }
// CHECK:         host.launch @scale global [{{.*}}] local [{{.*}}] offset [{{.*}}] (%d, %[[F]], %n)
// CHECK:         host.launch @scale global [{{.*}}] (%d, %[[F]], %n)
void kept(cl_context context, cl_command_queue queue, cl_program program, int n, float f, float g) {
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  cl_mem d = clCreateBuffer(context, 0, n * sizeof(float), NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof(d), &d);
  if (f > g)
    clSetKernelArg(kernel, 1, sizeof(float), &f);
  else
    clSetKernelArg(kernel, 1, sizeof(float), &g);
  clSetKernelArg(kernel, 2, sizeof(n), &n);
  size_t global[] = {n}, local[] = {64}, offset[] = {64};
  clEnqueueNDRangeKernel(queue, kernel, 1, offset, global, local, 0, NULL, NULL);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, global, NULL, 0, NULL, NULL);
}

// NULL for a local pointer is local memory; a struct comes as the kernel's.
// CHECK-LABEL: func.func @kinds
// CHECK:         %[[L:.*]] = host.local_memory %{{.*}} : !host.local_memory
// CHECK:         host.launch @first global [{{.*}}] (%x, %s, %[[L]]) : !host.buffer<f32>, !host.buffer<f32>, !host.local_memory
// CHECK:         host.launch @apply global [{{.*}}] (%v, %{{.*}}) : !host.buffer<vector<4xf32>>, !ocl.struct<"Setting", {w: i32, k: f32}>
struct HostSetting {
  int w;
  float k;
};

void kinds(cl_context context, cl_command_queue queue, cl_program program, int n, float k) {
  cl_kernel first = clCreateKernel(program, "first", NULL), apply = clCreateKernel(program, "apply", NULL);
  cl_mem x = clCreateBuffer(context, 0, n * sizeof(float), NULL, NULL);
  cl_mem s = clCreateBuffer(context, 0, n * sizeof(float), NULL, NULL);
  cl_mem v = clCreateBuffer(context, 0, n * sizeof(cl_float4), NULL, NULL);
  struct HostSetting setting = {n, k};
  size_t global = n;
  clSetKernelArg(first, 0, sizeof(cl_mem), &x);
  clSetKernelArg(first, 1, sizeof(cl_mem), &s);
  clSetKernelArg(first, 2, 64 * sizeof(float), NULL);
  clEnqueueNDRangeKernel(queue, first, 1, NULL, &global, NULL, 0, NULL, NULL);
  clSetKernelArg(apply, 0, sizeof(cl_mem), &v);
  clSetKernelArg(apply, 1, sizeof(setting), &setting);
  clEnqueueNDRangeKernel(queue, apply, 1, NULL, &global, NULL, 0, NULL, NULL);
}
