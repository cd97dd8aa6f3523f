// Operators on vectors and between vectors and scalars, element by element.
// LAUNCH: global=16 local=8 args: x=rand:f32:16x4:-8:8 y=rand:f32:16x4:1:8 out=zeros:f32:16x4 iout=zeros:i32:16x4
kernel void arithmetic(global const float4 *x, global const float4 *y, global float4 *out,
                       global int4 *iout) {
  size_t g = get_global_id(0);
  float4 a = x[g], b = y[g];
  float4 r = a + b * 2.0f - 1.0f / b;
  r /= b;
  r -= a.x;
  r = -r + (float4)(0.5f);
  out[g] = r;
  int4 p = convert_int4(a * 16.0f), q = convert_int4(b) + 1;
  int4 s = p / q + p % q;
  s ^= ~p & 0xff;
  s |= q << 4;
  s += (p >> 2) - (q >> (int4)(0, 1, 2, 3));
  s++;
  iout[g] = s * 3;
}
