//: global 65536
//: local 64
//: arg (r.random((1024, 512)) < 0.01).astype(np.uint8).ravel()
//: arg np.zeros(1024, np.uint32)
//: arg np.uint32(512)
// Place of the first set byte of each row: each work-item looks in steps of the group and stops.
__kernel void first_set(__global const uchar *rows, __global uint *where, uint len) {
  __local uint least;
  uint l = get_local_id(0);
  if (l == 0) least = len;
  barrier(CLK_LOCAL_MEM_FENCE);
  __global const uchar *row = rows + get_group_id(0) * len;
  for (uint i = l; i < len; i += get_local_size(0)) {
    if (row[i]) {
      atomic_min(&least, i);
      break;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) where[get_group_id(0)] = least;
}
