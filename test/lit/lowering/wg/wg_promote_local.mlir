// RUN: ocl-opt %s -p "wg-promote-local{sizes=256}" | filecheck %s

// The launch gives 256 bytes for %s: they are the group's own memory, whose size is known.
wg.func @k(%s: !ocl.ptr<f32, local> {ocl.name = "s"}, %x: !ocl.ptr<f32, global> {ocl.name = "x"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  wg.parallel (%i, %j, %k) in (%lx, %one, %one) {
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %s[%i] : !ocl.ptr<f32, local>
  }
  wg.return
}

// CHECK-LABEL: wg.func @k(%s: !ocl.ptr<f32, local> {ocl.name = "s"}, %x: !ocl.ptr<f32, global> {ocl.name = "x"}) attributes {local_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:      %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<2 x vector<16xi64>>, local>
// CHECK-NEXT:      %s_1 = ocl.cast %0 : !ocl.ptr<!ocl.array<2 x vector<16xi64>>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:      %lx = arith.constant 64 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%i, %j, %k) in (%lx, %one, %one) {
// CHECK-NEXT:        %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        ocl.store %v, %s_1[%i] : !ocl.ptr<f32, local>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Two local pointers, but one size: nothing changes.
wg.func @two(%s: !ocl.ptr<f32, local> {ocl.name = "s"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %v = ocl.load %s[%zero] : !ocl.ptr<f32, local>
  ocl.store %v, %t[%zero] : !ocl.ptr<f32, local>
  wg.return
}

// CHECK-LABEL: wg.func @two(%s: !ocl.ptr<f32, local> {ocl.name = "s"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) attributes {local_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %v = ocl.load %s[%zero] : !ocl.ptr<f32, local>
// CHECK-NEXT:      ocl.store %v, %t[%zero] : !ocl.ptr<f32, local>
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }
