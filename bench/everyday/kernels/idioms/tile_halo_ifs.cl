//: global 1024 512
//: local 16 16
//: arg r.random(524288, np.float32)
//: arg np.zeros(524288, np.float32)
//: arg np.int32(1024)
//: arg np.int32(512)
// Each work-item copies its own element, and those at the edge of the group the halo.
#define S 16
kernel void mean(global const float *in, global float *out, int w, int h) {
  local float tile[S + 2][S + 2];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  int l = max(x - 1, 0), r = min(x + 1, w - 1), a = max(y - 1, 0), b = min(y + 1, h - 1);
  tile[ly + 1][lx + 1] = in[y * w + x];
  if (lx == 0) tile[ly + 1][0] = in[y * w + l];
  if (lx == S - 1) tile[ly + 1][S + 1] = in[y * w + r];
  if (ly == 0) tile[0][lx + 1] = in[a * w + x];
  if (ly == S - 1) tile[S + 1][lx + 1] = in[b * w + x];
  if (lx == 0 && ly == 0) tile[0][0] = in[a * w + l];
  if (lx == S - 1 && ly == 0) tile[0][S + 1] = in[a * w + r];
  if (lx == 0 && ly == S - 1) tile[S + 1][0] = in[b * w + l];
  if (lx == S - 1 && ly == S - 1) tile[S + 1][S + 1] = in[b * w + r];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) sum += tile[ly + j][lx + i];
  out[y * w + x] = sum / 9;
}
