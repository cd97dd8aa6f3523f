// reqd_work_group_size and other kernel attributes; a kernel that calls another kernel.
// LAUNCH: kernel=outer global=12x4 local=6x2 args: x=rand:i32:4x12 y=zeros:i32:4x12
__kernel __attribute__((work_group_size_hint(6, 2, 1))) void inner(__global const int *x,
                                                                 __global int *y, int n) {
  size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  y[at] = x[at] * n + (int)get_local_size(0);
}

__kernel __attribute__((reqd_work_group_size(6, 2, 1), vec_type_hint(float4)))
void outer(__global const int *restrict x, __global int *restrict y) {
  __local int sum;
  if (get_local_id(0) == 0 && get_local_id(1) == 0)
    sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&sum, x[get_global_id(1) * get_global_size(0) + get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  inner(x, y, sum);
}
