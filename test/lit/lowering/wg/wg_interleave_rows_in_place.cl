// RUN: ocl-opt %s -p "ocl-set-local-size{size=16,16,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize,wg-interleave" --remarks 2>&1 >/dev/null | filecheck %s

// A row reads what the row before writes in place, red points or black ones: the processor passes on nothing that is
// stored under a mask. Four rows side by side have read all of theirs before they write.
// CHECK: wg_interleave_rows_in_place.cl:[[# @LINE + 6]]:{{.*}} 4 rows x 1 vectors share one body [wg-interleave]
kernel void red_black(global float *p, global const float *b, int colour) {
  local float t[18][18];
  int x = get_local_id(0), y = get_local_id(1);
  t[y][x] = p[y * 18 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (((x + y) & 1) == colour) t[y + 1][x + 1] = (t[y][x + 1] + t[y + 2][x + 1] + t[y + 1][x] + t[y + 1][x + 2]) / 4;
  barrier(CLK_LOCAL_MEM_FENCE);
  p[y * 18 + x] = t[y][x];
}

// Another array, or the row after: rows are in flight at once as they are.
// CHECK-NOT: share one body
kernel void other(global float *p, global const float *b, int colour) {
  int x = get_local_id(0), y = get_local_id(1);
  if (((x + y) & 1) == colour) p[y * 18 + x + 19] = b[y * 18 + x + 1] + b[y * 18 + x + 37];
}

kernel void after(global float *p, int colour) {
  int x = get_local_id(0), y = get_local_id(1);
  if (((x + y) & 1) == colour) p[y * 18 + x] += p[y * 18 + x + 18];
}
