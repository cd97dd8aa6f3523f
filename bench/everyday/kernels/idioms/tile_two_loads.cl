//: global 1024 512
//: local 16 16
//: arg r.random(524288, np.float32)
//: arg np.zeros(524288, np.float32)
//: arg np.int32(1024)
//: arg np.int32(512)
// Two loads of each work-item: its number, and 256 more.
kernel void mean(global const float *in, global float *out, int w, int h) {
  local float tile[18][18];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  int dest = ly * 16 + lx, dy = dest / 18, dx = dest % 18;
  int sy = clamp((int)get_group_id(1) * 16 + dy - 1, 0, h - 1), sx = clamp((int)get_group_id(0) * 16 + dx - 1, 0, w - 1);
  tile[dy][dx] = in[sy * w + sx];
  dest += 256;
  dy = dest / 18, dx = dest % 18;
  if (dy < 18) {
    sy = clamp((int)get_group_id(1) * 16 + dy - 1, 0, h - 1), sx = clamp((int)get_group_id(0) * 16 + dx - 1, 0, w - 1);
    tile[dy][dx] = in[sy * w + sx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) sum += tile[ly + j][lx + i];
  out[y * w + x] = sum / 9;
}
