// A stride of 2^32 - 1 is one of -1, and of 2^31 + 1 one that alternates.
kernel void f(global int *out, global const int *in, uint start, uint stride) {
  uint x = get_global_id(0);
  out[x] = in[(start + x * stride) & 127];
  out[x] += in[(start + x * stride) % 100u];
}
