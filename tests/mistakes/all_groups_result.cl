// FIRST: race 7:3 12:19
// REMEDY: in a kernel that is launched after this one
// LAUNCH: global=128 local=32 args: x=iota:i32:128 part=zeros:i32:4 total=zeros:i32:1
// LAUNCH: global=128 local=32 options=-DMENDED args: x=iota:i32:128 part=zeros:i32:4 total=zeros:i32:1
kernel void sum(global const int *x, global int *part, global int *total) {
  int i = get_global_id(0), g = get_group_id(0);
  atomic_add(&part[g], x[i]);
#ifndef MENDED
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 0)
    for (int k = 0; k < get_num_groups(0); ++k)
      total[0] += part[k];
#endif
}
