//: global 1152 576
//: local 18 18
//: arg r.random(524288, np.float32)
//: arg np.zeros(524288, np.float32)
//: arg np.int32(1024)
//: arg np.int32(512)
// The group is as large as the tile, and its edge computes nothing.
kernel void mean(global const float *in, global float *out, int w, int h) {
  local float tile[18][18];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = (int)get_group_id(0) * 16 + lx - 1, y = (int)get_group_id(1) * 16 + ly - 1;
  tile[ly][lx] = in[clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lx >= 1 && lx <= 16 && ly >= 1 && ly <= 16 && x < w && y < h) {
    float sum = 0;
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++) sum += tile[ly + j][lx + i];
    out[y * w + x] = sum / 9;
  }
}
