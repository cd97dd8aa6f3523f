// FIRST: uninitialised 14:3 11:3
// REMEDY: give the variable a value on every path
// LAUNCH: global=4 local=4 args: x=iota:i32:4 y=zeros:i32:4
// LAUNCH: global=4 local=4 options=-DMENDED args: x=iota:i32:4 y=zeros:i32:4
kernel void last(global const int *x, global int *y) {
#ifndef MENDED
  int i = get_global_id(0), found;
#else
  int i = get_global_id(0), found = -1;
#endif
  for (int j = 0; j < 4; ++j)
    if (x[j] > i)
      found = j;
  y[i] = found;
}
