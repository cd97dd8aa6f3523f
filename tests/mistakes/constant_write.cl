// FIRST: constant 9:3
// REMEDY: write to a global array
// LAUNCH: global=4 local=4 args: y=zeros:i32:4
// LAUNCH: global=4 local=4 options=-DMENDED args: y=zeros:i32:4
constant int table[4] = {1, 2, 3, 4};
kernel void change(global int *y) {
  int i = get_global_id(0);
#ifndef MENDED
  ((global int *)(size_t)table)[i] = 7;
#endif
  y[i] = table[i];
}
