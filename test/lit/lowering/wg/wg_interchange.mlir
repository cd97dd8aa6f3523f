// RUN: ocl-opt %s -p wg-interchange | filecheck %s
// RUN: ocl-opt %s -p wg-interchange --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: ocl-opt %s -p wg-interchange,ocl-to-wg | filecheck %s --check-prefix=GROUP

// A loop that all work-items go round equally often gets a barrier, by which ocl-to-wg cuts.
ocl.kernel @dot(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %m: i64 {ocl.name = "m"}) {
  %n = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f32
  %i = ocl.local_id 0 : index
  // REMARK: wg_interchange.mlir:[[# @LINE + 1]]:3: remark: interchanged: each iteration runs for all work-items [wg-interchange]
  %sum = scf.for %k = %zero to %n step %one iter_args(%s = %start) -> (f32) {
    %row = arith.muli %k, %n : index
    %at = arith.addi %row, %i : index
    %e = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  ocl.store %sum, %y[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @dot(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %m: i64 {ocl.name = "m"}) {
// CHECK-NEXT:    %n = arith.index_cast %m : i64 to index
// CHECK-NEXT:    %zero = arith.constant 0 : index
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %start = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %i = ocl.local_id 0 : index
// CHECK-NEXT:    %sum = scf.for %k = %zero to %n step %one iter_args(%s = %start) -> (f32) {
// CHECK-NEXT:      ocl.barrier
// CHECK-NEXT:      %row = arith.muli %k, %n : index
// CHECK-NEXT:      %at = arith.addi %row, %i : index
// CHECK-NEXT:      %e = ocl.load %a[%at] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %t = arith.addf %s, %e : f32
// CHECK-NEXT:      scf.yield %t : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.store %sum, %y[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// Behind ocl-to-wg the loop stands around the work-items. `%k` and what is computed from it alone
// are the group's; `%s` differs between work-items, so it goes around in a context array.
// GROUP-LABEL: wg.func @dot
// GROUP:           %s = wg.context : !wg.context<f32>
// GROUP:           wg.parallel (%x, %y_1, %z) in (%lx, %ly, %lz) {
// GROUP-NEXT:        wg.put %start, %s[%x, %y_1, %z] : !wg.context<f32>
// GROUP-NEXT:      }
// GROUP-NEXT:      scf.for %k = %zero to %n step %one {
// GROUP-NEXT:        %row = arith.muli %k, %n : index
// GROUP-NEXT:        wg.parallel (%x_1, %y_2, %z_1) in (%lx, %ly, %lz) {
// GROUP-NEXT:          %at = arith.addi %row, %x_1 : index
// GROUP-NEXT:          %e = ocl.load %a[%at] : !ocl.ptr<f32, global>
// GROUP-NEXT:          %s_1 = wg.get %s[%x_1, %y_2, %z_1] : !wg.context<f32>
// GROUP-NEXT:          %t = arith.addf %s_1, %e : f32
// GROUP-NEXT:          wg.put %t, %s[%x_1, %y_2, %z_1] : !wg.context<f32>
// GROUP-NEXT:        }
// GROUP-NEXT:      }
// GROUP-NEXT:      wg.parallel (%x_2, %y_3, %z_2) in (%lx, %ly, %lz) {
// GROUP-NEXT:        %sum = wg.get %s[%x_2, %y_3, %z_2] : !wg.context<f32>
// GROUP-NEXT:        ocl.store %sum, %y[%x_2] : !ocl.ptr<f32, global>
// GROUP-NEXT:      }

// Of nested loops the innermost one: the outer one has a barrier inside then. A while loop gets it
// in its body.
ocl.kernel @nested(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = ocl.local_id 0 : index
  scf.for %k = %zero to %m step %one : i32 {
    // REMARK: wg_interchange.mlir:[[# @LINE + 1]]:5: remark: interchanged: each iteration runs for all work-items [wg-interchange]
    %end = scf.while (%j = %k) : (i32) -> (i32) {
      %more = arith.cmpi ne, %j, %m : i32
      scf.condition(%more) %j : i32
    } do {
    ^bb0(%j: i32):
      ocl.store %j, %a[%i] : !ocl.ptr<i32, global>
      %next = arith.addi %j, %one : i32
      scf.yield %next : i32
    }
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @nested(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}) {
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %i = ocl.local_id 0 : index
// CHECK-NEXT:    scf.for %k = %zero to %m step %one : i32 {
// CHECK-NEXT:      %end = scf.while (%j = %k) : (i32) -> i32 {
// CHECK-NEXT:        %more = arith.cmpi ne, %j, %m : i32
// CHECK-NEXT:        scf.condition(%more) %j : i32
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%j_1: i32):
// CHECK-NEXT:        ocl.barrier
// CHECK-NEXT:        ocl.store %j_1, %a[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:        %next = arith.addi %j_1, %one : i32
// CHECK-NEXT:        scf.yield %next : i32
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// Not where the number of iterations differs between work-items, nor in a branch that some of
// them do not take. A loop with a barrier has all it needs.
ocl.kernel @refused(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %v = arith.constant 1.0 : f32
  %i = ocl.local_id 0 : index
  // REMARK: wg_interchange.mlir:[[# @LINE + 1]]:3: remark: not interchanged: not proven that all work-items enter the loop and run it equally often [wg-interchange]
  scf.for %k = %zero to %i step %one {
    ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
  }
  %few = arith.cmpi ult, %i, %four : index
  scf.if %few {
    // REMARK: wg_interchange.mlir:[[# @LINE + 1]]:5: remark: not interchanged: not proven that all work-items enter the loop and run it equally often [wg-interchange]
    scf.for %k = %zero to %four step %one {
      ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
    }
  }
  scf.for %k = %zero to %four step %one {
    ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
    ocl.barrier global
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @refused(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
// CHECK-NEXT:    %zero = arith.constant 0 : index
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %four = arith.constant 4 : index
// CHECK-NEXT:    %v = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %i = ocl.local_id 0 : index
// CHECK-NEXT:    scf.for %k = %zero to %i step %one {
// CHECK-NEXT:      ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    %few = arith.cmpi ult, %i, %four : index
// CHECK-NEXT:    scf.if %few {
// CHECK-NEXT:      scf.for %k_1 = %zero to %four step %one {
// CHECK-NEXT:        ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for %k_2 = %zero to %four step %one {
// CHECK-NEXT:      ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.barrier global
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }
// REMARK-NOT: remark
