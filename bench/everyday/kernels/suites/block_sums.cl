//: global 640 15
//: local 32 1
//: arg r.integers(0, 4000, 20 * 15 * 41 * 1096, np.uint16)
//: arg np.int32(20)
//: arg np.int32(15)
// Differences of blocks of 8 x 8 of those of 4 x 4, for each of 1089 places.
#define PLACES 1089
#define PADDED 1096
kernel void larger_blocks(global ushort *sums, int width, int height) {
  int mx = get_group_id(0), my = get_group_id(1);
  int blocks = mul24(width, height) * PADDED;
  int block = (mul24(my, width) + mx) * PADDED;
  global ushort *in = sums + blocks * 25 + block * 16;
  global ushort *tall = sums + blocks * 17 + block * 8;
  global ushort *wide = sums + blocks * 9 + block * 8;
  global ushort *all = sums + blocks * 5 + block * 4;
  for (int b = 0; b < 4; b++) {
    for (int at = get_local_id(0); at < (PLACES + 1) / 2; at += 32) {
      uint i00 = ((global uint *)in)[at];
      uint i01 = ((global uint *)in)[at + PADDED / 2];
      uint i10 = ((global uint *)in)[at + 4 * PADDED / 2];
      uint i11 = ((global uint *)in)[at + 5 * PADDED / 2];
      ((global uint *)tall)[at] = i00 + i10;
      ((global uint *)tall)[at + PADDED / 2] = i01 + i11;
      ((global uint *)wide)[at] = i00 + i01;
      ((global uint *)wide)[at + 2 * PADDED / 2] = i10 + i11;
      ((global uint *)all)[at] = (i00 + i01) + (i10 + i11);
    }
    in += (b == 1 ? 10 : 2) * PADDED - (b == 1 ? 4 * PADDED : 0);
    tall += 2 * PADDED;
    wide += (b == 1 ? 3 : 1) * PADDED;
    all += PADDED;
  }
}
