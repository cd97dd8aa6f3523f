// A three-dimensional group shares a brick of data; groups of several shapes.
// LAUNCH: global=8x4x4 local=4x2x2 args: x=rand:i32:4x4x8 y=zeros:i32:4x4x8
// LAUNCH: global=3x5x2 local=3x1x2 args: x=rand:i32:2x5x3 y=zeros:i32:2x5x3
// LAUNCH: global=2x2x2 local=1x1x1 args: x=rand:i32:2x2x2 y=zeros:i32:2x2x2
kernel void mirror(global const int *x, global int *y) {
  local int brick[64];
  size_t gx = get_global_id(0), gy = get_global_id(1), gz = get_global_id(2);
  size_t lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  size_t nx = get_local_size(0), ny = get_local_size(1), nz = get_local_size(2);
  size_t at = (gz * get_global_size(1) + gy) * get_global_size(0) + gx;
  brick[(lz * ny + ly) * nx + lx] = x[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  int opposite = brick[((nz - 1 - lz) * ny + (ny - 1 - ly)) * nx + (nx - 1 - lx)];
  int sum = 0;
  for (size_t z = 0; z < nz; ++z)
    for (size_t i = 0; i < nx; ++i)
      sum += brick[(z * ny + ly) * nx + i];
  y[at] = opposite * 1000 + sum + (int)(get_group_id(2) * 100 + get_group_id(1) * 10);
}
