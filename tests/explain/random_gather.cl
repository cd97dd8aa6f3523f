// Elements in random order. Advised: the indices are sorted first.
// LAUNCH: kernel=pick global=4194304 args: x=rand:f32:4194304 order=perm:i32:4194304 out=zeros:f32:4194304
// LAUNCH: kernel=pick global=4194304 args: x=rand:f32:4194304 order=iota:i32:4194304 out=zeros:f32:4194304
kernel void pick(global const float *x, global const int *order, global float *out) {
  int i = get_global_id(0);
  out[i] = x[order[i]];  // explain: gather
}
