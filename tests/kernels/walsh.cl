// A Walsh-Hadamard transform in local memory: ids are divided by the steps of a loop.
// LAUNCH: kernel=walsh global=64 local=32 args: in=rand:i32:128 out=zeros:i32:128
// LAUNCH: kernel=walsh_backwards global=64 local=32 args: in=rand:i32:128 out=zeros:i32:128
kernel void walsh(global const int *in, global int *out) {
  local int s[64];
  int l = get_local_id(0), base = get_group_id(0) * 64;
  s[l] = in[base + l];
  s[l + 32] = in[base + l + 32];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = 1; h < 64; h <<= 1) {
    int i = (l / h) * 2 * h + l % h;
    int a = s[i], b = s[i + h];
    s[i] = a + b;
    s[i + h] = a - b;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[base + l] = s[l];
  out[base + l + 32] = s[l + 32];
}

kernel void walsh_backwards(global const int *in, global int *out) {
  local int s[64];
  uint l = get_local_id(0), base = get_group_id(0) * 64;
  s[l] = in[base + l];
  s[l + 32] = in[base + l + 32];
  for (uint h = 32; h > 0; h /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint i = l / h * h + l;
    int a = s[i], b = s[i + h];
    s[i] = a + b;
    s[i + h] = a - b;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = s[l];
  out[base + l + 32] = s[l + 32];
}
