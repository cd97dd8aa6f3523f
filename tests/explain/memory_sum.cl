// A sum in memory: other work-items may read it, as far as a compiler knows.
// LAUNCH: kernel=slow global=8192 args: a=rand:f32:8392 n=200
// LAUNCH: kernel=advised global=8192 args: a=rand:f32:8392 n=200
kernel void slow(global float *a, int n) {
  int i = get_global_id(0), end = get_global_size(0);
  for (int k = 0; k < n; k++)
    a[i] += a[end + k] * a[end + k];  // explain: sum-in-memory
}

kernel void advised(global float *a, int n) {
  int i = get_global_id(0), end = get_global_size(0);
  float sum = a[i];
  for (int k = 0; k < n; k++)
    sum += a[end + k] * a[end + k];
  a[i] = sum;
}
