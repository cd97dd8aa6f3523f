//: global 40 30 16
//: local 8 1 1
//: arg r.integers(0, 256, 336 * 256, np.uint8)
//: arg r.integers(0, 256, 336 * 256, np.uint8)
//: arg np.zeros(40 * 30 * 16, np.ushort)
//: arg np.int32(336)
// Differences of 8 x 8 bytes, for each of 16 places.
kernel void sad(global const uchar *cur, global const uchar *ref, global ushort *out, int pitch) {
  int bx = get_global_id(0), by = get_global_id(1), place = get_global_id(2);
  int ox = place & 3, oy = place >> 2;
  ushort sum = 0;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      sum += abs_diff(cur[(by * 8 + y) * pitch + bx * 8 + x],
                      ref[(by * 8 + y + oy) * pitch + bx * 8 + x + ox]);
  out[(by * 40 + bx) * 16 + place] = sum;
}
