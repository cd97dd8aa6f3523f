// RUN: ocl-opt %s | filecheck %s

// What is known of every launch is an attribute of the kernel. Macros are expanded; other
// annotations mean nothing here.

#define RADIUS "3"

// CHECK: ocl.kernel @blur({{.*}}) attributes {assume = ["2*vs < width", "vs <= 3"]} {
__attribute__((annotate("assume: 2*vs < width"), annotate("hot"), annotate("assume:vs <= " RADIUS)))
kernel void blur(global float *x, int width, unsigned vs) {
  x[0] = width + vs;
}
