// RUN: ocl-opt %s -p wg-join-elements | filecheck %s
// RUN: ocl-opt %s -p wg-join-elements --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item reads the two numbers of a record that is anywhere, and writes two in another order.
// REMARK: wg_join_elements.mlir:[[# @LINE + 10]]:5: remark: with its neighbours at once [wg-join-elements]
// REMARK: wg_join_elements.mlir:[[# @LINE + 14]]:5: remark: with its neighbours at once [wg-join-elements]
wg.func @pairs(%a: !ocl.ptr<f64, global> {ocl.name = "a"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}, %out: !ocl.ptr<f64, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %row = arith.constant 11 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %n = ocl.load %at[%x] : !ocl.ptr<i64, global>
    %i = arith.index_cast %n : i64 to index
    %j = arith.addi %i, %one : index
    %second = ocl.load %a[%j] : !ocl.ptr<f64, global>
    %first = ocl.load %a[%i] : !ocl.ptr<f64, global>
    %s = math.sin %first : f64
    %c = math.sin %second : f64
    %p = arith.muli %x, %row : index
    ocl.store %s, %out[%p] : !ocl.ptr<f64, global>
    %q = arith.addi %p, %one : index
    ocl.store %c, %out[%q] : !ocl.ptr<f64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @pairs
// CHECK:         [[BEFORE:%.*]] = arith.addi %j, {{%.*}} : index
// CHECK-NEXT:    [[START:%.*]] = ocl.offset %a{{\[}}[[BEFORE]]] : !ocl.ptr<f64, global>
// CHECK:         [[BOTH:%.*]] = ocl.vload [[START]]{{.*}} -> vector<2xf64>
// CHECK-NEXT:    [[FIRST:%.*]] = vector.extract [[BOTH]][0] : f64 from vector<2xf64>
// CHECK-NEXT:    [[SECOND:%.*]] = vector.extract [[BOTH]][1] : f64 from vector<2xf64>
// CHECK-NEXT:    %s = math.sin [[FIRST]] : f64
// CHECK-NEXT:    %c = math.sin [[SECOND]] : f64
// CHECK-NOT:     ocl.store
// CHECK:         [[ROW:%.*]] = vector.insert %c, {{.*}} [1] : f64 into vector<2xf64>
// CHECK:         ocl.vstore [[ROW]], {{.*}} : vector<2xf64>, !ocl.ptr<f64, global>

// What is between the two loads may write the second.
wg.func @written(%a: !ocl.ptr<f64, global> {ocl.name = "a"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %n = ocl.load %at[%x] : !ocl.ptr<i64, global>
    %i = arith.index_cast %n : i64 to index
    %j = arith.addi %i, %one : index
    %first = ocl.load %a[%i] : !ocl.ptr<f64, global>
    ocl.store %first, %a[%x] : !ocl.ptr<f64, global>
    %second = ocl.load %a[%j] : !ocl.ptr<f64, global>
    ocl.store %second, %a[%x] : !ocl.ptr<f64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @written
// CHECK-NOT:     ocl.vload
// CHECK:         wg.return
