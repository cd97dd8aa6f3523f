// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,share-values,sink-stores{distinct=true}" | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,share-values,sink-stores" | filecheck %s --check-prefix=OVERLAP

// Each side computes the place by itself: it is computed before the branch.
// CHECK-LABEL: wg.func @border
// CHECK:         scf.yield %c0_i32 : i32
// CHECK-NEXT:  } else {
// CHECK:         scf.yield %{{.*}} : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  ocl.store %{{.*}}, %out
// CHECK-NEXT:  }
kernel void border(global int *out, global const int *in, int w) {
  int x = get_global_id(0);
  if (x == 0 || x >= w - 1) {
    out[x + w] = 0;
    return;
  }
  out[x + w] = in[x - 1] + in[x + 1];
}

// What follows the store may be a store to the same element, if the buffers overlap.
// CHECK-LABEL: wg.func @counted
// CHECK:         ocl.store %{{.*}}, %count
// CHECK-NEXT:    scf.yield %{{.*}} : i32
// CHECK-NEXT:  } else {
// CHECK-NEXT:    scf.yield %c0_i32 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  ocl.store %{{.*}}, %out
// OVERLAP-LABEL: wg.func @counted
// OVERLAP:       ocl.store %{{.*}}, %out
// OVERLAP:       ocl.store %{{.*}}, %count
// OVERLAP:       ocl.store %{{.*}}, %out
kernel void counted(global int *out, global const int *in, global int *count) {
  int x = get_global_id(0);
  if (in[x] > 0) {
    out[x] = in[x];
    count[x] = 1;
  } else {
    out[x] = 0;
  }
}

// The same buffer is read, or the places differ: the stores stay.
// CHECK-LABEL: wg.func @kept
// CHECK:         ocl.store %{{.*}}, %out
// CHECK:         } else {
// CHECK:         ocl.store %{{.*}}, %out
// CHECK:         scf.if
// CHECK:         ocl.store %{{.*}}, %out
// CHECK:         } else {
// CHECK:         ocl.store %{{.*}}, %out
kernel void kept(global int *out, global const int *in, global int *count) {
  int x = get_global_id(0);
  if (in[x] > 0) {
    out[x] = in[x];
    count[x] = out[x + 1];
  } else {
    out[x] = 0;
  }
  if (in[x] > 1) out[x + 64] = 1; else out[x + 128] = 2;
}

// Stores anywhere into one buffer are one: the branch results in the index, too.
// CHECK-LABEL: wg.func @partition
// CHECK:         %{{.*}}, %{{.*}} = scf.if
// CHECK:         scf.yield %{{.*}}, %{{.*}} : index, f32
// CHECK-NEXT:  } else {
// CHECK:         scf.yield %{{.*}}, %{{.*}} : index, f32
// CHECK-NEXT:  }
// CHECK-NEXT:  ocl.store %{{.*}}, %out
// CHECK-NOT:   ocl.store
kernel void partition(global float *out, global const float *in, global const int *at, int n) {
  int x = get_global_id(0);
  if (in[x] > 0) out[at[x]] = in[x]; else out[n + x - at[x]] = -in[x];
}

// A branch stores again where there was a store before it: both are one, and what is read after it is the branch's result.
// CHECK-LABEL: wg.func @clamped
// CHECK:         %[[V:.*]] = scf.if
// CHECK-NEXT:      scf.yield %most : i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %{{.*}} : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.store %[[V]], %x
// CHECK-NEXT:    %[[R:.*]] = arith.addi %[[V]]
// CHECK:         ocl.store %[[R]], %out
kernel void clamped(global int *out, global int *x, int most) {
  int i = get_global_id(0);
  x[i] += 3;
  if (x[i] > most) x[i] = most;
  out[i] = x[i] + 1;
}

// The place is read in between, by a part of a vector: the store before the branch stays.
// CHECK-LABEL: wg.func @read
// CHECK:         ocl.store %{{.*}}, %x
// CHECK:         scf.if
// CHECK:         ocl.store %{{.*}}, %x
kernel void read(global int *out, global int4 *x, int most) {
  int i = get_global_id(0);
  x[i] += 3;
  int y = ((global int *)&x[i])[most & 3];
  if (y > most) x[i] = most;
  out[i] = y;
}
