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

// A step of a fluid, back along the velocity: the second element of a row is in the line of the first one.
// CHECK: wg_vectorize_beside.cl:[[# @LINE + 2]]:{{.*}} vectorised along x for 16 work-items [wg-vectorize]
kernel void advect(global const float *in, global const float2 *velocity, global float *out, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  float2 v = velocity[j * n + i];
  float x = clamp(i - v.x, 0.5f, n - 1.5f), y = clamp(j - v.y, 0.5f, n - 1.5f);
  int left = (int)x, low = (int)y;
  float s = x - left, t = y - low;
  int at = low * n + left;
  float below = mix(in[at], in[at + 1], s), above = mix(in[at + n], in[at + n + 1], s);
  out[j * n + i] = mix(below, above, t);
}
