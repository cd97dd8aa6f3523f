// RUN: ocl-opt %s -p "inline-functions,promote-private-memory,scf-to-cf,ocl-to-nvvm" -t ptx | filecheck %s
// RUN: ocl-opt %s -p "inline-functions,promote-private-memory,scf-to-cf,ocl-to-nvvm" -t "ptx{sm=sm_90}" | filecheck %s --check-prefix=HOPPER
// RUN: not ocl-opt %s -p "inline-functions,promote-private-memory,scf-to-cf,ocl-to-nvvm" -t "ptx{sm=gtx}" 2>&1 | filecheck %s --check-prefix=UNKNOWN

// CHECK: .target sm_70
// HOPPER: .target sm_90
// UNKNOWN: 'gtx' is not a processor of NVIDIA; expected, say, sm_70 or sm_90a

// The vector is read at once, and the array with `const restrict` through the read-only cache.
// CHECK: .visible .entry saxpy(
// CHECK: ld.global.nc.v4.b32
// CHECK: fma.rn.f32
// CHECK: st.global.v4.b32
kernel void saxpy(global float4 *restrict y, const global float4 *restrict x, float a) {
  int i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
