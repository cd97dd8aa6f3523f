__kernel void reduce(__global const float *in, __global float *out, __local float *s) {
  ID l = get_local_id(0), g = get_group_id(0), n = get_local_size(0);
  ID i = g * n * 2 + l;
  s[l] = in[i] + in[i + n];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ID st = n / 2; st > 0; st >>= 1) {
    if (l < st)
      s[l] += s[l + st];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[g] = s[0];
}
