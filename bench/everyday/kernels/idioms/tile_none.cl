//: global 1024 512
//: local 16 16
//: arg r.random(524288, np.float32)
//: arg np.zeros(524288, np.float32)
//: arg np.int32(1024)
//: arg np.int32(512)
// No tile: each work-item reads its neighbours.
kernel void mean(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) sum += in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)];
  out[y * w + x] = sum / 9;
}
