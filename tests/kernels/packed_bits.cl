// Numbers of some bits each, read word by word through a pointer that goes on where data say.
// LAUNCH: global=32 local=16 args: packed=bits:u32:200 starts=rand:u32:32:0:100 widths=rand:u32:32:1:32 out=zeros:u32:512
kernel void unpack(global const uint *packed, global const uint *starts, global const uint *widths, global uint *out) {
  uint i = get_global_id(0), bits = widths[i], have = 0;
  global const uint *p = packed + starts[i];
  ulong read = 0;
  for (uint k = 0; k < 16; k++) {
    if (have < bits) {
      read |= (ulong)(*p++) << have;
      have += 32;
    }
    out[i * 16 + k] = (uint)(read & ((1ul << bits) - 1));
    read >>= bits;
    have -= bits;
  }
}
