// The mean of a pixel and its neighbours; at the borders a pixel is its own neighbour.
// LAUNCH: kernel=blur global=48x6 local=16x2 args: out=zeros:f32:288 in=rand:f32:288 width=48 height=6
kernel void blur(global float *out, global const float *in, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int left = max(x - 1, 0), right = min(x + 1, width - 1);
  int up = max(y - 1, 0), down = min(y + 1, height - 1);
  float sum = in[y * width + x] + in[y * width + left] + in[y * width + right] +
              in[up * width + x] + in[down * width + x];
  out[y * width + x] = sum / 5;
}
