// Unions: the same bytes as different types, in private memory and in a structure.
// LAUNCH: global=8 local=4 args: x=rand:f32:8:-9:9 y=zeros:u32:8x4
typedef union { float f; uint u; uchar4 b; ushort h[2]; } Word;
typedef struct { int kind; union { int i; float f; } as; } Variant;

float value_of(Variant v) { return v.kind == 0 ? (float)v.as.i : v.as.f; }

kernel void punning(global const float *x, global uint4 *y) {
  size_t g = get_global_id(0);
  Word w;
  w.f = x[g];
  uint sign = w.u >> 31;
  w.b.w ^= 0x80;
  uint flipped = w.u;
  w.h[0] = (ushort)g;
  Variant v;
  v.kind = g & 1;
  if (v.kind == 0)
    v.as.i = (int)g * 3;
  else
    v.as.f = x[g] * 0.5f;
  y[g] = (uint4)(sign, flipped, w.u, as_uint(value_of(v)));
}
