// RUN: ocl-opt %s -p wg-lower-contexts --split-input-file --verify-diagnostics | filecheck %s

// A context array is memory: work-item (x, y, z) has element (z * Ly + y) * Lx + x of it, so that
// neighbours along x are neighbours in memory. An i1 is kept as an i8.
wg.func @values(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 4, 2, 1>} {
  %lx = arith.constant 4 : index
  %ly = arith.constant 2 : index
  %lz = arith.constant 1 : index
  %c = wg.context : !wg.context<f32>
  %flags = wg.context : !wg.context<i1>
  wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    wg.put %v, %c[%x, %y, %z] : !wg.context<f32>
    %yes = arith.constant true
    wg.put %yes, %flags[%x, %y, %z] : !wg.context<i1>
  }
  wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
    %v = wg.get %c[%x, %y, %z] : !wg.context<f32>
    ocl.store %v, %p[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @values(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 4, 2, 1>} {
// CHECK-NEXT:      %c4 = arith.constant 4 : index
// CHECK-NEXT:      %lx = arith.constant 4 : index
// CHECK-NEXT:      %ly = arith.constant 2 : index
// CHECK-NEXT:      %lz = arith.constant 1 : index
// CHECK-NEXT:      %0 = ocl.alloca : !ocl.ptr<!ocl.array<8 x f32>, private>
// CHECK-NEXT:      %c = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x f32>, private> to !ocl.ptr<f32, private>
// CHECK-NEXT:      %1 = ocl.alloca : !ocl.ptr<!ocl.array<8 x i8>, private>
// CHECK-NEXT:      %flags = ocl.cast %1 : !ocl.ptr<!ocl.array<8 x i8>, private> to !ocl.ptr<i8, private>
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:        %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %2 = arith.muli %y, %c4 : index
// CHECK-NEXT:        %3 = arith.addi %2, %x : index
// CHECK-NEXT:        ocl.store %v, %c[%3] : !ocl.ptr<f32, private>
// CHECK-NEXT:        %yes = arith.constant true
// CHECK-NEXT:        %4 = arith.muli %y, %c4 : index
// CHECK-NEXT:        %5 = arith.addi %4, %x : index
// CHECK-NEXT:        %6 = arith.extui %yes : i1 to i8
// CHECK-NEXT:        ocl.store %6, %flags[%5] : !ocl.ptr<i8, private>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.parallel (%x_1, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:        %7 = arith.muli %y_1, %c4 : index
// CHECK-NEXT:        %8 = arith.addi %7, %x_1 : index
// CHECK-NEXT:        %v_1 = ocl.load %c[%8] : !ocl.ptr<f32, private>
// CHECK-NEXT:        ocl.store %v_1, %p[%x_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Whether any work-item is active: all flags, combined by `or`.
wg.func @any() attributes {local_size = array<i64: 4, 1, 1>} {
  %flags = wg.context : !wg.context<i1>
  %go = wg.any %flags : !wg.context<i1>
  scf.if %go {
  }
  wg.return
}

// CHECK-LABEL: wg.func @any() attributes {local_size = array<i64: 4, 1, 1>} {
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %c4 = arith.constant 4 : index
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %0 = ocl.alloca : !ocl.ptr<!ocl.array<4 x i8>, private>
// CHECK-NEXT:      %flags = ocl.cast %0 : !ocl.ptr<!ocl.array<4 x i8>, private> to !ocl.ptr<i8, private>
// CHECK-NEXT:      %1 = arith.constant 0 : i8
// CHECK-NEXT:      %2 = scf.for %3 = %c0 to %c4 step %c1 iter_args(%4 = %1) -> (i8) {
// CHECK-NEXT:        %5 = ocl.load %flags[%3] : !ocl.ptr<i8, private>
// CHECK-NEXT:        %6 = arith.ori %4, %5 : i8
// CHECK-NEXT:        scf.yield %6 : i8
// CHECK-NEXT:      }
// CHECK-NEXT:      %go = arith.trunci %2 : i8 to i1
// CHECK-NEXT:      scf.if %go {
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// A private array: the slot is an address.
wg.func @slot(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %lx = arith.constant 4 : index
  %one = arith.constant 1 : index
  %c = wg.context : !wg.context<!ocl.array<8 x i64>>
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %a = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.array<8 x i64>> -> !ocl.ptr<!ocl.array<8 x i64>, private>
    %e = ocl.cast %a : !ocl.ptr<!ocl.array<8 x i64>, private> to !ocl.ptr<i64, private>
    %v = ocl.load %e[%one] : !ocl.ptr<i64, private>
    ocl.store %v, %p[%x] : !ocl.ptr<i64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @slot(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) attributes {local_size = array<i64: 4, 1, 1>} {
// CHECK-NEXT:      %lx = arith.constant 4 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %0 = ocl.alloca : !ocl.ptr<!ocl.array<4 x !ocl.array<8 x i64>>, private>
// CHECK-NEXT:      %c = ocl.cast %0 : !ocl.ptr<!ocl.array<4 x !ocl.array<8 x i64>>, private> to !ocl.ptr<!ocl.array<8 x i64>, private>
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
// CHECK-NEXT:        %a = ocl.offset %c[%x] : !ocl.ptr<!ocl.array<8 x i64>, private>
// CHECK-NEXT:        %e = ocl.cast %a : !ocl.ptr<!ocl.array<8 x i64>, private> to !ocl.ptr<i64, private>
// CHECK-NEXT:        %v = ocl.load %e[%one] : !ocl.ptr<i64, private>
// CHECK-NEXT:        ocl.store %v, %p[%x] : !ocl.ptr<i64, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }
