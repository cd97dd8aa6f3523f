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
