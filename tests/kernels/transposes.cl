// What is in a row along x for one buffer, and along y for another one.
// LAUNCH: global=16x24 local=8x8 kernel=plain args: in=rand:i32:384 out=zeros:i32:384 width=16 height=24
// LAUNCH: global=16x16x2 local=4x16x2 kernel=two args: a=rand:f32:512 b=rand:f32:512 out=zeros:f32:512 c=1.5
kernel void plain(global const int *in, global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = 3 * in[y * width + x] + x;
}

kernel void two(global const float *a, global const float *b, global float *out, float c) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[256 * z + 16 * y + x] = a[256 * z + 16 * y + x] + c * b[256 * z + 16 * x + y];
}
