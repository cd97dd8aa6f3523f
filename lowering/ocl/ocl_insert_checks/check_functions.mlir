builtin.module {
  func.func private @rivals(%kind: i32) -> i32 attributes {ocl.unsigned = ["kind", "result"]} {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.cmpi eq, %kind, %c2_i32 : i32
    %c7_i32 = arith.constant 7 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.cmpi eq, %kind, %c1_i32 : i32
    %c6_i32 = arith.constant 6 : i32
    %c3_i32 = arith.constant 3 : i32
    %2 = arith.select %1, %c6_i32, %c3_i32 : i32
    %result = arith.select %0, %c7_i32, %2 : i32
    func.return %result : i32
  }
  func.func private @group_of(%cell: i64) -> i32 attributes {ocl.unsigned = ["cell", "result"]} {
    %c38_i64 = arith.constant 38 : i64
    %0 = arith.shrui %cell, %c38_i64 : i64
    %c4194303_i64 = arith.constant 4194303 : i64
    %1 = arith.andi %0, %c4194303_i64 : i64
    %result = arith.trunci %1 : i64 to i32
    func.return %result : i32
  }
  func.func private @suspect(%suspects: !ocl.ptr<i32, global>, %group: i32, %partner: i32) attributes {ocl.unsigned = ["group", "partner", "suspects"]} {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.addi %partner, %c1_i32 : i32
    %1 = arith.extui %group : i32 to i64
    %2 = arith.index_cast %1 : i64 to index
    ocl.store %0, %suspects[%2] : !ocl.ptr<i32, global>
    func.return
  }
  func.func private @in_group(%cell: i64, %self: i64, %since: i64, %kind: i32) -> i64 attributes {ocl.unsigned = ["cell", "epoch", "ever", "kind", "kinds", "many", "result", "self", "since"]} {
    %false = arith.constant false
    %c61_i64 = arith.constant 61 : i64
    %0 = arith.shrui %cell, %c61_i64 : i64
    %1 = arith.extui %kind : i32 to i64
    %ever = arith.ori %0, %1 : i64
    %c35_i64 = arith.constant 35 : i64
    %2 = arith.shrui %cell, %c35_i64 : i64
    %c7_i64 = arith.constant 7 : i64
    %3 = arith.andi %2, %c7_i64 : i64
    %kinds = arith.trunci %3 : i64 to i32
    %c2097151_i64 = arith.constant 2097151 : i64
    %epoch = arith.andi %cell, %c2097151_i64 : i64
    %4 = arith.cmpi ult, %epoch, %since : i64
    %kinds_1 = scf.if %4 -> (i32) {
      %c0_i32 = arith.constant 0 : i32
      scf.yield %c0_i32 : i32
    } else {
      %c2097151_i64_1 = arith.constant 2097151 : i64
      %5 = arith.andi %self, %c2097151_i64_1 : i64
      %6 = arith.cmpi ult, %epoch, %5 : i64
      %kinds_2 = scf.if %6 -> (i32) {
        %c4294967294_i32 = arith.constant -2 : i32
        %kinds_3 = arith.andi %kinds, %c4294967294_i32 : i32
        scf.yield %kinds_3 : i32
      } else {
        scf.yield %kinds : i32
      }
      scf.yield %kinds_2 : i32
    }
    %c17179869184_i64 = arith.constant 17179869184 : i64
    %many = arith.andi %cell, %c17179869184_i64 : i64
    %c0_i32_1 = arith.constant 0 : i32
    %7 = arith.cmpi eq, %kinds_1, %c0_i32_1 : i32
    %many_1, %result, %return = scf.if %7 -> (i64, i64, i1) {
      %c0_i64 = arith.constant 0 : i64
      %8 = ub.poison : i64
      scf.yield %c0_i64, %8, %false : i64, i64, i1
    } else {
      %c0_i64_1 = arith.constant 0 : i64
      %9 = arith.cmpi ne, %many, %c0_i64_1 : i64
      %10 = arith.xori %cell, %self : i64
      %c17177772032_i64 = arith.constant 17177772032 : i64
      %11 = arith.andi %10, %c17177772032_i64 : i64
      %12 = arith.cmpi ne, %11, %c0_i64_1 : i64
      %13 = arith.ori %9, %12 : i1
      %many_2, %result_1, %return_1 = scf.if %13 -> (i64, i64, i1) {
        %14 = func.call @rivals(%kind) : (i32) -> i32
        %15 = arith.andi %kinds_1, %14 : i32
        %c0_i32_2 = arith.constant 0 : i32
        %16 = arith.cmpi ne, %15, %c0_i32_2 : i32
        %many_3, %result_2, %return_2 = scf.if %16 -> (i64, i64, i1) {
          %c0_i64_2 = arith.constant 0 : i64
          %true = arith.constant true
          scf.yield %many, %c0_i64_2, %true : i64, i64, i1
        } else {
          %c17179869184_i64_1 = arith.constant 17179869184 : i64
          %17 = ub.poison : i64
          scf.yield %c17179869184_i64_1, %17, %false : i64, i64, i1
        }
        scf.yield %many_3, %result_2, %return_2 : i64, i64, i1
      } else {
        %18 = ub.poison : i64
        scf.yield %many, %18, %false : i64, i64, i1
      }
      scf.yield %many_2, %result_1, %return_1 : i64, i64, i1
    }
    %true_1 = arith.constant true
    %19 = arith.xori %return, %true_1 : i1
    %result_3 = scf.if %19 -> (i64) {
      %c61_i64_1 = arith.constant 61 : i64
      %20 = arith.shli %ever, %c61_i64_1 : i64
      %21 = arith.ori %20, %self : i64
      %22 = arith.ori %21, %many_1 : i64
      %23 = arith.ori %kinds_1, %kind : i32
      %24 = arith.extui %23 : i32 to i64
      %c35_i64_1 = arith.constant 35 : i64
      %25 = arith.shli %24, %c35_i64_1 : i64
      %result_4 = arith.ori %22, %25 : i64
      scf.yield %result_4 : i64
    } else {
      scf.yield %result : i64
    }
    func.return %result_3 : i64
  }
  func.func private @in_launch(%cell: i64, %self: i64, %since: i64, %kind: i32) -> i64 attributes {ocl.unsigned = ["cell", "kind", "result", "self", "since"]} {
    %c0_i64 = arith.constant 0 : i64
    %0 = arith.cmpi eq, %cell, %c0_i64 : i64
    %result = scf.if %0 -> (i64) {
      %1 = arith.extui %kind : i32 to i64
      %c61_i64 = arith.constant 61 : i64
      %2 = arith.shli %1, %c61_i64 : i64
      %3 = arith.ori %2, %self : i64
      %4 = arith.extui %kind : i32 to i64
      %c35_i64 = arith.constant 35 : i64
      %5 = arith.shli %4, %c35_i64 : i64
      %result_1 = arith.ori %3, %5 : i64
      scf.yield %result_1 : i64
    } else {
      %c1152921504606846976_i64 = arith.constant 1152921504606846976 : i64
      %6 = arith.andi %cell, %c1152921504606846976_i64 : i64
      %c0_i64_1 = arith.constant 0 : i64
      %7 = arith.cmpi eq, %6, %c0_i64_1 : i64
      %8 = scf.if %7 -> (i1) {
        %9 = func.call @group_of(%cell) : (i64) -> i32
        %10 = func.call @group_of(%self) : (i64) -> i32
        %11 = arith.cmpi eq, %9, %10 : i32
        scf.yield %11 : i1
      } else {
        %false = arith.constant false
        scf.yield %false : i1
      }
      %result_2 = scf.if %8 -> (i64) {
        %result_3 = func.call @in_group(%cell, %self, %since, %kind) : (i64, i64, i64, i32) -> i64
        scf.yield %result_3 : i64
      } else {
        %c61_i64_1 = arith.constant 61 : i64
        %12 = arith.shrui %cell, %c61_i64_1 : i64
        %13 = func.call @rivals(%kind) : (i32) -> i32
        %14 = arith.extui %13 : i32 to i64
        %15 = arith.andi %12, %14 : i64
        %c0_i64_2 = arith.constant 0 : i64
        %16 = arith.cmpi ne, %15, %c0_i64_2 : i64
        %result_4 = scf.if %16 -> (i64) {
          %c0_i64_3 = arith.constant 0 : i64
          scf.yield %c0_i64_3 : i64
        } else {
          %c1152921504606846976_i64_1 = arith.constant 1152921504606846976 : i64
          %17 = arith.andi %cell, %c1152921504606846976_i64_1 : i64
          %c0_i64_4 = arith.constant 0 : i64
          %18 = arith.cmpi ne, %17, %c0_i64_4 : i64
          %result_5 = scf.if %18 -> (i64) {
            %19 = arith.extui %kind : i32 to i64
            %c61_i64_2 = arith.constant 61 : i64
            %20 = arith.shli %19, %c61_i64_2 : i64
            %result_6 = arith.ori %cell, %20 : i64
            scf.yield %result_6 : i64
          } else {
            %c61_i64_3 = arith.constant 61 : i64
            %21 = arith.shrui %cell, %c61_i64_3 : i64
            %22 = arith.extui %kind : i32 to i64
            %23 = arith.ori %21, %22 : i64
            %24 = arith.shli %23, %c61_i64_3 : i64
            %c1152921504606846976_i64_2 = arith.constant 1152921504606846976 : i64
            %25 = arith.ori %24, %c1152921504606846976_i64_2 : i64
            %26 = func.call @group_of(%cell) : (i64) -> i32
            %27 = arith.extui %26 : i32 to i64
            %c38_i64 = arith.constant 38 : i64
            %28 = arith.shli %27, %c38_i64 : i64
            %29 = arith.ori %25, %28 : i64
            %30 = func.call @group_of(%self) : (i64) -> i32
            %31 = arith.extui %30 : i32 to i64
            %result_7 = arith.ori %29, %31 : i64
            scf.yield %result_7 : i64
          }
          scf.yield %result_5 : i64
        }
        scf.yield %result_4 : i64
      }
      scf.yield %result_2 : i64
    }
    func.return %result : i64
  }
  func.func private @shared_by_all(%cell: !ocl.ptr<i64, global>, %self: i64, %since: i64, %kind: i32, %suspects: !ocl.ptr<i32, global>) attributes {ocl.unsigned = ["cell", "kind", "new", "old", "other", "own", "seen", "self", "since", "suspects"]} {
    %false = arith.constant false
    %old = ocl.load %cell : !ocl.ptr<i64, global>
    %old_1, %return = scf.while (%old_2 = %old, %return_1 = %false) : (i64, i1) -> (i64, i1) {
      %true = arith.constant true
      %0 = arith.xori %return_1, %true : i1
      scf.condition(%0) %old_2, %return_1 : i64, i1
    } do {
    ^bb0(%old_3: i64, %return_2: i1):
      %new = func.call @in_launch(%old_3, %self, %since, %kind) : (i64, i64, i64, i32) -> i64
      %c0_i64 = arith.constant 0 : i64
      %1 = arith.cmpi eq, %new, %c0_i64 : i64
      %old_4, %return_3 = scf.if %1 -> (i64, i1) {
        %own = func.call @group_of(%self) : (i64) -> i32
        %other = func.call @group_of(%old_3) : (i64) -> i32
        %2 = arith.cmpi eq, %other, %own : i32
        %c1152921504606846976_i64 = arith.constant 1152921504606846976 : i64
        %3 = arith.andi %old_3, %c1152921504606846976_i64 : i64
        %c0_i64_1 = arith.constant 0 : i64
        %4 = arith.cmpi ne, %3, %c0_i64_1 : i64
        %5 = arith.andi %2, %4 : i1
        %other_1 = scf.if %5 -> (i32) {
          %c4194303_i64 = arith.constant 4194303 : i64
          %6 = arith.andi %old_3, %c4194303_i64 : i64
          %other_2 = arith.trunci %6 : i64 to i32
          scf.yield %other_2 : i32
        } else {
          scf.yield %other : i32
        }
        func.call @suspect(%suspects, %own, %other_1) : (!ocl.ptr<i32, global>, i32, i32) -> ()
        func.call @suspect(%suspects, %other_1, %own) : (!ocl.ptr<i32, global>, i32, i32) -> ()
        %true_1 = arith.constant true
        scf.yield %old_3, %true_1 : i64, i1
      } else {
        %7 = arith.cmpi eq, %new, %old_3 : i64
        %old_5, %return_4 = scf.if %7 -> (i64, i1) {
          %true_2 = arith.constant true
          scf.yield %old_3, %true_2 : i64, i1
        } else {
          %seen = ocl.atomic_cmpxchg %cell, %old_3, %new : !ocl.ptr<i64, global>
          %8 = arith.cmpi eq, %seen, %old_3 : i64
          %old_6, %return_5 = scf.if %8 -> (i64, i1) {
            %true_3 = arith.constant true
            scf.yield %old_3, %true_3 : i64, i1
          } else {
            scf.yield %seen, %return_2 : i64, i1
          }
          scf.yield %old_6, %return_5 : i64, i1
        }
        scf.yield %old_5, %return_4 : i64, i1
      }
      scf.yield %old_4, %return_3 : i64, i1
    }
    func.return
  }
  func.func private @check_in_group(%cell: !ocl.ptr<i64, local>, %self: i64, %since: i64, %kind: i32, %reads: i32, %suspects: !ocl.ptr<i32, global>) attributes {ocl.unsigned = ["cell", "kind", "new", "old", "reads", "seen", "self", "since", "suspects"]} {
    %false = arith.constant false
    %old = ocl.load %cell : !ocl.ptr<i64, local>
    %old_1, %return = scf.while (%old_2 = %old, %return_1 = %false) : (i64, i1) -> (i64, i1) {
      %true = arith.constant true
      %0 = arith.xori %return_1, %true : i1
      scf.condition(%0) %old_2, %return_1 : i64, i1
    } do {
    ^bb0(%old_3: i64, %return_2: i1):
      %c0_i64 = arith.constant 0 : i64
      %1 = arith.cmpi ne, %old_3, %c0_i64 : i64
      %new = scf.if %1 -> (i64) {
        %2 = func.call @in_group(%old_3, %self, %since, %kind) : (i64, i64, i64, i32) -> i64
        scf.yield %2 : i64
      } else {
        %3 = arith.extui %kind : i32 to i64
        %c61_i64 = arith.constant 61 : i64
        %4 = arith.shli %3, %c61_i64 : i64
        %5 = arith.ori %4, %self : i64
        %6 = arith.extui %kind : i32 to i64
        %c35_i64 = arith.constant 35 : i64
        %7 = arith.shli %6, %c35_i64 : i64
        %8 = arith.ori %5, %7 : i64
        scf.yield %8 : i64
      }
      %9 = arith.cmpi eq, %new, %c0_i64 : i64
      %c0_i32 = arith.constant 0 : i32
      %10 = arith.cmpi ne, %reads, %c0_i32 : i32
      %c61_i64_1 = arith.constant 61 : i64
      %11 = arith.shrui %old_3, %c61_i64_1 : i64
      %c6_i64 = arith.constant 6 : i64
      %12 = arith.andi %11, %c6_i64 : i64
      %13 = arith.cmpi eq, %12, %c0_i64 : i64
      %14 = arith.andi %10, %13 : i1
      %15 = arith.ori %9, %14 : i1
      %old_4, %return_3 = scf.if %15 -> (i64, i1) {
        %16 = func.call @group_of(%self) : (i64) -> i32
        %17 = func.call @group_of(%self) : (i64) -> i32
        func.call @suspect(%suspects, %16, %17) : (!ocl.ptr<i32, global>, i32, i32) -> ()
        %true_1 = arith.constant true
        scf.yield %old_3, %true_1 : i64, i1
      } else {
        %18 = arith.cmpi eq, %new, %old_3 : i64
        %old_5, %return_4 = scf.if %18 -> (i64, i1) {
          %true_2 = arith.constant true
          scf.yield %old_3, %true_2 : i64, i1
        } else {
          %seen = ocl.atomic_cmpxchg %cell, %old_3, %new : !ocl.ptr<i64, local>
          %19 = arith.cmpi eq, %seen, %old_3 : i64
          %old_6, %return_5 = scf.if %19 -> (i64, i1) {
            %true_3 = arith.constant true
            scf.yield %old_3, %true_3 : i64, i1
          } else {
            scf.yield %seen, %return_2 : i64, i1
          }
          scf.yield %old_6, %return_5 : i64, i1
        }
        scf.yield %old_5, %return_4 : i64, i1
      }
      scf.yield %old_4, %return_3 : i64, i1
    }
    func.return
  }
  func.func private @shared_by_group(%cell: !ocl.ptr<i64, local>, %self: i64, %since: i64, %kind: i32, %suspects: !ocl.ptr<i32, global>) attributes {ocl.unsigned = ["cell", "kind", "self", "since", "suspects"]} {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.cmpi eq, %kind, %c1_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    func.call @check_in_group(%cell, %self, %since, %kind, %1, %suspects) : (!ocl.ptr<i64, local>, i64, i64, i32, i32, !ocl.ptr<i32, global>) -> ()
    func.return
  }
  func.func private @updated_by_group(%cell: !ocl.ptr<i64, local>, %self: i64, %since: i64, %kind: i32, %suspects: !ocl.ptr<i32, global>) attributes {ocl.unsigned = ["cell", "kind", "self", "since", "suspects"]} {
    %c1_i32 = arith.constant 1 : i32
    func.call @check_in_group(%cell, %self, %since, %kind, %c1_i32, %suspects) : (!ocl.ptr<i64, local>, i64, i64, i32, i32, !ocl.ptr<i32, global>) -> ()
    func.return
  }
}

