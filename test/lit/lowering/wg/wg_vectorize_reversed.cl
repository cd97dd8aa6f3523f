// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize" | filecheck %s --check-prefix=IR

// Elements in the opposite order are a row that is turned around, not a gather: bytes have none.
// CHECK: wg_vectorize_reversed.cl:{{.*}} vectorised along x for 32 work-items
kernel void flip(global uchar *row, int width) {
  int x = get_global_id(0);
  uchar left = row[x];
  row[x] = row[width - 1 - x];
  row[width - 1 - x] = left;
}

// So are pixels: one shuffle turns the elements of all lanes around, and each pixel stays as it is.
// CHECK: wg_vectorize_reversed.cl:{{.*}} vectorised along x for 16 work-items
// IR-LABEL: @mirror(
// IR: [[PIXELS:%.*]] = wg.load %from[{{.*}}] : !ocl.ptr<i16, global> -> vector<48xi16>
// IR: [[TURNED:%.*]] = vector.shuffle [[PIXELS]], [[PIXELS]] [45, 46, 47, 42, 43, 44, {{.*}}, 3, 4, 5, 0, 1, 2]
// IR: wg.store [[TURNED]], %to[{{.*}}] : vector<48xi16>
kernel void mirror(global const ushort *from, global ushort *to, int width) {
  int x = get_global_id(0);
  vstore3(vload3(width - 1 - x, from), x, to);
}
