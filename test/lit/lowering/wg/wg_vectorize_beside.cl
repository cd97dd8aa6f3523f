// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s

// A picture with three channels is read where data say: bytes are read one by one, but the addresses of the second and
// the third are known from those of the first.
// CHECK: wg_vectorize_beside.cl:[[# @LINE + 2]]:{{.*}} vectorised along x for 16 work-items [wg-vectorize]
kernel void colour(global const int *place, global const uchar *in, global float *out) {
  int i = get_global_id(0), at = 3 * place[i];
  out[i] = sqrt(in[at] * 0.3f + in[at + 1] * 0.6f + in[at + 2] * 0.1f);
}

// Three bytes at places of their own.
// CHECK: wg_vectorize_beside.cl:[[# @LINE + 2]]:{{.*}} not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
kernel void planes(global const int *place, global const uchar *r, global const uchar *g, global const uchar *b, global float *out) {
  int i = get_global_id(0), at = 3 * place[i];
  out[i] = sqrt(r[at] * 0.3f + g[at] * 0.6f + b[at] * 0.1f);
}
