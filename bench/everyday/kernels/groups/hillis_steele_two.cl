//: global 524288
//: local 256
//: arg r.random(1 << 19, np.float32)
//: arg np.zeros(1 << 19, np.float32)
//: arg LocalBytes(2048)
//: arg np.int32(1 << 19)
// Double-buffered inclusive scan with pout and pin.
__kernel void naive_scan(__global const float *g_idata, __global float *g_odata, __local float *temp, int n) {
  int thid = get_local_id(0);
  int size = get_local_size(0);
  int gid = get_global_id(0);
  int pout = 0, pin = 1;
  temp[pout * size + thid] = gid < n ? g_idata[gid] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 1; offset < size; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * size + thid] = temp[pin * size + thid] + temp[pin * size + thid - offset];
    else
      temp[pout * size + thid] = temp[pin * size + thid];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (gid < n) g_odata[gid] = temp[pout * size + thid];
}
