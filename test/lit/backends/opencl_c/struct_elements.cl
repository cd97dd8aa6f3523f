// RUN: ocl-opt %s -p inline-functions,split-structs -t opencl-c | filecheck %s

// Elements of arrays in a struct argument, and of a copy that a function is called with, are values.

typedef struct {
  uint n[2];
  float m[2][3];
} Table;

float row(Table t, int k) { return t.m[k][0] * t.n[1]; }

kernel void use(Table t, global float *out) { out[1] = t.m[1][2] + t.n[0] / 3 + row(t, 1); }

// CHECK-LABEL: kernel void use(Table t, global float *out) {
// CHECK-DAG:     float [[A:.*]] = t.m[1][0];
// CHECK-DAG:     float [[B:.*]] = t.m[1][2];
// CHECK-DAG:     uint [[N:.*]] = t.n[0];
// CHECK-NOT:     Table
// CHECK:         out[1] =
