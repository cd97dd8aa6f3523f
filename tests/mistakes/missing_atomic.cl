// FIRST: race 8:3 8:3
// REMEDY: use atomic_add
// LAUNCH: global=64 local=16 args: x=iota:i32:64 bins=zeros:i32:4
// LAUNCH: global=64 local=16 options=-DMENDED args: x=iota:i32:64 bins=zeros:i32:4
kernel void histogram(global const int *x, global int *bins) {
  int i = get_global_id(0);
#ifndef MENDED
  bins[x[i] % 4] += 1;
#else
  atomic_add(&bins[x[i] % 4], 1);
#endif
}
