//: global 9 9 512
//: local 9 9 1
//: arg np.where(r.random((512, 81)) < 0.4, r.integers(1, 10, (512, 81)), 0).astype(np.uint8)
//: arg np.zeros((512, 81), np.uint16)
// The numbers that each free cell may have, as bits.
__kernel void candidates(__global const uchar *boards, __global ushort *bits) {
  __local uchar b[81];
  int x = get_local_id(0), y = get_local_id(1), n = get_global_id(2);
  b[y * 9 + x] = boards[n * 81 + y * 9 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int used = 0;
  if (b[y * 9 + x] == 0) {
    for (int k = 0; k < 9; k++) {
      used |= 1 << b[y * 9 + k];
      used |= 1 << b[k * 9 + x];
      used |= 1 << b[(y / 3 * 3 + k / 3) * 9 + x / 3 * 3 + k % 3];
    }
    used = ~used & 0x3fe;
  }
  bits[n * 81 + y * 9 + x] = (ushort)used;
}
