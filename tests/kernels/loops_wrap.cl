// Loops whose counters wrap around: unsigned and small counters, large steps, limits at the ends of
// the range; counters that the body changes, and that live on after the loop.
// LAUNCH: global=8 local=4 args: x=values:u32:4294967290,4294967295,0,1,4294967270,100,2147483647,2147483648 y=zeros:u32:8x8
kernel void wrapping(global const uint *x, global uint *y) {
  size_t g = get_global_id(0);
  global uint *r = y + 8 * g;
  uint n = x[g], count = 0, i;
  for (i = n; i < 4294967293u; i += 7) {
    if (++count > 20)
      break;
  }
  r[0] = i;
  r[1] = count;
  count = 0;
  for (uchar c = 250; c != 4; ++c)
    count += c;
  for (char c = 120; c > 0; c += 3)
    count += c;
  r[2] = count;
  for (i = n; i > 5u; i -= 4u)
    if (++count > 3000)
      break;
  r[3] = i;
  r[4] = count;
  for (i = 0; i < 10; ++i) {
    if (i == (n & 7))
      i += 2;
    count += i;
  }
  r[5] = count + i;
  int k = 0;
  for (ushort s = (ushort)n; s < 65535; s += 1000, ++k)
    if (k == 70)
      break;
  r[6] = k;
  uint limit = 10;
  for (uint j = 0; j < limit; ++j)
    limit -= j & n & 1;
  for (uint j = 0; j <= (n & 3u); ++j)
    limit = limit * 3 + j;
  r[7] = limit;
}
