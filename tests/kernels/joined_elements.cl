// Records of which a work-item reads or writes neighbouring elements: wg-join-elements makes one
// access of those that fill 16 bytes.

// LAUNCH: kernel=anywhere global=21 local=7 args: q=rand:f32:128 at=bits:u32:21 out=zeros:f32:84
kernel void anywhere(global const float *q, global const uint *at, global float *out) {
  int i = get_global_id(0);
  uint j = at[i] & 31;
  float a = q[4 * j], b = q[4 * j + 1], c = q[4 * j + 2], d = q[4 * j + 3];
  out[4 * i] = d;
  out[4 * i + 2] = a + b;
  out[4 * i + 1] = c;
  out[4 * i + 3] = b;
}

typedef struct { float m[9]; } matrix;
// LAUNCH: kernel=records global=17 local=17 args: a=rand:f32:153 out=zeros:f32:153 n=16
kernel void records(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  matrix x = ((global const matrix *)a)[i], y;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) y.m[3 * r + c] = x.m[3 * c + r] * 2;
  ((global matrix *)out)[i] = y;
}

// Backwards, and with elements that two accesses have.
// LAUNCH: kernel=doubles global=12 local=12 args: a=rand:f64:132 out=zeros:f64:132 w=11
kernel void doubles(global const double *a, global double *out, int w) {
  int i = get_global_id(0);
  double x = a[i * w + 5], y = a[i * w + 4], z = a[i * w + 3], v = a[i * w + 4];
  out[i * w + 8] = x - z;
  out[i * w + 7] = y * v;
}

// LAUNCH: kernel=steps global=9 local=9 args: a=bits:u32:180 out=zeros:u32:9 n=20
kernel void steps(global const uint *a, global uint *out, int n) {
  size_t i = get_global_id(0);
  uint h = 7;
  for (int k = 0; k < n; k += 4) {
    h = h * 31 + a[i * n + k];
    h = h * 31 ^ a[i * n + k + 1];
    h = h * 31 + a[i * n + k + 2];
    h = h * 31 ^ a[i * n + k + 3];
  }
  out[i] = h;
}

// LAUNCH: kernel=bytes global=16 local=16 args: a=rand:u8:640 out=zeros:u8:640 w=40
kernel void bytes(global const uchar *a, global uchar *out, int w) {
  int i = get_global_id(0);
  uchar v[16];
  for (int k = 0; k < 16; k++) v[k] = a[i * w + k + 1];
  for (int k = 0; k < 16; k++) out[i * w + k + 3] = v[15 - k] + v[k / 2];
}

typedef struct { float x, y, z, m; int id; } body;
// Fields are read after others were written.
// LAUNCH: kernel=moves global=40 local=20 args: out=rand:{x:f32,y:f32,z:f32,m:f32,id:i32}:40 dt=0.5
kernel void moves(global body *out, float dt) {
  int i = get_global_id(0);
  out[i].x += dt * out[i].m;
  out[i].y += dt * out[i].m * 2;
  out[i].z -= dt * out[i].x;
}

// What was written is read again.
// LAUNCH: kernel=again global=32 local=16 args: out=rand:u32:160
kernel void again(global uint *out) {
  int i = get_global_id(0);
  out[5 * i + 1] += out[5 * i];
  out[5 * i] = out[5 * i + 1] * 2;
  out[5 * i + 3] = out[5 * i] ^ out[5 * i + 4];
  out[5 * i + 1] = out[5 * i + 3] - out[5 * i + 1];
}

// Rows that are read in another order than that of memory, while another buffer is written.
#define QUANTIZE(k, at) out[9 * i + k] = convert_short_sat_rte(a[9 * i + at] * 9 / q[at]);
// LAUNCH: kernel=zigzag global=18 local=9 args: a=rand:f32:162 q=rand:f32:8 out=zeros:i16:162
kernel void zigzag(global const float *a, global const float *q, global short *out) {
  int i = get_global_id(0);
  QUANTIZE(0, 0) QUANTIZE(1, 1) QUANTIZE(2, 4) QUANTIZE(3, 5)
  QUANTIZE(4, 2) QUANTIZE(5, 3) QUANTIZE(6, 6) QUANTIZE(7, 7)
}

// Columns are written one after the other, to rows that are read before.
// LAUNCH: kernel=columns global=18 local=9 args: out=rand:i16:288
kernel void columns(global short *out) {
  int i = get_global_id(0);
  out += 16 * i;
  int e = out[0] + out[3], f = out[1] - out[2];
  int g = out[4] + out[7], h = out[5] * out[6];
  out[0] = e + g;
  out[8] = e - g;
  out[1] = f + h;
  out[9] = f - h;
  out[2] = e + h;
  out[10] = e - h;
  out[3] = f + g;
  out[11] = f - g;
  out[4] = e;
  out[12] = e + f;
  out[5] = f;
  out[13] = f * h;
  out[6] = g;
  out[14] = g + h;
  out[7] = h;
  out[15] = g * e;
}
