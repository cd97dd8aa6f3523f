//: global 512 512
//: local 8 8
//: arg r.integers(0, 256, 512 * 512, np.uint8)
//: arg np.zeros(512 * 512 // 8, np.uint8)
//: arg np.int32(512)
//: kernel pack
// Ordered dither to one bit, packed: lanes 0 of each 8 pixels write a byte.
__constant uchar pattern[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
kernel void pack(global const uchar *img, global uchar *bits, int w) {
  local uchar row[8][8];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  row[ly][lx] = img[y * w + x] > pattern[y & 3][x & 3] * 16 + 8;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lx == 0) {
    uchar b = 0;
    for (int k = 0; k < 8; k++) b |= row[ly][k] << (7 - k);
    bits[(y * w + x) >> 3] = b;
  }
}
