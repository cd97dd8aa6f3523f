// LAUNCH: kernel=slow global=65536 local=1024 args: x=rand:f32:65536 out=zeros:f32:65536 n=64
// LAUNCH: kernel=advised global=65536 local=1024 args: x=rand:f32:65536 out=zeros:f32:65536 n=64
kernel void slow(global const float *x, global float *out, int n) {
  int i = get_global_id(0);
  float a = x[i], b = 0.0f, c = 1.0f, d = a;
  for (int k = 0; k < n; k++) {
    a = a * 0.5f + d;
    b = b * 0.5f + a;
    c = c * 0.5f + b;
    d = d * 0.5f + c;
    barrier(CLK_GLOBAL_MEM_FENCE);  // explain: needless-barrier
  }
  out[i] = a + b + c + d;
}

kernel void advised(global const float *x, global float *out, int n) {
  int i = get_global_id(0);
  float a = x[i], b = 0.0f, c = 1.0f, d = a;
  for (int k = 0; k < n; k++) {
    a = a * 0.5f + d;
    b = b * 0.5f + a;
    c = c * 0.5f + b;
    d = d * 0.5f + c;
  }
  out[i] = a + b + c + d;
}
