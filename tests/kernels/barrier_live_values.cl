// Values of many types live across barriers: scalars, a vector, a structure, a pointer, values
// that are equal for the group, and values that are cheap to compute again.
// LAUNCH: global=32 local=8 args: x=rand:f32:32:-4:4 y=zeros:f32:32 s=3
// LAUNCH: global=6 local=2 args: x=rand:f32:6:-4:4 y=zeros:f32:6 s=-2
typedef struct { int a; float b; char c; } Mixed;

kernel void live(global const float *x, global float *y, int s) {
  local float tile[8];
  size_t g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  char small = (char)(g * 3);
  ulong wide = (ulong)g << 33;
  double fine = (double)x[g] / 3.0;
  float4 four = (float4)(x[g], (float)l, 1.0f, -x[g]);
  Mixed m = {s + (int)l, x[g] * 2.0f, (char)(s * (int)l)};
  global const float *p = x + g;
  bool odd = (l & 1) != 0;
  int uniform_value = s * s + (int)get_group_id(0);
  tile[l] = x[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = tile[n - 1 - l] + *p;
  four += (float4)(sum);
  m.a += uniform_value;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = odd ? four.x : four.w;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[g] = tile[(l + 1) % n] + (float)small + (float)(wide >> 33) + (float)fine + four.y +
         (float)m.a + m.b + (float)m.c + (float)uniform_value + p[0];
}
