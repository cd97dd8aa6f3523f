// Angles of all sizes side by side: some work-items, and some elements of a vector, reduce large
// ones. Half of the work-items skip the last function.
// LAUNCH: kernel=different global=16 local=16 tolerance=4ulp args: x=rand:f32:16:-4:4 out=zeros:f32:16x4
kernel void different(global const float *x, global float4 *out) {
  size_t g = get_global_id(0);
  float a = ldexp(x[g], (int)(g % 7) * 20), s = 0.0f;
  float2 c = cos((float2)(g % 3 ? a : 1.0f, g % 9 ? x[g] : INFINITY));
  if (g % 2) s = sin(a * 3.0f);
  out[g] = (float4)(c, s, a);
}

// All work-items have the same angle: a branch of scalars.
// LAUNCH: kernel=same global=8 local=8 tolerance=4ulp args: a=1.0e9 out=zeros:f32:8
// LAUNCH: kernel=same global=8 local=8 tolerance=4ulp args: a=3.0 out=zeros:f32:8
kernel void same(float a, global float *out) {
  size_t g = get_global_id(0);
  out[g] = sin(a) + (float)g;
}
