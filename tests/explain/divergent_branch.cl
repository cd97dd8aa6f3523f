// LAUNCH: kernel=slow global=262144 args: x=rand:f32:262144 out=zeros:f32:262144
// LAUNCH: kernel=advised global=262144 args: x=rand:f32:262144 out=zeros:f32:262144
float left(float x) {
  for (int k = 0; k < 40; k++)
    x = x * 0.5f + sqrt(fabs(x));
  return x;
}

float right(float x) {
  for (int k = 0; k < 40; k++)
    x = x * 0.25f + rsqrt(fabs(x) + 1.0f);
  return x;
}

kernel void slow(global const float *x, global float *out) {
  int i = get_global_id(0);
  if (i & 1)  // explain: divergence
    out[i] = left(x[i]);
  else
    out[i] = right(x[i]);
}

kernel void advised(global const float *x, global float *out) {
  int i = get_global_id(0), n = get_global_size(0) / 2;
  if (i < n)
    out[2 * i + 1] = left(x[2 * i + 1]);
  else
    out[2 * (i - n)] = right(x[2 * (i - n)]);
}
