// RUN: ocl-opt %s -p 'ocl-set-local-size{size=64}' | filecheck %s

// The local size becomes constants, as does what is computed from it alone, and a requirement of the
// kernel.

ocl.kernel @one_dimension(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %n = ocl.local_size 0 : index
  %m = ocl.local_size 2 : index
  %i = arith.muli %n, %m : index
  %v = arith.index_cast %i : index to i32
  ocl.store %v, %p : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @one_dimension(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:    %n = arith.constant 64 : index
// CHECK-NEXT:    %m = arith.constant 1 : index
// CHECK-NEXT:    %i = arith.constant 64 : index
// CHECK-NEXT:    %v = arith.constant 64 : i32
// CHECK-NEXT:    ocl.store %v, %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// A size that the kernel requires already is confirmed.
ocl.kernel @required() attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  ocl.return
}

// CHECK-LABEL: ocl.kernel @required() attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// In a wg.func, too.
wg.func @group() {
  %lx = ocl.local_size 0 : index
  %ly = ocl.local_size 1 : index
  %lz = ocl.local_size 2 : index
  wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
  }
  wg.return
}

// CHECK-LABEL: wg.func @group() attributes {reqd_work_group_size = array<i64: 64, 1, 1>, local_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:    %lx = arith.constant 64 : index
// CHECK-NEXT:    %ly = arith.constant 1 : index
// CHECK-NEXT:    %lz = arith.constant 1 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }
