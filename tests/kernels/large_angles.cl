// Angles of all sizes side by side: some work-items, and some elements of a vector, reduce large
// ones. Half of the work-items skip the last function.
// LAUNCH: kernel=single global=64 local=32 tolerance=5ulp args: x=rand:f32:64:-4:4 out=zeros:f32:64x4 quads=zeros:f32:64x4
// LAUNCH: kernel=single global=22 local=11 tolerance=5ulp args: x=rand:f32:22:-4:4 out=zeros:f32:22x4 quads=zeros:f32:22x4
kernel void single(global const float *x, global float4 *out, global float4 *quads) {
  size_t g = get_global_id(0);
  float a = ldexp(x[g], (int)(g % 7) * 20), c;
  float s = sincos(a, &c);
  out[g] = (float4)(s, c, tan(a), g % 2 ? sin(a * 3.0f) : 0.0f);
  quads[g] = cos((float4)(a, x[g], INFINITY, g % 3 ? a : 1.0f));
}

// LAUNCH: kernel=wide global=40 local=20 tolerance=5ulp args: x=rand:f64:40:-4:4 out=zeros:f64:40x4
kernel void wide(global const double *x, global double4 *out) {
  size_t g = get_global_id(0);
  double a = ldexp(x[g], (int)(g % 7) * 150), c;
  double s = sincos(a, &c);
  out[g] = (double4)(s, c, tan(x[g]), g % 2 ? sin(a * 3.0) : 0.0);
}

// LAUNCH: kernel=same global=32 local=32 tolerance=5ulp args: a=1.0e9 out=zeros:f32:32
// LAUNCH: kernel=same global=32 local=32 tolerance=5ulp args: a=3.0 out=zeros:f32:32
kernel void same(float a, global float *out) {
  size_t g = get_global_id(0);
  out[g] = sin(a) * cos((float)g);
}
