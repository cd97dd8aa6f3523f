// Functions whose precision OpenCL leaves open (exp, log, and what is made from them), in the
// shape of the Black-Scholes formula. Every result is one function of exact values.
// LAUNCH: global=64 local=16 tolerance=6ulp args: s=rand:f32:64:1:100 out=zeros:f32:64x4 r=0.02
kernel void terms(global const float *s, global float4 *out, float r) {
  int g = get_global_id(0);
  float m = s[g] / 50.0f;
  out[g] = (float4)(log(m), exp(-r * m), sqrt(m), erfc(m));
}
