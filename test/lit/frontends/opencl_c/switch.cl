// RUN: ocl-opt %s | filecheck %s
// switch: a chain of ifs; what falls through is guarded.

kernel void simple(global int *x, int n) {
  switch (n) {
  case 1:
  case 2:
    x[0] = 12;
    break;
  case 4 ... 6:
    x[0] = 456;
    break;
  default:
    x[0] = 0;
  }
}

kernel void fall_through(global int *x, int n) {
  switch (n) {
  case 1:
    x[0] = 1;
  case 2:
    x[1] = 2;
    break;
  }
}

kernel void break_inside(global int *x, int n) {
  switch (n) {
  case 3:
    if (x[0])
      break;
    x[1] = 3;
  }
  x[2] = 4;
}

// CHECK-LABEL: ocl.kernel @simple(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = arith.cmpi eq, %n, %c1_i32 : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %1 = arith.cmpi eq, %n, %c2_i32 : i32
// CHECK-NEXT:     %2 = arith.ori %0, %1 : i1
// CHECK-NEXT:     scf.if %2 {
// CHECK-NEXT:       %c12_i32 = arith.constant 12 : i32
// CHECK-NEXT:       ocl.store %c12_i32, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:       %3 = arith.cmpi sge, %n, %c4_i32 : i32
// CHECK-NEXT:       %c6_i32 = arith.constant 6 : i32
// CHECK-NEXT:       %4 = arith.cmpi sle, %n, %c6_i32 : i32
// CHECK-NEXT:       %5 = arith.andi %3, %4 : i1
// CHECK-NEXT:       scf.if %5 {
// CHECK-NEXT:         %c456_i32 = arith.constant 456 : i32
// CHECK-NEXT:         ocl.store %c456_i32, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:         ocl.store %c0_i32, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @fall_through(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = arith.cmpi eq, %n, %c1_i32 : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %1 = arith.cmpi eq, %n, %c2_i32 : i32
// CHECK-NEXT:     %2 = arith.ori %0, %1 : i1
// CHECK-NEXT:     scf.if %2 {
// CHECK-NEXT:       %c2_i32_1 = arith.constant 2 : i32
// CHECK-NEXT:       %3 = arith.cmpi ne, %n, %c2_i32_1 : i32
// CHECK-NEXT:       scf.if %3 {
// CHECK-NEXT:         %c1_i32_1 = arith.constant 1 : i32
// CHECK-NEXT:         ocl.store %c1_i32_1, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       ocl.store %c2_i32_1, %x[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @break_inside(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %0 = arith.cmpi eq, %n, %c3_i32 : i32
// CHECK-NEXT:     scf.if %0 {
// CHECK-NEXT:       %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:       %1 = ocl.load %x : !ocl.ptr<i32, global>
// CHECK-NEXT:       %2 = arith.cmpi eq, %1, %c0_i32 : i32
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         %c3_i32_1 = arith.constant 3 : i32
// CHECK-NEXT:         %c1 = arith.constant 1 : index
// CHECK-NEXT:         ocl.store %c3_i32_1, %x[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %c4_i32, %x[%c2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
