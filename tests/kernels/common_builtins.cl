// Common functions: clamp, max, min, mix, sign, step, degrees and radians; also with a scalar as
// the last argument.
// LAUNCH: global=16 local=4 tolerance=2ulp args: x=rand:f32:16x4:-4:4 y=rand:f32:16x4:-4:4 out=zeros:f32:16x4 angle=zeros:f32:16x2
kernel void common(global const float4 *x, global const float4 *y, global float4 *out,
                   global float2 *angle) {
  size_t g = get_global_id(0);
  float4 a = x[g], b = y[g];
  float4 r = clamp(a, -1.0f, 1.0f) + max(a, b) * 2.0f - min(b, 0.5f);
  r += sign(a) + step(b, a) * 4.0f + step(0.0f, b) * 8.0f;
  r.w = clamp(r.w, a.x, a.x + 2.0f);
  out[g] = r;
  angle[g] = (float2)(degrees(a.x), radians(b.y));
}
