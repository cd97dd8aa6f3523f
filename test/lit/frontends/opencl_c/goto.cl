// RUN: ocl-opt %s | filecheck %s
// A function with goto, or with a case label inside a statement of its switch, is a graph of
// blocks. A variable is an argument of a block only where several values of it meet.

int result(int n) {
  if (n) goto negative;
  return 1;
negative:
  return -n;
}

// CHECK-LABEL: func.func private @result
// CHECK-NEXT:    %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:    %0 = arith.cmpi ne, %n, %c0_i32 : i32
// CHECK-NEXT:    cf.cond_br %0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:    %1 = arith.subi %c0_i32_1, %n : i32
// CHECK-NEXT:    func.return %1 : i32
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:    func.return %c1_i32 : i32
// CHECK-NEXT:  }

kernel void calls(global int *x) { x[0] = result(x[1]); }

// CHECK-LABEL: ocl.kernel @calls
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %0 = ocl.load %x[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:    %1 = func.call @result(%0) : (i32) -> i32
// CHECK-NEXT:    ocl.store %1, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

kernel void backward(global int *x, int n) {
  int i = 0, step = 2;
again:
  if (i < n) {
    x[i] = step;
    i += step;
    goto again;
  }
}

// CHECK-LABEL: ocl.kernel @backward
// CHECK-NEXT:    %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:    %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:    cf.br ^bb1(%c0_i32 : i32)
// CHECK-NEXT:  ^bb1(%i: i32):
// CHECK-NEXT:    %0 = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %0, ^bb2, ^bb3
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %1 = arith.index_cast %i : i32 to index
// CHECK-NEXT:    ocl.store %c2_i32, %x[%1] : !ocl.ptr<i32, global>
// CHECK-NEXT:    %i_1 = arith.addi %i, %c2_i32 : i32
// CHECK-NEXT:    cf.br ^bb1(%i_1 : i32)
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

kernel void forward(global int *x, int n) {
  int r = n;
  if (n > 3) goto store;
  r = 5;
store:
  x[0] = r;
}

// CHECK-LABEL: ocl.kernel @forward
// CHECK-NEXT:    %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:    %0 = arith.cmpi sgt, %n, %c3_i32 : i32
// CHECK-NEXT:    cf.cond_br %0, ^bb2(%n : i32), ^bb1
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:    cf.br ^bb2(%c5_i32 : i32)
// CHECK-NEXT:  ^bb2(%r: i32):
// CHECK-NEXT:    ocl.store %r, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

kernel void nested_case(global int *x, int n) {
  switch (n) {
  case 1:
    do {
      x[n] = 1;
  case 2 ... 4:
      x[n] = 2;
    } while (--n > 0);
  }
}

// CHECK-LABEL: ocl.kernel @nested_case
// CHECK-NEXT:    %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:    %0 = arith.subi %n, %c2_i32 : i32
// CHECK-NEXT:    %1 = arith.cmpi ule, %0, %c2_i32 : i32
// CHECK-NEXT:    cf.cond_br %1, ^bb2(%n : i32), ^bb1
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cf.switch %n : i32, [
// CHECK-NEXT:    default: ^bb5,
// CHECK-NEXT:      1: ^bb4(%n : i32)
// CHECK-NEXT:    ]
// CHECK-NEXT:  ^bb2(%n_1: i32):
// CHECK-NEXT:    %c2_i32_1 = arith.constant 2 : i32
// CHECK-NEXT:    %2 = arith.index_cast %n_1 : i32 to index
// CHECK-NEXT:    ocl.store %c2_i32_1, %x[%2] : !ocl.ptr<i32, global>
// CHECK-NEXT:    cf.br ^bb3
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:    %n_2 = arith.subi %n_1, %c1_i32 : i32
// CHECK-NEXT:    %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:    %3 = arith.cmpi sgt, %n_2, %c0_i32 : i32
// CHECK-NEXT:    cf.cond_br %3, ^bb4(%n_2 : i32), ^bb5
// CHECK-NEXT:  ^bb4(%n_3: i32):
// CHECK-NEXT:    %c1_i32_1 = arith.constant 1 : i32
// CHECK-NEXT:    %4 = arith.index_cast %n_3 : i32 to index
// CHECK-NEXT:    ocl.store %c1_i32_1, %x[%4] : !ocl.ptr<i32, global>
// CHECK-NEXT:    cf.br ^bb2(%n_3 : i32)
// CHECK-NEXT:  ^bb5:
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

kernel void label_without_goto(global int *x, int n) {
  if (n) {
unused:
    x[0] = n;
  }
}

// CHECK-LABEL: ocl.kernel @label_without_goto
// CHECK-NEXT:    %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:    %0 = arith.cmpi ne, %n, %c0_i32 : i32
// CHECK-NEXT:    scf.if %0 {
// CHECK-NEXT:      ocl.store %n, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }
