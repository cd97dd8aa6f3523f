//: global 1024 512
//: local 16 16
//: arg r.random(524288, np.float32)
//: arg np.zeros(524288, np.float32)
//: arg np.int32(1024)
//: arg np.int32(512)
// The tile is filled by a flat index.
kernel void mean(global const float *in, global float *out, int w, int h) {
  local float tile[18][18];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  int flat = ly * 16 + lx;
  for (int k = flat; k < 18 * 18; k += 16 * 16) {
    int gx = x - lx - 1 + k % 18, gy = y - ly - 1 + k / 18;
    gx = gx < 0 ? 0 : gx >= w ? w - 1 : gx;
    gy = gy < 0 ? 0 : gy >= h ? h - 1 : gy;
    tile[k / 18][k % 18] = in[gy * w + gx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) sum += tile[ly + j][lx + i];
  out[y * w + x] = sum / 9;
}
