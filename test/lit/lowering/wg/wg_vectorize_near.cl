// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,wg-vectorize{width=16}" | filecheck %s

// Neighbours read elements next to each other, more or less: the program tests whether they do.
// CHECK-LABEL: wg.func @stretch
// CHECK:         wg.gather %in[%{{.*}}] stride 1 : i64 {wg.near} : vector<16xindex>
kernel void stretch(global const uchar *in, global uchar *out, float scale) {
  int x = get_global_id(0);
  out[x] = in[(int)(x * scale)];
}

// CHECK-LABEL: wg.func @unpack
// CHECK:         wg.gather %in[%{{.*}}] stride 4 : i64 {wg.in_reach, wg.near} : vector<16xindex>
kernel void unpack(global const uint *in, global uint *out, uint bits) {
  uint at = (uint)get_global_id(0) * bits;
  out[get_global_id(0)] = in[at >> 5] >> (at & 31);
}

// Not what is an unknown number of elements apart, or probably more than 64 bytes in all; not by data, and not what
// does not fit a register.
// CHECK-LABEL: wg.func @apart
// CHECK-NOT:     wg.near
// CHECK:         wg.return
kernel void apart(global const uchar *in, global uchar *out, int width, float scale) {
  int x = get_global_id(0);
  out[x] = in[(int)(x * scale) * width] + in[5 * (int)(x * scale)];
}

// CHECK-LABEL: wg.func @by_data
// CHECK-NOT:     wg.near
// CHECK:         wg.return
kernel void by_data(global const uchar *in, global uchar *out, global const int *at) {
  int x = get_global_id(0);
  out[x] = in[at[x] >> 1];
}

// CHECK-LABEL: wg.func @large
// CHECK-NOT:     wg.near
// CHECK:         wg.return
kernel void large(global const double *in, global double *out, float scale) {
  int x = get_global_id(0);
  out[x] = in[(int)(x * scale)];
}
