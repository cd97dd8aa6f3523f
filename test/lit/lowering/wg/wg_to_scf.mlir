// RUN: ocl-opt %s -p wg-to-scf | filecheck %s

// A dimension of size 1 has no loop. x is innermost.

wg.func @ids(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
  %lx = arith.constant 8 : index
  %ly = arith.constant 4 : index
  %lz = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
    %row = arith.muli %y, %lx : index
    %i = arith.addi %row, %x : index
    %v = arith.index_cast %z : index to i64
    ocl.store %v, %p[%i] : !ocl.ptr<i64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @ids(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %lx = arith.constant 8 : index
// CHECK-NEXT:    %ly = arith.constant 4 : index
// CHECK-NEXT:    %lz = arith.constant 1 : index
// CHECK-NEXT:    scf.for %y = %c0 to %ly step %c1 {
// CHECK-NEXT:      scf.for %x = %c0 to %lx step %c1 {
// CHECK-NEXT:        %row = arith.muli %y, %lx : index
// CHECK-NEXT:        %i = arith.addi %row, %x : index
// CHECK-NEXT:        %v = arith.index_cast %c0 : index to i64
// CHECK-NEXT:        ocl.store %v, %p[%i] : !ocl.ptr<i64, global>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

// Uniform results go through the loops.
wg.func @results(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %u = wg.parallel (%x, %y, %z) in (%c2, %c1, %c2) {
    %v = ocl.load %p : !ocl.ptr<f32, global>
    wg.yield %v : f32
  } : f32
  ocl.store %u, %p : !ocl.ptr<f32, global>
  wg.return
}

// CHECK-LABEL: wg.func @results(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1_1 = arith.constant 1 : index
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    %0 = ub.poison : f32
// CHECK-NEXT:    %u = scf.for %z = %c0 to %c2 step %c1 iter_args(%1 = %0) -> (f32) {
// CHECK-NEXT:      %2 = scf.for %x = %c0 to %c2 step %c1 iter_args(%3 = %1) -> (f32) {
// CHECK-NEXT:        %v = ocl.load %p : !ocl.ptr<f32, global>
// CHECK-NEXT:        scf.yield %v : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %2 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.store %u, %p : !ocl.ptr<f32, global>
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

// A group of one work-item needs no loop at all.
wg.func @single(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %c1 = arith.constant 1 : index
  %u = wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    wg.yield %v : f32
  } : f32
  ocl.store %u, %p : !ocl.ptr<f32, global>
  wg.return
}

// CHECK-LABEL: wg.func @single(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %v = ocl.load %p[%c0] : !ocl.ptr<f32, global>
// CHECK-NEXT:    ocl.store %v, %p : !ocl.ptr<f32, global>
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

// Context arrays: work-item (x, y, z) has slot (z * Ly + y) * Lx + x. An i1 is kept as an i8.
wg.func @contexts(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %lx = arith.constant 4 : index
  %ly = arith.constant 2 : index
  %lz = arith.constant 3 : index
  %c = wg.context : !wg.context<f32>
  %flags = wg.context : !wg.context<i1>
  wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    wg.put %v, %c[%x, %y, %z] : !wg.context<f32>
    %positive = arith.cmpf ogt, %v, %v : f32
    wg.put %positive, %flags[%x, %y, %z] : !wg.context<i1>
  }
  %any = wg.any %flags : !wg.context<i1>
  scf.if %any {
    wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
      %flag = wg.get %flags[%x, %y, %z] : !wg.context<i1>
      scf.if %flag {
        %v = wg.get %c[%x, %y, %z] : !wg.context<f32>
        ocl.store %v, %p[%x] : !ocl.ptr<f32, global>
      }
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @contexts(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %c24 = arith.constant 24 : index
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    %lx = arith.constant 4 : index
// CHECK-NEXT:    %ly = arith.constant 2 : index
// CHECK-NEXT:    %lz = arith.constant 3 : index
// CHECK-NEXT:    %0 = ocl.alloca : !ocl.ptr<!ocl.array<24 x f32>, private>
// CHECK-NEXT:    %c = ocl.cast %0 : !ocl.ptr<!ocl.array<24 x f32>, private> to !ocl.ptr<f32, private>
// CHECK-NEXT:    %1 = ocl.alloca : !ocl.ptr<!ocl.array<24 x i8>, private>
// CHECK-NEXT:    %flags = ocl.cast %1 : !ocl.ptr<!ocl.array<24 x i8>, private> to !ocl.ptr<i8, private>
// CHECK-NEXT:    scf.for %z = %c0 to %lz step %c1 {
// CHECK-NEXT:      scf.for %y = %c0 to %ly step %c1 {
// CHECK-NEXT:        scf.for %x = %c0 to %lx step %c1 {
// CHECK-NEXT:          %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
// CHECK-NEXT:          %2 = arith.muli %z, %c2 : index
// CHECK-NEXT:          %3 = arith.addi %2, %y : index
// CHECK-NEXT:          %4 = arith.muli %3, %c4 : index
// CHECK-NEXT:          %5 = arith.addi %4, %x : index
// CHECK-NEXT:          ocl.store %v, %c[%5] : !ocl.ptr<f32, private>
// CHECK-NEXT:          %positive = arith.cmpf ogt, %v, %v : f32
// CHECK-NEXT:          %6 = arith.muli %z, %c2 : index
// CHECK-NEXT:          %7 = arith.addi %6, %y : index
// CHECK-NEXT:          %8 = arith.muli %7, %c4 : index
// CHECK-NEXT:          %9 = arith.addi %8, %x : index
// CHECK-NEXT:          %10 = arith.extui %positive : i1 to i8
// CHECK-NEXT:          ocl.store %10, %flags[%9] : !ocl.ptr<i8, private>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    %11 = arith.constant 0 : i8
// CHECK-NEXT:    %12 = scf.for %13 = %c0 to %c24 step %c1 iter_args(%14 = %11) -> (i8) {
// CHECK-NEXT:      %15 = ocl.load %flags[%13] : !ocl.ptr<i8, private>
// CHECK-NEXT:      %16 = arith.ori %14, %15 : i8
// CHECK-NEXT:      scf.yield %16 : i8
// CHECK-NEXT:    }
// CHECK-NEXT:    %any = arith.trunci %12 : i8 to i1
// CHECK-NEXT:    scf.if %any {
// CHECK-NEXT:      scf.for %z_1 = %c0 to %lz step %c1 {
// CHECK-NEXT:        scf.for %y_1 = %c0 to %ly step %c1 {
// CHECK-NEXT:          scf.for %x_1 = %c0 to %lx step %c1 {
// CHECK-NEXT:            %17 = arith.muli %z_1, %c2 : index
// CHECK-NEXT:            %18 = arith.addi %17, %y_1 : index
// CHECK-NEXT:            %19 = arith.muli %18, %c4 : index
// CHECK-NEXT:            %20 = arith.addi %19, %x_1 : index
// CHECK-NEXT:            %21 = ocl.load %flags[%20] : !ocl.ptr<i8, private>
// CHECK-NEXT:            %flag = arith.trunci %21 : i8 to i1
// CHECK-NEXT:            scf.if %flag {
// CHECK-NEXT:              %22 = arith.muli %z_1, %c2 : index
// CHECK-NEXT:              %23 = arith.addi %22, %y_1 : index
// CHECK-NEXT:              %24 = arith.muli %23, %c4 : index
// CHECK-NEXT:              %25 = arith.addi %24, %x_1 : index
// CHECK-NEXT:              %v_1 = ocl.load %c[%25] : !ocl.ptr<f32, private>
// CHECK-NEXT:              ocl.store %v_1, %p[%x_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

// Private arrays: the slot of a work-item is an address. An index is kept as an i64.
wg.func @slots(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
  %lx = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c = wg.context : !wg.context<!ocl.array<8 x i64>>
  %at = wg.context : !wg.context<index>
  wg.parallel (%x, %y, %z) in (%lx, %c1, %c1) {
    wg.put %x, %at[%x, %y, %z] : !wg.context<index>
  }
  wg.parallel (%x, %y, %z) in (%lx, %c1, %c1) {
    %i = wg.get %at[%x, %y, %z] : !wg.context<index>
    %a = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.array<8 x i64>> -> !ocl.ptr<!ocl.array<8 x i64>, private>
    %e = ocl.cast %a : !ocl.ptr<!ocl.array<8 x i64>, private> to !ocl.ptr<i64, private>
    %v = ocl.load %e[%i] : !ocl.ptr<i64, private>
    ocl.store %v, %p[%x] : !ocl.ptr<i64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @slots(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %lx = arith.constant 4 : index
// CHECK-NEXT:    %c1_1 = arith.constant 1 : index
// CHECK-NEXT:    %0 = ocl.alloca : !ocl.ptr<!ocl.array<4 x !ocl.array<8 x i64>>, private>
// CHECK-NEXT:    %c = ocl.cast %0 : !ocl.ptr<!ocl.array<4 x !ocl.array<8 x i64>>, private> to !ocl.ptr<!ocl.array<8 x i64>, private>
// CHECK-NEXT:    %1 = ocl.alloca : !ocl.ptr<!ocl.array<4 x i64>, private>
// CHECK-NEXT:    %at = ocl.cast %1 : !ocl.ptr<!ocl.array<4 x i64>, private> to !ocl.ptr<i64, private>
// CHECK-NEXT:    scf.for %x = %c0 to %lx step %c1 {
// CHECK-NEXT:      %2 = arith.index_cast %x : index to i64
// CHECK-NEXT:      ocl.store %2, %at[%x] : !ocl.ptr<i64, private>
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for %x_1 = %c0 to %lx step %c1 {
// CHECK-NEXT:      %3 = ocl.load %at[%x_1] : !ocl.ptr<i64, private>
// CHECK-NEXT:      %i = arith.index_cast %3 : i64 to index
// CHECK-NEXT:      %a = ocl.offset %c[%x_1] : !ocl.ptr<!ocl.array<8 x i64>, private>
// CHECK-NEXT:      %e = ocl.cast %a : !ocl.ptr<!ocl.array<8 x i64>, private> to !ocl.ptr<i64, private>
// CHECK-NEXT:      %v = ocl.load %e[%i] : !ocl.ptr<i64, private>
// CHECK-NEXT:      ocl.store %v, %p[%x_1] : !ocl.ptr<i64, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

// An async copy is a loop of the group; the stride is on the side of global memory.
wg.func @copies(%g: !ocl.ptr<f32, global> {ocl.name = "g"}, %l: !ocl.ptr<f32, local> {ocl.name = "l"}) {
  %n = arith.constant 16 : index
  %s = arith.constant 3 : index
  %one = arith.constant 1 : index
  %e0 = ocl.null_event
  %e1 = ocl.async_copy %l, %g, %n, %e0 stride %s : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
  %list = ocl.alloca : !ocl.ptr<!ocl.event, private>
  ocl.store %e1, %list : !ocl.ptr<!ocl.event, private>
  ocl.wait_events %one, %list : !ocl.ptr<!ocl.event, private>
  %e2 = ocl.async_copy %g, %l, %n, %e0 : !ocl.ptr<f32, global>, !ocl.ptr<f32, local>
  wg.return
}

// CHECK-LABEL: wg.func @copies(%g: !ocl.ptr<f32, global> {ocl.name = "g"}, %l: !ocl.ptr<f32, local> {ocl.name = "l"}) {
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %n = arith.constant 16 : index
// CHECK-NEXT:    %s = arith.constant 3 : index
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %e0 = ocl.null_event
// CHECK-NEXT:    scf.for %0 = %c0 to %n step %c1 {
// CHECK-NEXT:      %1 = arith.muli %0, %s : index
// CHECK-NEXT:      %2 = ocl.load %g[%1] : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.store %2, %l[%0] : !ocl.ptr<f32, local>
// CHECK-NEXT:    }
// CHECK-NEXT:    %list = ocl.alloca : !ocl.ptr<!ocl.event, private>
// CHECK-NEXT:    ocl.store %e0, %list : !ocl.ptr<!ocl.event, private>
// CHECK-NEXT:    scf.for %3 = %c0 to %n step %c1 {
// CHECK-NEXT:      %4 = ocl.load %l[%3] : !ocl.ptr<f32, local>
// CHECK-NEXT:      ocl.store %4, %g[%3] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

// A local size that is read at the launch is the bound of the loops.
// CHECK-LABEL: wg.func @any_size
// CHECK:       %lx = ocl.local_size 0 : index
// CHECK-NEXT:  %ly = ocl.local_size 1 : index
// CHECK-NEXT:  %lz = ocl.local_size 2 : index
// CHECK-NEXT:  scf.for %z = %c0 to %lz step %c1 {
// CHECK-NEXT:    scf.for %y = %c0 to %ly step %c1 {
// CHECK-NEXT:      scf.for %x = %c0 to %lx step %c1 {
// CHECK-NEXT:        %v = arith.index_cast %x : index to i64
    ocl.store %v, %p[%y] : !ocl.ptr<i64, global>
wg.func @any_size(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
  %lx = ocl.local_size 0 : index
  %ly = ocl.local_size 1 : index
  %lz = ocl.local_size 2 : index
  wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
    %v = arith.index_cast %x : index to i64
    ocl.store %v, %p[%y] : !ocl.ptr<i64, global>
  }
  wg.return
}
