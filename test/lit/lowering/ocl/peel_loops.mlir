// RUN: ocl-opt %s -p peel-loops | filecheck %s
// RUN: ocl-opt %s -p peel-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// do { sum += a[i]; i += size; } while (i < n), from each work-item's own id: the first element is
// added before the loop, which ends at n in all work-items then.
// REMARK: peel_loops.mlir:[[# @LINE + 11]]:3: remark: its first iteration is before it [peel-loops]
ocl.kernel @stride(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %n: i64 {ocl.name = "n"}) {
  %end = arith.index_cast %n : i64 to index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %id = ocl.global_id 0 : index
  %size = ocl.global_size 0 : index
  %first = arith.addi %id, %c1 : index
  %last = arith.maxsi %end, %first : index

  // The remark is about this loop.
  %sum = scf.for %i = %id to %last step %size iter_args(%s = %zero) -> (f32) {
    %x = ocl.load %a[%i] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  ocl.store %sum, %a[%id] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @stride
// CHECK:           %[[X:.*]] = ocl.load %a[%id] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %[[T:.*]] = arith.addf %zero, %[[X]] : f32
// CHECK-NEXT:      %[[SECOND:.*]] = arith.addi %id, %size : index
// CHECK-NEXT:      %sum = scf.for %i = %[[SECOND]] to %end step %size iter_args(%s = %[[T]]) -> (f32) {

// Work-items begin alike: they end alike, too.
ocl.kernel @alike(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %n: i64 {ocl.name = "n"}) {
  %end = arith.index_cast %n : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %last = arith.maxsi %end, %c1 : index
  scf.for %i = %c0 to %last step %c1 {
    ocl.store %one, %a[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @alike
// CHECK:           scf.for %{{.*}} = %c0 to %last step %c1 {
