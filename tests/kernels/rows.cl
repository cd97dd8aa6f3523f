// Ids in one dimension, divided into columns and rows: in groups that are in one row, in groups
// that are in several, where rows are shorter than a vector, and where the launch has an offset.
// LAUNCH: global=256 local=32 offset=5 kernel=signed_ids args: in=rand:i32:600 out=zeros:i32:600 width=64 height=4
// LAUNCH: global=256 local=32 kernel=signed_ids args: in=rand:i32:600 out=zeros:i32:600 width=50 height=5
// LAUNCH: global=256 local=32 kernel=signed_ids args: in=rand:i32:600 out=zeros:i32:600 width=3 height=70
// LAUNCH: global=256 local=64 kernel=unsigned_ids args: in=rand:i32:600 out=zeros:i32:600 width=40 height=3
// LAUNCH: global=256 local=64 kernel=powers_of_two args: in=rand:i32:600 out=zeros:i32:600
// LAUNCH: global=256 local=32 offset=32 kernel=masks args: in=rand:i32:600 out=zeros:i32:600 width=64 shift=6
// LAUNCH: global=256 local=64 kernel=masks args: in=rand:i32:600 out=zeros:i32:600 width=32 shift=4
// LAUNCH: global=256 local=64 kernel=masks args: in=rand:i32:600 out=zeros:i32:600 width=41 shift=1
// LAUNCH: global=128 local=32 offset=16 kernel=partners args: in=rand:i32:600 out=zeros:i32:600 distance=32
// LAUNCH: global=128 local=64 kernel=partners args: in=rand:i32:600 out=zeros:i32:600 distance=16
// LAUNCH: global=128 local=64 kernel=partners args: in=rand:i32:600 out=zeros:i32:600 distance=96
// LAUNCH: global=128 local=64 kernel=partners args: in=rand:i32:600 out=zeros:i32:600 distance=1
// LAUNCH: global=256 local=64 kernel=images args: in=rand:i32:600 mask=rand:i32:60 out=zeros:i32:300 width=9 length=5
// LAUNCH: global=256 local=32 offset=3 kernel=images args: in=rand:i32:1600 mask=rand:i32:60 out=zeros:i32:300 width=40 length=3
// LAUNCH: global=256 local=64 kernel=images args: in=rand:i32:600 mask=rand:i32:60 out=zeros:i32:300 width=20 length=7
kernel void signed_ids(global const int *in, global int *out, int width, int height) {
  int i = get_global_id(0), x = i % width, y = i / width;
  if (x > 0 && y < height) out[y * width + x] = in[y * width + x - 1] + 3 * x + 7 * y;
  int pairs = 2 * i + 1;
  out[300 + i] += pairs % width * 1000 + pairs / width;
}

// x, y and z of a volume.
kernel void unsigned_ids(global const int *in, global int *out, uint width, uint height) {
  size_t i = get_global_id(0);
  size_t x = i % width, y = i / width % height, z = i / (width * height);
  uint j = get_global_id(0), column = j % width;
  out[(z * height + y) * width + x] = in[i] * 100 + x + 10 * y + column;
}

kernel void powers_of_two(global const int *in, global int *out) {
  int i = get_global_id(0), x = i & 31, y = i >> 5;
  out[y * 32 + x] = in[i] + (i & 1);
}

// Widths that are not known to be powers of two.
kernel void masks(global const int *in, global int *out, int width, int shift) {
  int i = get_global_id(0);
  if (i >= 280) return;
  size_t j = get_global_id(0);
  out[i] = in[(j & (width - 1)) + (j >> shift)] + 10 * (i >> shift) + 1000 * (i & (width - 1));
}

// Partners of steps of a sort: sums in a row that is as long as the lowest bit of the distance.
kernel void partners(global const int *in, global int *out, int distance) {
  int i = get_global_id(0), first = 2 * i - (i & (distance - 1));
  uint j = get_global_id(0);
  out[i] = in[i ^ distance] + 3 * in[first | distance] + 5 * in[distance | j];
  out[300 + i] = (first ^ distance) - (i & 1);
}

// Pixels of square images, each with its neighbours inside of the image.
kernel void images(global const int *in, global const int *mask, global int *out, int width, int length) {
  int i = get_global_id(0), image = i / (width * width), pixel = i % (width * width);
  int y = pixel / width, x = pixel % width, r = length / 2, sum = 0;
  int top = max(-r, -y), bottom = min(r, width - 1 - y);
  int left = max(-r, -x), right = min(r, width - 1 - x);
  for (int dy = top; dy <= bottom; dy++)
    for (int dx = left; dx <= right; dx++)
      sum += in[image * width * width + (y + dy) * width + x + dx] * mask[(dy + r) * length + dx + r];
  out[i] = sum;
}
