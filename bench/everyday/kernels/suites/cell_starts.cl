//: global 32768
//: local 128
//: arg np.stack([np.sort(r.integers(0, 32767, 65536)), np.arange(65536)], 1).astype(np.uint32)
//: arg np.uint32(32767)
//: arg np.zeros(32768, np.uint32)
//: arg np.uint32(65536)
// Where the particles of each cell begin, by a search in the sorted ones.
kernel void starts(global const uint2 *index, uint cells, global uint *first, uint count) {
  int id = get_global_id(0);
  if (id > cells) return;
  if (id == cells) {
    first[id] = count;
    return;
  }
  if (id == 0) {
    first[id] = 0;
    return;
  }
  int low = 0, high = count - 1;
  bool converged = false;
  int found = -1;
  while (!converged) {
    if (low > high) {
      converged = true;
      found = -1;
      continue;
    }
    int at = ((high - low) >> 1) + low;
    uint2 before = index[max(at - 1, 0)];
    uint2 sample = index[at];
    int cell = sample.x;
    bool is_high = cell > id;
    high = is_high ? at - 1 : high;
    bool is_low = cell < id;
    low = is_low ? at + 1 : low;
    bool middle = !(is_high || is_low);
    bool zero = at == 0 && middle;
    int cell_before = zero ? -1 : (int)before.x;
    converged = middle && (zero || cell_before < cell);
    found = converged ? at : found;
    high = middle && !converged ? at - 1 : high;
  }
  first[id] = found;
}
