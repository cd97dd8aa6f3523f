// RUN: ocl-opt %s -p scf-to-cf | filecheck %s

// xDSL's convert-scf-to-cf does scf.for and scf.if; here they stand inside a scf.while and around one.

func.func @while(%a: i32, %n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.while (%i = %a) : (i32) -> (i32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%j: i32):
    %k = arith.addi %j, %one : i32
    scf.yield %k : i32
  }
  func.return %r : i32
}

// CHECK-LABEL: func.func @while(%a: i32, %n: i32) -> i32 {
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^bb1(%a : i32)
// CHECK-NEXT:  ^bb1(%i: i32):
// CHECK-NEXT:    %c = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %c, ^bb2(%i : i32), ^bb3(%i : i32)
// CHECK-NEXT:  ^bb2(%j: i32):
// CHECK-NEXT:    %k = arith.addi %j, %one : i32
// CHECK-NEXT:    cf.br ^bb1(%k : i32)
// CHECK-NEXT:  ^bb3(%r: i32):
// CHECK-NEXT:    func.return %r : i32
// CHECK-NEXT:  }

func.func @nested(%n: index, %flag: i1, %p: !ocl.ptr<i32, global>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.while () : () -> () {
      %v = ocl.load %p[%i] : !ocl.ptr<i32, global>
      %more = arith.trunci %v : i32 to i1
      scf.condition(%more)
    } do {
      scf.if %flag {
        %v = ocl.load %p : !ocl.ptr<i32, global>
        ocl.store %v, %p[%i] : !ocl.ptr<i32, global>
      }
      scf.yield
    }
  }
  func.return
}

// CHECK-LABEL: func.func @nested(%n: index, %flag: i1, %p: !ocl.ptr<i32, global>) {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    cf.br ^bb1(%c0 : index)
// CHECK-NEXT:  ^bb1(%i: index):
// CHECK-NEXT:    %0 = arith.cmpi slt, %i, %n : index
// CHECK-NEXT:    cf.cond_br %0, ^bb2, ^bb8
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    cf.br ^bb3
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    %v = ocl.load %p[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:    %more = arith.trunci %v : i32 to i1
// CHECK-NEXT:    cf.cond_br %more, ^bb4, ^bb7
// CHECK-NEXT:  ^bb4:
// CHECK-NEXT:    cf.cond_br %flag, ^bb5, ^bb6
// CHECK-NEXT:  ^bb5:
// CHECK-NEXT:    %v_1 = ocl.load %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.store %v_1, %p[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:    cf.br ^bb6
// CHECK-NEXT:  ^bb6:
// CHECK-NEXT:    cf.br ^bb3
// CHECK-NEXT:  ^bb7:
// CHECK-NEXT:    %1 = arith.addi %i, %c1 : index
// CHECK-NEXT:    cf.br ^bb1(%1 : index)
// CHECK-NEXT:  ^bb8:
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// Most groups take the first side, which the branch says, too.
func.func @likely(%flag: i1, %p: !ocl.ptr<i32, global>, %v: i32) {
  scf.if %flag {
    ocl.store %v, %p : !ocl.ptr<i32, global>
    scf.yield
  } {wg.likely}
  func.return
}
// CHECK-LABEL: func.func @likely(
// CHECK-NEXT:    cf.cond_br %flag, ^bb1, ^bb2 {wg.likely}
