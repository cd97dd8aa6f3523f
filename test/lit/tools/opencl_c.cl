// RUN: ocl-opt %s -DN=2.0f -I %S/Inputs -cl-mad-enable --cl-std CL1.2 | filecheck %s
// RUN: ocl-opt %s -D N=2.0f -I%S/Inputs --print-debuginfo | filecheck %s --check-prefix=LOC
// RUN: ocl-opt -f cl -DN=2.0f -I %S/Inputs < %s | filecheck %s
// RUN: not ocl-opt %s -I %S/Inputs 2>&1 | filecheck %s --check-prefix=MACRO
// RUN: not ocl-opt %s -DN=1 -cl-nonsense 2>&1 | filecheck %s --check-prefix=FLAG

// FLAG:       ocl-opt: error: unknown build option '-cl-nonsense'

#include "scale.h"

kernel void scale(global float *x) {
  // CHECK:      ocl.kernel @scale(%x: !ocl.ptr<f32, global>
  // CHECK:      arith.constant 2.000000e+00 : f32
  // CHECK:      arith.constant 3.000000e+00 : f32

  // MACRO:      opencl_c.cl:[[# @LINE + 4]]:26: error: use of undeclared identifier 'N'
  // MACRO-NEXT:   x[get_global_id(0)] *= N * SCALE;
  // MACRO-NEXT:                          ^
  // LOC:        arith.mulf {{.*}} loc("{{.*}}opencl_c.cl":[[# @LINE + 1]]:
  x[get_global_id(0)] *= N * SCALE;
}
