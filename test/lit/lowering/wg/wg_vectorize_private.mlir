// RUN: ocl-opt %s -p "wg-vectorize{width=4}" | filecheck %s

// In a branch that the lanes take differently, an element of a private array is read, and written
// again where a lane is off, so that LLVM can keep the array in registers: there is no mask.
// CHECK-LABEL: wg.func @inside
// CHECK:         [[TAKEN:%[a-z]+]] = vec.cmpf ogt
// CHECK-NOT:     scf.if
// CHECK:         [[OLD:%[0-9]+]] = wg.load {{.*}} : !ocl.ptr<f32, private>
// CHECK-NEXT:    [[NEW:%[0-9]+]] = vec.select [[TAKEN]], {{.*}}, [[OLD]]
// CHECK-NEXT:    wg.store [[NEW]], {{.*}} : vector<4xf32>, !ocl.ptr<f32, private>
wg.func @inside(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %a = ocl.alloca : !ocl.ptr<!ocl.array<4 x f32>, private>
    %e = ocl.cast %a : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    %is = arith.cmpf ogt, %v, %zero : f32
    scf.for %i = %c0 to %c3 step %one {
      %next = arith.addi %i, %one : index
      scf.if %is {
        ocl.store %v, %e[%next] : !ocl.ptr<f32, private>
      }
    }
    %w = ocl.load %e[%c3] : !ocl.ptr<f32, private>
    ocl.store %w, %p[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// The last iteration's element is not in the array: only lanes that are on touch it.
// CHECK-LABEL: wg.func @outside
// CHECK:         scf.if
// CHECK:         wg.store {{.*}} mask {{.*}} : vector<4xi1> : vector<4xf32>, !ocl.ptr<f32, private>
wg.func @outside(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %a = ocl.alloca : !ocl.ptr<!ocl.array<4 x f32>, private>
    %e = ocl.cast %a : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    %is = arith.cmpf ogt, %v, %zero : f32
    scf.for %i = %c0 to %c4 step %one {
      %next = arith.addi %i, %one : index
      scf.if %is {
        ocl.store %v, %e[%next] : !ocl.ptr<f32, private>
      }
    }
    %w = ocl.load %e[%c0] : !ocl.ptr<f32, private>
    ocl.store %w, %p[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
