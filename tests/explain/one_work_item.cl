// LAUNCH: kernel=slow global=1 args: x=rand:f32:65536 out=zeros:f32:65536 n=65536
// LAUNCH: kernel=advised global=65536 args: x=rand:f32:65536 out=zeros:f32:65536
kernel void slow(global const float *x, global float *out, int n) {  // explain: few-work-items
  for (int i = 0; i < n; i++) {
    float y = x[i];
    while (y < 100.0f)
      y = y * 1.5f + 1.0f;
    out[i] = y;
  }
}

kernel void advised(global const float *x, global float *out) {
  int i = get_global_id(0);
  float y = x[i];
  while (y < 100.0f)
    y = y * 1.5f + 1.0f;
  out[i] = y;
}
