// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,share-values,hoist-loads" | filecheck %s

// A step of a scan: each side reads the work-item's own element.
// CHECK-LABEL: wg.func @step
// CHECK:         %[[OWN:.*]] = ocl.load %in[%{{.*}}]
// CHECK-NEXT:    scf.if
// CHECK:           ocl.load %in
// CHECK:         } else {
// CHECK-NOT:       ocl.load
// CHECK:           ocl.store %[[OWN]], %out
kernel void step(global int *out, global const int *in, int o) {
  int t = get_global_id(0);
  if (t >= o) out[t] = in[t] + in[t - o];
  else out[t] = in[t];
}

// One side may have changed the element before.
// CHECK-LABEL: wg.func @changed
// CHECK-NOT:     ocl.load
// CHECK:         scf.if
// CHECK:           ocl.store
// CHECK:           ocl.load
// CHECK:         } else {
// CHECK:           ocl.load
kernel void changed(global int *out, global int *in, int o) {
  int t = get_global_id(0);
  if (t >= o) { in[t - o] = 3; out[t] = in[t]; }
  else out[t] = in[t] + 1;
}

// The sides read at numbers of their own, or each time anew.
// CHECK-LABEL: wg.func @others
// CHECK-NOT:     ocl.load
// CHECK:         scf.if
kernel void others(global int *out, global const int *in, global volatile int *flag, int o) {
  int t = get_global_id(0);
  if (t >= o) out[t] = in[t - 1] + flag[t];
  else out[t] = in[t + 1] - flag[t];
}

// Each side reads anywhere in one array: one element is read, at the index that the condition selects.
// CHECK-LABEL: wg.func @merge
// CHECK:         %[[I:.*]] = ocl.load %a[%{{.*}}]
// CHECK:         %[[J:.*]] = ocl.load %b[%{{.*}}]
// CHECK:         %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    %[[ONE:.*]] = ocl.load %p[%[[AT]]]
// CHECK-NEXT:    scf.if
// CHECK-NOT:       ocl.load
// CHECK:         wg.return
kernel void merge(global int *out, global const int *p, global const int *a, global const int *b) {
  int t = get_global_id(0), i = a[t], j = b[t], v;
  if (i < j) v = p[i] + 1;
  else v = 2 * p[j];
  out[t] = v;
}

// Not from two arrays, and not after a store.
// CHECK-LABEL: wg.func @apart
// CHECK-NOT:     arith.select
// CHECK:         wg.return
kernel void apart(global int *out, global int *p, global const int *q, global const int *a, global const int *b) {
  int t = get_global_id(0), i = a[t], j = b[t], v;
  if (i < j) v = p[i] + 1;
  else v = 2 * q[j];
  if (i > 3) { out[t] = v; v = p[i]; }
  else { out[t] = -v; v = p[j]; }
  q += v;
  out[t] += *q;
}
