// Vectors whose components are computed one by one, which join-components computes together.

// LAUNCH: kernel=scaled global=16 local=8 args: x=rand:f32:64 out=zeros:f32:64 a=1.5
kernel void scaled(global const float4 *x, global float4 *out, float a) {
  int i = get_global_id(0);
  float4 v = x[i], r;
  r.x = v.x * a;
  r.y = v.y * a;
  r.z = v.z * a;
  r.w = v.w * a;
  out[i] = r;
}

// LAUNCH: kernel=added global=16 local=16 args: x=rand:f32:32 w=rand:f32:16 out=rand:f32:32
kernel void added(global const float2 *x, global const float *w, global float2 *out) {
  int i = get_global_id(0);
  float2 v = out[i], sum = x[i];
  float a = w[i];
  sum.y += a * v.y / (sum.y - 2);
  sum.x += a * v.x / (sum.x - 2);
  out[i] = sum;
}

// LAUNCH: kernel=integers global=12 local=4 args: x=rand:i32:96 out=zeros:i32:96 a=3
kernel void integers(global const int8 *x, global int8 *out, int a) {
  int i = get_global_id(0);
  int8 v = x[i], r;
  r.s0 = (v.s0 ^ a) + v.s0 * i;
  r.s1 = (v.s1 ^ a) + v.s1 * i;
  r.s2 = (v.s2 ^ a) + v.s2 * i;
  r.s3 = (v.s3 ^ a) + v.s3 * i;
  r.s4 = (v.s4 ^ a) + v.s4 * i;
  r.s5 = (v.s5 ^ a) + v.s5 * i;
  r.s6 = (v.s6 ^ a) + v.s6 * i;
  r.s7 = (v.s7 ^ a) + v.s7 * i;
  out[i] = r;
}

// Components that depend on others, or on fewer, or are computed otherwise.
// LAUNCH: kernel=depending global=16 local=8 args: x=rand:f32:64 out=zeros:f32:64 a=0.5
kernel void depending(global const float4 *x, global float4 *out, float a) {
  int i = get_global_id(0);
  float4 v = x[i], r = v;
  v.x = v.x * a;
  v.y = v.x * a;
  v.z = v.y * a;
  v.w = v.z * a;
  r.xyz = v.wyx - a;
  r.x = r.x * a;
  r.w = r.w / a;
  out[i] = v + r;
}

// Steps on one variable, each of which sets all components; the last one sets some of them.
// LAUNCH: kernel=steps global=16 local=8 args: x=rand:f32:64 y=rand:f32:64 out=rand:f32:64 a=0.5
kernel void steps(global const float4 *x, global const float4 *y, global float4 *out, float a) {
  int i = get_global_id(0);
  float4 v = x[i], w = y[i], o = out[i], r;
  r.x = v.x * w.x;
  r.y = v.y * w.y;
  r.z = v.z * w.z;
  r.w = v.w * w.w;
  r.x += a * o.x;
  r.y += a * o.y;
  r.z += a * o.z;
  r.w += a * o.w;
  float4 s = r;
  s.w = s.w - a;
  s.y = s.y - a;
  s.x = s.x - a;
  s.z = s.z - a;
  s.y = s.y - a;
  out[i] = s * r;
}

// Pixels of bytes, whose last component is computed otherwise, or whose first one is.
// LAUNCH: kernel=pixels global=40 local=20 args: a=rand:u8:40x4 b=rand:u8:40x4 out=zeros:u8:80x4 k=90
kernel void pixels(global const uchar4 *a, global const uchar4 *b, global uchar4 *out, uchar k) {
  int i = get_global_id(0);
  uchar4 p = a[i], q = b[i], r, s = q;
  r.x = (p.x * k + q.x * (255 - k)) / 255;
  r.y = (p.y * k + q.y * (255 - k)) / 255;
  r.z = (p.z * k + q.z * (255 - k)) / 255;
  r.w = max(p.w, q.w);
  if (p.w > 100) {
    s.x = 7;
    s.y = p.y < q.y ? p.y * p.x / 255 : p.y + 3;
    s.z = p.z < q.z ? p.z * p.x / 255 : p.z + 3;
    s.w = p.w < q.w ? p.w * p.x / 255 : p.w + 3;
  }
  out[i] = r;
  out[i + 40] = s;
}

// The component that is computed otherwise may be a divisor of zero, or be used by the others.
// LAUNCH: kernel=others global=16 local=8 args: x=rand:i32:64:1:9 y=rand:i32:16x4:1:5 out=zeros:i32:64 f=rand:f32:16x4 g=zeros:f32:64
kernel void others(global const int4 *x, global int4 *y, global int4 *out, global const float4 *f,
                   global float4 *g) {
  int i = get_global_id(0);
  int4 v = x[i], w = y[i], r;
  w.w = 0;
  r.x = v.x / w.x;
  r.y = v.y / w.y;
  r.z = v.z / w.z;
  r.w = w.w;
  float4 c = f[i], d;
  d.w = c.x * c.y + c.z;
  d.x = c.x * d.w;
  d.y = c.y * d.w;
  d.z = c.z * d.w;
  out[i] = r;
  g[i] = d;
}

// Numbers are used again, and a comparison tells how large they are: products have 16 bits or more.
// LAUNCH: kernel=blended global=64 local=32 args: x=rand:u8:256 y=rand:u8:256 out=zeros:u8:512
uchar overlay(uchar a, uchar b) {
  return a < 128 ? 2 * a * b / 255 : 255 - 2 * (255 - a) * (255 - b) / 255;
}
kernel void blended(global const uchar4 *x, global const uchar4 *y, global uchar4 *out) {
  int i = get_global_id(0);
  uchar4 a = x[i], b = y[i], r, s;
  r.x = overlay(a.x, b.x);
  r.y = overlay(a.y, b.y);
  r.z = overlay(a.z, b.z);
  r.w = max(a.w, b.w);
  out[2 * i] = r;
  s.x = a.x < 129 ? 4 * a.x * b.x / 513 : a.x - b.x;
  s.y = a.y < 129 ? 4 * a.y * b.y / 513 : a.y - b.y;
  s.z = a.z < 129 ? 4 * a.z * b.z / 513 : a.z - b.z;
  s.w = a.w < 129 ? 4 * a.w * b.w / 513 : a.w - b.w;
  out[2 * i + 1] = s;
}
