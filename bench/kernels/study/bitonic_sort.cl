// One pass of one stage of bitonic sort: each work-item puts one pair in order.
__kernel void bitonic_sort(__global int *a, int stage, int pass, int increasing) {
  ID i = get_global_id(0);
  ID apart = 1 << (stage - pass);
  ID left = i % apart + i / apart * (2 * apart);
  int one = a[left], other = a[left + apart];
  int up = (i >> stage) % 2 == 1 ? 1 - increasing : increasing;
  int less = min(one, other), greater = max(one, other);
  a[left] = up ? less : greater;
  a[left + apart] = up ? greater : less;
}
