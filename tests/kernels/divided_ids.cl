// Local ids that are divided by constants: a column and a row, multiples of ids, several divisors, divisors that are no
// multiples of each other, of groups that are no multiples of a row, numbers that may wrap, and pairs kept over barriers.
// LAUNCH: global=128 local=64 kernel=tile args: out=zeros:i32:128
// LAUNCH: global=96 local=48 kernel=tile args: out=zeros:i32:128
// LAUNCH: global=256 local=128 kernel=multiples args: out=zeros:i32:512
// LAUNCH: global=256 local=128 kernel=digits args: out=zeros:i32:512
// LAUNCH: global=120 local=60 kernel=odd args: out=zeros:i32:512
// LAUNCH: global=64 local=64 kernel=bytes args: out=zeros:i32:2048
// LAUNCH: global=128 local=64 kernel=pairs args: in=rand:f32:256 out=zeros:f32:256
kernel void tile(global int *out) {
  uint l = get_local_id(0);
  out[get_group_id(0) * 64 + l / 16 * 16 + (15 - l % 16)] += l;
}

kernel void multiples(global int *out) {
  uint me = get_local_id(0);
  global int *o = out + get_group_id(0) * 256;
  o[(2 * me + 0) / 64 * 64 + (2 * me + 0) % 64] = me * 3;
  o[(2 * me + 1) / 64 * 64 + (2 * me + 1) % 64] = me * 5;
  o[2 * ((me + 32) / 32 * 32 + (me + 32) % 32) - 64] += (me + 5) / 1 + (me + 4) % 1;
}

kernel void digits(global int *out) {
  int me = get_local_id(0);
  out[get_group_id(0) * 256 + (me & 15) * 8 + (me >> 4) % 2 + (me >> 5) * 2] += me % 64 + me / 64;
  out[get_group_id(0) * 256 + 128 + me] = me % 12;
}

kernel void odd(global int *out) {
  int me = get_local_id(0);
  out[get_group_id(0) * 256 + (me & 7) * 16 + (me >> 3) % 8] += me % 32 + me / 32;
}

kernel void bytes(global int *out) {
  uchar me = get_local_id(0);
  uchar wraps = me * 5;
  global int *o = out + get_group_id(0) * 512;
  o[wraps / 16 * 16 + me % 16] = me + wraps % 16;
  o[511 - me % 128] += wraps / 16;
}

kernel void pairs(global const float2 *in, global float2 *out) {
  local float part[64];
  uint me = get_local_id(0);
  float2 v = in[get_global_id(0)];
  part[me / 16 + me % 16 * 4] = v.x;
  barrier(CLK_LOCAL_MEM_FENCE);
  v.x = part[me];
  barrier(CLK_LOCAL_MEM_FENCE);
  part[me / 16 + me % 16 * 4] = v.y;
  barrier(CLK_LOCAL_MEM_FENCE);
  v.y = part[me];
  barrier(CLK_LOCAL_MEM_FENCE);
  part[me] = v.x - v.y;
  barrier(CLK_LOCAL_MEM_FENCE);
  v.x += part[me ^ 1];
  v.y -= part[me ^ 2] * v.x;
  out[get_global_id(0)] = v;
}

// LAUNCH: kernel=moved_rest global=64 local=64 args: in=iota:f32:32 out=zeros:f32:64 n=9
// LAUNCH: kernel=moved_rest global=100 local=100 args: in=iota:f32:32 out=zeros:f32:100 n=5
kernel void moved_rest(global const float *in, global float *out, int n) {
  uint x = get_local_id(0) + (uint)n;
  out[get_global_id(0)] = in[x % 32u];
}
