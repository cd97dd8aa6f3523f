// RUN: ocl-opt %s -p "wg-vectorize{width=16}" | filecheck %s

// Records of three numbers under a mask are rows of 48 elements, which are read and written by
// registers: LLVM computes masks whose length is no power of two bit by bit.
// CHECK-LABEL: wg.func @records
// CHECK-COUNT-3: wg.load %p{{.*}} mask {{.*}} -> vector<16xf32>
// CHECK-NOT:     wg.load
// CHECK-COUNT-3: wg.store {{.*}} mask {{.*}} : vector<16xf32>
// CHECK-NOT:     wg.store
wg.func @records(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}, %on: !ocl.ptr<i32, global> {ocl.name = "on"}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %o = ocl.load %on[%x] : !ocl.ptr<i32, global>
    %is_on = arith.cmpi ne, %o, %zero : i32
    scf.if %is_on {
      %i = arith.muli %x, %three : index
      %j = arith.addi %i, %one : index
      %k = arith.addi %i, %two : index
      %a = ocl.load %p[%i] : !ocl.ptr<f32, global>
      %b = ocl.load %p[%j] : !ocl.ptr<f32, global>
      %c = ocl.load %p[%k] : !ocl.ptr<f32, global>
      ocl.store %c, %q[%i] : !ocl.ptr<f32, global>
      ocl.store %b, %q[%j] : !ocl.ptr<f32, global>
      ocl.store %a, %q[%k] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// Without a mask, they are one row.
// CHECK-LABEL: wg.func @all
// CHECK:         wg.load %p{{.*}} -> vector<48xf32>
wg.func @all(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.muli %x, %three : index
    %j = arith.addi %i, %one : index
    %a = ocl.load %p[%i] : !ocl.ptr<f32, global>
    %b = ocl.load %p[%j] : !ocl.ptr<f32, global>
    %c = arith.addf %a, %b : f32
    ocl.store %c, %q[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Vectors of three elements have the memory of four, which are read; the fourth is not written.
// CHECK-LABEL: wg.func @slots
// CHECK:         wg.load {{.*}} -> vector<64xf32>
// CHECK:         wg.store {{.*}} mask {{.*}} : vector<64xf32>
// CHECK:         wg.gather {{.*}} stride 32 {{.*}}-> vector<64xf32>
// CHECK:         wg.scatter {{.*}} stride 32 {{.*}}vector<48xf32>, 
wg.func @slots(%p: !ocl.ptr<vector<3xf32>, global> {ocl.name = "p"}, %q: !ocl.ptr<vector<3xf32>, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %a = ocl.load %p[%x] : !ocl.ptr<vector<3xf32>, global>
    %b = arith.addf %a, %a : vector<3xf32>
    ocl.store %b, %p[%x] : !ocl.ptr<vector<3xf32>, global>
    %i = arith.muli %x, %two : index
    %c = ocl.load %q[%i] : !ocl.ptr<vector<3xf32>, global>
    %d = arith.addf %c, %c : vector<3xf32>
    ocl.store %d, %q[%i] : !ocl.ptr<vector<3xf32>, global>
  }
  wg.return
}
