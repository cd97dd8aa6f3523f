// A filter of 5 x 5 bytes whose weights are a table: known numbers, once the loops are unrolled.
// LAUNCH: global=24x5 local=8x1 args: in=rand:u8:9x28 out=zeros:u8:9x28 w=28
// LAUNCH: global=7x3 local=7x3 args: in=rand:u8:7x11 out=zeros:u8:7x11 w=11
kernel void sharpen(global const uchar *in, global uchar *out, int w) {
  const int weights[25] = {0, 0, -1, 0, 0, 0, -1, -2, -1, 0, -1, -2, 24,
                           -2, -1, 0, -1, -2, -1, 0, 0, 0, -1, 0, 0};
  int x = get_global_id(0) + 2, y = get_global_id(1) + 2, sum = 0;
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      sum += weights[j * 5 + i] * in[(y + j - 2) * w + x + i - 2];
  out[y * w + x] = convert_uchar_sat(sum >> 3);
}
