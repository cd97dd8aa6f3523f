// The guard at the head of a kernel for sizes that are no multiple of the group; no barrier after.
// LAUNCH: global=32 local=8 args: x=rand:f32:29 y=zeros:f32:29 n=29
kernel void guarded(global const float *x, global float *y, uint n) {
  if (get_global_id(0) >= n)
    return;
  size_t i = get_global_id(0);
  if (x[i] < 0.25f) {
    y[i] = -1.0f;
    return;
  }
  y[i] = x[i] * 2.0f;
}
