// Numbers that grow from work-item to work-item by more than their type holds.
// LAUNCH: global=40 local=20 args: out=zeros:u32:40x4 n=3
kernel void progressions(global uint4 *out, uint n) {
  uint i = get_global_id(0), l = get_local_id(0) * 7 + 1;
  uchar c = (uchar)((uchar)i * (uchar)77);
  ushort s = (ushort)((ushort)l << 14);
  uint low = l << 30, big = i * 0xC0000000u + n;
  out[i] = (uint4)(low <= (i << 31) ? low : big, c > 100 ? c : s, low + big, (uint)(i * 0x7000000000000001ul >> 32));
}
