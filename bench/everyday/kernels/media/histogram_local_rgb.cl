//: global 65536
//: local 256
//: arg r.integers(0, 256, (262144, 4), np.uint8)
//: arg np.zeros(768, np.uint32)
//: arg np.int32(262144)
__kernel void histogram_rgb(__global const uchar4 *img, __global uint *hist, int n) {
  __local uint h[3 * 256];
  int l = get_local_id(0);
  for (int i = l; i < 768; i += get_local_size(0)) h[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    uchar4 p = img[i];
    atomic_inc(&h[p.x]);
    atomic_inc(&h[256 + p.y]);
    atomic_inc(&h[512 + p.z]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < 768; i += get_local_size(0))
    if (h[i]) atomic_add(&hist[i], h[i]);
}
