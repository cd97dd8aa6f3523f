// RUN: ocl-opt %s -p wg-hoist-grid-loops | filecheck %s
// RUN: ocl-opt %s -p wg-hoist-grid-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each iteration of a work-item goes far, while its neighbours are next to it.
// REMARK: wg_hoist_grid_loops.mlir:[[# @LINE + 8]]:5: remark: runs around the group's work-items [wg-hoist-grid-loops]
wg.func @k(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %end = arith.index_cast %n : i32 to index
  %size = ocl.global_size 0 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.for %k = %zero to %end step %size {
      %i = arith.addi %k, %x : index
      ocl.store %n, %out[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @k
// CHECK:         scf.for %k = %zero to %end step %size {
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
// CHECK-NEXT:        %i = arith.addi %k, %x : index
// CHECK-NEXT:        ocl.store %n, %out[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return

// A loop in small steps stays: its iterations may share data.
wg.func @small(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.for %k = %zero to %end step %one {
      %i = arith.addi %k, %x : index
      ocl.store %n, %out[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @small
// CHECK:         wg.parallel
// CHECK-NEXT:      scf.for

// A guard around the loop is in it: it has the same outcome in all iterations of a work-item.
// REMARK: wg_hoist_grid_loops.mlir:[[# @LINE + 10]]:7: remark: runs around the group's work-items [wg-hoist-grid-loops]
wg.func @guarded(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %end = arith.index_cast %n : i32 to index
  %size = ocl.global_size 0 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %in = arith.cmpi slt, %x, %end : index
    scf.if %in {
      scf.for %k = %zero to %end step %size {
        %i = arith.addi %k, %x : index
        ocl.store %n, %out[%i] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @guarded
// CHECK:         scf.for %k = %zero to %end step %size {
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
// CHECK-NEXT:        %in = arith.cmpi slt, %x, %end : index
// CHECK-NEXT:        scf.if %in {
// CHECK-NEXT:          %i = arith.addi %k, %x : index
// CHECK-NEXT:          ocl.store %n, %out[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }

// A loop in steps of the group that divides, behind a guard and a read that are the same for all work-items.
// REMARK: wg_hoist_grid_loops.mlir:[[# @LINE + 12]]:7: remark: runs around the group's work-items [wg-hoist-grid-loops]
wg.func @row(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}, %width: i32 {ocl.name = "width"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %end = arith.index_cast %n : i32 to index
  %group = ocl.group_id 0 : index
  %in = arith.cmpi slt, %group, %end : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.if %in {
      %at = arith.addi %group, %one : index
      %first = ocl.load %out[%at] : !ocl.ptr<i32, global>
      scf.for %k = %zero to %end step %lx {
        %i = arith.addi %k, %x : index
        %id = arith.index_cast %i : index to i32
        %column = arith.remsi %id, %width : i32
        %sum = arith.addi %column, %first : i32
        ocl.store %sum, %out[%i] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @row
// CHECK:         scf.if %in {
// CHECK-NEXT:      %[[AT:.*]] = arith.addi %group, %one : index
// CHECK-NEXT:      %first = ocl.load %out[%[[AT]]]
// CHECK-NEXT:      scf.for %k = %zero to %end step %lx {
// CHECK-NEXT:        wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
// CHECK:               arith.remsi
// CHECK-NOT:     scf.for
// CHECK:         wg.return

// A read that differs between work-items stays in front of the loop, which another one's store might change.
wg.func @own(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}, %width: i32 {ocl.name = "width"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %first = ocl.load %out[%x] : !ocl.ptr<i32, global>
    scf.for %k = %zero to %end step %lx {
      %i = arith.addi %k, %x : index
      %id = arith.index_cast %i : index to i32
      %column = arith.remsi %id, %width : i32
      %sum = arith.addi %column, %first : i32
      ocl.store %sum, %out[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @own
// CHECK:         wg.parallel
// CHECK:           scf.for
