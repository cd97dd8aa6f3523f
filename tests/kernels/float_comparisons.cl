// Comparisons and branches with NaN, infinities and signed zeros: each operator and its negation
// differ; floats as conditions.
// LAUNCH: global=8 local=4 args: x=values:f32:0,-0.0,1,inf,-inf,nan,-1,1e-42 y=values:f32:-0.0,0,nan,inf,1,nan,-2,0 out=zeros:i32:8x2
kernel void compare(global const float *x, global const float *y, global int2 *out) {
  size_t g = get_global_id(0);
  float a = x[g], b = y[g];
  int r = 0;
  if (a < b)
    r |= 1;
  if (!(a < b))
    r |= 2;
  if (a >= b)
    r |= 4;
  if (a == b)
    r |= 8;
  if (a != b)
    r |= 16;
  if (a)
    r |= 32;
  if (!b)
    r |= 64;
  if (a && b)
    r |= 128;
  int i = a > b ? 1 : a <= b ? 2 : 3;
  while (!(a > 2.0f) && i < 10) {
    a += 1.0f;
    ++i;
  }
  out[g] = (int2)(r, i);
}
