// Rows times columns, with a known number of terms: groups that read the same columns of b run
// one after the other. The numbers of groups differ along x and y.
// LAUNCH: global=48x12 local=16x4 args: a=rand:f32:12x256:-1:1 b=rand:f32:256x48:-1:1 c=zeros:f32:12x48 n=48 scale=0.5
kernel void panels(global const float *a, global const float *b, global float *c, int n,
                   float scale) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < 256; ++k)
    sum += a[row * 256 + k] * b[k * n + column];
  c[row * n + column] = scale * sum + n;
}
