// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,4,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam,wg-carry-loads" --remarks 2>&1 >/dev/null | filecheck %s

// Sixteen sums, and twelve vectors that the next iteration needs again: what a tile has in between
// are the vector that is new and the factor, and no constant needs a register.
// CHECK: 4 rows x 4 vectors share one body [wg-jam]
kernel void column(global float *out, global const int *in, constant float *mask, int w, int m) {
  size_t x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (size_t j = 0; j < m; j++) sum += in[(y + j) * w + x] * mask[j];
  out[y * w + x] = sum;
}

// More values in between, and two numbers that all lanes share, leave no room for so many.
// CHECK: 2 rows x 4 vectors share one body [wg-jam]
kernel void scaled(global float *out, global const int *in, constant float *mask, int w, int m,
                   float low, float high) {
  size_t x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (size_t j = 0; j < m; j++)
    sum += (in[(y + j) * w + x] - low) * high * mask[j];
  out[y * w + x] = sum;
}

// Lanes outside keep the sums from before the inner loop, which need registers meanwhile.
// CHECK: 4 rows x 2 vectors share one body [wg-jam]
kernel void guarded(global float *out, global const int *in, constant float *mask, int w, int m) {
  size_t x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (size_t i = 0; i < m; i++)
    if (x + i < w)
      for (size_t j = 0; j < m; j++) sum += in[(y + j) * w + x + i] * mask[j];
  out[y * w + x] = sum;
}

// CHECK: carries 12 vectors to the next iteration [wg-carry-loads]
// CHECK: carries 4 vectors to the next iteration [wg-carry-loads]
// CHECK: carries 6 vectors to the next iteration [wg-carry-loads]
