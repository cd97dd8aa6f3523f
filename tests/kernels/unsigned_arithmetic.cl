// Unsigned arithmetic wraps around; comparisons, division and remainder are unsigned; mixed
// signs convert to unsigned.
// LAUNCH: global=32 local=8 args: x=rand:u32:32:0:4294967295 y=rand:u32:32:1:4294967295 out=zeros:u32:32x8
kernel void wrap(global const uint *x, global const uint *y, global uint8 *out) {
  size_t g = get_global_id(0);
  uint a = x[g], b = y[g];
  int minus = -1 - (int)(g & 3);
  out[g] = (uint8)(a + b, a - b, a * b, a / b, a % b, -a, (a > b) + (minus > a) * 2u,
                   a / (b & 0xffffu | 1u) + minus);
}
