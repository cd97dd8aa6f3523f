// vload and vstore of all widths at addresses that are aligned to elements only, in global,
// local, private and constant memory.
// LAUNCH: global=4 local=2 args: x=rand:i32:80 table=rand:i16:16 y=zeros:i32:80 z=zeros:i16:64
kernel void unaligned(global const int *x, constant short *table, global int *y,
                      global short *z) {
  local int tile[34];
  int g = get_global_id(0), l = get_local_id(0);
  int2 a = vload2(g, x + 1);
  int4 b = vload4(g, x + 3);
  int8 c = vload8(g, x + 5);
  int16 d = vload16(g, x + 7);
  int own[5];
  vstore4(b, 0, own + 1);
  own[0] = own[4];
  vstore16(d + (int16)(vload2(1, own), c.s01234567, a, vload4(0, own)), l, tile + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  int3 e = vload3(l, tile + 2);
  vstore16(vload16(1 - l, tile + 1), g, y);
  vstore3(e, g, y + 64);
  vstore8(vload8(g & 1, table), 2 * g, z);
  vstore8(convert_short8(c), 2 * g + 1, z);
}
