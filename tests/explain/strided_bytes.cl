// LAUNCH: kernel=slow global=1048576 args: in=rand:u8:5242880 out=zeros:u8:1048576
// LAUNCH: kernel=advised global=1048576 args: in=rand:u8:1048576 out=zeros:u8:1048576
kernel void slow(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  out[i] = 255 - in[5 * i];  // explain: strided
}

kernel void advised(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  out[i] = 255 - in[i];
}
