// Compound assignment converts both ways: small integers, mixed signs, floats to integers,
// vector components, elements of buffers and of local memory.
// LAUNCH: global=16 local=8 args: x=rand:i32:16 bytes=rand:u8:16:0:255 f=rand:f32:16:-9:9 y=zeros:i32:16x6
kernel void assign(global int *x, global uchar *bytes, global float *f, global int *y) {
  local short tile[8];
  size_t g = get_global_id(0), l = get_local_id(0);
  tile[l] = (short)x[g];
  tile[l] *= 300;
  tile[l] -= 1.75f;
  bytes[g] += 200;
  bytes[g] /= 3;
  bytes[g] ^= -1;
  x[g] *= 2.5f;
  x[g] -= 3u;
  f[g] += x[g];
  f[g] *= 2;
  int n = 7;
  n /= 2.0f;
  n <<= 2L;
  uint u = 5;
  u -= 6;
  u /= 2;
  char c = 100;
  c += c;
  int4 v = (int4)(1, 2, 3, 4);
  v.y *= n;
  v.zw -= v.xy;
  v <<= 1;
  global int *r = y + 6 * g;
  r[0] = tile[l];
  r[1] = n;
  r[2] = (int)u;
  r[3] = c;
  r[4] = v.x + v.y * 10 + v.z * 100 + v.w * 1000;
  r[5] = (int)f[g];
}
