//: global 1024 512
//: local 64 4
//: arg r.random(1024 * 512, np.float32)
//: arg np.zeros(1024 * 512, np.float32)
//: arg r.random(17, np.float32)
//: arg np.int32(1024)
//: arg np.int32(512)
// The rows of a separable filter: tiles with a halo in local memory, the border repeated.
#define RADIUS 8
#define TX 64
#define TY 4
__kernel __attribute__((reqd_work_group_size(TX, TY, 1)))
void rows(__global const float *in, __global float *out, __constant float *coeff, int w, int h) {
  __local float tile[TY][TX + 2 * RADIUS];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int x = get_global_id(0), y = get_global_id(1);
  const int base = get_group_id(0) * TX - RADIUS;
  for (int i = lx; i < TX + 2 * RADIUS; i += TX) {
    int sx = base + i;
    sx = sx < 0 ? 0 : (sx > w - 1 ? w - 1 : sx);
    tile[ly][i] = in[y * w + sx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  #pragma unroll
  for (int k = -RADIUS; k <= RADIUS; k++)
    sum += coeff[k + RADIUS] * tile[ly][lx + RADIUS + k];
  if (x < w && y < h) out[y * w + x] = sum;
}
