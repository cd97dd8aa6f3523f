builtin.module {
  func.func private @small_float(%a: i32) -> f32 attributes {ocl.unsigned = ["a"]} {
    %c1258291200_i32 = arith.constant 1258291200 : i32
    %0 = arith.ori %a, %c1258291200_i32 : i32
    %1 = ocl.bitcast %0 : i32 to f32
    %cst = arith.constant 0x4B000000 : f32
    %result = arith.subf %1, %cst : f32
    func.return %result : f32
  }
  func.func private @small_integer(%x: f32) -> i32 attributes {ocl.unsigned = ["result"]} {
    %cst = arith.constant 0x4B000000 : f32
    %0 = arith.addf %x, %cst : f32
    %1 = ocl.bitcast %0 : f32 to i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %result = arith.andi %1, %c8388607_i32 : i32
    func.return %result : i32
  }
  func.func private @mul_i32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "high", "low", "middle", "result"]} {
    %c2047_i32 = arith.constant 2047 : i32
    %0 = arith.andi %a, %c2047_i32 : i32
    %a0 = func.call @small_float(%0) : (i32) -> f32
    %c11_i32 = arith.constant 11 : i32
    %1 = arith.shrui %a, %c11_i32 : i32
    %2 = arith.andi %1, %c2047_i32 : i32
    %a1 = func.call @small_float(%2) : (i32) -> f32
    %c22_i32 = arith.constant 22 : i32
    %3 = arith.shrui %a, %c22_i32 : i32
    %a2 = func.call @small_float(%3) : (i32) -> f32
    %4 = arith.andi %b, %c2047_i32 : i32
    %b0 = func.call @small_float(%4) : (i32) -> f32
    %5 = arith.shrui %b, %c11_i32 : i32
    %6 = arith.andi %5, %c2047_i32 : i32
    %b1 = func.call @small_float(%6) : (i32) -> f32
    %7 = arith.shrui %b, %c22_i32 : i32
    %b2 = func.call @small_float(%7) : (i32) -> f32
    %8 = arith.mulf %a0, %b0 : f32
    %cst = arith.constant 0x4B000000 : f32
    %9 = arith.addf %8, %cst : f32
    %low = ocl.bitcast %9 : f32 to i32
    %10 = arith.mulf %a0, %b1 : f32
    %11 = arith.mulf %a1, %b0 : f32
    %12 = arith.addf %10, %11 : f32
    %13 = arith.addf %12, %cst : f32
    %middle = ocl.bitcast %13 : f32 to i32
    %14 = arith.mulf %a0, %b2 : f32
    %15 = arith.mulf %a2, %b0 : f32
    %16 = arith.addf %14, %15 : f32
    %17 = arith.mulf %a1, %b1 : f32
    %18 = arith.addf %17, %cst : f32
    %19 = arith.addf %16, %18 : f32
    %high = ocl.bitcast %19 : f32 to i32
    %c1258291200_i32 = arith.constant 1258291200 : i32
    %20 = arith.subi %low, %c1258291200_i32 : i32
    %21 = arith.shli %middle, %c11_i32 : i32
    %22 = arith.addi %20, %21 : i32
    %23 = arith.shli %high, %c22_i32 : i32
    %result = arith.addi %22, %23 : i32
    func.return %result : i32
  }
  func.func private @wide_product(%a: i32, %b: i32) -> i64 attributes {ocl.unsigned = ["a", "b", "low", "result", "w0", "w1", "w2", "w3", "w4"]} {
    %c2047_i32 = arith.constant 2047 : i32
    %0 = arith.andi %a, %c2047_i32 : i32
    %a0 = func.call @small_float(%0) : (i32) -> f32
    %c11_i32 = arith.constant 11 : i32
    %1 = arith.shrui %a, %c11_i32 : i32
    %2 = arith.andi %1, %c2047_i32 : i32
    %a1 = func.call @small_float(%2) : (i32) -> f32
    %c22_i32 = arith.constant 22 : i32
    %3 = arith.shrui %a, %c22_i32 : i32
    %a2 = func.call @small_float(%3) : (i32) -> f32
    %4 = arith.andi %b, %c2047_i32 : i32
    %b0 = func.call @small_float(%4) : (i32) -> f32
    %5 = arith.shrui %b, %c11_i32 : i32
    %6 = arith.andi %5, %c2047_i32 : i32
    %b1 = func.call @small_float(%6) : (i32) -> f32
    %7 = arith.shrui %b, %c22_i32 : i32
    %b2 = func.call @small_float(%7) : (i32) -> f32
    %8 = arith.mulf %a0, %b0 {ocl.no_contract} : f32
    %w0 = func.call @small_integer(%8) : (f32) -> i32
    %9 = arith.mulf %a0, %b1 : f32
    %10 = arith.mulf %a1, %b0 : f32
    %11 = arith.addf %9, %10 : f32
    %w1 = func.call @small_integer(%11) : (f32) -> i32
    %12 = arith.mulf %a0, %b2 : f32
    %13 = arith.mulf %a2, %b0 : f32
    %14 = arith.addf %12, %13 : f32
    %15 = arith.mulf %a1, %b1 : f32
    %16 = arith.addf %14, %15 : f32
    %w2 = func.call @small_integer(%16) : (f32) -> i32
    %17 = arith.mulf %a1, %b2 : f32
    %18 = arith.mulf %a2, %b1 : f32
    %19 = arith.addf %17, %18 : f32
    %w3 = func.call @small_integer(%19) : (f32) -> i32
    %20 = arith.mulf %a2, %b2 {ocl.no_contract} : f32
    %w4 = func.call @small_integer(%20) : (f32) -> i32
    %21 = arith.shli %w1, %c11_i32 : i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %22 = arith.andi %21, %c8388607_i32 : i32
    %23 = arith.addi %w0, %22 : i32
    %24 = arith.extui %23 : i32 to i64
    %c12_i32 = arith.constant 12 : i32
    %25 = arith.shrui %w1, %c12_i32 : i32
    %26 = arith.extui %25 : i32 to i64
    %c23_i64 = arith.constant 23 : i64
    %27 = arith.shli %26, %c23_i64 : i64
    %low = arith.addi %24, %27 : i64
    %28 = arith.extui %w2 : i32 to i64
    %c22_i64 = arith.constant 22 : i64
    %29 = arith.shli %28, %c22_i64 : i64
    %30 = arith.addi %low, %29 : i64
    %c1_i32 = arith.constant 1 : i32
    %31 = arith.shli %w3, %c1_i32 : i32
    %32 = arith.shli %w4, %c12_i32 : i32
    %33 = arith.addi %31, %32 : i32
    %34 = arith.extui %33 : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %35 = arith.shli %34, %c32_i64 : i64
    %result = arith.addi %30, %35 : i64
    func.return %result : i64
  }
  func.func private @mul_i64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "cross", "result"]} {
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
  func.func private @mulhi_u32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "result"]} {
    %0 = func.call @wide_product(%a, %b) : (i32, i32) -> i64
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %0, %c32_i64 : i64
    %result = arith.trunci %1 : i64 to i32
    func.return %result : i32
  }
  func.func private @mulhi_s32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "high", "result"]} {
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
  func.func private @mulhi_u64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "a0", "a1", "b", "b0", "b1", "low", "middle", "other", "result"]} {
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
  func.func private @mulhi_s64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "high", "result"]} {
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
  func.func private @div_u32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "carry", "fits", "rest", "result"]} {
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
  func.func private @rem_u32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "carry", "fits", "rest", "result"]} {
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
  func.func private @size_32(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.shrui %a, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %2 = arith.subi %c0_i32, %a : i32
    %result = arith.select %1, %2, %a : i32
    func.return %result : i32
  }
  func.func private @div_s32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "quotient", "result"]} {
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
  func.func private @rem_s32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "rest", "result"]} {
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
  func.func private @div_u64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "carry", "rest", "result"]} {
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
  func.func private @rem_u64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "carry", "rest", "result"]} {
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
  func.func private @size_64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "result"]} {
    %c63_i64 = arith.constant 63 : i64
    %0 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.cmpi ne, %0, %c0_i64 : i64
    %2 = arith.subi %c0_i64, %a : i64
    %result = arith.select %1, %2, %a : i64
    func.return %result : i64
  }
  func.func private @div_s64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "quotient", "result"]} {
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
  func.func private @rem_s64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "rest", "result"]} {
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
  func.func private @popcount_i32(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
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
  func.func private @clz_i32(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
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
  func.func private @ctz_i32(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
    %cm1_i32 = arith.constant -1 : i32
    %0 = arith.xori %a, %cm1_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.subi %a, %c1_i32 : i32
    %2 = arith.andi %0, %1 : i32
    %result = func.call @popcount_i32(%2) : (i32) -> i32
    func.return %result : i32
  }
  func.func private @popcount_i64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "result"]} {
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
  func.func private @clz_i64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "high", "low", "result"]} {
    %c32_i32 = arith.constant 32 : i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %high = arith.trunci %0 : i64 to i32
    %low = arith.trunci %a : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %high, %c0_i32 : i32
    %2 = arith.select %1, %high, %low : i32
    %3 = func.call @clz_i32(%2) : (i32) -> i32
    %4 = arith.cmpi ne, %high, %c0_i32 : i32
    %5 = arith.select %4, %c0_i32, %c32_i32 : i32
    %6 = arith.addi %3, %5 : i32
    %result = arith.extui %6 : i32 to i64
    func.return %result : i64
  }
  func.func private @ctz_i64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "high", "low", "result"]} {
    %c32_i32 = arith.constant 32 : i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %high = arith.trunci %0 : i64 to i32
    %low = arith.trunci %a : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %low, %c0_i32 : i32
    %2 = arith.select %1, %low, %high : i32
    %3 = func.call @ctz_i32(%2) : (i32) -> i32
    %4 = arith.cmpi ne, %low, %c0_i32 : i32
    %5 = arith.select %4, %c0_i32, %c32_i32 : i32
    %6 = arith.addi %3, %5 : i32
    %result = arith.extui %6 : i32 to i64
    func.return %result : i64
  }
  func.func private @normal(%bits: i32) -> i32 attributes {ocl.unsigned = ["bits", "result"]} {
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %0 = arith.andi %bits, %c2139095040_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %2 = ocl.bitcast %bits : i32 to f32
    %cst = arith.constant 0x4B800000 : f32
    %3 = arith.mulf %2, %cst {ocl.no_contract} : f32
    %4 = ocl.bitcast %3 : f32 to i32
    %result = arith.select %1, %bits, %4 : i32
    func.return %result : i32
  }
  func.func private @exponent_of(%bits: i32) -> i32 attributes {ocl.unsigned = ["bits"]} {
    %0 = func.call @normal(%bits) : (i32) -> i32
    %c23_i32 = arith.constant 23 : i32
    %1 = arith.shrui %0, %c23_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %2 = arith.andi %bits, %c2139095040_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi ne, %2, %c0_i32 : i32
    %c24_i32 = arith.constant 24 : i32
    %4 = arith.select %3, %c0_i32, %c24_i32 : i32
    %result = arith.subi %1, %4 : i32
    func.return %result : i32
  }
  func.func private @significand_of(%bits: i32) -> i32 attributes {ocl.unsigned = ["bits", "result"]} {
    %0 = func.call @normal(%bits) : (i32) -> i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %1 = arith.andi %0, %c8388607_i32 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %result = arith.ori %1, %c8388608_i32 : i32
    func.return %result : i32
  }
  func.func private @rounded(%sign: i32, %exponent: i32, %m: i32) -> f32 attributes {ocl.unsigned = ["base", "lost", "m", "sign", "up"]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi sgt, %exponent, %c0_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.subi %exponent, %c1_i32 : i32
    %c23_i32 = arith.constant 23 : i32
    %2 = arith.shli %1, %c23_i32 : i32
    %base = arith.select %0, %2, %c0_i32 : i32
    %3 = arith.cmpi sgt, %exponent, %c0_i32 : i32
    %cm26_i32 = arith.constant -26 : i32
    %4 = arith.cmpi slt, %exponent, %cm26_i32 : i32
    %c27_i32 = arith.constant 27 : i32
    %5 = arith.subi %c1_i32, %exponent : i32
    %6 = arith.select %4, %c27_i32, %5 : i32
    %shift = arith.select %3, %c0_i32, %6 : i32
    %c31_i32 = arith.constant 31 : i32
    %7 = arith.andi %shift, %c31_i32 : i32
    %8 = arith.shli %c1_i32, %7 : i32
    %9 = arith.subi %8, %c1_i32 : i32
    %lost = arith.andi %m, %9 : i32
    %10 = arith.andi %shift, %c31_i32 : i32
    %11 = arith.shrui %m, %10 : i32
    %12 = arith.cmpi ne, %lost, %c0_i32 : i32
    %13 = arith.extui %12 : i1 to i32
    %m_1 = arith.ori %11, %13 : i32
    %c3_i32 = arith.constant 3 : i32
    %14 = arith.andi %m_1, %c3_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %15 = arith.shrui %m_1, %c2_i32 : i32
    %16 = arith.andi %15, %c1_i32 : i32
    %17 = arith.addi %14, %16 : i32
    %18 = arith.cmpi ugt, %17, %c2_i32 : i32
    %up = arith.extui %18 : i1 to i32
    %c255_i32 = arith.constant 255 : i32
    %19 = arith.cmpi sge, %exponent, %c255_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %20 = arith.shrui %m_1, %c2_i32 : i32
    %21 = arith.addi %base, %20 : i32
    %22 = arith.addi %21, %up : i32
    %23 = arith.select %19, %c2139095040_i32, %22 : i32
    %24 = arith.ori %sign, %23 : i32
    %result = ocl.bitcast %24 : i32 to f32
    func.return %result : f32
  }
  func.func private @div_f32(%x: f32, %y: f32) -> f32 attributes {ocl.unsigned = ["a", "b", "divisor", "fits", "is_less", "quotient", "rest", "sign"]} {
    %a = ocl.bitcast %x : f32 to i32
    %b = ocl.bitcast %y : f32 to i32
    %0 = arith.xori %a, %b : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %0, %c2147483648_i32 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a_1 = arith.andi %a, %c2147483647_i32 : i32
    %b_1 = arith.andi %b, %c2147483647_i32 : i32
    %1 = func.call @exponent_of(%a_1) : (i32) -> i32
    %2 = func.call @exponent_of(%b_1) : (i32) -> i32
    %3 = arith.subi %1, %2 : i32
    %c127_i32 = arith.constant 127 : i32
    %exponent = arith.addi %3, %c127_i32 : i32
    %rest = func.call @significand_of(%a_1) : (i32) -> i32
    %divisor = func.call @significand_of(%b_1) : (i32) -> i32
    %4 = arith.cmpi ult, %rest, %divisor : i32
    %is_less = arith.extui %4 : i1 to i32
    %c31_i32 = arith.constant 31 : i32
    %5 = arith.andi %is_less, %c31_i32 : i32
    %rest_1 = arith.shli %rest, %5 : i32
    %6 = arith.subi %exponent, %is_less : i32
    %7 = arith.extui %6 : i32 to i64
    %exponent_1 = arith.trunci %7 : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c26 = arith.constant 26 : index
    %c1 = arith.constant 1 : index
    %rest_2, %quotient = scf.for %i = %c0 to %c26 step %c1 iter_args(%rest_3 = %rest_1, %quotient_1 = %c0_i32) -> (i32, i32) {
      %8 = arith.cmpi uge, %rest_3, %divisor : i32
      %fits = arith.extui %8 : i1 to i32
      %c1_i32 = arith.constant 1 : i32
      %9 = arith.shli %quotient_1, %c1_i32 : i32
      %quotient_2 = arith.ori %9, %fits : i32
      %c0_i32_1 = arith.constant 0 : i32
      %10 = arith.subi %c0_i32_1, %fits : i32
      %11 = arith.andi %divisor, %10 : i32
      %12 = arith.subi %rest_3, %11 : i32
      %rest_4 = arith.shli %12, %c1_i32 : i32
      scf.yield %rest_4, %quotient_2 : i32, i32
    }
    %13 = arith.cmpi ne, %rest_2, %c0_i32 : i32
    %14 = arith.extui %13 : i1 to i32
    %15 = arith.ori %quotient, %14 : i32
    %result = func.call @rounded(%sign, %exponent_1, %15) : (i32, i32, i32) -> f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %16 = arith.cmpi eq, %a_1, %c2139095040_i32 : i32
    %17 = arith.cmpi eq, %b_1, %c0_i32 : i32
    %18 = arith.ori %16, %17 : i1
    %19 = arith.ori %sign, %c2139095040_i32 : i32
    %20 = ocl.bitcast %19 : i32 to f32
    %result_1 = arith.select %18, %20, %result : f32
    %21 = arith.cmpi eq, %a_1, %c0_i32 : i32
    %22 = arith.cmpi eq, %b_1, %c2139095040_i32 : i32
    %23 = arith.ori %21, %22 : i1
    %24 = ocl.bitcast %sign : i32 to f32
    %result_2 = arith.select %23, %24, %result_1 : f32
    %25 = arith.cmpi ugt, %a_1, %c2139095040_i32 : i32
    %26 = arith.cmpi ugt, %b_1, %c2139095040_i32 : i32
    %27 = arith.ori %25, %26 : i1
    %28 = arith.cmpi eq, %a_1, %b_1 : i32
    %29 = arith.cmpi eq, %a_1, %c0_i32 : i32
    %30 = arith.cmpi eq, %a_1, %c2139095040_i32 : i32
    %31 = arith.ori %29, %30 : i1
    %32 = arith.andi %28, %31 : i1
    %is_nan = arith.ori %27, %32 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %33 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_3 = arith.select %is_nan, %33, %result_2 : f32
    func.return %result_3 : f32
  }
  func.func private @sqrt_f32(%x: f32) -> f32 attributes {ocl.unsigned = ["a", "digits", "fits", "rest", "root", "trial"]} {
    %a = ocl.bitcast %x : f32 to i32
    %0 = func.call @exponent_of(%a) : (i32) -> i32
    %c127_i32 = arith.constant 127 : i32
    %exponent = arith.subi %0, %c127_i32 : i32
    %1 = func.call @significand_of(%a) : (i32) -> i32
    %c7_i32 = arith.constant 7 : i32
    %digits = arith.shli %1, %c7_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %2 = arith.andi %exponent, %c1_i32 : i32
    %c31_i32 = arith.constant 31 : i32
    %3 = arith.andi %2, %c31_i32 : i32
    %digits_1 = arith.shli %digits, %3 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c26 = arith.constant 26 : index
    %c1 = arith.constant 1 : index
    %digits_2, %root, %rest = scf.for %i = %c0 to %c26 step %c1 iter_args(%digits_3 = %digits_1, %root_1 = %c0_i32, %rest_1 = %c0_i32) -> (i32, i32, i32) {
      %c2_i32 = arith.constant 2 : i32
      %4 = arith.shli %rest_1, %c2_i32 : i32
      %c30_i32 = arith.constant 30 : i32
      %5 = arith.shrui %digits_3, %c30_i32 : i32
      %rest_2 = arith.ori %4, %5 : i32
      %digits_4 = arith.shli %digits_3, %c2_i32 : i32
      %6 = arith.shli %root_1, %c2_i32 : i32
      %c1_i32_1 = arith.constant 1 : i32
      %trial = arith.ori %6, %c1_i32_1 : i32
      %7 = arith.cmpi uge, %rest_2, %trial : i32
      %fits = arith.extui %7 : i1 to i32
      %c0_i32_1 = arith.constant 0 : i32
      %8 = arith.subi %c0_i32_1, %fits : i32
      %9 = arith.andi %trial, %8 : i32
      %rest_3 = arith.subi %rest_2, %9 : i32
      %10 = arith.shli %root_1, %c1_i32_1 : i32
      %root_2 = arith.ori %10, %fits : i32
      scf.yield %digits_4, %root_2, %rest_3 : i32, i32, i32
    }
    %11 = arith.shrsi %exponent, %c1_i32 : i32
    %12 = arith.addi %11, %c127_i32 : i32
    %13 = arith.cmpi ne, %rest, %c0_i32 : i32
    %14 = arith.extui %13 : i1 to i32
    %15 = arith.ori %root, %14 : i32
    %result = func.call @rounded(%c0_i32, %12, %15) : (i32, i32, i32) -> f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %16 = arith.cmpi ugt, %a, %c2139095040_i32 : i32
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %17 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_1 = arith.select %16, %17, %result : f32
    %18 = arith.shli %a, %c1_i32 : i32
    %19 = arith.cmpi eq, %18, %c0_i32 : i32
    %20 = arith.cmpi eq, %a, %c2139095040_i32 : i32
    %21 = arith.ori %19, %20 : i1
    %result_2 = arith.select %21, %x, %result_1 : f32
    func.return %result_2 : f32
  }
  func.func private @jammed(%m: i64, %shift: i32) -> i64 attributes {ocl.unsigned = ["kept", "m", "result"]} {
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
  func.func private @fma_f32(%x: f32, %y: f32, %z: f32) -> f32 attributes {ocl.unsigned = ["a", "apart", "b", "c", "m", "moved", "other", "product", "sign", "sum", "summand"]} {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a = arith.andi %0, %c2147483647_i32 : i32
    %1 = ocl.bitcast %y : f32 to i32
    %b = arith.andi %1, %c2147483647_i32 : i32
    %2 = ocl.bitcast %z : f32 to i32
    %c = arith.andi %2, %c2147483647_i32 : i32
    %3 = ocl.bitcast %x : f32 to i32
    %4 = ocl.bitcast %y : f32 to i32
    %5 = arith.xori %3, %4 : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %5, %c2147483648_i32 : i32
    %6 = ocl.bitcast %z : f32 to i32
    %other = arith.andi %6, %c2147483648_i32 : i32
    %7 = func.call @significand_of(%a) : (i32) -> i32
    %8 = func.call @significand_of(%b) : (i32) -> i32
    %9 = func.call @wide_product(%7, %8) : (i32, i32) -> i64
    %c14_i64 = arith.constant 14 : i64
    %product = arith.shli %9, %c14_i64 : i64
    %10 = func.call @significand_of(%c) : (i32) -> i32
    %11 = arith.extui %10 : i32 to i64
    %c37_i64 = arith.constant 37 : i64
    %summand = arith.shli %11, %c37_i64 : i64
    %12 = func.call @exponent_of(%a) : (i32) -> i32
    %13 = func.call @exponent_of(%b) : (i32) -> i32
    %14 = arith.addi %12, %13 : i32
    %c127_i32 = arith.constant 127 : i32
    %exponent = arith.subi %14, %c127_i32 : i32
    %15 = func.call @exponent_of(%c) : (i32) -> i32
    %difference = arith.subi %exponent, %15 : i32
    %c0_i32 = arith.constant 0 : i32
    %is_below = arith.cmpi slt, %difference, %c0_i32 : i32
    %16 = arith.select %is_below, %product, %summand : i64
    %17 = arith.subi %c0_i32, %difference : i32
    %18 = arith.select %is_below, %17, %difference : i32
    %moved = func.call @jammed(%16, %18) : (i64, i32) -> i64
    %product_1 = arith.select %is_below, %moved, %product : i64
    %summand_1 = arith.select %is_below, %summand, %moved : i64
    %19 = arith.subi %exponent, %difference : i32
    %exponent_1 = arith.select %is_below, %19, %exponent : i32
    %is_less = arith.cmpi ult, %product_1, %summand_1 : i64
    %20 = arith.subi %summand_1, %product_1 : i64
    %21 = arith.subi %product_1, %summand_1 : i64
    %apart = arith.select %is_less, %20, %21 : i64
    %22 = arith.cmpi eq, %sign, %other : i32
    %23 = arith.addi %product_1, %summand_1 : i64
    %sum = arith.select %22, %23, %apart : i64
    %24 = func.call @clz_i64(%sum) : (i64) -> i64
    %25 = arith.trunci %24 : i64 to i32
    %c3_i32 = arith.constant 3 : i32
    %up = arith.subi %25, %c3_i32 : i32
    %26 = arith.cmpi slt, %up, %c0_i32 : i32
    %m = scf.if %26 -> (i64) {
      %c0_i32_1 = arith.constant 0 : i32
      %27 = arith.subi %c0_i32_1, %up : i32
      %28 = func.call @jammed(%sum, %27) : (i64, i32) -> i64
      scf.yield %28 : i64
    } else {
      %c63_i32 = arith.constant 63 : i32
      %29 = arith.andi %up, %c63_i32 : i32
      %30 = arith.extsi %29 : i32 to i64
      %c63_i64 = arith.constant 63 : i64
      %31 = arith.andi %30, %c63_i64 : i64
      %32 = arith.shli %sum, %31 : i64
      scf.yield %32 : i64
    }
    %33 = arith.select %is_less, %other, %sign : i32
    %34 = arith.subi %exponent_1, %up : i32
    %c35_i32 = arith.constant 35 : i32
    %35 = func.call @jammed(%m, %c35_i32) : (i64, i32) -> i64
    %36 = arith.trunci %35 : i64 to i32
    %result = func.call @rounded(%33, %34, %36) : (i32, i32, i32) -> f32
    %c0_i64 = arith.constant 0 : i64
    %37 = arith.cmpi eq, %sum, %c0_i64 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %result_1 = arith.select %37, %cst, %result : f32
    %38 = arith.cmpi eq, %c, %c0_i32 : i32
    %39 = arith.mulf %x, %y {ocl.no_contract} : f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %40 = arith.cmpi uge, %c, %c2139095040_i32 : i32
    %41 = arith.addf %z, %z : f32
    %42 = arith.select %40, %41, %result_1 : f32
    %result_2 = arith.select %38, %39, %42 : f32
    %43 = arith.cmpi eq, %a, %c0_i32 : i32
    %44 = arith.cmpi eq, %b, %c0_i32 : i32
    %45 = arith.ori %43, %44 : i1
    %46 = arith.cmpi uge, %a, %c2139095040_i32 : i32
    %47 = arith.ori %45, %46 : i1
    %48 = arith.cmpi uge, %b, %c2139095040_i32 : i32
    %is_special = arith.ori %47, %48 : i1
    %49 = arith.mulf %x, %y : f32
    %50 = arith.addf %49, %z : f32
    %result_3 = arith.select %is_special, %50, %result_2 : f32
    func.return %result_3 : f32
  }
  func.func private @trunc_f32(%x: f32) -> f32 attributes {ocl.unsigned = ["sign"]} {
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
  func.func private @fmod_f32(%x: f32, %y: f32) -> f32 attributes {ocl.unsigned = ["a", "b", "divisor", "rest"]} {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a = arith.andi %0, %c2147483647_i32 : i32
    %1 = ocl.bitcast %y : f32 to i32
    %b = arith.andi %1, %c2147483647_i32 : i32
    %2 = func.call @exponent_of(%a) : (i32) -> i32
    %3 = func.call @exponent_of(%b) : (i32) -> i32
    %steps = arith.subi %2, %3 : i32
    %rest = func.call @significand_of(%a) : (i32) -> i32
    %divisor = func.call @significand_of(%b) : (i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %4 = arith.index_cast %steps : i32 to index
    %c1_i32 = arith.constant 1 : i32
    %c1 = arith.constant 1 : index
    %rest_1 = scf.for %i = %c0 to %4 step %c1 iter_args(%rest_2 = %rest) -> (i32) {
      %5 = arith.cmpi uge, %rest_2, %divisor : i32
      %6 = arith.extui %5 : i1 to i32
      %c0_i32_1 = arith.constant 0 : i32
      %7 = arith.subi %c0_i32_1, %6 : i32
      %8 = arith.andi %divisor, %7 : i32
      %rest_3 = arith.subi %rest_2, %8 : i32
      %c1_i32_1 = arith.constant 1 : i32
      %rest_4 = arith.shli %rest_3, %c1_i32_1 : i32
      scf.yield %rest_4 : i32
    }
    %9 = arith.cmpi uge, %rest_1, %divisor : i32
    %10 = arith.extui %9 : i1 to i32
    %11 = arith.subi %c0_i32, %10 : i32
    %12 = arith.andi %divisor, %11 : i32
    %rest_5 = arith.subi %rest_1, %12 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %is_small = arith.cmpi ult, %b, %c8388608_i32 : i32
    %c23_i32 = arith.constant 23 : i32
    %13 = arith.shrui %b, %c23_i32 : i32
    %unit = arith.select %is_small, %c1_i32, %13 : i32
    %14 = scf.if %is_small -> (i32) {
      %c1_i32_2 = arith.constant 1 : i32
      %15 = func.call @exponent_of(%b) : (i32) -> i32
      %16 = arith.subi %c1_i32_2, %15 : i32
      scf.yield %16 : i32
    } else {
      %c0_i32_2 = arith.constant 0 : i32
      scf.yield %c0_i32_2 : i32
    }
    %c31_i32 = arith.constant 31 : i32
    %17 = arith.andi %14, %c31_i32 : i32
    %rest_6 = arith.shrui %rest_5, %17 : i32
    %c24_i32 = arith.constant 24 : i32
    %18 = arith.cmpi slt, %unit, %c24_i32 : i32
    %19 = arith.subi %unit, %c1_i32 : i32
    %20 = arith.andi %19, %c31_i32 : i32
    %21 = arith.andi %20, %c31_i32 : i32
    %22 = arith.shli %c1_i32, %21 : i32
    %23 = arith.subi %unit, %c23_i32 : i32
    %24 = arith.shli %23, %c23_i32 : i32
    %25 = arith.select %18, %22, %24 : i32
    %size = ocl.bitcast %25 : i32 to f32
    %26 = arith.sitofp %rest_6 : i32 to f32
    %27 = arith.mulf %26, %size {ocl.no_contract} : f32
    %28 = ocl.bitcast %27 : f32 to i32
    %29 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %30 = arith.andi %29, %c2147483648_i32 : i32
    %31 = arith.ori %28, %30 : i32
    %result = ocl.bitcast %31 : i32 to f32
    %32 = arith.cmpi slt, %steps, %c0_i32 : i32
    %33 = arith.cmpi eq, %a, %c0_i32 : i32
    %34 = arith.ori %32, %33 : i1
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %35 = arith.cmpi eq, %b, %c2139095040_i32 : i32
    %36 = arith.ori %34, %35 : i1
    %result_1 = arith.select %36, %x, %result : f32
    %37 = arith.cmpi uge, %a, %c2139095040_i32 : i32
    %38 = arith.cmpi ugt, %b, %c2139095040_i32 : i32
    %39 = arith.ori %37, %38 : i1
    %40 = arith.cmpi eq, %b, %c0_i32 : i32
    %41 = arith.ori %39, %40 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %42 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_2 = arith.select %41, %42, %result_1 : f32
    func.return %result_2 : f32
  }
  func.func private @remainder_f32(%x: f32, %y: f32) -> f32 {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %a = ocl.bitcast %1 : i32 to f32
    %2 = ocl.bitcast %y : f32 to i32
    %3 = arith.andi %2, %c2147483647_i32 : i32
    %b = ocl.bitcast %3 : i32 to f32
    %cst = arith.constant 1.70141183e+38 : f32
    %4 = arith.cmpf olt, %b, %cst : f32
    %rest = scf.if %4 -> (f32) {
      %5 = arith.addf %b, %b : f32
      %6 = func.call @fmod_f32(%a, %5) : (f32, f32) -> f32
      scf.yield %6 : f32
    } else {
      scf.yield %a : f32
    }
    %cst_1 = arith.constant 1.000000e+00 : f32
    %is_small = arith.cmpf olt, %b, %cst_1 : f32
    %cst_2 = arith.constant 2.000000e+00 : f32
    %scale = arith.select %is_small, %cst_2, %cst_1 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %7 = arith.mulf %cst_3, %b {ocl.no_contract} : f32
    %middle = arith.select %is_small, %b, %7 : f32
    %8 = arith.mulf %rest, %scale : f32
    %is_over = arith.cmpf ogt, %8, %middle : f32
    %9 = arith.subf %rest, %b : f32
    %rest_1 = arith.select %is_over, %9, %rest : f32
    %10 = arith.mulf %rest_1, %scale : f32
    %11 = arith.cmpf oge, %10, %middle : f32
    %12 = arith.andi %is_over, %11 : i1
    %13 = arith.subf %rest_1, %b : f32
    %rest_2 = arith.select %12, %13, %rest_1 : f32
    %14 = ocl.bitcast %rest_2 : f32 to i32
    %15 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %16 = arith.andi %15, %c2147483648_i32 : i32
    %17 = arith.xori %14, %16 : i32
    %result = ocl.bitcast %17 : i32 to f32
    %18 = ocl.bitcast %a : f32 to i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %19 = arith.cmpi uge, %18, %c2139095040_i32 : i32
    %20 = ocl.bitcast %b : f32 to i32
    %21 = arith.cmpi ugt, %20, %c2139095040_i32 : i32
    %22 = arith.ori %19, %21 : i1
    %cst_4 = arith.constant 0.000000e+00 : f32
    %23 = arith.cmpf oeq, %b, %cst_4 : f32
    %is_nan = arith.ori %22, %23 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %24 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %25 = ocl.bitcast %b : f32 to i32
    %26 = arith.cmpi eq, %25, %c2139095040_i32 : i32
    %27 = arith.select %26, %x, %result : f32
    %result_1 = arith.select %is_nan, %24, %27 : f32
    func.return %result_1 : f32
  }
  func.func private @to_f32_u64(%a: i64) -> f32 attributes {ocl.unsigned = ["a"]} {
    %0 = func.call @clz_i64(%a) : (i64) -> i64
    %1 = arith.trunci %0 : i64 to i32
    %c63_i32 = arith.constant 63 : i32
    %up = arith.andi %1, %c63_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c190_i32 = arith.constant 190 : i32
    %2 = arith.subi %c190_i32, %up : i32
    %3 = arith.extsi %up : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %4 = arith.andi %3, %c63_i64 : i64
    %5 = arith.shli %a, %4 : i64
    %c38_i32 = arith.constant 38 : i32
    %6 = func.call @jammed(%5, %c38_i32) : (i64, i32) -> i64
    %7 = arith.trunci %6 : i64 to i32
    %result = func.call @rounded(%c0_i32, %2, %7) : (i32, i32, i32) -> f32
    %c0_i64 = arith.constant 0 : i64
    %8 = arith.cmpi eq, %a, %c0_i64 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %result_1 = arith.select %8, %cst, %result : f32
    func.return %result_1 : f32
  }
  func.func private @to_f32_s64(%a: i64) -> f32 attributes {ocl.unsigned = ["a"]} {
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
  func.func private @to_u64_f32(%x: f32) -> i64 attributes {ocl.unsigned = ["a", "m", "result"]} {
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
  func.func private @to_s64_f32(%x: f32) -> i64 attributes {ocl.unsigned = ["result", "size"]} {
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
  func.func private @to_f32_f16(%half_bits: i16) -> f32 attributes {ocl.unsigned = ["bits", "half_bits", "sign"]} {
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
        %11 = arith.mulf %10, %cst {ocl.no_contract} : f32
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
  func.func private @to_f16_f32(%x: f32) -> i16 attributes {ocl.unsigned = ["a", "result", "sign"]} {
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
  func.func private @mul_i32_by_sums(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "factor", "result", "sum", "term"]} {
    %factor = arith.minui %a, %b : i32
    %term = arith.maxui %a, %b : i32
    %c0_i32 = arith.constant 0 : i32
    %factor_1, %term_1, %sum = scf.while (%factor_2 = %factor, %term_2 = %term, %sum_1 = %c0_i32) : (i32, i32, i32) -> (i32, i32, i32) {
      %c0_i32_1 = arith.constant 0 : i32
      %0 = arith.cmpi ne, %factor_2, %c0_i32_1 : i32
      scf.condition(%0) %factor_2, %term_2, %sum_1 : i32, i32, i32
    } do {
    ^bb0(%factor_3: i32, %term_3: i32, %sum_2: i32):
      %c1_i32 = arith.constant 1 : i32
      %1 = arith.andi %factor_3, %c1_i32 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %2 = arith.subi %c0_i32_2, %1 : i32
      %3 = arith.andi %term_3, %2 : i32
      %sum_3 = arith.addi %sum_2, %3 : i32
      %term_4 = arith.shli %term_3, %c1_i32 : i32
      %factor_4 = arith.shrui %factor_3, %c1_i32 : i32
      scf.yield %factor_4, %term_4, %sum_3 : i32, i32, i32
    }
    func.return %sum : i32
  }
  func.func private @wide_product_by_integers(%a: i32, %b: i32) -> i64 attributes {ocl.unsigned = ["a", "a0", "a1", "b", "b0", "b1", "high", "low", "middle", "other", "result"]} {
    %c65535_i32 = arith.constant 65535 : i32
    %a0 = arith.andi %a, %c65535_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %a1 = arith.shrui %a, %c16_i32 : i32
    %b0 = arith.andi %b, %c65535_i32 : i32
    %b1 = arith.shrui %b, %c16_i32 : i32
    %low = arith.muli %a0, %b0 : i32
    %0 = arith.muli %a1, %b0 : i32
    %1 = arith.shrui %low, %c16_i32 : i32
    %middle = arith.addi %0, %1 : i32
    %2 = arith.muli %a0, %b1 : i32
    %3 = arith.andi %middle, %c65535_i32 : i32
    %other = arith.addi %2, %3 : i32
    %4 = arith.muli %a1, %b1 : i32
    %5 = arith.shrui %middle, %c16_i32 : i32
    %6 = arith.addi %4, %5 : i32
    %7 = arith.shrui %other, %c16_i32 : i32
    %high = arith.addi %6, %7 : i32
    %8 = arith.extui %high : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %9 = arith.shli %8, %c32_i64 : i64
    %10 = arith.shli %other, %c16_i32 : i32
    %11 = arith.andi %low, %c65535_i32 : i32
    %12 = arith.ori %10, %11 : i32
    %13 = arith.extui %12 : i32 to i64
    %result = arith.ori %9, %13 : i64
    func.return %result : i64
  }
  func.func private @mul_i64_by_integers(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "cross", "result"]} {
    %0 = arith.trunci %a : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %b, %c32_i64 : i64
    %2 = arith.trunci %1 : i64 to i32
    %3 = arith.muli %0, %2 : i32
    %4 = arith.shrui %a, %c32_i64 : i64
    %5 = arith.trunci %4 : i64 to i32
    %6 = arith.trunci %b : i64 to i32
    %7 = arith.muli %5, %6 : i32
    %cross = arith.addi %3, %7 : i32
    %8 = arith.trunci %a : i64 to i32
    %9 = arith.trunci %b : i64 to i32
    %10 = func.call @wide_product_by_integers(%8, %9) : (i32, i32) -> i64
    %11 = arith.extui %cross : i32 to i64
    %12 = arith.shli %11, %c32_i64 : i64
    %result = arith.addi %10, %12 : i64
    func.return %result : i64
  }
  func.func private @mulhi_u32_by_integers(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "result"]} {
    %0 = func.call @wide_product_by_integers(%a, %b) : (i32, i32) -> i64
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %0, %c32_i64 : i64
    %result = arith.trunci %1 : i64 to i32
    func.return %result : i32
  }
  func.func private @mulhi_s32_by_integers(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "high", "result"]} {
    %high = func.call @mulhi_u32_by_integers(%a, %b) : (i32, i32) -> i32
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
  func.func private @mulhi_u64_by_integers(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "a0", "a1", "b", "b0", "b1", "low", "middle", "other", "result"]} {
    %a0 = arith.trunci %a : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %a1 = arith.trunci %0 : i64 to i32
    %b0 = arith.trunci %b : i64 to i32
    %1 = arith.shrui %b, %c32_i64 : i64
    %b1 = arith.trunci %1 : i64 to i32
    %low = func.call @wide_product_by_integers(%a0, %b0) : (i32, i32) -> i64
    %2 = func.call @wide_product_by_integers(%a1, %b0) : (i32, i32) -> i64
    %3 = arith.shrui %low, %c32_i64 : i64
    %middle = arith.addi %2, %3 : i64
    %4 = func.call @wide_product_by_integers(%a0, %b1) : (i32, i32) -> i64
    %5 = arith.trunci %middle : i64 to i32
    %6 = arith.extui %5 : i32 to i64
    %other = arith.addi %4, %6 : i64
    %7 = func.call @wide_product_by_integers(%a1, %b1) : (i32, i32) -> i64
    %8 = arith.shrui %middle, %c32_i64 : i64
    %9 = arith.addi %7, %8 : i64
    %10 = arith.shrui %other, %c32_i64 : i64
    %result = arith.addi %9, %10 : i64
    func.return %result : i64
  }
  func.func private @mulhi_s64_by_integers(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "high", "result"]} {
    %high = func.call @mulhi_u64_by_integers(%a, %b) : (i64, i64) -> i64
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
  func.func private @jammed_word(%m: i32, %shift: i32) -> i32 attributes {ocl.unsigned = ["kept", "m", "result"]} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.andi %shift, %c31_i32 : i32
    %kept = arith.shrui %m, %0 : i32
    %1 = arith.andi %shift, %c31_i32 : i32
    %2 = arith.shli %kept, %1 : i32
    %3 = arith.cmpi ne, %2, %m : i32
    %4 = arith.extui %3 : i1 to i32
    %result = arith.ori %kept, %4 : i32
    func.return %result : i32
  }
  func.func private @rounded_sum(%sign: i32, %exponent: i32, %sum: i32) -> f32 attributes {ocl.unsigned = ["m", "sign", "sum"]} {
    %zeros = func.call @clz_i32(%sum) : (i32) -> i32
    %c6_i32 = arith.constant 6 : i32
    %0 = arith.cmpi slt, %zeros, %c6_i32 : i32
    %m = scf.if %0 -> (i32) {
      %c6_i32_1 = arith.constant 6 : i32
      %1 = arith.subi %c6_i32_1, %zeros : i32
      %c31_i32 = arith.constant 31 : i32
      %2 = arith.andi %1, %c31_i32 : i32
      %3 = func.call @jammed_word(%sum, %2) : (i32, i32) -> i32
      scf.yield %3 : i32
    } else {
      %c6_i32_2 = arith.constant 6 : i32
      %4 = arith.subi %zeros, %c6_i32_2 : i32
      %c31_i32_1 = arith.constant 31 : i32
      %5 = arith.andi %4, %c31_i32_1 : i32
      %6 = arith.andi %5, %c31_i32_1 : i32
      %7 = arith.shli %sum, %6 : i32
      scf.yield %7 : i32
    }
    %c5_i32 = arith.constant 5 : i32
    %8 = arith.addi %exponent, %c5_i32 : i32
    %9 = arith.subi %8, %zeros : i32
    %result = func.call @rounded(%sign, %9, %m) : (i32, i32, i32) -> f32
    func.return %result : f32
  }
  func.func private @add_f32(%x: f32, %y: f32) -> f32 attributes {ocl.unsigned = ["a", "b", "e", "f", "first", "m", "n", "other", "second", "sign", "sum"]} {
    %a = ocl.bitcast %x : f32 to i32
    %b = ocl.bitcast %y : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %0 = arith.andi %b, %c2147483647_i32 : i32
    %1 = arith.andi %a, %c2147483647_i32 : i32
    %swaps = arith.cmpi ugt, %0, %1 : i32
    %first = arith.select %swaps, %b, %a : i32
    %second = arith.select %swaps, %a, %b : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %first, %c2147483648_i32 : i32
    %other = arith.andi %second, %c2147483648_i32 : i32
    %first_1 = arith.andi %first, %c2147483647_i32 : i32
    %second_1 = arith.andi %second, %c2147483647_i32 : i32
    %c23_i32 = arith.constant 23 : i32
    %e = arith.shrui %first_1, %c23_i32 : i32
    %f = arith.shrui %second_1, %c23_i32 : i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %2 = arith.andi %first_1, %c8388607_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi ne, %e, %c0_i32 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %4 = arith.select %3, %c8388608_i32, %c0_i32 : i32
    %5 = arith.ori %2, %4 : i32
    %c3_i32 = arith.constant 3 : i32
    %m = arith.shli %5, %c3_i32 : i32
    %6 = arith.andi %second_1, %c8388607_i32 : i32
    %7 = arith.cmpi ne, %f, %c0_i32 : i32
    %8 = arith.select %7, %c8388608_i32, %c0_i32 : i32
    %9 = arith.ori %6, %8 : i32
    %n = arith.shli %9, %c3_i32 : i32
    %10 = arith.cmpi eq, %e, %c0_i32 : i32
    %11 = arith.extui %10 : i1 to i32
    %e_1 = arith.addi %e, %11 : i32
    %12 = arith.cmpi eq, %f, %c0_i32 : i32
    %13 = arith.extui %12 : i1 to i32
    %f_1 = arith.addi %f, %13 : i32
    %14 = arith.subi %e_1, %f_1 : i32
    %c31_i32 = arith.constant 31 : i32
    %15 = arith.minui %14, %c31_i32 : i32
    %n_1 = func.call @jammed_word(%n, %15) : (i32, i32) -> i32
    %16 = arith.cmpi eq, %sign, %other : i32
    %17 = arith.addi %m, %n_1 : i32
    %18 = arith.subi %m, %n_1 : i32
    %sum = arith.select %16, %17, %18 : i32
    %19 = arith.extui %e_1 : i32 to i64
    %20 = arith.trunci %19 : i64 to i32
    %result = func.call @rounded_sum(%sign, %20, %sum) : (i32, i32, i32) -> f32
    %21 = arith.cmpi eq, %sum, %c0_i32 : i32
    %22 = arith.andi %sign, %other : i32
    %23 = ocl.bitcast %22 : i32 to f32
    %result_1 = arith.select %21, %23, %result : f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %24 = arith.cmpi eq, %first_1, %c2139095040_i32 : i32
    %25 = arith.ori %sign, %c2139095040_i32 : i32
    %26 = ocl.bitcast %25 : i32 to f32
    %result_2 = arith.select %24, %26, %result_1 : f32
    %27 = arith.cmpi ugt, %first_1, %c2139095040_i32 : i32
    %28 = arith.cmpi eq, %second_1, %c2139095040_i32 : i32
    %29 = arith.cmpi ne, %sign, %other : i32
    %30 = arith.andi %28, %29 : i1
    %is_nan = arith.ori %27, %30 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %31 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_3 = arith.select %is_nan, %31, %result_2 : f32
    func.return %result_3 : f32
  }
  func.func private @sub_f32(%x: f32, %y: f32) -> f32 {
    %0 = ocl.bitcast %y : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %1 = arith.xori %0, %c2147483648_i32 : i32
    %2 = ocl.bitcast %1 : i32 to f32
    %result = func.call @add_f32(%x, %2) : (f32, f32) -> f32
    func.return %result : f32
  }
  func.func private @mul_f32(%x: f32, %y: f32) -> f32 attributes {ocl.unsigned = ["a", "b", "high", "low", "m", "m0", "m1", "middle", "n", "n0", "n1", "product", "rest", "sign", "up"]} {
    %a = ocl.bitcast %x : f32 to i32
    %b = ocl.bitcast %y : f32 to i32
    %0 = arith.xori %a, %b : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %0, %c2147483648_i32 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a_1 = arith.andi %a, %c2147483647_i32 : i32
    %b_1 = arith.andi %b, %c2147483647_i32 : i32
    %a_zeros = func.call @clz_i32(%a_1) : (i32) -> i32
    %b_zeros = func.call @clz_i32(%b_1) : (i32) -> i32
    %c23_i32 = arith.constant 23 : i32
    %1 = arith.shrui %a_1, %c23_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32 : i32
    %3 = arith.shrui %a_1, %c23_i32 : i32
    %c9_i32 = arith.constant 9 : i32
    %4 = arith.subi %c9_i32, %a_zeros : i32
    %e = arith.select %2, %3, %4 : i32
    %5 = arith.shrui %b_1, %c23_i32 : i32
    %6 = arith.cmpi ne, %5, %c0_i32 : i32
    %7 = arith.shrui %b_1, %c23_i32 : i32
    %8 = arith.subi %c9_i32, %b_zeros : i32
    %f = arith.select %6, %7, %8 : i32
    %9 = arith.shrui %a_1, %c23_i32 : i32
    %10 = arith.cmpi ne, %9, %c0_i32 : i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %11 = arith.andi %a_1, %c8388607_i32 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %12 = arith.ori %11, %c8388608_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %13 = arith.subi %a_zeros, %c8_i32 : i32
    %c31_i32 = arith.constant 31 : i32
    %14 = arith.andi %13, %c31_i32 : i32
    %15 = arith.andi %14, %c31_i32 : i32
    %16 = arith.shli %a_1, %15 : i32
    %m = arith.select %10, %12, %16 : i32
    %17 = arith.shrui %b_1, %c23_i32 : i32
    %18 = arith.cmpi ne, %17, %c0_i32 : i32
    %19 = arith.andi %b_1, %c8388607_i32 : i32
    %20 = arith.ori %19, %c8388608_i32 : i32
    %21 = arith.subi %b_zeros, %c8_i32 : i32
    %22 = arith.andi %21, %c31_i32 : i32
    %23 = arith.andi %22, %c31_i32 : i32
    %24 = arith.shli %b_1, %23 : i32
    %n = arith.select %18, %20, %24 : i32
    %c4095_i32 = arith.constant 4095 : i32
    %m0 = arith.andi %m, %c4095_i32 : i32
    %c12_i32 = arith.constant 12 : i32
    %m1 = arith.shrui %m, %c12_i32 : i32
    %n0 = arith.andi %n, %c4095_i32 : i32
    %n1 = arith.shrui %n, %c12_i32 : i32
    %25 = arith.muli %m1, %n0 : i32
    %26 = arith.muli %m0, %n1 : i32
    %middle = arith.addi %25, %26 : i32
    %27 = arith.muli %m0, %n0 : i32
    %28 = arith.andi %middle, %c4095_i32 : i32
    %29 = arith.shli %28, %c12_i32 : i32
    %low = arith.addi %27, %29 : i32
    %30 = arith.muli %m1, %n1 : i32
    %31 = arith.shrui %middle, %c12_i32 : i32
    %32 = arith.addi %30, %31 : i32
    %c24_i32 = arith.constant 24 : i32
    %33 = arith.shrui %low, %c24_i32 : i32
    %high = arith.addi %32, %33 : i32
    %c16777215_i32 = arith.constant 16777215 : i32
    %rest = arith.andi %low, %c16777215_i32 : i32
    %up = arith.shrui %high, %c23_i32 : i32
    %c3_i32 = arith.constant 3 : i32
    %34 = arith.shli %high, %c3_i32 : i32
    %c21_i32 = arith.constant 21 : i32
    %35 = arith.shrui %rest, %c21_i32 : i32
    %36 = arith.ori %34, %35 : i32
    %37 = arith.andi %up, %c31_i32 : i32
    %38 = arith.shrui %36, %37 : i32
    %c11_i32 = arith.constant 11 : i32
    %39 = arith.shli %rest, %c11_i32 : i32
    %40 = arith.shrui %rest, %c21_i32 : i32
    %41 = arith.andi %up, %40 : i32
    %42 = arith.ori %39, %41 : i32
    %43 = arith.cmpi ne, %42, %c0_i32 : i32
    %44 = arith.extui %43 : i1 to i32
    %product = arith.ori %38, %44 : i32
    %45 = arith.addi %e, %f : i32
    %c127_i32 = arith.constant 127 : i32
    %46 = arith.subi %45, %c127_i32 : i32
    %47 = arith.addi %46, %up : i32
    %result = func.call @rounded(%sign, %47, %product) : (i32, i32, i32) -> f32
    %48 = arith.cmpi eq, %a_1, %c0_i32 : i32
    %49 = arith.cmpi eq, %b_1, %c0_i32 : i32
    %50 = arith.ori %48, %49 : i1
    %51 = ocl.bitcast %sign : i32 to f32
    %result_1 = arith.select %50, %51, %result : f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %52 = arith.cmpi eq, %a_1, %c2139095040_i32 : i32
    %53 = arith.cmpi eq, %b_1, %c2139095040_i32 : i32
    %54 = arith.ori %52, %53 : i1
    %55 = arith.ori %sign, %c2139095040_i32 : i32
    %56 = ocl.bitcast %55 : i32 to f32
    %result_2 = arith.select %54, %56, %result_1 : f32
    %57 = arith.cmpi ugt, %a_1, %c2139095040_i32 : i32
    %58 = arith.cmpi ugt, %b_1, %c2139095040_i32 : i32
    %59 = arith.ori %57, %58 : i1
    %60 = arith.cmpi eq, %a_1, %c2139095040_i32 : i32
    %61 = arith.cmpi eq, %b_1, %c0_i32 : i32
    %62 = arith.andi %60, %61 : i1
    %63 = arith.ori %59, %62 : i1
    %64 = arith.cmpi eq, %a_1, %c0_i32 : i32
    %65 = arith.cmpi eq, %b_1, %c2139095040_i32 : i32
    %66 = arith.andi %64, %65 : i1
    %is_nan = arith.ori %63, %66 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %67 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_3 = arith.select %is_nan, %67, %result_2 : f32
    func.return %result_3 : f32
  }
  func.func private @to_f32_u32(%a: i32) -> f32 attributes {ocl.unsigned = ["a"]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %a, %c0_i32 : i32
    %result = scf.if %0 -> (f32) {
      %cst = arith.constant 0.000000e+00 : f32
      scf.yield %cst : f32
    } else {
      %c0_i32_1 = arith.constant 0 : i32
      %c153_i32 = arith.constant 153 : i32
      %1 = func.call @rounded_sum(%c0_i32_1, %c153_i32, %a) : (i32, i32, i32) -> f32
      scf.yield %1 : f32
    }
    func.return %result : f32
  }
  func.func private @to_f32_s32(%a: i32) -> f32 attributes {ocl.unsigned = ["a"]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %a, %c0_i32 : i32
    %result = scf.if %0 -> (f32) {
      %cst = arith.constant 0.000000e+00 : f32
      scf.yield %cst : f32
    } else {
      %c2147483648_i32 = arith.constant -2147483648 : i32
      %1 = arith.andi %a, %c2147483648_i32 : i32
      %c153_i32 = arith.constant 153 : i32
      %2 = func.call @size_32(%a) : (i32) -> i32
      %3 = func.call @rounded_sum(%1, %c153_i32, %2) : (i32, i32, i32) -> f32
      scf.yield %3 : f32
    }
    func.return %result : f32
  }
  func.func private @to_u32_f32(%x: f32) -> i32 attributes {ocl.unsigned = ["a", "m", "result"]} {
    %a = ocl.bitcast %x : f32 to i32
    %c23_i32 = arith.constant 23 : i32
    %0 = arith.shrui %a, %c23_i32 : i32
    %c127_i32 = arith.constant 127 : i32
    %exponent = arith.subi %0, %c127_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.shli %a, %c8_i32 : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %m = arith.ori %1, %c2147483648_i32 : i32
    %c31_i32 = arith.constant 31 : i32
    %2 = arith.cmpi sgt, %exponent, %c31_i32 : i32
    %c4294967295_i32 = arith.constant -1 : i32
    %3 = arith.subi %c31_i32, %exponent : i32
    %4 = arith.andi %3, %c31_i32 : i32
    %5 = arith.andi %4, %c31_i32 : i32
    %6 = arith.shrui %m, %5 : i32
    %result = arith.select %2, %c4294967295_i32, %6 : i32
    %c0_i32 = arith.constant 0 : i32
    %7 = arith.cmpi slt, %exponent, %c0_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %8 = arith.cmpi ugt, %a, %c2139095040_i32 : i32
    %9 = arith.ori %7, %8 : i1
    %result_1 = arith.select %9, %c0_i32, %result : i32
    func.return %result_1 : i32
  }
  func.func private @to_s32_f32(%x: f32) -> i32 attributes {ocl.unsigned = ["a", "result", "sign", "size"]} {
    %a = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %a, %c2147483648_i32 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a_1 = arith.andi %a, %c2147483647_i32 : i32
    %0 = ocl.bitcast %a_1 : i32 to f32
    %1 = func.call @to_u32_f32(%0) : (f32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %sign, %c0_i32 : i32
    %3 = arith.select %2, %c2147483648_i32, %c2147483647_i32 : i32
    %size = arith.minui %1, %3 : i32
    %4 = arith.cmpi ne, %sign, %c0_i32 : i32
    %5 = arith.subi %c0_i32, %size : i32
    %result = arith.select %4, %5, %size : i32
    func.return %result : i32
  }
}

