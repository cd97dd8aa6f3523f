// Elements whose divisor is zero, or -1 for the smallest number, are thrown away.
// LAUNCH: kernel=unused_elements global=64 local=16 args: x=rand:i32:64x4:-9:9 out=zeros:i32:64
// LAUNCH: kernel=masked global=64 local=16 args: x=rand:i32:64x4:-2:2 out=zeros:i32:64x4

kernel void unused_elements(global const int4 *x, global int *out) {
  size_t i = get_global_id(0);
  int4 divisor = (int4)(3, 0, -1, 5);
  int4 quotient = (int4)(x[i].x, x[i].y, INT_MIN, x[i].w) / divisor;
  int4 rest = x[i] % (int4)(0, 7, 0, x[i].w | 1);
  out[i] = quotient.x + quotient.w + rest.y + rest.w;
}

kernel void masked(global const int4 *x, global int4 *out) {
  size_t i = get_global_id(0);
  int4 quotient = x[i] / x[i].wzyx;
  out[i] = x[i].wzyx != 0 ? quotient : x[i];
  if (x[i].y != 0)
    out[i].x += x[i].z / x[i].y;
}
