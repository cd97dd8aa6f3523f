// One step of the fast Walsh transform in place: sums and differences of pairs `step` apart.
__kernel void fast_walsh(__global float *a, int step) {
  ID i = get_global_id(0);
  ID in_block = i % step;
  ID first = 2 * step * (i / step) + in_block;
  float one = a[first], other = a[first + step];
  a[first] = one + other;
  a[first + step] = one - other;
}
