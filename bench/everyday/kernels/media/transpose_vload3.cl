//: global 512 512
//: local 32 8
//: arg r.integers(0, 256, 512 * 512 * 3, np.uint8)
//: arg np.zeros(512 * 512 * 3, np.uint8)
//: arg np.int32(512)
//: arg np.int32(512)
#define TILE 32
__kernel void transpose(__global const uchar *src, __global uchar *dst, int w, int h) {
  __local uchar tile[TILE][TILE * 3 + 4];
  int gx = get_group_id(0), gy = get_group_id(1) ;
  int lx = get_local_id(0), ly = get_local_id(1);
  if ((gy & 3) == 0) {
    int by = gy / 4 * TILE;
    int x = gx * TILE + lx;
    for (int j = ly; j < TILE; j += 8) {
      int y = by + j;
      if (x < w && y < h) vstore3(vload3(y * w + x, src), lx, tile[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int ox = by + lx;
    for (int j = ly; j < TILE; j += 8) {
      int oy = gx * TILE + j;
      if (ox < h && oy < w) vstore3(vload3(j, tile[lx]), oy * h + ox, dst);
    }
  }
}
