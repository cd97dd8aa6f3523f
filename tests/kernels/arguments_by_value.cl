// Scalars and vectors of all sizes as arguments; they are private and can be changed.
// LAUNCH: global=4 local=2 args: out=zeros:f32:4x8 a=-5 b=200 c=-300 d=60000 e=-70000 f=4000000000 g=-5000000000 h=5000000000 i=0.1 j=f32x4(1,2,3,4) k=u8x2(5,6) m=i16x3(-1,-2,-3) n=f64(0.3)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void arguments(global float *out, char a, uchar b, short c, ushort d, int e, uint f,
                      long g, ulong h, float i, float4 j, uchar2 k, short3 m, double n) {
  size_t id = get_global_id(0);
  a += id;
  j.y += a;
  for (; e < -69998; ++e)
    i += 1.0f;
  vstore8((float8)(a + b, c + d, f / 1000000u, g / 1000000 + (long)(h / 1000000), i, j.y + j.w,
                   k.x * 10 + k.y + m.z, (float)n),
          id, out);
}
