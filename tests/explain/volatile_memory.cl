// LAUNCH: kernel=slow global=1048576 args: x=rand:f32:1048576 out=zeros:f32:1048576
// LAUNCH: kernel=advised global=1048576 args: x=rand:f32:1048576 out=zeros:f32:1048576
kernel void slow(global const volatile float *x, global float *out) {
  int i = get_global_id(0);
  out[i] = 0.5f * x[i];  // explain: volatile
}

kernel void advised(global const float *x, global float *out) {
  int i = get_global_id(0);
  out[i] = 0.5f * x[i];
}
