// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix ZEN4
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize{processor=emeraldrapids}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix EMERALD
// RUN: not ocl-opt --reproducer-dir=%t.dir %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,wg-vectorize{processor=znver}" 2>&1 | filecheck %s --check-prefix UNKNOWN

// The same kernel for two processors, of which one gathers twice as fast: a table has what operations and accesses
// cost on each (`python -m bench.calibrate`).
// ZEN4: not vectorised: accesses all over memory cost more than vectors save
// EMERALD: vectorised along x for 16 work-items
kernel void random_walk(global int *out, global const int *in, int steps) {
  uint h = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < steps; k++) {
    h = h * 1664525u + 1013904223u;
    sum += in[h >> 20];
  }
  out[get_global_id(0)] = sum;
}

// Lanes that write rows of their own come back to as many cache lines in each iteration, which share a set where rows
// lie a power of two apart: on no processor does it pay.
// ZEN4: not vectorised: accesses all over memory cost more than vectors save
// EMERALD: not vectorised: accesses all over memory cost more than vectors save
kernel void distances(global float *restrict out, global const float *restrict p, int n) {
  int i = get_global_id(0);
  float x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
  for (int j = 0; j < n; j++) {
    float dx = x - p[3 * j], dy = y - p[3 * j + 1], dz = z - p[3 * j + 2];
    out[i * n + j] = dx * dx + dy * dy + dz * dz;
  }
}

// Neighbours pass a bound alike, so that one work-item's branch is predicted, whatever a misprediction costs.
// ZEN4: not vectorised: accesses all over memory cost more than vectors save
// EMERALD: not vectorised: accesses all over memory cost more than vectors save
kernel void resample(global short *out, global const short *in, global const short *coef, int from, int to, int n) {
  int o = get_global_id(0), base = o * from / to, phase = o * from % to, sum = 0;
  for (int k = 0; k < n; k++)
    if (base - k >= 0) sum += in[base - k] * coef[phase * n + k];
  out[o] = sum >> 15;
}

// UNKNOWN: unknown processor 'znver'
