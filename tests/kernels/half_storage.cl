// vload_half and vstore_half: half precision in memory, all rounding modes.
// LAUNCH: global=16 local=4 args: x=rand:f32:16:-1000:1000 h=rand:f16:16:-2:2 out=zeros:f16:64 y=zeros:f32:16
// LAUNCH: global=8 local=8 args: x=values:f32:0,-0.0,1e-7,65504,65520,1e6,6.1e-5,-3e-8 h=values:f16:0,1,-1,6e-8,65504,0.1,-0.0,2 out=zeros:f16:32 y=zeros:f32:8
kernel void halves(global const float *x, global const half *h, global half *out,
                   global float *y) {
  size_t g = get_global_id(0);
  float f = x[g];
  vstore_half(f, 4 * g, out);
  vstore_half_rtz(f, 4 * g + 1, out);
  vstore_half_rtp(f, 4 * g + 2, out);
  vstore_half_rtn(f, 4 * g + 3, out);
  float4 four = vload_half4(g / 4, h);
  y[g] = vload_half(g, h) * 3.0f + four.x;
}
