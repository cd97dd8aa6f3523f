// 64-bit integers: arithmetic, shifts by variable amounts, division and remainder, comparisons,
// both signs; constants that need 64 bits.
// LAUNCH: global=32 local=8 args: x=bits:i64:32 y=rand:i64:32:-1000000:1000000 out=zeros:i64:32x4
kernel void longs(global const long *x, global const long *y, global long4 *out) {
  size_t g = get_global_id(0);
  long a = x[g], b = y[g] | 1;
  ulong u = (ulong)a * 0x9E3779B97F4A7C15UL + (ulong)b;
  if (b == -1)
    b = 3;
  out[g] = (long4)(a / b, a % b, (long)(u / 1000003UL ^ u % 97UL),
                   (long)(u >> (b & 63)) + (a >> (g & 63)) + (a < b) + ((ulong)a < (ulong)b) * 2);
}
