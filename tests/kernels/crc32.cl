// A table in local memory, built together, then looked up by divergent byte values.
// LAUNCH: global=16 local=8 args: text=rand:u8:16x20:0:255 crc=zeros:u32:16 n=20
kernel void checksum(global const uchar *text, global uint *crc, int n) {
  local uint table[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) {
    uint r = i;
    for (int bit = 0; bit < 8; ++bit)
      r = r & 1 ? (r >> 1) ^ 0xEDB88320u : r >> 1;
    table[i] = r;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint c = ~0u;
  for (int i = 0; i < n; ++i)
    c = table[(c ^ text[get_global_id(0) * n + i]) & 0xff] ^ (c >> 8);
  crc[get_global_id(0)] = ~c;
}
