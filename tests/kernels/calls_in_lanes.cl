// LAUNCH: kernel=mixed global=64 local=16 args: in=rand:u32:64 table=rand:u32:16 sums=zeros:u32:4 out=zeros:u32:64
// LAUNCH: kernel=points global=48 local=16 args: in=rand:f32:192 n=iota:i32:48 out=zeros:f32:192
// LAUNCH: kernel=pixels global=67 local=67 args: in=rand:u8:268 n=rand:i32:67 out=zeros:u8:268 far=zeros:f32:268
// Functions that a compiler may keep: with arrays of the caller, under divergent control flow, in
// each other, and with arguments that are the same for all work-items.

typedef struct { uint h[4]; uint block[4]; int len; } State;

uint turn(uint x, int by) { return (x << by) | (x >> (32 - by)); }

void mix(private uint *block, private uint *h) {
  uint a = h[0], b = h[1], c = h[2], d = h[3];
  for (int i = 0; i < 4; i++) {
    uint t = a + ((b & c) | (~b & d)) + block[i];
    a = d, d = c, c = b, b += turn(t, 5 + i);
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d;
}

void append(private uint *block, uint value, int at) {
  switch (at & 3) {
    case 0: block[0] = value; break;
    case 1: block[1] ^= value; block[0] += at; break;
    case 2: block[2] = turn(value, 3); break;
    default: block[at & 3] = value; block[(at + value) & 3] ^= 1; break;
  }
}

uint add_to(global uint *sums, uint value, uint limit) {
  uint old = 0;
  for (uint i = 0; i < (value & limit); i++) old += atomic_add(&sums[i], value & 7) & 0;
  return old + value;
}

uint look_up(constant uint *table, uint i) { return table[i & 15]; }

kernel void mixed(global const uint *in, constant uint *table, global uint *sums,
                  global uint *out) {
  size_t g = get_global_id(0);
  State s;
  for (int i = 0; i < 4; i++) s.h[i] = look_up(table, i), s.block[i] = in[g] + i;
  s.len = in[g] & 7;
  for (int i = 0; i < s.len; i++) {
    append(s.block, in[(g + i) & 63], s.len + i);
    if (s.h[i & 3] & 1) mix(s.block, s.h);
  }
  mix(s.block, s.h);
  if (s.h[0] & 2) s.h[1] = add_to(sums, s.h[2], 3);
  out[g] = s.h[0] ^ s.h[1] ^ look_up(table, s.h[2]) ^ turn(s.h[3], s.len + 1);
}

float4 scaled(float4 v, float by, int times) {
  for (int i = 0; i < times; i++) v = v * by + v.yzwx;
  return v;
}

float length_of(float4 v) { return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }

void keep(float4 v, global float4 *at, int n, int limit) {
  if (n < limit) at[n] = scaled(v, length_of(v), n & 3);
}

kernel void points(global const float4 *in, global const int *n, global float4 *out) {
  int g = get_global_id(0);
  float4 v = in[g];
  if (length_of(v) > 1.0f) v = scaled(v, 0.5f, 2);
  keep(v + length_of(in[0]), out, n[g], 40);
  keep(v, out, g, n[g] & 1 ? 48 : 0);
}

uchar3 swapped(uchar3 a, int2 by) {
  a.xz += convert_uchar2(by.yx);
  return by.x & 1 ? a.zyx : a;
}

double2 halves(uchar3 a, double2 old) {
  for (int i = 0; i < (a.x & 3); i++) old += (double2)(a.y, i) * 0.5;
  return old;
}

kernel void pixels(global const uchar *in, global const int *n, global uchar *out,
                   global float4 *far) {
  int g = get_global_id(0);
  uchar3 c = vload3(g, in);
  for (int i = 0; i < (n[g] & 3); i++) c = swapped(c, (int2)(n[g] >> i, g));
  if (c.x > 99) c = swapped(swapped(c, 7), (int2)(c.y, c.z));
  vstore3(c, g, out);
  double2 d = halves(c, (double2)(1, g));
  if (g & 1) d = halves(swapped(c, (int2)(g)), d);
  far[g] = (float4)(convert_float2(d), convert_float2(halves((uchar3)(3, 2, 1), 0)));
}
