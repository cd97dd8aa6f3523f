// Geometric functions: dot and cross exactly where the products are, length, distance, normalize
// and the fast ones within their tolerance.
// LAUNCH: global=16 local=4 tolerance=16ulp args: x=rand:f32:16x4:0.5:4 y=rand:f32:16x4:-4:-0.5 out=zeros:f32:16x8
kernel void geometry(global const float4 *x, global const float4 *y, global float8 *out) {
  size_t g = get_global_id(0);
  float4 a = x[g], b = y[g];
  float4 whole = (float4)(floor(a.x), floor(a.y), floor(b.z), floor(b.w));
  float4 c = cross(whole, whole.yzxw);
  out[g] = (float8)(dot(whole, whole.wzyx), c.x + c.y * 2.0f + c.z * 4.0f + c.w, length(a),
                    distance(a.xy, b.xy), normalize(b.xyz).y, fast_length(a.xyz),
                    fast_distance(a, b), dot(a.x, b.x));
}
