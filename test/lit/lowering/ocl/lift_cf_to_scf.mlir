// RUN: ocl-opt %s -p lift-cf-to-scf --split-input-file | filecheck %s

// Branches that meet at one place need nothing else.

ocl.kernel @if_else(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %a: i32 {ocl.name = "a"}) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi slt, %a, %zero : i32
  cf.cond_br %c, ^neg, ^pos
^neg:
  %m = arith.subi %zero, %a : i32
  ocl.store %m, %x : !ocl.ptr<i32, global>
  cf.br ^end(%m : i32)
^pos:
  ocl.store %a, %x : !ocl.ptr<i32, global>
  cf.br ^end(%a : i32)
^end(%r: i32):
  ocl.store %r, %x : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @if_else
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %c = arith.cmpi slt, %a, %zero : i32
// CHECK-NEXT:    %r = scf.if %c -> (i32) {
// CHECK-NEXT:      %m = arith.subi %zero, %a : i32
// CHECK-NEXT:      ocl.store %m, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:      scf.yield %m : i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      ocl.store %a, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:      scf.yield %a : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.store %r, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// -----

// A branch that only chooses a value is a select.

ocl.kernel @choose(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %a: i32 {ocl.name = "a"}, %b: i32 {ocl.name = "b"}) {
  %c = arith.cmpi slt, %a, %b : i32
  cf.cond_br %c, ^end(%a : i32), ^end(%b : i32)
^end(%r: i32):
  ocl.store %r, %x : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @choose
// CHECK-NEXT:    %c = arith.cmpi slt, %a, %b : i32
// CHECK-NEXT:    %r = arith.select %c, %a, %b : i32
// CHECK-NEXT:    ocl.store %r, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// -----

// An early return: the rest is the other arm.

func.func @early_return(%x: !ocl.ptr<i32, global>, %c: i1) {
  %a = arith.constant 1 : i32
  cf.cond_br %c, ^out, ^rest
^out:
  func.return
^rest:
  ocl.store %a, %x : !ocl.ptr<i32, global>
  func.return
}

// CHECK-LABEL: func.func @early_return
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %a = arith.constant 1 : i32
// CHECK-NEXT:    %0 = arith.xori %c, %true : i1
// CHECK-NEXT:    scf.if %0 {
// CHECK-NEXT:      ocl.store %a, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// -----

// A loop with its test in front.

ocl.kernel @while_loop(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^end
^body:
  ocl.store %i, %x : !ocl.ptr<i32, global>
  %k = arith.addi %i, %one : i32
  cf.br ^head(%k : i32)
^end:
  ocl.store %i, %x : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @while_loop
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %i = scf.while (%i_1 = %zero) : (i32) -> i32 {
// CHECK-NEXT:      %c = arith.cmpi slt, %i_1, %n : i32
// CHECK-NEXT:      scf.condition(%c) %i_1 : i32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%i_2: i32):
// CHECK-NEXT:      ocl.store %i_2, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:      %k = arith.addi %i_2, %one : i32
// CHECK-NEXT:      scf.yield %k : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.store %i, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// -----

// A loop with its test at the end; it is left where the condition is true.

ocl.kernel @do_loop(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^body(%zero : i32)
^body(%i: i32):
  ocl.store %i, %x : !ocl.ptr<i32, global>
  %k = arith.addi %i, %one : i32
  %c = arith.cmpi sge, %k, %n : i32
  cf.cond_br %c, ^end, ^body(%k : i32)
^end:
  ocl.return
}

// CHECK-LABEL: ocl.kernel @do_loop
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %k = scf.while (%i = %zero) : (i32) -> i32 {
// CHECK-NEXT:      ocl.store %i, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:      %k_1 = arith.addi %i, %one : i32
// CHECK-NEXT:      %c = arith.cmpi sge, %k_1, %n : i32
// CHECK-NEXT:      %0 = arith.xori %c, %true : i1
// CHECK-NEXT:      scf.condition(%0) %k_1 : i32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%k_2: i32):
// CHECK-NEXT:      scf.yield %k_2 : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// -----

// A loop that is also left from its middle: one value says whether it goes on. The barrier stays
// one, and the value is uniform as the conditions are.

ocl.kernel @break(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}, %stop: i32 {ocl.name = "stop"}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^end
^body:
  ocl.barrier local
  %d = arith.cmpi eq, %i, %stop : i32
  cf.cond_br %d, ^end, ^next
^next:
  %k = arith.addi %i, %one : i32
  cf.br ^head(%k : i32)
^end:
  ocl.store %i, %x : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @break
// CHECK-NEXT:    %false = arith.constant false
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %i = scf.while (%i_1 = %zero) : (i32) -> i32 {
// CHECK-NEXT:      %c = arith.cmpi slt, %i_1, %n : i32
// CHECK-NEXT:      %i_2, %repeat = scf.if %c -> (i32, i1) {
// CHECK-NEXT:        ocl.barrier local
// CHECK-NEXT:        %d = arith.cmpi eq, %i_1, %stop : i32
// CHECK-NEXT:        %i_3, %repeat_1 = scf.if %d -> (i32, i1) {
// CHECK-NEXT:          scf.yield %i_1, %false : i32, i1
// CHECK-NEXT:        } else {
// CHECK-NEXT:          %k = arith.addi %i_1, %one : i32
// CHECK-NEXT:          scf.yield %k, %true : i32, i1
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.yield %i_3, %repeat_1 : i32, i1
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %i_1, %false : i32, i1
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.condition(%repeat) %i_2 : i32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%i_4: i32):
// CHECK-NEXT:      scf.yield %i_4 : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.store %i, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// -----

// A loop with two entries: a value says at which one a turn starts.

func.func @two_entries(%x: !ocl.ptr<i32, global>, %n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^first(%zero : i32), ^second(%one : i32)
^first(%i: i32):
  ocl.store %i, %x : !ocl.ptr<i32, global>
  %j = arith.addi %i, %one : i32
  cf.br ^second(%j : i32)
^second(%k: i32):
  %d = arith.cmpi slt, %k, %n : i32
  cf.cond_br %d, ^first(%k : i32), ^end
^end:
  func.return
}

// CHECK-LABEL: func.func @two_entries
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %undefined = ub.poison : i32
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %k = scf.while (%i = %zero, %k_1 = %one, %enter = %c) : (i32, i32, i1) -> i32 {
// CHECK-NEXT:      %k_2 = scf.if %enter -> (i32) {
// CHECK-NEXT:        ocl.store %i, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:        %j = arith.addi %i, %one : i32
// CHECK-NEXT:        scf.yield %j : i32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %k_1 : i32
// CHECK-NEXT:      }
// CHECK-NEXT:      %d = arith.cmpi slt, %k_2, %n : i32
// CHECK-NEXT:      scf.condition(%d) %k_2 : i32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%k_3: i32):
// CHECK-NEXT:      scf.yield %k_3, %undefined, %true : i32, i32, i1
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// -----

// `if (a && b) X else Y`: Y is reached from both tests and stands once.

func.func @and(%x: !ocl.ptr<i32, global>, %a: i1, %b: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.cond_br %a, ^second, ^else
^second:
  cf.cond_br %b, ^then, ^else
^then:
  ocl.store %one, %x : !ocl.ptr<i32, global>
  cf.br ^end
^else:
  ocl.store %two, %x : !ocl.ptr<i32, global>
  cf.br ^end
^end:
  func.return
}

// CHECK-LABEL: func.func @and
// CHECK-NEXT:    %false = arith.constant false
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %two = arith.constant 2 : i32
// CHECK-NEXT:    %next = scf.if %a -> (i1) {
// CHECK-NEXT:      %next_1 = scf.if %b -> (i1) {
// CHECK-NEXT:        ocl.store %one, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:        scf.yield %false : i1
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %true : i1
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %next_1 : i1
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %true : i1
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %next {
// CHECK-NEXT:      ocl.store %two, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// -----

// A switch is a chain of tests; one case falls through to the next.

ocl.kernel @switch(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %a: i32 {ocl.name = "a"}) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.switch %a : i32, [
    default: ^end,
    5: ^five,
    7: ^seven
  ]
^five:
  ocl.store %one, %x : !ocl.ptr<i32, global>
  cf.br ^seven
^seven:
  ocl.store %two, %x : !ocl.ptr<i32, global>
  cf.br ^end
^end:
  ocl.return
}

// CHECK-LABEL: ocl.kernel @switch
// CHECK-NEXT:    %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %two = arith.constant 2 : i32
// CHECK-NEXT:    %0 = arith.cmpi eq, %a, %c5_i32 : i32
// CHECK-NEXT:    %next = scf.if %0 -> (i1) {
// CHECK-NEXT:      ocl.store %one, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:      scf.yield %true : i1
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %next_1 = arith.cmpi eq, %a, %c7_i32 : i32
// CHECK-NEXT:      scf.yield %next_1 : i1
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %next {
// CHECK-NEXT:      ocl.store %two, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// -----

// A function with several returns has one result.

func.func private @sign(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi slt, %a, %zero : i32
  cf.cond_br %c, ^neg, ^pos
^neg:
  %m = arith.subi %zero, %a : i32
  func.return %m : i32
^pos:
  func.return %a : i32
}

// CHECK-LABEL: func.func private @sign
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %c = arith.cmpi slt, %a, %zero : i32
// CHECK-NEXT:    %result = scf.if %c -> (i32) {
// CHECK-NEXT:      %m = arith.subi %zero, %a : i32
// CHECK-NEXT:      scf.yield %m : i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %a : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %result : i32
// CHECK-NEXT:  }

// -----

// An endless loop.

ocl.kernel @endless(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %one = arith.constant 1 : i32
  cf.br ^loop
^loop:
  ocl.store %one, %x : !ocl.ptr<i32, global>
  cf.br ^loop
}

// CHECK-LABEL: ocl.kernel @endless
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    scf.while () : () -> () {
// CHECK-NEXT:      ocl.store %one, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:      scf.condition(%true)
// CHECK-NEXT:    } do {
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// -----

// What cannot be reached is gone; ub.unreachable is a way to the end.

func.func @unreachable(%x: !ocl.ptr<i32, global>, %c: i1) {
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^end, ^never
^dead:
  ocl.store %one, %x : !ocl.ptr<i32, global>
  cf.br ^end
^never:
  ub.unreachable
^end:
  ocl.store %one, %x : !ocl.ptr<i32, global>
  func.return
}

// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      ocl.store %one, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// -----

// Structured bodies are left as they are.

func.func @structured(%c: i1) {
  scf.if %c {
    ocl.barrier local
  }
  func.return
}

// CHECK-LABEL: func.func @structured
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      ocl.barrier local
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
