// A tile is read by rows and written by columns, in a non-square grid of square groups.
// LAUNCH: global=16x8 local=4x4 args: in=rand:f32:8x16 out=zeros:f32:16x8 tile=local:64 w=16 h=8
// LAUNCH: global=4x12 local=2x2 args: in=rand:f32:12x4 out=zeros:f32:4x12 tile=local:16 w=4 h=12
kernel void transpose(global const float *in, global float *out, local float *tile, int w,
                      int h) {
  int lx = get_local_id(0), ly = get_local_id(1), n = get_local_size(0);
  int x0 = get_group_id(0) * n, y0 = get_group_id(1) * n;
  tile[ly * n + lx] = in[(y0 + ly) * w + x0 + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(x0 + ly) * h + y0 + lx] = tile[lx * n + ly];
}
