// A 16-point radix-2 Fourier transform in local memory with exact (tabled) twiddle factors:
// complex numbers as float2, bit reversal, barriers in a loop.
// LAUNCH: global=32 local=8 args: data=rand:f32:64x2:-1:1
constant float2 twiddle[8] = {
  (float2)(1.0f, 0.0f),          (float2)(0.92387953f, -0.38268343f),
  (float2)(0.70710678f, -0.70710678f), (float2)(0.38268343f, -0.92387953f),
  (float2)(0.0f, -1.0f),         (float2)(-0.38268343f, -0.92387953f),
  (float2)(-0.70710678f, -0.70710678f), (float2)(-0.92387953f, -0.38268343f),
};

float2 multiply(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

uint reverse4(uint i) {
  return (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | (i & 8) >> 3;
}

kernel void fft(global float2 *data) {
  local float2 tile[16];
  uint l = get_local_id(0);
  global float2 *mine = data + get_group_id(0) * 16;
  tile[reverse4(l)] = mine[l];
  tile[reverse4(l + 8)] = mine[l + 8];
  for (uint half_size = 1; half_size < 16; half_size *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = l % half_size, i = (l / half_size) * 2 * half_size + k;
    float2 a = tile[i], b = multiply(tile[i + half_size], twiddle[k * (8 / half_size)]);
    tile[i] = a + b;
    tile[i + half_size] = a - b;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  mine[l] = tile[l];
  mine[l + 8] = tile[l + 8];
}
