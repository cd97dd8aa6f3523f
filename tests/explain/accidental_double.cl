// LAUNCH: kernel=slow global=1048576 args: x=rand:f32:1048576 out=zeros:f32:1048576
// LAUNCH: kernel=advised global=1048576 args: x=rand:f32:1048576 out=zeros:f32:1048576
kernel void slow(global const float *x, global float *out) {
  int i = get_global_id(0);
  float y = x[i];
  for (int k = 0; k < 16; k++)
    y = y * 0.99 + 0.01;  // explain: double
  out[i] = y;
}

kernel void advised(global const float *x, global float *out) {
  int i = get_global_id(0);
  float y = x[i];
  for (int k = 0; k < 16; k++)
    y = y * 0.99f + 0.01f;
  out[i] = y;
}
