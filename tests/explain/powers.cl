// LAUNCH: kernel=slow global=1048576 args: x=rand:f32:1048576 out=zeros:f32:1048576
// LAUNCH: kernel=advised global=1048576 args: x=rand:f32:1048576 out=zeros:f32:1048576
kernel void slow(global const float *x, global float *out) {
  int i = get_global_id(0);
  out[i] = pow(x[i], 3.0f) + 1.0f;  // explain: power
}

kernel void advised(global const float *x, global float *out) {
  int i = get_global_id(0);
  out[i] = x[i] * x[i] * x[i] + 1.0f;
}
