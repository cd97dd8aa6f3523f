builtin.module {
  func.func private @mul_i32(%a: i32, %b: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %a_1, %b_1, %sum = scf.while (%a_2 = %a, %b_2 = %b, %sum_1 = %c0_i32) : (i32, i32, i32) -> (i32, i32, i32) {
      %c0_i32_1 = arith.constant 0 : i32
      %0 = arith.cmpi ne, %b_2, %c0_i32_1 : i32
      scf.condition(%0) %a_2, %b_2, %sum_1 : i32, i32, i32
    } do {
    ^bb0(%a_3: i32, %b_3: i32, %sum_2: i32):
      %c1_i32 = arith.constant 1 : i32
      %1 = arith.andi %b_3, %c1_i32 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %2 = arith.subi %c0_i32_2, %1 : i32
      %3 = arith.andi %a_3, %2 : i32
      %sum_3 = arith.addi %sum_2, %3 : i32
      %a_4 = arith.shli %a_3, %c1_i32 : i32
      %b_4 = arith.shrui %b_3, %c1_i32 : i32
      scf.yield %a_4, %b_4, %sum_3 : i32, i32, i32
    }
    func.return %sum : i32
  }
  func.func private @wide_product(%a: i32, %b: i32) -> i64 {
    %c0_i64 = arith.constant 0 : i64
    %shifted = arith.extui %a : i32 to i64
    %b_1, %sum, %shifted_1 = scf.while (%b_2 = %b, %sum_1 = %c0_i64, %shifted_2 = %shifted) : (i32, i64, i64) -> (i32, i64, i64) {
      %c0_i32 = arith.constant 0 : i32
      %0 = arith.cmpi ne, %b_2, %c0_i32 : i32
      scf.condition(%0) %b_2, %sum_1, %shifted_2 : i32, i64, i64
    } do {
    ^bb0(%b_3: i32, %sum_2: i64, %shifted_3: i64):
      %c1_i32 = arith.constant 1 : i32
      %1 = arith.andi %b_3, %c1_i32 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %2 = arith.cmpi ne, %1, %c0_i32_1 : i32
      %sum_3 = scf.if %2 -> (i64) {
        %sum_4 = arith.addi %sum_2, %shifted_3 : i64
        scf.yield %sum_4 : i64
      } else {
        scf.yield %sum_2 : i64
      }
      %c1_i64 = arith.constant 1 : i64
      %shifted_4 = arith.shli %shifted_3, %c1_i64 : i64
      %b_4 = arith.shrui %b_3, %c1_i32 : i32
      scf.yield %b_4, %sum_3, %shifted_4 : i32, i64, i64
    }
    func.return %sum : i64
  }
  func.func private @mul_i64(%a: i64, %b: i64) -> i64 {
    %0 = arith.trunci %a : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %b, %c32_i64 : i64
    %2 = arith.trunci %1 : i64 to i32
    %3 = func.call @mul_i32(%0, %2) : (i32, i32) -> i32
    %4 = arith.shrui %a, %c32_i64 : i64
    %5 = arith.trunci %4 : i64 to i32
    %6 = arith.trunci %b : i64 to i32
    %7 = func.call @mul_i32(%5, %6) : (i32, i32) -> i32
    %cross = arith.addi %3, %7 : i32
    %8 = arith.trunci %a : i64 to i32
    %9 = arith.trunci %b : i64 to i32
    %10 = func.call @wide_product(%8, %9) : (i32, i32) -> i64
    %11 = arith.extui %cross : i32 to i64
    %12 = arith.shli %11, %c32_i64 : i64
    %result = arith.addi %10, %12 : i64
    func.return %result : i64
  }
  func.func private @mulhi_u32(%a: i32, %b: i32) -> i32 {
    %0 = func.call @wide_product(%a, %b) : (i32, i32) -> i64
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %0, %c32_i64 : i64
    %result = arith.trunci %1 : i64 to i32
    func.return %result : i32
  }
  func.func private @mulhi_s32(%a: i32, %b: i32) -> i32 {
    %high = func.call @mulhi_u32(%a, %b) : (i32, i32) -> i32
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.shrui %a, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %high_1 = scf.if %1 -> (i32) {
      %high_2 = arith.subi %high, %b : i32
      scf.yield %high_2 : i32
    } else {
      scf.yield %high : i32
    }
    %2 = arith.shrui %b, %c31_i32 : i32
    %3 = arith.cmpi ne, %2, %c0_i32 : i32
    %high_3 = scf.if %3 -> (i32) {
      %high_4 = arith.subi %high_1, %a : i32
      scf.yield %high_4 : i32
    } else {
      scf.yield %high_1 : i32
    }
    func.return %high_3 : i32
  }
  func.func private @mulhi_u64(%a: i64, %b: i64) -> i64 {
    %a0 = arith.trunci %a : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %a1 = arith.trunci %0 : i64 to i32
    %b0 = arith.trunci %b : i64 to i32
    %1 = arith.shrui %b, %c32_i64 : i64
    %b1 = arith.trunci %1 : i64 to i32
    %low = func.call @wide_product(%a0, %b0) : (i32, i32) -> i64
    %2 = func.call @wide_product(%a1, %b0) : (i32, i32) -> i64
    %3 = arith.shrui %low, %c32_i64 : i64
    %middle = arith.addi %2, %3 : i64
    %4 = func.call @wide_product(%a0, %b1) : (i32, i32) -> i64
    %5 = arith.trunci %middle : i64 to i32
    %6 = arith.extui %5 : i32 to i64
    %other = arith.addi %4, %6 : i64
    %7 = func.call @wide_product(%a1, %b1) : (i32, i32) -> i64
    %8 = arith.shrui %middle, %c32_i64 : i64
    %9 = arith.addi %7, %8 : i64
    %10 = arith.shrui %other, %c32_i64 : i64
    %result = arith.addi %9, %10 : i64
    func.return %result : i64
  }
  func.func private @mulhi_s64(%a: i64, %b: i64) -> i64 {
    %high = func.call @mulhi_u64(%a, %b) : (i64, i64) -> i64
    %c63_i64 = arith.constant 63 : i64
    %0 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.cmpi ne, %0, %c0_i64 : i64
    %high_1 = scf.if %1 -> (i64) {
      %high_2 = arith.subi %high, %b : i64
      scf.yield %high_2 : i64
    } else {
      scf.yield %high : i64
    }
    %2 = arith.shrui %b, %c63_i64 : i64
    %3 = arith.cmpi ne, %2, %c0_i64 : i64
    %high_3 = scf.if %3 -> (i64) {
      %high_4 = arith.subi %high_1, %a : i64
      scf.yield %high_4 : i64
    } else {
      scf.yield %high_1 : i64
    }
    func.return %high_3 : i64
  }
  func.func private @div_u32(%a: i32, %b: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %a_1, %rest = scf.for %i = %c0 to %c32 step %c1 iter_args(%a_2 = %a, %rest_1 = %c0_i32) -> (i32, i32) {
      %c31_i32 = arith.constant 31 : i32
      %carry = arith.shrui %rest_1, %c31_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %0 = arith.shli %rest_1, %c1_i32 : i32
      %1 = arith.shrui %a_2, %c31_i32 : i32
      %rest_2 = arith.ori %0, %1 : i32
      %2 = arith.cmpi uge, %rest_2, %b : i32
      %3 = arith.extui %2 : i1 to i32
      %fits = arith.ori %carry, %3 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %4 = arith.subi %c0_i32_1, %fits : i32
      %5 = arith.andi %b, %4 : i32
      %rest_3 = arith.subi %rest_2, %5 : i32
      %6 = arith.shli %a_2, %c1_i32 : i32
      %a_3 = arith.ori %6, %fits : i32
      scf.yield %a_3, %rest_3 : i32, i32
    }
    func.return %a_1 : i32
  }
  func.func private @rem_u32(%a: i32, %b: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %a_1, %rest = scf.for %i = %c0 to %c32 step %c1 iter_args(%a_2 = %a, %rest_1 = %c0_i32) -> (i32, i32) {
      %c31_i32 = arith.constant 31 : i32
      %carry = arith.shrui %rest_1, %c31_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %0 = arith.shli %rest_1, %c1_i32 : i32
      %1 = arith.shrui %a_2, %c31_i32 : i32
      %rest_2 = arith.ori %0, %1 : i32
      %2 = arith.cmpi uge, %rest_2, %b : i32
      %3 = arith.extui %2 : i1 to i32
      %fits = arith.ori %carry, %3 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %4 = arith.subi %c0_i32_1, %fits : i32
      %5 = arith.andi %b, %4 : i32
      %rest_3 = arith.subi %rest_2, %5 : i32
      %a_3 = arith.shli %a_2, %c1_i32 : i32
      scf.yield %a_3, %rest_3 : i32, i32
    }
    func.return %rest : i32
  }
  func.func private @size_32(%a: i32) -> i32 {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.shrui %a, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %2 = arith.subi %c0_i32, %a : i32
    %result = arith.select %1, %2, %a : i32
    func.return %result : i32
  }
  func.func private @div_s32(%a: i32, %b: i32) -> i32 {
    %0 = func.call @size_32(%a) : (i32) -> i32
    %1 = func.call @size_32(%b) : (i32) -> i32
    %quotient = func.call @div_u32(%0, %1) : (i32, i32) -> i32
    %2 = arith.xori %a, %b : i32
    %c31_i32 = arith.constant 31 : i32
    %3 = arith.shrui %2, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %4 = arith.cmpi ne, %3, %c0_i32 : i32
    %5 = arith.subi %c0_i32, %quotient : i32
    %result = arith.select %4, %5, %quotient : i32
    func.return %result : i32
  }
  func.func private @rem_s32(%a: i32, %b: i32) -> i32 {
    %0 = func.call @size_32(%a) : (i32) -> i32
    %1 = func.call @size_32(%b) : (i32) -> i32
    %rest = func.call @rem_u32(%0, %1) : (i32, i32) -> i32
    %c31_i32 = arith.constant 31 : i32
    %2 = arith.shrui %a, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi ne, %2, %c0_i32 : i32
    %4 = arith.subi %c0_i32, %rest : i32
    %result = arith.select %3, %4, %rest : i32
    func.return %result : i32
  }
  func.func private @div_u64(%a: i64, %b: i64) -> i64 {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %a_1, %rest = scf.for %i = %c0 to %c64 step %c1 iter_args(%a_2 = %a, %rest_1 = %c0_i64) -> (i64, i64) {
      %c63_i64 = arith.constant 63 : i64
      %0 = arith.shrui %rest_1, %c63_i64 : i64
      %carry = arith.trunci %0 : i64 to i32
      %c1_i64 = arith.constant 1 : i64
      %1 = arith.shli %rest_1, %c1_i64 : i64
      %2 = arith.shrui %a_2, %c63_i64 : i64
      %rest_2 = arith.ori %1, %2 : i64
      %a_3 = arith.shli %a_2, %c1_i64 : i64
      %3 = arith.cmpi uge, %rest_2, %b : i64
      %4 = arith.extui %3 : i1 to i32
      %5 = arith.ori %carry, %4 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = arith.cmpi ne, %5, %c0_i32 : i32
      %a_4, %rest_3 = scf.if %6 -> (i64, i64) {
        %rest_4 = arith.subi %rest_2, %b : i64
        %c1_i64_1 = arith.constant 1 : i64
        %a_5 = arith.ori %a_3, %c1_i64_1 : i64
        scf.yield %a_5, %rest_4 : i64, i64
      } else {
        scf.yield %a_3, %rest_2 : i64, i64
      }
      scf.yield %a_4, %rest_3 : i64, i64
    }
    func.return %a_1 : i64
  }
  func.func private @rem_u64(%a: i64, %b: i64) -> i64 {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %a_1, %rest = scf.for %i = %c0 to %c64 step %c1 iter_args(%a_2 = %a, %rest_1 = %c0_i64) -> (i64, i64) {
      %c63_i64 = arith.constant 63 : i64
      %0 = arith.shrui %rest_1, %c63_i64 : i64
      %carry = arith.trunci %0 : i64 to i32
      %c1_i64 = arith.constant 1 : i64
      %1 = arith.shli %rest_1, %c1_i64 : i64
      %2 = arith.shrui %a_2, %c63_i64 : i64
      %rest_2 = arith.ori %1, %2 : i64
      %a_3 = arith.shli %a_2, %c1_i64 : i64
      %3 = arith.cmpi uge, %rest_2, %b : i64
      %4 = arith.extui %3 : i1 to i32
      %5 = arith.ori %carry, %4 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = arith.cmpi ne, %5, %c0_i32 : i32
      %rest_3 = scf.if %6 -> (i64) {
        %rest_4 = arith.subi %rest_2, %b : i64
        scf.yield %rest_4 : i64
      } else {
        scf.yield %rest_2 : i64
      }
      scf.yield %a_3, %rest_3 : i64, i64
    }
    func.return %rest : i64
  }
  func.func private @size_64(%a: i64) -> i64 {
    %c63_i64 = arith.constant 63 : i64
    %0 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.cmpi ne, %0, %c0_i64 : i64
    %2 = arith.subi %c0_i64, %a : i64
    %result = arith.select %1, %2, %a : i64
    func.return %result : i64
  }
  func.func private @div_s64(%a: i64, %b: i64) -> i64 {
    %0 = func.call @size_64(%a) : (i64) -> i64
    %1 = func.call @size_64(%b) : (i64) -> i64
    %quotient = func.call @div_u64(%0, %1) : (i64, i64) -> i64
    %2 = arith.xori %a, %b : i64
    %c63_i64 = arith.constant 63 : i64
    %3 = arith.shrui %2, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %4 = arith.cmpi ne, %3, %c0_i64 : i64
    %5 = arith.subi %c0_i64, %quotient : i64
    %result = arith.select %4, %5, %quotient : i64
    func.return %result : i64
  }
  func.func private @rem_s64(%a: i64, %b: i64) -> i64 {
    %0 = func.call @size_64(%a) : (i64) -> i64
    %1 = func.call @size_64(%b) : (i64) -> i64
    %rest = func.call @rem_u64(%0, %1) : (i64, i64) -> i64
    %c63_i64 = arith.constant 63 : i64
    %2 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %3 = arith.cmpi ne, %2, %c0_i64 : i64
    %4 = arith.subi %c0_i64, %rest : i64
    %result = arith.select %3, %4, %rest : i64
    func.return %result : i64
  }
  func.func private @popcount_i32(%a: i32) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.shrui %a, %c1_i32 : i32
    %c1431655765_i32 = arith.constant 1431655765 : i32
    %1 = arith.andi %0, %c1431655765_i32 : i32
    %a_1 = arith.subi %a, %1 : i32
    %c858993459_i32 = arith.constant 858993459 : i32
    %2 = arith.andi %a_1, %c858993459_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %3 = arith.shrui %a_1, %c2_i32 : i32
    %4 = arith.andi %3, %c858993459_i32 : i32
    %a_2 = arith.addi %2, %4 : i32
    %c4_i32 = arith.constant 4 : i32
    %5 = arith.shrui %a_2, %c4_i32 : i32
    %6 = arith.addi %a_2, %5 : i32
    %c252645135_i32 = arith.constant 252645135 : i32
    %a_3 = arith.andi %6, %c252645135_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %7 = arith.shrui %a_3, %c8_i32 : i32
    %a_4 = arith.addi %a_3, %7 : i32
    %c16_i32 = arith.constant 16 : i32
    %8 = arith.shrui %a_4, %c16_i32 : i32
    %9 = arith.addi %a_4, %8 : i32
    %c63_i32 = arith.constant 63 : i32
    %result = arith.andi %9, %c63_i32 : i32
    func.return %result : i32
  }
  func.func private @clz_i32(%a: i32) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.shrui %a, %c1_i32 : i32
    %a_1 = arith.ori %a, %0 : i32
    %c2_i32 = arith.constant 2 : i32
    %1 = arith.shrui %a_1, %c2_i32 : i32
    %a_2 = arith.ori %a_1, %1 : i32
    %c4_i32 = arith.constant 4 : i32
    %2 = arith.shrui %a_2, %c4_i32 : i32
    %a_3 = arith.ori %a_2, %2 : i32
    %c8_i32 = arith.constant 8 : i32
    %3 = arith.shrui %a_3, %c8_i32 : i32
    %a_4 = arith.ori %a_3, %3 : i32
    %c16_i32 = arith.constant 16 : i32
    %4 = arith.shrui %a_4, %c16_i32 : i32
    %a_5 = arith.ori %a_4, %4 : i32
    %cm1_i32 = arith.constant -1 : i32
    %5 = arith.xori %a_5, %cm1_i32 : i32
    %result = func.call @popcount_i32(%5) : (i32) -> i32
    func.return %result : i32
  }
  func.func private @ctz_i32(%a: i32) -> i32 {
    %cm1_i32 = arith.constant -1 : i32
    %0 = arith.xori %a, %cm1_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.subi %a, %c1_i32 : i32
    %2 = arith.andi %0, %1 : i32
    %result = func.call @popcount_i32(%2) : (i32) -> i32
    func.return %result : i32
  }
  func.func private @popcount_i64(%a: i64) -> i64 {
    %0 = arith.trunci %a : i64 to i32
    %1 = func.call @popcount_i32(%0) : (i32) -> i32
    %c32_i64 = arith.constant 32 : i64
    %2 = arith.shrui %a, %c32_i64 : i64
    %3 = arith.trunci %2 : i64 to i32
    %4 = func.call @popcount_i32(%3) : (i32) -> i32
    %5 = arith.addi %1, %4 : i32
    %result = arith.extui %5 : i32 to i64
    func.return %result : i64
  }
  func.func private @clz_i64(%a: i64) -> i64 {
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %high = arith.trunci %0 : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %high, %c0_i32 : i32
    %2 = scf.if %1 -> (i32) {
      %3 = func.call @clz_i32(%high) : (i32) -> i32
      scf.yield %3 : i32
    } else {
      %c32_i32 = arith.constant 32 : i32
      %4 = arith.trunci %a : i64 to i32
      %5 = func.call @clz_i32(%4) : (i32) -> i32
      %6 = arith.addi %c32_i32, %5 : i32
      scf.yield %6 : i32
    }
    %result = arith.extui %2 : i32 to i64
    func.return %result : i64
  }
  func.func private @ctz_i64(%a: i64) -> i64 {
    %low = arith.trunci %a : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi ne, %low, %c0_i32 : i32
    %1 = scf.if %0 -> (i32) {
      %2 = func.call @ctz_i32(%low) : (i32) -> i32
      scf.yield %2 : i32
    } else {
      %c32_i32 = arith.constant 32 : i32
      %c32_i64 = arith.constant 32 : i64
      %3 = arith.shrui %a, %c32_i64 : i64
      %4 = arith.trunci %3 : i64 to i32
      %5 = func.call @ctz_i32(%4) : (i32) -> i32
      %6 = arith.addi %c32_i32, %5 : i32
      scf.yield %6 : i32
    }
    %result = arith.extui %1 : i32 to i64
    func.return %result : i64
  }
  func.func private @exponent_of(%bits: i32) -> i32 {
    %c23_i32 = arith.constant 23 : i32
    %0 = arith.shrui %bits, %c23_i32 : i32
    %c255_i32 = arith.constant 255 : i32
    %exponent = arith.andi %0, %c255_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %exponent, %c0_i32 : i32
    %exponent_1 = scf.if %1 -> (i32) {
      %c1_i32 = arith.constant 1 : i32
      %c8388607_i32 = arith.constant 8388607 : i32
      %m = arith.andi %bits, %c8388607_i32 : i32
      %exponent_2, %m_1 = scf.while (%exponent_3 = %c1_i32, %m_2 = %m) : (i32, i32) -> (i32, i32) {
        %c8388608_i32 = arith.constant 8388608 : i32
        %2 = arith.cmpi ult, %m_2, %c8388608_i32 : i32
        scf.condition(%2) %exponent_3, %m_2 : i32, i32
      } do {
      ^bb0(%exponent_4: i32, %m_3: i32):
        %c1_i32_1 = arith.constant 1 : i32
        %exponent_5 = arith.subi %exponent_4, %c1_i32_1 : i32
        %m_4 = arith.shli %m_3, %c1_i32_1 : i32
        scf.yield %exponent_5, %m_4 : i32, i32
      }
      scf.yield %exponent_2 : i32
    } else {
      scf.yield %exponent : i32
    }
    func.return %exponent_1 : i32
  }
  func.func private @significand_of(%bits: i32) -> i32 {
    %c8388607_i32 = arith.constant 8388607 : i32
    %m = arith.andi %bits, %c8388607_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %0 = arith.andi %bits, %c2139095040_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %result = scf.if %1 -> (i32) {
      %c8388608_i32 = arith.constant 8388608 : i32
      %result_1 = arith.ori %m, %c8388608_i32 : i32
      scf.yield %result_1 : i32
    } else {
      %m_1 = scf.while (%m_2 = %m) : (i32) -> i32 {
        %c8388608_i32_1 = arith.constant 8388608 : i32
        %2 = arith.cmpi ult, %m_2, %c8388608_i32_1 : i32
        scf.condition(%2) %m_2 : i32
      } do {
      ^bb0(%m_3: i32):
        %c1_i32 = arith.constant 1 : i32
        %m_4 = arith.shli %m_3, %c1_i32 : i32
        scf.yield %m_4 : i32
      }
      scf.yield %m_1 : i32
    }
    func.return %result : i32
  }
  func.func private @rounded(%sign: i32, %exponent: i32, %m: i32) -> f32 {
    %c255_i32 = arith.constant 255 : i32
    %0 = arith.cmpi sge, %exponent, %c255_i32 : i32
    %result = scf.if %0 -> (f32) {
      %c2139095040_i32 = arith.constant 2139095040 : i32
      %1 = arith.ori %sign, %c2139095040_i32 : i32
      %result_1 = ocl.bitcast %1 : i32 to f32
      scf.yield %result_1 : f32
    } else {
      %c0_i32 = arith.constant 0 : i32
      %2 = arith.cmpi sgt, %exponent, %c0_i32 : i32
      %m_1, %base = scf.if %2 -> (i32, i32) {
        %c1_i32 = arith.constant 1 : i32
        %3 = arith.subi %exponent, %c1_i32 : i32
        %c23_i32 = arith.constant 23 : i32
        %base_1 = arith.shli %3, %c23_i32 : i32
        scf.yield %m, %base_1 : i32, i32
      } else {
        %c1_i32_1 = arith.constant 1 : i32
        %shift = arith.subi %c1_i32_1, %exponent : i32
        %c27_i32 = arith.constant 27 : i32
        %4 = arith.cmpi sgt, %shift, %c27_i32 : i32
        %shift_1 = scf.if %4 -> (i32) {
          %c27_i32_1 = arith.constant 27 : i32
          scf.yield %c27_i32_1 : i32
        } else {
          scf.yield %shift : i32
        }
        %c31_i32 = arith.constant 31 : i32
        %5 = arith.andi %shift_1, %c31_i32 : i32
        %6 = arith.shli %c1_i32_1, %5 : i32
        %7 = arith.subi %6, %c1_i32_1 : i32
        %lost = arith.andi %m, %7 : i32
        %8 = arith.andi %shift_1, %c31_i32 : i32
        %9 = arith.shrui %m, %8 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %10 = arith.cmpi ne, %lost, %c0_i32_1 : i32
        %11 = arith.extui %10 : i1 to i32
        %m_2 = arith.ori %9, %11 : i32
        scf.yield %m_2, %c0_i32 : i32, i32
      }
      %c3_i32 = arith.constant 3 : i32
      %12 = arith.andi %m_1, %c3_i32 : i32
      %c2_i32 = arith.constant 2 : i32
      %13 = arith.shrui %m_1, %c2_i32 : i32
      %c1_i32_2 = arith.constant 1 : i32
      %14 = arith.andi %13, %c1_i32_2 : i32
      %15 = arith.addi %12, %14 : i32
      %16 = arith.cmpi ugt, %15, %c2_i32 : i32
      %up = arith.extui %16 : i1 to i32
      %17 = arith.shrui %m_1, %c2_i32 : i32
      %18 = arith.addi %base, %17 : i32
      %19 = arith.addi %18, %up : i32
      %20 = arith.ori %sign, %19 : i32
      %result_2 = ocl.bitcast %20 : i32 to f32
      scf.yield %result_2 : f32
    }
    func.return %result : f32
  }
  func.func private @div_f32(%x: f32, %y: f32) -> f32 {
    %a = ocl.bitcast %x : f32 to i32
    %b = ocl.bitcast %y : f32 to i32
    %0 = arith.xori %a, %b : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %0, %c2147483648_i32 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a_1 = arith.andi %a, %c2147483647_i32 : i32
    %b_1 = arith.andi %b, %c2147483647_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %1 = arith.cmpi ugt, %a_1, %c2139095040_i32 : i32
    %2 = arith.cmpi ugt, %b_1, %c2139095040_i32 : i32
    %3 = arith.ori %1, %2 : i1
    %result = scf.if %3 -> (f32) {
      %c2143289344_i32 = arith.constant 2143289344 : i32
      %result_1 = ocl.bitcast %c2143289344_i32 : i32 to f32
      scf.yield %result_1 : f32
    } else {
      %4 = arith.cmpi eq, %a_1, %b_1 : i32
      %c0_i32 = arith.constant 0 : i32
      %5 = arith.cmpi eq, %a_1, %c0_i32 : i32
      %c2139095040_i32_1 = arith.constant 2139095040 : i32
      %6 = arith.cmpi eq, %a_1, %c2139095040_i32_1 : i32
      %7 = arith.ori %5, %6 : i1
      %8 = arith.andi %4, %7 : i1
      %result_2 = scf.if %8 -> (f32) {
        %c2143289344_i32_1 = arith.constant 2143289344 : i32
        %result_3 = ocl.bitcast %c2143289344_i32_1 : i32 to f32
        scf.yield %result_3 : f32
      } else {
        %c2139095040_i32_2 = arith.constant 2139095040 : i32
        %9 = arith.cmpi eq, %a_1, %c2139095040_i32_2 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %10 = arith.cmpi eq, %b_1, %c0_i32_1 : i32
        %11 = arith.ori %9, %10 : i1
        %result_4 = scf.if %11 -> (f32) {
          %c2139095040_i32_3 = arith.constant 2139095040 : i32
          %12 = arith.ori %sign, %c2139095040_i32_3 : i32
          %result_5 = ocl.bitcast %12 : i32 to f32
          scf.yield %result_5 : f32
        } else {
          %c0_i32_2 = arith.constant 0 : i32
          %13 = arith.cmpi eq, %a_1, %c0_i32_2 : i32
          %c2139095040_i32_4 = arith.constant 2139095040 : i32
          %14 = arith.cmpi eq, %b_1, %c2139095040_i32_4 : i32
          %15 = arith.ori %13, %14 : i1
          %result_6 = scf.if %15 -> (f32) {
            %result_7 = ocl.bitcast %sign : i32 to f32
            scf.yield %result_7 : f32
          } else {
            %16 = func.call @exponent_of(%a_1) : (i32) -> i32
            %17 = func.call @exponent_of(%b_1) : (i32) -> i32
            %18 = arith.subi %16, %17 : i32
            %c127_i32 = arith.constant 127 : i32
            %exponent = arith.addi %18, %c127_i32 : i32
            %rest = func.call @significand_of(%a_1) : (i32) -> i32
            %divisor = func.call @significand_of(%b_1) : (i32) -> i32
            %19 = arith.cmpi ult, %rest, %divisor : i32
            %exponent_1, %rest_1 = scf.if %19 -> (i32, i32) {
              %c1_i32 = arith.constant 1 : i32
              %rest_2 = arith.shli %rest, %c1_i32 : i32
              %exponent_2 = arith.subi %exponent, %c1_i32 : i32
              scf.yield %exponent_2, %rest_2 : i32, i32
            } else {
              scf.yield %exponent, %rest : i32, i32
            }
            %c0_i32_3 = arith.constant 0 : i32
            %c0 = arith.constant 0 : index
            %c26 = arith.constant 26 : index
            %c1 = arith.constant 1 : index
            %rest_3, %quotient = scf.for %i = %c0 to %c26 step %c1 iter_args(%rest_4 = %rest_1, %quotient_1 = %c0_i32_3) -> (i32, i32) {
              %20 = arith.cmpi uge, %rest_4, %divisor : i32
              %fits = arith.extui %20 : i1 to i32
              %c1_i32_1 = arith.constant 1 : i32
              %21 = arith.shli %quotient_1, %c1_i32_1 : i32
              %quotient_2 = arith.ori %21, %fits : i32
              %c0_i32_4 = arith.constant 0 : i32
              %22 = arith.subi %c0_i32_4, %fits : i32
              %23 = arith.andi %divisor, %22 : i32
              %24 = arith.subi %rest_4, %23 : i32
              %rest_5 = arith.shli %24, %c1_i32_1 : i32
              scf.yield %rest_5, %quotient_2 : i32, i32
            }
            %25 = arith.cmpi ne, %rest_3, %c0_i32_3 : i32
            %26 = arith.extui %25 : i1 to i32
            %27 = arith.ori %quotient, %26 : i32
            %result_8 = func.call @rounded(%sign, %exponent_1, %27) : (i32, i32, i32) -> f32
            scf.yield %result_8 : f32
          }
          scf.yield %result_6 : f32
        }
        scf.yield %result_4 : f32
      }
      scf.yield %result_2 : f32
    }
    func.return %result : f32
  }
  func.func private @sqrt_f32(%x: f32) -> f32 {
    %a = ocl.bitcast %x : f32 to i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.shli %a, %c1_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %2 = arith.cmpi eq, %a, %c2139095040_i32 : i32
    %3 = arith.ori %1, %2 : i1
    %result = scf.if %3 -> (f32) {
      scf.yield %x : f32
    } else {
      %c2139095040_i32_1 = arith.constant 2139095040 : i32
      %4 = arith.cmpi ugt, %a, %c2139095040_i32_1 : i32
      %result_1 = scf.if %4 -> (f32) {
        %c2143289344_i32 = arith.constant 2143289344 : i32
        %result_2 = ocl.bitcast %c2143289344_i32 : i32 to f32
        scf.yield %result_2 : f32
      } else {
        %5 = func.call @exponent_of(%a) : (i32) -> i32
        %c127_i32 = arith.constant 127 : i32
        %exponent = arith.subi %5, %c127_i32 : i32
        %6 = func.call @significand_of(%a) : (i32) -> i32
        %c7_i32 = arith.constant 7 : i32
        %digits = arith.shli %6, %c7_i32 : i32
        %c1_i32_1 = arith.constant 1 : i32
        %7 = arith.andi %exponent, %c1_i32_1 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %8 = arith.cmpi ne, %7, %c0_i32_1 : i32
        %digits_1 = scf.if %8 -> (i32) {
          %c1_i32_2 = arith.constant 1 : i32
          %digits_2 = arith.shli %digits, %c1_i32_2 : i32
          scf.yield %digits_2 : i32
        } else {
          scf.yield %digits : i32
        }
        %c0 = arith.constant 0 : index
        %c26 = arith.constant 26 : index
        %c1 = arith.constant 1 : index
        %digits_3, %root, %rest = scf.for %i = %c0 to %c26 step %c1 iter_args(%digits_4 = %digits_1, %root_1 = %c0_i32_1, %rest_1 = %c0_i32_1) -> (i32, i32, i32) {
          %c2_i32 = arith.constant 2 : i32
          %9 = arith.shli %rest_1, %c2_i32 : i32
          %c30_i32 = arith.constant 30 : i32
          %10 = arith.shrui %digits_4, %c30_i32 : i32
          %rest_2 = arith.ori %9, %10 : i32
          %digits_5 = arith.shli %digits_4, %c2_i32 : i32
          %11 = arith.shli %root_1, %c2_i32 : i32
          %c1_i32_3 = arith.constant 1 : i32
          %trial = arith.ori %11, %c1_i32_3 : i32
          %12 = arith.cmpi uge, %rest_2, %trial : i32
          %fits = arith.extui %12 : i1 to i32
          %c0_i32_2 = arith.constant 0 : i32
          %13 = arith.subi %c0_i32_2, %fits : i32
          %14 = arith.andi %trial, %13 : i32
          %rest_3 = arith.subi %rest_2, %14 : i32
          %15 = arith.shli %root_1, %c1_i32_3 : i32
          %root_2 = arith.ori %15, %fits : i32
          scf.yield %digits_5, %root_2, %rest_3 : i32, i32, i32
        }
        %16 = arith.shrsi %exponent, %c1_i32_1 : i32
        %17 = arith.addi %16, %c127_i32 : i32
        %18 = arith.cmpi ne, %rest, %c0_i32_1 : i32
        %19 = arith.extui %18 : i1 to i32
        %20 = arith.ori %root, %19 : i32
        %result_3 = func.call @rounded(%c0_i32_1, %17, %20) : (i32, i32, i32) -> f32
        scf.yield %result_3 : f32
      }
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
  func.func private @jammed(%m: i64, %shift: i32) -> i64 {
    %c63_i32 = arith.constant 63 : i32
    %0 = arith.cmpi sgt, %shift, %c63_i32 : i32
    %result = scf.if %0 -> (i64) {
      %c1_i64 = arith.constant 1 : i64
      scf.yield %c1_i64 : i64
    } else {
      %1 = arith.extsi %shift : i32 to i64
      %c63_i64 = arith.constant 63 : i64
      %2 = arith.andi %1, %c63_i64 : i64
      %kept = arith.shrui %m, %2 : i64
      %3 = arith.extsi %shift : i32 to i64
      %4 = arith.andi %3, %c63_i64 : i64
      %5 = arith.shli %kept, %4 : i64
      %6 = arith.cmpi ne, %5, %m : i64
      %7 = arith.extui %6 : i1 to i32
      %8 = arith.extsi %7 : i32 to i64
      %result_1 = arith.ori %kept, %8 : i64
      scf.yield %result_1 : i64
    }
    func.return %result : i64
  }
  func.func private @fma_f32(%x: f32, %y: f32, %z: f32) -> f32 {
    %false = arith.constant false
    %a = ocl.bitcast %x : f32 to i32
    %b = ocl.bitcast %y : f32 to i32
    %c = ocl.bitcast %z : f32 to i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %0 = arith.andi %a, %c2139095040_i32 : i32
    %1 = arith.cmpi eq, %0, %c2139095040_i32 : i32
    %2 = arith.andi %b, %c2139095040_i32 : i32
    %3 = arith.cmpi eq, %2, %c2139095040_i32 : i32
    %4 = arith.ori %1, %3 : i1
    %c1_i32 = arith.constant 1 : i32
    %5 = arith.shli %a, %c1_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %6 = arith.cmpi eq, %5, %c0_i32 : i32
    %7 = arith.ori %4, %6 : i1
    %8 = arith.shli %b, %c1_i32 : i32
    %9 = arith.cmpi eq, %8, %c0_i32 : i32
    %10 = arith.ori %7, %9 : i1
    %result = scf.if %10 -> (f32) {
      %11 = arith.mulf %x, %y : f32
      %result_1 = arith.addf %11, %z : f32
      scf.yield %result_1 : f32
    } else {
      %c2139095040_i32_1 = arith.constant 2139095040 : i32
      %12 = arith.andi %c, %c2139095040_i32_1 : i32
      %13 = arith.cmpi eq, %12, %c2139095040_i32_1 : i32
      %result_2 = scf.if %13 -> (f32) {
        %result_3 = arith.addf %z, %z : f32
        scf.yield %result_3 : f32
      } else {
        %c1_i32_1 = arith.constant 1 : i32
        %14 = arith.shli %c, %c1_i32_1 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %15 = arith.cmpi eq, %14, %c0_i32_1 : i32
        %result_4 = scf.if %15 -> (f32) {
          %result_5 = arith.mulf %x, %y : f32
          scf.yield %result_5 : f32
        } else {
          %16 = arith.xori %a, %b : i32
          %c2147483648_i32 = arith.constant -2147483648 : i32
          %sign = arith.andi %16, %c2147483648_i32 : i32
          %other = arith.andi %c, %c2147483648_i32 : i32
          %17 = func.call @significand_of(%a) : (i32) -> i32
          %18 = func.call @significand_of(%b) : (i32) -> i32
          %19 = func.call @wide_product(%17, %18) : (i32, i32) -> i64
          %c14_i64 = arith.constant 14 : i64
          %product = arith.shli %19, %c14_i64 : i64
          %20 = func.call @significand_of(%c) : (i32) -> i32
          %21 = arith.extui %20 : i32 to i64
          %c37_i64 = arith.constant 37 : i64
          %summand = arith.shli %21, %c37_i64 : i64
          %22 = func.call @exponent_of(%a) : (i32) -> i32
          %23 = func.call @exponent_of(%b) : (i32) -> i32
          %24 = arith.addi %22, %23 : i32
          %c127_i32 = arith.constant 127 : i32
          %exponent = arith.subi %24, %c127_i32 : i32
          %25 = func.call @exponent_of(%c) : (i32) -> i32
          %difference = arith.subi %exponent, %25 : i32
          %c0_i32_2 = arith.constant 0 : i32
          %26 = arith.cmpi sge, %difference, %c0_i32_2 : i32
          %product_1, %summand_1, %exponent_1 = scf.if %26 -> (i64, i64, i32) {
            %summand_2 = func.call @jammed(%summand, %difference) : (i64, i32) -> i64
            scf.yield %product, %summand_2, %exponent : i64, i64, i32
          } else {
            %c0_i32_3 = arith.constant 0 : i32
            %27 = arith.subi %c0_i32_3, %difference : i32
            %product_2 = func.call @jammed(%product, %27) : (i64, i32) -> i64
            %exponent_2 = arith.subi %exponent, %difference : i32
            scf.yield %product_2, %summand, %exponent_2 : i64, i64, i32
          }
          %sum = arith.addi %product_1, %summand_1 : i64
          %28 = arith.cmpi ne, %sign, %other : i32
          %sign_1, %sum_1, %result_6, %return = scf.if %28 -> (i32, i64, f32, i1) {
            %29 = arith.cmpi eq, %product_1, %summand_1 : i64
            %sign_2, %sum_2, %result_7, %return_1 = scf.if %29 -> (i32, i64, f32, i1) {
              %cst = arith.constant 0.000000e+00 : f32
              %true = arith.constant true
              scf.yield %sign, %sum, %cst, %true : i32, i64, f32, i1
            } else {
              %30 = arith.cmpi ult, %product_1, %summand_1 : i64
              %sign_3 = scf.if %30 -> (i32) {
                scf.yield %other : i32
              } else {
                scf.yield %sign : i32
              }
              %31 = arith.cmpi ult, %product_1, %summand_1 : i64
              %32 = arith.subi %summand_1, %product_1 : i64
              %33 = arith.subi %product_1, %summand_1 : i64
              %sum_3 = arith.select %31, %32, %33 : i64
              %34 = ub.poison : f32
              scf.yield %sign_3, %sum_3, %34, %false : i32, i64, f32, i1
            }
            scf.yield %sign_2, %sum_2, %result_7, %return_1 : i32, i64, f32, i1
          } else {
            %35 = ub.poison : f32
            scf.yield %sign, %sum, %35, %false : i32, i64, f32, i1
          }
          %true_1 = arith.constant true
          %36 = arith.xori %return, %true_1 : i1
          %result_8 = scf.if %36 -> (f32) {
            %exponent_3, %sum_4 = scf.while (%exponent_4 = %exponent_1, %sum_5 = %sum_1) : (i32, i64) -> (i32, i64) {
              %c61_i64 = arith.constant 61 : i64
              %37 = arith.shrui %sum_5, %c61_i64 : i64
              %c0_i64 = arith.constant 0 : i64
              %38 = arith.cmpi ne, %37, %c0_i64 : i64
              scf.condition(%38) %exponent_4, %sum_5 : i32, i64
            } do {
            ^bb0(%exponent_5: i32, %sum_6: i64):
              %c1_i32_2 = arith.constant 1 : i32
              %sum_7 = func.call @jammed(%sum_6, %c1_i32_2) : (i64, i32) -> i64
              %exponent_6 = arith.addi %exponent_5, %c1_i32_2 : i32
              scf.yield %exponent_6, %sum_7 : i32, i64
            }
            %exponent_7, %sum_8 = scf.while (%exponent_8 = %exponent_3, %sum_9 = %sum_4) : (i32, i64) -> (i32, i64) {
              %c60_i64 = arith.constant 60 : i64
              %39 = arith.shrui %sum_9, %c60_i64 : i64
              %c0_i64_1 = arith.constant 0 : i64
              %40 = arith.cmpi eq, %39, %c0_i64_1 : i64
              scf.condition(%40) %exponent_8, %sum_9 : i32, i64
            } do {
            ^bb0(%exponent_9: i32, %sum_10: i64):
              %c1_i32_3 = arith.constant 1 : i32
              %c1_i64 = arith.constant 1 : i64
              %sum_11 = arith.shli %sum_10, %c1_i64 : i64
              %exponent_10 = arith.subi %exponent_9, %c1_i32_3 : i32
              scf.yield %exponent_10, %sum_11 : i32, i64
            }
            %c35_i32 = arith.constant 35 : i32
            %41 = func.call @jammed(%sum_8, %c35_i32) : (i64, i32) -> i64
            %42 = arith.trunci %41 : i64 to i32
            %result_9 = func.call @rounded(%sign_1, %exponent_7, %42) : (i32, i32, i32) -> f32
            scf.yield %result_9 : f32
          } else {
            scf.yield %result_6 : f32
          }
          scf.yield %result_8 : f32
        }
        scf.yield %result_4 : f32
      }
      scf.yield %result_2 : f32
    }
    func.return %result : f32
  }
  func.func private @trunc_f32(%x: f32) -> f32 {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %0, %c2147483648_i32 : i32
    %1 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %2 = arith.andi %1, %c2147483647_i32 : i32
    %c1258291200_i32 = arith.constant 1258291200 : i32
    %3 = arith.cmpi uge, %2, %c1258291200_i32 : i32
    %result = scf.if %3 -> (f32) {
      scf.yield %x : f32
    } else {
      %4 = arith.fptosi %x : f32 to i32
      %5 = arith.sitofp %4 : i32 to f32
      %6 = ocl.bitcast %5 : f32 to i32
      %7 = arith.ori %6, %sign : i32
      %result_1 = ocl.bitcast %7 : i32 to f32
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
  func.func private @floor_f32(%x: f32) -> f32 {
    %whole = func.call @trunc_f32(%x) : (f32) -> f32
    %0 = arith.cmpf ogt, %whole, %x : f32
    %cst = arith.constant 1.000000e+00 : f32
    %1 = arith.subf %whole, %cst : f32
    %result = arith.select %0, %1, %whole : f32
    func.return %result : f32
  }
  func.func private @ceil_f32(%x: f32) -> f32 {
    %whole = func.call @trunc_f32(%x) : (f32) -> f32
    %0 = arith.cmpf olt, %whole, %x : f32
    %cst = arith.constant 1.000000e+00 : f32
    %1 = arith.addf %whole, %cst : f32
    %2 = ocl.bitcast %1 : f32 to i32
    %3 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %4 = arith.andi %3, %c2147483648_i32 : i32
    %5 = arith.ori %2, %4 : i32
    %6 = ocl.bitcast %5 : i32 to f32
    %result = arith.select %0, %6, %whole : f32
    func.return %result : f32
  }
  func.func private @round_f32(%x: f32) -> f32 {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %size = ocl.bitcast %1 : i32 to f32
    %whole = func.call @trunc_f32(%size) : (f32) -> f32
    %2 = arith.subf %size, %whole : f32
    %cst = arith.constant 5.000000e-01 : f32
    %3 = arith.cmpf oge, %2, %cst : f32
    %whole_1 = scf.if %3 -> (f32) {
      %cst_1 = arith.constant 1.000000e+00 : f32
      %whole_2 = arith.addf %whole, %cst_1 : f32
      scf.yield %whole_2 : f32
    } else {
      scf.yield %whole : f32
    }
    %4 = ocl.bitcast %whole_1 : f32 to i32
    %5 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %6 = arith.andi %5, %c2147483648_i32 : i32
    %7 = arith.ori %4, %6 : i32
    %result = ocl.bitcast %7 : i32 to f32
    func.return %result : f32
  }
  func.func private @roundeven_f32(%x: f32) -> f32 {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %size = ocl.bitcast %1 : i32 to f32
    %cst = arith.constant 0x4B000000 : f32
    %2 = arith.cmpf olt, %size, %cst : f32
    %size_1 = scf.if %2 -> (f32) {
      %cst_1 = arith.constant 0x4B000000 : f32
      %3 = arith.addf %size, %cst_1 : f32
      %size_2 = arith.subf %3, %cst_1 : f32
      scf.yield %size_2 : f32
    } else {
      scf.yield %size : f32
    }
    %4 = ocl.bitcast %size_1 : f32 to i32
    %5 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %6 = arith.andi %5, %c2147483648_i32 : i32
    %7 = arith.ori %4, %6 : i32
    %result = ocl.bitcast %7 : i32 to f32
    func.return %result : f32
  }
  func.func private @to_f32_u64(%a: i64) -> f32 {
    %c0_i64 = arith.constant 0 : i64
    %0 = arith.cmpi eq, %a, %c0_i64 : i64
    %result = scf.if %0 -> (f32) {
      %cst = arith.constant 0.000000e+00 : f32
      scf.yield %cst : f32
    } else {
      %c190_i32 = arith.constant 190 : i32
      %a_1, %exponent = scf.while (%a_2 = %a, %exponent_1 = %c190_i32) : (i64, i32) -> (i64, i32) {
        %c63_i64 = arith.constant 63 : i64
        %1 = arith.shrui %a_2, %c63_i64 : i64
        %c0_i64_1 = arith.constant 0 : i64
        %2 = arith.cmpi eq, %1, %c0_i64_1 : i64
        scf.condition(%2) %a_2, %exponent_1 : i64, i32
      } do {
      ^bb0(%a_3: i64, %exponent_2: i32):
        %c1_i32 = arith.constant 1 : i32
        %c1_i64 = arith.constant 1 : i64
        %a_4 = arith.shli %a_3, %c1_i64 : i64
        %exponent_3 = arith.subi %exponent_2, %c1_i32 : i32
        scf.yield %a_4, %exponent_3 : i64, i32
      }
      %c0_i32 = arith.constant 0 : i32
      %c38_i32 = arith.constant 38 : i32
      %3 = func.call @jammed(%a_1, %c38_i32) : (i64, i32) -> i64
      %4 = arith.trunci %3 : i64 to i32
      %result_1 = func.call @rounded(%c0_i32, %exponent, %4) : (i32, i32, i32) -> f32
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
  func.func private @to_f32_s64(%a: i64) -> f32 {
    %0 = func.call @size_64(%a) : (i64) -> i64
    %size = func.call @to_f32_u64(%0) : (i64) -> f32
    %1 = ocl.bitcast %size : f32 to i32
    %c32_i64 = arith.constant 32 : i64
    %2 = arith.shrui %a, %c32_i64 : i64
    %3 = arith.trunci %2 : i64 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %4 = arith.andi %3, %c2147483648_i32 : i32
    %5 = arith.ori %1, %4 : i32
    %result = ocl.bitcast %5 : i32 to f32
    func.return %result : f32
  }
  func.func private @to_u64_f32(%x: f32) -> i64 {
    %a = ocl.bitcast %x : f32 to i32
    %c23_i32 = arith.constant 23 : i32
    %0 = arith.shrui %a, %c23_i32 : i32
    %c255_i32 = arith.constant 255 : i32
    %1 = arith.andi %0, %c255_i32 : i32
    %c127_i32 = arith.constant 127 : i32
    %2 = arith.subi %1, %c127_i32 : i32
    %exponent = arith.subi %2, %c23_i32 : i32
    %cst = arith.constant 1.000000e+00 : f32
    %3 = arith.cmpf ult, %x, %cst : f32
    %result = scf.if %3 -> (i64) {
      %c0_i64 = arith.constant 0 : i64
      scf.yield %c0_i64 : i64
    } else {
      %c40_i32 = arith.constant 40 : i32
      %4 = arith.cmpi sgt, %exponent, %c40_i32 : i32
      %result_1 = scf.if %4 -> (i64) {
        %c18446744073709551615_i64 = arith.constant -1 : i64
        scf.yield %c18446744073709551615_i64 : i64
      } else {
        %5 = func.call @significand_of(%a) : (i32) -> i32
        %m = arith.extui %5 : i32 to i64
        %c0_i32 = arith.constant 0 : i32
        %6 = arith.cmpi slt, %exponent, %c0_i32 : i32
        %7 = arith.subi %c0_i32, %exponent : i32
        %8 = arith.extsi %7 : i32 to i64
        %c63_i64 = arith.constant 63 : i64
        %9 = arith.andi %8, %c63_i64 : i64
        %10 = arith.shrui %m, %9 : i64
        %11 = arith.extsi %exponent : i32 to i64
        %12 = arith.andi %11, %c63_i64 : i64
        %13 = arith.shli %m, %12 : i64
        %result_2 = arith.select %6, %10, %13 : i64
        scf.yield %result_2 : i64
      }
      scf.yield %result_1 : i64
    }
    func.return %result : i64
  }
  func.func private @to_s64_f32(%x: f32) -> i64 {
    %cst = arith.constant 9.22337204e+18 : f32
    %0 = arith.cmpf oge, %x, %cst : f32
    %result = scf.if %0 -> (i64) {
      %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
      scf.yield %c9223372036854775807_i64 : i64
    } else {
      %cst_1 = arith.constant -9.22337204e+18 : f32
      %1 = arith.cmpf ole, %x, %cst_1 : f32
      %result_1 = scf.if %1 -> (i64) {
        %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
        scf.yield %c9223372036854775808_i64 : i64
      } else {
        %2 = ocl.bitcast %x : f32 to i32
        %c2147483647_i32 = arith.constant 2147483647 : i32
        %3 = arith.andi %2, %c2147483647_i32 : i32
        %4 = ocl.bitcast %3 : i32 to f32
        %size = func.call @to_u64_f32(%4) : (f32) -> i64
        %5 = ocl.bitcast %x : f32 to i32
        %c31_i32 = arith.constant 31 : i32
        %6 = arith.shrui %5, %c31_i32 : i32
        %c0_i32 = arith.constant 0 : i32
        %7 = arith.cmpi ne, %6, %c0_i32 : i32
        %c0_i64 = arith.constant 0 : i64
        %8 = arith.subi %c0_i64, %size : i64
        %result_2 = arith.select %7, %8, %size : i64
        scf.yield %result_2 : i64
      }
      scf.yield %result_1 : i64
    }
    func.return %result : i64
  }
  func.func private @to_f32_f16(%half_bits: i16) -> f32 {
    %0 = arith.extui %half_bits : i16 to i32
    %c32768_i32 = arith.constant 32768 : i32
    %1 = arith.andi %0, %c32768_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %sign = arith.shli %1, %c16_i32 : i32
    %2 = arith.extui %half_bits : i16 to i32
    %c32767_i32 = arith.constant 32767 : i32
    %3 = arith.andi %2, %c32767_i32 : i32
    %c13_i32 = arith.constant 13 : i32
    %bits = arith.shli %3, %c13_i32 : i32
    %c260046848_i32 = arith.constant 260046848 : i32
    %4 = arith.cmpi uge, %bits, %c260046848_i32 : i32
    %result = scf.if %4 -> (f32) {
      %c1879048192_i32 = arith.constant 1879048192 : i32
      %5 = arith.addi %bits, %c1879048192_i32 : i32
      %6 = arith.ori %sign, %5 : i32
      %result_1 = ocl.bitcast %6 : i32 to f32
      scf.yield %result_1 : f32
    } else {
      %c8388608_i32 = arith.constant 8388608 : i32
      %7 = arith.cmpi ult, %bits, %c8388608_i32 : i32
      %result_2 = scf.if %7 -> (f32) {
        %8 = arith.extui %half_bits : i16 to i32
        %c32767_i32_1 = arith.constant 32767 : i32
        %9 = arith.andi %8, %c32767_i32_1 : i32
        %10 = arith.sitofp %9 : i32 to f32
        %cst = arith.constant 5.96046448e-08 : f32
        %11 = arith.mulf %10, %cst : f32
        %12 = ocl.bitcast %11 : f32 to i32
        %13 = arith.ori %sign, %12 : i32
        %result_3 = ocl.bitcast %13 : i32 to f32
        scf.yield %result_3 : f32
      } else {
        %c939524096_i32 = arith.constant 939524096 : i32
        %14 = arith.addi %bits, %c939524096_i32 : i32
        %15 = arith.ori %sign, %14 : i32
        %result_4 = ocl.bitcast %15 : i32 to f32
        scf.yield %result_4 : f32
      }
      scf.yield %result_2 : f32
    }
    func.return %result : f32
  }
  func.func private @to_f16_f32(%x: f32) -> i16 {
    %0 = ocl.bitcast %x : f32 to i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.shrui %0, %c16_i32 : i32
    %c32768_i32 = arith.constant 32768 : i32
    %sign = arith.andi %1, %c32768_i32 : i32
    %2 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a = arith.andi %2, %c2147483647_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %3 = arith.cmpi ugt, %a, %c2139095040_i32 : i32
    %result = scf.if %3 -> (i16) {
      %c32256_i32 = arith.constant 32256 : i32
      %4 = arith.ori %sign, %c32256_i32 : i32
      %result_1 = arith.trunci %4 : i32 to i16
      scf.yield %result_1 : i16
    } else {
      %c1199566848_i32 = arith.constant 1199566848 : i32
      %5 = arith.cmpi uge, %a, %c1199566848_i32 : i32
      %result_2 = scf.if %5 -> (i16) {
        %c31744_i32 = arith.constant 31744 : i32
        %6 = arith.ori %sign, %c31744_i32 : i32
        %result_3 = arith.trunci %6 : i32 to i16
        scf.yield %result_3 : i16
      } else {
        %c947912704_i32 = arith.constant 947912704 : i32
        %7 = arith.cmpi ult, %a, %c947912704_i32 : i32
        %result_4 = scf.if %7 -> (i16) {
          %8 = ocl.bitcast %a : i32 to f32
          %cst = arith.constant 5.000000e-01 : f32
          %9 = arith.addf %8, %cst : f32
          %10 = ocl.bitcast %9 : f32 to i32
          %c1056964608_i32 = arith.constant 1056964608 : i32
          %11 = arith.subi %10, %c1056964608_i32 : i32
          %12 = arith.ori %sign, %11 : i32
          %result_5 = arith.trunci %12 : i32 to i16
          scf.yield %result_5 : i16
        } else {
          %c4095_i32 = arith.constant 4095 : i32
          %13 = arith.addi %a, %c4095_i32 : i32
          %c13_i32 = arith.constant 13 : i32
          %14 = arith.shrui %a, %c13_i32 : i32
          %c1_i32 = arith.constant 1 : i32
          %15 = arith.andi %14, %c1_i32 : i32
          %16 = arith.addi %13, %15 : i32
          %c939524096_i32 = arith.constant 939524096 : i32
          %17 = arith.subi %16, %c939524096_i32 : i32
          %18 = arith.shrui %17, %c13_i32 : i32
          %19 = arith.ori %sign, %18 : i32
          %result_6 = arith.trunci %19 : i32 to i16
          scf.yield %result_6 : i16
        }
        scf.yield %result_4 : i16
      }
      scf.yield %result_2 : i16
    }
    func.return %result : i16
  }
}

