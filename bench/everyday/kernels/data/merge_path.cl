//: global 4096
//: local 64
//: arg np.sort(r.integers(0, 1 << 30, 65536, np.int32))
//: arg np.sort(r.integers(0, 1 << 30, 65536, np.int32))
//: arg np.zeros(131072, np.int32)
//: arg np.int32(65536)
//: arg np.int32(65536)
// Merges two sorted lists: each work-item finds its diagonal, and merges 32 elements from there.
__kernel void merge(__global const int *a, __global const int *b, __global int *out, int na, int nb) {
  int diag = get_global_id(0) * 32;
  int lo = max(0, diag - nb), hi = min(diag, na);
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (a[mid] <= b[diag - 1 - mid])
      lo = mid + 1;
    else
      hi = mid;
  }
  int i = lo, j = diag - lo;
  for (int k = 0; k < 32 && diag + k < na + nb; k++) {
    if (j >= nb || (i < na && a[i] <= b[j]))
      out[diag + k] = a[i++];
    else
      out[diag + k] = b[j++];
  }
}
