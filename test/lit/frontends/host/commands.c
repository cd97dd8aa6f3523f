// RUN: ocl-opt %s -k %S/Inputs/kernels.cl | filecheck %s

// Sizes and offsets in bytes become elements of what the kernels see in a buffer.

#include <CL/cl.h>

// CHECK-LABEL: func.func @parts(%x: memref<?xf32>, %n: i32, %k: i32) {
// CHECK:         %d = host.buffer %[[N:.*]] : !host.buffer<f32>
// CHECK:         host.write %x[%[[K:.*]]] to %d[%[[K]]] count %[[TWO:.*]] : memref<?xf32>, !host.buffer<f32>
// CHECK:         host.fill %d[%c4] with %{{.*}} count %c8 : !host.buffer<f32>
// CHECK:         host.copy %d to %e : !host.buffer<f32>, !host.buffer<f32>
// CHECK:         host.copy %d[%[[K]]] to %e count %{{.*}} : !host.buffer<f32>, !host.buffer<f32>
// CHECK:         host.read %e[%c16] to %x[%{{.*}}] count %{{.*}} : !host.buffer<f32>, memref<?xf32>
void parts(cl_context context, cl_command_queue queue, cl_program program, float *x, int n, int k) {
  cl_kernel kernel = clCreateKernel(program, "add", NULL);
  size_t bytes = n * sizeof(float), global = n;
  cl_mem d = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_mem e = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float) * n, NULL, NULL);
  clEnqueueWriteBuffer(queue, d, CL_FALSE, k * sizeof(float), 2 * k * sizeof(float), x + k, 0, NULL, NULL);
  float one = 1.0f;
  clEnqueueFillBuffer(queue, d, &one, sizeof(one), 16, 32, 0, NULL, NULL);
  clEnqueueCopyBuffer(queue, d, e, 0, 0, bytes, 0, NULL, NULL);
  clEnqueueCopyBuffer(queue, d, e, k * sizeof(float), 0, k * sizeof(float), 0, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
  clSetKernelArg(kernel, 1, sizeof(cl_mem), &e);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, e, CL_TRUE, 64, (n - 16) * sizeof(float), &x[16], 0, NULL, NULL);
}

// CHECK-LABEL: func.func @events
// CHECK:         %written = host.write %x to %d : memref<?xf32>, !host.buffer<f32> -> !ocl.event
// CHECK:         %[[E:.*]] = host.launch @scale global [{{.*}}] (%d, %a, %n) after %written : {{.*}} -> !ocl.event
// CHECK:         host.wait %[[E]]
// CHECK:         host.read %d to %x after %written, %[[E]] : !host.buffer<f32>, memref<?xf32>
// CHECK:         host.finish
void events(cl_context context, cl_command_queue queue, cl_program program, float *x, int n, float a) {
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  cl_mem d = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float), NULL, NULL);
  cl_event written, launched, both[2];
  clEnqueueWriteBuffer(queue, d, CL_FALSE, 0, n * sizeof(float), x, 0, NULL, &written);
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
  clSetKernelArg(kernel, 1, sizeof(float), &a);
  clSetKernelArg(kernel, 2, sizeof(int), &n);
  size_t global = n;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &written, &launched);
  clWaitForEvents(1, &launched);
  both[0] = written;
  both[1] = launched;
  clEnqueueReadBuffer(queue, d, CL_TRUE, 0, n * sizeof(float), x, 2, both, NULL);
  clReleaseEvent(written);
  clFinish(queue);
}

// A buffer that kernels see as different elements is its bytes.
// CHECK-LABEL: func.func @mixed
// CHECK:         %d = host.buffer %{{.*}} : !host.buffer<i8>
void mixed(cl_context context, cl_command_queue queue, cl_program program, int n, float a) {
  cl_kernel scale = clCreateKernel(program, "scale", NULL), apply = clCreateKernel(program, "apply", NULL);
  cl_mem d = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(cl_float4), NULL, NULL);
  struct {
    int w;
    float k;
  } setting = {n, a};
  size_t global = n;
  clSetKernelArg(scale, 0, sizeof(cl_mem), &d);
  clSetKernelArg(scale, 1, sizeof(float), &a);
  clSetKernelArg(scale, 2, sizeof(int), &n);
  clEnqueueNDRangeKernel(queue, scale, 1, NULL, &global, NULL, 0, NULL, NULL);
  clSetKernelArg(apply, 0, sizeof(cl_mem), &d);
  clSetKernelArg(apply, 1, sizeof(setting), &setting);
  clEnqueueNDRangeKernel(queue, apply, 1, NULL, &global, NULL, 0, NULL, NULL);
}

// Mapped memory is an array that is read from the buffer, and written back.
// CHECK-LABEL: func.func @mapped
// CHECK:         %p = memref.alloc(%[[N:.*]]) : memref<?xf32>
// CHECK-NEXT:    host.read %d to %p count %[[N]] {mapped} : !host.buffer<f32>, memref<?xf32>
// CHECK:         memref.store %{{.*}}, %p[%c0] : memref<?xf32>
// CHECK:         host.write %p to %d count %[[N]] {mapped} : memref<?xf32>, !host.buffer<f32>
// CHECK-NEXT:    memref.dealloc %p : memref<?xf32>
void mapped(cl_command_queue queue, cl_context context, int n) {
  cl_mem d = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, n * sizeof(float), NULL, NULL);
  float *p = (float *)clEnqueueMapBuffer(queue, d, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                         n * sizeof(float), 0, NULL, NULL, NULL);
  p[0] = 1.0f;
  clEnqueueUnmapMemObject(queue, d, p, 0, NULL, NULL);
}
