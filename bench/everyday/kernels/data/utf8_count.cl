//: global 8192
//: local 64
//: arg np.frombuffer(('naïve café — žluťoučký kůň 日本語 text, plain text and more ' * 20000).encode(), np.uint8)[:128 * 8192].copy()
//: arg np.zeros(8192, np.int32)
//: arg np.zeros(8192, np.int32)
//: arg np.uint32(128)
// Characters and units of UTF-16 in each chunk of a text in UTF-8.
kernel void count(global const uchar *text, global int *chars, global int *units, uint chunk) {
  size_t id = get_global_id(0);
  size_t end = (id + 1) * chunk;
  int c = 0, u = 0;
  for (size_t i = id * chunk; i < end; ++i) {
    uchar b = text[i];
    if ((b & 0xC0) != 0x80) {
      ++c;
      u += b >= 0xF0 ? 2 : 1;
    }
  }
  chars[id] = c;
  units[id] = u;
}
