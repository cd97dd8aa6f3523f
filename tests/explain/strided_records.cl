// The brightness of particles: each record has 64 bytes, of which 4 are read.
// LAUNCH: kernel=slow global=262144 args: p=rand:f32:4194304 out=zeros:f32:262144
// LAUNCH: kernel=advised global=262144 args: p=rand:f32:262144 out=zeros:f32:262144
kernel void slow(global const float *p, global float *out) {
  int i = get_global_id(0);
  out[i] = 2.0f * p[16 * i + 3];  // explain: strided
}

kernel void advised(global const float *p, global float *out) {
  int i = get_global_id(0);
  out[i] = 2.0f * p[i];
}
