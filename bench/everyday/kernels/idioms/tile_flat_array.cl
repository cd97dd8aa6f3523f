//: global 1024 512
//: local 16 16
//: arg r.random(524288, np.float32)
//: arg np.zeros(524288, np.float32)
//: arg np.int32(1024)
//: arg np.int32(512)
// The tile is one array, and its size an expression of the group's.
kernel void mean(global const float *in, global float *out, int w, int h) {
  local float tile[18 * 18];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  int tw = get_local_size(0) + 2, th = get_local_size(1) + 2;
  int size = get_local_size(0) * get_local_size(1);
  for (int k = mad24(ly, (int)get_local_size(0), lx); k < tw * th; k += size) {
    int r = k / tw, c = k - r * tw;
    int gx = (int)(get_group_id(0) * get_local_size(0)) + c - 1, gy = (int)(get_group_id(1) * get_local_size(1)) + r - 1;
    tile[k] = gx < 0 || gy < 0 || gx >= w || gy >= h ? 0.0f : in[gy * w + gx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) sum += tile[(ly + j) * tw + lx + i];
  out[y * w + x] = sum / 9;
}
