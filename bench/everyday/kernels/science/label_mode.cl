//: global 8192
//: local 64
//: data L = r.integers(0, 12, 8192)
//: data R = np.concatenate([[0], np.cumsum(L)]).astype(np.int32)
//: arg R
//: arg r.integers(0, 8192, int(R[-1])).astype(np.int32)
//: arg r.integers(0, 16, 8192).astype(np.uint8)
//: arg np.zeros(8192, np.uint8)
// Each vertex takes the commonest of 16 labels among its neighbours.
kernel void propagate(global const int *off, global const int *nb, global const uchar *label, global uchar *out) {
  size_t v = get_global_id(0);
  ushort freq[16] = {0};
  for (int e = off[v]; e < off[v + 1]; ++e) freq[label[nb[e]]]++;
  uchar best = label[v];
  ushort most = freq[best];
  for (uchar k = 0; k < 16; ++k)
    if (freq[k] > most) { most = freq[k]; best = k; }
  out[v] = best;
}
