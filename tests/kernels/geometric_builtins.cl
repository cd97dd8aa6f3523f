// Geometric functions: dot and cross exactly where the products are, length, distance, normalize
// and the fast ones within their tolerance.
// LAUNCH: kernel=geometry global=16 local=4 tolerance=16ulp args: x=rand:f32:16x4:0.5:4 y=rand:f32:16x4:-4:-0.5 out=zeros:f32:16x8
kernel void geometry(global const float4 *x, global const float4 *y, global float8 *out) {
  size_t g = get_global_id(0);
  float4 a = x[g], b = y[g];
  float4 whole = (float4)(floor(a.x), floor(a.y), floor(b.z), floor(b.w));
  float4 c = cross(whole, whole.yzxw);
  out[g] = (float8)(dot(whole, whole.wzyx), c.x + c.y * 2.0f + c.z * 4.0f + c.w, length(a),
                    distance(a.xy, b.xy), normalize(b.xyz).y, fast_length(a.xyz),
                    fast_distance(a, b), dot(a.x, b.x));
}

// Lengths in the range of float whose squares are not.
// LAUNCH: kernel=extreme_lengths global=4 local=4 tolerance=16ulp args: x=values:f32:3e19,1,-2e38,3e38,1e-30,-2e-30,0,5 out=zeros:f32:4x4
kernel void extreme_lengths(global const float2 *x, global float4 *out) {
  size_t g = get_global_id(0);
  out[g] = (float4)(length(x[g]), distance(x[g], (float2)(0.0f, 0.0f)), normalize(x[g]));
}
