// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},simplify-breaks,ocl-to-wg,share-values,index-arithmetic,widen-indices,wg-search-blocks" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARKS
// RUN: ocl-opt %s -k first -p "ocl-set-local-size{size=64,1,1},simplify-breaks,ocl-to-wg,share-values,index-arithmetic,widen-indices,wg-search-blocks" | filecheck %s

// The first element that is not smaller than a value of each work-item's own.
// REMARKS: wg_search_blocks.cl:[[# @LINE + 4]]:{{.*}} searches blocks of 16 elements [wg-search-blocks]
kernel void first(global const float *sums, global const float *u, global int *out, int n) {
  int i = get_global_id(0), found = n;
  float v = u[i];
  for (int x = 0; x < n; x++)
    if (sums[x] >= v) {
      found = x;
      break;
    }
  out[i] = found;
}

// Each element is counted: nothing can be skipped.
// REMARKS-NOT: remark: {{.*}}[wg-search-blocks]
kernel void below(global const float *sums, global const float *u, global int *out, int n) {
  int i = get_global_id(0), count = 0;
  for (int x = 0; x < n; x++) {
    if (sums[x] >= u[i]) break;
    count += x;
  }
  out[i] = count;
}

// What is added depends on what was there: later elements of the block would be added, too.
// REMARKS-NOT: remark: {{.*}}[wg-search-blocks]
kernel void add(global const float *sums, global const float *u, global int *out, int n) {
  int i = get_global_id(0), total = out[i];
  for (int x = 0; x < n; x++)
    if (sums[x] >= u[i]) {
      total += x;
      break;
    }
  out[i] = total;
}

// CHECK-LABEL: wg.func @first
// CHECK: %found, {{.*}} = scf.while
// CHECK: } do {
// A block ends at a multiple of its size, or at the end of the array.
// CHECK: ocl.ptr_to_int
// CHECK: arith.minsi
// CHECK: scf.if
// CHECK: ocl.vload {{.*}} -> vector<16xf32>
// CHECK: arith.maxnumf
// CHECK: arith.cmpf oge
// The body as it was, from the last element to the first, in blocks that have the element.
// CHECK: scf.if
// CHECK: scf.for
// CHECK: arith.cmpf oge
