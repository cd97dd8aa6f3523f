// RUN: ocl-opt %s -k %S/Inputs/kernels.cl --remarks 2>&1 | filecheck %s

// Functions of the file stand in the place of their calls, with the kernel objects, buffers and
// pointers that they get. Others are opaque: what they get stays as it is.

#include <CL/cl.h>
#include <stdio.h>

void measure(cl_mem buffer, float *x);
int next_size(int n);

static float factor = 2.0f;

static int round_up(int n, int step) {
  if (n % step == 0)
    return n;
  return n + step - n % step;
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_mem *d, int n) {
  size_t global = round_up(n, 64), local = 64;
  clSetKernelArg(kernel, 0, sizeof(cl_mem), d);
  clSetKernelArg(kernel, 1, sizeof(float), &factor);
  clSetKernelArg(kernel, 2, sizeof(int), &n);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

// CHECK:      func.func @run(%x: memref<?xf32>, %n: i32) {
// CHECK:        %[[SIZE:.*]] = scf.if {{.*}} -> (i32) {
// CHECK:        host.launch @scale global [%{{.*}}] local [%c64] (%d, %cst, %n)
// CHECK:        host.opaque "printf"(%n) {texts = ["%d elements\0A"]} : (i32) -> i32
// CHECK:        host.opaque "measure"(%d, %x) : (!host.buffer<f32>, memref<?xf32>) -> ()
// CHECK:        %m = host.opaque "next_size"(%n) : (i32) -> i32
// CHECK:      {{.*}}functions.c:41:3: remark: 'measure' is unknown: its arrays and buffers keep their layout [import-host]
// CHECK-NEXT: {{.*}}functions.c:42:11: remark: 'next_size' is unknown: it must be passed when the program runs [import-host]
void run(cl_context context, cl_command_queue queue, cl_program program, float *x, int n) {
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  cl_mem d = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(float), x, NULL);
  launch(queue, kernel, &d, n);
  printf("%d elements\n", n);
  measure(d, x);
  int m = next_size(n);
  clEnqueueReadBuffer(queue, d, CL_TRUE, 0, m * sizeof(float), x, 0, NULL, NULL);
}
