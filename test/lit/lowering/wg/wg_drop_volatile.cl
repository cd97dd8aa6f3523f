// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,wg-drop-volatile" | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,wg-drop-volatile" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// What others have stored is read after a barrier: nobody sees that these accesses are volatile.
// REMARK: wg_drop_volatile.cl:9:{{[0-9]+}}: remark: not volatile: seen after a barrier [wg-drop-volatile]
// REMARK: wg_drop_volatile.cl:11:{{[0-9]+}}: remark: not volatile: seen after a barrier [wg-drop-volatile]
kernel void tree(global const int *in, global int *out, volatile local int *t) {
  int l = get_local_id(0);
  t[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32) t[l] += t[l + 32];
}
// CHECK-LABEL: wg.func @tree
// CHECK-NOT:     {{load|store}} volatile

// These count on steps that all work-items take together, or wait for others.
kernel void together(volatile local int *t) {
  int l = get_local_id(0);
  t[l] += t[l + 32];
  t[l] += t[l + 16];
}
// CHECK-LABEL: wg.func @together
// CHECK-COUNT-6: {{load|store}} volatile

kernel void tagged(global const int *in, volatile local int *t) {
  int l = get_local_id(0), at = in[l], tag = l << 24, count;
  do {
    count = tag | (t[at] & 0xffffff) + 1;
    t[at] = count;
  } while (t[at] != count);
}
// CHECK-LABEL: wg.func @tagged
// CHECK-COUNT-3: {{load|store}} volatile

kernel void added(global const int *in, volatile local int *t) {
  int l = get_local_id(0);
  atomic_inc(&t[in[l]]);
  t[l] = 0;
}
// CHECK-LABEL: wg.func @added
// CHECK:         ocl.store volatile
