// RUN: ocl-opt %s -p "promote-loop-memory{distinct=true}" | filecheck %s

// A sum in memory becomes a value that the loop carries: it is loaded in front and stored behind,
// if the loop has a round. Buffers of different parameters do not overlap, with `distinct`.
ocl.kernel @sum(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}, %m: i32 {ocl.name = "m"}) {
  %i = ocl.global_id 0 : index
  %n = arith.index_cast %m : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %s = ocl.load %c[%i] : !ocl.ptr<f32, global>
    %v = ocl.load %a[%k] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %v : f32
    ocl.store %t, %c[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @sum(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}, %m: i32 {ocl.name = "m"}) {
// CHECK-NEXT:      %i = ocl.global_id 0 : index
// CHECK-NEXT:      %n = arith.index_cast %m : i32 to index
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %0 = arith.cmpi slt, %c0, %n : index
// CHECK-NEXT:      %1 = scf.if %0 -> (f32) {
// CHECK-NEXT:        %2 = ocl.load %c[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        scf.yield %2 : f32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:        scf.yield %3 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      %4 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %1) -> (f32) {
// CHECK-NEXT:        %v = ocl.load %a[%k] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %t = arith.addf %s, %v : f32
// CHECK-NEXT:        scf.yield %t : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.if %0 {
// CHECK-NEXT:        ocl.store %4, %c[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      ocl.return
// CHECK-NEXT:    }

// The store may hit what is loaded: the same buffer at another index. Nothing changes.
ocl.kernel @same_buffer(%c: !ocl.ptr<f32, global> {ocl.name = "c"}, %m: i32 {ocl.name = "m"}) {
  %i = ocl.global_id 0 : index
  %n = arith.index_cast %m : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %s = ocl.load %c[%i] : !ocl.ptr<f32, global>
    %v = ocl.load %c[%k] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %v : f32
    ocl.store %t, %c[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @same_buffer(%c: !ocl.ptr<f32, global> {ocl.name = "c"}, %m: i32 {ocl.name = "m"}) {
// CHECK-NEXT:      %i = ocl.global_id 0 : index
// CHECK-NEXT:      %n = arith.index_cast %m : i32 to index
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      scf.for %k = %c0 to %n step %c1 {
// CHECK-NEXT:        %s = ocl.load %c[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %v = ocl.load %c[%k] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %t = arith.addf %s, %v : f32
// CHECK-NEXT:        ocl.store %t, %c[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      ocl.return
// CHECK-NEXT:    }

// The store is made in some rounds only. Nothing changes.
ocl.kernel @sometimes(%c: !ocl.ptr<f32, global> {ocl.name = "c"}, %f: !ocl.ptr<i32, constant> {ocl.name = "f"}, %m: i32 {ocl.name = "m"}) {
  %i = ocl.global_id 0 : index
  %n = arith.index_cast %m : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i32
  scf.for %k = %c0 to %n step %c1 {
    %g = ocl.load %f[%k] : !ocl.ptr<i32, constant>
    %go = arith.cmpi ne, %g, %zero : i32
    scf.if %go {
      ocl.store %one, %c[%i] : !ocl.ptr<f32, global>
    }
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @sometimes(%c: !ocl.ptr<f32, global> {ocl.name = "c"}, %f: !ocl.ptr<i32, constant> {ocl.name = "f"}, %m: i32 {ocl.name = "m"}) {
// CHECK-NEXT:      %i = ocl.global_id 0 : index
// CHECK-NEXT:      %n = arith.index_cast %m : i32 to index
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %one = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:      %zero = arith.constant 0 : i32
// CHECK-NEXT:      scf.for %k = %c0 to %n step %c1 {
// CHECK-NEXT:        %g = ocl.load %f[%k] : !ocl.ptr<i32, constant>
// CHECK-NEXT:        %go = arith.cmpi ne, %g, %zero : i32
// CHECK-NEXT:        scf.if %go {
// CHECK-NEXT:          ocl.store %one, %c[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      ocl.return
// CHECK-NEXT:    }

// A loop that is known to run: nothing asks whether it does.
ocl.kernel @always(%c: !ocl.ptr<f32, global> {ocl.name = "c"}) {
  %i = ocl.global_id 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  scf.for %k = %c0 to %c4 step %c1 {
    %v = ocl.load %c[%i] : !ocl.ptr<f32, global>
    %w = arith.addf %v, %one : f32
    ocl.store %w, %c[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @always
// CHECK:           %[[FIRST:.*]] = ocl.load %c[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %[[LAST:.*]] = scf.for %k = %c0 to %c4 step %c1 iter_args(%{{.*}} = %[[FIRST]]) -> (f32) {
// CHECK:           }
// CHECK-NEXT:      ocl.store %[[LAST]], %c[%i] : !ocl.ptr<f32, global>

// Sums start with what was stored just before, and are stored once, whether or not the loop runs. What is loaded
// in between may be at that address: then there is a load, as it was.
ocl.kernel @stored(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}, %d: !ocl.ptr<f32, global> {ocl.name = "d"}, %e: !ocl.ptr<f32, global> {ocl.name = "e"}, %m: i32 {ocl.name = "m"}) {
  %i = ocl.global_id 0 : index
  %n = arith.index_cast %m : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  ocl.store %zero, %e[%i] : !ocl.ptr<f32, global>
  %g = ocl.load %e[%c0] : !ocl.ptr<f32, global>
  ocl.store %zero, %c[%i] : !ocl.ptr<f32, global>
  ocl.store %g, %d[%i] : !ocl.ptr<f32, global>
  scf.for %k = %c0 to %n step %c1 {
    %v = ocl.load %a[%k] : !ocl.ptr<f32, global>
    %s = ocl.load %c[%i] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %v : f32
    ocl.store %t, %c[%i] : !ocl.ptr<f32, global>
    %u = ocl.load %d[%i] : !ocl.ptr<f32, global>
    %w = arith.mulf %u, %v : f32
    ocl.store %w, %d[%i] : !ocl.ptr<f32, global>
    %x = ocl.load %e[%i] : !ocl.ptr<f32, global>
    %y = arith.addf %x, %v : f32
    ocl.store %y, %e[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @stored
// CHECK-NEXT:        %i = ocl.global_id 0 : index
// CHECK-NEXT:        %n = arith.index_cast %m : i32 to index
// CHECK-NEXT:        %c0 = arith.constant 0 : index
// CHECK-NEXT:        %c1 = arith.constant 1 : index
// CHECK-NEXT:        %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:        ocl.store %zero, %e[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %g = ocl.load %e[%c0] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %0 = arith.cmpi slt, %c0, %n : index
// CHECK-NEXT:        %1 = scf.if %0 -> (f32) {
// CHECK-NEXT:          %2 = ocl.load %e[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:          scf.yield %2 : f32
// CHECK-NEXT:        } else {
// CHECK-NEXT:          %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:          scf.yield %3 : f32
// CHECK-NEXT:        }
// CHECK-NEXT:        %4, %5, %6 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %u = %g, %x = %1) -> (f32, f32, f32) {
// CHECK-NEXT:          %v = ocl.load %a[%k] : !ocl.ptr<f32, global>
// CHECK-NEXT:          %t = arith.addf %s, %v : f32
// CHECK-NEXT:          %w = arith.mulf %u, %v : f32
// CHECK-NEXT:          %y = arith.addf %x, %v : f32
// CHECK-NEXT:          scf.yield %t, %w, %y : f32, f32, f32
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.if %0 {
// CHECK-NEXT:          ocl.store %6, %e[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:        ocl.store %5, %d[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        ocl.store %4, %c[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        ocl.return
// CHECK-NEXT:      }

// What is loaded and stored in between is in other buffers, as the bounds of a row: the sum starts with what was
// stored before it. A buffer that only a pointer in memory leads to may be any: there is a load, as it was.
ocl.kernel @bounds(%c: !ocl.ptr<f32, global> {ocl.name = "c"}, %d: !ocl.ptr<f32, global> {ocl.name = "d"}, %rows: !ocl.ptr<i32, global> {ocl.name = "rows"}, %to: !ocl.ptr<!ocl.ptr<i32, global>, global> {ocl.name = "to"}) {
  %i = ocl.global_id 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = ocl.load %to[%i] : !ocl.ptr<!ocl.ptr<i32, global>, global>
  ocl.store %zero, %d[%i] : !ocl.ptr<f32, global>
  %any = ocl.load %p[%i] : !ocl.ptr<i32, global>
  ocl.store %zero, %c[%i] : !ocl.ptr<f32, global>
  %m = ocl.load %rows[%i] : !ocl.ptr<i32, global>
  ocl.store %any, %rows[%i] : !ocl.ptr<i32, global>
  %n = arith.index_cast %m : i32 to index
  scf.for %k = %c0 to %n step %c1 {
    %s = ocl.load %c[%i] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %one : f32
    ocl.store %t, %c[%i] : !ocl.ptr<f32, global>
    %u = ocl.load %d[%i] : !ocl.ptr<f32, global>
    %v = arith.mulf %u, %one : f32
    ocl.store %v, %d[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @bounds
// CHECK:             ocl.store %zero, %d[%i]
// CHECK-NEXT:        %any = ocl.load
// CHECK-NEXT:        %m = ocl.load
// CHECK:             %[[D:.*]] = scf.if
// CHECK:             %{{.*}}, %[[E:.*]] = scf.for {{.*}} iter_args(%s = %zero, %u = %[[D]]) -> (f32, f32) {
// CHECK:             scf.if
// CHECK-NEXT:          ocl.store %[[E]], %d[%i]
// CHECK:             ocl.store %{{.*}}, %c[%i]
// CHECK-NEXT:        ocl.return
