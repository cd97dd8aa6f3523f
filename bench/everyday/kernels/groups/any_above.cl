//: global 524288
//: local 256
//: arg r.random(1 << 19, np.float32)
//: arg np.zeros(2048, np.int32)
//: arg np.float32(0.9995)
// Whether any element of a block exceeds a limit.
__kernel void any_above(__global const float *x, __global int *any_, float limit) {
  __local int found;
  if (get_local_id(0) == 0) found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x[get_global_id(0)] > limit) found = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) any_[get_group_id(0)] = found;
}
