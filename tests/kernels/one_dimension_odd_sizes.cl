// Sizes that are no powers of two and groups of one, in one dimension; the runtime chooses the
// group where the launch does not say.
// LAUNCH: global=30 local=10 args: x=rand:f32:30 y=rand:f32:30 a=2.5
// LAUNCH: global=7 local=1 args: x=rand:f32:7 y=rand:f32:7 a=-1
// LAUNCH: global=21 args: x=rand:f32:21 y=rand:f32:21 a=0.1
// LAUNCH: global=1 local=1 args: x=rand:f32:1 y=rand:f32:1 a=1e-3
kernel void saxpy(global const float *x, global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
