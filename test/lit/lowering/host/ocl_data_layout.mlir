// RUN: ocl-opt %s -p 'ocl-data-layout{platform=amd-cpu cache_line=8}' --remarks 2>%t | filecheck %s
// RUN: filecheck %s --check-prefix=SERIAL --input-file %t
// RUN: ocl-opt %s -p 'ocl-data-layout{platform=intel-cpu cache_line=8}' --remarks 2>&1 | filecheck %s --check-prefix=PARALLEL

// Figure 8 of the PPOpenCL paper: two elements in a cache line, four work-items in a group. The
// coalesced layout has a reuse distance of 1 on a serial platform and of 0 on one that executes the
// work-items together; the continuous one, of 0 and 3.

// SERIAL:   ocl_data_layout.mlir:[[#]]:3: remark: a: coalesced -> continuous on amd-cpu, 2 x %M -> %M x 2: reuse distance 1 -> 0; 1 transfers are transposed
// SERIAL:   b: layout kept: no access has rows and columns

// PARALLEL:     ocl.load %a[%at]
// PARALLEL-NOT: host.transpose
// PARALLEL:     a: coalesced layout kept on intel-cpu: reuse distance 0 -> 3

// The kernel looks for element (i, j) at 2 * i + j instead of M * j + i.
// CHECK-LABEL: ocl.kernel @sum
// CHECK:         %c2 = arith.constant 2 : index
// CHECK:         scf.for %j =
// CHECK-NEXT:      [[ROW:%.*]] = arith.muli %i, %c2 : index
// CHECK-NEXT:      [[AT:%.*]] = arith.addi [[ROW]], %j : index
// CHECK-NEXT:      ocl.load %a[[[AT]]] : !ocl.ptr<i32, global>
ocl.kernel @sum(
  %a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"},
  %M: i32 {ocl.name = "M"}
) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i32
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %all = scf.for %j = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (i32) {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<i32, global>
    %next = arith.addi %sum, %value : i32
    scf.yield %next : i32
  }
  ocl.store %all, %b[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// The host transposes a once, behind the write and outside of the loop of launches.
// CHECK-LABEL: func.func @main
// CHECK:         host.write %h_a to %a
// CHECK-NEXT:    %a_1 = host.transpose %a rows %c2 columns %M : !host.buffer<i32>
// CHECK-NEXT:    host.release %a
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      host.launch @sum {{.*}} (%a_1, %b, %M32)
// CHECK-NEXT:    }
// CHECK-NEXT:    host.read %b to %h_b
func.func @main(%h_a: memref<?xi32>, %h_b: memref<?xi32>, %M: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  %count = arith.muli %M, %c2 : index
  %M32 = arith.index_cast %M : index to i32
  %a = host.buffer %count : !host.buffer<i32>
  %b = host.buffer %M : !host.buffer<i32>
  host.write %h_a to %a : memref<?xi32>, !host.buffer<i32>
  scf.for %round = %c0 to %c100 step %c1 {
    host.launch @sum global [%M] local [%c4] (%a, %b, %M32) : !host.buffer<i32>, !host.buffer<i32>, i32
  }
  host.read %b to %h_b : !host.buffer<i32>, memref<?xi32>
  func.return
}
