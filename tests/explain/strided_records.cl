// The brightness of particles: each record has 64 bytes, of which 4 are read.
// LAUNCH: kernel=slow global=1048576 args: p=rand:f32:16777216 out=zeros:f32:1048576
// LAUNCH: kernel=advised global=1048576 args: p=rand:f32:1048576 out=zeros:f32:1048576
kernel void slow(global const float *p, global float *out) {
  int i = get_global_id(0);
  out[i] = 2.0f * p[16 * i + 3];  // explain: strided
}

kernel void advised(global const float *p, global float *out) {
  int i = get_global_id(0);
  out[i] = 2.0f * p[i];
}
