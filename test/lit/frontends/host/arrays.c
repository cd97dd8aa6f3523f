// RUN: ocl-opt %s -k %S/Inputs/kernels.cl | filecheck %s

// The host's memory: one-dimensional memrefs, whatever C calls them.

#include <CL/cl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// CHECK-LABEL: func.func @memory(%x: memref<?xf32>, %n: i32) {
// CHECK:         %grid = memref.alloc(%c12) : memref<?xf32>
// CHECK:         %h = memref.alloc(%[[N:.*]]) : memref<?xf32>
// CHECK:         scf.for %i = %c0 to %[[N]] step %c1 {
// CHECK-NEXT:      %[[X:.*]] = memref.load %x[%i] : memref<?xf32>
// CHECK-NEXT:      memref.store %[[X]], %h[%i] : memref<?xf32>
// CHECK-NEXT:    }
// CHECK:         %[[ROW:.*]] = arith.muli %{{.*}}, %c4 : index
// CHECK:         %[[AT:.*]] = arith.addi %[[ROW]], %c2 : index
// CHECK:         memref.store %{{.*}}, %grid[%[[AT]]] : memref<?xf32>
// CHECK:         %[[R:.*]] = math.sqrt %{{.*}} : f32
// CHECK:         memref.dealloc %h : memref<?xf32>
void memory(cl_command_queue queue, float *x, int n) {
  float grid[3][4];
  float *h = (float *)malloc(n * sizeof(float));
  memcpy(h, x, n * sizeof(float));
  grid[n % 3][2] = h[1];
  x[0] = sqrtf(grid[n % 3][2]);
  free(h);
  clFinish(queue);
}

// A pointer that moves is an array and an index.
// CHECK-LABEL: func.func @moving(%x: memref<?xf32>, %n: i32) -> f32 {
// CHECK:         %sum, %p.at = scf.while (%{{.*}} = %cst, %[[AT:.*]] = %c0_i64) : (f32, i64) -> (f32, i64) {
// CHECK-NEXT:      %[[I:.*]] = arith.index_cast %[[AT]] : i64 to index
// CHECK-NEXT:      %{{.*}} = memref.load %x[%[[I]]] : memref<?xf32>
float moving(cl_command_queue queue, const float *x, int n) {
  float sum = 0.0f;
  const float *p = x;
  while (*p > 0.0f)
    sum += *p++;
  clFinish(queue);
  return sum;
}

// Vectors of the API are vectors.
// CHECK-LABEL: func.func @vectors(%v: memref<?xvector<4xf32>>) {
// CHECK:         %[[Y:.*]] = vector.extract %{{.*}}[1] : f32 from vector<4xf32>
// CHECK:         vector.insert %[[Y]], %{{.*}} [%c2] : f32 into vector<4xf32>
void vectors(cl_command_queue queue, cl_float4 *v) {
  v[1].s[2] = v[0].y;
  clFinish(queue);
}
