//: global 8192
//: local 128
//: data V = r.integers(0, 1 << 14, (8192, 16))
//: data B = np.stack([(V & 127) | np.where(V > 127, 128, 0), V >> 7], 2)
//: arg np.concatenate([np.pad(row[keep], (0, 32 - keep.sum())) for row, keep in ((b.reshape(-1), np.stack([np.ones(16, bool), v > 127], 1).reshape(-1)) for b, v in zip(B, V))]).astype(np.uint8)
//: arg np.zeros((8192, 16), np.uint32)
// 16 numbers in bytes of seven bits.
kernel void leb128(global const uchar *coded, global uint *numbers) {
  const uint id = get_global_id(0);
  global const uchar *p = coded + 32 * id;
  for (uint n = 0; n < 16; n++) {
    uint value = 0, shift = 0;
    uchar byte;
    do {
      byte = *p++;
      value |= (uint)(byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    numbers[16 * id + n] = value;
  }
}
