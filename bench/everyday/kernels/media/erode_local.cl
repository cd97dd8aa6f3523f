//: global 512 512
//: local 16 16
//: arg r.integers(0, 256, 512 * 512, np.uint8)
//: arg np.zeros(512 * 512, np.uint8)
//: arg np.int32(512)
//: arg np.int32(512)
#define R 2
__kernel void erode(__global const uchar *src, __global uchar *dst, int w, int h) {
  __local uchar t[16 + 2 * R][16 + 2 * R];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x0 = get_group_id(0) * 16 - R, y0 = get_group_id(1) * 16 - R;
  for (int k = ly * 16 + lx; k < (16 + 2 * R) * (16 + 2 * R); k += 256) {
    int tx = k % (16 + 2 * R), ty = k / (16 + 2 * R);
    int gx = x0 + tx, gy = y0 + ty;
    t[ty][tx] = (gx >= 0 && gx < w && gy >= 0 && gy < h) ? src[gy * w + gx] : 255;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar m = 255;
  for (int j = 0; j <= 2 * R; j++)
    for (int i = 0; i <= 2 * R; i++) m = min(m, t[ly + j][lx + i]);
  dst[(y0 + R + ly) * w + x0 + R + lx] = m;
}
