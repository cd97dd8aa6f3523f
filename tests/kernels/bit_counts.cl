// Bits that are counted one by one, and loops that only look so.
// LAUNCH: global=64 local=16 args: x=rand:i32:64:-2147483648:2147483647 out=zeros:i32:64x12
kernel void bit_counts(global const int *x, global int *out) {
  size_t i = get_global_id(0);
  int n = x[i];
  uint u = (uint)n >> (i & 31);
  ulong wide = (ulong)u * 0x9e3779b97f4a7c15;
  global int *r = out + 12 * i;
  int count = 0;
  for (uint v = u; v; v &= v - 1) count++;
  r[0] = count;
  uint bits = 7;
  for (ulong v = wide; v != 0; v >>= 1) bits += v & 1;
  r[1] = bits;
  short few = 0;
  for (int k = 0; k < 20; k++) few += (n >> k) & 1;
  r[2] = few;
  count = i;
  for (int k = 0; k < 32; ++k)
    if (n & (1 << k)) count++;
  r[3] = count;
  long twos = 5, left = wide;
  while (left) { left = left & (left - 1); twos -= 2; }
  r[4] = twos + left;
  uchar byte = 0;
  for (uint v = u & 255; v; v /= 2) if (v & 1) byte++;
  r[5] = byte;
  // The number itself.
  int same = 0;
  for (int k = 0; k < 32; k++) same += n & (1 << k);
  r[6] = same;
  // Every second bit, the upper ones, and their places.
  count = 0;
  for (int k = 0; k < 32; k += 2) count += (n >> k) & 1;
  r[7] = count;
  count = 0;
  for (int k = 8; k < 32; k++) count += (n >> k) & 1;
  r[8] = count;
  count = 0;
  for (int k = 0; k < 32; k++) count += ((n >> k) & 1) * k;
  r[9] = count;
  // The length in bits.
  count = 0;
  for (uint v = u; v; v >>= 1) count++;
  r[10] = count;
  count = 0;
  for (uint v = u; v; v &= v - 2) { count++; if (count > 40) break; }
  r[11] = count;
}
