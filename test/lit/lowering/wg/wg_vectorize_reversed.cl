// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s

// Elements in the opposite order are a row that is turned around, not a gather: bytes have none.
// CHECK: wg_vectorize_reversed.cl:{{.*}} vectorised along x for 32 work-items
kernel void flip(global uchar *row, int width) {
  int x = get_global_id(0);
  uchar left = row[x];
  row[x] = row[width - 1 - x];
  row[width - 1 - x] = left;
}
