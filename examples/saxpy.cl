// y = a*x + y, one element for each work-item.
// LAUNCH: global=256 local=64 args: x=rand:f32:256 y=rand:f32:256 a=2.5

kernel void saxpy(global const float *x, global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
