//: global 8192
//: local 128
//: arg r.uniform(10, 110, 8192)
//: arg r.uniform(10, 110, 8192)
//: arg r.integers(-4, 5, 2 * 69, np.int32)
//: arg np.zeros(8192 * 69, np.int32)
//: arg r.integers(0, 256, 128 * 128, np.uint8)
//: arg np.zeros(8192)
//: arg np.int32(8192)
//: arg np.int32(69)
//: arg np.int32(128 * 128)
//: arg np.int32(128)
// The likelihood of each particle's place: pixels around it, whose indices are written first.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
double nearest(double v) {
  int whole = (int)v;
  return v - whole < .5f ? whole : whole + 1;
}
double sum_of_differences(global const uchar *image, global const int *at, int n, int i) {
  double sum = 0.0;
  for (int k = 0; k < n; k++)
    sum += (pow((double)(image[at[i * n + k]] - 100), 2) -
            pow((double)(image[at[i * n + k]] - 228), 2)) / 50.0;
  return sum;
}
kernel void likelihood(global const double *x, global const double *y, global const int *disk,
                       global int *at, global const uchar *image, global double *out,
                       const int particles, const int ones, const int size, const int width) {
  int i = get_global_id(0);
  if (i < particles) {
    for (int k = 0; k < ones; k++) {
      int px = nearest(x[i]) + disk[k * 2 + 1];
      int py = nearest(y[i]) + disk[k * 2];
      at[i * ones + k] = abs(py * width + px);
      if (at[i * ones + k] >= size) at[i * ones + k] = 0;
    }
    out[i] = sum_of_differences(image, at, ones, i);
    out[i] = out[i] / ones;
  }
}
