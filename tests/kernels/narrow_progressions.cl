// Ids that are cut off to 8 or 16 bits start again at zero, or at the lowest number, and not only
// where a tile of work-items ends.
// LAUNCH: kernel=narrow global=330 local=33 args: out=zeros:i32:330x4
// LAUNCH: kernel=narrow global=330 local=33 offset=65400 args: out=zeros:i32:65730x4
// LAUNCH: kernel=indices global=330 local=33 args: table=iota:i32:256 out=zeros:i32:330x2
kernel void narrow(global int4 *out) {
  uint i = get_global_id(0), l = get_local_id(0) * 7 + 1;
  out[i] = (int4)((uchar)i, (char)l, (ushort)i, (short)(i << 9));
}

kernel void indices(global const int *table, global int2 *out) {
  uint i = get_global_id(0);
  out[i] = (int2)(table[(uchar)i], table[(char)(i + 7) + 128]);
}
