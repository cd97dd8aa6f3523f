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

// A pixel, or a sample of two channels, is one element: it is as large as a word.
// CHECK-LABEL: wg.func @resample
// CHECK:         wg.gather %{{.*}} stride 4 : i64 {{.*}}wg.near} : vector<16xindex>, !ocl.ptr<i16, global> -> vector<32xi16>
kernel void resample(global const short2 *in, global short2 *out, uint step) {
  uint i = get_global_id(0);
  out[i] = in[(ulong)i * step >> 16];
}

// Two bytes may lie in two words.
// CHECK-LABEL: wg.func @two_bytes
// CHECK-NOT:     wg.near
// CHECK:         wg.return
kernel void two_bytes(global const uchar2 *in, global uchar2 *out, float scale) {
  int x = get_global_id(0);
  out[x] = in[(int)(x * scale)];
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
