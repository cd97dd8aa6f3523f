//: global 4096
//: local 64
//: arg np.zeros(4096, np.uint32)
//: arg np.int32(200)
// Monte Carlo with numbers of 64 bits.
ulong xorshift(ulong *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

kernel void pi(global uint *hits, int n) {
  uint id = get_global_id(0);
  ulong s = 0x9E3779B97F4A7C15UL * (id + 1);
  uint h = 0;
  for (int i = 0; i < n; i++) {
    ulong v = xorshift(&s);
    float x = (uint)(v >> 40) * (1.0f / 16777216.0f);
    float y = (uint)(v & 0xFFFFFF) * (1.0f / 16777216.0f);
    if (x * x + y * y < 1.0f) h++;
  }
  hits[id] = h;
}
