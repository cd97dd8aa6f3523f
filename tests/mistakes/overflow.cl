// FIRST: bounds 13:12
// REMEDY: 3 * 1000000000 is 3000000000, and becomes -1294967296; compute it with 64 bits
// LAUNCH: global=4 local=4 args: x=zeros:u8:64 y=zeros:u8:4 stride=1000000000 n=64
// LAUNCH: global=4 local=4 options=-DMENDED args: x=zeros:u8:64 y=zeros:u8:4 stride=1000000000 n=64
kernel void column(global const uchar *x, global uchar *y, int stride, int n) {
  int i = get_global_id(0);
#ifndef MENDED
  int at = i * stride;
#else
  long at = (long)i * stride;
#endif
  if (at < n)
    y[i] = x[at];
}
