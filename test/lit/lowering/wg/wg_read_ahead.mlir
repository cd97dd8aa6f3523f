// RUN: ocl-opt %s -p wg-read-ahead | filecheck %s
// RUN: ocl-opt %s -p wg-read-ahead --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item counts the bytes of its string, up to the first zero. Where the buffer is aligned,
// a block of 16 bytes is read at once; iterations of strings that have ended change nothing. What the
// loop counts with is a sum of a number and what the loop over blocks counts with, for all lanes.
// REMARK: wg_read_ahead.mlir:[[# @LINE + 7]]:{{.*}} remark: reads 16 bytes of a row at once [wg-read-ahead]
wg.func @sum(%text: !ocl.ptr<i8, global> {ocl.name = "text"}, %out: !ocl.ptr<i8, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : i8
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %h, %n = scf.while (%g = %zero, %k = %first) : (i8, index) -> (i8, index) {
      %width = arith.constant 32 : index
      %row = arith.muli %x, %width : index
      %at = arith.addi %row, %k : index
      %c = ocl.load %text[%at] : !ocl.ptr<i8, global>
      %more = arith.cmpi ne, %c, %zero : i8
      scf.condition(%more) %g, %k : i8, index
    } do {
    ^bb0(%g2: i8, %k2: index):
      %width2 = arith.constant 32 : index
      %row2 = arith.muli %x, %width2 : index
      %at2 = arith.addi %row2, %k2 : index
      %c2 = ocl.load %text[%at2] : !ocl.ptr<i8, global>
      %g3 = arith.addi %g2, %c2 : i8
      %k3 = arith.addi %k2, %one : index
      scf.yield %g3, %k3 : i8, index
    }
    ocl.store %h, %out[%x] : !ocl.ptr<i8, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @sum
// CHECK:         [[ADDRESS:%.*]] = ocl.ptr_to_int %text
// CHECK:         [[LOW:%.*]] = arith.andi [[ADDRESS]], {{.*}} : i64
// CHECK:         [[ALIGNED:%.*]] = arith.cmpi eq, [[LOW]], {{.*}} : i64
// CHECK-NEXT:    scf.if [[ALIGNED]] {
// CHECK:           %{{.*}}, %{{.*}}, %h = scf.while ([[N:%.*]] = %{{.*}}, [[LIVE:%.*]] = %{{.*}}, [[OLD:%.*]] = %zero)
// CHECK-NEXT:        scf.condition([[LIVE]])
// CHECK:           ^{{.*}}([[COUNT:%.*]]: index, [[ON:%.*]]: i1, [[SUM:%.*]]: i8):
// CHECK:             [[ROW:%.*]] = ocl.vload {{.*}} -> vector<16xi8>
// CHECK-NEXT:        [[TESTED:%.*]] = vector.extract [[ROW]][0]
// CHECK-NEXT:        [[ADDED:%.*]] = vector.extract [[ROW]][0]
// CHECK:             [[GO:%.*]] = scf.if {{.*}} -> (i1) {
// CHECK:               arith.cmpi ne, [[TESTED]], %zero : i8
// CHECK:             scf.if [[GO]] -> (i8) {
// CHECK:               arith.addi [[SUM]], [[ADDED]] : i8
// CHECK:             vector.extract [[ROW]][1]
// CHECK:             vector.extract [[ROW]][15]
// CHECK-NOT:         ocl.load
// CHECK:         } else {
// CHECK:           ocl.load %text
