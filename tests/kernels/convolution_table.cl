// Convolution with a mask in constant memory given as an argument; loop bounds differ at borders.
// LAUNCH: global=12x6 local=4x3 args: in=rand:f32:6x12 mask=rand:f32:3x3 out=zeros:f32:6x12 r=1
// LAUNCH: global=5x5 local=5x1 args: in=rand:f32:5x5 mask=rand:f32:7x7 out=zeros:f32:5x5 r=3
kernel void convolve(global const float *in, constant float *mask, global float *out, int r) {
  int x = get_global_id(0), y = get_global_id(1);
  int w = get_global_size(0), h = get_global_size(1);
  float sum = 0.0f;
  for (int j = max(0, y - r); j <= min(h - 1, y + r); ++j)
    for (int i = max(0, x - r); i <= min(w - 1, x + r); ++i)
      sum += in[j * w + i] * mask[(j - y + r) * (2 * r + 1) + (i - x + r)];
  out[y * w + x] = sum;
}
