// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-narrow-values,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s

// Pixels whose channels are computed with in 16 bits: as many lanes as for three bytes.
// CHECK: vectorised along x for 32 work-items
kernel void largest(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  uchar3 v = vload3(i, in);
  out[i] = max(max(v.x, v.y), v.z) - min(min(v.x, v.y), v.z);
}

// Channels become words.
// CHECK: vectorised along x for 16 work-items
kernel void words(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  uchar2 v = vload2(i, in);
  out[i] = clamp((298 * (v.x - 16) + 409 * (v.y - 128) + 128) >> 8, 0, 255);
}

// Pixels are moved only.
// CHECK: vectorised along x for 16 work-items
kernel void turned(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  uchar3 v = vload3(i, in);
  vstore3(v.zyx, i, out);
}
