//: global 512 256
//: local 64 4
//: data g = np.mgrid[0:256, 0:512].astype(np.float32)
//: data m = np.stack([g[1] + 3 * np.sin(g[0] / 9), g[0] + 4 * np.cos(g[1] / 13)], -1).astype(np.float32)
//: arg r.integers(0, 256, 512 * 256, np.uint8)
//: arg m.copy()
//: arg np.zeros(512 * 256, np.uint8)
//: arg np.int32(512)
//: arg np.int32(256)
kernel void remap(global const uchar *src, global const float2 *map, global uchar *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  float2 at = map[y * w + x];
  int2 base = convert_int2_rtn(at);
  float2 f = at - convert_float2(base);
  int fx = f.x * 32, fy = f.y * 32;
  int sum = 0;
#pragma unroll
  for (int j = 0; j < 2; j++)
#pragma unroll
    for (int i = 0; i < 2; i++) {
      int px = base.x + i, py = base.y + j;
      int v = (px >= 0 && px < w && py >= 0 && py < h) ? src[mad24(py, w, px)] : 0;
      sum += v * (i ? fx : 32 - fx) * (j ? fy : 32 - fy);
    }
  dst[y * w + x] = (sum + 512) >> 10;
}
