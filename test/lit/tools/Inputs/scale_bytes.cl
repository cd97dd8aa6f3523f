kernel void scale_bytes(global const uchar *x, uchar factor, global uchar *y, global float *f,
                        local int *tile) {
  int i = get_global_id(0);
  int lid = get_local_id(0);
  tile[lid] = x[i] * factor;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[1 - lid];
  if (i < 2)
    f[i] /= 3;
}
