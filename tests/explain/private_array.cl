// LAUNCH: kernel=slow global=65536 args: x=rand:f32:65536 out=zeros:f32:65536
// LAUNCH: kernel=advised global=65536 args: x=rand:f32:65536 out=zeros:f32:65536
kernel void slow(global const float *x, global float *out) {
  int i = get_global_id(0);
  int count[16];
  for (int k = 0; k < 16; k++)
    count[k] = 0;
  float y = x[i];
  for (int k = 0; k < 64; k++) {
    y = y * 3.9f * (1.0f - y);
    count[(int)(y * 15.0f) & 15]++;  // explain: private-array
  }
  out[i] = count[0] + 2 * count[15];
}

kernel void advised(global const float *x, global float *out) {
  int i = get_global_id(0);
  int low = 0, high = 0;
  float y = x[i];
  for (int k = 0; k < 64; k++) {
    y = y * 3.9f * (1.0f - y);
    int bin = (int)(y * 15.0f) & 15;
    low += bin == 0;
    high += bin == 15;
  }
  out[i] = low + 2 * high;
}
