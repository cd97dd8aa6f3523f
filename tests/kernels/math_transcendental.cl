// Transcendental functions, each with the largest error that OpenCL allows it anywhere here.
// LAUNCH: kernel=functions global=64 local=16 tolerance=16ulp args: x=rand:f32:64:0.1:4 y=rand:f32:64:-2:2 out=zeros:f32:64x16
// LAUNCH: kernel=quads global=64 local=16 tolerance=16ulp args: x=rand:f32:256:0.1:4 out=zeros:f32:256
kernel void functions(global const float *x, global const float *y, global float16 *out) {
  size_t g = get_global_id(0);
  float a = x[g], b = y[g], c;
  float16 r = (float16)(sin(a), cos(b), tan(b * 0.5f), exp(b), exp2(b), exp10(b), log(a + 1.0f),
                        log2(a + 1.0f), log10(a + 1.0f), pow(a, b), rsqrt(a), cbrt(b),
                        hypot(a, b), atan2(b, a), tanh(b), 0.0f);
  r.sf = sincos(a, &c) * 0.0f + c;
  out[g] = r;
}

// Four neighbours of a work-item each: elements of vectors choose one by one, too.
kernel void quads(global const float4 *x, global float4 *out) {
  size_t g = get_global_id(0);
  float4 a = x[g];
  out[g] = select(log(a + 1.0f), exp(a), a > 1.0f);
}
