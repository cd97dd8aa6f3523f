//: global 1024 512
//: local 16 16
//: arg r.random(524288, np.float32)
//: arg np.zeros(524288, np.float32)
//: arg np.int32(1024)
//: arg np.int32(512)
// A mean of 3 x 3 from a tile, which is filled in steps of the group in both dimensions.
kernel void mean(global const float *in, global float *out, int w, int h) {
  local float tile[18][18];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  int left = get_group_id(0) * get_local_size(0) - 1, top = get_group_id(1) * get_local_size(1) - 1;
  for (int j = ly; j < 18; j += get_local_size(1))
    for (int i = lx; i < 18; i += get_local_size(0))
      tile[j][i] = in[clamp(top + j, 0, h - 1) * w + clamp(left + i, 0, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) sum += tile[ly + j][lx + i];
  out[y * w + x] = sum / 9;
}
