// RUN: ocl-opt %s -p "ocl-set-local-size{size=256,1,1},ocl-to-wg,share-values,index-arithmetic,widen-indices,wg-clip-guards,wg-unroll-steps" --remarks 2>&1 >/dev/null | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=256,1,1},ocl-to-wg,share-values,index-arithmetic,widen-indices,wg-clip-guards,wg-unroll-steps{processor=emeraldrapids}" --remarks 2>&1 >/dev/null | filecheck %s

// A scan by a tree: one work-item after the other has all addresses as constants, which vectors of
// unknown steps gather, on any processor and whatever the type of the ids.

// CHECK-DAG: wg_unroll_steps_scan.cl:[[# @LINE + 6]]:{{.*}}: remark: unrolled: 8 known steps [wg-unroll-steps]
// CHECK-DAG: wg_unroll_steps_scan.cl:[[# @LINE + 10]]:{{.*}}: remark: unrolled: 7 known steps [wg-unroll-steps]
kernel void scan(global const float *in, global float *out) {
  int l = get_local_id(0);
  local float a[256];
  a[l] = in[get_global_id(0)];
  for (int step = 1; step < 256; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = (l + 1) * 2 * step - 1;
    if (at < 256) a[at] += a[at - step];
  }
  for (int step = 64; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = (l + 1) * 2 * step - 1;
    if (at + step < 256) a[at + step] += a[at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[l];
}
