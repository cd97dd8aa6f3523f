// Sums by trees, whose levels people count in different ways.

// LAUNCH: kernel=by_do global=128 local=64 args: in=rand:f32:128 out=zeros:f32:2
kernel void by_do(global const float *in, global float *out) {
  local float t[64];
  int l = get_local_id(0), d = get_local_size(0) / 2;
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  do {
    if (l < d) t[l] += t[l + d];
    barrier(CLK_LOCAL_MEM_FENCE);
    d /= 2;
  } while (d);
  if (l == 0) out[get_group_id(0)] = t[0];
}

// LAUNCH: kernel=by_bits global=128 local=64 args: in=rand:f32:128 out=zeros:f32:2
kernel void by_bits(global const float *in, global float *out) {
  local float t[64];
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 5; k >= 0; k--) {
    int d = 1 << k;
    if (l < d) t[l] += t[l | d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}

// The bits of work-items that pass are not all below those of the distance.
// LAUNCH: kernel=by_other_bits global=128 local=64 args: in=iota:i32:128 out=zeros:i32:128
kernel void by_other_bits(global const int *in, global int *out) {
  local int t[128];
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  t[l + 64] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 6; k++) {
    int d = 1 << k, found = 0;
    if (l < 3 * d) found = t[(l + 1) | d] + t[d ^ l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += found;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[l];
}
