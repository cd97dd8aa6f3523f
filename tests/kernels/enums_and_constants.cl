// Enumerations, character and integer literals of all bases and suffixes, hexadecimal floats,
// constants of limits.h, constant expressions as array sizes, const locals.
// LAUNCH: global=4 local=2 args: y=zeros:i32:4x10 z=zeros:f32:4x4
enum Colour { RED, GREEN = 5, BLUE, LAST = BLUE * 2 };
typedef enum { OFF = -1, ON } State;
#define SIZE (LAST - RED)
constant float scale = 0.25f;

kernel void constants(global int *y, global float *z) {
  size_t g = get_global_id(0);
  int list[SIZE / 2 + 1];
  for (int i = 0; i < SIZE / 2 + 1; ++i)
    list[i] = i * i;
  enum Colour c = g == 0 ? RED : g == 1 ? GREEN : BLUE;
  State s = c == BLUE ? ON : OFF;
  const int seven = 07, big = 0x7fffffff;
  global int *r = y + 10 * g;
  r[0] = c * 10 + s;
  r[1] = 'A' + '\n' * 1000 + '\x7f' * 100000;
  r[2] = 010 + 0xff + 1u;
  r[3] = (int)(0x123456789ABCDEFUL >> 32);
  r[4] = big - seven;
  r[5] = INT_MAX ^ INT_MIN ^ CHAR_BIT ^ SHRT_MIN ^ UCHAR_MAX;
  r[6] = list[SIZE / 2] + sizeof(list) / sizeof(list[0]);
  r[7] = (int)(LONG_MAX >> 33) + (int)UINT_MAX;
  r[8] = CLK_LOCAL_MEM_FENCE != CLK_GLOBAL_MEM_FENCE;
  r[9] = __OPENCL_VERSION__ >= 120;
  global float *f = z + 4 * g;
  f[0] = 0x1.8p3f * scale + 1e-3f;
  f[1] = FLT_MAX * FLT_EPSILON;
  f[2] = M_PI_F + (float)DBL_DIG;
  f[3] = g == 3 ? INFINITY : -HUGE_VALF;
}
