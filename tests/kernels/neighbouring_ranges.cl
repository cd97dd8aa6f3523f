// Each work-group reads ranges that lie one behind the other, or apart, or overlap.
// LAUNCH: global=128 local=64 args: x=rand:f32:512 y=zeros:f32:128 t=local:256 d=64
// LAUNCH: global=96 local=24 args: x=rand:f32:512 y=zeros:f32:128 t=local:96 d=-24
kernel void neighbouring_ranges(global const float *x, global float *y, local float *t, int d) {
  size_t l = get_local_id(0), n = get_local_size(0), g = get_group_id(0);
  const global float *p = x + g * 3 * n;
  t[l] = p[l + 2 * n] + p[l] - p[l + n];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = t[n - 1 - l] + x[g * n + l + 100] * x[g * n + l + 101] +
                        x[128 + g + l + d] * x[256 + g + l + d];
}
