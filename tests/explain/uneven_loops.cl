// Some work-items iterate much more often than their neighbours. Advised: sorted by length.
// LAUNCH: kernel=powers global=262144 args: x=rand:f32:262144 length=rand:i32:262144:0:400 out=zeros:f32:262144
// LAUNCH: kernel=powers global=262144 args: x=rand:f32:262144 length=full:i32:262144:200 out=zeros:f32:262144
kernel void powers(global const float *x, global const int *length, global float *out) {
  int i = get_global_id(0);
  float y = x[i];
  for (int k = 0; k < length[i]; k++)  // explain: uneven-loop
    y = y * x[i] + 1.0f;
  out[i] = y;
}
