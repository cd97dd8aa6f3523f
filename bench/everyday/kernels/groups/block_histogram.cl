//: global 32768
//: local 256
//: arg r.integers(0, 256, 1 << 20, np.uint8)
//: arg np.zeros(256, np.uint32)
//: arg np.uint32(1 << 20)
// Counts in local memory, added to the result at the end.
__kernel void histogram(__global const uchar *px, __global uint *hist, uint n) {
  __local uint bins[256];
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0)) bins[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[px[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0))
    if (bins[b]) atomic_add(&hist[b], bins[b]);
}
