//: global 512 384
//: local 16 16
//: arg r.integers(0, 256, 512 * 384 * 3, np.uint8).view([("c", "u1", 3)])
//: arg np.zeros(512 * 384 * 3, np.uint8).view([("c", "u1", 3)])
//: arg np.int32(512)
//: arg np.int32(384)
typedef struct { uchar c[3]; } bgr_t;
__kernel void rotate90(__global const bgr_t *src, __global bgr_t *dst, int cols, int rows) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < cols && y < rows)
    dst[x * rows + (rows - 1 - y)] = src[y * cols + x];
}
