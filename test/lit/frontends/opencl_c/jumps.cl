// RUN: ocl-opt %s | filecheck %s
// break, continue and early returns: flags only where code behind them needs to know.

kernel void break_loop(global int *x, int n) {
  int i;
  for (i = 0; i < n; i++) {
    if (x[i] == 7)
      break;
    x[i] = 0;
  }
  x[0] = i;
}

kernel void continue_without_flag(global int *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] == 7)
      continue;
    x[i] = 0;
  }
}

kernel void continue_with_flag(global int *x, int n) {
  for (int i = 0; i < n; i++) {
    if (i > 3) {
      if (x[i] == 7)
        continue;
      x[i] = 1;
    }
    x[i] += 2;
  }
}

int find(global int *x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] == 7)
      return i;
  return -1;
}

kernel void returns(global int *x, int n) { x[0] = find(x, n); }

// CHECK-LABEL: func.func private @find(%x: !ocl.ptr<i32, global>, %n: i32) -> i32 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %0 = ub.poison : i32
// CHECK-NEXT:     %i, %result, %return = scf.while (%i_1 = %c0_i32, %result_1 = %0, %return_1 = %false) : (i32, i32, i1) -> (i32, i32, i1) {
// CHECK-NEXT:       %true = arith.constant true
// CHECK-NEXT:       %1 = arith.xori %return_1, %true : i1
// CHECK-NEXT:       %2 = arith.cmpi slt, %i_1, %n : i32
// CHECK-NEXT:       %3 = arith.andi %1, %2 : i1
// CHECK-NEXT:       scf.condition(%3) %i_1, %result_1, %return_1 : i32, i32, i1
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%i_2: i32, %result_2: i32, %return_2: i1):
// CHECK-NEXT:       %4 = arith.index_cast %i_2 : i32 to index
// CHECK-NEXT:       %5 = ocl.load %x[%4] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:       %6 = arith.cmpi eq, %5, %c7_i32 : i32
// CHECK-NEXT:       %result_3, %return_3 = scf.if %6 -> (i32, i1) {
// CHECK-NEXT:         %true_1 = arith.constant true
// CHECK-NEXT:         scf.yield %i_2, %true_1 : i32, i1
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %result_2, %return_2 : i32, i1
// CHECK-NEXT:       }
// CHECK-NEXT:       %true_2 = arith.constant true
// CHECK-NEXT:       %7 = arith.xori %return_3, %true_2 : i1
// CHECK-NEXT:       %i_3 = scf.if %7 -> (i32) {
// CHECK-NEXT:         %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:         %i_4 = arith.addi %i_2, %c1_i32 : i32
// CHECK-NEXT:         scf.yield %i_4 : i32
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %i_2 : i32
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %i_3, %result_3, %return_3 : i32, i32, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     %true_3 = arith.constant true
// CHECK-NEXT:     %8 = arith.xori %return, %true_3 : i1
// CHECK-NEXT:     %result_4 = scf.if %8 -> (i32) {
// CHECK-NEXT:       %cm1_i32 = arith.constant -1 : i32
// CHECK-NEXT:       scf.yield %cm1_i32 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %result : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %result_4 : i32
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @break_loop(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %i, %break = scf.while (%i_1 = %c0_i32, %break_1 = %false) : (i32, i1) -> (i32, i1) {
// CHECK-NEXT:       %true = arith.constant true
// CHECK-NEXT:       %0 = arith.xori %break_1, %true : i1
// CHECK-NEXT:       %1 = arith.cmpi slt, %i_1, %n : i32
// CHECK-NEXT:       %2 = arith.andi %0, %1 : i1
// CHECK-NEXT:       scf.condition(%2) %i_1, %break_1 : i32, i1
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%i_2: i32, %break_2: i1):
// CHECK-NEXT:       %3 = arith.index_cast %i_2 : i32 to index
// CHECK-NEXT:       %4 = ocl.load %x[%3] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:       %5 = arith.cmpi eq, %4, %c7_i32 : i32
// CHECK-NEXT:       %break_3 = scf.if %5 -> (i1) {
// CHECK-NEXT:         %true_1 = arith.constant true
// CHECK-NEXT:         scf.yield %true_1 : i1
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:         %6 = arith.index_cast %i_2 : i32 to index
// CHECK-NEXT:         ocl.store %c0_i32_1, %x[%6] : !ocl.ptr<i32, global>
// CHECK-NEXT:         scf.yield %break_2 : i1
// CHECK-NEXT:       }
// CHECK-NEXT:       %true_2 = arith.constant true
// CHECK-NEXT:       %7 = arith.xori %break_3, %true_2 : i1
// CHECK-NEXT:       %i_3 = scf.if %7 -> (i32) {
// CHECK-NEXT:         %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:         %i_4 = arith.addi %i_2, %c1_i32 : i32
// CHECK-NEXT:         scf.yield %i_4 : i32
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %i_2 : i32
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %i_3, %break_3 : i32, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.store %i, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @continue_without_flag(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %i = %c0 to %0 step %c1 {
// CHECK-NEXT:       %1 = ocl.load %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:       %2 = arith.cmpi ne, %1, %c7_i32 : i32
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:         ocl.store %c0_i32, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @continue_with_flag(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %i = %c0 to %0 step %c1 {
// CHECK-NEXT:       %i_1 = arith.index_cast %i : index to i32
// CHECK-NEXT:       %false = arith.constant false
// CHECK-NEXT:       %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:       %1 = arith.cmpi sgt, %i_1, %c3_i32 : i32
// CHECK-NEXT:       %continue = scf.if %1 -> (i1) {
// CHECK-NEXT:         %2 = ocl.load %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:         %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:         %3 = arith.cmpi eq, %2, %c7_i32 : i32
// CHECK-NEXT:         %continue_1 = scf.if %3 -> (i1) {
// CHECK-NEXT:           %true = arith.constant true
// CHECK-NEXT:           scf.yield %true : i1
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:           ocl.store %c1_i32, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:           scf.yield %false : i1
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %continue_1 : i1
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %false : i1
// CHECK-NEXT:       }
// CHECK-NEXT:       %true_1 = arith.constant true
// CHECK-NEXT:       %4 = arith.xori %continue, %true_1 : i1
// CHECK-NEXT:       scf.if %4 {
// CHECK-NEXT:         %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:         %5 = ocl.load %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:         %6 = arith.addi %5, %c2_i32 : i32
// CHECK-NEXT:         ocl.store %6, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @returns(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %0 = func.call @find(%x, %n) : (!ocl.ptr<i32, global>, i32) -> i32
// CHECK-NEXT:     ocl.store %0, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
